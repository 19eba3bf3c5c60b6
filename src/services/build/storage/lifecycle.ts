import { sql } from 'drizzle-orm'
import type { Context } from '../../../server/context.ts'
import { type BucketFacts, bucketOf } from './buckets/facts.ts'
import { deletePaths } from './files/deleting.ts'
import { leaveToCollector } from './objects/marking.ts'
import type { LifecycleRule } from './rules.ts'
import { buckets } from './tables.ts'

const dayMs = 24 * 3_600_000
const batch = 500
/** In one run; the next one goes on. */
const mostBatches = 20
const last = '\u{10ffff}'

/** Does what buckets say of their files' ages. */
export async function runLifecycles(ctx: Context): Promise<void> {
  const rows = await ctx.db
    .select({ bucketId: buckets.bucketId, lifecycle: buckets.lifecycle })
    .from(buckets)
    .where(sql`${buckets.state} = 'ACTIVE' AND jsonb_array_length(${buckets.lifecycle}) > 0`)
  for (const { bucketId, lifecycle } of rows) {
    const bucket = await bucketOf(ctx.server, bucketId).catch(() => null)
    if (bucket) for (const rule of lifecycle) await runRule(ctx, bucket, rule)
  }
}

async function runRule(ctx: Context, bucket: BucketFacts, rule: LifecycleRule): Promise<void> {
  const before = (days: number) => ctx.now() - days * dayMs
  if (rule.expireDays !== undefined) await expireFiles(ctx, bucket, rule.prefix, before(rule.expireDays))
  if (rule.olderVersionDays !== undefined) await dropVersions(ctx, bucket, rule.prefix, before(rule.olderVersionDays))
  if (rule.abortDays !== undefined) {
    // The sweep of uploads ends them, parts and all.
    await ctx.transact(inner =>
      inner.transaction(inner.zone).query({
        text: `UPDATE storage_uploads SET expires_at = $4 WHERE bucket_id = $1 AND starts_with(path, $2) AND created_at <= $3
          AND state = 'OPEN' AND expires_at > $4`,
        values: [bucket.bucketId, rule.prefix, before(rule.abortDays as number), ctx.now()],
      }),
    )
  }
}

async function expireFiles(ctx: Context, bucket: BucketFacts, prefix: string, before: number): Promise<void> {
  for (let round = 0; round < mostBatches; round++) {
    const count = await ctx.transact(async inner => {
      const { rows } = await inner.transaction(inner.zone).query<{ path: string }>({
        text: `SELECT path FROM storage_objects WHERE bucket_id = $1 AND path >= $2 AND path < $2 || $3 AND updated_at <= $4
          ORDER BY path LIMIT $5`,
        values: [bucket.bucketId, prefix, last, before, batch],
      })
      await deletePaths(
        inner,
        bucket,
        rows.map(row => row.path),
      )
      return rows.length
    })
    if (count < batch) return
  }
}

async function dropVersions(ctx: Context, bucket: BucketFacts, prefix: string, before: number): Promise<void> {
  for (let round = 0; round < mostBatches; round++) {
    const count = await ctx.transact(async inner => {
      const transaction = inner.transaction(inner.zone)
      const { rows } = await transaction.query<{ blob: string | null }>({
        text: `DELETE FROM storage_versions WHERE (bucket_id, path, generation) IN (SELECT bucket_id, path, generation
            FROM storage_versions WHERE bucket_id = $1 AND path >= $2 AND path < $2 || $3 AND replaced_at <= $4 LIMIT $5)
          RETURNING blob`,
        values: [bucket.bucketId, prefix, last, before, batch],
      })
      const blobs = rows.flatMap(row => (row.blob === null ? [] : [row.blob]))
      await leaveToCollector(transaction, [...new Set(blobs)], inner.now())
      return rows.length
    })
    if (count < batch) return
  }
}
