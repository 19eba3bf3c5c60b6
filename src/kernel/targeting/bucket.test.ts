import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type BucketSpace,
  bucketSpaces,
  isWithin,
  microPercent,
  murmur3,
  plainNumber,
  shareOf,
  unitOf,
  variantAt,
} from './bucket.ts'

describe('the hash', () => {
  it.each([
    ['', 0, 0],
    ['', 1, 0x514e28b7],
    ['test', 0, 0xba6bd213],
    ['test', 0x9747b28c, 0x704b81dc],
    ['Hello, world!', 0, 0xc0363e43],
    ['The quick brown fox jumps over the lazy dog', 0, 0x2e4ff723],
    ['ππππππππ', 0x9747b28c, 0xd58063c1],
  ])('of %j with the seed %i is the published one', (text, seed, hash) => expect(murmur3(text, seed)).toBe(hash))

  it('reads text as the UTF-8 that an encoder writes, half pairs too', () => {
    const encoder = new TextEncoder()
    const unit = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), halfPairs)
    fc.assert(
      fc.property(
        unit,
        fc.nat(0xffffffff),
        (text, seed) => murmur3(text, seed) === plainMurmur(encoder.encode(text), seed),
      ),
      { numRuns: 5000 },
    )
  })

  it('takes its share exactly, as whole numbers of any length do', () => {
    const total = fc.integer({ min: 0, max: 2 ** 31 - 1 })
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xffffffff }), total, (hash, whole) => {
        return BigInt(shareOf(hash, whole)) === (BigInt(hash) * BigInt(whole)) >> 32n
      }),
      { numRuns: 20_000 },
    )
    expect(shareOf(0xffffffff, 100_000_000)).toBe(99_999_999)
  })
})

const halfPairs = fc.array(fc.integer({ min: 0xd700, max: 0xe010 })).map(codes => String.fromCharCode(...codes))

/** The algorithm as it is written down, over bytes and whole numbers of any length. */
function plainMurmur(bytes: Uint8Array, seed: number): number {
  const m = 0xffffffffn
  const turn = (value: bigint, by: bigint) => ((value << by) | (value >> (32n - by))) & m
  let h = BigInt(seed)
  const tail = bytes.length - (bytes.length % 4)
  const k = (value: bigint) => (turn((value * 0xcc9e2d51n) & m, 15n) * 0x1b873593n) & m
  for (let at = 0; at < tail; at += 4) {
    let word = 0n
    for (let byte = 3; byte >= 0; byte--) word = (word << 8n) | BigInt(bytes[at + byte] as number)
    h = (turn(h ^ k(word), 13n) * 5n + 0xe6546b64n) & m
  }
  let rest = 0n
  for (let at = bytes.length - 1; at >= tail; at--) rest = (rest << 8n) | BigInt(bytes[at] as number)
  h ^= k(rest) ^ BigInt(bytes.length)
  h = ((h ^ (h >> 16n)) * 0x85ebca6bn) & m
  h = ((h ^ (h >> 13n)) * 0xc2b2ae35n) & m
  return Number(h ^ (h >> 16n))
}

const ids = Array.from({ length: 100_000 }, (_, at) => `user-${at}`)

