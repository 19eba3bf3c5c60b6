import { and, count, desc, eq, gt, isNull, lt, type SQL, sql } from 'drizzle-orm'
import type { Static } from '../../../kernel/shape.ts'
import type { Context } from '../../../server/context.ts'
import { planned } from '../../../server/database/planned.ts'
import type { Notice } from './contract.ts'
import type { Category } from './rules.ts'
import { notices } from './tables.ts'

type NoticeRow = typeof notices.$inferSelect

export function toNotice(row: NoticeRow): Static<typeof Notice> {
  const { ofTeamId, ...rest } = row
  return { ...rest, teamId: ofTeamId }
}

/** Those of the caller's notices that stand in the inbox. */
export const own = (ctx: Context, ...more: (SQL | undefined)[]) =>
  and(eq(notices.accountId, ctx.accountId), notices.isInInbox, ...more)

export async function listNotices(
  ctx: Context,
  query: { category?: Category; unread?: boolean; since?: string; cursor?: string; pageSize?: number },
) {
  const size = query.pageSize ?? 20
  const matching = own(
    ctx,
    query.category ? eq(notices.category, query.category) : undefined,
    query.unread ? isNull(notices.readAt) : undefined,
    query.since ? gt(notices.noticeId, query.since) : undefined,
  )
  const cursor = /^[0-9]{1,19}$/.test(query.cursor ?? '') ? query.cursor : undefined
  const rows = await ctx.db
    .select()
    .from(notices)
    .where(and(matching, cursor ? lt(notices.noticeId, cursor) : undefined))
    .orderBy(desc(notices.noticeId))
    .limit(size + 1)
  const [counted] = await ctx.db.select({ total: count() }).from(notices).where(matching)
  const list = rows.slice(0, size).map(toNotice)
  return {
    total: counted?.total ?? 0,
    list,
    nextCursor: rows.length > size ? (list.at(-1)?.noticeId ?? null) : null,
  }
}

/** Asked by every open page once a minute: two index reads. */
export const unreadOf = planned(db =>
  db
    .select({
      unread: sql<string>`count(*)`,
      latestId: sql<
        string | null
      >`(select max(${notices.noticeId}) from ${notices} where ${notices.accountId} = ${sql.placeholder('accountId')} and ${notices.isInInbox})`,
    })
    .from(notices)
    .where(and(eq(notices.accountId, sql.placeholder('accountId')), notices.isInInbox, isNull(notices.readAt))),
)
