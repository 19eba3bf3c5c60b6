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
  rampActions,
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

/** What can become of a rollout besides that its draft is deleted. */
export const rolloutDeeds = [
  ...rampActions,
  ...(['edit', 'askStart', 'askComplete', 'agree', 'refuse', 'withdraw'] as const),
] as const
export type RolloutDeed = (typeof rolloutDeeds)[number]
export type RolloutAction = RolloutDeed | 'remove'

/** What others agree to where a project asks for it. */
export const askedActions = ['start', 'complete'] as const

/** Of whoever acts, and of what others are asked: nobody must agree or enough have; others must; nothing is asked; something is. */
export const agreementFacts = [
  ...(['isFree', 'needsOthers', 'isUnasked', 'isAsked'] as const),
  ...(['isOther', 'isFirstTime', 'hasReason'] as const),
] as const
export type AgreementFact = (typeof agreementFacts)[number]

/** The ramp's needs, and what comes of a move: it begins later, or it is the last one. */
export type RolloutFact = RampNeed | 'isAhead' | 'isDone' | AgreementFact

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

const edit = 'remoteConfig.edit'
const publish = 'remoteConfig.publish'

const needsOf = (action: RampAction): readonly RolloutFact[] =>
  action === 'start' || action === 'complete' ? ['isFree'] : action === 'randomise' ? ['isUnasked'] : []

/** The states in which something of it is for others to agree to. */
const askable = { askStart: ['draft', 'scheduled', 'rolledBack'], askComplete: ['running', 'paused'] } as const

/** Moves that leave the state as it is. */
const staying = (
  states: readonly RolloutState[],
  { what, ...move }: { action: RolloutAction; needs: readonly RolloutFact[]; may: string; what: string },
) => states.map(state => ({ from: [state], to: state, ...move, event: `remote_config.rollout_${what}` }))

/** The ramp's table of moves with the rights and the events of remote config, and what others agree to. */
export const rolloutCycle: LifeCycle<RolloutState, RolloutAction, RolloutFact> = lifeCycle({
  entity: 'rollout',
  states: rampStates,
  moves: [
    ...rampMoves.map(({ from, action, to, needs }) => ({
      ...{ from, action, needs: [...(needs ?? []), ...needsOf(action)] },
      to: (facts: Readonly<Record<RolloutFact, boolean>>) =>
        facts.isAhead ? ('scheduled' as const) : facts.isDone ? ('completed' as const) : to,
      may: action === 'randomise' ? edit : publish,
      event: `remote_config.rollout_${events[action]}`,
    })),
    ...staying(['draft'], { action: 'edit', needs: ['isUnasked'], may: edit, what: 'updated' }),
    ...(['askStart', 'askComplete'] as const).flatMap(action =>
      staying(askable[action], { action, needs: ['needsOthers', 'isUnasked'], may: publish, what: 'asked' }),
    ),
    ...[...askable.askStart, ...askable.askComplete].flatMap(state => [
      ...staying([state], {
        ...{ action: 'agree', may: publish, what: 'agreed' },
        needs: ['isAsked', 'isOther', 'isFirstTime'],
      }),
      ...staying([state], {
        ...{ action: 'refuse', may: publish, what: 'refused' },
        needs: ['isAsked', 'isOther', 'hasReason'],
      }),
      ...staying([state], { action: 'withdraw', needs: ['isAsked'], may: edit, what: 'withdrawn' }),
    ]),
    {
      ...{ from: ['draft'] as const, action: 'remove' as const, to: null },
      ...{ may: edit, event: 'remote_config.rollout_removed' },
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
): { next: Ramp; facts: Record<RampNeed | 'isAhead' | 'isDone', boolean> } {
  const next = moveRamp(ramp, action, now, wish) ?? ramp
  const facts = { ...rampFacts(ramp), isAhead: next.state === 'scheduled', isDone: next.state === 'completed' }
  return { next, facts }
}
