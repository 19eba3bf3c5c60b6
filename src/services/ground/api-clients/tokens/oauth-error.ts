import type { FastifyRequest } from 'fastify'
import type { Download } from '../../../../server/implement.ts'

type Code =
  | 'invalid_request'
  | 'invalid_client'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'invalid_scope'
  | 'invalid_target'
  | 'temporarily_unavailable'

const statuses: Partial<Record<Code, number>> = { invalid_client: 401, temporarily_unavailable: 503 }

/** A refusal as RFC 6749, 5.2 writes it; a description never repeats what was sent. */
export class OAuthError extends Error {
  readonly code: Code

  constructor(code: Code, description: string) {
    super(description)
    this.code = code
  }
}

export const statusOf = ({ code }: OAuthError): number => statuses[code] ?? 400

const fixed = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', pragma: 'no-cache' }

export function json(body: unknown, more: Record<string, string> = {}): Download {
  return { headers: { ...fixed, ...more }, body: JSON.stringify(body) }
}

/** Runs the work of an endpoint and writes a refusal as the standard wants it; whatever else fails is the frame's. */
export async function answering(request: FastifyRequest, work: () => Promise<Download>): Promise<Download> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error
    const status = statusOf(error)
    const more: Record<string, string> = {
      ...(status === 401 && request.headers.authorization !== undefined
        ? { 'www-authenticate': 'Basic realm="loggia"' }
        : {}),
      ...(status === 503 ? { 'retry-after': '5' } : {}),
    }
    return { ...json({ error: error.code, error_description: error.message }, more), status }
  }
}
