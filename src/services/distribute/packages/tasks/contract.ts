import { service } from '../../../../kernel/contract.ts'
import { Id, Instant, integer, nullable, oneOf, optional, Revision, shape, text } from '../../../../kernel/shape.ts'
import { Package, places } from '../contract.ts'
import { limits, packageStates } from '../rules.ts'

const shared = {
  name: 'distribute/packages',
  zone: 'current',
  permissions: ['packages.read', 'packages.upload'],
  errors: {},
  calls: {
    getPackageTask: {
      method: 'GET',
      path: '/app/pkg/process/task',
      who: 'cp',
      may: 'packages.read',
      transaction: false,
      summary: 'How far processing is; with wait it answers when it is over, or after so many seconds',
      query: shape({ taskId: Id, wait: optional(integer(0, limits.waitSeconds)) }),
      answer: shape({
        taskId: Id,
        pkgId: Id,
        state: oneOf(['queued', 'running', 'done', 'failed', 'canceled']),
        step: nullable(text(100)),
        percent: integer(0, 100),
        error: nullable(text(500)),
        startedAt: nullable(Instant),
        finishedAt: nullable(Instant),
        processState: nullable(oneOf(packageStates)),
      }),
    },
    processPackageAgain: {
      method: 'POST',
      path: '/app/pkg/process/task',
      who: 'cp',
      may: 'packages.upload',
      summary: 'Processes a package again that had failed',
      body: shape({ pkgId: Id, revision: optional(Revision) }),
      answer: Package,
    },
  },
} as const

/** How the store reads what was uploaded. */
export const packageTasks = service({ ...shared, prefix: places.all })
export const atomicTasks = service({ ...shared, prefix: places.atomic })
