import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { refuse } from '../../../../../kernel/errors.ts'
import type { ProvenKey } from '../../../../../server/inside.ts'
import type { Server } from '../../../../../server/server.ts'
import { functionsKeyOf, tellKeyUsed } from '../../../storage/public.ts'
import { bodyOf } from '../../answering.ts'
import { newerErrors as errors } from '../contract.ts'
import { canonicalPath, canonicalQuery, readAuthorization, timeOf } from './signing-rules.ts'

const skewMs = 15 * 60_000
const algorithm = 'SDK-HMAC-SHA256'

export interface Signed {
  key: ProvenKey
  body: Buffer
}

/**
 * Proves who sent a request by its signature (SDK-HMAC-SHA256), and takes its body. Date and key are looked at before a
 * byte of the body is read. Refuses.
 */
export async function provenRequest(
  server: Server,
  request: FastifyRequest,
  stream: Readable,
  limitBytes: number,
): Promise<Signed> {
  const { access, signedHeaders, signature } = given(request)
  const at = String(request.headers['x-sdk-date'] ?? '')
  assertInTime(server, at)
  const known = await functionsKeyOf(server, access)
  if (!known) refuse(errors.unknownKey, { access: access.slice(0, 40) })
  const body = await bodyOf(stream, limitBytes)
  const digest = sha256(body)
  const said = request.headers['x-sdk-content-sha256']
  if (said !== undefined && said !== digest) refuse(errors.wrongBody)
  const asked = canonical(request, signedHeaders, digest)
  const expected = createHmac('sha256', known.secret)
    .update([algorithm, at, sha256(asked)].join('\n'))
    .digest()
  if (!timingSafeEqual(expected, Buffer.from(signature, 'hex'))) refuse(errors.wrongSignature)
  tellKeyUsed(server, known)
  const permissions = new Set(known.isReadOnly ? ['functions.read'] : ['functions.read', 'functions.edit'])
  const { teamId, projectId, zone, createdBy: accountId } = known
  return { key: { keyId: known.accessKeyId, accountId, teamId, projectId, zone, permissions }, body }
}

const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex')

function given(request: FastifyRequest) {
  const read = readAuthorization(request.headers.authorization ?? '')
  if ('problem' in read) return refuse(errors.notSigned, read)
  const needed = ['host', 'x-sdk-date'].find(name => !read.signedHeaders.includes(name))
  if (needed) refuse(errors.notSigned, { problem: `the header ${needed} must be signed` })
  return read
}

function assertInTime(server: Server, at: string): void {
  const now = server.clock.now()
  const sent = timeOf(at)
  if (sent === null) refuse(errors.notSigned, { problem: 'X-Sdk-Date is a time as 20261122T110500Z' })
  if (Math.abs(now - sent) > skewMs) refuse(errors.skewed, { at, now: new Date(now).toISOString() })
}

function canonical(request: FastifyRequest, signedHeaders: readonly string[], digest: string): string {
  const at = request.originalUrl.indexOf('?')
  const path = at < 0 ? request.originalUrl : request.originalUrl.slice(0, at)
  const query = at < 0 ? '' : request.originalUrl.slice(at + 1)
  const headers = signedHeaders.map(name => `${name}:${headerText(request, name)}\n`)
  return [
    request.method,
    canonicalPath(path),
    canonicalQuery(query),
    headers.join(''),
    signedHeaders.join(';'),
    digest,
  ].join('\n')
}

function headerText(request: FastifyRequest, name: string): string {
  const value = request.headers[name]
  return (Array.isArray(value) ? value.join(',') : (value ?? '')).trim()
}
