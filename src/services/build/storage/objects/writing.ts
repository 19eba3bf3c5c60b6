import { refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import type { LazyTransaction } from '../../../../server/database/transaction.ts'
import type { BucketFacts } from '../buckets/facts.ts'
import { storageErrors } from '../contract.ts'
import { limits, quotas } from '../rules.ts'
import type { Content } from './content.ts'
import { generationAfter, markDeleted } from './marking.ts'
import { tellFileChanged } from './nearby.ts'
import { type Attributes, findObject, type ObjectRow, objectColumns, toRow } from './rows.ts'

/** What must hold of the file that stands there, or the write is refused. */
export interface Precondition {
  /** 0: there must be none. */
  generation?: number | undefined
  etag?: string | undefined
  /** There must be none of this etag; `*` none at all. */
  notEtag?: string | undefined
}

export interface Write {
  path: string
  content: Content
  attributes: Attributes
  checksums?: Record<string, string>
  ownerUid: string | null
  when?: Precondition | undefined
  /** Asked again where the rules were asked for another method: somebody was faster. Refuses. */
  allow?: ((method: 'create' | 'update', before: ObjectRow | null) => void) | undefined
}

/** What stands there. Writers of one file wait for each other from here to their commit. */
export async function lockedObject(ctx: Context, bucketId: string, path: string): Promise<ObjectRow | null> {
  const lock = ctx.transaction(ctx.zone).query({
    name: 'storage lock',
    text: 'SELECT pg_advisory_xact_lock(hashtextextended($1, 403))',
    values: [`${bucketId}/${path}`],
  })
  // Sent along with the lock, and answered after it: the second statement sees what the last writer committed.
  const [before] = await Promise.all([findObject(ctx, bucketId, path), lock])
  return before
}

/** Puts a file into its place, whole: row, use, event and what is left of the one before in one transaction. */
export async function writeObject(ctx: Context, bucket: BucketFacts, write: Write): Promise<ObjectRow> {
  const { path, content, attributes } = write
  const before = await lockedObject(ctx, bucket.bucketId, path)
  assertExpected(before, write.when)
  write.allow?.(before ? 'update' : 'create', before)
  await assertQuota(ctx, bucket, content.sizeBytes - (bucket.versioning === 'ON' ? 0 : (before?.sizeBytes ?? 0)))
  const transaction = ctx.transaction(ctx.zone)
  const now = ctx.now()
  if (before) await putAside(transaction, bucket, before, now)
  const { rows } = await transaction.query<ObjectRow & Record<string, unknown>>({
    name: 'storage write',
    text: `INSERT INTO storage_objects (bucket_id, path, team_id, generation, size_bytes, content_type, sniffed_type, cache_control,
        content_disposition, content_encoding, content_language, sha256, md5, etag, checksums, metadata, owner_uid, blob, content,
        created_at, updated_at)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $20)
      ON CONFLICT (bucket_id, path) DO UPDATE SET generation = greatest(excluded.generation, storage_objects.generation + 1),
        metageneration = 1, size_bytes = excluded.size_bytes, content_type = excluded.content_type,
        sniffed_type = excluded.sniffed_type, cache_control = excluded.cache_control,
        content_disposition = excluded.content_disposition, content_encoding = excluded.content_encoding,
        content_language = excluded.content_language, sha256 = excluded.sha256, md5 = excluded.md5, etag = excluded.etag,
        checksums = excluded.checksums, metadata = excluded.metadata, owner_uid = excluded.owner_uid, blob = excluded.blob,
        content = excluded.content, updated_at = excluded.updated_at
      RETURNING ${objectColumns}`,
    values: [
      bucket.bucketId,
      path,
      bucket.teamId,
      Math.max(
        now * 1000,
        before || bucket.versioning === 'OFF' ? 0 : await generationAfter(ctx, bucket.bucketId, path),
      ),
      content.sizeBytes,
      attributes.contentType,
      oddType(attributes.contentType, content.sniffed),
      attributes.cacheControl,
      attributes.contentDisposition,
      attributes.contentEncoding,
      attributes.contentLanguage,
      content.sha256,
      content.md5,
      content.etag,
      JSON.stringify(write.checksums ?? {}),
      JSON.stringify(attributes.metadata),
      write.ownerUid,
      content.blob,
      content.content,
      now,
    ],
  })
  const row = toRow(rows[0] as ObjectRow)
  await addUp(transaction, bucket, content.sizeBytes - (before?.sizeBytes ?? 0), before ? 0 : 1)
  tell(ctx, 'finalized', bucket, row)
  return row
}

/** Takes a file away; false where there was none. In buckets that keep versions it can be brought back. */
export async function deleteObject(
  ctx: Context,
  bucket: BucketFacts,
  path: string,
  options: { when?: Precondition | undefined } = {},
): Promise<ObjectRow | null> {
  const before = await lockedObject(ctx, bucket.bucketId, path)
  assertExpected(before, options.when)
  if (!before) return null
  const transaction = ctx.transaction(ctx.zone)
  await putAside(transaction, bucket, before, ctx.now())
  await transaction.query({
    name: 'storage delete',
    text: 'DELETE FROM storage_objects WHERE bucket_id = $1 AND path = $2',
    values: [bucket.bucketId, path],
  })
  if (bucket.versioning === 'ON') await markDeleted(ctx, bucket, path)
  await addUp(transaction, bucket, -before.sizeBytes, -1)
  tell(ctx, 'deleted', bucket, before)
  return before
}

/** Changes what people say of a file; its bytes and generation stay. */
export async function changeAttributes(
  ctx: Context,
  bucket: BucketFacts,
  path: string,
  change: Partial<Attributes>,
): Promise<ObjectRow | null> {
  const { metadata, ...rest } = change
  const has = (name: keyof typeof rest) => rest[name] !== undefined
  const { rows } = await ctx.transaction(ctx.zone).query<ObjectRow & Record<string, unknown>>({
    text: `UPDATE storage_objects SET metageneration = metageneration + 1, updated_at = $3,
        content_type = CASE WHEN $4 THEN $5 ELSE content_type END, cache_control = CASE WHEN $6 THEN $7 ELSE cache_control END,
        content_disposition = CASE WHEN $8 THEN $9 ELSE content_disposition END,
        content_encoding = CASE WHEN $10 THEN $11 ELSE content_encoding END,
        content_language = CASE WHEN $12 THEN $13 ELSE content_language END, metadata = coalesce($14::jsonb, metadata)
      WHERE bucket_id = $1 AND path = $2 RETURNING ${objectColumns}`,
    values: [
      bucket.bucketId,
      path,
      ctx.now(),
      ...[has('contentType'), rest.contentType ?? ''],
      ...[has('cacheControl'), rest.cacheControl ?? null],
      ...[has('contentDisposition'), rest.contentDisposition ?? null],
      ...[has('contentEncoding'), rest.contentEncoding ?? null],
      ...[has('contentLanguage'), rest.contentLanguage ?? null],
      metadata === undefined ? null : JSON.stringify(metadata),
    ],
  })
  if (!rows[0]) return null
  const row = toRow(rows[0])
  tell(ctx, 'changed', bucket, row)
  return row
}

/** The row that goes becomes a version, or its bytes wait for the collector. */
async function putAside(transaction: LazyTransaction, bucket: BucketFacts, before: ObjectRow, now: number) {
  if (bucket.versioning === 'ON') {
    await transaction.query({
      name: 'storage keep version',
      text: `INSERT INTO storage_versions (bucket_id, path, team_id, generation, size_bytes, content_type, sniffed_type, cache_control,
          content_disposition, content_encoding, content_language, sha256, md5, etag, checksums, metadata, owner_uid, blob, content,
          created_at, replaced_at)
        SELECT bucket_id, path, team_id, generation, size_bytes, content_type, sniffed_type, cache_control, content_disposition,
          content_encoding, content_language, sha256, md5, etag, checksums, metadata, owner_uid, blob, content, updated_at, $3
        FROM storage_objects WHERE bucket_id = $1 AND path = $2`,
      values: [bucket.bucketId, before.path, now],
    })
  } else if (before.blob !== null) await leaveToCollector(transaction, [before.blob], now)
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

export async function addUp(transaction: LazyTransaction, bucket: BucketFacts, bytes: number, objects: number) {
  if (bytes === 0 && objects === 0) return
  await transaction.query({
    name: 'storage count',
    text: `INSERT INTO storage_counters (bucket_id, shard, team_id, bytes, objects) VALUES ($1, pg_backend_pid() % 16, $2, $3, $4)
      ON CONFLICT (bucket_id, shard) DO UPDATE SET bytes = storage_counters.bytes + excluded.bytes,
        objects = storage_counters.objects + excluded.objects`,
    values: [bucket.bucketId, bucket.teamId, bytes, objects],
  })
}

/** Refuses what would take the project above what it may store; a paid one has no end. */
export async function assertQuota(ctx: Context, bucket: BucketFacts, more: number): Promise<void> {
  const limit = quotas[bucket.level].storedBytes
  if (limit === null || more <= 0) return
  const { rows } = await ctx.transaction(ctx.zone).query<{ used: string }>({
    name: 'storage used',
    text: `SELECT coalesce(sum(c.bytes), 0) AS used FROM storage_buckets b JOIN storage_counters c USING (bucket_id)
      WHERE b.project_id = $1`,
    values: [bucket.projectId],
  })
  const used = Number(rows[0]?.used ?? 0)
  if (used + more > limit) refuse(storageErrors.overQuota, { quota: 'storedBytes', limit, used })
}

function assertExpected(before: ObjectRow | null, when: Precondition | undefined): void {
  if (!when) return
  const { generation, etag, notEtag } = when
  const isWrong =
    (generation !== undefined && generation !== (before?.generation ?? 0)) ||
    (etag !== undefined && (before === null || (etag !== '*' && etag !== before.etag))) ||
    (notEtag !== undefined && before !== null && (notEtag === '*' || notEtag === before.etag))
  if (isWrong) refuse(storageErrors.preconditionFailed, { generation: before?.generation ?? 0 })
}

/** What the bytes are, where that is not what was said. */
function oddType(contentType: string, sniffed: string | null): string | null {
  const said = (contentType.split(';')[0] ?? '').trim().toLowerCase()
  if (sniffed === null || sniffed === said || said === 'application/octet-stream') return null
  // What is a zip or XML may well be called by what is made of it.
  return sniffed === 'application/zip' || sniffed === 'application/xml' ? null : sniffed
}

export function tell(
  ctx: Context,
  what: 'finalized' | 'deleted' | 'changed',
  bucket: BucketFacts,
  row: ObjectRow,
): void {
  const { bucketId, path, generation, sizeBytes, contentType, sha256, metadata } = row
  tellFileChanged(ctx, bucketId, path)
  ctx.emit({
    type: `storage.${what}`,
    entity: 'storageFile',
    entityId: `${bucketId}/${path}`,
    teamId: bucket.teamId,
    data: { projectId: bucket.projectId, bucketId, path, generation, sizeBytes, contentType, sha256, metadata },
  })
}
