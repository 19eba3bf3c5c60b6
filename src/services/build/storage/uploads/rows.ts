import { randomBytes, randomInt } from 'node:crypto'
import { refuse } from '../../../../kernel/errors.ts'
import { zones } from '../../../../kernel/zones.ts'
import type { Context } from '../../../../server/context.ts'
import type { BucketFacts } from '../buckets/facts.ts'
import { storageErrors } from '../contract.ts'
import type { Attributes } from '../objects/rows.ts'
import { limits, type UploadAction, type UploadState, uploadStatesBefore } from '../rules.ts'
import type { UploadAttributes } from '../tables.ts'

export type UploadKind = 'RESUMABLE' | 'MULTIPART' | 'TUS'

export interface UploadRow {
  uploadId: string
  teamId: string
  bucketId: string
  path: string
  kind: UploadKind
  state: UploadState
  sizeBytes: number | null
  sha256: string | null
  ownerUid: string | null
  isTrusted: boolean
  attributes: UploadAttributes
  received: number
  pieces: number
  expiresAt: number
  createdAt: number
}

const columns = `upload_id AS "uploadId", team_id AS "teamId", bucket_id AS "bucketId", path, kind, state, size_bytes AS "sizeBytes",
  sha256, owner_uid AS "ownerUid", is_trusted AS "isTrusted", attributes, received, pieces, expires_at AS "expiresAt",
  created_at AS "createdAt"`

const toUpload = (raw: Record<string, unknown>): UploadRow =>
  ({
    ...raw,
    sizeBytes: raw['sizeBytes'] === null ? null : Number(raw['sizeBytes']),
    received: Number(raw['received']),
    expiresAt: Number(raw['expiresAt']),
    createdAt: Number(raw['createdAt']),
  }) as UploadRow

export interface UploadToOpen {
  path: string
  kind: UploadKind
  sizeBytes: number | null
  sha256?: string | null
  ownerUid: string | null
  isTrusted: boolean
  attributes: UploadAttributes
}

export const newSlot = () => randomInt(1, 2 ** 47)

/** Opens an upload; one of the public client that is open already goes on. */
export async function openUpload(ctx: Context, bucket: BucketFacts, wanted: UploadToOpen): Promise<UploadRow> {
  const now = ctx.now()
  const made = await ctx.transaction(ctx.zone).query({
    name: 'storage open upload',
    text: `INSERT INTO storage_uploads (upload_id, team_id, bucket_id, path, kind, state, size_bytes, sha256, owner_uid, is_trusted,
        attributes, expires_at, created_at, updated_at)
      VALUES ($1, $2, $3, $4, $5, 'OPEN', $6, $7, $8, $9, $10, $11, $12, $12) ON CONFLICT DO NOTHING RETURNING ${columns}`,
    values: [
      `${zones[ctx.zone].slug}-${randomBytes(20).toString('hex')}`,
      bucket.teamId,
      bucket.bucketId,
      wanted.path,
      wanted.kind,
      wanted.sizeBytes,
      wanted.sha256 ?? null,
      wanted.ownerUid,
      wanted.isTrusted,
      JSON.stringify(wanted.attributes),
      now + limits.uploadLifeMs,
      now,
    ],
  })
  if (made.rows[0]) return toUpload(made.rows[0])
  const { rows } = await ctx.transaction(ctx.zone).query({
    text: `SELECT ${columns} FROM storage_uploads WHERE bucket_id = $1 AND path = $2 AND kind = 'RESUMABLE'
      AND coalesce(owner_uid, '') = $3 AND state IN ('OPEN', 'FINALIZING') AND size_bytes = $4 AND sha256 = $5`,
    values: [bucket.bucketId, wanted.path, wanted.ownerUid ?? '', wanted.sizeBytes, wanted.sha256],
  })
  // It was finished between the two statements.
  if (!rows[0]) refuse(storageErrors.uploadOver, { state: 'DONE' })
  return toUpload(rows[0])
}

export async function findUpload(ctx: Context, uploadId: string): Promise<UploadRow | null> {
  const { rows } = await ctx.transaction(ctx.zone).query({
    name: 'storage upload',
    text: `SELECT ${columns} FROM storage_uploads WHERE upload_id = $1`,
    values: [uploadId],
  })
  return rows[0] ? toUpload(rows[0]) : null
}

