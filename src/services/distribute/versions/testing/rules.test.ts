import { describe, expect, it } from 'vitest'
import { allowedActions, moveFor } from '../../../../kernel/life-cycle.ts'
import {
  isTestWindow,
  liveStates,
  needsReview,
  type TestAction,
  type TestState,
  testActions,
  testLifeCycle,
  testStateCode,
  testStates,
} from './rules.ts'

const day = 86_400_000
const now = 1_800_000_000_000

/** Every move there is; what is not here is refused. */
const moves: Record<TestState, Partial<Record<TestAction, TestState | null>>> = {
  DRAFT: { release: 'IN_REVIEW', delete: null },
  REJECTED: { release: 'IN_REVIEW', delete: null },
  WITHDRAWN: { release: 'IN_REVIEW', delete: null },
  IN_REVIEW: { approve: 'TESTING', reject: 'REJECTED', ask: 'IN_REVIEW', withdraw: 'WITHDRAWN' },
  WAITING: { withdraw: 'WITHDRAWN', start: 'TESTING', extend: 'WAITING', expire: 'EXPIRED' },
  TESTING: { extend: 'TESTING', stop: 'STOPPED', expire: 'EXPIRED', promote: 'TESTING', conclude: 'PROMOTED' },
  STOPPED: { promote: 'STOPPED', delete: null },
  EXPIRED: { promote: 'EXPIRED', delete: null },
  PROMOTED: { delete: null },
}
const facts = { needsReview: true, startsNow: true, isReviewed: true, isNotPromoted: true }

describe('the life of a test', () => {
  it.each(testStates)('from %s goes where the table says, and nowhere else', state => {
    for (const action of testActions) {
      const move = moveFor(testLifeCycle, state, action, () => true)
      const to = typeof move?.to === 'function' ? move.to(facts) : move?.to
      expect([action, to]).toEqual([action, moves[state][action]])
    }
  })

  it('begins at once, with its time, or after the review', () => {
    const { to } = moveFor(testLifeCycle, 'DRAFT', 'release', () => true) ?? {}
    if (typeof to !== 'function') throw new Error('the row decides')
    expect(to({ ...facts, needsReview: false })).toBe('TESTING')
    expect(to({ ...facts, needsReview: false, startsNow: false })).toBe('WAITING')
    expect(to({ ...facts, startsNow: false })).toBe('IN_REVIEW')
  })

  it('is the store’s to decide and the clock’s to start and end', () => {
    const mine = (state: TestState) => allowedActions(testLifeCycle, state, right => right === 'versions.test', facts)
    expect(liveStates.map(mine)).toEqual([['withdraw'], ['withdraw', 'extend'], ['extend', 'stop']])
    const decide = allowedActions(testLifeCycle, 'IN_REVIEW', right => right === 'review.decide', facts)
    expect(decide).toEqual(['approve', 'reject', 'ask'])
  })

  it.each([
    ['DRAFT', 7],
    ['IN_REVIEW', 4],
    ['REJECTED', 1],
    ['WAITING', 3],
    ['TESTING', 0],
    ['STOPPED', 10],
    ['WITHDRAWN', 11],
    ['EXPIRED', null],
  ] as const)('%s is %s to older tools', (state, code) => expect(testStateCode(state)).toBe(code))
})

describe('a window', () => {
  it.each([
    [0, 90 * day, true],
    [0, 90 * day + 1, false],
    [0, 1, true],
    [0, 0, false],
    [-10 * day, -1, false],
    [-10 * day, 80 * day, true],
    [90 * day, 91 * day, true],
    [91 * day, 92 * day, false],
    [2 * day, day, false],
  ])('from %d to %d is %s', (start, end, isRight) => {
    expect(isTestWindow(now + start, now + end, now)).toBe(isRight)
  })
})

describe('people', () => {
  it.each([
    [['INTERNAL'], false],
    [['INTERNAL', 'INTERNAL'], false],
    [['INTERNAL', 'EXTERNAL'], true],
    [[], true],
  ] as const)('of groups %j are reviewed: %s', (kinds, isReviewed) => expect(needsReview(kinds)).toBe(isReviewed))
})
