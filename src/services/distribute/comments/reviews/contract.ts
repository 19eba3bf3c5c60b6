import { service } from '../../../../kernel/contract.ts'
import { flag, Id, Instant, nullable, PageQuery, pageOf, Revision, shape } from '../../../../kernel/shape.ts'
import { amount, Comment, errors, permissions, Reply, ReplyText } from '../contract.ts'

const OfReview = shape({ reviewId: Id })

/** The face that names comments reviews, over the same rows. */
export const reviews = service({
  name: 'distribute/comments',
  prefix: '/review/v1',
  zone: 'current',
  permissions: [...permissions],
  errors,
  calls: {
    hasNewReview: {
      method: 'GET',
      path: '/hasNewReview',
      who: 'cp',
      may: 'comments.read',
      summary: 'Whether there are comments on an app that the member has not seen',
      query: shape({ appId: Id }),
      answer: shape({ hasNewReview: flag(), count: amount, seenAt: nullable(Instant) }),
    },
    getReview: {
      method: 'GET',
      path: '/reviews/:reviewId',
      who: 'cp',
      may: 'comments.read',
      summary: 'One comment with its reply',
      params: OfReview,
      answer: Comment,
    },
    listReviewReplies: {
      method: 'GET',
      path: '/reviews/:reviewId/replies',
      who: 'cp',
      may: 'comments.read',
      summary: 'The replies to a comment, deleted ones not among them',
      params: OfReview,
      query: shape(PageQuery),
      answer: pageOf(Reply),
    },
    createReviewReply: {
      method: 'POST',
      path: '/reviews/:reviewId/reply',
      who: 'cp',
      may: 'comments.reply',
      summary: 'Answers a comment; people read it once its text is checked',
      params: OfReview,
      body: shape({ text: ReplyText }),
      answer: Reply,
    },
    updateReviewReply: {
      method: 'PUT',
      path: '/reviews/:reviewId/reply',
      who: 'cp',
      may: 'comments.reply',
      summary: 'Changes the reply to a comment',
      params: OfReview,
      body: shape({ text: ReplyText, revision: Revision }),
      answer: Reply,
    },
    deleteReviewReply: {
      method: 'DELETE',
      path: '/reviews/:reviewId/reply',
      who: 'cp',
      may: 'comments.reply',
      summary: 'Takes the reply to a comment away',
      params: OfReview,
    },
  },
})
