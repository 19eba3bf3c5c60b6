import { and, eq, inArray, ne } from 'drizzle-orm'
import type { Context } from '../../../../server/context.ts'
import type { Server } from '../../../../server/server.ts'
import { type CommentRecord, pageOfComments, repliesOf } from '../queries.ts'
import { type CommentSort, tongueOf } from '../rules.ts'
import type { ratingOfApp } from '../stats.ts'
import { comments } from '../tables.ts'

type Summary = Awaited<ReturnType<typeof ratingOfApp>>

const keptMs = 15_000
const mostKept = 2_000
const kept = new WeakMap<Server, Map<string, { until: number; summary: Promise<Summary> }>>()

/** The stars of an app; asked of the database at most every quarter of a minute, however many devices ask. */
export function summaryOf(server: Server, appId: string, now: number, read: () => Promise<Summary>): Promise<Summary> {
  const ofServer = kept.get(server) ?? new Map<string, { until: number; summary: Promise<Summary> }>()
  kept.set(server, ofServer)
  const found = ofServer.get(appId)
  if (found && now < found.until) return found.summary
  if (ofServer.size >= mostKept) ofServer.clear()
  const summary = read()
  ofServer.set(appId, { until: now + keptMs, summary })
  summary.catch(() => ofServer.delete(appId))
  return summary
}

/** Forgets what is kept of an app on this process: whoever writes sees the stars change at once. */
export function forgetSummary(server: Server, appId: string): void {
  kept.get(server)?.delete(appId)
}

interface ListWish {
  sort?: CommentSort
  stars?: number
  language?: string
  cursor?: string
  pageSize?: number
}

/** What everybody reads: with words, neither hidden nor of a test. The context must be the system's. */
export async function publicPage(ctx: Context, appId: string, wish: ListWish) {
  const { stars, language } = wish
  const matches = and(
    ...[eq(comments.appId, appId), eq(comments.isTest, false), ne(comments.text, '')],
    inArray(comments.state, ['VISIBLE', 'APPEALED']),
    stars === undefined ? undefined : eq(comments.stars, stars),
    language === undefined ? undefined : eq(comments.language, tongueOf(language)),
  )
  const { rows, nextCursor } = await pageOfComments(ctx, matches, wish)
  const replies = await shownReplies(ctx, rows)
  return {
    total: await ctx.db.$count(comments, matches),
    list: rows.map(row => ({
      ...row,
      isEdited: row.writtenAt > row.createdAt,
      reply: replies.get(row.commentId) ?? null,
    })),
    nextCursor,
  }
}

/** What its author sees of it. */
export async function toOwn(ctx: Context, row: CommentRecord) {
  const replies = await shownReplies(ctx, [row])
  return { ...row, isHidden: row.state === 'HIDDEN', reply: replies.get(row.commentId) ?? null }
}

async function shownReplies(ctx: Context, rows: readonly CommentRecord[]) {
  const replies = await repliesOf(
    ctx,
    rows.map(row => row.commentId),
  )
  return new Map(
    [...replies].flatMap(([commentId, { shownText, publishedAt }]) =>
      shownText === null || publishedAt === null ? [] : [[commentId, { text: shownText, at: publishedAt }] as const],
    ),
  )
}
