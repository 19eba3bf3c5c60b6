import { service } from '../../../../../kernel/contract.ts'
import { Id, nullable, oneOf, optional, PageQuery, pageOf, Revision, shape, text } from '../../../../../kernel/shape.ts'
import { reviewDesk } from '../../../review/desk/contract.ts'
import { face } from '../../contract.ts'
import { Immersive } from '../contract.ts'
import { immersiveStates, pictureLimits } from '../rules.ts'

const OnDesk = shape({ ...Immersive.properties, appName: text(64), packageName: nullable(text(255)) })

/** What reviewers see of immersive pictures, and decide. */
export const immersiveDesk = service({
  ...face,
  prefix: '/amis/version-manage/v1',
  permissions: ['review.read', 'review.decide'],
  errors: {
    conflictOfInterest: reviewDesk.errors.conflictOfInterest,
    noteMissing: [202140014, 422, 'Say what must be changed, so that the developer knows.'],
  },
  calls: {
    listImmersive: {
      method: 'GET',
      path: '/manage/immersive-picture/list',
      who: 'manage',
      may: 'review.read',
      summary: 'Pictures in a state, those that wait unless said, the longest waiting first',
      query: shape({ state: optional(oneOf(immersiveStates)), ...PageQuery }),
      answer: pageOf(OnDesk),
    },
    decideImmersive: {
      method: 'PUT',
      path: '/manage/immersive-picture/decision',
      who: 'manage',
      may: 'review.decide',
      summary: 'Passes a picture, which the store shows from then on, or refuses it with a note',
      body: shape({
        appId: Id,
        verdict: oneOf(['APPROVE', 'REJECT']),
        note: optional(text(pictureLimits.noteLength)),
        revision: optional(Revision),
      }),
      answer: OnDesk,
    },
  },
})
