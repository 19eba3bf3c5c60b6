import type { FastifyRequest } from 'fastify'
import type { Download, WireAccess } from '../../../../server/implement.ts'
import type { BucketFacts } from '../buckets/facts.ts'
import { one } from '../objects/reading.ts'
import { corsRuleFor } from '../rules.ts'

/** Says with the answer, whatever it is, that a page of the bucket's rules may read it. */
export function letPagesRead(bucket: BucketFacts, wire: WireAccess): void {
  const { request } = wire
  const { origin } = request.headers
  if (origin === undefined) return
  const { reply } = wire
  const rule = corsRuleFor(bucket.cors, { origin, method: request.method, headers: [] })
  reply.header('vary', 'Origin')
  if (!rule) return
  reply.header('access-control-allow-origin', rule.allowedOrigins.includes('*') ? '*' : origin)
  if (rule.exposeHeaders.length > 0) reply.header('access-control-expose-headers', rule.exposeHeaders.join(', '))
}

/** The answer to a browser that asks before it sends. */
export function answerPreflight(bucket: BucketFacts, request: FastifyRequest): Download {
  const origin = one(request.headers.origin) ?? ''
  const method = one(request.headers['access-control-request-method']) ?? ''
  const asked = (one(request.headers['access-control-request-headers']) ?? '')
    .split(',')
    .map(header => header.trim().toLowerCase())
    .filter(header => header !== '')
  const rule = corsRuleFor(bucket.cors, { origin, method, headers: asked })
  if (!rule) return { status: 403, headers: { vary: 'Origin' }, body: null }
  return {
    status: 204,
    headers: {
      vary: 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
      'access-control-allow-origin': rule.allowedOrigins.includes('*') ? '*' : origin,
      'access-control-allow-methods': rule.allowedMethods.join(', '),
      ...(asked.length > 0 ? { 'access-control-allow-headers': asked.join(', ') } : {}),
      'access-control-max-age': rule.maxAgeSeconds,
    },
    body: null,
  }
}
