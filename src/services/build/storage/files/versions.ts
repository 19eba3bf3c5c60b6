import { refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import type { BucketFacts } from '../buckets/facts.ts'
import { storageErrors } from '../contract.ts'
import { leaveToCollector } from '../objects/marking.ts'
import { findVersion, type ObjectRow } from '../objects/rows.ts'
import { writeObject } from '../objects/writing.ts'

/** Versions of a file, the newest first. */
export async function versionsOf(ctx: Context, bucketId: string, path: string) {
  const { rows } = await ctx.transaction(ctx.zone).query<Record<string, string>>({
    text: `SELECT generation, size_bytes AS size, content_type AS "contentType", created_at AS "createdAt", replaced_at AS "replacedAt"
      FROM storage_versions WHERE bucket_id = $1 AND path = $2 AND NOT is_delete_marker ORDER BY generation DESC LIMIT 100`,
    values: [bucketId, path],
  })
  return rows.map(row => ({
    generation: String(row['generation']),
    size: Number(row['size']),
    contentType: row['contentType'] ?? '',
    createdAt: Number(row['createdAt']),
    replacedAt: Number(row['replacedAt']),
  }))
}

const listed = 100

/** The newest version of each file that is there no more. */
export async function deletedFiles(ctx: Context, bucketId: string, prefix: string, marker: string) {
  const { rows } = await ctx.transaction(ctx.zone).query<Record<string, string>>({
    text: `SELECT DISTINCT ON (v.path) v.path, v.generation, v.size_bytes AS size, v.replaced_at AS "replacedAt" FROM storage_versions v
      WHERE v.bucket_id = $1 AND v.path >= $2 AND v.path < $2 || $5 AND v.path > $3 AND NOT v.is_delete_marker
        AND NOT EXISTS (SELECT FROM storage_objects o WHERE o.bucket_id = $1 AND o.path = v.path)
      ORDER BY v.path, v.generation DESC LIMIT $4`,
    values: [bucketId, prefix, marker, listed + 1, '\u{10ffff}'],
  })
  const shown = rows.slice(0, listed)
  return {
    files: shown.map(row => ({
      path: row['path'] ?? '',
      generation: String(row['generation']),
      size: Number(row['size']),
      replacedAt: Number(row['replacedAt']),
    })),
    nextMarker: rows.length > listed ? (shown.at(-1)?.['path'] ?? null) : null,
  }
}

/** Writes a version anew over what is there; its bytes are shared, not copied. */
export async function restore(ctx: Context, bucket: BucketFacts, path: string, generation: number): Promise<ObjectRow> {
  const version = await findVersion(ctx, bucket.bucketId, path, generation)
  if (!version) refuse(storageErrors.noFile, { path: `${path}#${generation}` })
  const { blob, content, sizeBytes, md5, sha256, etag, checksums, ownerUid } = version
  return writeObject(ctx, bucket, {
    path,
    content: { blob, content, sizeBytes, md5, sha256, etag, sniffed: version.sniffedType },
    attributes: version,
    checksums,
    ownerUid,
  })
}

export async function removeVersion(ctx: Context, bucketId: string, path: string, generation: number): Promise<void> {
  const transaction = ctx.transaction(ctx.zone)
  const { rows } = await transaction.query<{ blob: string | null }>({
    text: 'DELETE FROM storage_versions WHERE bucket_id = $1 AND path = $2 AND generation = $3 RETURNING blob',
    values: [bucketId, path, generation],
  })
  const [row] = rows
  if (!row) refuse(storageErrors.noFile, { path: `${path}#${generation}` })
  if (row.blob !== null) await leaveToCollector(transaction, [row.blob], ctx.now())
}
