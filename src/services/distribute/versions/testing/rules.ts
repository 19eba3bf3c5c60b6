import { lifeCycle } from '../../../../kernel/life-cycle.ts'
import type { GroupKind } from '../../beta-test/contract.ts'

export const testStates = [
  'DRAFT',
  'IN_REVIEW',
  'REJECTED',
  'WITHDRAWN',
  'WAITING',
  'TESTING',
  'STOPPED',
  'EXPIRED',
  'PROMOTED',
] as const
export type TestState = (typeof testStates)[number]

export const preparedStates = ['DRAFT', 'REJECTED', 'WITHDRAWN'] as const
/** With the store, before its time, or with testers: an app has at most 20 of these. */
export const liveStates = ['IN_REVIEW', 'WAITING', 'TESTING'] as const
export const endedStates = ['STOPPED', 'EXPIRED', 'PROMOTED'] as const

export const testActions = [
  'release',
  'approve',
  'reject',
  'ask',
  'withdraw',
  'start',
  'extend',
  'stop',
  'expire',
  'promote',
  'conclude',
  'delete',
] as const
export type TestAction = (typeof testActions)[number]
export type TestFact = 'needsReview' | 'startsNow' | 'isReviewed' | 'isNotPromoted'

/** 3 by invitation, 4 open: the numbers older tools know. */
export const testTypes = { invite: 3, open: 4 } as const

const whereTo = (facts: Readonly<Record<TestFact, boolean>>): TestState => (facts.startsNow ? 'TESTING' : 'WAITING')

/** The test lane, distribution.md 3.13. */
export const testLifeCycle = lifeCycle<TestState, TestAction, TestFact>({
  entity: 'testVersion',
  states: testStates,
  moves: [
    {
      from: preparedStates,
      action: 'release',
      to: facts => (facts.needsReview ? 'IN_REVIEW' : whereTo(facts)),
      may: 'versions.test',
      event: 'test.submitted',
    },
    { from: ['IN_REVIEW'], action: 'approve', to: whereTo, may: 'review.decide', event: 'test.approved' },
    { from: ['IN_REVIEW'], action: 'reject', to: 'REJECTED', may: 'review.decide', event: 'test.rejected' },
    { from: ['IN_REVIEW'], action: 'ask', to: 'IN_REVIEW', may: 'review.decide', event: 'test.review.question' },
    {
      from: ['IN_REVIEW', 'WAITING'],
      action: 'withdraw',
      to: 'WITHDRAWN',
      may: 'versions.test',
      event: 'test.withdrawn',
    },
    { from: ['WAITING'], action: 'start', to: 'TESTING', may: 'system', event: 'test.started' },
    ...(['WAITING', 'TESTING'] as const).map(state => ({
      from: [state],
      action: 'extend' as const,
      to: state,
      may: 'versions.test',
      event: 'test.updated',
    })),
    { from: ['TESTING'], action: 'stop', to: 'STOPPED', may: 'versions.test', event: 'test.stopped' },
    { from: ['WAITING', 'TESTING'], action: 'expire', to: 'EXPIRED', may: 'system', event: 'test.expired' },
    ...(['TESTING', 'STOPPED', 'EXPIRED'] as const).map(state => ({
      from: [state],
      action: 'promote' as const,
      to: state,
      may: 'versions.submit',
      needs: ['isReviewed', 'isNotPromoted'] as const,
      event: 'test.promoted',
    })),
    { from: ['TESTING'], action: 'conclude', to: 'PROMOTED', may: 'system', event: 'test.concluded' },
    {
      from: [...preparedStates, ...endedStates],
      action: 'delete',
      to: null,
      may: 'versions.test',
      event: 'test.deleted',
    },
  ],
})

const day = 86_400_000

export const testLimits = {
  descLength: 50,
  groupsOfTest: 100,
  live: 20,
  windowMs: 90 * day,
  installs: 100_000,
  mostInstalls: 1_000_000,
  mailMs: 30 * 60_000,
} as const

/** A test ends in the future, after it began, and at most 90 days after that; it begins within 90 days. */
export function isTestWindow(startAt: number, endAt: number, now: number): boolean {
  return (
    endAt > now && endAt > startAt && endAt - startAt <= testLimits.windowMs && startAt <= now + testLimits.windowMs
  )
}

/** Only what goes to people of the team alone is not looked at by the store. */
export function needsReview(kinds: readonly GroupKind[]): boolean {
  return kinds.length === 0 || kinds.some(kind => kind !== 'INTERNAL')
}

const codes: Readonly<Partial<Record<TestState, number>>> = {
  TESTING: 0,
  REJECTED: 1,
  WAITING: 3,
  IN_REVIEW: 4,
  DRAFT: 7,
  STOPPED: 10,
  WITHDRAWN: 11,
}

/** The number older tools know: 0 testing, 1 rejected, 3 waits for its start, 4 in review, 7 draft, 10 stopped, 11 withdrawn. */
export function testStateCode(state: TestState): number | null {
  return codes[state] ?? null
}
