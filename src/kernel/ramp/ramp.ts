import { afterPause, dueAfter } from './timing.ts'

/**
 * A ramp (brief growth 10): something reaches more and more units, step by step. Pure: the clock comes in as a number, and
 * a service keeps the ramp in its row, moves it under a lock, and asks what is due.
 */
export interface RampStep {
  /** Above 0, at most 100. */
  percent: number
  /** How long the step is held before the next one, in milliseconds; null waits for somebody to approve. */
  holdMs: number | null
}

export const rampStates = [
  ...(['draft', 'scheduled', 'running', 'paused'] as const),
  ...(['completed', 'rolledBack', 'cancelled'] as const),
] as const
export type RampState = (typeof rampStates)[number]

export const rampActions = [
  ...(['start', 'advance', 'approve', 'pause', 'resume'] as const),
  ...(['rollback', 'complete', 'cancel', 'randomise'] as const),
] as const
export type RampAction = (typeof rampActions)[number]

export interface Ramp {
  state: RampState
  steps: readonly RampStep[]
  /** Place of the step it stands at; of one that never began 0. */
  step: number
  /** When it begins, or the next step does; null where no clock moves it. */
  dueAt: number | null
  pausedAt: number | null
  /** Who is in is drawn by it: the same one lets the same units in first. */
  seed: string
}

/** What must hold for a move besides its state. */
export const rampNeeds = ['isTimed', 'waitsForApproval', 'hasNext'] as const
export type RampNeed = (typeof rampNeeds)[number]

interface RampMove {
  from: readonly RampState[]
  action: RampAction
  to: RampState
  needs?: readonly RampNeed[]
}

/** Which state allows what. Whoever begins with a time ahead is `scheduled` first; after the last step at 100 % it is `completed`. */
export const rampMoves: readonly RampMove[] = [
  { from: ['draft', 'scheduled', 'rolledBack'], action: 'start', to: 'running' },
  { from: ['running'], action: 'advance', to: 'running', needs: ['isTimed', 'hasNext'] },
  { from: ['running'], action: 'approve', to: 'running', needs: ['waitsForApproval', 'hasNext'] },
  { from: ['running'], action: 'pause', to: 'paused' },
  { from: ['paused'], action: 'resume', to: 'running' },
  { from: ['running', 'paused'], action: 'rollback', to: 'rolledBack' },
  { from: ['running', 'paused'], action: 'complete', to: 'completed' },
  { from: ['draft', 'scheduled', 'running', 'paused'], action: 'cancel', to: 'cancelled' },
  // While somebody is in, another seed would take people out.
  { from: ['draft', 'rolledBack'], action: 'randomise', to: 'draft' },
]

const isWhole = ({ percent }: RampStep) => percent === 100
const stepAt = ({ steps, step }: Pick<Ramp, 'steps' | 'step'>) => steps[step] as RampStep

/** How many units are in now, in percent. */
export function rampPercent(ramp: Ramp): number {
  if (ramp.state === 'completed') return 100
  return ramp.state === 'running' || ramp.state === 'paused' ? stepAt(ramp).percent : 0
}

/** Whether each need of the moves holds. */
export function rampFacts(ramp: Ramp): Record<RampNeed, boolean> {
  const { holdMs } = stepAt(ramp)
  const hasNext = ramp.step < ramp.steps.length - 1 || isWhole(stepAt(ramp))
  return { isTimed: holdMs !== null, waitsForApproval: holdMs === null, hasNext }
}

/** What the clock asks for: at most one thing, however long nobody looked. */
export function rampDue(ramp: Ramp, now: number): 'start' | 'advance' | null {
  if (ramp.dueAt === null || ramp.dueAt > now) return null
  if (ramp.state === 'scheduled') return 'start'
  return ramp.state === 'running' && rampFacts(ramp).hasNext ? 'advance' : null
}

/** What a move needs to know besides the time. */
export interface RampWish {
  /** When a start is to be; left out or past is now. */
  startAt?: number
  /** The new seed of a randomise. */
  seed?: string
}

