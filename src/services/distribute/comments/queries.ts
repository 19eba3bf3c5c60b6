import { and, desc, eq, gte, inArray, isNotNull, isNull, like, lt, ne, type SQL, sql } from 'drizzle-orm'
import { refuse } from '../../../kernel/errors.ts'
import { allowedActions } from '../../../kernel/life-cycle.ts'
import type { Static } from '../../../kernel/shape.ts'
import type { Context } from '../../../server/context.ts'
import { badField } from '../../../server/http/problem.ts'
import { appInScope } from '../apps/public.ts'
import { type Comment, errors, type Reply } from './contract.ts'
import { type CommentSort, type CommentState, commentCycle, lowered, replyCycle } from './rules.ts'
import { commentReplies, commentReports, comments } from './tables.ts'

export type CommentRecord = typeof comments.$inferSelect
export type ReplyRecord = typeof commentReplies.$inferSelect
export type CommentView = Static<typeof Comment>
export type ReplyView = Static<typeof Reply>

export interface Filters {
  appId: string
  stars?: readonly number[]
  language?: string
  country?: string
  versionCode?: string
  hasReply?: boolean
  keyword?: string
  from?: number
  to?: number
  state?: CommentState
  isTest?: boolean
  withRatings?: boolean
}

/** Comments the caller may see: the team's own within the scope for who acts for a team, all for staff and workers. */
export function mine(ctx: Context) {
  const isOfTeam = ctx.caller.kind !== 'system' && ctx.place.teamId !== null
  return isOfTeam ? and(eq(comments.teamId, ctx.teamId), appInScope(ctx, comments.appId)) : undefined
}

/** Refuses 404 for another team's, and for one that its author took back. */
export async function loadComment(ctx: Context, commentId: string, lock?: 'update'): Promise<CommentRecord> {
  const query = ctx.db
    .select()
    .from(comments)
    .where(and(eq(comments.commentId, commentId), ne(comments.state, 'DELETED'), mine(ctx)))
  const [row] = await (lock ? query.for(lock) : query)
  return row ?? refuse(errors.commentMissing, { id: commentId })
}

export function matching(ctx: Context, wish: Filters): SQL | undefined {
  const { appId, stars, language, country, versionCode, hasReply, keyword, from, to, state } = wish
  const words = keyword?.trim()
  const wanted = words ? `%${lowered(words).replace(/[\\%_]/g, '\\$&')}%` : undefined
  return and(
    eq(comments.appId, appId),
    mine(ctx),
    eq(comments.isTest, wish.isTest ?? false),
    state === undefined ? ne(comments.state, 'DELETED') : eq(comments.state, state),
    wish.withRatings ? undefined : ne(comments.text, ''),
    stars === undefined || stars.length === 0 ? undefined : inArray(comments.stars, [...stars]),
    language === undefined ? undefined : eq(comments.language, language),
    country === undefined ? undefined : eq(comments.country, country),
    versionCode === undefined ? undefined : eq(comments.versionCode, versionCode),
    hasReply === undefined ? undefined : hasReply ? isNotNull(comments.repliedAt) : isNull(comments.repliedAt),
    wanted === undefined ? undefined : like(comments.haystack, wanted),
    from === undefined ? undefined : gte(comments.createdAt, from),
    to === undefined ? undefined : lt(comments.createdAt, to),
  )
}

/** Where a page of a sorted list goes on: the value it is sorted by, and the id. */
const readCursor = /^([0-9]{1,10})\.([0-9]{1,19})$/

/** A page of comments in one of the orders; the newest of the same value first. */
export async function pageOfComments(
  ctx: Context,
  matches: SQL | undefined,
  wish: { sort?: CommentSort | undefined; cursor?: string | undefined; pageSize?: number | undefined },
) {
  const { sort = 'newest', cursor, pageSize = 20 } = wish
  const column = { newest: null, helpful: comments.helpful, starsHigh: comments.stars, starsLow: comments.stars }[sort]
  const found = cursor === undefined ? null : readCursor.exec(cursor)
  if (cursor !== undefined && !found) throw badField('/cursor', 'cursor', 'is not what a page before answered')
  const [, value = '0', lastId = '0'] = found ?? []
  const id = comments.commentId
  const isAfter = sort === 'starsLow' ? sql`${column} > ${value}` : sql`${column} < ${value}`
  const after = column === null ? lt(id, lastId) : sql`(${isAfter} OR (${column} = ${value} AND ${id} < ${lastId}))`
  const order = column === null ? [] : [sort === 'starsLow' ? sql`${column}` : desc(column)]
  const rows = await ctx.db
    .select()
    .from(comments)
    .where(and(matches, found ? after : undefined))
    .orderBy(...order, desc(id))
    .limit(pageSize + 1)
  const page = rows.slice(0, pageSize)
  const last = page.at(-1)
  const sorted = last && (sort === 'helpful' ? last.helpful : last.stars)
  return { rows: page, nextCursor: rows.length > pageSize && last ? `${sorted}.${last.commentId}` : null }
}

/** The replies that comments have, by comment. */
export async function repliesOf(ctx: Context, commentIds: readonly string[]): Promise<Map<string, ReplyRecord>> {
  if (commentIds.length === 0) return new Map()
  const rows = await ctx.db
    .select()
    .from(commentReplies)
    .where(and(inArray(commentReplies.commentId, [...commentIds]), ne(commentReplies.state, 'DELETED')))
  return new Map(rows.map(row => [row.commentId, row]))
}

export function toReply(ctx: Context, row: ReplyRecord): ReplyView {
  const actions = allowedActions(replyCycle, row.state, permission => ctx.may(permission))
  return { ...row, allowedActions: actions as ReplyView['allowedActions'] }
}

/** Comments as the developer and staff see them; three queries for a page. */
export async function toComments(ctx: Context, rows: readonly CommentRecord[]): Promise<CommentView[]> {
  const ids = rows.map(row => row.commentId)
  const replies = await repliesOf(ctx, ids)
  const reports = ids.length === 0 ? [] : await lastReports(ctx, ids)
  const reportOf = new Map(reports.map(row => [row.commentId, row]))
  return rows.map(row => {
    const reply = replies.get(row.commentId)
    const report = reportOf.get(row.commentId)
    const moves = allowedActions(commentCycle, row.state, permission => ctx.may(permission))
    const canReply = !reply && row.text !== '' && row.state !== 'HIDDEN' && ctx.may('comments.reply')
    const allowed = [
      ...moves.filter(action => action !== 'report' || (row.text !== '' && !row.isTest)),
      ...(canReply ? ['reply' as const] : []),
    ]
    return {
      ...row,
      reply: reply ? toReply(ctx, reply) : null,
      report: report
        ? {
            policyId: report.policyId as NonNullable<CommentView['report']>['policyId'],
            state: report.state,
            answer: report.answer,
          }
        : null,
      allowedActions: allowed as CommentView['allowedActions'],
    }
  })
}

function lastReports(ctx: Context, commentIds: readonly string[]) {
  const { commentId, policyId, state, answer, reportId } = commentReports
  return ctx.db
    .selectDistinctOn([commentId], { commentId, policyId, state, answer })
    .from(commentReports)
    .where(inArray(commentId, [...commentIds]))
    .orderBy(commentId, desc(reportId))
}
