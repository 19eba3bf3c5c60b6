import { doublePrecision, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import type { Rule } from '../../../kernel/targeting/rule.ts'
import { count, id, instant, revision, teamId } from '../../../server/columns.ts'

type State = 'draft' | 'ready' | 'running' | 'paused' | 'stopped' | 'concluded' | 'archived'
type Outcome = 'shipped' | 'rolledBack' | 'inconclusive'

interface KeptDesign {
  hypothesis: string
  unitAttr: string
  rule: Rule | null
  exposurePercent: number
  layer: { layerId: string; from: number; to: number } | null
  variants: { key: string; name: string; weight: number; payload: Record<string, string> }[]
  baseline: string
  metrics: { metricId: string; role: 'goal' | 'secondary' | 'guardrail'; isPostHoc: boolean }[]
  engine: 'bayesian' | 'frequentist' | 'sequential'
  alpha: number
  tunedFor: number
  cupedDays: number | null
  correction: 'none' | 'holm' | 'benjaminiHochberg'
  mde: number
  power: number
  minDays: number
  maxDays: number
  isSticky: boolean
  segments: string[]
}

interface KeptMeasured {
  event: string
  of: 'count' | 'sum' | 'max'
}

interface KeptMetric extends KeptMeasured {
  kind: 'proportion' | 'mean' | 'ratio' | 'quantile' | 'retention'
  denominator: KeptMeasured | null
  quantile: number | null
  fromHours: number
  toHours: number | null
  cap: { by: 'value' | 'percentile'; at: number } | null
  direction: 'up' | 'down'
}

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
  definition: KeptMetric
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
  design: KeptDesign
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

export const experimentRows = pgTable(
  'abt_experiments',
  {
    experimentId: id().primaryKey(),
    teamId: teamId(),
    projectId: id().notNull(),
    kind: text({ enum: ['client', 'server'] }).notNull(),
    name: text().notNull(),
    state: text().$type<State>().notNull(),
    design: jsonb().$type<KeptDesign>().notNull(),
    /** Made with the experiment or with a phase of its own units: nobody changes sides. */
    seed: text().notNull(),
    phase: integer().notNull().default(1),
    /** Who has a variant without being drawn. */
    testUnits: jsonb().$type<Record<string, string>>().notNull(),
    /** Layers are asked by it. */
    layerId: id(),
    startedAt: instant(),
    phaseStartedAt: instant(),
    /** From when to when it gave everybody new the baseline; open while it does. */
    pauses: jsonb().$type<{ from: number; to: number | null }[]>().notNull(),
    stoppedAt: instant(),
    outcome: text().$type<Outcome>(),
    shippedVariant: text(),
    /** Why it was concluded so, in words. */
    conclusion: text().notNull().default(''),
    /** The version of remote config that has the winner. */
    shippedVersion: integer(),
    snapshotId: id(),
    /** Until when first exposures were written down for units that keep their variant. */
    keptThrough: instant(),
    jobId: id(),
    analysedAt: instant(),
    nextAnalysisAt: instant(),
    /** Why the last analysis failed. */
    problem: text(),
    createdAt: instant().notNull(),
    createdBy: id(),
    updatedAt: instant().notNull(),
    revision: revision(),
  },
  table => [
    uniqueIndex('abt_experiments_name').on(table.projectId, table.name),
    index('abt_experiments_of_project').on(table.projectId, table.experimentId),
    index('abt_experiments_due').on(table.nextAnalysisAt),
  ],
)

/** What an experiment was, phase by phase, and what changed with each. */
export const phaseRows = pgTable(
  'abt_phases',
  {
    experimentId: id().notNull(),
    phase: integer().notNull(),
    teamId: teamId(),
    design: jsonb().$type<KeptDesign>().notNull(),
    seed: text().notNull(),
    /** `start`, or what the people were warned of. */
    changes: text().array().notNull(),
    startedAt: instant().notNull(),
    startedBy: id(),
  },
  table => [primaryKey({ columns: [table.experimentId, table.phase] })],
)

export const metricRows = pgTable(
  'abt_metrics',
  {
    metricId: id().primaryKey(),
    teamId: teamId(),
    projectId: id().notNull(),
    name: text().notNull(),
    description: text().notNull().default(''),
    definition: jsonb().$type<KeptMetric>().notNull(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    revision: revision(),
  },
  table => [
    uniqueIndex('abt_metrics_name').on(table.projectId, table.name),
    index('abt_metrics_of_project').on(table.projectId, table.metricId),
  ],
)

export const layerRows = pgTable(
  'abt_layers',
  {
    layerId: id().primaryKey(),
    teamId: teamId(),
    projectId: id().notNull(),
    name: text().notNull(),
    seed: text().notNull(),
    unitAttr: text().notNull(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    revision: revision(),
  },
  table => [
    uniqueIndex('abt_layers_name').on(table.projectId, table.name),
    index('abt_layers_of_project').on(table.projectId, table.layerId),
  ],
)

/** Of a project: those who take part in no experiment. Whoever starts something holds this row. */
export const holdoutRows = pgTable('abt_holdouts', {
  projectId: id().primaryKey(),
  teamId: teamId(),
  seed: text().notNull(),
  unitAttr: text().notNull(),
  percent: doublePrecision().notNull(),
  updatedAt: instant().notNull(),
  revision: revision(),
})

/** The sums that an analysis found: every result is computed from them. */
export const snapshotRows = pgTable(
  'abt_snapshots',
  {
    snapshotId: id().primaryKey(),
    experimentId: id().notNull(),
    teamId: teamId(),
    phase: integer().notNull(),
    at: instant().notNull(),
    completeThrough: instant().notNull(),
    units: count().notNull(),
    content: jsonb().$type<Snapshot>().notNull(),
  },
  table => [index('abt_snapshots_of_experiment').on(table.experimentId, table.snapshotId)],
)

/** Which variant a unit of a sticky experiment was first seen in. */
export const keptRows = pgTable(
  'abt_kept',
  {
    experimentId: id().notNull(),
    unit: text().notNull(),
    teamId: teamId(),
    phase: integer().notNull(),
    variant: text().notNull(),
    since: instant().notNull(),
  },
  table => [primaryKey({ columns: [table.experimentId, table.unit] })],
)
