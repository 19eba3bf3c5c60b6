import type { AppEventGiven } from '../experiments.testkit.ts'
import type { MetricDefinition } from '../metrics/rules.ts'
import type { CellSums } from '../tables.ts'

const hourMs = 3_600_000

interface Wanted {
  experimentId: string
  definition: MetricDefinition
  phaseFrom: number
  until: number
  cupedDays: number
}

export interface PlainUnit {
  unit: string
  variant: string
  firstAt: number
  /** What the unit did in its window; null of a quantile for one that did nothing. */
  y: number | null
  x: number
  d: number
  isComplete: boolean
}

/** The same as the SQL says, unit by unit and event by event, in the plainest way. */
export function plainUnits(events: readonly AppEventGiven[], wanted: Wanted): PlainUnit[] {
  const { experimentId, definition, phaseFrom, until, cupedDays } = wanted
  const { fromHours, toHours, cap, kind } = definition
  const exposures = new Map<string, AppEventGiven[]>()
  for (const one of events)
    if (one.name === '$exposure' && one.experiment === experimentId && one.at < until)
      exposures.set(one.unit, [...(exposures.get(one.unit) ?? []), one])
  const units: PlainUnit[] = []
  for (const [unit, seen] of exposures) {
    const [first] = [...seen].sort((a, b) => a.at - b.at)
    if (!first || first.at < phaseFrom || new Set(seen.map(one => one.variant)).size > 1) continue
    const within = (from: number, to: number) =>
      events.filter(one => one.unit === unit && one.at < until && one.at - first.at >= from && one.at - first.at < to)
    const window = within(fromHours * hourMs, toHours === null ? Number.POSITIVE_INFINITY : toHours * hourMs)
    const y = worth(window, definition)
    const share = kind === 'proportion' || kind === 'retention'
    units.push({
      ...{ unit, variant: first.variant ?? '', firstAt: first.at },
      y: share ? Number((worth(window, { ...definition, of: 'count' }) ?? 0) > 0) : kind === 'quantile' ? y : (y ?? 0),
      x: share
        ? Number((worth(within(-cupedDays * 24 * hourMs, 0), { ...definition, of: 'count' }) ?? 0) > 0)
        : (worth(within(-cupedDays * 24 * hourMs, 0), definition) ?? 0),
      d: definition.denominator ? (worth(window, definition.denominator) ?? 0) : 0,
      isComplete: toHours === null || first.at + toHours * hourMs <= until,
    })
  }
  if (!cap) return units
  const most =
    cap.by === 'value'
      ? cap.at
      : percentile(
          units.flatMap(one => (one.y && one.y > 0 ? [one.y] : [])),
          cap.at / 100,
        )
  return units.map(one => ({ ...one, y: one.y === null ? null : Math.min(one.y, most), x: Math.min(one.x, most) }))
}

function worth(events: readonly AppEventGiven[], { event, of }: Pick<MetricDefinition, 'event' | 'of'>): number | null {
  const own = events.filter(one => one.name === event)
  if (own.length === 0) return null
  if (of === 'count') return own.length
  const values = own.flatMap(one => (one.value === undefined ? [] : [one.value]))
  if (values.length === 0) return null
  return of === 'sum' ? values.reduce((sum, one) => sum + one, 0) : Math.max(...values)
}

/** With a straight line between neighbours, as `quantile_cont` has it. */
function percentile(values: number[], at: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  const place = (sorted.length - 1) * at
  const [low, high] = [sorted[Math.floor(place)] ?? 0, sorted[Math.ceil(place)] ?? 0]
  return low + (high - low) * (place - Math.floor(place))
}

/** Sums over some units. */
export function plainSums(units: readonly PlainUnit[]): Required<CellSums> {
  const complete = units.filter(one => one.isComplete)
  const over = (of: (one: PlainUnit) => number) => complete.reduce((sum, one) => sum + of(one), 0)
  const y = (one: PlainUnit) => one.y ?? 0
  return {
    ...{ n: complete.length, sum: over(y), sumOfSquares: over(one => y(one) ** 2) },
    before: {
      sum: over(one => one.x),
      sumOfSquares: over(one => one.x ** 2),
      sumOfProducts: over(one => one.x * y(one)),
    },
    of: { sum: over(one => one.d), sumOfSquares: over(one => one.d ** 2), sumOfProducts: over(one => one.d * y(one)) },
  }
}
