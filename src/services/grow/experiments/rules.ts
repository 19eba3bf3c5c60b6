import { lifeCycle } from '../../../kernel/life-cycle.ts'
import type { Rule } from '../../../kernel/targeting/rule.ts'

/** Bounds that the contracts, the handlers and the forms share. */
export const limits = {
  nameLength: 100,
  textLength: 1_000,
  keyPattern: '^[A-Za-z][A-Za-z0-9_-]{0,39}$',
  leastVariants: 2,
  variants: 8,
  parameters: 20,
  goals: 3,
  secondary: 10,
  guardrails: 5,
  segments: 5,
  testUnits: 100,
  unitLength: 256,
  running: 24,
  experiments: 1_000,
  metrics: 200,
  layers: 50,
  phases: 100,
  valueLength: 20_000,
  mostDays: 180,
  attributeLength: 100,
} as const

export const states = ['draft', 'ready', 'running', 'paused', 'stopped', 'concluded', 'archived'] as const
export type State = (typeof states)[number]
export const live: readonly State[] = ['running', 'paused']

export const outcomes = ['shipped', 'rolledBack', 'inconclusive'] as const
export type Outcome = (typeof outcomes)[number]

export const engines = ['bayesian', 'frequentist', 'sequential'] as const
export type Engine = (typeof engines)[number]

export const corrections = ['none', 'holm', 'benjaminiHochberg'] as const
export const roles = ['goal', 'secondary', 'guardrail'] as const
export type Role = (typeof roles)[number]

export const statuses = [
  ...(['collecting', 'noData', 'unhealthy', 'daysLeft'] as const),
  ...(['shipNow', 'rollBackNow', 'readyForReview'] as const),
] as const
/** What the numbers say. */
export type Status = (typeof statuses)[number]

export const reasons = [
  ...(['noExposures', 'tooFewDays', 'tooFewUnits', 'splitMismatch', 'multipleExposures'] as const),
  ...(['goalsBetter', 'goalsWorse', 'guardrailWorse', 'mixedGoals', 'noDifference'] as const),
  ...(['alwaysValid', 'precisionReached', 'beyondDoubt', 'precisionMissing', 'timeIsOver'] as const),
] as const
export type Reason = (typeof reasons)[number]

export interface Variant {
  key: string
  name: string
  /** Percent of those who take part; all of them together are 100. */
  weight: number
  /** Values of parameters as texts; what a variant leaves out stays as it is in force. */
  payload: Record<string, string>
}

export interface UsedMetric {
  metricId: string
  role: Role
  /** Added when the experiment ran already: what it shows was not planned. */
  isPostHoc: boolean
}

/** What an experiment is: who takes part, as what, and how it is judged. */
export interface Design {
  hypothesis: string
  unitAttr: string
  rule: Rule | null
  exposurePercent: number
  layer: { layerId: string; from: number; to: number } | null
  variants: Variant[]
  baseline: string
  metrics: UsedMetric[]
  engine: Engine
  alpha: number
  /** Units at which a sequential result is tightest. */
  tunedFor: number
  /** Days before the first exposure that are taken out of a metric; null takes nothing out. */
  cupedDays: number | null
  correction: (typeof corrections)[number]
  /** The smallest relative change that matters. */
  mde: number
  power: number
  minDays: number
  maxDays: number
  isSticky: boolean
  /** Properties of the exposure that results are broken down by. */
  segments: string[]
}

export const newDesign = (unitAttr = 'targetingKey'): Design => ({
  ...{ hypothesis: '', unitAttr, rule: null, exposurePercent: 100, layer: null, baseline: 'control', metrics: [] },
  ...{ engine: 'sequential', alpha: 0.05, tunedFor: 5_000, cupedDays: 14, correction: 'holm', mde: 0.1, power: 0.8 },
  ...{ minDays: 3, maxDays: limits.mostDays, isSticky: true, segments: [] },
  variants: [
    { key: 'control', name: 'Control', weight: 50, payload: {} },
    { key: 'treatment', name: 'Treatment', weight: 50, payload: {} },
  ],
})

