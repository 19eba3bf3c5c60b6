import type { Context } from '../../../../server/context.ts'
import type { BucketFacts } from '../buckets/facts.ts'

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
        created_at, replaced_at) VALUES ($1, $2, $3, $4, 0, '', '', true, $5, $5)`,
    values: [bucket.bucketId, path, bucket.teamId, generation, ctx.now()],
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
