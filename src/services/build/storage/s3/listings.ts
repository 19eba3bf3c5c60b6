import { refuse } from '../../../../kernel/errors.ts'
import type { Download } from '../../../../server/implement.ts'
import { type ListedFile, listObjects } from '../objects/listing.ts'
import { limits } from '../rules.ts'
import { openUploads } from '../uploads/rows.ts'
import { countUse } from '../use.ts'
import { type BucketRequest, xml } from './request.ts'
import { document, s3Errors } from './rules.ts'

/** ListObjects in both of its generations. */
export async function listFiles({ ctx, bucket, query, signed }: BucketRequest): Promise<Download> {
  const isSecond = query['list-type'] === '2'
  const [prefix, delimiter] = [query['prefix'] ?? '', query['delimiter'] ?? '']
  const limit = wholeNumber(query['max-keys'], 'max-keys', limits.listPage)
  const token = query['continuation-token']
  const after = isSecond
    ? token === undefined
      ? (query['start-after'] ?? '')
      : Buffer.from(token, 'base64url').toString('utf8')
    : (query['marker'] ?? '')
  const found =
    limit === 0
      ? { files: [], prefixes: [], next: null }
      : await ctx.transact(inner => listObjects(inner, bucket.bucketId, { prefix, delimiter, after, limit }))
  await countUse(ctx.server, bucket, 'classA')
  const shown = encoder(query['encoding-type'])
  const owner = isSecond && query['fetch-owner'] !== 'true' ? undefined : { ID: signed.key.projectId }
  return xml(
    document('ListBucketResult', {
      Name: bucket.bucketId,
      Prefix: shown(prefix),
      ...(isSecond
        ? {
            StartAfter: query['start-after'] === undefined ? undefined : shown(query['start-after']),
            ContinuationToken: token,
            NextContinuationToken: found.next === null ? undefined : Buffer.from(found.next).toString('base64url'),
            KeyCount: found.files.length + found.prefixes.length,
          }
        : { Marker: shown(after), NextMarker: found.next === null ? undefined : shown(found.next) }),
      MaxKeys: limit,
      Delimiter: delimiter === '' ? undefined : shown(delimiter),
      EncodingType: query['encoding-type'],
      IsTruncated: found.next !== null,
      Contents: found.files.map(file => ({ ...toContents(file, shown), Owner: owner })),
      CommonPrefixes: found.prefixes.map(one => ({ Prefix: shown(one) })),
    }),
  )
}

const toContents = (file: ListedFile, shown: (text: string) => string) => ({
  Key: shown(file.path),
  LastModified: new Date(file.updatedAt).toISOString(),
  ETag: `"${file.etag}"`,
  Size: file.sizeBytes,
  StorageClass: 'STANDARD',
})

export async function listUploads({ ctx, bucket, query }: BucketRequest): Promise<Download> {
  const limit = wholeNumber(query['max-uploads'], 'max-uploads', limits.listPage)
  const [prefix, afterPath, afterId] = [
    query['prefix'] ?? '',
    query['key-marker'] ?? '',
    query['upload-id-marker'] ?? '',
  ]
  const found = await ctx.transact(inner =>
    openUploads(inner, bucket.bucketId, {
      prefix,
      afterPath,
      // Without an id everything of that path is behind.
      afterId: afterPath !== '' && afterId === '' ? '~' : afterId,
      limit: limit + 1,
    }),
  )
  const shown = encoder(query['encoding-type'])
  const listed = found.slice(0, limit)
  const last = listed.at(-1)
  const isTruncated = found.length > limit
  return xml(
    document('ListMultipartUploadsResult', {
      Bucket: bucket.bucketId,
      KeyMarker: shown(afterPath),
      UploadIdMarker: afterId,
      NextKeyMarker: isTruncated && last ? shown(last.path) : undefined,
      NextUploadIdMarker: isTruncated ? last?.uploadId : undefined,
      Prefix: shown(prefix),
      EncodingType: query['encoding-type'],
      MaxUploads: limit,
      IsTruncated: isTruncated,
      Upload: listed.map(one => ({
        Key: shown(one.path),
        UploadId: one.uploadId,
        Initiated: new Date(one.createdAt).toISOString(),
        StorageClass: 'STANDARD',
      })),
    }),
  )
}

export function wholeNumber(value: string | undefined, name: string, most: number): number {
  if (value === undefined || value === '') return most
  if (!/^\d{1,10}$/.test(value)) refuse(s3Errors.badArgument, { name, value, expected: 'it is a whole number' })
  return Math.min(most, Number(value))
}

export function encoder(type: string | undefined): (text: string) => string {
  if (type === undefined) return text => text
  if (type !== 'url')
    refuse(s3Errors.badArgument, { name: 'encoding-type', value: type, expected: 'only url is known' })
  return text => encodeURIComponent(text).replaceAll('%2F', '/')
}
