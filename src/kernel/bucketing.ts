import { sha256 } from '@noble/hashes/sha2.js'

const utf8 = new TextEncoder()

/** A hundred percent of a phased release, in basis points. */
export const wholeBasisPoints = 10_000

/**
 * Where a device stands in a phased release, 0 to 9999: the first four bytes of SHA-256(salt ":" device), big-endian, modulo
 * 10 000 (distribution 3.11). The same salt gives the same place; a device is in while its place is below the share.
 */
export function phaseBucket(salt: string, deviceId: string): number {
  const digest = sha256(utf8.encode(`${salt}:${deviceId}`))
  return new DataView(digest.buffer, digest.byteOffset).getUint32(0) % wholeBasisPoints
}