export type Fact = 'isSound' | 'hasGoal' | 'hasData' | 'hasRoom' | 'ownsParameters' | 'isLayerFree' | 'isSplitTrusted'

export const experimentCycle = lifeCycle({
  entity: 'experiment',
  states,
  moves: [
    {
      ...{ from: ['draft'], action: 'validate', to: 'ready', may: 'experiments.edit' },
      ...{ needs: ['isSound', 'hasGoal'], event: 'experiment.ready' },
    },
    { from: ['ready'], action: 'edit', to: 'draft', may: 'experiments.edit', event: 'experiment.edited' },
    { from: ['draft'], action: 'remove', to: null, may: 'experiments.edit', event: 'experiment.deleted' },
    {
      ...{ from: ['ready'], action: 'start', to: 'running', may: 'experiments.run', event: 'experiment.started' },
      needs: ['hasRoom', 'isSound', 'hasGoal', 'hasData', 'ownsParameters', 'isLayerFree'],
    },
    { from: ['running'], action: 'pause', to: 'paused', may: 'experiments.run', event: 'experiment.paused' },
    { from: ['paused'], action: 'resume', to: 'running', may: 'experiments.run', event: 'experiment.resumed' },
    { from: live, action: 'stop', to: 'stopped', may: 'experiments.run', event: 'experiment.stopped' },
    { from: live, action: 'expire', to: 'stopped', may: 'system', event: 'experiment.stopped' },
    {
      ...{ from: ['running', 'paused', 'stopped'], action: 'ship', to: 'concluded', may: 'experiments.run' },
      ...{ needs: ['isSplitTrusted'], event: 'experiment.concluded' },
    },
    {
      ...{ from: ['stopped'], action: 'conclude', to: 'concluded', may: 'experiments.run' },
      ...{ needs: ['isSplitTrusted'], event: 'experiment.concluded' },
    },
    { from: ['concluded'], action: 'archive', to: 'archived', may: 'experiments.edit', event: 'experiment.archived' },
  ],
})

/** The parameters that an experiment gives values to. */
export const parametersOf = ({ variants }: Pick<Design, 'variants'>): string[] => [
  ...new Set(variants.flatMap(one => Object.keys(one.payload))),
]

export interface Fault {
  /** Into the design. */
  pointer: string
  message: string
}

/** Weights are kept to a hundredth of a percent. */
const hundredths = (percent: number) => Math.round(percent * 100)

/** What a draft may still lack. */
export function gaps({ variants, baseline }: Pick<Design, 'variants' | 'baseline'>): Fault[] {
  const found: Fault[] = []
  for (const [at, { key, payload }] of variants.entries()) {
    if (key === baseline || Object.keys(payload).length > 0) continue
    found.push({ pointer: `/variants/${at}/payload`, message: `the variant ${key} changes nothing; give it a value` })
  }
  return found
}

/** What is wrong with a design by itself; parameters, audiences, layers and metrics are asked about elsewhere. */
export function designFaults(design: Design): Fault[] {
  const { variants, baseline, metrics, minDays, maxDays, layer } = design
  const found: Fault[] = []
  const keys = variants.map(one => one.key)
  for (const [at, key] of keys.entries())
    if (keys.indexOf(key) !== at)
      found.push({ pointer: `/variants/${at}/key`, message: `there are two variants called ${key}` })
  const sum = variants.reduce((total, one) => total + hundredths(one.weight), 0)
  if (sum !== 10_000)
    found.push({ pointer: '/variants', message: `the weights add up to ${sum / 100} %; they must make 100 %` })
  if (!keys.includes(baseline))
    found.push({ pointer: '/baseline', message: `there is no variant ${baseline}; name one of ${keys.join(', ')}` })
  const ids = metrics.map(one => one.metricId)
  for (const [at, id] of ids.entries())
    if (ids.indexOf(id) !== at) found.push({ pointer: `/metrics/${at}`, message: `the metric ${id} is there twice` })
  const most = { goal: limits.goals, secondary: limits.secondary, guardrail: limits.guardrails }
  for (const role of roles) {
    const count = metrics.filter(one => one.role === role).length
    if (count > most[role])
      found.push({ pointer: '/metrics', message: `${count} metrics are ${role}; at most ${most[role]} can be` })
  }
  if (minDays > maxDays)
    found.push({ pointer: '/minDays', message: `at least ${minDays} days is more than at most ${maxDays}` })
  if (layer && layer.from >= layer.to)
    found.push({ pointer: '/layer/to', message: `the part of the layer ends at ${layer.to} %, before it begins` })
  if (parametersOf(design).length > limits.parameters)
    found.push({ pointer: '/variants', message: `an experiment is about at most ${limits.parameters} parameters` })
  return found
}

