import { describe, expect, it } from 'vitest'
import { normalTail } from './distributions.ts'
import { twoProportionZ, wilson } from './proportions.ts'
import { boundariesOf, spentBy } from './spending.ts'

const rounded = (value: number) => Math.round(value * 1e4) / 1e4

describe('two shares', () => {
  it('are compared under the share of both: 120 of 1,000 against 150 of 1,000', () => {
    expect(rounded(twoProportionZ({ n: 1000, sum: 120 }, { n: 1000, sum: 150 }) as number)).toBe(1.963)
  })

  it('a worse variant is below zero by as much as a better one is above', () => {
    const [better, worse] = [
      { n: 400, sum: 60 },
      { n: 500, sum: 50 },
    ]
    expect(twoProportionZ(worse, better)).toBeCloseTo(-(twoProportionZ(better, worse) as number), 12)
    expect(twoProportionZ(better, worse)).toBeLessThan(0)
  })

  it.each([
    ['nobody was in one arm', { n: 0, sum: 0 }, { n: 10, sum: 1 }],
    ['nobody did it', { n: 10, sum: 0 }, { n: 10, sum: 0 }],
    ['everybody did it', { n: 10, sum: 10 }, { n: 10, sum: 10 }],
  ])('say nothing where %s', (_name, control, variant) => {
    expect(twoProportionZ(control, variant)).toBeNull()
  })
})

describe("Wilson's interval", () => {
  // Newcombe (1998), table I, method 3.
  it.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])('of %i of %i is from %d to %d', (sum, n, low, high) => {
    const found = wilson({ n, sum }, 0.95)
    expect([rounded(found.low), rounded(found.high)]).toEqual([low, high])
  })

  it('is everything without units, and never leaves 0 to 1', () => {
    expect(wilson({ n: 0, sum: 0 }, 0.95)).toEqual({ low: 0, high: 1 })
    expect(wilson({ n: 7, sum: 7 }, 0.99).high).toBe(1)
  })
})

describe('alpha spending', () => {
  it('spends all at the end and hardly anything at the start', () => {
    expect(spentBy(1, 0.05)).toBe(0.05)
    expect(spentBy(1.4, 0.05)).toBe(0.05)
    expect(spentBy(0.2, 0.05)).toBeLessThan(2e-5)
  })

  // Lan and DeMets (1983): five looks at equal steps, two-sided 0.05.
  it('gives the published boundaries for five looks', () => {
    const found = boundariesOf([0.2, 0.4, 0.6, 0.8, 1], 0.05)
    const published = [4.8769, 3.3569, 2.6803, 2.2898, 2.031]
    for (const [at, boundary] of found.entries()) expect(boundary).toBeCloseTo(published[at] as number, 3)
  })

  it('one look at the end is the ordinary test', () => {
    expect(2 * normalTail(boundariesOf([1], 0.01)[0] as number)).toBeCloseTo(0.01, 10)
  })

  it('a look that was made keeps its boundary when others follow', () => {
    expect(boundariesOf([0.3, 0.5, 0.9], 0.05).slice(0, 2)).toEqual(boundariesOf([0.3, 0.5], 0.05))
  })

  it('twenty looks are worked out and the last is still near the ordinary test', () => {
    const found = boundariesOf(
      Array.from({ length: 20 }, (_, at) => (at + 1) / 20),
      0.05,
    )
    expect(found.every((one, at) => at === 0 || one < (found[at - 1] as number))).toBe(true)
    expect(found.at(-1)).toBeLessThan(2.15)
  })
})
