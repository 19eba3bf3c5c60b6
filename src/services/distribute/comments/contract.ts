import { sheetFormats } from '../../../kernel/cells.ts'
import { service } from '../../../kernel/contract.ts'
import { languages } from '../../../kernel/language.ts'
import {
  flag,
  Id,
  Instant,
  integer,
  list,
  nullable,
  oneOf,
  optional,
  PageQuery,
  pageOf,
  pattern,
  Revision,
  shape,
  Type,
  text,
} from '../../../kernel/shape.ts'
import {
  commentActions,
  commentSorts,
  commentStates,
  limits,
  mostStars,
  policies,
  replyActions,
  replyStates,
} from './rules.ts'

export const amount = Type.Integer({ minimum: 0 })
export const Country = pattern('^[A-Z]{2}$', 2, 'DE')
export const Stars = integer(1, mostStars)
const Tongue = pattern('^[a-z]{2,3}$', 3, 'de')
const Average = nullable(Type.Number({ minimum: 1, maximum: mostStars }))
export const ReplyText = text(limits.textLength, 1)
/** How many have five stars, four, and so on. */
export const Histogram = Type.Array(amount, { minItems: mostStars, maxItems: mostStars })

/** What a histogram says in numbers; `display` is the Bayesian average that people see. */
export const Rating = { count: amount, average: Average, display: Average, histogram: Histogram }

export const Reply = shape({
  replyId: Id,
  commentId: Id,
  appId: Id,
  authorId: Id,
  text: Type.String(),
  /** What people read now; null while nothing passed the check. */
  shownText: nullable(Type.String()),
  state: oneOf(replyStates),
  /** What the check objected to. */
  reason: nullable(Type.String()),
  createdAt: Instant,
  updatedAt: Instant,
  publishedAt: nullable(Instant),
  revision: Revision,
  allowedActions: list(oneOf(replyActions)),
})

export const Comment = shape({
  commentId: Id,
  appId: Id,
  /** A pseudonym: the same for one device and one app. */
  author: Type.String(),
  nickname: Type.String(),
  stars: Stars,
  title: Type.String(),
  text: Type.String(),
  language: nullable(Type.String()),
  country: nullable(Type.String()),
  device: nullable(Type.String()),
  versionId: Id,
  versionCode: Type.String(),
  versionName: Type.String(),
  isTest: flag(),
  helpful: amount,
  state: oneOf(commentStates),
  createdAt: Instant,
  /** When its author last wrote it. */
  writtenAt: Instant,
  reply: nullable(Reply),
  /** Of the last report of the team. */
  report: nullable(
    shape({ policyId: oneOf(policies), state: oneOf(['OPEN', 'KEPT', 'HIDDEN', 'GONE']), answer: Type.String() }),
  ),
  revision: Revision,
  allowedActions: list(oneOf([...commentActions, 'reply'])),
})

export const Filters = {
  appId: Id,
  stars: optional(Type.Array(Stars, { maxItems: mostStars, uniqueItems: true })),
  language: optional(Tongue),
  country: optional(Country),
  versionCode: optional(text(20, 1)),
  hasReply: optional(flag()),
  keyword: optional(text(100)),
  from: optional(Instant),
  to: optional(Instant),
  state: optional(oneOf(commentStates)),
  /** Those on test versions instead of those on the shelf. */
  isTest: optional(flag()),
  /** Ratings without words, too. */
  withRatings: optional(flag()),
}

const { stars: _stars, ...RestOfFilters } = Filters

const OfRange = { appId: Id, from: optional(Instant), to: optional(Instant), isTest: optional(flag()) }
const Part = { count: amount, average: Average, histogram: Histogram }

export const permissions = ['comments.read', 'comments.reply', 'comments.report'] as const

