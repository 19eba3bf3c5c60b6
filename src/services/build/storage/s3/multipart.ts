import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import type { Download } from '../../../../server/implement.ts'
import { trusted } from '../access.ts'
import type { BucketFacts } from '../buckets/facts.ts'
import { storageErrors } from '../contract.ts'
import { engineOf, explain, openContent } from '../objects/content.ts'
import { BytesGone, lookingAgain, one } from '../objects/reading.ts'
import { limits } from '../rules.ts'
import { abortUpload, assertMayBegin, finishUpload } from '../uploads/finishing.ts'
import {
  findUpload,
  newSlot,
  openUpload,
  type PartRow,
  partsOf,
  toUploadAttributes,
  type UploadRow,
} from '../uploads/rows.ts'
import { countUse } from '../use.ts'
import { bodyOf, textBody } from './body.ts'
import { wholeNumber } from './listings.ts'
import { attributesOf, preconditionIn, sourceOf } from './objects.ts'
import { assertMayWrite, nothing, type ObjectRequest, xml } from './request.ts'
import { document, s3Errors } from './rules.ts'
import { childrenOf, readXml, textOf } from './xml.ts'

export async function beginUpload(asked: ObjectRequest): Promise<Download> {
  const { ctx, bucket, path } = asked
  assertMayWrite(asked, bucket)
  const attributes = attributesOf(asked)
  await assertMayBegin(ctx, bucket, trusted, { path, attributes, sizeBytes: null })
  const upload = await ctx.transact(inner =>
    openUpload(inner, bucket, {
      path,
      kind: 'MULTIPART',
      sizeBytes: null,
      ownerUid: null,
      isTrusted: true,
      attributes: toUploadAttributes(attributes),
    }),
  )
  await countUse(ctx.server, bucket, 'classA')
  return xml(
    document('InitiateMultipartUploadResult', { Bucket: bucket.bucketId, Key: path, UploadId: upload.uploadId }),
  )
}

async function uploadOf({ ctx, bucket, path, query }: ObjectRequest, states = ['OPEN']): Promise<UploadRow> {
  const uploadId = query['uploadId'] ?? ''
  const upload = await ctx.transact(inner => findUpload(inner, uploadId))
  const isHere = upload?.bucketId === bucket.bucketId && upload.path === path && upload.kind === 'MULTIPART'
  if (!isHere || !states.includes(upload.state)) refuse(s3Errors.noUpload, { uploadId: uploadId.slice(0, 80) })
  return upload
}

function partNumberOf({ query }: ObjectRequest): number {
  const value = query['partNumber'] ?? ''
  const number = /^\d{1,5}$/.test(value) ? Number(value) : 0
  if (number < 1 || number > limits.maxParts)
    refuse(s3Errors.badArgument, { name: 'partNumber', value, expected: `it is 1 to ${limits.maxParts}` })
  return number
}

export async function takePart(asked: ObjectRequest): Promise<Download> {
  const { ctx, bucket, request, signed, stream } = asked
  assertMayWrite(asked, bucket)
  await countUse(ctx.server, bucket, 'classA')
  const partNumber = partNumberOf(asked)
  const upload = await uploadOf(asked)
  const body = bodyOf(request, signed, stream)
  const md5 = await keepPart(ctx, bucket, upload, partNumber, body.stream, {
    sizeBytes: body.sizeBytes,
    sha256: body.sha256,
    md5: body.md5,
    checksums: body.checksums,
  })
  const checksums = Object.entries(body.checksums()).map(([name, value]) => [`x-amz-checksum-${name}`, value])
  return nothing({ etag: `"${md5}"`, ...Object.fromEntries(checksums) })
}

/** A part from another file, or from a range of it. */
export async function copyPart(asked: ObjectRequest): Promise<Download> {
  const { ctx, bucket } = asked
  assertMayWrite(asked, bucket)
  await countUse(ctx.server, bucket, 'classA')
  const partNumber = partNumberOf(asked)
  const upload = await uploadOf(asked)
  return lookingAgain(async () => copyRange(asked, { upload, partNumber, source: await sourceOf(asked) }))
}

