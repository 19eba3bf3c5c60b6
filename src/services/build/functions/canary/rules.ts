import { lifeCycle } from '../../../../kernel/life-cycle.ts'

export const canaryStates = ['RUNNING', 'PAUSED', 'DONE', 'ABORTED', 'ROLLED_BACK'] as const
export const canaryActions = ['pause', 'resume', 'finish', 'rollBack'] as const

export const canaryLimits = { steps: 10, holdMinutes: 7 * 24 * 60 } as const

/** A canary ends by itself with its last step, or when a limit is passed; people may do either before. */
export const canaryLifeCycle = lifeCycle({
  entity: 'function_canary',
  states: canaryStates,
  moves: [
    { from: ['RUNNING'], action: 'pause', to: 'PAUSED', may: 'functions.edit', event: 'function_canary.paused' },
    { from: ['PAUSED'], action: 'resume', to: 'RUNNING', may: 'functions.edit', event: 'function_canary.resumed' },
    {
      from: ['RUNNING', 'PAUSED'],
      action: 'finish',
      to: 'DONE',
      may: 'functions.edit',
      event: 'function_canary.finished',
    },
    {
      from: ['RUNNING', 'PAUSED'],
      action: 'rollBack',
      to: 'ROLLED_BACK',
      may: 'functions.edit',
      event: 'function_canary.rolled_back',
    },
    { from: ['RUNNING'], action: 'abort', to: 'ABORTED', may: 'system', event: 'function_canary.aborted' },
    { from: ['RUNNING'], action: 'advance', to: 'RUNNING', may: 'system', event: 'function_canary.advanced' },
    { from: ['RUNNING'], action: 'complete', to: 'DONE', may: 'system', event: 'function_canary.finished' },
  ],
})

export interface Step {
  /** Of a hundred calls, to the second version. */
  weight: number
  holdMinutes: number
}

export interface CanaryLimits {
  errorPercent: number
  /** Null where times do not matter. */
  p95Ms: number | null
  /** Of the second version in the step; fewer say nothing. */
  minimumCalls: number
}

/** What the second version did since the step began. */
export interface Health {
  calls: number
  failures: number
  p95Ms: number | null
}

/** Why steps cannot be; null when they can. */
export function stepsProblem(steps: readonly Step[]): string | null {
  const grows = steps.every((step, at) => at === 0 || step.weight > (steps[at - 1] as Step).weight)
  return grows ? null : 'each step has a larger share than the one before'
}

/** Which limit was passed; null when none was, or there were too few calls to say. */
export function passedLimit(limits: CanaryLimits, { calls, failures, p95Ms }: Health): 'errors' | 'latency' | null {
  if (calls < limits.minimumCalls) return null
  if ((100 * failures) / calls > limits.errorPercent) return 'errors'
  return limits.p95Ms !== null && p95Ms !== null && p95Ms > limits.p95Ms ? 'latency' : null
}

/**
 * What becomes of a canary that runs. After a time in which nobody looked it is one step at most: the next one is held as
 * long as it shall be, from now on.
 */
export function nextMove(
  one: { steps: readonly Step[]; step: number; stepStartedAt: number; limits: CanaryLimits },
  health: Health,
  now: number,
): 'abort' | 'advance' | 'complete' | null {
  if (passedLimit(one.limits, health)) return 'abort'
  const holdMs = (one.steps[one.step]?.holdMinutes ?? 0) * 60_000
  if (now < one.stepStartedAt + holdMs) return null
  return one.step + 1 < one.steps.length ? 'advance' : 'complete'
}
