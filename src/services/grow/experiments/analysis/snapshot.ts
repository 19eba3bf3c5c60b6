import type { MetricDefinition } from '../metric-rules.ts'
import type { Design } from '../rules.ts'

/** Sums over the units of a variant. `before` is of the days before the first exposure, `of` of a ratio's denominator. */
export interface CellSums {
  n: number
  sum: number
  sumOfSquares: number
  before?: { sum: number; sumOfSquares: number; sumOfProducts: number }
  of?: { sum: number; sumOfSquares: number; sumOfProducts: number }
}

/** Of a quantile: the values around it of the units that have any, in order. */
export interface OrderCell {
  n: number
  low: number | null
  at: number | null
  high: number | null
}

export interface AnalysedMetric {
  metricId: string
  name: string
  definition: MetricDefinition
  /** What no unit counted for more than; null without a cap. */
  cappedAt: number | null
}

/** Of one variant, those who were first exposed on one day. Days are numbers since 1970, UTC. */
export interface DayCells {
  variant: string
  day: number
  units: number
  /** By metric; metrics that are quantiles are not here. */
  metrics: Record<string, CellSums>
}

export interface SegmentCells {
  attribute: string
  /** Null for exposures that do not say. */
  value: string | null
  variant: string
  units: number
  metrics: Record<string, CellSums>
}

/** Everything that an analysis found, with what it was asked: results are computed from it and nothing else. */
export interface Snapshot {
  phase: number
  /** First exposures from when to when, epoch milliseconds. */
  from: number
  until: number
  design: Design
  metrics: AnalysedMetric[]
  days: DayCells[]
  segments: SegmentCells[]
  /** By metric, then by variant. */
  orders: Record<string, Record<string, OrderCell>>
  /** Units seen in more than one variant, those of an earlier phase, those first seen in a pause or in no variant; all left out. */
  multiple: number
  earlier: number
  paused: number
  unknown: number
}
