import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { ERRORS, MemoryLocker, Server } from '@tus/server'
import { Refusal, refuse } from '../../../../kernel/errors.ts'
import { zoneOfSlug } from '../../../../kernel/zones.ts'
import { type Context, systemContext } from '../../../../server/context.ts'
import { type Download, implement, type UploadInput } from '../../../../server/implement.ts'
import { type Asker, askerOf, trusted } from '../access.ts'
import { bucketOf, within } from '../buckets/facts.ts'
import { storageErrors } from '../contract.ts'
import { isFolder, limits, pathProblem } from '../rules.ts'
import { assertMayBegin, finishUpload } from '../uploads/finishing.ts'
import { findUpload, openUpload, partsOf, toUploadAttributes } from '../uploads/rows.ts'
import { countUse } from '../use.ts'
import { checksumAlgorithms, promisedIn } from './checksum.ts'
import { storageTus } from './contract.ts'
import { type AtUpload, UploadStore } from './store.ts'

/** Two requests to one upload take turns on this process; over several the row decides. */
const locker = new MemoryLocker()

type Metadata = Record<string, string | null> | undefined

/** One request, run by the TUS server over the uploads of its caller. */
async function run(outer: Context, { request, stream }: UploadInput): Promise<Download> {
  const find = (uploadId: string) => uploadFor(outer, uploadId, request.headers)
  const server = new Server({
    path: '/tus',
    relativeLocation: true,
    datastore: new UploadStore(find, promisedIn(request.headers['upload-checksum'] as string | undefined)),
    locker,
    lockDrainTimeout: 3_000,
    maxSize: limits.objectBytes,
    allowedHeaders: ['access_token', 'client_id', 'app_id', 'productId', 'Upload-Checksum'],
    namingFunction: (_request, metadata) => begin(outer, request.headers, metadata),
    onUploadFinish: async (_request, { id }) => {
      await finish(id, await find(id))
      return {}
    },
    onResponseError: (_request, error) => toTus(error),
  })
  const hasBody = request.method === 'PATCH' || request.method === 'POST'
  const asked = new Request(new URL(request.originalUrl, 'http://tus.invalid'), {
    method: request.method,
    headers: headersOf(request.headers),
    ...(hasBody ? { body: Readable.toWeb(stream) as ReadableStream<Uint8Array> as never, duplex: 'half' } : {}),
  } as RequestInit)
  const answer = await server.handleWeb(asked)
  return {
    status: answer.status,
    headers: {
      ...Object.fromEntries(answer.headers),
      'cross-origin-resource-policy': 'cross-origin',
      ...abilities(request.method),
    },
    body: request.method === 'HEAD' || answer.status === 204 ? null : await answer.text(),
  }
}

/** The extension that is ours is named beside those of the library. */
const abilities = (method: string): Record<string, string> =>
  method === 'OPTIONS'
    ? {
        'tus-extension': 'creation,termination,expiration,checksum',
        'tus-checksum-algorithm': checksumAlgorithms.join(','),
      }
    : {}

function headersOf(sent: Record<string, string | string[] | undefined>): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(sent)) {
    // They belong to the connection, which is not that of the library.
    if (value === undefined || ['connection', 'transfer-encoding', 'expect', 'keep-alive'].includes(name)) continue
    headers.set(name, String(value))
  }
  return headers
}

/** Makes the row of a new upload; the rules are asked with what is declared. */
async function begin(outer: Context, sent: UploadInput['request']['headers'], metadata: Metadata): Promise<string> {
  const bucket = await bucketOf(outer.server, metadata?.['bucket'] ?? '')
  const ctx = within(outer, bucket)
  const path = metadata?.['path'] ?? metadata?.['filename'] ?? ''
  const problem = isFolder(path) ? 'is that of a folder' : pathProblem(path)
  if (problem !== null) refuse(storageErrors.badPath, { path: path.slice(0, 200), problem })
  const asker = await askerOf(ctx, bucket, sent)
  const attributes = {
    contentType: metadata?.['filetype'] || metadata?.['contentType'] || 'application/octet-stream',
    cacheControl: metadata?.['cacheControl'] || null,
    contentDisposition: null,
    contentEncoding: null,
    contentLanguage: null,
    metadata: {},
  }
  const sizeBytes = Number(sent['upload-length'])
  await assertMayBegin(ctx, bucket, asker, { path, attributes, sizeBytes })
  await countUse(ctx.server, bucket, 'classA')
  const upload = await ctx.transact(inner =>
    openUpload(inner, bucket, {
      path,
      kind: 'TUS',
      sizeBytes,
      ownerUid: asker.uid,
      isTrusted: asker.isTrusted,
      attributes: toUploadAttributes(attributes),
    }),
  )
  return upload.uploadId
}

/** An upload by its id, which nobody can guess; one of an app's user is that user's alone besides. */
async function uploadFor(
  outer: Context,
  uploadId: string,
  sent: UploadInput['request']['headers'],
): Promise<(AtUpload & { asker: Asker }) | null> {
  const zone = zoneOfSlug(uploadId.slice(0, 2))
  if (zone === undefined || !outer.server.config.zones.includes(zone)) return null
  const system = systemContext(outer.server, zone, { name: 'storage' })
  const upload = await system.transact(inner => findUpload(inner, uploadId))
  if (upload?.kind !== 'TUS') return null
  const bucket = await bucketOf(outer.server, upload.bucketId)
  const ctx = within(outer, bucket)
  if (upload.isTrusted) return { ctx, bucket, upload, asker: trusted }
  const asker = await askerOf(ctx, bucket, sent)
  return asker.uid === upload.ownerUid ? { ctx, bucket, upload, asker } : null
}

async function finish(id: string, at: (AtUpload & { asker: Asker }) | null): Promise<void> {
  if (!at) throw ERRORS.FILE_NOT_FOUND
  const { ctx, bucket, upload, asker } = at
  const parts = await ctx.transact(inner => partsOf(inner, id, 0, Math.max(1, upload.pieces)))
  await finishUpload(ctx, bucket, upload, {
    slots: parts.map(part => part.slot),
    sizeBytes: upload.received,
    asker,
  })
}

/** A refusal of ours in the words of TUS; what broke is told by the frame. */
function toTus(error: Error | { status_code: number; body: string }) {
  return error instanceof Refusal ? { status_code: error.status, body: `${error.message}\n` } : undefined
}

export default implement(storageTus, {
  askTus: (ctx, input) => run(ctx, input),
  createTus: (ctx, input) => run(ctx, input),
  askTusUpload: (ctx, input) => run(ctx, input),
  offsetOfTus: (ctx, input) => run(ctx, input),
  patchTus: (ctx, input) => run(ctx, input),
  endTus: (ctx, input) => run(ctx, input),
})
