import { sql } from 'drizzle-orm'
import type { Context } from '../../../server/context.ts'
import type { Server } from '../../../server/server.ts'
import { type BucketFacts, bucketOf } from './buckets/facts.ts'
import { deletePaths } from './files/deleting.ts'
import { leaveToCollector } from './objects/marking.ts'
import type { LifecycleRule } from './rules.ts'
import { buckets } from './tables.ts'

const dayMs = 24 * 3_600_000
const batch = 500
/** As long as a run takes; the next one goes on. */
const runMs = 30_000
const highest = '\u{10ffff}'

/** Does what buckets say of their files' ages. */
export async function runLifecycles(ctx: Context): Promise<void> {
  const rows = await ctx.db
    .select({ bucketId: buckets.bucketId, lifecycle: buckets.lifecycle })
    .from(buckets)
    .where(sql`${buckets.state} = 'ACTIVE' AND jsonb_array_length(${buckets.lifecycle}) > 0`)
    // Another one comes first each time: a large bucket keeps nobody else waiting for ever.
    .orderBy(sql`random()`)
  const until = performance.now() + runMs
  for (const { bucketId, lifecycle } of rows) {
    const bucket = await bucketOf(ctx.server, bucketId).catch(() => null)
    if (bucket) for (const rule of lifecycle) await runRule(ctx, bucket, rule, until)
  }
}

async function runRule(ctx: Context, bucket: BucketFacts, rule: LifecycleRule, until: number): Promise<void> {
  const { prefix } = rule
  const before = (days: number) => ctx.now() - days * dayMs
  if (rule.expireDays !== undefined) await expireFiles(ctx, bucket, { prefix, before: before(rule.expireDays) }, until)
  if (rule.olderVersionDays !== undefined)
    await dropVersions(ctx, bucket, { prefix, before: before(rule.olderVersionDays) }, until)
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

/** Which files or versions are to go: those whose path begins so, and that are as old. */
interface Aged {
  prefix: string
  before: number
}

/** Where the last run ended that did not come to the end of its files, by bucket and prefix. */
const places = new WeakMap<Server, Map<string, string>>()

/** Looks at every file once, by its path: an index by age would cost every write more than a look an hour does. */
async function expireFiles(ctx: Context, bucket: BucketFacts, aged: Aged, until: number): Promise<void> {
  const remembered = places.get(ctx.server) ?? new Map<string, string>()
  places.set(ctx.server, remembered)
  const key = `${bucket.bucketId} ${aged.prefix}`
  while (performance.now() < until) {
    const last = await ctx.transact(inner => expirePage(inner, bucket, aged, remembered.get(key) ?? null))
    if (last !== null) remembered.set(key, last)
    else {
      remembered.delete(key)
      return
    }
  }
}

/** Deletes what is due of the next files. Answers the last one it looked at; null where there are no more. */
async function expirePage(
  ctx: Context,
  bucket: BucketFacts,
  { prefix, before }: Aged,
  after: string | null,
): Promise<string | null> {
  const { rows } = await ctx
    .transaction(ctx.zone)
    .query<{ last: string | null; due: string[] | null; looked: number }>({
      text: `SELECT max(path) AS last, count(*)::integer AS looked, array_agg(path) FILTER (WHERE updated_at <= $4) AS due FROM (
        SELECT path, updated_at FROM storage_objects
        WHERE bucket_id = $1 AND path >= $2 AND path < $2 || $3 AND ($5::text IS NULL OR path > $5)
        ORDER BY path LIMIT $6) AS page`,
      values: [bucket.bucketId, prefix, highest, before, after, batch],
    })
  const [page] = rows
  await deletePaths(ctx, bucket, page?.due ?? [])
  return page?.looked === batch ? page.last : null
}

async function dropVersions(ctx: Context, bucket: BucketFacts, aged: Aged, until: number): Promise<void> {
  while (performance.now() < until) {
    const count = await ctx.transact(async inner => {
      const transaction = inner.transaction(inner.zone)
      const { rows } = await transaction.query<{ blob: string | null }>({
        text: `DELETE FROM storage_versions WHERE (bucket_id, path, generation) IN (SELECT bucket_id, path, generation
            FROM storage_versions WHERE bucket_id = $1 AND path >= $2 AND path < $2 || $3 AND replaced_at <= $4 LIMIT $5)
          RETURNING blob`,
        values: [bucket.bucketId, aged.prefix, highest, aged.before, batch],
      })
      const blobs = rows.flatMap(row => (row.blob === null ? [] : [row.blob]))
      await leaveToCollector(transaction, [...new Set(blobs)], inner.now())
      return rows.length
    })
    if (count < batch) return
  }
}
