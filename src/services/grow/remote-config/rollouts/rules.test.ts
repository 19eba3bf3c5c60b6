import { describe, expect, it } from 'vitest'
import { allowedActions, moveFor } from '../../../../kernel/life-cycle.ts'
import { moveRamp, type Ramp, rampActions } from '../../../../kernel/ramp/ramp.ts'
import { permissionMatrix, permissionsOf, teamRoles } from '../../../ground/teams/rules.ts'
import {
  type AgreementFact,
  agreementFacts,
  isWaiting,
  planMove,
  type RolloutAction,
  type RolloutFact,
  type RolloutState,
  rolloutCycle,
  rolloutDeeds,
  rolloutStates,
} from './rules.ts'

const hold = 60_000
const ramp = (more: Partial<Ramp> = {}): Ramp => ({
  ...{ state: 'running', step: 0, dueAt: hold, pausedAt: null, seed: 'seed' },
  steps: [
    { percent: 10, holdMs: hold },
    { percent: 100, holdMs: hold },
  ],
  ...more,
})

/** Where nobody must agree. */
const free = Object.fromEntries(agreementFacts.map(one => [one, true])) as Record<AgreementFact, true>

/** Written down a second time on purpose: what who publishes may do, and who only edits. */
const expected: Record<RolloutState, { publish: RolloutAction[]; edit: RolloutAction[] }> = {
  draft: {
    publish: ['start', 'cancel', 'askStart', 'agree', 'refuse'],
    edit: ['randomise', 'edit', 'withdraw', 'remove'],
  },
  scheduled: { publish: ['start', 'cancel', 'askStart', 'agree', 'refuse'], edit: ['withdraw'] },
  running: {
    publish: ['advance', 'approve', 'pause', 'rollback', 'complete', 'cancel', 'askComplete', 'agree', 'refuse'],
    edit: ['withdraw'],
  },
  paused: {
    publish: ['resume', 'rollback', 'complete', 'cancel', 'askComplete', 'agree', 'refuse'],
    edit: ['withdraw'],
  },
  completed: { publish: [], edit: [] },
  rolledBack: { publish: ['start', 'askStart', 'agree', 'refuse'], edit: ['randomise', 'withdraw'] },
  cancelled: { publish: [], edit: [] },
}

describe('the life of a rollout', () => {
  it.each(rolloutStates)('allows from %s what the table says, by right', state => {
    const { publish, edit } = expected[state]
    expect(allowedActions(rolloutCycle, state, one => one === 'remoteConfig.publish')).toEqual(publish)
    expect(allowedActions(rolloutCycle, state, one => one === 'remoteConfig.edit')).toEqual(edit)
    expect(allowedActions(rolloutCycle, state, one => !one.startsWith('remoteConfig.'))).toEqual([])
  })

  it.each(teamRoles)('gives %s in every state the actions of the table, or none', role => {
    const held = permissionsOf([role], permissionMatrix)
    for (const state of rolloutStates)
      for (const action of [...rolloutDeeds, 'remove'] as const) {
        const { publish, edit } = expected[state]
        const isExpected =
          (held.has('remoteConfig.publish') && publish.includes(action)) ||
          (held.has('remoteConfig.edit') && edit.includes(action))
        const move = moveFor(rolloutCycle, state, action, one => held.has(one))
        expect([state, action, move !== undefined]).toEqual([state, action, isExpected])
      }
  })

  it('leads where the ramp leads', () => {
    for (const state of rolloutStates)
      for (const action of rampActions)
        for (const step of [0, 1]) {
          const before = ramp({ state, step })
          const after = moveRamp(before, action, 2 * hold)
          const facts: Record<RolloutFact, boolean> = { ...free, ...planMove(before, action, 2 * hold, {}).facts }
          const move = moveFor(rolloutCycle, state, action, () => true)
          const isMet = move?.needs?.every(need => facts[need]) ?? false
          const to = typeof move?.to === 'function' ? move.to(facts) : move?.to
          expect([state, action, step, isMet ? to : null]).toEqual([state, action, step, after?.state ?? null])
        }
  })

  it('begins as scheduled where its time is ahead', () => {
    const { facts } = planMove(ramp({ state: 'draft' }), 'start', 0, { startAt: hold })
    expect([facts.isAhead, facts.isDone]).toEqual([true, false])
  })
})

describe('a rollout waits for somebody', () => {
  const steps = [
    { percent: 10, holdMs: null },
    { percent: 50, holdMs: null },
  ]
  it.each([
    ['at a step that is to be approved', ramp({ steps }), true],
    ['at no step that is timed', ramp(), false],
    ['not at its last step below 100 %', ramp({ steps, step: 1 }), false],
    ['not in a pause', ramp({ steps, state: 'paused' }), false],
  ])('%s', (_when, one, isHeld) => expect(isWaiting(one)).toBe(isHeld))
})
