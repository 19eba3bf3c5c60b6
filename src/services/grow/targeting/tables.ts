import { boolean, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import type { Rule } from '../../../kernel/targeting/rule.ts'
import { count, id, instant, revision, teamId } from '../../../server/columns.ts'

/** One rule of a set as it is kept; its place in the list is its priority, 1 first. */
export interface KeptRule {
  ruleId: string
  name: string
  isOn: boolean
  rule: Rule
  payload: unknown
}

export const ruleSets = pgTable(
  'targeting_rule_sets',
  {
    ruleSetId: id().primaryKey(),
    teamId: teamId(),
    projectId: id().notNull(),
    /** What callers name it by; it never changes. */
    code: text().notNull(),
    name: text().notNull(),
    description: text().notNull().default(''),
    draft: jsonb().$type<KeptRule[]>().notNull(),
    /** Whether the draft differs from what is published. */
    isChanged: boolean().notNull().default(true),
    publishedVersion: integer().notNull().default(0),
    published: jsonb().$type<KeptRule[]>().notNull(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    revision: revision(),
  },
  table => [
    uniqueIndex('targeting_rule_sets_code').on(table.teamId, table.code),
    index('targeting_rule_sets_of_project').on(table.projectId, table.ruleSetId),
  ],
)

export const ruleSetVersions = pgTable(
  'targeting_rule_set_versions',
  {
    ruleSetId: id().notNull(),
    version: integer().notNull(),
    teamId: teamId(),
    rules: jsonb().$type<KeptRule[]>().notNull(),
    note: text().notNull().default(''),
    /** The version whose rules came back with this one. */
    rollbackSource: integer(),
    publishedAt: instant().notNull(),
    publishedBy: text().notNull(),
  },
  table => [primaryKey({ columns: [table.ruleSetId, table.version] })],
)

export const audiences = pgTable(
  'targeting_audiences',
  {
    audienceId: id().primaryKey(),
    teamId: teamId(),
    projectId: id().notNull(),
    name: text().notNull(),
    description: text().notNull().default(''),
    type: text({ enum: ['DYNAMIC', 'STATIC'] }).notNull(),
    rule: jsonb(),
    refreshEvery: text({ enum: ['15m', '1h', '1d', 'realtime', 'manual'] }).notNull(),
    size: count().notNull().default(0),
    refreshedAt: instant(),
    nextRefreshAt: instant(),
    /** What works on its members now, or did last. */
    jobId: id(),
    /** Why that failed. */
    problem: text(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    revision: revision(),
  },
  table => [
    uniqueIndex('targeting_audiences_name').on(table.projectId, table.name),
    index('targeting_audiences_of_project').on(table.projectId, table.audienceId),
    index('targeting_audiences_due').on(table.nextRefreshAt),
  ],
)

export const audienceMembers = pgTable(
  'targeting_members',
  {
    audienceId: id().notNull(),
    unit: text().notNull(),
    teamId: teamId(),
    since: instant().notNull(),
  },
  table => [primaryKey({ columns: [table.audienceId, table.unit] })],
)

/** How large an audience was after each time it was made anew; of what is older than a week a point a day stays. */
export const audienceSizes = pgTable(
  'targeting_sizes',
  { audienceId: id().notNull(), at: instant().notNull(), teamId: teamId(), size: count().notNull() },
  table => [primaryKey({ columns: [table.audienceId, table.at] }), index('targeting_sizes_at').on(table.at)],
)

/** What an audience is to become: gathered in steps, put in force in one. */
export const audienceBatches = pgTable(
  'targeting_batches',
  {
    batchId: id().primaryKey(),
    audienceId: id().notNull(),
    teamId: teamId(),
    mode: text({ enum: ['REPLACE', 'ADD', 'REMOVE'] }).notNull(),
    createdAt: instant().notNull(),
  },
  table => [index('targeting_batches_made').on(table.createdAt)],
)

export const batchUnits = pgTable(
  'targeting_batch_units',
  { batchId: id().notNull(), unit: text().notNull() },
  table => [primaryKey({ columns: [table.batchId, table.unit] })],
)
