import type pg from 'pg'
import type { BucketFacts } from '../buckets/facts.ts'
import { limits } from '../rules.ts'
import { oddType } from './odd-type.ts'
import type { ObjectRow } from './rows.ts'
import type { Write } from './write.ts'

/** A write that is decided: what stood there, and the number that the new content gets. */
export interface Put {
  bucket: BucketFacts
  write: Write
  before: ObjectRow | null
  generation: number
}

const columns = {
  bucket_id: 'text',
  path: 'text',
  team_id: 'bigint',
  generation: 'bigint',
  size_bytes: 'bigint',
  content_type: 'text',
  sniffed_type: 'text',
  cache_control: 'text',
  content_disposition: 'text',
  content_encoding: 'text',
  content_language: 'text',
  sha256: 'text',
  md5: 'text',
  etag: 'text',
  checksums: 'jsonb',
  metadata: 'jsonb',
  owner_uid: 'text',
  blob: 'text',
  is_null_version: 'boolean',
} as const
type Stored = Record<keyof typeof columns, unknown>

const names = Object.keys(columns) as (keyof typeof columns)[]
const kept = new Set<string>(['bucket_id', 'path', 'team_id'])
const replaced = names.filter(name => !kept.has(name)).map(name => `${name} = excluded.${name}`)
const typed = names.map(name => `${name} ${columns[name]}`).join(', ')

/**
 * Rows, what buckets hold, and the bytes that nobody names now, in one statement for any number of files. Small contents
 * come as one value, cut up by where each begins.
 */
const text = `WITH r AS MATERIALIZED (
    SELECT * FROM json_to_recordset($2::json) AS one(${typed}, begins integer, more bigint, added integer, left_blob text)),
  counted AS (
    INSERT INTO storage_counters (bucket_id, shard, team_id, bytes, objects)
    SELECT bucket_id, pg_backend_pid() % 16, min(team_id), sum(more), sum(added) FROM r
    WHERE more <> 0 OR added <> 0 GROUP BY bucket_id ORDER BY bucket_id
    ON CONFLICT (bucket_id, shard) DO UPDATE SET bytes = storage_counters.bytes + excluded.bytes,
      objects = storage_counters.objects + excluded.objects),
  garbage AS (
    INSERT INTO storage_garbage (blob, due_at) SELECT left_blob, $4::bigint FROM r WHERE left_blob IS NOT NULL
    ON CONFLICT DO NOTHING)
  INSERT INTO storage_objects (${names.join(', ')}, content, created_at, updated_at)
  SELECT ${names.map(name => `r.${name}`).join(', ')}, CASE WHEN r.begins IS NOT NULL
    THEN substr($1::bytea, r.begins, r.size_bytes::integer) END, $3::bigint, $3::bigint FROM r
  ON CONFLICT (bucket_id, path) DO UPDATE SET metageneration = 1, content = excluded.content,
    updated_at = excluded.updated_at, ${replaced.join(', ')}`

/** Puts files into their places. Whoever calls holds the locks of their paths. */
export function putStatement(puts: readonly Put[], now: number): pg.QueryConfig {
  const contents: Buffer[] = []
  let length = 0
  const rows = puts.map(put => {
    const { content } = put.write.content
    const begins = content === null ? null : length + 1
    if (content !== null) contents.push(content)
    length += content?.length ?? 0
    const { before, bucket } = put
    return {
      ...storedOf(put),
      begins,
      more: put.write.content.sizeBytes - (before?.sizeBytes ?? 0),
      added: before ? 0 : 1,
      left_blob: bucket.versioning === 'OFF' ? (before?.blob ?? null) : null,
    }
  })
  const [only] = contents
  const bytes = contents.length === 1 && only ? only : Buffer.concat(contents)
  return { name: 'storage put', text, values: [bytes, JSON.stringify(rows), now, now + limits.garbageWaitMs] }
}

function storedOf({ bucket, write, generation }: Put): Stored {
  const { content, attributes } = write
  return {
    bucket_id: bucket.bucketId,
    path: write.path,
    team_id: bucket.teamId,
    generation,
    size_bytes: content.sizeBytes,
    content_type: attributes.contentType,
    sniffed_type: oddType(attributes.contentType, content.sniffed),
    cache_control: attributes.cacheControl,
    content_disposition: attributes.contentDisposition,
    content_encoding: attributes.contentEncoding,
    content_language: attributes.contentLanguage,
    sha256: content.sha256,
    md5: content.md5,
    etag: content.etag,
    checksums: write.checksums ?? {},
    metadata: attributes.metadata,
    owner_uid: write.ownerUid,
    blob: content.blob,
    is_null_version: bucket.versioning !== 'ON',
  }
}

/** The row as it stands after the statement. */
export function rowAfter(put: Put, now: number): ObjectRow {
  const { bucket, write, before, generation } = put
  const { content, attributes } = write
  return {
    bucketId: bucket.bucketId,
    path: write.path,
    generation,
    metageneration: 1,
    sizeBytes: content.sizeBytes,
    contentType: attributes.contentType,
    sniffedType: oddType(attributes.contentType, content.sniffed),
    cacheControl: attributes.cacheControl,
    contentDisposition: attributes.contentDisposition,
    contentEncoding: attributes.contentEncoding,
    contentLanguage: attributes.contentLanguage,
    sha256: content.sha256,
    md5: content.md5,
    etag: content.etag,
    checksums: write.checksums ?? {},
    metadata: attributes.metadata,
    ownerUid: write.ownerUid,
    blob: content.blob,
    isNullVersion: bucket.versioning !== 'ON',
    tokens: before?.tokens ?? [],
    createdAt: before?.createdAt ?? now,
    updatedAt: now,
  }
}
