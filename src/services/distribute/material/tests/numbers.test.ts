import { expect, it } from 'vitest'
import { boundariesOf } from '../../../../kernel/statistics/spending.ts'
import { type Findings, findingsOf, plannedPerArm } from './numbers.ts'

const design = { baseRateBp: 2000, mdeBp: 2000, confidencePercent: 95 }
const planned = plannedPerArm(design, 2)

const counts = (n: number, rates: readonly number[]) =>
  rates.map((rate, at) => ({
    variantId: at === 0 ? null : String(at),
    share: at === 0 ? 34 : 33,
    impressions: n,
    installs: Math.round(n * rate),
  }))

it('a change that is there is a winner, one for the worse a loser, and the lift stands within its interval', () => {
  const found = findingsOf(design, counts(planned, [0.2, 0.25, 0.16]), null, 1)
  expect(found.arms.map(arm => arm.verdict)).toEqual([null, 'WINNER', 'LOSER'])
  const [control, better] = found.arms
  expect(control).toMatchObject({ lift: null, pValue: null, verdict: null })
  expect(control?.rate).toBeCloseTo(0.2, 2)
  expect(better?.lift).toBeCloseTo(0.25, 1)
  expect(better?.ciLow).toBeGreaterThan(0)
  expect(better?.ciHigh).toBeGreaterThan(better?.lift ?? 9)
  expect(better?.rateLow).toBeLessThan(0.25)
  expect(better?.rateHigh).toBeGreaterThan(0.25)
  expect(better?.pValue).toBeLessThan(0.001)
})

it('before enough devices came more are needed, and at the end without a difference nothing is concluded', () => {
  const early = findingsOf(design, counts(Math.ceil(planned / 10), [0.2, 0.23, 0.2]), null, 1)
  expect(early.arms.map(arm => arm.verdict)).toEqual([null, 'NEED_MORE', 'NEED_MORE'])
  expect(early.progress).toBeCloseTo(0.1, 2)
  const late = findingsOf(design, counts(planned, [0.2, 0.201, 0.199]), early, 2)
  expect(late.arms.map(arm => arm.verdict)).toEqual([null, 'INCONCLUSIVE', 'INCONCLUSIVE'])
})

it('nothing in yet is no number at all', () => {
  const none = findingsOf(design, counts(0, [0, 0, 0]), null, 1)
  expect(none.arms.map(arm => [arm.rate, arm.lift, arm.pValue])).toEqual([
    [null, null, null],
    [null, null, null],
    [null, null, null],
  ])
  expect(none.progress).toBe(0)
})

it('what one look decided stays, and looking again before more came in is no look', () => {
  const first = findingsOf(design, counts(planned / 2, [0.2, 0.27, 0.2]), null, 1)
  expect(first.arms[1]?.verdict).toBe('WINNER')
  const again = findingsOf(design, counts(planned / 2 + 1, [0.2, 0.2, 0.2]), first, 2)
  expect(again.looks['1']?.fractions).toHaveLength(1)
  expect(again.arms[1]?.verdict).toBe('WINNER')
})

it('a split that is not the planned one is said', () => {
  const skewed = counts(4000, [0.2, 0.2, 0.2]).map((one, at) => (at === 1 ? { ...one, impressions: 6000 } : one))
  expect(findingsOf(design, skewed, null, 1).isSplitHealthy).toBe(false)
  expect(findingsOf(design, counts(4000, [0.2, 0.2, 0.2]), null, 1).isSplitHealthy).toBe(true)
})

it('of tests without a difference no more are called than alpha lets, with two variants and five looks each', () => {
  const random = generator(20_261_125)
  const known = new Map<string, number[]>()
  const bounds: typeof boundariesOf = (fractions, alpha) => {
    const key = `${fractions.join()} ${alpha}`
    const found = known.get(key) ?? boundariesOf(fractions, alpha)
    known.set(key, found)
    return found
  }
  const each = Math.ceil(planned / 5)
  const tests = 1_000
  let alarms = 0
  for (let test = 0; test < tests; test++) {
    const arms = counts(0, [0, 0, 0])
    let found: Findings | null = null
    for (let look = 0; look < 5; look++) {
      for (const arm of arms) {
        arm.impressions += each
        for (let device = 0; device < each; device++) if (random() < 0.2) arm.installs++
      }
      found = findingsOf(design, arms, found, look, bounds)
    }
    if (found?.arms.some(arm => arm.verdict === 'WINNER' || arm.verdict === 'LOSER')) alarms++
  }
  const deviation = Math.sqrt(tests * 0.05 * 0.95)
  expect(alarms).toBeLessThan(tests * 0.05 + 2.6 * deviation)
  expect(alarms).toBeGreaterThan(tests * 0.025 - 2.6 * deviation)
})

/** Marsaglia's xorshift, so that the test is the same each time. */
function generator(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state ^= state << 13
    state >>>= 0
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return state / 4_294_967_296
  }
}
