import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import type { Download } from '../../../../server/implement.ts'
import { isKnown } from '../ranges.ts'

/** What changes in place under one name. */
interface SentDocument {
  body: () => Readable | Buffer
  sizeBytes: number
  etag: string
  changedAt: number
  mime: string
}

/** Sends what changes in place: revalidated at every use. */
export function sendDocument(request: FastifyRequest, document: SentDocument): Download {
  const headers = {
    etag: document.etag,
    'last-modified': new Date(document.changedAt).toUTCString(),
    'cache-control': 'no-cache',
  }
  const { 'if-none-match': ifNoneMatch, 'if-modified-since': since } = request.headers
  const isUnchanged =
    ifNoneMatch === undefined
      ? since !== undefined && Math.floor(document.changedAt / 1000) * 1000 <= Date.parse(since)
      : isKnown(ifNoneMatch, document.etag)
  if (isUnchanged) return { status: 304, headers, body: null }
  const { body, sizeBytes, mime } = document
  const whole = { ...headers, 'content-type': mime, 'content-length': sizeBytes }
  return { headers: whole, body: request.method === 'HEAD' ? null : body() }
}
