import { service } from '../../../../../kernel/contract.ts'
import { Id, Instant, nullable, oneOf, optional, Revision, shape, text } from '../../../../../kernel/shape.ts'
import { remoteConfigErrors } from '../../contract.ts'
import { Rollout } from '../contract.ts'
import { askedActions, reasonLength } from '../rules.ts'

const Reason = text(reasonLength)
const call = { who: 'cp', method: 'POST', params: shape({ rolloutId: Id }), answer: Rollout } as const
const publish = { ...call, may: 'remoteConfig.publish' } as const
const body = shape({ reason: optional(Reason), revision: Revision })

/** What others agree to before a rollout starts or is completed, where the project asks for that. */
export const rolloutAgreement = service({
  name: 'grow/remote-config',
  prefix: '/rcs/v1/rollouts',
  zone: 'current',
  permissions: ['remoteConfig.read', 'remoteConfig.edit', 'remoteConfig.publish', 'remoteConfig.force'],
  errors: remoteConfigErrors,
  calls: {
    askAboutRollout: {
      ...publish,
      path: '/:rolloutId/ask',
      summary: 'Asks others to agree to a start, now or at a time, or to a completion',
      body: shape({
        action: oneOf(askedActions),
        /** Of a start; left out is as the draft says, null is at once. */
        startAt: optional(nullable(Instant)),
        reason: optional(Reason),
        revision: Revision,
      }),
    },
    agreeToRollout: {
      ...publish,
      path: '/:rolloutId/agree',
      summary:
        'Agrees to what is asked; with the last of those who must, it is done. Never who wrote or asked, each once',
      body,
    },
    refuseRollout: {
      ...publish,
      path: '/:rolloutId/refuse',
      summary: 'Does not agree to what is asked, and says why; it stays as it is',
      body: shape({ reason: Reason, revision: Revision }),
    },
    withdrawRollout: {
      ...{ ...call, may: 'remoteConfig.edit' },
      path: '/:rolloutId/withdraw',
      summary: 'Takes back what is asked; who agreed is asked again the next time',
      body,
    },
  },
})
