import { describe, expect, it } from 'vitest'
import { alpha, mannWhitneyP, samples } from './times.ts'

describe('the measure of times', () => {
  it.each([
    // The example of the manual of scipy.stats.mannwhitneyu, asymptotic.
    [[19, 22, 16, 29, 24], [20, 11, 17, 12], 0.11134688653314041],
    [[1, 2, 3], [1, 2, 3], 1],
    [[5, 5, 5], [5, 5], 1],
  ])('of %j and %j is as others compute it', (left, right, p) => {
    expect(mannWhitneyP(left, right)).toBeCloseTo(p, 5)
    expect(mannWhitneyP(right, left)).toBeCloseTo(p, 5)
  })

  it('finds a millisecond that is always there, and none that is not', () => {
    const noisy = (base: number) => Array.from({ length: samples }, (_, at) => base + ((at * 7919) % 101) / 100)
    expect(mannWhitneyP(noisy(20), noisy(21.1))).toBeLessThan(alpha)
    expect(mannWhitneyP(noisy(20), noisy(20).reverse())).toBeGreaterThan(0.9)
  })
})
