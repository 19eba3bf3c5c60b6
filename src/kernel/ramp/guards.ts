import { splitOf } from '../statistics/checks.ts'

/** What is done where more or fewer units are in than the step says (sample ratio mismatch). */
export const srmActions = ['warn', 'hold', 'rollback'] as const
export type SrmAction = (typeof srmActions)[number]

export const guardRoles = ['guardrail', 'signal'] as const
export type GuardRole = (typeof guardRoles)[number]

export const guardCauses = ['guardrail', 'signal', 'split'] as const
export type GuardCause = (typeof guardCauses)[number]

export const verdicts = ['waiting', 'fine', 'failed', 'gone'] as const
export type Verdict = (typeof verdicts)[number]

export const guardLimits = {
  /** Metrics of each role. */
  most: 5,
  /** Nothing is judged of fewer units an arm. */
  leastUnits: 100,
  /** How likely any guardrail of a step fails though nothing changed; signals have as much. */
  alpha: 0.05,
} as const

/** Metrics by id that stop a ramp, or hold it. */
export interface Guards {
  guardrails: string[]
  signals: string[]
  srmAction: SrmAction
}

/** A metric of those who are in beside those who are not, in its own unit; the bounds of the change hold for themselves. */
export interface Reading {
  metricId: string
  name: string
  direction: 'up' | 'down'
  inside: { n: number; mean: number }
  outside: { n: number; mean: number }
  change: { by: number; low: number; high: number } | null
}

export interface Measured {
  inUnits: number
  outUnits: number
  /** Metrics that are gone are not among them. */
  readings: readonly Reading[]
}

export interface Judgement {
  metricId: string
  role: GuardRole
  verdict: Verdict
  /** Null of a metric that is gone. */
  reading: Reading | null
}

/** What was found of one step at a time. */
export interface Look {
  at: number
  inUnits: number
  outUnits: number
  /** How likely a split so uneven is by chance; null of too few units. */
  splitP: number | null
  isSplitHealthy: boolean
  judged: Judgement[]
}

/** The error that each of so many metrics of a role may make. */
export const alphaOf = (metrics: number) => guardLimits.alpha / Math.max(1, metrics)

function verdictOf(reading: Reading | undefined): Verdict {
  if (!reading) return 'gone'
  const { inside, outside, change, direction } = reading
  if (!change || Math.min(inside.n, outside.n) < guardLimits.leastUnits) return 'waiting'
  return (direction === 'up' ? change.high < 0 : change.low > 0) ? 'failed' : 'fine'
}

/** Judges what was measured at a step that reaches `percent` of the units. */
export function lookAt(measured: Measured, { guardrails, signals }: Guards, percent: number, now: number): Look {
  const { inUnits, outUnits, readings } = measured
  const found = new Map(readings.map(one => [one.metricId, one]))
  const judge = (role: GuardRole) => (metricId: string) => {
    const reading = found.get(metricId)
    return { metricId, role, verdict: verdictOf(reading), reading: reading ?? null }
  }
  const isEnough = Math.min(inUnits, outUnits) >= guardLimits.leastUnits
  const split = isEnough ? splitOf([inUnits, outUnits], [percent, 100 - percent]) : null
  return {
    ...{ at: now, inUnits, outUnits, splitP: split?.p ?? null, isSplitHealthy: split?.isHealthy ?? true },
    judged: [...guardrails.map(judge('guardrail')), ...signals.map(judge('signal'))],
  }
}

/** Why a look moves a ramp. */
export type Finding =
  | ({ kind: 'metric' } & Pick<Reading, 'name' | 'inside' | 'outside' | 'change'>)
  | { kind: 'split'; inUnits: number; outUnits: number; p: number }
  | { kind: 'recovered' }

export interface GuardMove {
  action: 'rollback' | 'pause' | 'resume'
  cause: GuardCause
  finding: Finding
}

const found = ({ name, inside, outside, change }: Reading): Finding => ({
  ...{ kind: 'metric', name: name.slice(0, 200) },
  ...{ inside, outside, change },
})

/**
 * What a look asks of a ramp: a guardrail takes it back, a signal holds it until it recovers. What a person paused stays
 * so: `heldBy` says who else did.
 */
export function answerTo(
  look: Look,
  { srmAction }: Pick<Guards, 'srmAction'>,
  { state, heldBy }: { state: string; heldBy: GuardCause | null },
): GuardMove | null {
  const failed = (role: GuardRole) => look.judged.find(one => one.role === role && one.verdict === 'failed')?.reading
  const split: Finding = { kind: 'split', inUnits: look.inUnits, outUnits: look.outUnits, p: look.splitP ?? 1 }
  const guardrail = failed('guardrail')
  if (guardrail) return { action: 'rollback', cause: 'guardrail', finding: found(guardrail) }
  const isUneven = !look.isSplitHealthy
  if (isUneven && srmAction === 'rollback') return { action: 'rollback', cause: 'split', finding: split }
  const signal = failed('signal')
  const holds = signal ? 'signal' : isUneven && srmAction === 'hold' ? 'split' : null
  if (state === 'running' && holds) return { action: 'pause', cause: holds, finding: signal ? found(signal) : split }
  if (state === 'paused' && heldBy && !holds) return { action: 'resume', cause: heldBy, finding: { kind: 'recovered' } }
  return null
}
