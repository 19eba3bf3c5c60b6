/**
 * The one bucketing function (brief growth 8.3, normative), the same in browser, server and PostgreSQL. A unit is the value
 * of an attribute, never an internal id; `seed` is made with the object and never changes, so a rename moves nobody.
 */
export const bucketSpaces = ['rollout', 'variant', 'layer', 'holdout', 'sample', 'linkab'] as const
export type BucketSpace = (typeof bucketSpaces)[number]

/** Micro-percent: a hundred percent is this many. */
export const wholeMicroPercent = 100_000_000

const separator = 0x1f

// A hash in the making: text goes in byte by byte, so that nothing is allocated. One at a time, never across an await.
let hash = 0
let block = 0
let shift = 0
let bytes = 0

function begin(seed: number): void {
  hash = seed | 0
  block = 0
  shift = 0
  bytes = 0
}

function scramble(value: number): number {
  const mixed = Math.imul(value, 0xcc9e2d51)
  return Math.imul((mixed << 15) | (mixed >>> 17), 0x1b873593)
}

function put(byte: number): void {
  block |= byte << shift
  shift += 8
  bytes++
  if (shift === 32) {
    const mixed = hash ^ scramble(block)
    hash = (Math.imul((mixed << 13) | (mixed >>> 19), 5) + 0xe6546b64) | 0
    block = 0
    shift = 0
  }
}

/** UTF-8 as TextEncoder writes it: half of a pair becomes U+FFFD. */
function putText(text: string): void {
  for (let at = 0; at < text.length; at++) {
    let code = text.charCodeAt(at)
    if (code < 0x80) {
      put(code)
      continue
    }
    if (code < 0x800) {
      put(0xc0 | (code >> 6))
      put(0x80 | (code & 0x3f))
      continue
    }
    if (code >= 0xd800 && code <= 0xdfff) {
      const next = code < 0xdc00 ? text.charCodeAt(at + 1) : 0
      if (next >= 0xdc00 && next <= 0xdfff) {
        code = 0x10000 + ((code & 0x3ff) << 10) + (next & 0x3ff)
        at++
        put(0xf0 | (code >> 18))
        put(0x80 | ((code >> 12) & 0x3f))
        put(0x80 | ((code >> 6) & 0x3f))
        put(0x80 | (code & 0x3f))
        continue
      }
      code = 0xfffd
    }
    put(0xe0 | (code >> 12))
    put(0x80 | ((code >> 6) & 0x3f))
    put(0x80 | (code & 0x3f))
  }
}

function end(): number {
  let last = hash ^ scramble(block) ^ bytes
  last = Math.imul(last ^ (last >>> 16), 0x85ebca6b)
  last = Math.imul(last ^ (last >>> 13), 0xc2b2ae35)
  return (last ^ (last >>> 16)) >>> 0
}

/** MurmurHash3 x86 32 (Austin Appleby, public domain) of the UTF-8 bytes of a text, as an unsigned number. */
export function murmur3(text: string, seed = 0): number {
  begin(seed)
  putText(text)
  return end()
}

function hashOf(ns: string, seed: string, unit: string): number {
  begin(0)
  putText(ns)
  put(separator)
  putText(seed)
  put(separator)
  putText(unit)
  return end()
}

/** The whole part of `hash * total / 2^32`, exact for totals below 2^37: the product alone does not fit a double. */
export function shareOf(unsigned: number, total: number): number {
  const high = unsigned >>> 16
  const low = unsigned & 0xffff
  return Math.floor((high * total + Math.floor((low * total) / 65_536)) / 65_536)
}

/** Where a unit stands in a space, 0 to 99 999 999. */
export function microPercent(ns: BucketSpace, seed: string, unit: string): number {
  return shareOf(hashOf(ns, seed, unit), wholeMicroPercent)
}

/** Percent as micro-percent, rounded as the brief says. */
export function microOf(percent: number): number {
  return Math.round(percent * 1_000_000)
}

/** Whether a unit is within the first `percent` of a space; growing it never takes anybody out. Without a unit: no. */
export function isWithin(ns: BucketSpace, seed: string, unit: string | undefined, percent: number): boolean {
  return unit !== undefined && microPercent(ns, seed, unit) < microOf(percent)
}

/** The first variant whose weights, added up, are above the place; -1 where all weigh nothing. */
export function variantOfShare(unsigned: number, weights: readonly number[]): number {
  let total = 0
  for (const weight of weights) total += weight
  const place = shareOf(unsigned, total)
  let sum = 0
  for (let at = 0; at < weights.length; at++) {
    sum += weights[at] as number
    if (sum > place) return at
  }
  return -1
}

/** Which variant a unit gets, by whole weights with a sum up to 2^31-1; -1 where all weigh nothing. */
export function variantAt(ns: BucketSpace, seed: string, unit: string, weights: readonly number[]): number {
  return variantOfShare(hashOf(ns, seed, unit), weights)
}

/** The canonical text of a unit: NFC, trimmed, numbers without exponent. Undefined where there is none: nobody is drawn. */
export function unitOf(value: unknown): string | undefined {
  if (typeof value === 'string') {
    const text = canonicalText(value).trim()
    return text === '' ? undefined : text
  }
  if (typeof value === 'number') return Number.isFinite(value) ? plainNumber(value) : undefined
  return typeof value === 'bigint' ? value.toString() : undefined
}

/** NFC; text of plain ASCII is so already and comes back as it is. */
export function canonicalText(text: string): string {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x7f) return text.normalize('NFC')
  return text
}

/** The shortest digits that stand for a number, written out: 1e21 as 1000000000000000000000, 1e-7 as 0.0000001. */
export function plainNumber(value: number): string {
  const short = String(value)
  const parts = /^(-?)(\d+)(?:\.(\d+))?e([+-]\d+)$/.exec(short)
  if (!parts) return short
  const [, sign = '', whole = '', fraction = '', power = '0'] = parts
  const digits = whole + fraction
  const point = whole.length + Number(power)
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`
  return point >= digits.length
    ? `${sign}${digits.padEnd(point, '0')}`
    : `${sign}${digits.slice(0, point)}.${digits.slice(point)}`
}