async function copyRange(
  { ctx, bucket, request }: ObjectRequest,
  {
    upload,
    partNumber,
    source,
  }: { upload: UploadRow; partNumber: number; source: Awaited<ReturnType<typeof sourceOf>> },
): Promise<Download> {
  const { sizeBytes } = source.file
  const header = one(request.headers['x-amz-copy-source-range'])
  const match = /^bytes=(\d{1,15})-(\d{1,15})$/.exec(header ?? `bytes=0-${Math.max(0, sizeBytes - 1)}`)
  const [start, end] = [Number(match?.[1]), Number(match?.[2])]
  if (!match || start > end)
    refuse(s3Errors.badArgument, { name: 'x-amz-copy-source-range', value: header, expected: 'it is bytes=0-9' })
  if (sizeBytes > 0 && end >= sizeBytes) refuse(s3Errors.noRange, { sizeBytes })
  const bytes = await openContent(ctx.server, source.bucket, source.file, sizeBytes === 0 ? undefined : { start, end })
  if (bytes === null) throw new BytesGone(source.file.path)
  const stream = Buffer.isBuffer(bytes) ? Readable.from([bytes]) : bytes
  const md5 = await keepPart(ctx, bucket, upload, partNumber, stream, {
    sizeBytes: sizeBytes === 0 ? 0 : end - start + 1,
    checksums: () => ({}),
  })
  return xml(document('CopyPartResult', { ETag: `"${md5}"`, LastModified: new Date(ctx.now()).toISOString() }))
}

async function keepPart(
  ctx: Context,
  bucket: BucketFacts,
  upload: UploadRow,
  partNumber: number,
  stream: Readable,
  expected: {
    sizeBytes: number
    sha256?: string | undefined
    md5?: string | undefined
    checksums: () => Record<string, string>
  },
): Promise<string> {
  const slot = newSlot()
  const stored = await engineOf(ctx.server, bucket)
    .putPart(upload.uploadId, slot, stream, {
      limitBytes: limits.maxPartBytes,
      ...(expected.sha256 === undefined ? {} : { sha256: expected.sha256 }),
    })
    .catch(explain(stream))
  const { md5, sizeBytes } = stored
  if (sizeBytes !== expected.sizeBytes)
    refuse(storageErrors.wrongBytes, { algorithm: 'size', expected: expected.sizeBytes, found: sizeBytes })
  if (expected.md5 !== undefined && expected.md5 !== md5)
    refuse(storageErrors.wrongBytes, { algorithm: 'md5', expected: expected.md5, found: md5 })
  const rows = await ctx.transact(inner =>
    inner.transaction(inner.zone).query({
      name: 'storage keep part',
      text: `INSERT INTO storage_parts (upload_id, part_number, team_id, slot, size_bytes, md5, checksums, received_at)
        SELECT upload_id, $2, team_id, $3, $4, $5, $6, $7 FROM storage_uploads WHERE upload_id = $1 AND state = 'OPEN' FOR UPDATE
        ON CONFLICT (upload_id, part_number) DO UPDATE SET slot = excluded.slot, size_bytes = excluded.size_bytes,
          md5 = excluded.md5, checksums = excluded.checksums, received_at = excluded.received_at
        RETURNING part_number`,
      values: [upload.uploadId, partNumber, slot, sizeBytes, md5, JSON.stringify(expected.checksums()), ctx.now()],
    }),
  )
  if (rows.rows.length === 0) refuse(s3Errors.noUpload, { uploadId: upload.uploadId })
  return md5
}

