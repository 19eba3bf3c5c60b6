import type { Engine, Reason, Status } from '../rules.ts'
import type { Snapshot } from '../tables.ts'
import type { Comparison, Judged } from './judging.ts'
import type { Results } from './results.ts'

export interface Decision {
  status: Status
  /** The variant that is to be shipped, or was looked at. */
  variant: string | null
  reasons: Reason[]
  /** Days until the change that matters could be told from none; null where that is not known. */
  daysLeft: number | null
  /** Whether `ship` may be offered without a word of doubt. */
  isShippable: boolean
}

const leastUnitsOfArm = 100
/** Beyond any doubt without a plan: so unlikely by chance, or so sure to win. */
const doubtless = { p: 0.001, chance: 0.999 }
const dayMs = 86_400_000

export interface Asked {
  snapshot: Snapshot
  results: Results
  engine: Engine
}

/** What the numbers say should be done now, and why (brief growth 11.6). */
export function decide({ snapshot, results, engine }: Asked): Decision {
  const { design, from, until } = snapshot
  const total = results.variants.reduce((sum, one) => sum + one.units, 0)
  const nothing = { variant: null, daysLeft: null, isShippable: false }
  if (total === 0) return { ...nothing, status: 'noData', reasons: ['noExposures'] }
  const unhealthy: Reason[] = [
    ...(results.split.isHealthy ? [] : (['splitMismatch'] as const)),
    ...(results.isMixed ? (['multipleExposures'] as const) : []),
  ]
  if (unhealthy.length > 0) return { ...nothing, status: 'unhealthy', reasons: unhealthy }
  const days = (until - from) / dayMs
  const early: Reason[] = [
    ...(days < design.minDays ? (['tooFewDays'] as const) : []),
    ...(results.variants.some(one => one.weight > 0 && one.units < leastUnitsOfArm) ? (['tooFewUnits'] as const) : []),
  ]
  if (early.length > 0) return { ...nothing, status: 'collecting', reasons: early }
  return judge({ snapshot, results, engine }, days)
}

function judge({ snapshot, results, engine }: Asked, days: number): Decision {
  const { design } = snapshot
  const others = design.variants.map(one => one.key).filter(key => key !== design.baseline)
  const verdicts = others.map(key => verdictOf(results.metrics, key, engine, design.alpha))
  const winners = verdicts.filter(one => one.isBetter && !one.isHarmful)
  const [best] = winners.sort((a, b) => b.gain - a.gain)
  const precision = precisionOf(results.metrics, best?.variant ?? null)
  const isPrecise = precision !== null && precision <= design.mde
  const isOver = days >= design.maxDays
  const daysLeft = precision === null || isPrecise ? null : Math.ceil(days * ((precision / design.mde) ** 2 - 1))
  const sure: Reason[] = [
    ...(engine === 'sequential' ? (['alwaysValid'] as const) : []),
    ...(isPrecise ? (['precisionReached'] as const) : []),
    ...(verdicts.some(one => one.isDoubtless) ? (['beyondDoubt'] as const) : []),
  ]
  if (best) {
    const enough = engine === 'sequential' || isPrecise || best.isDoubtless
    const own = sure.filter(one => one !== 'beyondDoubt' || best.isDoubtless)
    if (enough)
      return {
        status: 'shipNow',
        variant: best.variant,
        reasons: ['goalsBetter', ...own],
        daysLeft: null,
        isShippable: true,
      }
  }
  if (verdicts.length > 0 && verdicts.every(one => one.isWorse || one.isHarmful)) {
    const why: Reason[] = verdicts.every(one => one.isWorse) ? ['goalsWorse'] : ['guardrailWorse']
    const enough = engine === 'sequential' || isPrecise || verdicts.every(one => one.isDoubtless)
    if (enough)
      return {
        status: 'rollBackNow',
        variant: design.baseline,
        reasons: [...why, ...sure],
        daysLeft: null,
        isShippable: false,
      }
  }
  const state: Reason = best
    ? 'goalsBetter'
    : verdicts.some(one => one.isHarmful)
      ? 'guardrailWorse'
      : verdicts.some(one => one.isMixed)
        ? 'mixedGoals'
        : 'noDifference'
  if (isPrecise || isOver) {
    const end: Reason = isPrecise ? 'precisionReached' : 'timeIsOver'
    return {
      status: 'readyForReview',
      variant: best?.variant ?? null,
      reasons: [state, end],
      daysLeft: null,
      isShippable: !!best,
    }
  }
  const left = Math.min(daysLeft ?? Number.POSITIVE_INFINITY, Math.max(1, Math.ceil(design.maxDays - days)))
  return {
    status: 'daysLeft',
    variant: best?.variant ?? null,
    reasons: [state, 'precisionMissing'],
    daysLeft: left,
    isShippable: !!best,
  }
}

