import { and, asc, desc, eq, inArray, lt, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { accountsOf } from '../../../ground/session/public.ts'
import type { VersionState } from '../rules.ts'
import { bulkItems, bulks } from '../tables.ts'

type BulkRecord = typeof bulks.$inferSelect

export async function reportOf(ctx: Context, bulkId: string) {
  const [bulk] = await ctx.db
    .select()
    .from(bulks)
    .where(and(eq(bulks.bulkId, bulkId), eq(bulks.teamId, ctx.teamId)))
  if (!bulk) refuse(commonErrors.notFound, { entity: 'action', id: bulkId })
  const [summary] = await summariesOf(ctx, [bulk])
  const list = await ctx.db
    .select()
    .from(bulkItems)
    .where(eq(bulkItems.bulkId, bulkId))
    .orderBy(asc(bulkItems.position))
  return { ...summary!, list: list.map(row => ({ ...row, state: row.state as VersionState | null })) }
}

export async function pageOfBulks(ctx: Context, page: { cursor?: string; pageSize?: number }) {
  const mine = eq(bulks.teamId, ctx.teamId)
  const pageSize = page.pageSize ?? 20
  const isCursor = page.cursor !== undefined && /^[0-9]{1,18}$/.test(page.cursor)
  const rows = await ctx.db
    .select()
    .from(bulks)
    .where(and(mine, isCursor ? lt(bulks.bulkId, page.cursor ?? '') : undefined))
    .orderBy(desc(bulks.bulkId))
    .limit(pageSize + 1)
  const list = rows.slice(0, pageSize)
  return {
    total: await ctx.db.$count(bulks, mine),
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
      done: sql<number>`count(*) FILTER (WHERE ${bulkItems.result} = 'DONE')::int`,
      refused: sql<number>`count(*) FILTER (WHERE ${bulkItems.result} = 'REFUSED')::int`,
    })
    .from(bulkItems)
    .where(inArray(bulkItems.bulkId, ids))
    .groupBy(bulkItems.bulkId)
  const { rows: jobs } = await ctx.transaction(ctx.zone).query<{ job_id: string; state: string }>({
    name: 'jobs of bulks',
    text: `SELECT job_id, state FROM jobs WHERE job_id = ANY($1::bigint[]) AND kind = 'versions.bulk'`,
    values: [ids],
  })
  const names = await accountsOf(ctx, [...new Set(rows.map(row => row.createdBy))])
  return rows.map(row => {
    const { done = 0, refused = 0 } = counts.find(one => one.bulkId === row.bulkId) ?? {}
    const job = jobs.find(one => one.job_id === row.bulkId)
    const state = row.finishedAt !== null ? 'done' : (job?.state ?? 'failed')
    return {
      ...row,
      state: state as 'queued' | 'running' | 'done' | 'failed' | 'canceled',
      percent: Math.floor(((done + refused) * 100) / row.total),
      done,
      refused,
      createdBy: names.find(one => one.accountId === row.createdBy)?.name ?? null,
    }
  })
}
