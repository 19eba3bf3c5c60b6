import { expect, it } from 'vitest'
import { expectedWaitMs } from './patience.ts'

it.each([
  [10, [{ latencyMs: 5 }], 1, 50],
  [10, [{ latencyMs: 5 }, { latencyMs: 15 }], 1, 50],
  [10, [{ latencyMs: 5 }, { latencyMs: null }], 1, 25],
  [10, [{ latencyMs: 5 }], 10, 5],
  [1, [{ latencyMs: null }], 1, Number.POSITIVE_INFINITY],
  [1, [], 1, Number.POSITIVE_INFINITY],
])('%i calls wait for %j with %i at once each for %d ms', (waiting, copies, concurrency, ms) => {
  expect(expectedWaitMs(waiting, copies, concurrency)).toBe(ms)
})
