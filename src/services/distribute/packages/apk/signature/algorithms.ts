import { constants, type KeyObject, verify } from 'node:crypto'

/** How the content of a package is condensed before it is signed. */
export type ContentDigestKind = 'sha256' | 'sha384' | 'sha512' | 'verity-sha256'

export type SignatureAlgorithm = {
  id: number
  keyType: 'rsa' | 'ec' | 'dsa'
  hash: 'sha256' | 'sha512'
  isPss: boolean
  contentDigest: ContentDigestKind
  /** First API level that knows the algorithm. */
  minSdk: number
}

const SDK_N = 24
const SDK_P = 28

type Row = [SignatureAlgorithm['keyType'], SignatureAlgorithm['hash'], ContentDigestKind, boolean, number]

const rows: Record<number, Row> = {
  257: ['rsa', 'sha256', 'sha256', true, SDK_N],
  258: ['rsa', 'sha512', 'sha512', true, SDK_N],
  259: ['rsa', 'sha256', 'sha256', false, SDK_N],
  260: ['rsa', 'sha512', 'sha512', false, SDK_N],
  513: ['ec', 'sha256', 'sha256', false, SDK_N],
  514: ['ec', 'sha512', 'sha512', false, SDK_N],
  769: ['dsa', 'sha256', 'sha256', false, SDK_N],
  1057: ['rsa', 'sha256', 'verity-sha256', false, SDK_P],
  1059: ['ec', 'sha256', 'verity-sha256', false, SDK_P],
  1061: ['dsa', 'sha256', 'verity-sha256', false, SDK_P],
}

/** The algorithm a signing block names, or undefined when no device knows it. */
export function signatureAlgorithm(id: number): SignatureAlgorithm | undefined {
  const row = rows[id]
  if (!row) return undefined
  const [keyType, hash, contentDigest, isPss, minSdk] = row
  return { id, keyType, hash, isPss, contentDigest, minSdk }
}

/** Verifies one signature; a key of another type is a signature that does not verify. */
export function verifySignature(
  algorithm: SignatureAlgorithm,
  key: KeyObject,
  data: Buffer,
  signature: Buffer,
): boolean {
  if (key.asymmetricKeyType !== algorithm.keyType) return false
  const saltLength = algorithm.hash === 'sha256' ? 32 : 64
  const padding = algorithm.isPss ? { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength } : {}
  try {
    return verify(algorithm.hash, data, { key, ...padding }, signature)
  } catch {
    // OpenSSL throws for keys and signatures it finds malformed.
    return false
  }
}

const STRENGTH: ContentDigestKind[] = ['sha256', 'verity-sha256', 'sha512']

/**
 * The signatures a device checks: of those its version knows, the one with the strongest digest, for every version in
 * the range. Empty when the lowest version of the range knows none.
 */
export function strongestSignatures<T extends { algorithm: SignatureAlgorithm }>(
  signatures: T[],
  minSdk: number,
  maxSdk: number,
): T[] {
  const strength = (item: T) => STRENGTH.indexOf(item.algorithm.contentDigest)
  const best = new Map<number, T>()
  for (const item of signatures) {
    const since = item.algorithm.minSdk
    const known = best.get(since)
    if (since <= maxSdk && (!known || strength(item) > strength(known))) best.set(since, item)
  }
  const firstSdk = Math.min(...best.keys())
  return best.size === 0 || minSdk < firstSdk ? [] : [...best.values()]
}
