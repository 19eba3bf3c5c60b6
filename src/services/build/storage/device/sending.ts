import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import { badField } from '../../../../server/http/problem.ts'
import type { Download } from '../../../../server/implement.ts'
import type { Asker } from '../access.ts'
import { storageErrors } from '../contract.ts'
import { receiveContent } from '../objects/content.ts'
import { discardContent } from '../objects/discarding.ts'
import { one } from '../objects/reading.ts'
import { findObject, type ObjectRow } from '../objects/rows.ts'
import { isFolder, limits } from '../rules.ts'
import { appendBytes } from '../uploads/appending.ts'
import { assertMayBegin, finishUpload, rulesReadMd5, writeAllowed } from '../uploads/finishing.ts'
import { openUpload, partsOf, toUploadAttributes, type UploadRow } from '../uploads/rows.ts'
import type { AtFile } from './at-file.ts'
import { attributesIn, whole } from './attributes.ts'
import { fileInfo, json } from './file-info.ts'

const plain = 'application/octet-stream'

/** A file in one request. */
export async function takeWhole(at: AtFile, asker: Asker, stream: Readable): Promise<Download> {
  const { ctx, bucket, path, request } = at
  const given = attributesIn(request.headers, 'x-agc-', 'x-agc-meta-')
  const length = request.headers['content-length']
  const sizeBytes = length === undefined ? null : Number(length)
  if (sizeBytes !== null && sizeBytes > limits.oneShotBytes)
    refuse(commonErrors.tooLarge, { limitBytes: limits.oneShotBytes })
  if (isFolder(path) && sizeBytes !== 0) refuse(storageErrors.badPath, { path, problem: 'is that of a folder' })
  const attributes = whole(given, plain)
  const sha256 = digestOf(request)
  // A small body is in before the rules are asked for the first time; a long one is refused at its first byte.
  if (sizeBytes === null || sizeBytes > limits.inlineBytes)
    await assertMayBegin(ctx, bucket, asker, { path, attributes, sizeBytes, sha256: sha256 ?? null })
  const limitBytes = Math.min(limits.oneShotBytes, bucket.maxObjectBytes ?? limits.oneShotBytes)
  const content = await receiveContent(ctx.server, bucket, stream, {
    ...{ limitBytes, sha256, contentType: attributes.contentType },
    needsMd5: await rulesReadMd5(ctx, bucket, asker),
  })
  const write = { path, content, attributes, ownerUid: asker.uid }
  const row = await discardContent(ctx.server, bucket, content, () => writeAllowed(ctx, bucket, asker, write))
  return json({ fileInfo: row && fileInfo(row) })
}

/** Where a long file goes on: it is known by its size and digest. */
export async function resumeAt(at: AtFile, asker: Asker): Promise<Download> {
  const done = await doneAlready(at)
  if (done) return json({ uploadStatus: 'finalize', receiveBytes: String(done.sizeBytes), fileInfo: fileInfo(done) })
  const upload = await beginLong(at, asker)
  if (upload.received === upload.sizeBytes) return finish(at, asker, upload)
  return json(progress(upload))
}

/** The next bytes of a long file; the first ones begin it. */
export async function goOnWith(at: AtFile, asker: Asker, stream: Readable): Promise<Download> {
  const { ctx, bucket, request } = at
  const offset = wholeNumber(request, 'x-agc-file-offset')
  const upload = await beginLong(at, asker)
  const now = await appendBytes(ctx, bucket, upload, offset, stream)
  return now.received === now.sizeBytes ? finish(at, asker, now) : json(progress(now))
}

async function beginLong({ ctx, bucket, path, request }: AtFile, asker: Asker): Promise<UploadRow> {
  const sizeBytes = wholeNumber(request, 'x-agc-file-size')
  const sha256 = digestOf(request) ?? null
  if (sha256 === null) throw badField('/x-agc-sha256', 'required', 'is missing', 'header')
  if (isFolder(path)) refuse(storageErrors.badPath, { path, problem: 'is that of a folder' })
  const attributes = whole(attributesIn(request.headers, 'x-agc-', 'x-agc-meta-'), plain)
  await assertMayBegin(ctx, bucket, asker, { path, attributes, sizeBytes, sha256 })
  return ctx.transact(inner =>
    openUpload(inner, bucket, {
      path,
      kind: 'RESUMABLE',
      sizeBytes,
      sha256,
      ownerUid: asker.uid,
      isTrusted: asker.isTrusted,
      attributes: toUploadAttributes(attributes),
    }),
  )
}

async function finish({ ctx, bucket }: AtFile, asker: Asker, upload: UploadRow): Promise<Download> {
  const parts = await ctx.transact(inner => partsOf(inner, upload.uploadId, 0, upload.pieces))
  const slots = parts.map(part => part.slot)
  const row = await finishUpload(ctx, bucket, upload, { slots, sizeBytes: upload.received, asker })
  return json({ uploadStatus: 'finalize', receiveBytes: String(row.sizeBytes), fileInfo: fileInfo(row) })
}

/** The answer to the last bytes was lost, and the client asks again. */
async function doneAlready({ ctx, bucket, path, request }: AtFile): Promise<ObjectRow | null> {
  const [sizeBytes, sha256] = [wholeNumber(request, 'x-agc-file-size'), digestOf(request)]
  const file = await ctx.transact(inner => findObject(inner, bucket.bucketId, path))
  return file !== null && file.sha256 === sha256 && file.sizeBytes === sizeBytes ? file : null
}

const progress = (upload: UploadRow) => ({
  uploadStatus: upload.received === 0 ? 'resumable' : 'active',
  receiveBytes: String(upload.received),
})

function wholeNumber(request: FastifyRequest, header: string): number {
  const value = one(request.headers[header]) ?? ''
  if (!/^\d{1,15}$/.test(value)) throw badField(`/${header}`, 'number', 'is a whole number of bytes', 'header')
  return Number(value)
}

function digestOf(request: FastifyRequest): string | undefined {
  const value = one(request.headers['x-agc-sha256'])?.toLowerCase()
  if (value === undefined || value === '') return undefined
  if (!/^[0-9a-f]{64}$/.test(value)) throw badField('/x-agc-sha256', 'sha256', 'has 64 hexadecimal digits', 'header')
  return value
}
