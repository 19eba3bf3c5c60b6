import { refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import type { Download } from '../../../../server/implement.ts'
import type { BucketFacts } from '../buckets/facts.ts'
import { removeVersion } from '../files/versions.ts'
import { setVersioning } from '../handlers.ts'
import { bringForward, removeCurrent } from '../objects/forwarding.ts'
import { dropNullVersion, markDeleted } from '../objects/marking.ts'
import { lockedObject } from '../objects/writing.ts'
import { limits } from '../rules.ts'
import { countUse } from '../use.ts'
import { textBody } from './body.ts'
import { encoder, wholeNumber } from './listings.ts'
import { type BucketRequest, nothing, type S3Request, xml } from './request.ts'
import { document, s3Errors } from './rules.ts'
import { generationOf, isVersion, versionIdOf } from './version-id.ts'
import { readXml, textOf } from './xml.ts'

interface ListedVersion {
  path: string
  generation: number
  sizeBytes: number
  etag: string
  at: number
  isMarker: boolean
  isLatest: boolean
  isNullVersion: boolean
}

const last = '\u{10ffff}'

interface VersionsWanted {
  prefix: string
  afterPath: string
  /** Of `afterPath` only what is older; 0: nothing more. */
  before: number
  limit: number
}

/** What stands and stood in a bucket by path, of one path the newest first. */
async function versionsFrom(ctx: Context, bucketId: string, wanted: VersionsWanted): Promise<ListedVersion[]> {
  const range = 'bucket_id = $1 AND path >= $2 AND path < $2 || $3 AND path >= $4 AND (path > $4 OR generation < $5)'
  const { rows } = await ctx
    .transaction(ctx.zone)
    .query<Record<string, string> & { isMarker: boolean; isLatest: boolean; isNullVersion: boolean }>({
      name: 'storage versions listed',
      text: `(SELECT path, generation, size_bytes AS "sizeBytes", etag, updated_at AS at, false AS "isMarker", true AS "isLatest",
          is_null_version AS "isNullVersion"
        FROM storage_objects WHERE ${range} ORDER BY path, generation DESC LIMIT $6)
      UNION ALL
      (SELECT path, generation, size_bytes, etag, created_at, is_delete_marker,
          NOT EXISTS (SELECT FROM storage_objects o WHERE o.bucket_id = $1 AND o.path = v.path)
          AND NOT EXISTS (SELECT FROM storage_versions n WHERE n.bucket_id = $1 AND n.path = v.path AND n.generation > v.generation),
          is_null_version
        FROM storage_versions v WHERE ${range} ORDER BY path, generation DESC LIMIT $6)
      ORDER BY path, generation DESC LIMIT $6`,
      values: [bucketId, wanted.prefix, last, wanted.afterPath, wanted.before, wanted.limit],
    })
  return rows.map(row => ({
    path: row['path'] ?? '',
    generation: Number(row['generation']),
    sizeBytes: Number(row['sizeBytes']),
    etag: row['etag'] ?? '',
    at: Number(row['at']),
    isMarker: row.isMarker,
    isLatest: row.isLatest,
    isNullVersion: row.isNullVersion,
  }))
}

interface Page {
  versions: ListedVersion[]
  prefixes: string[]
  next: { path: string; generation: number | null } | null
}

async function pageOf(ctx: Context, bucketId: string, wanted: VersionsWanted, delimiter: string): Promise<Page> {
  const page: Page = { versions: [], prefixes: [], next: null }
  let { afterPath, before } = wanted
  let seen: Page['next'] = null
  for (;;) {
    const rows = await versionsFrom(ctx, bucketId, { ...wanted, afterPath, before, limit: wanted.limit + 1 })
    let jumped = false
    for (const row of rows) {
      if (page.versions.length + page.prefixes.length >= wanted.limit) return { ...page, next: seen }
      const cut = delimiter === '' ? -1 : row.path.indexOf(delimiter, wanted.prefix.length)
      if (cut === -1) {
        page.versions.push(row)
        seen = { path: row.path, generation: row.generation }
        continue
      }
      const folder = row.path.slice(0, cut + delimiter.length)
      if (folder <= wanted.afterPath && wanted.afterPath.startsWith(folder)) continue
      page.prefixes.push(folder)
      seen = { path: folder + last, generation: null }
      // Everything of the folder is one line: the listing goes on behind it.
      ;[afterPath, before, jumped] = [folder + last, 0, true]
      break
    }
    if (!jumped) return rows.length > wanted.limit ? { ...page, next: seen } : page
  }
}

/** ListObjectVersions, also of a bucket that keeps none: then each file is its only one. */
export async function listVersions({ ctx, bucket, query }: BucketRequest): Promise<Download> {
  const [prefix, delimiter] = [query['prefix'] ?? '', query['delimiter'] ?? '']
  const limit = wholeNumber(query['max-keys'], 'max-keys', limits.listPage)
  const [afterPath, afterId] = [query['key-marker'] ?? '', query['version-id-marker'] ?? '']
  if (afterId !== '' && !/^\d{1,16}$/.test(afterId))
    refuse(s3Errors.badArgument, { name: 'version-id-marker', value: afterId, expected: 'it is one of a listing' })
  const wanted = { prefix, afterPath, before: Number(afterId), limit }
  const found =
    limit === 0
      ? { versions: [], prefixes: [], next: null }
      : await ctx.transact(inner => pageOf(inner, bucket.bucketId, wanted, delimiter))
  await countUse(ctx.server, bucket, 'classA')
  const shown = encoder(query['encoding-type'])
  const base = (one: ListedVersion) => ({
    Key: shown(one.path),
    VersionId: versionIdOf(one),
    IsLatest: one.isLatest,
    LastModified: new Date(one.at).toISOString(),
  })
  return xml(
    document('ListVersionsResult', {
      Name: bucket.bucketId,
      Prefix: shown(prefix),
      KeyMarker: shown(afterPath),
      VersionIdMarker: afterId,
      NextKeyMarker: found.next ? shown(found.next.path) : undefined,
      NextVersionIdMarker: found.next?.generation ?? undefined,
      MaxKeys: limit,
      Delimiter: delimiter === '' ? undefined : shown(delimiter),
      EncodingType: query['encoding-type'],
      IsTruncated: found.next !== null,
      Version: found.versions
        .filter(one => !one.isMarker)
        .map(one => ({ ...base(one), ETag: `"${one.etag}"`, Size: one.sizeBytes, StorageClass: 'STANDARD' })),
      DeleteMarker: found.versions.filter(one => one.isMarker).map(base),
      CommonPrefixes: found.prefixes.map(one => ({ Prefix: shown(one) })),
    }),
  )
}

/** Says that a file is deleted where nothing stands any more, as S3 does in buckets that keep versions. */
export async function markGone(ctx: Context, bucket: BucketFacts, path: string): Promise<number> {
  await lockedObject(ctx, bucket.bucketId, path)
  if (bucket.versioning === 'PAUSED') await dropNullVersion(ctx, bucket, path)
  return markDeleted(ctx, bucket, path)
}

/**
 * Takes one version away for good. Where that was the newest one, or said that the file is deleted, the one before stands
 * there again. What is not there counts as gone.
 */
export async function dropVersion(
  ctx: Context,
  bucket: BucketFacts,
  path: string,
  versionId: string,
): Promise<boolean> {
  const now = await lockedObject(ctx, bucket.bucketId, path)
  if (now && isVersion(bucket, now, versionId)) {
    await removeCurrent(ctx, bucket, path, now.generation)
    await bringForward(ctx, bucket, path)
    return false
  }
  const generation = await generationOf(ctx, bucket, path, versionId)
  if (generation === null) return false
  const { rows } = await ctx.transaction(ctx.zone).query<{ isMarker: boolean; isLatest: boolean }>({
    text: `SELECT is_delete_marker AS "isMarker", NOT EXISTS (SELECT FROM storage_objects o WHERE o.bucket_id = $1 AND o.path = $2)
        AND NOT EXISTS (SELECT FROM storage_versions n WHERE n.bucket_id = $1 AND n.path = $2 AND n.generation > $3) AS "isLatest"
      FROM storage_versions WHERE bucket_id = $1 AND path = $2 AND generation = $3`,
    values: [bucket.bucketId, path, generation],
  })
  const [row] = rows
  if (!row) return false
  await removeVersion(ctx, bucket.bucketId, path, generation)
  if (row.isMarker && row.isLatest) await bringForward(ctx, bucket, path)
  return row.isMarker
}

export function versioningOf({ bucket }: BucketRequest): Download {
  const Status = { ON: 'Enabled', PAUSED: 'Suspended', OFF: undefined }[bucket.versioning]
  return xml(document('VersioningConfiguration', { Status }))
}

/** PutBucketVersioning. */
export async function writeVersioning(asked: S3Request, bucketId: string): Promise<Download> {
  const root = readXml(await textBody(asked.request, asked.signed, asked.stream))
  const status = textOf(root, 'Status')?.trim()
  if (root.name !== 'VersioningConfiguration' || (status !== 'Enabled' && status !== 'Suspended'))
    refuse(s3Errors.badXml, { reason: 'a VersioningConfiguration has the Status Enabled or Suspended' })
  await asked.ctx.transact(inner => setVersioning(inner, bucketId, status === 'Enabled' ? 'ON' : 'PAUSED'))
  return nothing()
}
