import { implement } from '../../../../server/implement.ts'
import { appOf } from '../../apps/public.ts'
import { betaFeedback as contract } from './contract.ts'
import { deleteFeedback, moveFeedback, numbersOf, pageOfFeedback, toFeedback } from './feedback.ts'

export default implement(contract, {
  listFeedback: async (ctx, { query }) => {
    await appOf(ctx, query.appId)
    return pageOfFeedback(ctx, query)
  },

  getFeedbackNumbers: async (ctx, { query }) => {
    await appOf(ctx, query.appId)
    return numbersOf(ctx, query.appId)
  },

  moveFeedback: async (ctx, { body }) => {
    const [told] = await toFeedback(ctx, [await moveFeedback(ctx, body.feedbackId, body.action, body.note)])
    if (!told) throw new Error('one row makes one answer')
    return told
  },

  deleteFeedback: async (ctx, { query }) => {
    await deleteFeedback(ctx, query.feedbackId)
    return {}
  },
})
