import { eq } from 'drizzle-orm'
import type { Context } from '../../../server/context.ts'
import type { JobRun, Work } from '../../../server/work.ts'
import { keepRuleData } from '../rules/public.ts'
import { type BucketFacts, keepBucketsFresh } from './buckets/facts.ts'
import { removeBucket } from './buckets/making.ts'
import { collectGarbage, endUploads, findOrphans } from './collecting.ts'
import { deletePrefix } from './files/deleting.ts'
import { storageHandover } from './handover.ts'
import { finishRefresh } from './hosting/handlers.ts'
import { keepSitesFresh } from './hosting/sites.ts'
import { keepKeysFresh } from './keys/secrets.ts'
import { runLifecycles } from './lifecycle.ts'
import { keepFilesFresh } from './objects/nearby.ts'
import { ruleData } from './rule-data.ts'
import { buckets, storageServices } from './tables.ts'
import { recordUse, startCounting } from './use.ts'
import { writeDays } from './writing-days.ts'

/** A bucket for the work on it, whatever state it is in. */
async function bucketFor(ctx: Context, bucketId: string): Promise<BucketFacts | null> {
  return ctx.transact(async inner => {
    const [row] = await inner.db.select().from(buckets).where(eq(buckets.bucketId, bucketId))
    if (!row) return null
    const [service] = await inner.db
      .select({ level: storageServices.level })
      .from(storageServices)
      .where(eq(storageServices.projectId, row.projectId))
    return { ...row, zone: inner.zone, level: service?.level ?? 'FREE' }
  })
}

const idIn = (job: JobRun) => String(job.input['bucketId'])

/** Takes everything out of a bucket that is to go, then the bucket. */
async function emptyBucket(ctx: Context, job: JobRun): Promise<void> {
  const bucket = await bucketFor(ctx, idIn(job))
  if (!bucket) return
  // What goes now is not kept as versions of a bucket that goes with it.
  const plain = { ...bucket, versioning: 'OFF' as const }
  await deletePrefix(ctx, plain, '', job.signal, deleted => job.progress(`files ${deleted}`, 50))
  await ctx.transact(inner =>
    inner.transaction(inner.zone).query({
      text: `WITH gone AS (DELETE FROM storage_versions WHERE bucket_id = $1 RETURNING blob)
        INSERT INTO storage_garbage (blob, due_at) SELECT DISTINCT blob, $2::bigint FROM gone WHERE blob IS NOT NULL ON CONFLICT DO NOTHING`,
      values: [bucket.bucketId, ctx.now()],
    }),
  )
  await endUploads(ctx, bucket.bucketId)
  await ctx.transact(async inner => {
    const [row] = await inner.db.select().from(buckets).where(eq(buckets.bucketId, bucket.bucketId)).for('update')
    if (row) await removeBucket(inner, row)
  })
}

async function deletePrefixes(ctx: Context, job: JobRun): Promise<void> {
  const bucket = await bucketFor(ctx, idIn(job))
  if (!bucket) return
  const prefixes = job.input['prefixes'] as string[]
  for (const [at, prefix] of prefixes.entries()) {
    const percent = Math.floor((100 * at) / prefixes.length)
    await deletePrefix(ctx, bucket, prefix, job.signal, deleted => job.progress(`files ${deleted}`, percent))
  }
}

export default {
  handover: storageHandover,
  jobs: [
    { kind: 'storage.emptyBucket', run: emptyBucket },
    { kind: 'storage.deletePrefixes', run: deletePrefixes },
    {
      kind: 'storage.refreshSite',
      run: async (ctx, job) => {
        await job.progress('telling every process', 50)
        await ctx.transact(inner => finishRefresh(inner, idIn(job), String(job.input['refreshId'])))
      },
    },
  ],
  sweeps: [
    { name: 'storage.collect', every: '7 * * * * *', database: 'zone', run: collectGarbage },
    { name: 'storage.uploads', every: '23 * * * * *', database: 'zone', run: ctx => endUploads(ctx, null) },
    { name: 'storage.orphans', every: '11 17 * * * *', database: 'zone', run: findOrphans },
    { name: 'storage.lifecycle', every: '31 41 * * * *', database: 'zone', run: runLifecycles },
    { name: 'storage.days', every: '3 */10 * * * *', database: 'zone', run: writeDays },
  ],
  start: server => {
    keepBucketsFresh(server)
    keepFilesFresh(server)
    keepKeysFresh(server)
    keepSitesFresh(server)
    keepRuleData(server, 'storage', ruleData(server))
    const stop = startCounting(server)
    return async () => {
      await recordUse(server).catch(() => undefined)
      await stop()
    }
  },
} satisfies Work
