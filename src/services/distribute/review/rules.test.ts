import { describe, expect, it } from 'vitest'
import { allowedActions, moveFor } from '../../../kernel/life-cycle.ts'
import { firstPolicies } from './policies/built-in.data.ts'
import {
  canTakeOut,
  dueAfterPause,
  dueAt,
  followsFrom,
  type ItemState,
  isHeldBack,
  isHeldBy,
  isThreadOpen,
  moveOfItems,
  type SubmissionState,
  stateAfterLeaving,
  submissionCycle,
  submissionStates,
  taskCycle,
  taskStates,
} from './rules.ts'

const at = (text: string) => Date.parse(`${text}Z`)
const shown = (time: number) => new Date(time).toISOString().slice(0, 16)
const everything = {
  isHolder: true,
  isImpartial: true,
  isFresh: true,
  isOther: true,
  isSenior: true,
  hasIssues: true,
  hasText: true,
}

describe('when a task is due', () => {
  // In China people work from 01:00 to 10:00 UTC.
  it.each([
    ['an update on a Monday', '2026-08-03T05:00', 'UPDATE', '2026-08-04T05:00'],
    ['an update on a Friday', '2026-08-07T05:00', 'UPDATE', '2026-08-10T05:00'],
    ['an update on a Saturday', '2026-08-08T05:00', 'UPDATE', '2026-08-10T10:00'],
    ['a first app on a Monday', '2026-08-03T05:00', 'FIRST', '2026-08-06T05:00'],
    ['a first app on a Thursday', '2026-08-06T05:00', 'FIRST', '2026-08-11T05:00'],
  ] as const)('%s', (_says, queued, queue, wanted) => {
    expect(shown(dueAt(at(queued), queue, 'CN'))).toBe(wanted)
  })

  it.each([
    ['no pause', '2026-08-04T05:00', '2026-08-03T06:00', '2026-08-03T06:00', '2026-08-04T05:00'],
    ['two working hours', '2026-08-04T05:00', '2026-08-03T06:00', '2026-08-03T08:00', '2026-08-04T07:00'],
    ['a night', '2026-08-04T05:00', '2026-08-03T10:00', '2026-08-04T01:00', '2026-08-04T05:00'],
    ['a weekend', '2026-08-07T05:00', '2026-08-06T09:00', '2026-08-08T12:00', '2026-08-10T06:00'],
    ['the due time had passed', '2026-08-03T05:00', '2026-08-03T06:00', '2026-08-05T06:00', '2026-08-03T05:00'],
    ['a clock that was set back', '2026-08-04T05:00', '2026-08-03T06:00', '2026-08-03T05:00', '2026-08-04T05:00'],
  ])('after %s', (_says, due, paused, now, wanted) => {
    expect(shown(dueAfterPause(at(due), at(paused), at(now), 'CN'))).toBe(wanted)
  })
})

describe('where two must agree', () => {
  const task = (...verdicts: ('APPROVE' | 'APPROVE_WITH_NOTES' | 'REJECT')[]) => ({
    needsSecond: true,
    opinions: verdicts.map(verdict => ({ verdict })),
  })

  it.each([
    ['the first passes it on', task(), 'APPROVE', 'passOn'],
    ['the second agrees', task('APPROVE'), 'APPROVE_WITH_NOTES', 'decide'],
    ['both refuse', task('REJECT'), 'REJECT', 'decide'],
    ['they differ', task('APPROVE'), 'REJECT', 'passOn'],
    ['a third, senior, decides', task('APPROVE', 'REJECT'), 'APPROVE', 'decide'],
    ['one is enough elsewhere', { ...task(), needsSecond: false }, 'REJECT', 'decide'],
  ] as const)('%s', (_says, seen, verdict, wanted) => {
    expect(followsFrom(seen, verdict)).toBe(wanted)
  })
})

describe('a submission of several things', () => {
  it.each([
    ['one is still open', 'IN_REVIEW', ['ACCEPTED', 'PENDING'], null],
    ['all are accepted', 'IN_REVIEW', ['ACCEPTED', 'ACCEPTED'], 'accept'],
    ['one is refused', 'IN_REVIEW', ['ACCEPTED', 'REJECTED'], 'reject'],
    ['the refused one comes again', 'UNRESOLVED', ['ACCEPTED', 'PENDING'], 'resubmit'],
    ['the refused one is taken out', 'UNRESOLVED', ['ACCEPTED', 'REMOVED'], 'accept'],
    ['nothing is left', 'WAITING', ['REMOVED', 'REMOVED'], 'cancel'],
    ['it is over', 'COMPLETE', ['ACCEPTED', 'REMOVED'], null],
  ] as const)('%s', (_says, state, states, wanted) => {
    expect(moveOfItems(state, states)).toBe(wanted)
  })
})