interface Verdict {
  variant: string
  isBetter: boolean
  isWorse: boolean
  isMixed: boolean
  isHarmful: boolean
  isDoubtless: boolean
  /** By how much its first goal is better, for choosing between several. */
  gain: number
}

/** Every goal has to be better; one that is worse speaks against it, and so does a guardrail that is. */
function verdictOf(metrics: readonly Judged[], variant: string, engine: Engine, alpha: number): Verdict {
  const of = (metric: Judged) => ({ metric, one: metric.variants.find(two => two.variant === variant) })
  const goals = metrics.filter(one => one.role === 'goal' && !one.isPostHoc).map(of)
  const ways = goals.map(({ metric, one }) => wayOf(metric, one, engine, alpha))
  const guards = metrics.filter(one => one.role === 'guardrail').map(of)
  const first = goals[0]
  const sign = first?.metric.direction === 'down' ? -1 : 1
  return {
    variant,
    isBetter: ways.length > 0 && ways.every(way => way === 1),
    isWorse: ways.some(way => way === -1) && !ways.includes(1),
    isMixed: ways.includes(1) && ways.some(way => way !== 1),
    isHarmful: guards.some(({ metric, one }) => wayOf(metric, one, engine, alpha) === -1),
    isDoubtless: goals.length > 0 && goals.every(({ one }) => isDoubtless(one, engine)),
    gain: sign * (first?.one?.lift ?? 0),
  }
}

/** 1 where it is better, -1 where it is worse, 0 where nobody can tell. */
function wayOf({ direction }: Judged, one: Comparison | undefined, engine: Engine, alpha: number): -1 | 0 | 1 {
  if (!one || one.lift === null) return 0
  if (engine === 'bayesian') {
    const chance = one.chanceToWin ?? 0.5
    return chance > 1 - alpha / 2 ? 1 : chance < alpha / 2 ? -1 : 0
  }
  if (one.pAdjusted === null || one.pAdjusted >= alpha) return 0
  return one.lift > 0 === (direction === 'up') ? 1 : -1
}

function isDoubtless(one: Comparison | undefined, engine: Engine): boolean {
  if (!one) return false
  const chance = one.chanceToWin ?? 0.5
  if (engine === 'bayesian') return chance > doubtless.chance || chance < 1 - doubtless.chance
  return (one.pAdjusted ?? 1) < doubtless.p
}

/** Half the width of the widest interval of a goal: changes smaller than it cannot be told from none. */
function precisionOf(metrics: readonly Judged[], variant: string | null): number | null {
  const halves = metrics
    .filter(one => one.role === 'goal')
    .flatMap(one => one.variants.filter(two => variant === null || two.variant === variant))
    .map(one => (one.interval ? (one.interval.high - one.interval.low) / 2 : null))
  if (halves.length === 0 || halves.includes(null)) return null
  return Math.max(...(halves as number[]))
}

/** What a change would come to in a year, in the metric's own unit, if so many units came every day as did. */
export function yearlyOf(snapshot: Snapshot, absolute: number | null, total: number): number | null {
  const days = (snapshot.until - snapshot.from) / dayMs
  return absolute === null || days < 1 ? null : (absolute * total * 365) / days
}
