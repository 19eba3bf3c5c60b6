import type { FastifyRequest } from 'fastify'
import type { Context } from '../../../server/context.ts'
import { NoSuchBytes } from '../../../server/engines/bytes/port.ts'
import { readRange } from '../../../server/http/range.ts'
import type { Download } from '../../../server/implement.ts'
import { type FileRow, noSuchObject } from './queries.ts'
import { contentDisposition } from './range.ts'

/** A stored file on the wire: nothing in it may run as a page of this site, whatever it holds. */
export async function answerDownload(
  ctx: Context,
  row: FileRow,
  fileName: string,
  request: Pick<FastifyRequest, 'headers' | 'method'>,
): Promise<Download> {
  const { sha256, sizeBytes } = row
  if (sha256 === null) noSuchObject(row.objectId)
  const etag = `"${sha256}"`
  const headers = {
    etag,
    'accept-ranges': 'bytes',
    'cache-control': 'private, max-age=3600',
    'content-type': row.mime ?? 'application/octet-stream',
    'content-disposition': contentDisposition(fileName),
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
  }
  if (isNamed(request.headers['if-none-match'], etag)) return { status: 304, headers, body: null }
  const { 'if-range': ifRange, range } = request.headers
  const wanted = ifRange === undefined || ifRange === etag ? readRange(range, sizeBytes) : null
  if (wanted === 'unsatisfiable') {
    return { status: 416, headers: { ...headers, 'content-range': `bytes */${sizeBytes}` }, body: null }
  }
  const { start, end } = wanted ?? { start: 0, end: sizeBytes - 1 }
  const sized = {
    ...headers,
    'content-length': end - start + 1,
    ...(wanted ? { 'content-range': `bytes ${start}-${end}/${sizeBytes}` } : {}),
  }
  const status = wanted ? 206 : 200
  if (request.method === 'HEAD') return { status, headers: sized, body: null }
  const body = await ctx.server
    .bytes(ctx.zone)
    .read(sha256, { start, end })
    .catch(error => (error instanceof NoSuchBytes ? noSuchObject(row.objectId) : Promise.reject(error)))
  return { status, headers: sized, body }
}

function isNamed(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  return ifNoneMatch.split(',').some(one => one.trim() === '*' || one.trim().replace(/^W\//, '') === etag)
}
