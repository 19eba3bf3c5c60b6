import { describe, expect, it } from 'vitest'
import { benjaminiHochberg, holm, splitOf } from './checks.ts'
import { chiSquareTail, logGamma, normalAbove, normalTail, studentAbove, studentTail } from './distributions.ts'
import {
  adjustedEffectOf,
  believe,
  boundsAlways,
  type Effect,
  effectOf,
  judgeAlways,
  judgeOnce,
  type Scale,
} from './effects.ts'
import { unitsForMean, unitsForShare } from './planning.ts'
import { quantileOf } from './quantiles.ts'
import { meanOf, proportionOf, ratioOf, type Sample } from './samples.ts'

// Published results of a public experiment engine for these sums, to five digits.
const control = { n: 3407, sum: 1396.87, sumOfSquares: 52_377.9767 }
const variant = { n: 3461, sum: 2422.7, sumOfSquares: 134_698.29 }
const smaller = { ...control, n: 3000 }
const compared = (a: Sample, b: Sample, scale: Scale = 'relative') => effectOf(a, b, scale) as Effect
const share = (sum: number, n: number) => proportionOf({ n, sum })

describe('distributions', () => {
  it.each([
    ['log of gamma at a half', logGamma(0.5), Math.log(Math.PI) / 2],
    ['log of gamma at 10', logGamma(10), Math.log(362_880)],
    ['normal above 1.96', normalTail(1.959963984540054), 0.025],
    ['normal above 10', normalTail(10), 7.619853024160527e-24],
    ['normal above -1', normalTail(-1), 0.8413447460685429],
    ['chi-square above 3.84', chiSquareTail(3.841458820694124, 1), 0.05],
    ['chi-square above 677', chiSquareTail(677.44489929589, 1), 2.402e-149],
    ['t of 1 above 1, a quarter of the circle', studentTail(1, 1), 0.25],
    ['t of 2 above its closed form', studentTail(2, 2), 0.5 - 2 / (2 * Math.sqrt(2 + 4))],
    ['t of 5 at 2.5 %', studentAbove(0.025, 5), 2.570581835636314],
    ['t of very many is the normal', studentAbove(0.025, 1e9), normalAbove(0.025)],
    ['normal at 97.5 %', normalAbove(0.975), -1.959963984540054],
  ])('%s', (_name, found, expected) => {
    const digits = expected === 2.402e-149 ? 1e-3 : 1e-11
    expect(Math.abs(found / expected - 1)).toBeLessThan(digits)
  })

  it('have no quantile outside of 0 to 1', () => {
    expect([normalAbove(0), normalAbove(1), normalAbove(Number.NaN)]).toEqual([Number.NaN, Number.NaN, Number.NaN])
  })
})

describe('one look', () => {
  it.each([
    ['a lift', compared(meanOf(control), meanOf(variant)), [0.70732, 0.37879, -0.03526, 1.44989, 0.06191]],
    [
      'a difference',
      compared(meanOf(control), meanOf(variant), 'absolute'),
      [0.29, 0.12478, 0.04538, 0.53462, 0.02016],
    ],
    ['two shares', compared(share(14, 28), share(16, 30)), [0.06667, 0.2717, -0.47767, 0.61101, 0.80707]],
  ])('at %s', (_name, effect, expected) => {
    const { interval, p } = judgeOnce(effect, 0.05)
    expect([effect.effect, effect.error, interval.low, interval.high, p].map(rounded)).toEqual(expected)
  })

  it('finds nothing to compare where there is none: one unit, no spread, a control of zero', () => {
    const flat = { n: 10, mean: 1, variance: 0 }
    expect(effectOf({ ...flat, n: 1 }, flat, 'absolute')).toBeNull()
    expect(effectOf(flat, flat, 'absolute')).toBeNull()
    expect(effectOf({ n: 10, mean: 0, variance: 1 }, { n: 10, mean: 1, variance: 1 }, 'relative')).toBeNull()
    expect(meanOf({ n: 0, sum: 0, sumOfSquares: 0 })).toEqual({ n: 0, mean: 0, variance: 0 })
  })
})

const rounded = (value: number) => Number(value.toFixed(5))

describe('as many looks as one likes', () => {
  it.each([
    ['a lift', compared(meanOf(smaller), meanOf(variant)), 1_000, [0.50336, -0.55844, 1.56516, 1]],
    ['two shares', compared(share(1_396, 3_000), share(2_422, 3_461)), 5_000, [0.50386, 0.40098, 0.60675, 0]],
  ])('at %s', (_name, effect, tunedFor, expected) => {
    const { interval, p } = judgeAlways(effect, 0.05, tunedFor)
    expect([effect.effect, interval.low, interval.high, p].map(rounded)).toEqual(expected)
  })

  it('of which one side only is asked is tighter there', () => {
    const effect = compared(meanOf(smaller), meanOf(variant))
    expect(boundsAlways(effect, 0.05, 1_000).low).toBeGreaterThan(judgeAlways(effect, 0.05, 1_000).interval.low)
  })
})

