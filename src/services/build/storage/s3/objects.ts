import { refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import type { Download } from '../../../../server/implement.ts'
import { trusted } from '../access.ts'
import type { BucketFacts } from '../buckets/facts.ts'
import { storageErrors } from '../contract.ts'
import { attributesIn, whole } from '../device/attributes.ts'
import { safeServing } from '../device/file-info.ts'
import { receiveContent } from '../objects/content.ts'
import { discardContent } from '../objects/discarding.ts'
import { markerOf } from '../objects/marking.ts'
import { fileKey } from '../objects/nearby.ts'
import { answerFile, BytesGone, lookingAgain, one } from '../objects/reading.ts'
import {
  type Attributes,
  findVersion,
  findWithContent,
  type ObjectRow,
  type ObjectWithContent,
} from '../objects/rows.ts'
import type { Precondition } from '../objects/write.ts'
import { deleteObject, writeObject } from '../objects/writing.ts'
import { isFolder, limits } from '../rules.ts'
import { assertMayBegin, assertTaken, writeAllowed } from '../uploads/finishing.ts'
import { countUse } from '../use.ts'
import { bodyOf, encodingIn } from './body.ts'
import { assertMayWrite, checkedKey, nothing, type ObjectRequest, reached, xml } from './request.ts'
import { document, s3Errors } from './rules.ts'
import { generationOf, isVersion, versionIdOf } from './version-id.ts'
import { dropVersion, markGone } from './versions.ts'

export const giveObject = (asked: ObjectRequest): Promise<Download> => lookingAgain(() => give(asked))

async function give(asked: ObjectRequest): Promise<Download> {
  const { ctx, bucket, path, request, query } = asked
  const file = await found(asked, bucket, path, query['versionId'])
  const answer = await answerFile(ctx.server, bucket, file, request, {
    ...safeServing(file),
    ...amzHeaders(bucket, file),
    ...(one(request.headers['x-amz-checksum-mode']) === 'ENABLED' && request.headers.range === undefined
      ? checksumHeaders(file.checksums)
      : {}),
    ...wishedHeaders(query),
  })
  await countUse(ctx.server, bucket, 'classB', answer.body === null ? 0 : Number(answer.headers['content-length'] ?? 0))
  return answer
}

async function found(
  { ctx }: ObjectRequest,
  bucket: BucketFacts,
  path: string,
  versionId: string | undefined,
): Promise<ObjectWithContent> {
  const file = await ctx.transact(async inner => {
    const now = await findWithContent(inner, bucket.bucketId, path)
    if (versionId === undefined || (now && isVersion(bucket, now, versionId))) return now
    const generation = await generationOf(inner, bucket, path, versionId)
    return (
      (generation === null ? null : await findVersion(inner, bucket.bucketId, path, generation)) ??
      noVersion(inner, bucket.bucketId, path, versionId, generation)
    )
  })
  return file ?? refuse(storageErrors.noFile, { path })
}

/** Refuses: what says that the file was deleted has no bytes, another id is none. */
async function noVersion(
  ctx: Context,
  bucketId: string,
  path: string,
  versionId: string,
  generation: number | null,
): Promise<never> {
  const marked = generation !== null && (await markerOf(ctx, bucketId, path, generation)) !== null
  return marked ? refuse(s3Errors.isMarker, { versionId }) : refuse(s3Errors.noVersion, { versionId })
}

function amzHeaders(bucket: BucketFacts, file: ObjectRow): Record<string, string> {
  const meta = Object.entries(file.metadata).map(([name, value]) => [`x-amz-meta-${name}`, headerSafe(value)])
  return {
    ...Object.fromEntries(meta),
    ...versionOf(bucket, file),
  }
}

/** What a header cannot carry is encoded as mail does it, which is what S3 itself answers. */
const headerSafe = (value: string) =>
  /^[\x20-\x7e]*$/.test(value) ? value : `=?UTF-8?B?${Buffer.from(value).toString('base64')}?=`

const checksumHeaders = (checksums: Record<string, string>) =>
  Object.fromEntries(Object.entries(checksums).map(([name, value]) => [`x-amz-checksum-${name}`, value]))

/** What the signed address wants the head to say. */
function wishedHeaders(query: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const names = [
    'content-type',
    'content-language',
    'expires',
    'cache-control',
    'content-disposition',
    'content-encoding',
  ]
  return Object.fromEntries(
    names.flatMap(name => {
      const value = query[`response-${name}`]
      return value === undefined || !/^[\x20-\x7e]{0,1000}$/.test(value) ? [] : [[name, value]]
    }),
  )
}

/** What is said of a new file in the head of its request. */
export function attributesOf({ request }: ObjectRequest): Attributes {
  const { headers } = request
  const plain = attributesIn(headers, '', 'x-amz-meta-')
  return { ...whole(plain, 'binary/octet-stream'), contentEncoding: encodingIn(plain.contentEncoding ?? null) }
}

export function preconditionIn({ request }: ObjectRequest): Precondition | undefined {
  const [ifMatch, ifNoneMatch] = [one(request.headers['if-match']), one(request.headers['if-none-match'])]
  if (ifMatch === undefined && ifNoneMatch === undefined) return undefined
  return { etag: ifMatch?.replaceAll('"', ''), notEtag: ifNoneMatch?.replaceAll('"', '') }
}

export async function takeObject(asked: ObjectRequest): Promise<Download> {
  const { ctx, bucket, path, request, signed, stream } = asked
  assertMayWrite(asked, bucket)
  await countUse(ctx.server, bucket, 'classA')
  const body = bodyOf(request, signed, stream)
  const attributes = attributesOf(asked)
  if (isFolder(path) && body.sizeBytes > 0) refuse(storageErrors.badPath, { path, problem: 'is that of a folder' })
  await assertMayBegin(ctx, bucket, trusted, { path, attributes, sizeBytes: body.sizeBytes })
  const limitBytes = Math.min(limits.maxPartBytes, bucket.maxObjectBytes ?? limits.maxPartBytes)
  const { sizeBytes, sha256, md5 } = body
  const content = await receiveContent(ctx.server, bucket, body.stream, {
    ...{ limitBytes, sizeBytes, sha256, md5, needsMd5: true, contentType: attributes.contentType },
  })
  const checksums = body.checksums()
  const write = { path, content, attributes, checksums, ownerUid: null, when: preconditionIn(asked) }
  const row = await discardContent(ctx.server, bucket, content, () => writeAllowed(ctx, bucket, trusted, write))
  if (!row) refuse(storageErrors.noFile, { path })
  return nothing({ etag: `"${row.etag}"`, ...checksumHeaders(checksums), ...versionOf(bucket, row) })
}

const versionOf = (bucket: BucketFacts, row: ObjectRow): Record<string, string> =>
  bucket.versioning === 'OFF' ? {} : { 'x-amz-version-id': versionIdOf(row) }

export interface Source {
  bucket: BucketFacts
  file: ObjectWithContent
}

/** What `x-amz-copy-source` names, if it is as the request expects it. */
export async function sourceOf(asked: ObjectRequest): Promise<Source> {
  const raw = one(asked.request.headers['x-amz-copy-source']) ?? ''
  const [address = '', search = ''] = raw.replace(/^\//, '').split('?')
  let name: string
  try {
    name = decodeURIComponent(address)
  } catch {
    return refuse(s3Errors.badArgument, { name: 'x-amz-copy-source', value: raw, expected: 'it is encoded UTF-8' })
  }
  const at = name.indexOf('/')
  if (at < 1) refuse(s3Errors.badArgument, { name: 'x-amz-copy-source', value: raw, expected: 'it is bucket/key' })
  const bucket = await reached(asked, name.slice(0, at))
  const versionId = new URLSearchParams(search).get('versionId') ?? undefined
  const file = await found(asked, bucket, checkedKey(name.slice(at + 1)), versionId)
  const { headers } = asked.request
  const [ifMatch, ifNone] = [
    one(headers['x-amz-copy-source-if-match']),
    one(headers['x-amz-copy-source-if-none-match']),
  ]
  const isWrong =
    (ifMatch !== undefined && ifMatch.replaceAll('"', '') !== file.etag) || ifNone?.replaceAll('"', '') === file.etag
  if (isWrong) refuse(storageErrors.preconditionFailed, { generation: file.generation })
  return { bucket, file }
}

/** CopyObject: the bytes are shared, so a copy of any size is one row. */
export async function copyObject(asked: ObjectRequest): Promise<Download> {
  const { ctx, bucket } = asked
  assertMayWrite(asked, bucket)
  await countUse(ctx.server, bucket, 'classA')
  const row = await lookingAgain(() => copyOf(asked))
  return xml(
    document('CopyObjectResult', { ETag: `"${row.etag}"`, LastModified: new Date(row.updatedAt).toISOString() }),
    versionOf(bucket, row),
  )
}

async function copyOf(asked: ObjectRequest): Promise<ObjectRow> {
  const { ctx, bucket, path, request } = asked
  const { file, bucket: from } = await sourceOf(asked)
  const isReplaced = one(request.headers['x-amz-metadata-directive']) === 'REPLACE'
  const isItself = from.bucketId === bucket.bucketId && file.path === path
  if (isItself && !isReplaced)
    refuse(s3Errors.badArgument, {
      name: 'x-amz-copy-source',
      value: path,
      expected: 'a copy onto itself must change something',
    })
  const attributes: Attributes = isReplaced ? attributesOf(asked) : file
  assertTaken(bucket, attributes.contentType, file.sizeBytes)
  return ctx.transact(async inner => {
    const source = await holdSource(inner, from, file, fileKey(bucket.bucketId, path))
    const { md5, sha256, sizeBytes, etag, sniffedType: sniffed, blob, content } = source
    return writeObject(inner, bucket, {
      path,
      content: { blob, content, sizeBytes, etag, sniffed, md5, sha256 },
      attributes,
      checksums: source.checksums,
      ownerUid: null,
      when: preconditionIn(asked),
    })
  })
}

/**
 * The source stays as it is until the copy is committed, so that nobody finds its bytes without a row. Writers of both
 * wait from here on, in the order in which groups of them lock.
 *
 * @param target where the copy goes, as signals name it
 */
async function holdSource(
  ctx: ObjectRequest['ctx'],
  bucket: BucketFacts,
  file: ObjectWithContent,
  target: string,
): Promise<ObjectWithContent> {
  if (file.blob === null) return file
  await ctx.transaction(ctx.zone).query({
    name: 'storage lock group',
    text: `SELECT count(pg_advisory_xact_lock(hashtextextended(key, 403))) FROM unnest($1::text[]) key`,
    values: [[fileKey(bucket.bucketId, file.path), target].sort()],
  })
  const { rows } = await ctx.transaction(ctx.zone).query({
    text: `SELECT 1 FROM storage_objects WHERE bucket_id = $1 AND path = $2 AND blob = $3 FOR KEY SHARE`,
    values: [bucket.bucketId, file.path, file.blob],
  })
  const older = await ctx.transaction(ctx.zone).query({
    text: `SELECT 1 FROM storage_versions WHERE bucket_id = $1 AND path = $2 AND blob = $3 FOR KEY SHARE`,
    values: [bucket.bucketId, file.path, file.blob],
  })
  if (rows.length + older.rows.length === 0) throw new BytesGone(file.path)
  return file
}

export async function dropObject(asked: ObjectRequest): Promise<Download> {
  const { ctx, bucket, path, query } = asked
  assertMayWrite(asked, bucket)
  await countUse(ctx.server, bucket, 'classA')
  const versionId = query['versionId']
  if (versionId !== undefined) {
    const isMarker = await ctx.transact(inner => dropVersion(inner, bucket, path, versionId))
    return nothing({ 'x-amz-version-id': versionId, ...(isMarker ? { 'x-amz-delete-marker': 'true' } : {}) }, 204)
  }
  const marker = await ctx.transact(async inner => {
    const gone = await deleteObject(inner, bucket, path, { when: preconditionIn(asked) })
    if (bucket.versioning === 'OFF') return null
    return gone ? markerOf(inner, bucket.bucketId, path) : markGone(inner, bucket, path)
  })
  if (marker === null) return nothing({}, 204)
  const markerId = versionIdOf({ generation: marker, isNullVersion: bucket.versioning === 'PAUSED' })
  return nothing({ 'x-amz-version-id': markerId, 'x-amz-delete-marker': 'true' }, 204)
}
