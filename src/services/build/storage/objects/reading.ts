import type { Readable } from 'node:stream'
import { refuse } from '../../../../kernel/errors.ts'
import type { Range } from '../../../../server/engines/bytes/port.ts'
import { readRange } from '../../../../server/http/range.ts'
import type { Download } from '../../../../server/implement.ts'
import type { Server } from '../../../../server/server.ts'
import type { BucketFacts } from '../buckets/facts.ts'
import { storageErrors } from '../contract.ts'
import { openContent } from './content.ts'
import type { ObjectWithContent } from './rows.ts'

export interface ReadRequest {
  method: string
  headers: Readonly<Record<string, string | string[] | undefined>>
}

/** What of a file goes into the head of an answer, whoever asks. */
export function headersOf(file: ObjectWithContent): Record<string, string | number> {
  return {
    etag: `"${file.etag}"`,
    'last-modified': new Date(file.updatedAt).toUTCString(),
    'content-type': file.contentType,
    'accept-ranges': 'bytes',
    ...(file.cacheControl === null ? {} : { 'cache-control': file.cacheControl }),
    ...(file.contentDisposition === null ? {} : { 'content-disposition': file.contentDisposition }),
    ...(file.contentEncoding === null ? {} : { 'content-encoding': file.contentEncoding }),
    ...(file.contentLanguage === null ? {} : { 'content-language': file.contentLanguage }),
  }
}

/** Answers a GET or HEAD of a file: conditions, one range, the bytes. */
export async function answerFile(
  server: Server,
  bucket: Pick<BucketFacts, 'zone'>,
  file: ObjectWithContent,
  request: ReadRequest,
  more: Record<string, string | number> = {},
  open: (file: ObjectWithContent, range?: Range) => Promise<Readable | Buffer | null> = (one, range) =>
    openContent(server, bucket, one, range),
): Promise<Download> {
  const headers = { ...headersOf(file), ...more }
  const held = conditionOf(file, request)
  if (held === 'failed') refuse(storageErrors.preconditionFailed, { generation: file.generation })
  if (held === 'unchanged') return { status: 304, headers: withoutBody(headers), body: null }
  const wanted = isRangeMeant(file, request) ? readRange(one(request.headers['range']), file.sizeBytes) : null
  if (wanted === 'unsatisfiable')
    return { status: 416, headers: { ...headers, 'content-range': `bytes */${file.sizeBytes}` }, body: null }
  const sized = {
    ...headers,
    'content-length': wanted ? wanted.end - wanted.start + 1 : file.sizeBytes,
    ...(wanted ? { 'content-range': `bytes ${wanted.start}-${wanted.end}/${file.sizeBytes}` } : {}),
  }
  const status = wanted ? 206 : 200
  if (request.method === 'HEAD') return { status, headers: sized, body: null }
  const body = await open(file, wanted ?? undefined)
  if (body === null) throw new BytesGone(file.path)
  return { status, headers: sized, body }
}

/** Thrown where a row was read, and its bytes were replaced before they were opened. */
export class BytesGone extends Error {
  readonly path: string
  constructor(path: string) {
    super(`the bytes of ${path} were replaced`)
    this.path = path
  }
}

const mostLooks = 5

/** Replaced bytes go at once: whoever finds them gone looks for the row anew. Refuses what is replaced again and again. */
export async function lookingAgain<T>(look: (isAgain: boolean) => Promise<T>): Promise<T> {
  for (let looks = 1; ; looks++) {
    try {
      return await look(looks > 1)
    } catch (error) {
      if (!(error instanceof BytesGone)) throw error
      if (looks === mostLooks) refuse(storageErrors.noFile, { path: error.path })
    }
  }
}

/** RFC 9110, 13.2.2: If-Match before If-Unmodified-Since, If-None-Match before If-Modified-Since. */
function conditionOf(file: ObjectWithContent, { headers }: ReadRequest): 'failed' | 'unchanged' | 'met' {
  const seconds = Math.floor(file.updatedAt / 1000) * 1000
  const ifMatch = one(headers['if-match'])
  if (ifMatch !== undefined) {
    if (!names(ifMatch, file.etag)) return 'failed'
  } else {
    const since = Date.parse(one(headers['if-unmodified-since']) ?? '')
    if (seconds > since) return 'failed'
  }
  const ifNoneMatch = one(headers['if-none-match'])
  if (ifNoneMatch !== undefined) return names(ifNoneMatch, file.etag) ? 'unchanged' : 'met'
  return seconds <= Date.parse(one(headers['if-modified-since']) ?? '') ? 'unchanged' : 'met'
}

function isRangeMeant(file: ObjectWithContent, { headers }: ReadRequest): boolean {
  const ifRange = one(headers['if-range'])
  if (ifRange === undefined) return true
  if (ifRange.includes('"')) return ifRange === `"${file.etag}"`
  return Math.floor(file.updatedAt / 1000) * 1000 === Date.parse(ifRange)
}

function names(list: string, etag: string): boolean {
  return list.split(',').some(raw => {
    const given = raw.trim().replace(/^W\//, '')
    return given === '*' || given === etag || given === `"${etag}"`
  })
}

function withoutBody(headers: Record<string, string | number>): Record<string, string | number> {
  const { 'content-type': _type, 'content-encoding': _encoding, ...rest } = headers
  return rest
}

export function one(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value
}
