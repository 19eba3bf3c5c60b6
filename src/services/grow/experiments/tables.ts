import { doublePrecision, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { count, id, instant, revision, teamId } from '../../../server/columns.ts'
import type { Snapshot } from './analysis/snapshot.ts'
import type { MetricDefinition } from './metric-rules.ts'
import { type Design, outcomes, states } from './rules.ts'

export const experimentRows = pgTable(
  'abt_experiments',
  {
    experimentId: id().primaryKey(),
    teamId: teamId(),
    projectId: id().notNull(),
    kind: text({ enum: ['client', 'server'] }).notNull(),
    name: text().notNull(),
    state: text({ enum: [...states] }).notNull(),
    design: jsonb().$type<Design>().notNull(),
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
    outcome: text({ enum: [...outcomes] }),
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
    design: jsonb().$type<Design>().notNull(),
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
    definition: jsonb().$type<MetricDefinition>().notNull(),
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
