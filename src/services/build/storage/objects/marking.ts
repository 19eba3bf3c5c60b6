import type { Context } from '../../../../server/context.ts'
import type { LazyTransaction } from '../../../../server/database/transaction.ts'
import type { BucketFacts } from '../buckets/facts.ts'
import { limits } from '../rules.ts'

/** Higher than every version of a path. */
export async function generationAfter(ctx: Context, bucketId: string, path: string): Promise<number> {
  const { rows } = await ctx.transaction(ctx.zone).query<{ next: string }>({
    name: 'storage generation after',
    text: 'SELECT coalesce(max(generation), 0) + 1 AS next FROM storage_versions WHERE bucket_id = $1 AND path = $2',
    values: [bucketId, path],
  })
  return Number(rows[0]?.next ?? 0)
}

/** Says among the versions of a path that it was deleted; answers the generation of that. */
export async function markDeleted(ctx: Context, bucket: BucketFacts, path: string): Promise<number> {
  const generation = Math.max(ctx.now() * 1000, await generationAfter(ctx, bucket.bucketId, path))
  await ctx.transaction(ctx.zone).query({
    name: 'storage mark deleted',
    text: `INSERT INTO storage_versions (bucket_id, path, team_id, generation, size_bytes, content_type, etag, is_delete_marker,
        is_null_version, created_at, replaced_at) VALUES ($1, $2, $3, $4, 0, '', '', true, $5, $6, $6)`,
    values: [bucket.bucketId, path, bucket.teamId, generation, bucket.versioning !== 'ON', ctx.now()],
  })
  return generation
}

/** The newest mark of a path, or the one of a generation; null where there is none. */
export async function markerOf(
  ctx: Context,
  bucketId: string,
  path: string,
  generation?: number,
): Promise<number | null> {
  const { rows } = await ctx.transaction(ctx.zone).query<{ newest: string | null }>({
    text: `SELECT max(generation) AS newest FROM storage_versions
      WHERE bucket_id = $1 AND path = $2 AND is_delete_marker AND ($3::bigint IS NULL OR generation = $3)`,
    values: [bucketId, path, generation ?? null],
  })
  const newest = rows[0]?.newest ?? null
  return newest === null ? null : Number(newest)
}

/** Takes the null version of a path out from among the others, bytes and all; the file itself stays. */
export async function dropNullVersion(ctx: Context, { bucketId }: BucketFacts, path: string): Promise<void> {
  const transaction = ctx.transaction(ctx.zone)
  const { rows } = await transaction.query<{ blob: string | null }>({
    name: 'storage drop null version',
    text: 'DELETE FROM storage_versions WHERE bucket_id = $1 AND path = $2 AND is_null_version RETURNING blob',
    values: [bucketId, path],
  })
  await leaveToCollector(
    transaction,
    rows.flatMap(({ blob }) => blob ?? []),
    ctx.now(),
  )
}

/** Bytes are looked at again when downloads of them have ended, and removed if no row has them then. */
export async function leaveToCollector(
  transaction: LazyTransaction,
  blobs: readonly string[],
  now: number,
): Promise<void> {
  if (blobs.length === 0) return
  await transaction.query({
    name: 'storage garbage',
    text: 'INSERT INTO storage_garbage (blob, due_at) SELECT one, $2 FROM unnest($1::text[]) AS one ON CONFLICT DO NOTHING',
    values: [blobs, now + limits.garbageWaitMs],
  })
}
