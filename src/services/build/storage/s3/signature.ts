import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { refuse } from '../../../../kernel/errors.ts'
import type { Server } from '../../../../server/server.ts'
import { type KnownKey, keyOf, tellUsed } from '../keys/secrets.ts'
import { one } from '../objects/reading.ts'
import { s3Errors } from './rules.ts'

const skewMs = 15 * 60_000
const longestSeconds = 7 * 24 * 3600

/** What a request was signed with; chunks of its body are signed on from here. */
export interface Signed {
  key: KnownKey
  signature: string
  /** `20261122T110500Z` */
  at: string
  /** `20261122/us-east-1/s3/aws4_request` */
  scope: string
  signingKey: Buffer
  /** As `x-amz-content-sha256` says it, or `UNSIGNED-PAYLOAD`. */
  payload: string
}

interface Given {
  accessKeyId: string
  scope: string[]
  signedHeaders: string[]
  signature: string
  at: string
  payload: string
  isQuery: boolean
}

/** Proves who sent a request by its signature, in its header or its address (AWS Signature Version 4). Refuses. */
export async function provenKey(server: Server, request: FastifyRequest): Promise<Signed> {
  const [path = '', search = ''] = splitAt(request.originalUrl, '?')
  const query = pairsOf(search)
  const given = givenIn(request, query)
  const [accessKeyDay = '', region = '', service = '', end = ''] = given.scope
  if (service !== 's3' || end !== 'aws4_request') refuse(s3Errors.malformed, { reason: 'the scope is not that of s3' })
  if (!given.at.startsWith(accessKeyDay)) refuse(s3Errors.malformed, { reason: 'the day is not that of the date' })
  assertInTime(server, given, query)
  const key = await keyOf(server, given.accessKeyId)
  if (!key?.services.includes('storage')) refuse(s3Errors.unknownKey, { accessKeyId: given.accessKeyId.slice(0, 40) })
  const scope = given.scope.join('/')
  const signingKey = keyFor(key.secret, accessKeyDay, region)
  const asked = canonical(request, path, query, given)
  const text = ['AWS4-HMAC-SHA256', given.at, scope, sha256(asked)].join('\n')
  const expected = hmac(signingKey, text)
  const sent = Buffer.from(given.signature, 'hex')
  if (expected.length !== sent.length || !timingSafeEqual(expected, sent)) refuse(s3Errors.wrongSignature)
  tellUsed(server, key)
  return { key, signature: given.signature, at: given.at, scope, signingKey, payload: given.payload }
}

export const sha256 = (text: string | Buffer) => createHash('sha256').update(text).digest('hex')
export const hmac = (key: Buffer | string, text: string) => createHmac('sha256', key).update(text).digest()

function keyFor(secret: string, day: string, region: string): Buffer {
  return ['s3', 'aws4_request'].reduce<Buffer>(hmac, hmac(hmac(`AWS4${secret}`, day), region))
}

function givenIn(request: FastifyRequest, query: readonly [string, string][]): Given {
  const of = (name: string) => query.find(([key]) => key === name)?.[1]
  const algorithm = of('X-Amz-Algorithm')
  if (algorithm !== undefined) {
    if (algorithm !== 'AWS4-HMAC-SHA256') refuse(s3Errors.malformed, { reason: `${algorithm} is not known` })
    return split({
      credential: of('X-Amz-Credential') ?? '',
      headers: of('X-Amz-SignedHeaders') ?? '',
      signature: of('X-Amz-Signature') ?? '',
      at: of('X-Amz-Date') ?? '',
      payload: one(request.headers['x-amz-content-sha256']) ?? 'UNSIGNED-PAYLOAD',
      isQuery: true,
    })
  }
  const header = request.headers.authorization
  if (header === undefined) refuse(s3Errors.accessDenied, { reason: 'the request is not signed' })
  const match = /^AWS4-HMAC-SHA256\s+(.*)$/.exec(header)
  if (!match) refuse(s3Errors.malformed, { reason: 'only AWS4-HMAC-SHA256 is known' })
  const parts = new Map((match[1] ?? '').split(',').map(part => splitAt(part.trim(), '=')))
  return split({
    credential: parts.get('Credential') ?? '',
    headers: parts.get('SignedHeaders') ?? '',
    signature: parts.get('Signature') ?? '',
    at: one(request.headers['x-amz-date']) ?? '',
    payload: one(request.headers['x-amz-content-sha256']) ?? sha256(''),
    isQuery: false,
  })
}

function split(raw: {
  credential: string
  headers: string
  signature: string
  at: string
  payload: string
  isQuery: boolean
}): Given {
  const [accessKeyId = '', ...scope] = raw.credential.split('/')
  const signedHeaders = raw.headers.split(';').filter(name => name !== '')
  const isWhole = scope.length === 4 && /^[0-9a-f]{64}$/.test(raw.signature) && /^\d{8}T\d{6}Z$/.test(raw.at)
  if (!isWhole) refuse(s3Errors.malformed, { reason: 'credential, signature or date is missing or not as it must be' })
  if (!signedHeaders.includes('host')) refuse(s3Errors.malformed, { reason: 'the host must be signed' })
  const { signature, at, payload, isQuery } = raw
  return { accessKeyId, scope, signedHeaders, signature, at, payload, isQuery }
}

function assertInTime(server: Server, given: Given, query: readonly [string, string][]): void {
  const now = server.clock.now()
  const at = Date.parse(given.at.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  if (given.isQuery) {
    const seconds = Number(query.find(([key]) => key === 'X-Amz-Expires')?.[1])
    if (!Number.isInteger(seconds) || seconds < 1 || seconds > longestSeconds)
      refuse(s3Errors.malformed, { reason: `X-Amz-Expires is 1 to ${longestSeconds} seconds` })
    const ends = at + seconds * 1000
    if (!(now <= ends)) refuse(s3Errors.expired, { at: new Date(ends).toISOString() })
    if (at - now > skewMs) refuse(s3Errors.skewed, { at: given.at })
  } else if (!(Math.abs(now - at) <= skewMs)) refuse(s3Errors.skewed, { at: given.at })
}

function canonical(request: FastifyRequest, path: string, query: readonly [string, string][], given: Given): string {
  const pairs = query
    .filter(([key]) => key !== 'X-Amz-Signature')
    .map(([key, value]) => [encoded(key), encoded(value)] as const)
    .sort((a, b) => order(a[0], b[0]) || order(a[1], b[1]))
  const headers = given.signedHeaders.map(name => `${name}:${headerText(request, name)}\n`)
  return [
    request.method,
    path.split('/').map(reencoded).join('/'),
    pairs.map(([key, value]) => `${key}=${value}`).join('&'),
    headers.join(''),
    given.signedHeaders.join(';'),
    given.payload,
  ].join('\n')
}

const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

function headerText(request: FastifyRequest, name: string): string {
  const value = request.headers[name]
  const text = Array.isArray(value) ? value.join(',') : (value ?? '')
  return text.trim().replace(/\s+/g, ' ')
}

function pairsOf(search: string): [string, string][] {
  return search
    .split('&')
    .filter(pair => pair !== '')
    .map(pair => splitAt(pair, '=').map(decoded) as [string, string])
}

function splitAt(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark)
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', '%20'))
  } catch {
    return refuse(s3Errors.badArgument, { name: 'the address', value: text, expected: 'it must be encoded UTF-8' })
  }
}

/** As AWS writes them: everything but letters, digits, and -_.~ */
function encoded(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, one => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)
}

function reencoded(segment: string): string {
  try {
    return encoded(decodeURIComponent(segment))
  } catch {
    return segment
  }
}
