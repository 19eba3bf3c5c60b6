import { benjaminiHochberg, holm, type Split, splitOf } from '../../../../kernel/statistics/checks.ts'
import { normalAbove } from '../../../../kernel/statistics/distributions.ts'
import {
  adjustedEffectOf,
  believe,
  boundsAlways,
  type Effect,
  effectOf,
  type Interval,
  judgeAlways,
  judgeOnce,
  type Scale,
} from '../../../../kernel/statistics/effects.ts'
import { sampleOfOrder } from '../../../../kernel/statistics/quantiles.ts'
import { meanOf, proportionOf, ratioOf, type Sample } from '../../../../kernel/statistics/samples.ts'
import { isShare } from '../metrics/rules.ts'
import type { Design, Engine, Role } from '../rules.ts'
import type { AnalysedMetric, CellSums, OrderCell, Snapshot } from '../tables.ts'

/** A variant beside the baseline. Changes are a part of the baseline's mean; `better` says whether more is. */
export interface Comparison {
  variant: string
  n: number
  mean: number
  /** Of a ratio: what was divided, and by what. */
  numerator: number | null
  denominator: number | null
  lift: number | null
  absolute: number | null
  interval: Interval | null
  /** In the metric's own unit. */
  absoluteInterval: Interval | null
  p: number | null
  pAdjusted: number | null
  /** How likely it is better than the baseline, and what is lost on average by shipping it, or by not. */
  chanceToWin: number | null
  loss: { ofShipping: number; ofKeeping: number } | null
  /** Of a guardrail: how bad it may be, at worst, on the scale of changes. */
  worst: number | null
  cuped: { theta: number; varianceReduction: number } | null
}

export interface Judged {
  metricId: string
  name: string
  role: Role
  isPostHoc: boolean
  direction: 'up' | 'down'
  baseline: { variant: string; n: number; mean: number; numerator: number | null; denominator: number | null }
  variants: Comparison[]
}

const nothing: CellSums = { n: 0, sum: 0, sumOfSquares: 0 }

export function added(a: CellSums, b: CellSums): CellSums {
  const parts = (x: CellSums['of'], y: CellSums['of']) =>
    x || y
      ? {
          sum: (x?.sum ?? 0) + (y?.sum ?? 0),
          sumOfSquares: (x?.sumOfSquares ?? 0) + (y?.sumOfSquares ?? 0),
          sumOfProducts: (x?.sumOfProducts ?? 0) + (y?.sumOfProducts ?? 0),
        }
      : undefined
  const [before, of] = [parts(a.before, b.before), parts(a.of, b.of)]
  return {
    ...{ n: a.n + b.n, sum: a.sum + b.sum, sumOfSquares: a.sumOfSquares + b.sumOfSquares },
    ...(before && { before }),
    ...(of && { of }),
  }
}

type Cells = readonly { variant: string; units: number; metrics: Record<string, CellSums> }[]

export const sumsOf = (cells: Cells, variant: string, metricId: string): CellSums =>
  cells
    .filter(one => one.variant === variant)
    .reduce((all, one) => added(all, one.metrics[metricId] ?? nothing), nothing)

export const unitsOf = (cells: Cells, variant: string): number =>
  cells.reduce((sum, one) => sum + (one.variant === variant ? one.units : 0), 0)

/** Whether as many units are in each variant as the weights say. */
export const splitIn = (cells: Cells, { variants }: Pick<Design, 'variants'>): Split =>
  splitOf(
    variants.map(one => unitsOf(cells, one.key)),
    variants.map(one => one.weight),
  )

function sampleOf({ definition }: AnalysedMetric, sums: CellSums, order: OrderCell | undefined): Sample | null {
  if (definition.kind === 'quantile') {
    const { n = 0, low = null, at = null, high = null } = order ?? {}
    return low === null || at === null || high === null ? null : sampleOfOrder({ n, low, at, high })
  }
  if (definition.kind === 'ratio') return sums.of ? ratioOf({ ...sums, of: sums.of }) : null
  return isShare(definition) ? proportionOf(sums) : meanOf(sums)
}

interface Compared {
  effect: Effect | null
  cuped: Comparison['cuped']
}

function compare(metric: AnalysedMetric, a: CellSums, b: CellSums, scale: Scale): Compared {
  const before = a.before && b.before ? { a: { ...a, before: a.before }, b: { ...b, before: b.before } } : null
  const adjusted = before && adjustedEffectOf(before.a, before.b, scale)
  if (adjusted) {
    const { effect, theta, varianceReduction } = adjusted
    return { effect, cuped: { theta, varianceReduction } }
  }
  const [control, variant] = [sampleOf(metric, a, undefined), sampleOf(metric, b, undefined)]
  return { effect: control && variant && effectOf(control, variant, scale), cuped: null }
}

/** The same of a quantile, which has no sums. */
function compareOrders(
  metric: AnalysedMetric,
  a: OrderCell | undefined,
  b: OrderCell | undefined,
  scale: Scale,
): Compared {
  const [control, variant] = [sampleOf(metric, nothing, a), sampleOf(metric, nothing, b)]
  return { effect: control && variant && effectOf(control, variant, scale), cuped: null }
}

