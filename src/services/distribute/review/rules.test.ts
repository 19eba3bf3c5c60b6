import { describe, expect, it } from 'vitest'
import { allowedActions, moveFor } from '../../../kernel/life-cycle.ts'
import { policies, policyOf } from './policies.ts'
import { dueAfterPause, dueAt, isHeldBy, submissionCycle, submissionStates, taskCycle, taskStates } from './rules.ts'

const at = (text: string) => Date.parse(`${text}Z`)
const shown = (time: number) => new Date(time).toISOString().slice(0, 16)
const everything = { isHolder: true, isImpartial: true, hasIssues: true, hasText: true }

describe('when a task is due', () => {
  it.each([
    ['an update on a Monday', '2026-08-03T10:00', 'UPDATE', '2026-08-04T10:00'],
    ['an update on a Friday', '2026-08-07T10:00', 'UPDATE', '2026-08-10T10:00'],
    ['an update on a Saturday', '2026-08-08T10:00', 'UPDATE', '2026-08-10T10:00'],
    ['a first app on a Monday', '2026-08-03T10:00', 'FIRST', '2026-08-06T10:00'],
    ['a first app on a Thursday', '2026-08-06T10:00', 'FIRST', '2026-08-11T10:00'],
  ] as const)('%s', (_says, queued, queue, wanted) => {
    expect(shown(dueAt(at(queued), queue))).toBe(wanted)
  })

  it.each([
    ['no pause', '2026-08-04T10:00', '2026-08-03T12:00', '2026-08-03T12:00', '2026-08-04T10:00'],
    ['six hours', '2026-08-04T10:00', '2026-08-03T12:00', '2026-08-03T18:00', '2026-08-04T16:00'],
    ['into the weekend', '2026-08-07T10:00', '2026-08-06T12:00', '2026-08-07T12:00', '2026-08-10T10:00'],
    ['a clock that was set back', '2026-08-04T10:00', '2026-08-03T12:00', '2026-08-03T11:00', '2026-08-04T10:00'],
  ])('after %s', (_says, due, paused, now, wanted) => {
    expect(shown(dueAfterPause(at(due), at(paused), at(now)))).toBe(wanted)
  })
})

describe('the life cycle of a task', () => {
  it('offers in each state what a reviewer who holds it may do', () => {
    const may = (permission: string) => permission === 'review.decide'
    const seen = taskStates.map(state => [state, allowedActions(taskCycle, state, may, everything)])
    expect(Object.fromEntries(seen)).toEqual({
      QUEUED: ['claim'],
      CLAIMED: ['release', 'approve', 'approveWithNotes', 'reject', 'ask'],
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
      ['WAITING', 'IN_REVIEW'],
      ['WAITING', 'IN_REVIEW', 'UNRESOLVED'],
    ])
  })
})

describe('policies', () => {
  it('have one id each and a title in three languages', () => {
    expect(new Set(policies.map(policy => policy.policyId)).size).toBe(policies.length)
    expect(policies.every(({ titles }) => titles.zh && titles.en && titles.ru)).toBe(true)
    expect([policyOf('1.1')?.policyId, policyOf('77')]).toEqual(['1.1', undefined])
  })
})