describe('things that go on shelf together', () => {
  type Walked = { state: SubmissionState; items: readonly ItemState[] }
  const steps: Partial<Record<ItemState, readonly ItemState[]>> = {
    PENDING: ['ACCEPTED', 'REJECTED', 'REMOVED'],
    REJECTED: ['PENDING', 'REMOVED'],
    ACCEPTED: ['REMOVED'],
  }
  const after: Record<NonNullable<ReturnType<typeof moveOfItems>>, SubmissionState> = {
    accept: 'COMPLETE',
    reject: 'UNRESOLVED',
    resubmit: 'WAITING',
    cancel: 'CANCELED',
  }
  const next = ({ state, items }: Walked): Walked[] =>
    isThreadOpen(state)
      ? items.flatMap((item, index) =>
          (steps[item] ?? []).map(to => {
            const changed = items.with(index, to)
            const move = moveOfItems(state, changed)
            return { state: move ? after[move] : state, items: changed }
          }),
        )
      : []

  /** Every state that three things can come to, by every order of verdicts, withdrawals and submits. */
  const seen = new Map<string, Walked>()
  const walk: Walked[] = [{ state: 'WAITING', items: ['PENDING', 'PENDING', 'PENDING'] }]
  for (let one = walk.pop(); one; one = walk.pop()) {
    const key = `${one.state} ${one.items.join()}`
    if (seen.has(key)) continue
    seen.set(key, one)
    walk.push(...next(one))
  }
  const all = [...seen.values()]

  it('are held back exactly while one of them is open or refused, and the submission is not over', () => {
    for (const { state, items } of all) {
      const isOpen = items.some(item => item === 'PENDING' || item === 'REJECTED')
      const held = items.filter(item => isHeldBack('TOGETHER', item, items)).length
      const accepted = items.filter(item => item === 'ACCEPTED').length
      expect([state, items, held]).toEqual([state, items, isOpen ? accepted : 0])
      expect([state, items, state === 'COMPLETE']).toEqual([state, items, !isOpen && accepted > 0])
      expect(items.some(item => isHeldBack('EACH', item, items))).toBe(false)
    }
    expect(new Set(all.map(one => one.state))).toEqual(new Set(['WAITING', 'UNRESOLVED', 'COMPLETE', 'CANCELED']))
  })

  it('have a way on from every state: what is refused comes again or is taken out', () => {
    for (const { state, items } of all) {
      const canOut = items.some(item => canTakeOut(item, state))
      expect([state, items, canOut]).toEqual([state, items, isThreadOpen(state) && items.includes('REJECTED')])
      expect(next({ state, items }).length > 0).toBe(isThreadOpen(state))
    }
  })

  it.each([
    ['each', 'EACH', 'ACCEPTED', 'REMOVED', 'ACCEPTED'],
    ['together', 'TOGETHER', 'ACCEPTED', 'REMOVED', 'REMOVED'],
    ['each, in review', 'EACH', 'PENDING', 'REMOVED', 'REMOVED'],
    ['together, stopped by the precheck', 'TOGETHER', 'PENDING', 'REJECTED', 'REJECTED'],
  ] as const)('keep what they are when the version leaves: %s', (_says, release, state, left, wanted) => {
    expect(stateAfterLeaving(release, state, left)).toBe(wanted)
  })
})

describe('the life cycle of a task', () => {
  it('offers in each state what a reviewer who holds it may do', () => {
    const may = (permission: string) => permission === 'review.decide'
    const seen = taskStates.map(state => [state, allowedActions(taskCycle, state, may, everything)])
    expect(Object.fromEntries(seen)).toEqual({
      QUEUED: ['claim'],
      CLAIMED: ['release', 'approve', 'approveWithNotes', 'reject', 'ask', 'escalate'],
      WAITING: ['claim'],
      DECIDED: [],
      CANCELED: [],
    })
  })

  it('lets nobody of the owning team claim or decide', () => {
    const facts = { ...everything, isImpartial: false }
    const offered = taskStates.flatMap(state => allowedActions(taskCycle, state, () => true, facts))
    expect([...new Set(offered)]).toEqual(['release', 'answer'])
  })

  it('ends with a decision or a cancellation, and nothing leads out of either', () => {
    for (const state of ['DECIDED', 'CANCELED'] as const) {
      expect(taskCycle.moves.filter(move => move.from.includes(state))).toEqual([])
    }
  })

  it.each([
    ['its holder', 'me', 10, true],
    ['its holder after the lease', 'me', 5, false],
    ['somebody else', 'you', 10, false],
    ['nobody', null, null, false],
  ])('is held by %s', (_says, claimedBy, claimExpiresAt, wanted) => {
    expect(isHeldBy({ claimedBy, claimExpiresAt }, 'me', 5)).toBe(wanted)
  })
})

describe('the life cycle of a submission', () => {
  it('is resubmitted only after it was left unresolved, and over when complete or cancelled', () => {
    const from = (action: 'resubmit' | 'accept' | 'cancel') =>
      submissionStates.filter(state => moveFor(submissionCycle, state, action, () => true))
    expect([from('resubmit'), from('accept'), from('cancel')]).toEqual([
      ['UNRESOLVED'],
      ['WAITING', 'IN_REVIEW', 'UNRESOLVED'],
      ['WAITING', 'IN_REVIEW', 'UNRESOLVED'],
    ])
  })
})

describe('policies', () => {
  it('have one id each, and title and text in three languages', () => {
    expect(new Set(firstPolicies.map(policy => policy.policyId)).size).toBe(firstPolicies.length)
    const words = firstPolicies.flatMap(({ titles, texts }) => [...Object.values(titles), ...Object.values(texts)])
    expect(words).toHaveLength(firstPolicies.length * 6)
    expect(words.every(text => text.trim() !== '')).toBe(true)
  })
})
