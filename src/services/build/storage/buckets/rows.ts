import { and, eq, type SQL } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { projectOf } from '../../../ground/projects/public.ts'
import { storageErrors } from '../contract.ts'
import { buckets, storageServices } from '../tables.ts'
import { type BucketFacts, bucketOf } from './facts.ts'

export type BucketRow = typeof buckets.$inferSelect
export type ServiceRow = typeof storageServices.$inferSelect

/** A project of the caller's team whose data stays in the zone of the call. */
export async function projectHere(ctx: Context, projectId: string) {
  ctx.assertScope({ projectId })
  const project = await projectOf(ctx, projectId)
  return project.zone === ctx.zone ? project : refuse(commonErrors.zoneInvalid)
}

export async function serviceOf(ctx: Context, projectId: string): Promise<ServiceRow | null> {
  const [row] = await ctx.db.select().from(storageServices).where(eq(storageServices.projectId, projectId))
  return row ?? null
}

/** A bucket of the caller's team that he reaches. Refuses 404. */
export async function loadBucket(ctx: Context, bucketId: string, lock = false): Promise<BucketRow> {
  const wanted: SQL | undefined = and(eq(buckets.bucketId, bucketId), eq(buckets.teamId, ctx.teamId))
  const query = ctx.db.select().from(buckets).where(wanted)
  const [row] = await (lock ? query.for('update') : query)
  if (!row) refuse(commonErrors.notFound, { entity: 'bucket', id: bucketId })
  ctx.assertScope({ projectId: row.projectId })
  return row
}

/** The same as data planes see it, for what the console does with files. */
export async function reachBucket(ctx: Context, bucketId: string): Promise<BucketFacts> {
  const facts = await bucketOf(ctx.server, bucketId).catch(() => null)
  if (facts?.teamId !== ctx.teamId || facts.zone !== ctx.zone)
    refuse(commonErrors.notFound, { entity: 'bucket', id: bucketId })
  ctx.assertScope({ projectId: facts.projectId })
  return facts
}

export async function openedService(ctx: Context, projectId: string): Promise<ServiceRow> {
  return (await serviceOf(ctx, projectId)) ?? refuse(storageErrors.notOpened)
}

/** What each bucket of a project holds. */
export async function holdingsOf(
  ctx: Context,
  projectId: string,
): Promise<Map<string, { bytes: number; objects: number }>> {
  const { rows } = await ctx.transaction(ctx.zone).query<{ bucketId: string; bytes: string; objects: string }>({
    text: `SELECT bucket_id AS "bucketId", sum(bytes) AS bytes, sum(objects) AS objects
      FROM storage_buckets JOIN storage_counters USING (bucket_id) WHERE project_id = $1 GROUP BY bucket_id`,
    values: [projectId],
  })
  return new Map(rows.map(row => [row.bucketId, { bytes: Number(row.bytes), objects: Number(row.objects) }]))
}
