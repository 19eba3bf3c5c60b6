import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto'
import { calculateJwkThumbprint, type JWK } from 'jose'
import type { KeyAlgorithm } from '../rules.ts'

interface Read {
  kid: string
  algorithm: KeyAlgorithm
  publicJwk: Record<string, string>
}
export type KeyFault = 'private' | 'unreadable' | 'kind'

/** A public key from PEM or a JWK. A private one is refused, not cut down: its owner should learn that he sent it. */
export async function readPublicKey(text: string): Promise<Read | { fault: KeyFault }> {
  const trimmed = text.trim()
  if (/PRIVATE KEY/.test(trimmed)) return { fault: 'private' }
  let key: KeyObject
  try {
    if (trimmed.startsWith('{')) {
      const jwk = JSON.parse(trimmed) as JsonWebKey
      if ('d' in jwk || 'p' in jwk || 'k' in jwk) return { fault: 'private' }
      key = createPublicKey({ key: jwk, format: 'jwk' })
    } else {
      key = createPublicKey(trimmed)
    }
  } catch {
    return { fault: 'unreadable' }
  }
  const algorithm = algorithmFor(key)
  return algorithm ? toPublicKey(key.export({ format: 'jwk' }) as JWK, algorithm) : { fault: 'kind' }
}

/** The public half alone, with its thumbprint. */
export async function toPublicKey(jwk: JWK, algorithm: KeyAlgorithm): Promise<Read> {
  const { kty, crv, x, y, n, e } = jwk
  const parts = Object.entries({ kty, crv, x, y, n, e }).filter(([, value]) => value !== undefined)
  const publicJwk = Object.fromEntries(parts) as Record<string, string>
  return { kid: await calculateJwkThumbprint(publicJwk as JWK), algorithm, publicJwk }
}

function algorithmFor(key: KeyObject): KeyAlgorithm | null {
  const { namedCurve, modulusLength = 0 } = key.asymmetricKeyDetails ?? {}
  if (key.asymmetricKeyType === 'ed25519') return 'EdDSA'
  if (key.asymmetricKeyType === 'rsa') return modulusLength >= 2048 && modulusLength <= 8192 ? 'RS256' : null
  if (key.asymmetricKeyType !== 'ec') return null
  return namedCurve === 'prime256v1' ? 'ES256' : namedCurve === 'secp384r1' ? 'ES384' : null
}
