import { refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import type { LazyTransaction } from '../../../../server/database/transaction.ts'
import type { EventToEmit } from '../../../../server/ledger.ts'
import type { BucketFacts } from '../buckets/facts.ts'
import { storageErrors } from '../contract.ts'
import { quotas } from '../rules.ts'
import { dropNullVersion, generationAfter, leaveToCollector, markDeleted } from './marking.ts'
import { tellFileChanged } from './nearby.ts'
import { putStatement, rowAfter } from './putting.ts'
import { type Attributes, findObject, type ObjectRow, objectColumns, toRow } from './rows.ts'
import type { Precondition, Write } from './write.ts'

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
  const { path, content } = write
  const before = await lockedObject(ctx, bucket.bucketId, path)
  assertExpected(before, write.when)
  write.allow?.(before ? 'update' : 'create', before)
  await assertQuota(ctx, bucket, content.sizeBytes - (bucket.versioning === 'ON' ? 0 : (before?.sizeBytes ?? 0)))
  const now = ctx.now()
  if (bucket.versioning !== 'OFF') await keepVersion(ctx, bucket, path, before)
  const highest = bucket.versioning === 'OFF' ? 0 : await generationAfter(ctx, bucket.bucketId, path)
  const generation = Math.max(now * 1000, (before?.generation ?? 0) + 1, highest)
  const put = { bucket, write, before, generation }
  await ctx.transaction(ctx.zone).query(putStatement([put], now))
  const row = rowAfter(put, now)
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
  if (bucket.versioning !== 'OFF') await keepVersion(ctx, bucket, path, before)
  else if (before.blob !== null) await leaveToCollector(transaction, [before.blob], ctx.now())
  await transaction.query({
    name: 'storage delete',
    text: 'DELETE FROM storage_objects WHERE bucket_id = $1 AND path = $2',
    values: [bucket.bucketId, path],
  })
  if (bucket.versioning !== 'OFF') await markDeleted(ctx, bucket, path)
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

/**
 * The row that goes becomes a version. Where versions are paused, what was written since then has none of its own: it is
 * the null version, of which there is one at most, and the next one takes its place (as S3 does).
 */
async function keepVersion(ctx: Context, bucket: BucketFacts, path: string, before: ObjectRow | null): Promise<void> {
  const transaction = ctx.transaction(ctx.zone)
  if (bucket.versioning === 'PAUSED') await dropNullVersion(ctx, bucket, path)
  if (!before) return
  if (bucket.versioning === 'PAUSED' && before.isNullVersion) {
    if (before.blob !== null) await leaveToCollector(transaction, [before.blob], ctx.now())
    return
  }
  await transaction.query({
    name: 'storage keep version',
    text: `INSERT INTO storage_versions (bucket_id, path, team_id, generation, size_bytes, content_type, sniffed_type, cache_control,
        content_disposition, content_encoding, content_language, sha256, md5, etag, checksums, metadata, owner_uid, blob, content,
        is_null_version, created_at, replaced_at)
      SELECT bucket_id, path, team_id, generation, size_bytes, content_type, sniffed_type, cache_control, content_disposition,
        content_encoding, content_language, sha256, md5, etag, checksums, metadata, owner_uid, blob, content, is_null_version,
        updated_at, $3
      FROM storage_objects WHERE bucket_id = $1 AND path = $2`,
    values: [bucket.bucketId, path, ctx.now()],
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
async function assertQuota(ctx: Context, bucket: BucketFacts, more: number): Promise<void> {
  if (quotas[bucket.level].storedBytes === null || more <= 0) return
  const { rows } = await ctx.transaction(ctx.zone).query<{ used: string }>({
    name: 'storage used',
    text: `SELECT coalesce(sum(c.bytes), 0) AS used FROM storage_buckets b JOIN storage_counters c USING (bucket_id)
      WHERE b.project_id = $1`,
    values: [bucket.projectId],
  })
  assertRoom(bucket, more, Number(rows[0]?.used ?? 0))
}

export function assertRoom({ level }: BucketFacts, more: number, used: number): void {
  const limit = quotas[level].storedBytes
  if (limit !== null && more > 0 && used + more > limit)
    refuse(storageErrors.overQuota, { quota: 'storedBytes', limit, used })
}

export function assertExpected(before: ObjectRow | null, when: Precondition | undefined): void {
  if (!when) return
  const { generation, etag, notEtag } = when
  const isWrong =
    (generation !== undefined && generation !== (before?.generation ?? 0)) ||
    (etag !== undefined && (before === null || (etag !== '*' && etag !== before.etag))) ||
    (notEtag !== undefined && before !== null && (notEtag === '*' || notEtag === before.etag))
  if (isWrong) refuse(storageErrors.preconditionFailed, { generation: before?.generation ?? 0 })
}

export function tell(
  ctx: Context,
  what: 'finalized' | 'deleted' | 'changed',
  bucket: BucketFacts,
  row: ObjectRow,
): void {
  tellFileChanged(ctx, row.bucketId, row.path)
  ctx.emit(fileEvent(what, bucket, row))
}

export function fileEvent(what: 'finalized' | 'deleted' | 'changed', bucket: BucketFacts, row: ObjectRow): EventToEmit {
  const { bucketId, path, generation, sizeBytes, contentType, sha256, metadata } = row
  return {
    type: `storage.${what}`,
    entity: 'storageFile',
    entityId: `${bucketId}/${path}`,
    teamId: bucket.teamId,
    data: { projectId: bucket.projectId, bucketId, path, generation, sizeBytes, contentType, sha256, metadata },
  }
}