export const errors = {
  commentMissing: [202210001, 404, 'There is no comment {id} here.'],
  replyExists: [202210002, 409, 'The comment has a reply already; change that one instead.'],
  replyTooLong: [202210003, 422, 'A reply has at most {limit} characters.'],
  notForReply: [202210004, 422, 'This cannot be replied to: {why}.'],
  reportsMany: [202210005, 429, 'A team reports at most {limit} comments a day; try again tomorrow.'],
  noInstall: [202210006, 403, 'The store has no report that this device installed the app.'],
  notOwner: [202210007, 403, 'The secret is not that of this device.'],
  commentsMany: [202210008, 429, 'Too many comments come from your network today; try again tomorrow.'],
  editsMany: [202210009, 429, 'A comment can be written {limit} times a day; try again tomorrow.'],
  barred: [202210010, 403, 'The store hid what this device wrote about the app; it cannot begin anew.'],
  ofOwnTeam: [202210011, 403, 'You are a member of the team whose app this is about; somebody else decides.'],
  /** Shown in the risk dialog (specification, section 8). */
  textRisk: [205524998, 400, 'The text says what the store does not publish: {found}. Change it and try again.'],
} as const

/** What people say of an app on the shelf, and what its developer answers. */
export const comments = service({
  name: 'distribute/comments',
  prefix: '/comment',
  zone: 'current',
  permissions: [...permissions],
  errors,
  calls: {
    getCommentStats: {
      method: 'GET',
      path: '/stats',
      who: 'cp',
      may: 'comments.read',
      summary: 'Stars by day, version, country and language, how many are answered and how fast',
      query: shape(OfRange),
      answer: shape({
        from: Instant,
        to: Instant,
        /** All time. */
        overall: shape(Rating),
        /** In the range. */
        ...Rating,
        withText: amount,
        replied: amount,
        /** Of those with words; null without any. */
        replyRate: nullable(Type.Number({ minimum: 0, maximum: 1 })),
        medianReplyMs: nullable(amount),
        days: list(shape({ day: Type.String(), ...Part })),
        versions: list(shape({ versionCode: Type.String(), versionName: Type.String(), ...Part })),
        countries: list(shape({ country: nullable(Type.String()), ...Part })),
        languages: list(shape({ language: nullable(Type.String()), ...Part })),
      }),
    },
    queryComments: {
      method: 'POST',
      path: '/developer/query',
      who: 'cp',
      may: 'comments.read',
      summary: 'Comments on an app with their replies',
      body: shape({ ...Filters, sort: optional(oneOf(commentSorts)), ...PageQuery }),
      answer: pageOf(Comment),
    },
    exportComments: {
      method: 'GET',
      path: '/export',
      who: 'cp',
      may: 'comments.read',
      kind: 'download',
      summary: 'The same as a CSV or XLSX file',
      query: shape({
        format: oneOf(sheetFormats),
        uiLanguage: optional(oneOf(languages)),
        ...RestOfFilters,
        star: optional(Stars),
        sort: optional(oneOf(commentSorts)),
      }),
    },
    listReplies: {
      method: 'GET',
      path: '/replies',
      who: 'cp',
      may: 'comments.read',
      summary: 'Replies on an app or to one comment, the newest first',
      query: shape({ appId: optional(Id), commentId: optional(Id), ...PageQuery }),
      answer: pageOf(Reply),
    },
    createReply: {
      method: 'POST',
      path: '/reply',
      who: 'cp',
      may: 'comments.reply',
      summary: 'Answers a comment; people read it once its text is checked',
      body: shape({ commentId: Id, text: ReplyText }),
      answer: Reply,
    },
    updateReply: {
      method: 'PUT',
      path: '/reply/update',
      who: 'cp',
      may: 'comments.reply',
      summary: 'Changes a reply; until the new text is checked people read the one before',
      body: shape({ replyId: Id, text: ReplyText, revision: Revision }),
      answer: Reply,
    },
    deleteReply: {
      method: 'DELETE',
      path: '/reply',
      who: 'cp',
      may: 'comments.reply',
      summary: 'Takes a reply away',
      query: shape({ replyId: Id }),
    },
    reportComment: {
      method: 'POST',
      path: '/report',
      who: 'cp',
      may: 'comments.report',
      summary: 'Reports a comment to the store, which hides or keeps it',
      body: shape({ commentId: Id, policyId: oneOf(policies), note: optional(text(limits.noteLength)) }),
      answer: Comment,
    },
    markSeen: {
      method: 'POST',
      path: '/seen',
      who: 'cp',
      may: 'comments.read',
      summary: 'Says that the member has seen the comments on an app up to now',
      body: shape({ appId: Id }),
      answer: shape({ seenAt: Instant }),
    },
  },
})