/** The ramp after an action; null where its state or a need does not allow it. */
export function moveRamp(ramp: Ramp, action: RampAction, now: number, wish: RampWish = {}): Ramp | null {
  const move = rampMoves.find(one => one.action === action && one.from.includes(ramp.state))
  const facts = rampFacts(ramp)
  if (!move || move.needs?.some(need => !facts[need])) return null
  const { dueAt } = ramp
  const rest = { ...ramp, state: move.to, dueAt: null, pausedAt: null }
  switch (action) {
    case 'start': {
      if (wish.startAt !== undefined && wish.startAt > now) return { ...rest, state: 'scheduled', dueAt: wish.startAt }
      const begun = { ...rest, step: 0 }
      return reached(begun, dueFrom(begun, now))
    }
    case 'advance':
    case 'approve':
      return next(ramp, now)
    case 'pause':
      return { ...rest, dueAt, pausedAt: now }
    case 'resume':
      return { ...rest, dueAt: afterPause(dueAt, ramp.pausedAt, now) }
    case 'randomise':
      return { ...rest, step: 0, seed: wish.seed ?? ramp.seed }
    default:
      return rest
  }
}

function next(ramp: Ramp, now: number): Ramp {
  if (ramp.step === ramp.steps.length - 1) return { ...ramp, state: 'completed', dueAt: null }
  const after = { ...ramp, step: ramp.step + 1 }
  const { holdMs } = stepAt(after)
  // Taken by hand before its time, a step is held from now; taken by the clock, from when it was due.
  const isOverdue = ramp.dueAt !== null && ramp.dueAt <= now
  const dueAt = holdMs !== null && isOverdue ? dueAfter(ramp.dueAt as number, holdMs, now) : dueFrom(after, now)
  return reached(after, dueAt)
}

const dueFrom = (ramp: Ramp, now: number): number | null => {
  const { holdMs } = stepAt(ramp)
  return holdMs === null || !rampFacts(ramp).hasNext ? null : now + holdMs
}

/** A step of 100 % that is not held ends the ramp as it is reached. */
function reached(ramp: Ramp, dueAt: number | null): Ramp {
  const step = stepAt(ramp)
  if (isWhole(step) && step.holdMs === 0) return { ...ramp, state: 'completed', dueAt: null }
  return { ...ramp, dueAt: rampFacts(ramp).hasNext ? dueAt : null }
}

export const rampLimits = {
  steps: 20,
  leastPercent: 0.01,
  leastHoldMs: 60_000,
  mostHoldMs: 90 * 86_400_000,
} as const

/** What is wrong with steps, by `/2/percent`: shares that do not grow, that are none, holds that are too short or long. */
export function stepFaults(steps: readonly RampStep[]): { pointer: string; message: string }[] {
  const { leastPercent, leastHoldMs, mostHoldMs } = rampLimits
  if (steps.length === 0) return [{ pointer: '', message: 'there is no step; give at least one' }]
  if (steps.length > rampLimits.steps)
    return [{ pointer: '', message: `${steps.length} steps are too many; give at most ${rampLimits.steps}` }]
  return steps.flatMap(({ percent, holdMs }, at) => {
    const faults: { pointer: string; message: string }[] = []
    const before = steps[at - 1]?.percent
    const isShare = percent >= leastPercent && percent <= 100 && Number(percent.toFixed(2)) === percent
    const range = `${percent} % is no share; give ${leastPercent} to 100, with at most two decimals`
    if (!isShare) faults.push({ pointer: `/${at}/percent`, message: range })
    else if (before !== undefined && percent <= before)
      faults.push({ pointer: `/${at}/percent`, message: `${percent} % is not above the ${before} % before it` })
    const isHeld = holdMs === null || (holdMs >= leastHoldMs && holdMs <= mostHoldMs)
    if (!isHeld && !(holdMs === 0 && percent === 100))
      faults.push({ pointer: `/${at}/holdMs`, message: `${holdMs} ms is not between a minute and 90 days` })
    return faults
  })
}
