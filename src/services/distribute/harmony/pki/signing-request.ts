import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto'
import { bytesOf, fromDer, isA, oidOf, toDer, within } from './asn1.ts'

/** A request that was signed with the key that it is for. */
export interface SigningRequest {
  publicKey: KeyObject
  /** Lower-case hex, of the request in DER. */
  sha256: string
}

const rsaBitsLeast = 3072
const rsaExponentLeast = 65_537n
const signatures: Readonly<Record<string, { hash: string; key: 'ec' | 'rsa' }>> = {
  '1.2.840.10045.4.3.2': { hash: 'sha256', key: 'ec' },
  '1.2.840.10045.4.3.3': { hash: 'sha384', key: 'ec' },
  '1.2.840.10045.4.3.4': { hash: 'sha512', key: 'ec' },
  '1.2.840.113549.1.1.11': { hash: 'sha256', key: 'rsa' },
  '1.2.840.113549.1.1.12': { hash: 'sha384', key: 'rsa' },
  '1.2.840.113549.1.1.13': { hash: 'sha512', key: 'rsa' },
}
const frame =
  /^\s*-----BEGIN (NEW )?CERTIFICATE REQUEST-----\r?\n([A-Za-z0-9+/=\r\n]+)-----END \1?CERTIFICATE REQUEST-----\s*$/

/**
 * Reads a certificate signing request (RFC 2986) in PEM. Only its key is taken: whom it says it is of counts for nothing. A
 * string is the reason why it cannot be taken.
 */
export function readSigningRequest(pem: string): SigningRequest | string {
  if (/PRIVATE KEY-----/.test(pem)) return 'it is a private key; send the request only, and treat the key as known'
  const body = frame.exec(pem)?.[2]
  if (body === undefined) {
    return 'it is not one request in PEM form, with nothing before -----BEGIN CERTIFICATE REQUEST----- or after its end'
  }
  const der = Buffer.from(body, 'base64')
  const whole = fromDer(der)
  const [info, algorithm, signature, ...rest] = within(whole ?? undefined)
  const [version, subject, keyInfo] = within(info)
  const isWhole = isA(whole ?? undefined, 'SEQUENCE') && isA(signature, 'BITSTRING') && rest.length === 0
  if (!isWhole || !isA(version, 'INTEGER') || !isA(subject, 'SEQUENCE') || !info || !keyInfo) {
    return 'it is no PKCS#10 request in DER'
  }
  const publicKey = readKey(toDer(keyInfo))
  const weakness = publicKey ? weaknessOf(publicKey) : 'its key cannot be read'
  if (!publicKey || weakness !== null) return weakness ?? ''
  const scheme = signatures[oidOf(within(algorithm)[0])]
  if (!scheme || scheme.key !== publicKey.asymmetricKeyType) {
    return 'it is signed in another way than ECDSA or RSA with SHA-256, SHA-384 or SHA-512'
  }
  const signatureBytes = bytesOf(signature)
  const isOwn = signatureBytes[0] === 0 && isSignedBy(publicKey, scheme.hash, toDer(info), signatureBytes.subarray(1))
  if (!isOwn) return 'it is not signed with the key that it is for'
  return { publicKey, sha256: createHash('sha256').update(der).digest('hex') }
}

function readKey(spki: Buffer): KeyObject | null {
  try {
    return createPublicKey({ key: spki, format: 'der', type: 'spki' })
  } catch {
    return null
  }
}

/** Why certificates are not issued for a key; null when they are. */
function weaknessOf(key: KeyObject): string | null {
  const { namedCurve, modulusLength = 0, publicExponent = 0n } = key.asymmetricKeyDetails ?? {}
  if (key.asymmetricKeyType === 'ec') {
    return namedCurve === 'prime256v1' ? null : `its key is on ${namedCurve ?? 'an unnamed curve'}; take P-256`
  }
  if (key.asymmetricKeyType !== 'rsa') return 'its key is neither EC P-256 nor RSA'
  if (modulusLength < rsaBitsLeast) return `its RSA key has ${modulusLength} bits; take ${rsaBitsLeast} or more`
  return publicExponent < rsaExponentLeast ? `the exponent of its RSA key is ${publicExponent}; take 65537` : null
}

function isSignedBy(key: KeyObject, hash: string, content: Buffer, signature: Buffer): boolean {
  try {
    return verify(hash, content, key, signature)
  } catch {
    return false
  }
}
