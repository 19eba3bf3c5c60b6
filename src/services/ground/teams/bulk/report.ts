import { and, asc, desc, eq, inArray, lt, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import { tellBulks } from '../../../../server/bulk.ts'
import type { Context } from '../../../../server/context.ts'
import { accountsOf } from '../../session/public.ts'
import { memberBulkItems, memberBulks, members } from '../tables.home.ts'
import { tables } from './run.ts'

type BulkRecord = typeof memberBulks.$inferSelect

export async function reportOf(ctx: Context, bulkId: string) {
  const [bulk] = await ctx.home
    .select()
    .from(memberBulks)
    .where(and(eq(memberBulks.bulkId, bulkId), eq(memberBulks.teamId, ctx.teamId)))
  if (!bulk) refuse(commonErrors.notFound, { entity: 'action', id: bulkId })
  const [summary] = await summariesOf(ctx, [bulk])
  const isSame = and(eq(members.teamId, memberBulkItems.teamId), eq(members.accountId, memberBulkItems.accountId))
  const list = await ctx.home
    .select({ item: memberBulkItems, name: members.name, loginName: members.loginName })
    .from(memberBulkItems)
    .leftJoin(members, isSame)
    .where(eq(memberBulkItems.bulkId, bulkId))
    .orderBy(asc(memberBulkItems.position))
  return {
    ...summary!,
    list: list.map(({ item, name, loginName }) => ({ ...item, name: name ?? '', loginName: loginName ?? '' })),
  }
}

export async function pageOfBulks(ctx: Context, page: { cursor?: string; pageSize?: number }) {
  const mine = eq(memberBulks.teamId, ctx.teamId)
  const pageSize = page.pageSize ?? 20
  const isCursor = page.cursor !== undefined && /^[0-9]{1,18}$/.test(page.cursor)
  const rows = await ctx.home
    .select()
    .from(memberBulks)
    .where(and(mine, isCursor ? lt(memberBulks.bulkId, page.cursor ?? '') : undefined))
    .orderBy(desc(memberBulks.bulkId))
    .limit(pageSize + 1)
  const list = rows.slice(0, pageSize)
  return {
    total: await ctx.home.$count(memberBulks, mine),
    list: await summariesOf(ctx, list),
    nextCursor: rows.length > pageSize ? (list.at(-1)?.bulkId ?? null) : null,
  }
}

/** The rows with what the jobs and the items say of them: three queries, however many. */
async function summariesOf(ctx: Context, rows: readonly BulkRecord[]) {
  if (rows.length === 0) return []
  const ids = rows.map(row => row.bulkId)
  const counts = await ctx.home
    .select({
      bulkId: memberBulkItems.bulkId,
      done: sql<number>`count(*) FILTER (WHERE ${memberBulkItems.result} = 'DONE')::int`,
      refused: sql<number>`count(*) FILTER (WHERE ${memberBulkItems.result} = 'REFUSED')::int`,
    })
    .from(memberBulkItems)
    .where(inArray(memberBulkItems.bulkId, ids))
    .groupBy(memberBulkItems.bulkId)
  const people = await accountsOf(ctx, [...new Set(rows.map(row => row.createdBy))])
  return tellBulks(ctx, tables, rows, { counts, people })
}
