import type { Context } from '../../../../server/context.ts'
import type { DownloadToken } from '../tables.ts'

/** A file as its row has it; the bytes stay where they are. */
export interface ObjectRow {
  bucketId: string
  path: string
  generation: number
  metageneration: number
  sizeBytes: number
  contentType: string
  sniffedType: string | null
  cacheControl: string | null
  contentDisposition: string | null
  contentEncoding: string | null
  contentLanguage: string | null
  sha256: string | null
  md5: string | null
  etag: string
  checksums: Record<string, string>
  metadata: Record<string, string>
  ownerUid: string | null
  blob: string | null
  /** Written while its bucket kept no versions: one of a path at most, which S3 calls null. */
  isNullVersion: boolean
  tokens: DownloadToken[]
  createdAt: number
  updatedAt: number
}

export interface ObjectWithContent extends ObjectRow {
  content: Buffer | null
}

/** Attributes that people give a file. */
export interface Attributes {
  contentType: string
  cacheControl: string | null
  contentDisposition: string | null
  contentEncoding: string | null
  contentLanguage: string | null
  metadata: Record<string, string>
}

/** What a file has that nobody says more of than its type. */
export const noAttributes: Omit<Attributes, 'contentType'> = {
  cacheControl: null,
  contentDisposition: null,
  contentEncoding: null,
  contentLanguage: null,
  metadata: {},
}

const shared = `bucket_id AS "bucketId", path, generation, size_bytes AS "sizeBytes", content_type AS "contentType",
  sniffed_type AS "sniffedType", cache_control AS "cacheControl", content_disposition AS "contentDisposition",
  content_encoding AS "contentEncoding", content_language AS "contentLanguage", sha256, md5, etag, checksums, metadata,
  owner_uid AS "ownerUid", blob, is_null_version AS "isNullVersion", created_at AS "createdAt"`

export const objectColumns = `${shared}, metageneration, tokens, updated_at AS "updatedAt"`
const versionColumns = `${shared}, 1 AS metageneration, '[]'::jsonb AS tokens, created_at AS "updatedAt"`

/** What PostgreSQL answers as text is a number again. */
export function toRow<Row extends ObjectRow>(raw: Row): Row {
  raw.generation = Number(raw.generation)
  raw.sizeBytes = Number(raw.sizeBytes)
  raw.createdAt = Number(raw.createdAt)
  raw.updatedAt = Number(raw.updatedAt)
  return raw
}

/** The file as it stands, without its bytes; null where there is none. */
export async function findObject(ctx: Context, bucketId: string, path: string): Promise<ObjectRow | null> {
  const { rows } = await ctx.transaction(ctx.zone).query<ObjectRow & Record<string, unknown>>({
    name: 'storage find',
    text: `SELECT ${objectColumns} FROM storage_objects WHERE bucket_id = $1 AND path = $2`,
    values: [bucketId, path],
  })
  return rows[0] ? toRow(rows[0]) : null
}

/** The file with what of its bytes stands in the row. */
export async function findWithContent(ctx: Context, bucketId: string, path: string): Promise<ObjectWithContent | null> {
  const { rows } = await ctx.transaction(ctx.zone).query<ObjectWithContent & Record<string, unknown>>({
    name: 'storage find with content',
    text: `SELECT ${objectColumns}, content FROM storage_objects WHERE bucket_id = $1 AND path = $2`,
    values: [bucketId, path],
  })
  return rows[0] ? toRow(rows[0]) : null
}

/** One that was replaced or deleted, by its generation. */
export async function findVersion(
  ctx: Context,
  bucketId: string,
  path: string,
  generation: number,
): Promise<ObjectWithContent | null> {
  const { rows } = await ctx.transaction(ctx.zone).query<ObjectWithContent & Record<string, unknown>>({
    name: 'storage find version',
    text: `SELECT ${versionColumns}, content FROM storage_versions
      WHERE bucket_id = $1 AND path = $2 AND generation = $3 AND NOT is_delete_marker`,
    values: [bucketId, path, generation],
  })
  return rows[0] ? toRow(rows[0]) : null
}
