import { createHash, randomBytes, randomInt } from 'node:crypto'
import { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { fileTypeFromBuffer } from 'file-type'
import { commonErrors, Refusal, refuse } from '../../../../kernel/errors.ts'
import {
  type BytesEngine,
  chunksOf,
  NoSuchBytes,
  type Range,
  TooManyBytes,
  WrongBytes,
} from '../../../../server/engines/bytes/port.ts'
import type { Server } from '../../../../server/server.ts'
import type { BucketFacts } from '../buckets/facts.ts'
import { storageErrors } from '../contract.ts'
import { limits } from '../rules.ts'
import { isUnsaid } from './odd-type.ts'

/** Bytes that are in, before a row names them. Digests are lower-case hex. */
export interface Content {
  blob: string | null
  content: Buffer | null
  sizeBytes: number
  /** Null only of what was stored before there was one. */
  sha256: string | null
  /** Null where nobody asks for it: of all that a large file goes through it takes the longest. */
  md5: string | null
  /** Without quotes: the md5, or the sha256 where there is none. */
  etag: string
  /** What the first bytes say; null where they say nothing. */
  sniffed: string | null
}

export interface Expectation {
  limitBytes: number
  sha256?: string | undefined
  md5?: string | undefined
  sizeBytes?: number | undefined
  signal?: AbortSignal | undefined
  /** Clients of S3 compare it, and rules may ask for it; small contents always have it. */
  needsMd5?: boolean | undefined
  /** As said; where it says nothing, the bytes are not asked what they are. */
  contentType?: string | undefined
}

const headBytes = 4_100

export function engineOf(server: Server, bucket: Pick<BucketFacts, 'zone'>): BytesEngine {
  return server.bytes(bucket.zone, 'storage')
}

/** So many new files lie side by side: files share what their folder costs. */
const blobsOfFolder = 64
let folder = randomInt(256)
let inFolder = 0

/** An address nobody can guess, in the engine's form. */
export function newBlob(): string {
  if (inFolder++ === blobsOfFolder) {
    folder = (folder + 1) % 256
    inFolder = 1
  }
  const address = randomBytes(32)
  address[0] = folder
  return address.toString('hex')
}

/** Takes a stream in: little of it into memory, for its row; more of it to the engine. Nothing is left where it fails. */
export async function receiveContent(
  server: Server,
  bucket: Pick<BucketFacts, 'zone'>,
  stream: Readable,
  expected: Expectation,
): Promise<Content> {
  const first = await firstBytes(stream, limits.inlineBytes + 1)
  if (first.isWhole) {
    if (first.bytes.length > expected.limitBytes) refuse(commonErrors.tooLarge, { limitBytes: expected.limitBytes })
    return kept(first.bytes, expected)
  }
  const blob = newBlob()
  const engine = engineOf(server, bucket)
  const { seen, looked } = observer(expected)
  const stored = await engine
    .put(chained(first.bytes, stream), {
      limitBytes: expected.limitBytes,
      address: blob,
      isConsumed: stream instanceof IncomingMessage,
      ...(expected.sha256 === undefined ? {} : { sha256: expected.sha256 }),
      ...(expected.signal === undefined ? {} : { signal: expected.signal }),
      seen,
    })
    .catch(explain(stream))
  const { md5, sniffed } = await looked()
  const wrong = mismatch(expected, { md5, sizeBytes: stored.sizeBytes, sha256: stored.sha256 })
  if (wrong) {
    await engine.remove(blob)
    refuse(storageErrors.wrongBytes, wrong)
  }
  return { ...stored, blob, content: null, md5, etag: md5 ?? stored.sha256, sniffed }
}

/** Looks at bytes on their way: what they are, and their md5 where it is asked for. */
function observer(expected: Partial<Expectation>) {
  const md5 = expected.needsMd5 || expected.md5 !== undefined ? createHash('md5') : null
  const head: Buffer[] = []
  let size = 0
  return {
    seen: (chunk: Buffer) => {
      md5?.update(chunk)
      if (size < headBytes) head.push(Buffer.from(chunk.subarray(0, headBytes - size)))
      size += chunk.length
    },
    looked: async () => ({
      md5: md5?.digest('hex') ?? null,
      sniffed: await sniffed(Buffer.concat(head), expected.contentType),
    }),
  }
}

/** Bytes that are in memory already. */
export async function kept(bytes: Buffer, expected: Partial<Expectation> = {}): Promise<Content> {
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const md5 = createHash('md5').update(bytes).digest('hex')
  const wrong = mismatch(expected, { md5, sha256, sizeBytes: bytes.length })
  if (wrong) refuse(storageErrors.wrongBytes, wrong)
  return {
    blob: null,
    content: bytes,
    sizeBytes: bytes.length,
    sha256,
    md5,
    etag: md5,
    sniffed: await sniffed(bytes.subarray(0, headBytes), expected.contentType),
  }
}

/** Joins the parts of an upload. What is small goes into its row all the same. */
export async function joinContent(
  server: Server,
  bucket: Pick<BucketFacts, 'zone'>,
  upload: { uploadId: string; slots: readonly number[]; sizeBytes: number },
  expected: Expectation,
): Promise<Content> {
  const engine = engineOf(server, bucket)
  const blob = newBlob()
  const { seen, looked } = observer(expected)
  const stored = await engine
    .joinParts(upload.uploadId, upload.slots, {
      limitBytes: expected.limitBytes,
      address: blob,
      isConsumed: true,
      ...(expected.sha256 === undefined ? {} : { sha256: expected.sha256 }),
      seen,
    })
    .catch(explain())
  if (stored.sizeBytes <= limits.inlineBytes) {
    const bytes = Buffer.concat(await (await engine.read(blob)).toArray())
    await engine.remove(blob)
    return kept(bytes, { contentType: expected.contentType })
  }
  const { md5, sniffed } = await looked()
  return { ...stored, blob, content: null, md5, etag: md5 ?? stored.sha256, sniffed }
}

/** A file's bytes, or a range of them; null where the collector has been there. */
export async function openContent(
  server: Server,
  bucket: Pick<BucketFacts, 'zone'>,
  file: { blob: string | null; content: Buffer | null },
  range?: Range,
): Promise<Readable | Buffer | null> {
  if (file.blob === null) {
    const bytes = file.content ?? Buffer.alloc(0)
    return range ? bytes.subarray(range.start, range.end + 1) : bytes
  }
  try {
    return await engineOf(server, bucket).read(file.blob, range)
  } catch (error) {
    if (error instanceof NoSuchBytes) return null
    throw error
  }
}

/** For `.catch` of an engine: what went wrong, told to the sender. */
export function explain(stream?: Readable): (error: unknown) => never {
  return error => {
    // What judges bytes on their way says itself what is wrong with them.
    if (error instanceof Refusal) throw error
    if (error instanceof TooManyBytes) refuse(commonErrors.tooLarge, { limitBytes: error.limitBytes })
    if (error instanceof WrongBytes) {
      refuse(storageErrors.wrongBytes, { algorithm: 'sha256', expected: error.expected, found: error.found })
    }
    if (stream?.errored) refuse(storageErrors.uploadCut)
    const { code } = error as { code?: string }
    if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG') refuse(storageErrors.diskFull)
    if (error instanceof NoSuchBytes) refuse(commonErrors.unavailable, { retryAfterSeconds: 1 })
    throw error
  }
}

function mismatch(expected: Partial<Expectation>, found: { md5: string | null; sha256: string; sizeBytes: number }) {
  const pairs = [
    ['size', expected.sizeBytes, found.sizeBytes],
    ['sha256', expected.sha256, found.sha256],
    ['md5', expected.md5, found.md5],
  ] as const
  const wrong = pairs.find(([, wanted, has]) => wanted !== undefined && wanted !== has)
  return wrong && { algorithm: wrong[0], expected: wrong[1] ?? null, found: wrong[2] }
}

async function sniffed(head: Buffer, contentType?: string): Promise<string | null> {
  if (contentType !== undefined && isUnsaid(contentType)) return null
  return (await fileTypeFromBuffer(head).catch(() => undefined))?.mime ?? null
}

/** Reads until there is as much, or no more. */
async function firstBytes(stream: Readable, wanted: number): Promise<{ bytes: Buffer; isWhole: boolean }> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of chunksOf(stream)) {
      chunks.push(chunk)
      size += chunk.length
      if (size >= wanted) return { bytes: joined(chunks), isWhole: false }
    }
  } catch (error) {
    explain(stream)(error)
  }
  return { bytes: joined(chunks), isWhole: true }
}

const joined = (chunks: readonly Buffer[]) => (chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks))

/** Without a generator, which would take each chunk into its hands once more. */
function chained(first: Buffer, stream: Readable): AsyncIterable<Buffer> {
  const rest: AsyncIterator<Buffer> = stream.iterator({ destroyOnReturn: false })
  let isFirst = true
  const next = async () => {
    if (!isFirst) return rest.next()
    isFirst = false
    return { value: first }
  }
  const close = async () => rest.return?.() ?? { value: undefined, done: true as const }
  return { [Symbol.asyncIterator]: () => ({ next, return: close }) }
}
