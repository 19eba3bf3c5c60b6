import { service } from '../../../../kernel/contract.ts'
import { Id, shape, text } from '../../../../kernel/shape.ts'
import { Thread } from '../contract.ts'
import { appealLimits } from './rules.ts'

/** What a developer can do about a review that takes too long or went wrong. */
export const appeals = service({
  name: 'distribute/review',
  prefix: '/amis/review-manage/v1',
  zone: 'current',
  permissions: ['versions.submit'],
  errors: {
    noAppeal: [
      202040014,
      422,
      'Only the last rejection of a version can be appealed from, once, and as long as the version is unchanged; hand in a changed one instead.',
    ],
    noExpedite: [202040015, 422, 'Only what waits its usual turn can be expedited.'],
    expeditesUsed: [202040016, 422, 'An app can be expedited {limit} times in {days} days; the next from {next} on.'],
  },
  calls: {
    appealRejection: {
      method: 'POST',
      path: '/submission/appeal',
      who: 'cp',
      may: 'versions.submit',
      summary: 'Appeals from a rejection: a senior reviewer who did not reject it decides, about the version as it is',
      body: shape({
        submissionId: Id,
        itemId: Id,
        reason: text(appealLimits.reasonMax, appealLimits.reasonMin),
      }),
      answer: Thread,
    },
    expediteReview: {
      method: 'POST',
      path: '/submission/expedite',
      who: 'cp',
      may: 'versions.submit',
      summary: 'Asks for a look within four working hours: twice an app in 180 days, with the reason',
      body: shape({
        submissionId: Id,
        itemId: Id,
        reason: text(appealLimits.expediteReasonMax, appealLimits.reasonMin),
      }),
      answer: Thread,
    },
  },
})
