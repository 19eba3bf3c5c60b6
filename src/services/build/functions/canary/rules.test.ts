import { describe, expect, it } from 'vitest'
import { moveFor } from '../../../../kernel/life-cycle.ts'
import { canaryLifeCycle, canaryStates, type Health, nextMove, passedLimit, stepsProblem } from './rules.ts'

const limits = { errorPercent: 5, p95Ms: 300, minimumCalls: 20 }
const health = (calls: number, failures: number, p95Ms: number | null = 100): Health => ({ calls, failures, p95Ms })

it.each<[string, Health, ReturnType<typeof passedLimit>]>([
  ['too few calls, though all fail', health(19, 19), null],
  ['failures at the limit', health(20, 1), null],
  ['failures over the limit', health(20, 2), 'errors'],
  ['slow answers', health(20, 0, 301), 'latency'],
  ['answers at the limit', health(20, 0, 300), null],
  ['no calls', health(0, 0, null), null],
])('a limit and %s: %s', (_what, measured, passed) => {
  expect(passedLimit(limits, measured)).toBe(passed)
})

it('without a limit of time, slow answers are none', () => {
  expect(passedLimit({ ...limits, p95Ms: null }, health(20, 0, 9_000))).toBeNull()
})

describe('a canary that runs', () => {
  const minute = 60_000
  const steps = [
    { weight: 5, holdMinutes: 10 },
    { weight: 50, holdMinutes: 10 },
  ]
  const one = (step: number) => ({ steps, step, stepStartedAt: 0, limits })
  it.each<[string, number, Health, number, ReturnType<typeof nextMove>]>([
    ['holds its step', 0, health(50, 0), 10 * minute - 1, null],
    ['goes on when the step was held', 0, health(50, 0), 10 * minute, 'advance'],
    ['goes on without any call', 0, health(0, 0, null), 10 * minute, 'advance'],
    ['goes on by one step after a day', 0, health(50, 0), 1440 * minute, 'advance'],
    ['is complete after its last step', 1, health(50, 0), 10 * minute, 'complete'],
    ['ends as soon as a limit is passed', 0, health(50, 9), 1, 'abort'],
    ['ends rather than goes on', 1, health(50, 9), 10 * minute, 'abort'],
  ])('%s', (_what, step, measured, now, move) => {
    expect(nextMove(one(step), measured, now)).toBe(move)
  })

  it.each(canaryStates.filter(state => state !== 'RUNNING' && state !== 'PAUSED'))('is over when it is %s', state => {
    for (const action of ['pause', 'resume', 'finish', 'rollBack', 'abort', 'advance', 'complete'] as const)
      expect(moveFor(canaryLifeCycle, state, action, () => true)).toBeUndefined()
  })

  it('that is paused neither goes on nor ends by itself', () => {
    for (const action of ['abort', 'advance', 'complete', 'pause'] as const)
      expect(moveFor(canaryLifeCycle, 'PAUSED', action, () => true)).toBeUndefined()
  })
})

it('steps grow', () => {
  const of = (...weights: number[]) => stepsProblem(weights.map(weight => ({ weight, holdMinutes: 1 })))
  expect([of(10), of(5, 20, 50), of(5, 5), of(20, 10)].map(problem => problem === null)).toEqual([
    true,
    true,
    false,
    false,
  ])
})
