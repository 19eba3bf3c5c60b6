import { service } from '../../../../kernel/contract.ts'
import { Id, Instant, list, nullable, shape, Type } from '../../../../kernel/shape.ts'

const devices = Type.Integer({ minimum: 0 })
const Counts = shape({
  /** Ran it, as far as they told. */
  users: devices,
  /** Tried to install it. */
  tried: devices,
  failed: devices,
  uninstalled: devices,
  crashed: devices,
  /** It did not respond. */
  frozen: devices,
  rated: devices,
  /** Of all that rated, together. */
  stars: Type.Integer({ minimum: 0 }),
})

/** What devices told of a version while it came in phases, beside what they told of the full one in the same time. */
export const storeHealth = service({
  name: 'distribute/store',
  prefix: '/store/health/v1',
  zone: 'current',
  permissions: ['store.read'],
  errors: {},
  calls: {
    getReleaseHealth: {
      method: 'GET',
      path: '/release',
      who: 'cp',
      may: 'store.read',
      summary:
        'Devices that told of installs, crashes and the like of a phased release, by hour or day, each device once',
      query: shape({ versionId: Id }),
      answer: shape({
        /** Of the release that is or was last; null when no device has told. */
        startedAt: nullable(Instant),
        stepMs: devices,
        own: Counts,
        base: Counts,
        /** New devices in each step that had some, the oldest first. */
        steps: list(shape({ at: Instant, own: Counts, base: Counts })),
      }),
    },
  },
})
