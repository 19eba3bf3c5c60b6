import { service } from '../../../../kernel/contract.ts'
import { PageQuery, pageOf, type Static, shape, Type, text } from '../../../../kernel/shape.ts'
import { Count, remoteConfigErrors, Where } from '../contract.ts'
import { limits } from '../rules.ts'

/** Of a sample, in percent, with the half of its 95 % interval. */
const ImpactShape = shape({ key: text(limits.keyLength), percent: Type.Number(), error: Type.Number() })

/** What publishing the draft would change for those who asked lately. */
export const remoteConfigImpact = service({
  name: 'grow/remote-config',
  prefix: '/rcs/v1',
  zone: 'current',
  permissions: ['remoteConfig.read', 'remoteConfig.edit', 'remoteConfig.publish', 'remoteConfig.force'],
  errors: remoteConfigErrors,
  calls: {
    previewDraft: {
      who: 'cp',
      may: 'remoteConfig.read',
      method: 'GET',
      path: '/draft/impact',
      transaction: false,
      summary: 'For how many of those who asked lately publishing the draft would change which parameter',
      query: shape({ ...Where, ...PageQuery }),
      answer: shape({
        ...pageOf(ImpactShape).properties,
        /** How many contexts it rests on; below `fewest` nothing is estimated. */
        contexts: Count,
        fewest: Count,
      }),
    },
  },
})

export type ImpactView = Static<typeof ImpactShape>
