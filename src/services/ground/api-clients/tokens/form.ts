import type { FastifyRequest } from 'fastify'
import { OAuthError } from './oauth-error.ts'

export type Form = Readonly<Record<string, string>>

/**
 * The fields of a form. Refuses fields that come twice (RFC 6749, 3.2), bodies that are no form, and anything in the
 * address: what stands there is written into logs on the way.
 */
export function readForm(request: FastifyRequest, body: unknown): Form {
  if (request.url.includes('?'))
    throw new OAuthError('invalid_request', 'send everything in the body, nothing in the address')
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/x-www-form-urlencoded' || typeof body !== 'object' || body === null)
    throw new OAuthError('invalid_request', 'send a form: application/x-www-form-urlencoded')
  const twice = Object.entries(body).find(([, value]) => Array.isArray(value))
  if (twice) throw new OAuthError('invalid_request', 'a field of the form is sent twice')
  return body as Form
}
