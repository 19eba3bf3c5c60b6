import { sha256 } from '@noble/hashes/sha2.js'

const utf8 = new TextEncoder()
const [empty, work] = [sha256.create(), sha256.create()]
const digest = new DataView(new ArrayBuffer(32))
const digestBytes = new Uint8Array(digest.buffer)
const room = new Uint8Array(1024)

/** A hundred percent of a phased release, in basis points. */
export const wholeBasisPoints = 10_000

/**
 * Where a device stands in a phased release, 0 to 9999: the first four bytes of SHA-256(salt ":" device), big-endian, modulo
 * 10 000 (distribution 3.11). The same salt gives the same place; a device is in while its place is below the share.
 */
export function phaseBucket(salt: string, deviceId: string): number {
  const text = `${salt}:${deviceId}`
  // Every device asks this of every phased version: one hash in use again and again costs a quarter of a new one.
  empty._cloneInto(work)
  work.update(text.length * 3 > room.length ? utf8.encode(text) : room.subarray(0, utf8.encodeInto(text, room).written))
  work.digestInto(digestBytes)
  return digest.getUint32(0) % wholeBasisPoints
}

/** A test over devices: how many of them take part, and how those are divided. */
export interface DividedTest {
  testId: string
  /** Basis points. */
  trafficBp: number
  /** Percent of those who take part, the control first; together 100. */
  shares: readonly number[]
}

/**
 * In which arm of a test a device is, 0 the control; null when it takes no part (distribution 3.21). Its place stays as long as
 * the test: whoever takes part at 10 percent would at 20 percent too.
 */
export function armOf({ testId, trafficBp, shares }: DividedTest, deviceId: string): number | null {
  const place = phaseBucket(testId, deviceId)
  if (place >= trafficBp) return null
  let upTo = 0
  for (const [arm, share] of shares.entries()) {
    upTo += share
    if (place * 100 < upTo * trafficBp) return arm
  }
  return null
}
