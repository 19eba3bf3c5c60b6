import type { Readable } from 'node:stream'
import { Refusal, refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import type { Download } from '../../../server/implement.ts'
import { functionErrors } from './contract.ts'
import type { Ran } from './invocation.ts'
import { refusalOf } from './invoke.ts'
import { limits } from './rules.ts'

type Headers = Readonly<Record<string, string | string[] | undefined>>

/** How many functions led to a call, of whatever project they are. Refuses a circle. */
export function hopsOf({ place }: Context): number {
  const hops = place.led?.hops ?? 0
  return hops < limits.hops ? hops : refuse(functionErrors.loop, { hops })
}

/**
 * A body as bytes. Refuses what is too large. What came with its head is there already and is taken as it is; the rest
 * comes by its events, as a walk over a stream costs a call more than its copy.
 */
export function bodyOf(stream: Readable & { complete?: boolean }, limit: number): Buffer | Promise<Buffer> {
  if (stream.complete && !stream.destroyed) {
    const whole = (stream.read() as Buffer | null) ?? Buffer.alloc(0)
    const bytes = whole.length
    return bytes <= limit ? whole : refuse(functionErrors.bodyTooLarge, { bytes, limit })
  }
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    let bytes = 0
    const goneAway = () => reject(new Error('the sender went away before the end of the body'))
    if (stream.destroyed) return goneAway()
    stream.on('data', (part: Buffer) => {
      bytes += part.length
      if (bytes <= limit) parts.push(part)
      else reject(new Refusal(functionErrors.bodyTooLarge, { bytes, limit }))
    })
    stream.on('end', () => resolve(parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)))
    stream.on('error', reject)
    stream.on('close', () => stream.readableEnded || goneAway())
  })
}

/** What a call answers over HTTP; throws the refusal of one that has no result. */
export function answerOf(ran: Ran): Download {
  const refusal = refusalOf(ran)
  if (refusal) throw refusal
  const { result } = ran
  const told = {
    'x-request-id': ran.requestId,
    'x-function-version': ran.version,
    'x-cold-start': String(ran.phases.isCold),
  }
  if (result?.kind !== 'http')
    return {
      status: 200,
      headers: { ...told, 'content-type': 'application/json; charset=utf-8' },
      body: result?.text ?? 'null',
    }
  const body = result.isBase64 ? Buffer.from(result.body, 'base64') : result.body
  return { status: safeStatus(result.status), headers: { ...safeHeaders(result.headers), ...told }, body }
}

const safeStatus = (status: number) => (Number.isInteger(status) && status >= 200 && status <= 599 ? status : 500)

const notPassed =
  /^(connection|keep-alive|transfer-encoding|content-length|upgrade|te|trailer|set-cookie2?|strict-transport-security|clear-site-data|service-worker-allowed|alt-svc|x-request-id|x-function-version|x-cold-start|proxy-.*)$/i

/** What a function says of its answer, without what is the server's own to say. */
function safeHeaders(headers: Record<string, string>): Record<string, string> {
  const kept = Object.entries(headers).filter(
    ([name, value]) =>
      /^[\w!#$%&'*+.^`|~-]{1,100}$/.test(name) && !notPassed.test(name) && /^[\t\x20-\x7e]*$/.test(String(value)),
  )
  return Object.fromEntries(kept.slice(0, 50).map(([name, value]) => [name.toLowerCase(), String(value)]))
}

const neverForwarded = new Set(['access_token', 'accesstoken', 'cookie'])

/** A request as a function gets it. */
interface HttpEvent {
  path: string
  httpMethod: string
  /** As they were sent, their names in lower case. */
  headers: Headers
  queryStringParameters: unknown
  body: string
  isBase64Encoded: boolean
}

/** JSON by headers: one object may stand for those of many requests. */
const texts = { withAuthorization: new WeakMap<Headers, string>(), without: new WeakMap<Headers, string>() }

/**
 * The event of an HTTP request, as JSON.
 *
 * @param keepsAuthorization where the token is meant for the function itself
 */
export function httpEvent(request: HttpEvent, keepsAuthorization = false): string {
  const { headers, path, httpMethod, queryStringParameters, body, isBase64Encoded } = request
  const known = keepsAuthorization ? texts.withAuthorization : texts.without
  let text = known.get(headers)
  if (text === undefined) {
    text = JSON.stringify(forwarded(headers, keepsAuthorization))
    known.set(headers, text)
  }
  // Each by itself: JSON takes longer for one object of all.
  const [where, how, query] = [JSON.stringify(path), JSON.stringify(httpMethod), JSON.stringify(queryStringParameters)]
  const asked = `"path":${where},"httpMethod":${how},"queryStringParameters":${query}`
  return `{"headers":${text},${asked},"body":${JSON.stringify(body)},"isBase64Encoded":${isBase64Encoded}}`
}

/** What a function sees of the headers: no cookie of ours, and no token but one that is meant for the function itself. */
function forwarded(headers: Headers, keepsAuthorization: boolean): Record<string, string> {
  // With a prototype: an object without one takes twice as long to be put into words, and it is put into words next.
  const kept: Record<string, string> = {}
  for (const name in headers) {
    const value = headers[name]
    const isOwn = name === 'authorization' && !keepsAuthorization
    if (value === undefined || isOwn || neverForwarded.has(name)) continue
    if (!name.startsWith('proxy-') && !name.startsWith('x-csrf')) kept[name] = String(value)
  }
  return kept
}
