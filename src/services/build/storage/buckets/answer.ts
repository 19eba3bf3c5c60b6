import { inArray } from 'drizzle-orm'
import type { Context } from '../../../../server/context.ts'
import { storageSites } from '../tables.ts'
import { type BucketRow, holdingsOf } from './rows.ts'

/** Buckets as calls answer them, of one project. */
export async function toBuckets(ctx: Context, projectId: string, rows: readonly BucketRow[]) {
  const holdings = await holdingsOf(ctx, projectId)
  const ids = rows.map(row => row.bucketId)
  const sites =
    ids.length === 0
      ? []
      : await ctx.db
          .select({ bucketId: storageSites.bucketId, state: storageSites.state })
          .from(storageSites)
          .where(inArray(storageSites.bucketId, ids))
  const open = new Set(sites.filter(site => site.state !== 'DISABLED').map(site => site.bucketId))
  return rows.map(({ cors, teamId: _team, updatedAt: _updated, ...row }) => ({
    ...row,
    corsRules: cors.length,
    isSite: open.has(row.bucketId),
    size: holdings.get(row.bucketId)?.bytes ?? 0,
    count: holdings.get(row.bucketId)?.objects ?? 0,
  }))
}

export async function toBucket(ctx: Context, row: BucketRow) {
  const [bucket] = await toBuckets(ctx, row.projectId, [row])
  return bucket as NonNullable<typeof bucket>
}