/** Open uploads in parts of a bucket, in the order of their paths. */
export async function openUploads(
  ctx: Context,
  bucketId: string,
  wanted: { prefix: string; afterPath: string; afterId: string; limit: number },
): Promise<UploadRow[]> {
  const { rows } = await ctx.transaction(ctx.zone).query({
    text: `SELECT ${columns} FROM storage_uploads WHERE bucket_id = $1 AND kind = 'MULTIPART' AND state IN ('OPEN', 'FINALIZING')
        AND starts_with(path, $2) AND (path, upload_id) > ($3, $4) ORDER BY path, upload_id LIMIT $5`,
    values: [bucketId, wanted.prefix, wanted.afterPath, wanted.afterId, wanted.limit],
  })
  return rows.map(toUpload)
}

/** Moves an upload where its state allows; false where it does not any more. */
export async function moveUpload(ctx: Context, uploadId: string, action: UploadAction, to: UploadState) {
  const { rowCount } = await ctx.transaction(ctx.zone).query({
    name: 'storage move upload',
    text: 'UPDATE storage_uploads SET state = $3, updated_at = $4 WHERE upload_id = $1 AND state = ANY($2)',
    values: [uploadId, uploadStatesBefore(action), to, ctx.now()],
  })
  return rowCount === 1
}

/** Counts a piece that is in, if nobody else was faster; its expiry begins anew. */
export async function addPiece(
  ctx: Context,
  upload: UploadRow,
  piece: { slot: number; sizeBytes: number; md5: string },
): Promise<UploadRow> {
  const { rows } = await ctx.transaction(ctx.zone).query({
    name: 'storage add piece',
    text: `WITH grown AS (UPDATE storage_uploads SET received = received + $3, pieces = pieces + 1, updated_at = $4, expires_at = $5
          WHERE upload_id = $1 AND received = $2 AND state = 'OPEN' RETURNING *),
        part AS (INSERT INTO storage_parts (upload_id, part_number, team_id, slot, size_bytes, md5, received_at)
          SELECT upload_id, pieces, team_id, $6, $3, $7, $4 FROM grown)
      SELECT ${columns} FROM grown`,
    values: [
      upload.uploadId,
      upload.received,
      piece.sizeBytes,
      ctx.now(),
      ctx.now() + limits.uploadLifeMs,
      piece.slot,
      piece.md5,
    ],
  })
  if (rows[0]) return toUpload(rows[0])
  const now = await findUpload(ctx, upload.uploadId)
  if (now?.state !== 'OPEN') refuse(storageErrors.uploadOver, { state: now?.state ?? 'EXPIRED' })
  refuse(storageErrors.wrongOffset, { receiveBytes: now.received, offset: upload.received })
}

export interface PartRow {
  partNumber: number
  slot: number
  sizeBytes: number
  md5: string
  checksums: Record<string, string>
  receivedAt: number
}

export async function partsOf(ctx: Context, uploadId: string, after = 0, limit: number = limits.maxParts) {
  const { rows } = await ctx.transaction(ctx.zone).query({
    name: 'storage parts',
    text: `SELECT part_number AS "partNumber", slot, size_bytes AS "sizeBytes", md5, checksums, received_at AS "receivedAt"
      FROM storage_parts WHERE upload_id = $1 AND part_number > $2 ORDER BY part_number LIMIT $3`,
    values: [uploadId, after, limit],
  })
  return rows.map(
    raw =>
      ({
        ...raw,
        slot: Number(raw['slot']),
        sizeBytes: Number(raw['sizeBytes']),
        receivedAt: Number(raw['receivedAt']),
      }) as PartRow,
  )
}

/** The parts of an upload that is over; they are removed from the engine besides. */
export async function forgetParts(ctx: Context, uploadId: string): Promise<void> {
  await ctx.transaction(ctx.zone).query({
    name: 'storage forget parts',
    text: 'DELETE FROM storage_parts WHERE upload_id = $1',
    values: [uploadId],
  })
}

export function attributesOf({ attributes }: Pick<UploadRow, 'attributes'>): Attributes {
  return {
    contentType: attributes.contentType,
    cacheControl: attributes.cacheControl ?? null,
    contentDisposition: attributes.contentDisposition ?? null,
    contentEncoding: attributes.contentEncoding ?? null,
    contentLanguage: attributes.contentLanguage ?? null,
    metadata: attributes.metadata ?? {},
  }
}

export function toUploadAttributes(given: Attributes, checksum?: string): UploadAttributes {
  const { contentType, cacheControl, contentDisposition, contentEncoding, contentLanguage, metadata } = given
  return {
    contentType,
    metadata,
    ...(cacheControl === null ? {} : { cacheControl }),
    ...(contentDisposition === null ? {} : { contentDisposition }),
    ...(contentEncoding === null ? {} : { contentEncoding }),
    ...(contentLanguage === null ? {} : { contentLanguage }),
    ...(checksum === undefined ? {} : { checksum }),
  }
}
