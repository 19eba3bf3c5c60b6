import { describe, expect, it } from 'vitest'
import {
  type AttemptOutcome,
  afterAttempt,
  isTarget,
  putOffMs,
  readTarget,
  retriesAfter,
  retryAfterMs,
} from './rules.ts'

describe('after an attempt', () => {
  const call = { attempt: 1, maxRetry: 2, expiresAt: 100_000 }
  it.each<[string, Partial<typeof call>, AttemptOutcome, object]>([
    ['that succeeded it is over', {}, 'SUCCESS', { state: 'SUCCESS' }],
    ['that failed it is tried again a second later', {}, 'ERROR', { state: 'WAIT', availableAt: 11_000 }],
    ['the second time four seconds later', { attempt: 2 }, 'TIMEOUT', { state: 'WAIT', availableAt: 14_000 }],
    ['the last time it has failed', { attempt: 3 }, 'CRASH', { state: 'FAIL' }],
    ['without retries it has failed at once', { maxRetry: 0 }, 'REFUSED', { state: 'FAIL' }],
    [
      'that was put off it is tried again, without retries, too',
      { maxRetry: 0 },
      'THROTTLED',
      { state: 'WAIT', availableAt: 11_000 },
    ],
    ['that was put off, with no time left, it has failed', { expiresAt: 10_500 }, 'THROTTLED', { state: 'FAIL' }],
    ['that the server died in it goes on at once', {}, 'LOST', { state: 'WAIT', availableAt: 10_000 }],
    ['that the server died in, without retries, it is over', { maxRetry: 0 }, 'LOST', { state: 'FAIL' }],
    ['with no time left it has failed', { expiresAt: 10_500 }, 'ERROR', { state: 'FAIL' }],
  ])('%s', (_what, more, outcome, expected) => {
    expect(afterAttempt({ ...call, ...more }, outcome, 10_000)).toEqual(expected)
  })

  it('the retries are as many as before, and one more where it was put off', () => {
    expect([retriesAfter(2, 'ERROR'), retriesAfter(2, 'REFUSED'), retriesAfter(2, 'THROTTLED')]).toEqual([2, 2, 3])
  })

  it('the pause grows, up to five minutes where it was put off', () => {
    expect([1, 2, 3, 4, 5, 9].map(putOffMs)).toEqual([1000, 4000, 16_000, 64_000, 256_000, 300_000])
  })

  it('the pause grows, up to a minute', () => {
    expect([1, 2, 3, 4, 9].map(retryAfterMs)).toEqual([1000, 4000, 16_000, 60_000, 60_000])
  })
})

it.each<[string, 'FUNCTION' | 'EVENT', boolean]>([
  ['resize', 'FUNCTION', true],
  ['resize:live', 'FUNCTION', true],
  ['resize:$latest', 'FUNCTION', true],
  ['resize:12', 'FUNCTION', true],
  ['resize:', 'FUNCTION', false],
  ['Resize', 'FUNCTION', false],
  ['https://example.com', 'FUNCTION', false],
  ['orders.paid', 'EVENT', true],
  ['orders paid', 'EVENT', false],
])('the destination %s of %s is one: %s', (target, kind, expected) => {
  expect(isTarget(kind, target)).toBe(expected)
})

it('a destination without a version is the newest', () => {
  expect([readTarget('resize'), readTarget('resize:live')]).toEqual([
    { name: 'resize', qualifier: '$latest' },
    { name: 'resize', qualifier: 'live' },
  ])
})
