import type { Context } from '../../../../server/context.ts'
import type { BucketFacts } from '../buckets/facts.ts'
import { leaveToCollector } from './marking.ts'
import { type ObjectRow, objectColumns, toRow } from './rows.ts'
import { addUp, lockedObject, tell } from './writing.ts'

/** Takes the file itself away for good, version or not; what was before it may stand there next. Null where it is another one. */
export async function removeCurrent(
  ctx: Context,
  bucket: BucketFacts,
  path: string,
  generation: number,
): Promise<ObjectRow | null> {
  const before = await lockedObject(ctx, bucket.bucketId, path)
  if (before?.generation !== generation) return null
  const transaction = ctx.transaction(ctx.zone)
  await transaction.query({
    name: 'storage delete',
    text: 'DELETE FROM storage_objects WHERE bucket_id = $1 AND path = $2',
    values: [bucket.bucketId, path],
  })
  if (before.blob !== null) await leaveToCollector(transaction, [before.blob], ctx.now())
  await addUp(transaction, bucket, -before.sizeBytes, -1)
  tell(ctx, 'deleted', bucket, before)
  return before
}

/** The newest version of a path stands there again, as it was, unless the newest says that it was deleted. */
export async function bringForward(ctx: Context, bucket: BucketFacts, path: string): Promise<void> {
  const transaction = ctx.transaction(ctx.zone)
  const { rows } = await transaction.query<ObjectRow & Record<string, unknown>>({
    text: `WITH newest AS (SELECT generation FROM storage_versions WHERE bucket_id = $1 AND path = $2 ORDER BY generation DESC LIMIT 1),
        moved AS (DELETE FROM storage_versions v USING newest WHERE v.bucket_id = $1 AND v.path = $2
          AND v.generation = newest.generation AND NOT v.is_delete_marker RETURNING v.*)
      INSERT INTO storage_objects (bucket_id, path, team_id, generation, size_bytes, content_type, sniffed_type, cache_control,
        content_disposition, content_encoding, content_language, sha256, md5, etag, checksums, metadata, owner_uid, blob, content,
        is_null_version, created_at, updated_at)
      SELECT bucket_id, path, team_id, generation, size_bytes, content_type, sniffed_type, cache_control, content_disposition,
        content_encoding, content_language, sha256, md5, etag, checksums, metadata, owner_uid, blob, content,
        is_null_version, created_at, created_at
      FROM moved RETURNING ${objectColumns}`,
    values: [bucket.bucketId, path],
  })
  if (!rows[0]) return
  const row = toRow(rows[0])
  await addUp(transaction, bucket, row.sizeBytes, 1)
  tell(ctx, 'finalized', bucket, row)
}