/** What of a design may not be touched while the experiment runs, unless a new phase begins. */
const phaseFields = ['unitAttr', 'rule', 'layer', 'variants', 'baseline', 'cupedDays', 'isSticky'] as const
/** How it is judged is settled with the start: nobody chooses the test that likes him best. */
const judgeFields = ['engine', 'alpha', 'tunedFor', 'correction', 'mde', 'power', 'minDays'] as const

export interface Change {
  /** Fields that may not change now. */
  refused: string[]
  /** What the people who change it have to know. */
  warnings: ('weights' | 'variants' | 'targeting' | 'postHoc' | 'exposure')[]
  design: Design
}

/** What becomes of a design that is changed while it runs. */
export function changeWhileRunning(before: Design, wish: Partial<Design>, isNewPhase: boolean): Change {
  const changed = (name: keyof Design) =>
    wish[name] !== undefined && JSON.stringify(wish[name]) !== JSON.stringify(before[name])
  const refused: string[] = judgeFields.filter(changed)
  if (!isNewPhase) refused.push(...phaseFields.filter(changed))
  if (!isNewPhase && (wish.exposurePercent ?? before.exposurePercent) < before.exposurePercent)
    refused.push('exposurePercent')
  const metrics = wish.metrics ?? before.metrics
  const kept = before.metrics.every(one =>
    metrics.some(other => other.metricId === one.metricId && other.role === one.role),
  )
  if (!kept) refused.push('metrics')
  const known = new Map(before.metrics.map(one => [one.metricId, one.isPostHoc]))
  const marked = metrics.map(one => ({ ...one, isPostHoc: known.get(one.metricId) ?? true }))
  const warnings: Change['warnings'] = []
  if (changed('variants')) warnings.push(isOnlyWeights(before.variants, wish.variants ?? []) ? 'weights' : 'variants')
  if (changed('rule') || changed('layer') || changed('unitAttr')) warnings.push('targeting')
  if (changed('exposurePercent')) warnings.push('exposure')
  if (marked.length > before.metrics.length) warnings.push('postHoc')
  return { refused, warnings, design: { ...before, ...wish, metrics: marked } }
}

function isOnlyWeights(before: readonly Variant[], after: readonly Variant[]): boolean {
  const plain = (variants: readonly Variant[]) => JSON.stringify(variants.map(one => ({ ...one, weight: 0 })))
  return plain(before) === plain(after)
}

/** Whether two parts of one layer share somebody. Each is from up to below, in percent. */
export const doOverlap = (a: { from: number; to: number }, b: { from: number; to: number }): boolean =>
  a.from < b.to && b.from < a.to

/** The largest parts of a layer that nobody has. */
export function freeParts(taken: readonly { from: number; to: number }[]): { from: number; to: number }[] {
  const free: { from: number; to: number }[] = []
  let at = 0
  for (const part of [...taken].sort((a, b) => a.from - b.from)) {
    if (part.from > at) free.push({ from: at, to: part.from })
    at = Math.max(at, part.to)
  }
  if (at < 100) free.push({ from: at, to: 100 })
  return free
}

export const goalCount = ({ metrics }: Pick<Design, 'metrics'>): number =>
  metrics.filter(one => one.role === 'goal').length
