import { and, asc, desc, eq, inArray, lt, type SQL, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import { tellBulks } from '../../../../server/bulk.ts'
import type { Context } from '../../../../server/context.ts'
import { accountsOf } from '../../../ground/session/public.ts'
import { appInScope } from '../../apps/public.ts'
import type { VersionState } from '../life/rules.ts'
import { bulkItems, bulks } from '../tables.ts'
import { tables } from './run.ts'

type BulkRecord = typeof bulks.$inferSelect

/** Those of the team; who reaches only some apps sees the actions on one of them, and of those only these. */
function mine(ctx: Context): SQL | undefined {
  const reach = appInScope(ctx, bulkItems.appId)
  const hasOne =
    reach && sql`EXISTS (SELECT 1 FROM ${bulkItems} WHERE ${bulkItems.bulkId} = ${bulks.bulkId} AND ${reach})`
  return and(eq(bulks.teamId, ctx.teamId), hasOne)
}

export async function reportOf(ctx: Context, bulkId: string) {
  const [bulk] = await ctx.db
    .select()
    .from(bulks)
    .where(and(eq(bulks.bulkId, bulkId), mine(ctx)))
  if (!bulk) refuse(commonErrors.notFound, { entity: 'action', id: bulkId })
  const [summary] = await summariesOf(ctx, [bulk])
  const list = await ctx.db
    .select()
    .from(bulkItems)
    .where(and(eq(bulkItems.bulkId, bulkId), appInScope(ctx, bulkItems.appId)))
    .orderBy(asc(bulkItems.position))
  return { ...summary!, list: list.map(row => ({ ...row, state: row.state as VersionState | null })) }
}

export async function pageOfBulks(ctx: Context, page: { cursor?: string; pageSize?: number }) {
  const own = mine(ctx)
  const pageSize = page.pageSize ?? 20
  const isCursor = page.cursor !== undefined && /^[0-9]{1,18}$/.test(page.cursor)
  const rows = await ctx.db
    .select()
    .from(bulks)
    .where(and(own, isCursor ? lt(bulks.bulkId, page.cursor ?? '') : undefined))
    .orderBy(desc(bulks.bulkId))
    .limit(pageSize + 1)
  const list = rows.slice(0, pageSize)
  return {
    total: await ctx.db.$count(bulks, own),
    list: await summariesOf(ctx, list),
    nextCursor: rows.length > pageSize ? (list.at(-1)?.bulkId ?? null) : null,
  }
}

/** The rows with what the jobs and the items say of them: three queries, however many. */
async function summariesOf(ctx: Context, rows: readonly BulkRecord[]) {
  if (rows.length === 0) return []
  const ids = rows.map(row => row.bulkId)
  const counts = await ctx.db
    .select({
      bulkId: bulkItems.bulkId,
      total: sql<number>`count(*)::int`,
      done: sql<number>`count(*) FILTER (WHERE ${bulkItems.result} = 'DONE')::int`,
      refused: sql<number>`count(*) FILTER (WHERE ${bulkItems.result} = 'REFUSED')::int`,
    })
    .from(bulkItems)
    .where(and(inArray(bulkItems.bulkId, ids), appInScope(ctx, bulkItems.appId)))
    .groupBy(bulkItems.bulkId)
  const people = await accountsOf(ctx, [...new Set(rows.map(row => row.createdBy))])
  return tellBulks(ctx, tables, rows, { counts, people })
}
