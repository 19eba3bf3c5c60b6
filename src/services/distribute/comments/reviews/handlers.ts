import { and, count, eq, gt, ne } from 'drizzle-orm'
import { implement } from '../../../../server/implement.ts'
import { appOf } from '../../apps/public.ts'
import { loadComment, toComments } from '../queries.ts'
import { createReply, deleteReply, pageOfReplies, updateReply } from '../replies.ts'
import { comments, commentsSeen } from '../tables.ts'
import { reviews } from './contract.ts'

export default implement(reviews, {
  hasNewReview: async (ctx, { query: { appId } }) => {
    const { teamId } = await appOf(ctx, appId)
    const [seen] = await ctx.db
      .select({ at: commentsSeen.at })
      .from(commentsSeen)
      .where(and(eq(commentsSeen.appId, appId), eq(commentsSeen.accountId, ctx.accountId)))
    const isNew = and(
      ...[eq(comments.appId, appId), eq(comments.teamId, teamId), eq(comments.isTest, false)],
      ...[ne(comments.state, 'DELETED'), ne(comments.text, ''), gt(comments.writtenAt, seen?.at ?? 0)],
    )
    const [found] = await ctx.db.select({ fresh: count() }).from(comments).where(isNew)
    const fresh = found?.fresh ?? 0
    return { hasNewReview: fresh > 0, count: fresh, seenAt: seen?.at ?? null }
  },

  getReview: async (ctx, { params }) => (await toComments(ctx, [await loadComment(ctx, params.reviewId)]))[0]!,

  listReviewReplies: (ctx, { params, query }) => pageOfReplies(ctx, { commentId: params.reviewId, ...query }),
  createReviewReply: (ctx, { params, body }) => createReply(ctx, params.reviewId, body.text),
  updateReviewReply: async (ctx, { params, body }) => {
    const { commentId } = await loadComment(ctx, params.reviewId)
    return updateReply(ctx, { commentId }, body)
  },
  deleteReviewReply: async (ctx, { params }) => {
    const { commentId } = await loadComment(ctx, params.reviewId)
    await deleteReply(ctx, { commentId })
    return {}
  },
})
