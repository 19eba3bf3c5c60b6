import { sha256 } from '@noble/hashes/sha2.js'

/**
 * The one bucketing function (brief growth 8.3, normative), the same in browser and server. A unit is the value of an
 * attribute, never an internal id; `seed` is made with the object and never changes, so a rename moves nobody.
 */
export const bucketSpaces = ['rollout', 'variant', 'layer', 'holdout', 'sample', 'linkab'] as const
export type BucketSpace = (typeof bucketSpaces)[number]

/** Micro-percent: a hundred percent is this many. */
export const wholeMicroPercent = 100_000_000

const separator = '\u001f'
const utf8 = new TextEncoder()

const rotate = (value: number, bits: number) => (value << bits) | (value >>> (32 - bits))
const scramble = (block: number) => Math.imul(rotate(Math.imul(block, 0xcc9e2d51), 15), 0x1b873593)

/** MurmurHash3 x86 32 (Austin Appleby, public domain) of UTF-8 bytes, as an unsigned number. */
export function murmur3(text: string, seed = 0): number {
  const bytes = utf8.encode(text)
  const tail = bytes.length & ~3
  let hash = seed
  for (let at = 0; at < tail; at += 4) {
    const block = bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)
    hash = Math.imul(rotate(hash ^ scramble(block), 13), 5) + 0xe6546b64
  }
  let rest = 0
  for (let at = bytes.length - 1; at >= tail; at--) rest = (rest << 8) | bytes[at]!
  hash ^= scramble(rest) ^ bytes.length
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** The canonical text of a unit: NFC, trimmed, numbers without exponent. Null where there is none: nobody is drawn. */
export function unitOf(value: string | number | bigint | null | undefined): string | null {
  if (value === null || value === undefined) return null
  const text = typeof value === 'number' ? plainNumber(value) : String(value).normalize('NFC').trim()
  return text === '' ? null : text
}

function plainNumber(value: number): string {
  if (!Number.isFinite(value)) return ''
  return Number.isInteger(value)
    ? BigInt(value).toString()
    : value.toLocaleString('en', { useGrouping: false, maximumFractionDigits: 20 })
}

const hashOf = (space: BucketSpace, seed: string, unit: string) => murmur3(space + separator + seed + separator + unit)

/** Where a unit stands, 0 to 99 999 999. */
export function microPercent(space: BucketSpace, seed: string, unit: string): number {
  return Number((BigInt(hashOf(space, seed, unit)) * BigInt(wholeMicroPercent)) >> 32n)
}

/** Whether a unit is within `percent` of a rollout; growing it never takes anybody out. Without a unit: no. */
export function isInRollout(
  seed: string,
  unit: string | null,
  percent: number,
  space: BucketSpace = 'rollout',
): boolean {
  return unit !== null && microPercent(space, seed, unit) < Math.round(percent * 1_000_000)
}

/** Which of the variants a unit gets, by whole weights with a sum up to 2^31-1; -1 where all weigh nothing. */
export function variantOf(
  seed: string,
  unit: string,
  weights: readonly number[],
  space: BucketSpace = 'variant',
): number {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const place = Number((BigInt(hashOf(space, seed, unit)) * BigInt(total)) >> 32n)
  let sum = 0
  return weights.findIndex(weight => {
    sum += weight
    return sum > place
  })
}

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
