import { createHmac, randomBytes } from 'node:crypto'
import type { MasterKey } from '../../../server/master-key.ts'

const purpose = 'webhook secret'
const prefix = 'whsec_'

/** A new secret as receivers take it: 256 random bits behind `whsec_`. */
export function newSecret(): string {
  return prefix + randomBytes(32).toString('base64')
}

interface Place {
  endpointId: string
  url: string
}

/** Bound to the webhook and its address: a row that was moved, or an address that was changed, cannot be signed for. */
export function sealSecret(masterKey: MasterKey, place: Place, secret: string): string {
  return masterKey.seal(purpose, contextOf(place), secret)
}

/** The signing secrets of an endpoint now, the newest first. */
export function secretsOf(
  masterKey: MasterKey,
  endpoint: Place & { secret: string; oldSecret: string | null; oldSecretUntil: number | null },
  now: number,
): string[] {
  const hasOld = endpoint.oldSecret !== null && (endpoint.oldSecretUntil ?? 0) > now
  const sealed = [endpoint.secret, ...(hasOld && endpoint.oldSecret !== null ? [endpoint.oldSecret] : [])]
  return sealed.map(one => masterKey.open(purpose, contextOf(endpoint), one))
}

/** The headers of Standard Webhooks 1.0: HMAC-SHA256 over `id.timestamp.body`, one signature a secret. */
export function signedHeaders(
  secrets: readonly string[],
  message: { id: string; at: number; body: string },
): Record<string, string> {
  const timestamp = String(Math.floor(message.at / 1000))
  const text = `${message.id}.${timestamp}.${message.body}`
  const signatures = secrets.map(secret => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64')
    return `v1,${createHmac('sha256', key).update(text).digest('base64')}`
  })
  return { 'webhook-id': message.id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}

const contextOf = ({ endpointId, url }: Place) => `${endpointId} ${url}`
