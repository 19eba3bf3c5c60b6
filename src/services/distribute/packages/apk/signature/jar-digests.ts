import { createHash } from 'node:crypto'
import type { JarSection } from './jar-manifest.ts'

export type JarDigest = { hash: string; value: Buffer }

/** First API level that picks the strongest digest instead of the first one it knows. */
const SDK_STRONGEST = 18
const STRONGEST_FIRST = [
  ['sha512', 'sha-512'],
  ['sha384', 'sha-384'],
  ['sha256', 'sha-256'],
  ['sha1', 'sha1'],
] as const
/** Digests of devices below API level 18, with the level that brought them. */
const OLD_HASHES: Record<string, { hash: string; minSdk: number }> = {
  md5: { hash: 'md5', minSdk: 0 },
  sha: { hash: 'sha1', minSdk: 0 },
  sha1: { hash: 'sha1', minSdk: 0 },
  'sha-1': { hash: 'sha1', minSdk: 0 },
  'sha-256': { hash: 'sha256', minSdk: 0 },
  'sha-384': { hash: 'sha384', minSdk: 9 },
  'sha-512': { hash: 'sha512', minSdk: 9 },
}

/**
 * The digests of a section that devices from `minSdk` on would check, all of which must hold: old devices take the
 * first in `Digest-Algorithms` they know, newer ones the strongest. Empty when some device would find none.
 */
export function expectedDigests(section: JarSection, suffix: string, minSdk: number): JarDigest[] {
  const found: JarDigest[] = []
  if (minSdk < SDK_STRONGEST) {
    const old = oldDigest(section, suffix, minSdk)
    if (!old) return []
    found.push(old)
  }
  for (const [hash, name] of STRONGEST_FIRST) {
    const text = section.attributes.get(`${name}${suffix}`)
    if (text === undefined) continue
    const value = Buffer.from(text, 'base64')
    if (!found.some(known => known.hash === hash && known.value.equals(value))) found.push({ hash, value })
    break
  }
  return found
}

function oldDigest(section: JarSection, suffix: string, minSdk: number): JarDigest | null {
  const names = (section.attributes.get('digest-algorithms') ?? 'SHA SHA1').toLowerCase().split(/\s+/)
  for (const name of names) {
    const text = section.attributes.get(`${name}${suffix}`)
    const known = OLD_HASHES[name]
    if (text !== undefined && known && known.minSdk <= minSdk) {
      return { hash: known.hash, value: Buffer.from(text, 'base64') }
    }
  }
  return null
}

/** Whether `bytes` have every one of the digests. */
export function haveDigests(bytes: Buffer, digests: JarDigest[]): boolean {
  return digests.every(({ hash, value }) => createHash(hash).update(bytes).digest().equals(value))
}