describe('what is believed', () => {
  it('without a prior', () => {
    const { mean, chanceToWin, interval, loss } = believe(compared(share(49, 100), share(51, 100)), 0.05)
    const found = [mean, chanceToWin, interval.low, interval.high, loss.ofKeeping, loss.ofShipping]
    expect(found.map(rounded)).toEqual([0.04082, 0.60918, -0.24779, 0.32943, 0.0814, 0.04058])
  })

  it('with one', () => {
    const [a, b] = [
      { n: 10, sum: 100, sumOfSquares: 1002.25 },
      { n: 10, sum: 105, sumOfSquares: 1111.5 },
    ]
    const found = believe(compared(meanOf(a), meanOf(b)), 0.05, { mean: 0.1, variance: 0.1 })
    const { mean, deviation, chanceToWin, interval, loss } = found
    expect(
      [mean, deviation, chanceToWin, interval.low, interval.high, loss.ofKeeping, loss.ofShipping].map(rounded),
    ).toEqual([0.05063, 0.03549, 0.92315, -0.01893, 0.12019, 0.05186, 0.00123])
  })

  it('the loss of either way has ten digits', () => {
    const { loss } = believe({ scale: 'absolute', effect: 0.1, error: 0.05, n: 2, freedom: 1 }, 0.05)
    expect([loss.ofKeeping.toFixed(10), loss.ofShipping.toFixed(10)]).toEqual(['0.1004245351', '0.0004245351'])
  })
})

describe('what was before', () => {
  it('is taken out', () => {
    const found = adjustedEffectOf(
      { ...smaller, before: { sum: 16.87, sumOfSquares: 527.9767, sumOfProducts: 1 } },
      { ...variant, before: { sum: 22.7, sumOfSquares: 1348.29, sumOfProducts: 1 } },
      'relative',
    )
    expect([found?.effect.effect, found?.effect.error, found?.theta].map(value => value?.toFixed(5))).toEqual([
      '0.50338',
      '0.33341',
      '-0.01140',
    ])
  })

  it('where it was nothing nothing can be taken out', () => {
    const before = { sum: 0, sumOfSquares: 0, sumOfProducts: 0 }
    expect(adjustedEffectOf({ ...smaller, before }, { ...variant, before }, 'relative')).toBeNull()
  })
})

describe('a split', () => {
  it.each([
    ['of 80 to 20 that is not', [4072, 2035], [80, 20], 677.445, 2.402e-149, false],
    ['of halves that is not', [821_588, 815_482], [1, 1], 22.774, 1.82e-6, false],
    ['of halves that is', [1_000, 1_010], [1, 1], 0.0498, 0.8235, true],
    ['of too few to say', [7, 0], [1, 1], 7, 0.00815, true],
    ['with somebody where nobody should be', [900, 900, 1], [1, 1, 0], Number.POSITIVE_INFINITY, 0, false],
  ])('%s', (_name, counts, weights, chiSquare, p, isHealthy) => {
    const found = splitOf(counts, weights)
    expect(found.isHealthy).toBe(isHealthy)
    expect(found.p === p || Math.abs(found.p / p - 1) < 0.005).toBe(true)
    expect(found.chiSquare === chiSquare || Math.abs(found.chiSquare / chiSquare - 1) < 0.005).toBe(true)
  })
})

describe('many questions at once', () => {
  const ps = [0.898, 0.138, 0.007, 0.964, 0.538, 0.006, 0.138]
  it('are corrected, each in its place', () => {
    expect(benjaminiHochberg(ps).map(rounded)).toEqual([0.964, 0.2415, 0.0245, 0.964, 0.7532, 0.0245, 0.2415])
    expect(holm([0.025, 0.03]).map(rounded)).toEqual([0.05, 0.05])
    expect(benjaminiHochberg([0.025, 0.03]).map(rounded)).toEqual([0.03, 0.03])
    expect([holm([]), benjaminiHochberg([])]).toEqual([[], []])
  })
})

describe('a plan', () => {
  it('says how many units it takes', () => {
    expect(unitsForShare(0.2, 0.05, { alpha: 0.05, power: 0.8 }).toFixed(1)).toBe('1030.2')
    expect(unitsForMean(1, 0.5, { alpha: 0.05, power: 0.8 }).toFixed(2)).toBe('62.79')
  })
})

/** The same draws in each run. */
function drawsFrom(seed: number) {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const normal = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())
  return { next, normal }
}

/** So far from its expectation a share of so many may be: four standard errors, one run in 16,000 is further. */
const isNear = (count: number, of: number, expected: number) =>
  Math.abs(count / of - expected) <= 4 * Math.sqrt((expected * (1 - expected)) / of)