export async function listParts(asked: ObjectRequest): Promise<Download> {
  const { ctx, bucket, path, query } = asked
  const upload = await uploadOf(asked, ['OPEN', 'FINALIZING'])
  const limit = wholeNumber(query['max-parts'], 'max-parts', limits.listPage)
  const marker = wholeNumber(query['part-number-marker'] ?? '0', 'part-number-marker', limits.maxParts)
  const parts = await ctx.transact(inner => partsOf(inner, upload.uploadId, marker, limit + 1))
  const shown = parts.slice(0, limit)
  return xml(
    document('ListPartsResult', {
      Bucket: bucket.bucketId,
      Key: path,
      UploadId: upload.uploadId,
      PartNumberMarker: marker,
      NextPartNumberMarker: parts.length > limit ? shown.at(-1)?.partNumber : undefined,
      MaxParts: limit,
      IsTruncated: parts.length > limit,
      StorageClass: 'STANDARD',
      Part: shown.map(part => ({
        PartNumber: part.partNumber,
        LastModified: new Date(part.receivedAt).toISOString(),
        ETag: `"${part.md5}"`,
        Size: part.sizeBytes,
      })),
    }),
  )
}

/** CompleteMultipartUpload; one that was completed already answers the same again, as its answer may have been lost. */
export async function completeUpload(asked: ObjectRequest): Promise<Download> {
  const { ctx, bucket, path, signed, request, stream } = asked
  assertMayWrite(asked, bucket)
  const upload = await uploadOf(asked, ['OPEN', 'FINALIZING', 'DONE'])
  const root = readXml(await textBody(request, signed, stream))
  const named = childrenOf(root, 'Part').map(node => ({
    partNumber: Number(textOf(node, 'PartNumber')),
    etag: (textOf(node, 'ETag') ?? '').replaceAll('"', '').trim(),
  }))
  if (root.name !== 'CompleteMultipartUpload' || named.length === 0 || named.length > limits.maxParts)
    refuse(s3Errors.badXml, { reason: `CompleteMultipartUpload names 1 to ${limits.maxParts} parts` })
  const parts =
    upload.state === 'DONE' ? [] : chosen(named, await ctx.transact(inner => partsOf(inner, upload.uploadId)))
  const digest = createHash('md5')
  for (const part of parts) digest.update(Buffer.from(part.md5, 'hex'))
  const row = await finishUpload(ctx, bucket, upload, {
    slots: parts.map(part => part.slot),
    sizeBytes: parts.reduce((total, part) => total + part.sizeBytes, 0),
    etag: `${digest.digest('hex')}-${parts.length}`,
    asker: trusted,
    when: preconditionIn(asked),
  })
  await countUse(ctx.server, bucket, 'classA')
  return xml(
    document('CompleteMultipartUploadResult', {
      Location: `/${bucket.bucketId}/${path}`,
      Bucket: bucket.bucketId,
      Key: path,
      ETag: `"${row.etag}"`,
    }),
  )
}

/** The parts that are named, each as it was named. */
function chosen(named: readonly { partNumber: number; etag: string }[], there: readonly PartRow[]): PartRow[] {
  const byNumber = new Map(there.map(part => [part.partNumber, part]))
  if (named.some(({ partNumber }, at) => partNumber <= (named[at - 1]?.partNumber ?? 0))) refuse(s3Errors.badOrder)
  return named.map(({ partNumber, etag }, at) => {
    const part = byNumber.get(partNumber)
    if (!part || part.md5 !== etag) refuse(s3Errors.badPart, { partNumber })
    if (at < named.length - 1 && part.sizeBytes < limits.minPartBytes)
      refuse(s3Errors.tooSmall, { partNumber, sizeBytes: part.sizeBytes, limit: limits.minPartBytes })
    return part
  })
}

export async function giveUpUpload(asked: ObjectRequest): Promise<Download> {
  assertMayWrite(asked, asked.bucket)
  const upload = await uploadOf(asked, ['OPEN', 'FINALIZING'])
  await abortUpload(asked.ctx, asked.bucket, upload)
  return nothing({}, 204)
}
