import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isInRollout, microPercent, murmur3, phaseBucket, unitOf, variantOf } from './bucketing.ts'

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
})

describe('a bucket', () => {
  it('stands where the brief says', () => {
    expect(microPercent('rollout', 'abc', 'user-1')).toBe(13_904_877)
    expect(microPercent('variant', 'abc', 'user-1')).toBe(18_234_837)
  })

  it('never loses anybody when a rollout grows', () => {
    const percent = fc.double({ min: 0, max: 100, noNaN: true })
    fc.assert(
      fc.property(fc.string(), fc.string({ minLength: 1 }), percent, percent, (seed, unit, one, other) => {
        const [low, high] = one < other ? [one, other] : [other, one]
        return !isInRollout(seed, unit, low) || isInRollout(seed, unit, high)
      }),
      { numRuns: 20_000 },
    )
  })

  it('takes in about as many as it says', () => {
    const inside = Array.from({ length: 20_000 }, (_, at) => isInRollout('s', `unit-${at}`, 10)).filter(Boolean).length
    expect(inside / 20_000).toBeCloseTo(0.1, 2)
  })

  it.each([
    [0, false],
    [100, true],
  ])('at %i percent takes everybody or nobody', (percent, isIn) => {
    for (let at = 0; at < 1000; at++) expect(isInRollout('seed', String(at), percent)).toBe(isIn)
  })

  it('without a unit is nowhere', () => {
    expect(isInRollout('seed', unitOf(undefined), 100)).toBe(false)
    expect(isInRollout('seed', unitOf('   '), 100)).toBe(false)
  })
})

describe('variants', () => {
  it('are drawn by weight, and one that weighs nothing never', () => {
    const counts = [0, 0, 0]
    for (let at = 0; at < 40_000; at++) counts[variantOf('seed', `u${at}`, [1, 0, 3])]!++
    expect(counts[1]).toBe(0)
    expect(counts[0]! / 40_000).toBeCloseTo(0.25, 2)
  })
  it('are apart from the rollout: one hash for both would leave most variants without anybody', () => {
    const units = Array.from({ length: 20_000 }, (_, at) => `u${at}`).filter(unit => isInRollout('seed', unit, 10))
    const seen = new Set(units.map(unit => variantOf('seed', unit, Array(100).fill(1))))
    expect(seen.size).toBe(100)
  })
  it('of no weight are none', () => expect(variantOf('seed', 'u', [0, 0])).toBe(-1))
})

describe('a unit', () => {
  it.each([
    [' a ', 'a'],
    ['e\u0301', 'é'],
    [1e21, '1000000000000000000000'],
    [0.1, '0.1'],
    [1e-7, '0.0000001'],
    [9_007_199_254_740_993n, '9007199254740993'],
    [Number.NaN, null],
    [null, null],
  ])('%s is written %j', (value, text) => expect(unitOf(value)).toBe(text))
})

describe('the place of a device in a phased release', () => {
  it('is the first four bytes of the digest modulo ten thousand', () => {
    for (const [salt, device] of [
      ['736430079244000001', 'device-1'],
      ['a', 'b'],
    ] as const) {
      const digest = createHash('sha256').update(`${salt}:${device}`).digest()
      expect(phaseBucket(salt, device)).toBe(digest.readUInt32BE(0) % 10_000)
    }
    expect([phaseBucket('736430079244000001', 'device-1'), phaseBucket('a', 'b')]).toEqual([2953, 222])
  })
})