/** One variant beside the baseline over all days, in the metric's own unit; no effect where nothing can be compared. */
export function effectOfMetric(
  { days, orders }: Pick<Snapshot, 'days' | 'orders'>,
  metric: AnalysedMetric,
  { baseline, variant }: { baseline: string; variant: string },
) {
  const { metricId, definition } = metric
  const isQuantile = definition.kind === 'quantile'
  const of = (key: string) => ({ sums: sumsOf(days, key, metricId), order: orders[metricId]?.[key] })
  const [a, b] = [of(baseline), of(variant)]
  const { effect } = isQuantile
    ? compareOrders(metric, a.order, b.order, 'absolute')
    : compare(metric, a.sums, b.sums, 'absolute')
  const shown = ({ sums, order }: ReturnType<typeof of>) => ({
    n: isQuantile ? (order?.n ?? 0) : sums.n,
    mean: sampleOf(metric, sums, order)?.mean ?? order?.at ?? 0,
  })
  return { effect, baseline: shown(a), variant: shown(b) }
}

export function intervalOf(effect: Effect, engine: Engine, { alpha, tunedFor }: Pick<Design, 'alpha' | 'tunedFor'>) {
  if (engine === 'bayesian') {
    const { interval } = believe(effect, alpha)
    return { interval, p: null }
  }
  return engine === 'sequential' ? judgeAlways(effect, alpha, tunedFor) : judgeOnce(effect, alpha)
}

export interface Judging {
  snapshot: Snapshot
  engine: Engine
  /** Sums by variant: all days, some days, or a segment. */
  cells: Cells
  /** Quantiles are only known of all days together. */
  hasOrders: boolean
}

/** One metric of an experiment: every variant beside the baseline. */
export function judgeMetric(
  { snapshot, engine, cells, hasOrders }: Judging,
  metric: AnalysedMetric,
  { role, isPostHoc }: { role: Role; isPostHoc: boolean },
): Judged {
  const { design, orders } = snapshot
  const { metricId, name, definition } = metric
  const isQuantile = definition.kind === 'quantile'
  const sign = definition.direction === 'up' ? 1 : -1
  const baseSums = sumsOf(cells, design.baseline, metricId)
  const orderOf = (variant: string) => (hasOrders ? orders[metricId]?.[variant] : undefined)
  const baseOrder = orderOf(design.baseline)
  const shown = (sums: CellSums, order: OrderCell | undefined) => ({
    n: isQuantile ? (order?.n ?? 0) : sums.n,
    mean: sampleOf(metric, sums, order)?.mean ?? order?.at ?? 0,
    numerator: definition.kind === 'ratio' ? sums.sum : null,
    denominator: sums.of?.sum ?? null,
  })
  const variants = design.variants
    .filter(one => one.key !== design.baseline)
    .map(({ key }): Comparison => {
      const sums = sumsOf(cells, key, metricId)
      const of = (scale: Scale) =>
        isQuantile ? compareOrders(metric, baseOrder, orderOf(key), scale) : compare(metric, baseSums, sums, scale)
      const { effect, cuped } = of('relative')
      const absolute = of('absolute').effect
      const judged = effect && intervalOf(effect, engine, design)
      const believed = effect && believe({ ...effect, effect: effect.effect * sign }, design.alpha)
      return {
        ...{ variant: key, ...shown(sums, orderOf(key)), cuped },
        ...{ lift: effect?.effect ?? null, absolute: absolute?.effect ?? null },
        interval: judged?.interval ?? null,
        absoluteInterval: absolute && intervalOf(absolute, engine, design).interval,
        ...{ p: judged?.p ?? null, pAdjusted: judged?.p ?? null },
        chanceToWin: believed?.chanceToWin ?? null,
        loss: believed?.loss ?? null,
        worst: role === 'guardrail' && effect ? worstOf(effect, engine, design, sign) : null,
      }
    })
  return {
    ...{ metricId, name, role, isPostHoc, direction: definition.direction, variants },
    baseline: { variant: design.baseline, ...shown(baseSums, baseOrder) },
  }
}

/** One side only: what is lost at worst. Above zero is better, whichever way the metric goes. */
function worstOf(effect: Effect, engine: Engine, { alpha, tunedFor }: Design, sign: number): number {
  if (engine === 'sequential') {
    const { low, high } = boundsAlways(effect, alpha, tunedFor)
    return sign > 0 ? low : -high
  }
  return sign * effect.effect - normalAbove(alpha) * effect.error
}

/** Corrects over goals and variants together; what was added later and what is beside the point is not among them. */
export function corrected(judged: readonly Judged[], correction: Design['correction']): Judged[] {
  if (correction === 'none') return [...judged]
  const places = judged.flatMap((one, at) =>
    one.role === 'goal' ? one.variants.flatMap((two, of) => (two.p === null ? [] : [{ at, of, p: two.p }])) : [],
  )
  const adjust = correction === 'holm' ? holm : benjaminiHochberg
  const ps = adjust(places.map(one => one.p))
  const byPlace = new Map(places.map((one, index) => [`${one.at} ${one.of}`, ps[index] as number]))
  return judged.map((one, at) => ({
    ...one,
    variants: one.variants.map((two, of) => ({ ...two, pAdjusted: byPlace.get(`${at} ${of}`) ?? two.p })),
  }))
}