describe('a bucket', () => {
  it('stands where the brief says', () => {
    expect(microPercent('rollout', 'abc', 'user-1')).toBe(13_904_877)
    expect(microPercent('variant', 'abc', 'user-1')).toBe(18_234_837)
  })

  it('never loses anybody of a hundred thousand when a rollout grows', () => {
    const percent = fc.double({ min: 0, max: 100, noNaN: true })
    const places = new Map<string, number[]>()
    fc.assert(
      fc.property(fc.constantFrom('a', 'b', 'ü'), percent, percent, (seed, one, other) => {
        const [low, high] = one < other ? [one, other] : [other, one]
        const known = places.get(seed) ?? ids.map(id => microPercent('rollout', seed, id))
        places.set(seed, known)
        return known.every(place => place >= Math.round(low * 1_000_000) || place < Math.round(high * 1_000_000))
      }),
      { numRuns: 50 },
    )
    for (const id of ids) {
      if (isWithin('rollout', 'a', id, 17.3)) expect(isWithin('rollout', 'a', id, 17.300001)).toBe(true)
    }
  })

  it.each([
    [0, false],
    [100, true],
  ])('at %i percent takes everybody or nobody', (percent, isIn) => {
    for (let at = 0; at < 1000; at++) expect(isWithin('rollout', 'seed', String(at), percent)).toBe(isIn)
  })

  it('without a unit is nowhere', () => {
    expect(isWithin('rollout', 'seed', unitOf(undefined), 100)).toBe(false)
    expect(isWithin('rollout', 'seed', unitOf('   '), 100)).toBe(false)
  })

  it.each([...bucketSpaces])('fills the hundred cells of the space %s evenly', ns => {
    const counts = new Array<number>(100).fill(0)
    for (const id of ids) counts[Math.floor(microPercent(ns, 'even', id) / 1_000_000)]!++
    // Chi-square with 99 degrees of freedom: beyond 161 in one of ten thousand.
    expect(chiSquare([counts], ids.length / 100)).toBeLessThan(161)
  })

  it('draws rollout and variant apart: who is in says nothing about which variant', () => {
    for (const [one, other] of [
      ['rollout', 'variant'],
      ['holdout', 'variant'],
      ['layer', 'rollout'],
    ] as [BucketSpace, BucketSpace][]) {
      const table = Array.from({ length: 2 }, () => new Array<number>(10).fill(0))
      for (const id of ids) {
        const row = isWithin(one, 's', id, 10) ? 0 : 1
        table[row]![variantAt(other, 's', id, new Array(10).fill(1))]!++
      }
      // Nine degrees of freedom: beyond 33.7 in one of ten thousand.
      expect(independence(table)).toBeLessThan(33.7)
    }
  })
})

function chiSquare(table: number[][], expected: number): number {
  return table.flat().reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
}

function independence(table: number[][]): number {
  const rows = table.map(row => row.reduce((sum, count) => sum + count, 0))
  const columns = table[0]!.map((_, at) => table.reduce((sum, row) => sum + row[at]!, 0))
  const total = rows.reduce((sum, count) => sum + count, 0)
  let sum = 0
  table.forEach((row, r) => {
    row.forEach((count, c) => {
      const expected = (rows[r]! * columns[c]!) / total
      sum += (count - expected) ** 2 / expected
    })
  })
  return sum
}

describe('variants', () => {
  it('are drawn by weight, and one that weighs nothing never', () => {
    const counts = [0, 0, 0]
    for (const id of ids) counts[variantAt('variant', 'seed', id, [1, 0, 3])]!++
    expect(counts[1]).toBe(0)
    expect(counts[0]! / ids.length).toBeCloseTo(0.25, 2)
  })
  it('all have somebody inside a small rollout', () => {
    const inside = ids.slice(0, 20_000).filter(id => isWithin('rollout', 'seed', id, 10))
    expect(new Set(inside.map(id => variantAt('variant', 'seed', id, new Array(100).fill(1)))).size).toBe(100)
  })
  it('of no weight are none', () => expect(variantAt('variant', 'seed', 'u', [0, 0])).toBe(-1))
  it('may weigh up to 2^31-1 together', () => {
    expect([0, 1]).toContain(variantAt('variant', 'seed', 'u', [2 ** 30, 2 ** 30 - 1]))
  })
})

describe('a unit', () => {
  it.each([
    [' a ', 'a'],
    ['e\u0301', 'é'],
    [1e21, '1000000000000000000000'],
    [0.1, '0.1'],
    [1e-7, '0.0000001'],
    [1.25e-9, '0.00000000125'],
    [-1.5e22, '-15000000000000000000000'],
    [-0, '0'],
    [9_007_199_254_740_993n, '9007199254740993'],
    [Number.NaN, undefined],
    [true, undefined],
    [{}, undefined],
    [null, undefined],
  ])('%s is written %j', (value, text) => expect(unitOf(value)).toBe(text))

  it('of a number reads back as the number, without an exponent', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), value => {
        const text = plainNumber(value)
        return !/e/.test(text) && (Number(text) === value || value === 0)
      }),
    )
  })
})
