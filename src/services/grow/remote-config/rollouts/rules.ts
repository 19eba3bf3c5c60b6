import { type LifeCycle, lifeCycle } from '../../../../kernel/life-cycle.ts'
import type { Guards } from '../../../../kernel/ramp/guards.ts'
import {
  moveRamp,
  type Ramp,
  type RampAction,
  type RampNeed,
  type RampState,
  type RampStep,
  type RampWish,
  rampFacts,
  rampMoves,
  rampStates,
} from '../../../../kernel/ramp/ramp.ts'

const dayMs = 86_400_000

/** What a rollout does where nothing else is said: a day for each share. */
export const usualSteps: readonly RampStep[] = [1, 5, 10, 25, 50, 100].map(percent => ({ percent, holdMs: dayMs }))
export const usualUnit = 'targetingKey'
export const reasonLength = 500

/** How long after a step began it is looked at, and how often from then on. */
export const firstLookMs = 60 * 60_000
export const lookEveryMs = 6 * 60 * 60_000

/** Whether anything but people and the clock moves it. */
export const isGuarded = ({ guardrails, signals, srmAction }: Guards): boolean =>
  guardrails.length + signals.length > 0 || srmAction !== 'warn'

export const rolloutStates = rampStates
export type RolloutState = RampState

/** Its parameter is nobody else's while it is one of these. */
export const holding = ['scheduled', 'running', 'paused'] as const
/** The metrics that it is judged by cannot go while it is one of these. */
export const open = ['draft', ...holding] as const

export type RolloutAction = RampAction | 'remove'
/** The ramp's needs, and what comes of a move: it begins later, or it is the last one. */
export type RolloutFact = RampNeed | 'isAhead' | 'isDone'

const events: Readonly<Record<RampAction, string>> = {
  start: 'started',
  advance: 'advanced',
  approve: 'approved',
  pause: 'paused',
  resume: 'resumed',
  rollback: 'rolled_back',
  complete: 'completed',
  cancel: 'cancelled',
  randomise: 'randomised',
}

/** The ramp's table of moves with the rights and the events of remote config. */
export const rolloutCycle: LifeCycle<RolloutState, RolloutAction, RolloutFact> = lifeCycle({
  entity: 'rollout',
  states: rampStates,
  moves: [
    ...rampMoves.map(({ from, action, to, needs }) => ({
      ...{ from, action, needs: needs ?? [] },
      to: (facts: Readonly<Record<RolloutFact, boolean>>) =>
        facts.isAhead ? ('scheduled' as const) : facts.isDone ? ('completed' as const) : to,
      may: action === 'randomise' ? 'remoteConfig.edit' : 'remoteConfig.publish',
      event: `remote_config.rollout_${events[action]}`,
    })),
    {
      ...{ from: ['draft'] as const, action: 'remove' as const, to: null },
      ...{ may: 'remoteConfig.edit', event: 'remote_config.rollout_removed' },
    },
  ],
})

/** Whether it goes on only when somebody approves the next step. */
export function isWaiting(ramp: Ramp): boolean {
  const { waitsForApproval, hasNext } = rampFacts(ramp)
  return ramp.state === 'running' && waitsForApproval && hasNext
}

/** A ramp after a move, and the facts that its life cycle asks for; without the move the ramp stays. */
export function planMove(
  ramp: Ramp,
  action: RampAction,
  now: number,
  wish: RampWish,
): { next: Ramp; facts: Record<RolloutFact, boolean> } {
  const next = moveRamp(ramp, action, now, wish) ?? ramp
  const facts = { ...rampFacts(ramp), isAhead: next.state === 'scheduled', isDone: next.state === 'completed' }
  return { next, facts }
}
