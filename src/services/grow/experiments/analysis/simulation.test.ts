import { describe, expect, it } from 'vitest'
import { logGamma } from '../../../../kernel/statistics/distributions.ts'
import { counted } from '../experiments.testkit.ts'
import { type Design, type Engine, newDesign } from '../rules.ts'
import type { CellSums, Snapshot } from '../tables.ts'
import { resultsOf } from './results.ts'

const runs = 2_000
const alpha = 0.05
const metricId = '1'

/** The same numbers every time: xoshiro is more than is needed, this is enough and quick. */
function random(seed: number) {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  const normal = () => Math.sqrt(-2 * Math.log(next() || 1e-12)) * Math.cos(2 * Math.PI * next())
  return { next, normal }
}

const design: Design = {
  ...newDesign(),
  ...{
    metrics: [{ metricId, role: 'goal' as const, isPostHoc: false }],
    alpha,
    correction: 'none',
    tunedFor: 2_000,
    cupedDays: null,
  },
}

/** What the SQL would find: sums of units whose value is a normal of this mean and deviation, in so many looks. */
function snapshotOf(sums: Record<string, CellSums>): Snapshot {
  const definition = counted('buy', { kind: 'mean', of: 'sum' })
  return {
    ...{ phase: 1, from: 0, until: 30 * 86_400_000, design, segments: [], orders: {} },
    metrics: [{ metricId, name: 'Spent', definition, cappedAt: null }],
    days: Object.entries(sums).map(([variant, one]) => ({
      variant,
      day: 0,
      units: one.n,
      metrics: { [metricId]: one },
    })),
    ...{ multiple: 0, earlier: 0, paused: 0, unknown: 0 },
  }
}

/** Sums of n normals without drawing each: their mean is a normal, their spread a chi-square. */
function sumsOf({ normal }: ReturnType<typeof random>, n: number, mean: number, deviation: number): CellSums {
  const middle = mean + (deviation / Math.sqrt(n)) * normal()
  const freedom = n - 1
  // Wilson and Hilferty: the cube root of a chi-square is close to normal.
  const spread = freedom * (1 - 2 / (9 * freedom) + Math.sqrt(2 / (9 * freedom)) * normal()) ** 3
  return { n, sum: n * middle, sumOfSquares: spread * deviation ** 2 + n * middle ** 2 }
}

const added = (a: CellSums, b: CellSums): CellSums => ({
  ...{ n: a.n + b.n, sum: a.sum + b.sum, sumOfSquares: a.sumOfSquares + b.sumOfSquares },
})

/** How many of the runs may alarm: within it 99.9 % of all fair counts lie. */
function fairCounts(chance: number): { low: number; high: number } {
  const logChance = (k: number) =>
    logGamma(runs + 1) -
    logGamma(k + 1) -
    logGamma(runs - k + 1) +
    k * Math.log(chance) +
    (runs - k) * Math.log(1 - chance)
  let [below, low] = [0, 0]
  while (below + Math.exp(logChance(low)) < 0.0005) below += Math.exp(logChance(low++))
  let [above, high] = [0, runs]
  while (above + Math.exp(logChance(high)) < 0.0005) above += Math.exp(logChance(high--))
  return { low, high }
}

const isAlarm = (snapshot: Snapshot, engine: Engine) => {
  const one = resultsOf(snapshot, engine).metrics[0]?.variants[0]
  const interval = one?.interval
  return interval ? interval.low > 0 || interval.high < 0 : false
}

describe('two thousand experiments through the service', () => {
  it.each(['bayesian', 'frequentist'] as const)(
    'without a difference alarm as often as they may by the %s engine',
    engine => {
      const draw = random(engine.length)
      let alarms = 0
      for (let run = 0; run < runs; run++) {
        const snapshot = snapshotOf({ control: sumsOf(draw, 1000, 20, 8), treatment: sumsOf(draw, 1000, 20, 8) })
        alarms += Number(isAlarm(snapshot, engine))
      }
      const fair = fairCounts(alpha)
      expect(alarms).toBeGreaterThanOrEqual(fair.low)
      expect(alarms).toBeLessThanOrEqual(fair.high)
    },
  )

  it.each(['bayesian', 'frequentist', 'sequential'] as const)(
    'with a lift of a tenth hold it in their intervals by the %s engine',
    engine => {
      const draw = random(77 + engine.length)
      let held = 0
      for (let run = 0; run < runs; run++) {
        const snapshot = snapshotOf({ control: sumsOf(draw, 1000, 20, 8), treatment: sumsOf(draw, 1000, 22, 8) })
        const interval = resultsOf(snapshot, engine).metrics[0]?.variants[0]?.interval
        held += Number(interval !== null && interval !== undefined && interval.low <= 0.1 && interval.high >= 0.1)
      }
      const fair = fairCounts(1 - alpha)
      expect(held).toBeGreaterThanOrEqual(fair.low)
      if (engine !== 'sequential') expect(held).toBeLessThanOrEqual(fair.high)
    },
  )

  it('looked at twenty times alarm within alpha by the sequential engine, and far too often by the single look', () => {
    const draw = random(2026)
    const alarms = { sequential: 0, frequentist: 0 }
    // That a single look is not for this shows in few.
    const single = 200
    for (let run = 0; run < runs; run++) {
      let [control, treatment] = [sumsOf(draw, 100, 20, 8), sumsOf(draw, 100, 20, 8)]
      const told = { sequential: false, frequentist: false }
      for (let look = 0; look < 20; look++) {
        const snapshot = snapshotOf({ control, treatment })
        told.sequential ||= isAlarm(snapshot, 'sequential')
        if (run < single) told.frequentist ||= isAlarm(snapshot, 'frequentist')
        control = added(control, sumsOf(draw, 100, 20, 8))
        treatment = added(treatment, sumsOf(draw, 100, 20, 8))
      }
      alarms.sequential += Number(told.sequential)
      alarms.frequentist += Number(told.frequentist)
    }
    expect(alarms.sequential).toBeLessThanOrEqual(fairCounts(alpha).high)
    expect(alarms.frequentist).toBeGreaterThan(3 * alpha * single)
  })

  it('gives the published numbers: 14 of 28 beside 16 of 30, and the first vector of growth 11.5', () => {
    const share = (n: number, sum: number): CellSums => ({ n, sum, sumOfSquares: sum })
    const shares = snapshotOf({ control: share(28, 14), treatment: share(30, 16) })
    const [metric] = shares.metrics
    if (metric) metric.definition = counted('buy')
    const one = resultsOf(shares, 'frequentist').metrics[0]?.variants[0]
    expect([one?.lift, one?.interval?.low, one?.interval?.high, one?.p].map(value => value?.toFixed(5))).toEqual([
      ...['0.06667', '-0.47767', '0.61101', '0.80707'],
    ])
    const means = snapshotOf({
      control: { n: 3407, sum: 1396.87, sumOfSquares: 52377.9767 },
      treatment: { n: 3461, sum: 2422.7, sumOfSquares: 134698.29 },
    })
    const two = resultsOf(means, 'frequentist').metrics[0]?.variants[0]
    expect([two?.lift, two?.interval?.low, two?.interval?.high, two?.p].map(value => value?.toFixed(5))).toEqual([
      ...['0.70732', '-0.03526', '1.44989', '0.06191'],
    ])
  })
})
