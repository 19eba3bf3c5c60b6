import { randomInt } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { badField, isDuplicate } from '../../../../server/http/problem.ts'
import { storageErrors } from '../contract.ts'
import { bucketNameProblem, quotas } from '../rules.ts'
import { bucketNames } from '../tables.home.ts'
import { buckets, storageServices } from '../tables.ts'
import { bucketSignal } from './facts.ts'
import { type BucketRow, loadBucket, openedService, type ServiceRow } from './rows.ts'

const letters = '23456789abcdefghijkmnpqrstuvwxyz'

/** What is put behind a name, so that everybody may call a bucket what he likes. */
function suffix(): string {
  return Array.from({ length: 5 }, () => letters[randomInt(letters.length)]).join('')
}

export interface BucketToMake {
  projectId: string
  name: string
  isVersioned?: boolean | undefined
  isDefault?: boolean
  /** As it is, where a foreign client chose it. */
  isLiteral?: boolean
}

/** Makes a bucket in the caller's transaction; the name is taken in the home database with it. */
export async function makeBucket(ctx: Context, wanted: BucketToMake): Promise<BucketRow> {
  const { projectId, name } = wanted
  const problem = bucketNameProblem(name)
  if (problem !== null) throw badField('/name', 'pattern', problem)
  const service = await openedService(ctx, projectId)
  await assertRoom(ctx, service)
  const bucketId = wanted.isLiteral ? name : `${name}-${suffix()}`
  const now = ctx.now()
  await takeName(ctx, { bucketId, projectId, name })
  const [row] = await ctx.db
    .insert(buckets)
    .values({
      bucketId,
      teamId: ctx.teamId,
      projectId,
      name,
      isDefault: wanted.isDefault ?? false,
      state: 'ACTIVE',
      versioning: wanted.isVersioned ? 'ON' : 'OFF',
      createdAt: now,
      updatedAt: now,
    })
    .returning()
  ctx.audit({ action: 'storage.bucket.create', entity: 'bucket', entityId: bucketId, after: { projectId, name } })
  ctx.emit({ type: 'storage.bucket_created', entity: 'bucket', entityId: bucketId, data: { projectId, name } })
  ctx.signal(ctx.zone, bucketSignal, bucketId)
  return row as BucketRow
}

async function takeName(
  ctx: Context,
  { bucketId, projectId, name }: { bucketId: string; projectId: string; name: string },
) {
  try {
    await ctx.home
      .insert(bucketNames)
      .values({ bucketId, teamId: ctx.teamId, projectId, zone: ctx.zone, createdAt: ctx.now() })
  } catch (error) {
    if (isDuplicate(error)) refuse(storageErrors.nameTaken, { name })
    throw error
  }
}

/** Locks the service, so that two at once do not both find room. */
async function assertRoom(ctx: Context, { projectId, level }: ServiceRow): Promise<void> {
  if (level === 'SUSPENDED') refuse(storageErrors.suspended)
  await ctx.db.select().from(storageServices).where(eq(storageServices.projectId, projectId)).for('update')
  const there = await ctx.db.$count(buckets, eq(buckets.projectId, projectId))
  const limit = quotas[level].buckets
  if (there >= limit) refuse(storageErrors.tooManyBuckets, { limit })
}

/** Opens cloud storage in a project; what is open stays as it is. */
export async function openService(ctx: Context, projectId: string): Promise<void> {
  const now = ctx.now()
  const made = await ctx.db
    .insert(storageServices)
    .values({ projectId, teamId: ctx.teamId, level: 'FREE', createdAt: now, updatedAt: now })
    .onConflictDoNothing()
    .returning()
  if (made.length === 0) return
  ctx.audit({ action: 'storage.open', entity: 'project', entityId: projectId })
}

/** Marks a bucket as going, or takes it away where it is empty. Answers whether it is gone. */
export async function beginDeletion(ctx: Context, bucketId: string, isForced: boolean): Promise<boolean> {
  const row = await loadBucket(ctx, bucketId, true)
  const service = await openedService(ctx, row.projectId)
  const others = await ctx.db.$count(buckets, eq(buckets.projectId, row.projectId))
  if (service.defaultBucketId === bucketId && others > 1) refuse(storageErrors.keepsOne)
  const { rows } = await ctx.transaction(ctx.zone).query({
    text: `SELECT 1 WHERE EXISTS (SELECT FROM storage_objects WHERE bucket_id = $1)
      OR EXISTS (SELECT FROM storage_versions WHERE bucket_id = $1)
      OR EXISTS (SELECT FROM storage_uploads WHERE bucket_id = $1 AND state IN ('OPEN', 'FINALIZING'))`,
    values: [bucketId],
  })
  if (rows.length === 0) {
    await removeBucket(ctx, row)
    return true
  }
  if (!isForced) refuse(storageErrors.notEmpty, { bucket: bucketId })
  await ctx.db.update(buckets).set({ state: 'DELETING', updatedAt: ctx.now() }).where(eq(buckets.bucketId, bucketId))
  ctx.signal(ctx.zone, bucketSignal, bucketId)
  return false
}

const leftovers = ['storage_counters', 'storage_uploads', 'storage_sites'] as const

/** The rows of an empty bucket, and its name. */
export async function removeBucket(ctx: Context, row: BucketRow): Promise<void> {
  const { bucketId, projectId, name } = row
  for (const table of leftovers)
    await ctx.transaction(ctx.zone).query(`DELETE FROM ${table} WHERE bucket_id = $1`, [bucketId])
  await ctx.db.delete(buckets).where(eq(buckets.bucketId, bucketId))
  await ctx.db
    .update(storageServices)
    .set({ defaultBucketId: null })
    .where(and(eq(storageServices.projectId, projectId), eq(storageServices.defaultBucketId, bucketId)))
  await ctx.home.delete(bucketNames).where(eq(bucketNames.bucketId, bucketId))
  ctx.audit({ action: 'storage.bucket.delete', entity: 'bucket', entityId: bucketId, before: { projectId, name } })
  ctx.emit({ type: 'storage.bucket_deleted', entity: 'bucket', entityId: bucketId, data: { projectId, name } })
  ctx.signal(ctx.zone, bucketSignal, bucketId)
}

/** Refuses a revision that is not the newest. */
export function assertRevision(row: { revision: number }, sent: number | undefined): void {
  if (sent !== undefined && sent !== row.revision) refuse(commonErrors.stale, { revision: row.revision })
}
