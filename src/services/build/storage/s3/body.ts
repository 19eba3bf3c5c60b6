import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { refuse } from '../../../../kernel/errors.ts'
import { storageErrors } from '../contract.ts'
import { one } from '../objects/reading.ts'
import { type Algorithm, algorithms, newChecksum } from './checksums.ts'
import { Chunks } from './chunks.ts'
import { s3Errors } from './rules.ts'
import type { Signed } from './signature.ts'

/** A body as it is meant: without chunks, with what must be true of it. */
export interface Body {
  stream: Readable
  sizeBytes: number
  sha256?: string | undefined
  md5?: string | undefined
  /** The checksum that was sent, proven once the stream has ended; base64. */
  checksums(): Record<string, string>
}

/** The body of a PUT: aws-chunked or plain, with checksums in the head or behind it. */
export function bodyOf(request: FastifyRequest, signed: Signed, stream: Readable): Body {
  const isChunked = signed.payload.startsWith('STREAMING-')
  const header = (name: string) => one(request.headers[name])
  const length = header(isChunked ? 'x-amz-decoded-content-length' : 'content-length')
  if (length === undefined || !/^\d{1,15}$/.test(length)) refuse(storageErrors.lengthNeeded)
  const sizeBytes = Number(length)
  const algorithm = algorithms.find(
    name =>
      header(`x-amz-checksum-${name}`) !== undefined || header('x-amz-trailer')?.trim() === `x-amz-checksum-${name}`,
  )
  const chunks = isChunked ? new Chunks(signed) : null
  const checksum = algorithm && newChecksum(algorithm)
  let proven: Record<string, string> = {}
  const told = (name: Algorithm) => header(`x-amz-checksum-${name}`) ?? chunks?.trailers.get(`x-amz-checksum-${name}`)
  async function* whole(): AsyncGenerator<Buffer> {
    let seen = 0
    const source = stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
    for await (const bytes of chunks ? chunks.read(source) : source) {
      seen += bytes.length
      checksum?.update(bytes)
      yield bytes
    }
    if (seen !== sizeBytes) refuse(s3Errors.bodyCut)
    if (!algorithm || !checksum) return
    const [expected, found] = [told(algorithm), checksum.digest()]
    if (expected !== found) refuse(storageErrors.wrongBytes, { algorithm, expected: expected ?? 'none', found })
    proven = { [algorithm]: found }
  }
  const body = isChunked || algorithm ? Readable.from(whole(), { objectMode: true, highWaterMark: 2 }) : stream
  return {
    stream: body,
    sizeBytes,
    sha256: /^[0-9a-f]{64}$/.test(signed.payload) ? signed.payload : undefined,
    md5: md5In(header('content-md5')),
    checksums: () => proven,
  }
}

/** The content encoding without what was only for the way here. */
export function encodingIn(header: string | null): string | null {
  const left = (header ?? '')
    .split(',')
    .map(name => name.trim())
    .filter(name => name !== '' && name !== 'aws-chunked')
  return left.length === 0 ? null : left.join(', ')
}

function md5In(header: string | undefined): string | undefined {
  if (header === undefined) return undefined
  const bytes = Buffer.from(header, 'base64')
  if (bytes.length !== 16)
    refuse(s3Errors.badArgument, { name: 'Content-MD5', value: header, expected: 'it is base64 of 16 bytes' })
  return bytes.toString('hex')
}

const mostText = 1_048_576

/** A small body of XML or JSON as text, proven by the digest that was signed. */
export async function textBody(request: FastifyRequest, signed: Signed, stream: Readable): Promise<string> {
  const length = Number(one(request.headers['content-length']) ?? 0)
  if (length > mostText * 4) refuse(s3Errors.badXml, { reason: `it has more than ${mostText * 4} bytes` })
  const isChunked = signed.payload.startsWith('STREAMING-')
  const body = length === 0 && !isChunked ? null : bodyOf(request, signed, stream)
  const read: Buffer[] = []
  let size = 0
  for await (const chunk of body?.stream ?? []) {
    size += (chunk as Buffer).length
    if (size > mostText * 4) refuse(s3Errors.badXml, { reason: `it has more than ${mostText * 4} bytes` })
    read.push(chunk as Buffer)
  }
  const bytes = Buffer.concat(read)
  const found = createHash('sha256').update(bytes).digest('hex')
  if (body?.sha256 !== undefined && body.sha256 !== found)
    refuse(storageErrors.wrongBytes, { algorithm: 'sha256', expected: body.sha256, found })
  return bytes.toString('utf8')
}
