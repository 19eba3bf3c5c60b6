import { and, asc, count, desc, eq, inArray, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import { tellBulks } from '../../../../server/bulk.ts'
import type { Context } from '../../../../server/context.ts'
import { accountsOf } from '../../../ground/session/public.ts'
import { behind, mine, type Page, paged } from '../queries.ts'
import { importItems, imports } from '../tables.ts'
import { importTables } from './importing.ts'

type ImportRecord = typeof imports.$inferSelect

export async function importReport(ctx: Context, bulkId: string) {
  const [row] = await ctx.db
    .select()
    .from(imports)
    .where(and(eq(imports.bulkId, bulkId), mine(ctx, imports)))
  if (!row) refuse(commonErrors.notFound, { entity: 'import', id: bulkId })
  const [summary] = await summariesOf(ctx, [row])
  const list = await ctx.db
    .select()
    .from(importItems)
    .where(eq(importItems.bulkId, bulkId))
    .orderBy(asc(importItems.position))
  return { ...summary!, list }
}

export async function pageOfImports(ctx: Context, { appId, cursor, pageSize = 20 }: Page & { appId: string }) {
  const own = and(eq(imports.appId, appId), mine(ctx, imports))
  const rows = await ctx.db
    .select()
    .from(imports)
    .where(and(own, behind(imports.bulkId, cursor)))
    .orderBy(desc(imports.bulkId))
    .limit(pageSize + 1)
  const { list, nextCursor } = paged(rows, pageSize, row => row.bulkId)
  return { total: await ctx.db.$count(imports, own), list: await summariesOf(ctx, list), nextCursor }
}

/** The rows with what the jobs and the items say of them: three queries, however many. */
async function summariesOf(ctx: Context, rows: readonly ImportRecord[]) {
  if (rows.length === 0) return []
  const ids = rows.map(row => row.bulkId)
  const counts = await ctx.db
    .select({
      bulkId: importItems.bulkId,
      total: count(),
      done: sql<number>`count(*) FILTER (WHERE ${importItems.result} = 'DONE')::int`,
      refused: sql<number>`count(*) FILTER (WHERE ${importItems.result} = 'REFUSED')::int`,
    })
    .from(importItems)
    .where(inArray(importItems.bulkId, ids))
    .groupBy(importItems.bulkId)
  const people = await accountsOf(ctx, [...new Set(rows.map(row => row.createdBy))])
  return tellBulks(ctx, importTables, rows, { counts, people })
}
