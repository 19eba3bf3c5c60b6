import { service } from '../../../../kernel/contract.ts'
import { flag, Instant, integer, nullable, Revision, shape, text } from '../../../../kernel/shape.ts'
import { autoLimits } from './rules.ts'

const Rules = {
  isOn: flag(),
  passesListings: flag(),
  passesUpdates: flag(),
  cleanDays: integer(0, autoLimits.cleanDays),
  samplePercent: integer(0, 100),
}

/** When the store passes something without a look, and how much of that it looks at all the same. */
export const automaticPasses = service({
  name: 'distribute/review',
  prefix: '/amis/version-manage/v1',
  zone: 'current',
  permissions: ['review.read', 'review.senior'],
  errors: {},
  calls: {
    getAutoRules: {
      method: 'GET',
      path: '/manage/app/uad/review/automatic',
      who: 'manage',
      may: 'review.read',
      summary: 'When an update passes by itself',
      answer: shape({
        ...Rules,
        changedBy: nullable(text(64)),
        updatedAt: nullable(Instant),
        revision: integer(0, 2_147_483_647),
      }),
    },
    updateAutoRules: {
      method: 'PUT',
      path: '/manage/app/uad/review/automatic',
      who: 'manage',
      may: 'review.senior',
      summary: 'Says when an update passes by itself, and which share is looked at all the same',
      body: shape({ ...Rules, revision: integer(0, 2_147_483_647) }),
      answer: shape({ ...Rules, revision: Revision }),
    },
  },
})
