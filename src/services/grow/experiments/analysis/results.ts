import { benjaminiHochberg, mismatchBelow, type Split } from '../../../../kernel/statistics/checks.ts'
import type { Engine } from '../rules.ts'
import type { CellSums, SegmentCells, Snapshot } from '../tables.ts'
import { added, corrected, type Judged, judgeMetric, splitIn, unitsOf } from './judging.ts'

/** So many units seen in two variants, of all and at least, are a warning: something assigns them twice. */
export const multipleShare = 0.01
export const multipleLeast = 10

export interface Results {
  variants: { key: string; name: string; weight: number; units: number }[]
  split: Split
  multiple: number
  isMixed: boolean
  metrics: Judged[]
}

/** What an experiment shows, computed from its snapshot alone: the same snapshot and engine give the same numbers. */
export function resultsOf(snapshot: Snapshot, engine: Engine = snapshot.design.engine): Results {
  const { design, days, multiple } = snapshot
  const variants = design.variants.map(({ key, name, weight }) => ({ key, name, weight, units: unitsOf(days, key) }))
  const total = variants.reduce((sum, one) => sum + one.units, 0)
  const judged = judgeAll(snapshot, engine, days, true)
  return {
    ...{ variants, split: splitIn(days, design), multiple },
    isMixed: multiple / Math.max(1, total + multiple) >= multipleShare && multiple >= multipleLeast,
    metrics: corrected(judged, design.correction),
  }
}

function judgeAll(
  snapshot: Snapshot,
  engine: Engine,
  cells: Parameters<typeof unitsOf>[0],
  hasOrders: boolean,
): Judged[] {
  const known = new Map(snapshot.metrics.map(one => [one.metricId, one]))
  return snapshot.design.metrics.flatMap(used => {
    const metric = known.get(used.metricId)
    return metric ? [judgeMetric({ snapshot, engine, cells, hasOrders }, metric, used)] : []
  })
}

export interface SegmentResult {
  attribute: string
  value: string | null
  units: number
  /** The chance of such a split, corrected over all segments: the first that is below a thousandth is the probable cause. */
  splitP: number
  isSplitHealthy: boolean
  metrics: Judged[]
}

/** The same for each value of a property of the exposure. Chances are corrected over all of them together. */
export function segmentsIn(
  snapshot: Snapshot,
  attribute: string,
  engine: Engine = snapshot.design.engine,
): SegmentResult[] {
  const own = snapshot.segments.filter(one => one.attribute === attribute)
  const values = [...new Set(own.map(one => one.value))]
  const found = values.map(value => {
    const cells: SegmentCells[] = own.filter(one => one.value === value)
    const units = cells.reduce((sum, one) => sum + one.units, 0)
    return { value, units, split: splitIn(cells, snapshot.design), metrics: judgeAll(snapshot, engine, cells, false) }
  })
  const splits = benjaminiHochberg(found.map(one => one.split.p))
  const places = found.flatMap(({ metrics }, at) =>
    metrics.flatMap((metric, of) =>
      metric.variants.flatMap((one, index) => (one.p === null ? [] : [{ key: `${at} ${of} ${index}`, p: one.p }])),
    ),
  )
  const ps = benjaminiHochberg(places.map(one => one.p))
  const byKey = new Map(places.map((one, index) => [one.key, ps[index] as number]))
  return found
    .map(({ value, units, split, metrics }, at) => ({
      ...{ attribute, value, units, splitP: splits[at] as number },
      isSplitHealthy: split.isHealthy || (splits[at] as number) >= mismatchBelow,
      metrics: metrics.map((metric, of) => ({
        ...metric,
        variants: metric.variants.map((one, index) => ({
          ...one,
          pAdjusted: byKey.get(`${at} ${of} ${index}`) ?? one.p,
        })),
      })),
    }))
    .sort((a, b) => b.units - a.units)
}

export interface Point {
  /** The day of the first exposure, midnight UTC, epoch milliseconds. */
  at: number
  units: number
  lift: number | null
  low: number | null
  high: number | null
}

const dayMs = 86_400_000
const nothing: CellSums = { n: 0, sum: 0, sumOfSquares: 0 }

/** How the change of a metric came about: with the units of each day added, or of each day by itself. */
export function courseOf(
  snapshot: Snapshot,
  wanted: { metricId: string; variant: string; engine?: Engine; isCumulative: boolean },
): Point[] {
  const { metricId, variant, engine = snapshot.design.engine, isCumulative } = wanted
  const metric = snapshot.metrics.find(one => one.metricId === metricId)
  if (!metric || metric.definition.kind === 'quantile') return []
  const numbers = [...new Set(snapshot.days.map(one => one.day))].sort((a, b) => a - b)
  const sums = new Map<string, { units: number; sums: CellSums }>()
  return numbers.map(day => {
    const cells = [snapshot.design.baseline, variant].map(key => {
      const today = snapshot.days.filter(one => one.day === day && one.variant === key)
      const before = isCumulative ? sums.get(key) : undefined
      const start = before ?? { units: 0, sums: nothing }
      const now = today.reduce(
        (all, one) => ({ units: all.units + one.units, sums: added(all.sums, one.metrics[metricId] ?? nothing) }),
        start,
      )
      sums.set(key, now)
      return { variant: key, units: now.units, metrics: { [metricId]: now.sums } }
    })
    const judged = judgeMetric({ snapshot, engine, cells, hasOrders: false }, metric, {
      role: 'goal',
      isPostHoc: false,
    })
    const found = judged.variants.find(one => one.variant === variant)
    return {
      at: day * dayMs,
      units: cells.reduce((sum, one) => sum + one.units, 0),
      ...{ lift: found?.lift ?? null, low: found?.interval?.low ?? null, high: found?.interval?.high ?? null },
    }
  })
}

/** The variant whose first goal looks best, for a glance. */
export function leaderOf({ metrics }: Pick<Results, 'metrics'>): { metricId: string; variant: string } | null {
  const goal = metrics.find(one => one.role === 'goal')
  if (!goal) return null
  const sign = goal.direction === 'up' ? 1 : -1
  const [best] = [...goal.variants].sort((a, b) => sign * ((b.lift ?? -sign * 1e9) - (a.lift ?? -sign * 1e9)))
  return best ? { metricId: goal.metricId, variant: best.variant } : null
}