describe('two thousand experiments in which nothing differs', () => {
  const experiments = 2_000
  const units = 400
  const { normal, next } = drawsFrom(20_261_123)

  it('alarm as often as they may, and their intervals hold the truth as often as they say', () => {
    let alarms = 0
    let covered = 0
    let sure = 0
    let adjustedAlarms = 0
    let reduction = 0
    for (let at = 0; at < experiments; at++) {
      const arm = () => {
        const sums = { n: units, sum: 0, sumOfSquares: 0, before: { sum: 0, sumOfSquares: 0, sumOfProducts: 0 } }
        for (let unit = 0; unit < units; unit++) {
          const x = 10 + 2 * normal()
          const y = x + 2 * normal()
          sums.sum += y
          sums.sumOfSquares += y * y
          sums.before.sum += x
          sums.before.sumOfSquares += x * x
          sums.before.sumOfProducts += x * y
        }
        return sums
      }
      const [a, b] = [arm(), arm()]
      const effect = compared(meanOf(a), meanOf(b))
      const { p, interval } = judgeOnce(effect, 0.05)
      if (p < 0.05) alarms++
      if (interval.low <= 0 && interval.high >= 0) covered++
      const { chanceToWin } = believe(effect, 0.05)
      if (chanceToWin > 0.975 || chanceToWin < 0.025) sure++
      const adjusted = adjustedEffectOf(a, b, 'relative')
      if (adjusted && judgeOnce(adjusted.effect, 0.05).p < 0.05) adjustedAlarms++
      reduction += (adjusted?.varianceReduction ?? 0) / experiments
    }
    expect(isNear(alarms, experiments, 0.05)).toBe(true)
    expect(isNear(covered, experiments, 0.95)).toBe(true)
    expect(isNear(sure, experiments, 0.05)).toBe(true)
    expect(isNear(adjustedAlarms, experiments, 0.05)).toBe(true)
    // Half of the variance is there before.
    expect(Math.abs(reduction - 0.5)).toBeLessThan(0.02)
  })

  it('looked at twenty times alarm seldom by the sequence, and often by the single look', () => {
    let always = 0
    let once = 0
    for (let at = 0; at < experiments; at++) {
      const arms = [0, 1].map(() => ({ n: 0, sum: 0, sumOfSquares: 0 }))
      let [isAlways, isOnce] = [false, false]
      for (let look = 0; look < 20; look++) {
        for (const arm of arms) {
          for (let unit = 0; unit < 20; unit++) {
            const y = 10 + 3 * normal()
            arm.n++
            arm.sum += y
            arm.sumOfSquares += y * y
          }
        }
        const [a, b] = arms.map(meanOf) as [Sample, Sample]
        const effect = compared(a, b)
        isAlways ||= judgeAlways(effect, 0.05, 400).p < 0.05
        isOnce ||= studentTail(Math.abs(effect.effect / effect.error), effect.freedom) < 0.025
      }
      always += Number(isAlways)
      once += Number(isOnce)
    }
    expect(always / experiments).toBeLessThan(0.05)
    expect(once / experiments).toBeGreaterThan(0.15)
  })

  it('with ratios and quantiles alarm as often as they may', () => {
    let ratios = 0
    let quantiles = 0
    for (let at = 0; at < experiments; at++) {
      const arm = () => {
        const sums = { n: 200, sum: 0, sumOfSquares: 0, of: { sum: 0, sumOfSquares: 0, sumOfProducts: 0 } }
        const times = new Float64Array(sums.n)
        for (let unit = 0; unit < sums.n; unit++) {
          const visits = 1 + Math.floor(5 * next())
          const bought = visits * (0.5 + 0.2 * normal())
          sums.sum += bought
          sums.sumOfSquares += bought * bought
          sums.of.sum += visits
          sums.of.sumOfSquares += visits * visits
          sums.of.sumOfProducts += visits * bought
          times[unit] = -Math.log(1 - next())
        }
        return { ratio: ratioOf(sums), median: quantileOf(times.sort(), 0.5) as Sample }
      }
      const [a, b] = [arm(), arm()]
      if (judgeOnce(compared(a.ratio, b.ratio), 0.05).p < 0.05) ratios++
      if (judgeOnce(compared(a.median, b.median, 'absolute'), 0.05).p < 0.05) quantiles++
    }
    expect(isNear(ratios, experiments, 0.05)).toBe(true)
    // The order statistics next to the bounds lie outside of them: such intervals are a little too wide, never too narrow.
    expect(quantiles / experiments).toBeLessThan(0.06)
    expect(quantiles / experiments).toBeGreaterThan(0.02)
  })

  it('and of those with a difference four in five find it, where so many were planned', () => {
    const wanted = Math.ceil(unitsForShare(0.2, 0.05, { alpha: 0.05, power: 0.8 }))
    let found = 0
    for (let at = 0; at < experiments; at++) {
      const arm = (chance: number) => {
        let sum = 0
        for (let unit = 0; unit < wanted; unit++) sum += Number(next() < chance)
        return share(sum, wanted)
      }
      if (judgeOnce(compared(arm(0.2), arm(0.25), 'absolute'), 0.05).p < 0.05) found++
    }
    expect(Math.abs(found / experiments - 0.8)).toBeLessThan(0.04)
  })
})
