import type { FastifyRequest } from 'fastify'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import { NoSuchBytes } from '../../../server/engines/bytes/port.ts'
import type { Download } from '../../../server/implement.ts'
import { isKnown, partOf } from './ranges.ts'
import type { ServedBytes } from './shelf.ts'

const immutable = 'public, max-age=31536000, immutable'

/** Sends bytes whose name is theirs for ever: a range of them, all, or the word that the caller has them already. */
export async function sendBytes(
  ctx: Context,
  request: FastifyRequest,
  served: ServedBytes,
  onStart: () => void = () => undefined,
): Promise<Download> {
  const { zone, sha256, sizeBytes, mime } = served
  const etag = `"${sha256}"`
  const base = { etag, 'cache-control': immutable, 'accept-ranges': 'bytes' }
  if (isKnown(request.headers['if-none-match'], etag)) return { status: 304, headers: base, body: null }
  const { range, 'if-range': ifRange } = request.headers
  const part = partOf(range, sizeBytes, typeof ifRange === 'string' ? ifRange : undefined, etag)
  if (part === 'none') {
    return { status: 416, headers: { ...base, 'content-range': `bytes */${sizeBytes}` }, body: null }
  }
  const isWhole = part === 'whole'
  const headers = {
    ...base,
    'content-type': mime,
    'content-length': isWhole ? sizeBytes : part.end - part.start + 1,
    ...(isWhole ? {} : { 'content-range': `bytes ${part.start}-${part.end}/${sizeBytes}` }),
  }
  const status = isWhole ? 200 : 206
  if (request.method === 'HEAD') return { status, headers, body: null }
  const body = await ctx.server
    .bytes(zone)
    .read(sha256, isWhole ? undefined : part)
    .catch(error => {
      if (!(error instanceof NoSuchBytes)) throw error
      ctx.log.error({ zone, sha256 }, 'bytes of a published version are not there')
      refuse(commonErrors.notFound, { entity: 'file', id: sha256.slice(0, 8) })
    })
  if (isWhole || part.start === 0) onStart()
  return { status, headers, body }
}
