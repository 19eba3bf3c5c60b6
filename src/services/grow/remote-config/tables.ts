import { boolean, doublePrecision, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { type Finding, type GuardCause, type Look, srmActions } from '../../../kernel/ramp/guards.ts'
import { type RampAction, type RampStep, rampStates } from '../../../kernel/ramp/ramp.ts'
import type { Drawing } from '../../../kernel/targeting/experiment.ts'
import type { Rule } from '../../../kernel/targeting/rule.ts'
import { id, instant, revision, teamId } from '../../../server/columns.ts'

type KeptValue = { value: string } | { useInAppDefault: true }

interface KeptCondition {
  name: string
  rule: unknown
  tagColor: TagColor
  seed: string
  description: string
}

type TagColor =
  | 'BLUE'
  | 'BROWN'
  | 'CYAN'
  | 'DEEP_ORANGE'
  | 'GREEN'
  | 'INDIGO'
  | 'LIME'
  | 'ORANGE'
  | 'PINK'
  | 'PURPLE'
  | 'TEAL'

interface KeptParameter {
  valueType: 'STRING' | 'BOOLEAN' | 'NUMBER' | 'JSON'
  schema: Record<string, unknown> | null
  default: KeptValue
  conditional: Record<string, KeptValue>
  group: string | null
  description: string
  owner: string | null
  expiresAt: number | null
}

/** A template as rules.ts has it; tables know columns only. */
interface KeptTemplate {
  conditions: KeptCondition[]
  parameters: Record<string, KeptParameter>
  groups: Record<string, { description: string }>
}

/** An experiment as rules.ts has it. */
interface KeptExperiment extends Drawing {
  experimentId: string
  name: string
  phase: number
  rule: Rule | null
  isSticky: boolean
  variants: { key: string; weight: number; payload: Record<string, string> }[]
}

/** A rollout as rules.ts has it. */
interface KeptRollout {
  rolloutId: string
  name: string
  parameter: string
  condition: string | null
  value: string
  seed: string
  unitAttr: string
  percent: number
  since?: number
}

/** What people work on: each thing carries the count of the write that changed it last. */
export interface Draft {
  conditions: (KeptCondition & { revision: number })[]
  parameters: Record<string, KeptParameter & { revision: number }>
  groups: Record<string, { description: string }>
}

export interface KeptAttribute {
  name: string
  type: 'STRING' | 'NUMBER' | 'BOOLEAN' | 'TIME' | 'VERSION'
  source: 'SYSTEM' | 'USER' | 'SIGNAL'
  description: string
}

const kind = () => text({ enum: ['client', 'server'] }).notNull()

/** One template of a project for its apps, one for its servers: the draft, and which version is in force. */
export const rcsTemplates = pgTable(
  'rcs_templates',
  {
    projectId: id().notNull(),
    kind: kind(),
    teamId: teamId(),
    draft: jsonb().$type<Draft>().notNull(),
    /** Of the draft's content; equal to `digest` where nothing waits to be published. */
    draftDigest: text().notNull(),
    /** The version that the draft began with. */
    baseVersion: integer().notNull().default(0),
    /** The version in force; 0 before the first. */
    version: integer().notNull().default(0),
    digest: text().notNull(),
    publishedAt: instant(),
    /** When the values of each parameter in force became what they are, by key; not known of those before this was kept. */
    valuesSince: jsonb().$type<Record<string, number>>().notNull().default({}),
    /** Experiments that run on it; the draft and older versions know nothing of them. */
    running: jsonb().$type<KeptExperiment[]>().notNull().default([]),
    /** Rollouts that give a part of the units another value, as the experiments. */
    rollouts: jsonb().$type<KeptRollout[]>().notNull().default([]),
    updatedAt: instant().notNull(),
    updatedBy: id(),
    revision: revision(),
  },
  table => [primaryKey({ columns: [table.projectId, table.kind] })],
)

/** Templates as they were published; never changed. */
export const rcsVersions = pgTable(
  'rcs_versions',
  {
    projectId: id().notNull(),
    kind: kind(),
    version: integer().notNull(),
    teamId: teamId(),
    content: jsonb().$type<KeptTemplate>().notNull(),
    digest: text().notNull(),
    origin: text({ enum: ['CONSOLE', 'REST', 'ROLLBACK', 'SCHEDULE', 'IMPORT', 'EXPERIMENT', 'ROLLOUT'] }).notNull(),
    rollbackSource: integer(),
    description: text().notNull().default(''),
    parameterCount: integer().notNull(),
    conditionCount: integer().notNull(),
    /** How many things were added, changed and removed. */
    added: integer().notNull(),
    changed: integer().notNull(),
    removed: integer().notNull(),
    publishedAt: instant().notNull(),
    publishedBy: id(),
  },
  table => [
    primaryKey({ columns: [table.projectId, table.kind, table.version] }),
    index('rcs_versions_due').on(table.publishedAt),
  ],
)

/** When clients last read parameters, to the day. */
export const rcsReads = pgTable(
  'rcs_reads',
  {
    projectId: id().notNull(),
    kind: kind(),
    /** Empty for all of them together. */
    key: text().notNull(),
    teamId: teamId(),
    readAt: instant().notNull(),
  },
  table => [primaryKey({ columns: [table.projectId, table.kind, table.key] })],
)

/** What clients said of themselves lately, some of it: at most 10,000 a template, each in a place drawn by lot, for seven days. */
export const rcsContexts = pgTable(
  'rcs_contexts',
  {
    projectId: id().notNull(),
    kind: kind(),
    place: integer().notNull(),
    teamId: teamId(),
    seenAt: instant().notNull(),
    attributes: jsonb().$type<Record<string, unknown>>().notNull(),
  },
  table => [
    primaryKey({ columns: [table.projectId, table.kind, table.place] }),
    index('rcs_contexts_seen').on(table.seenAt),
  ],
)

/** Templates that wait for their time. */
export const rcsSchedules = pgTable(
  'rcs_schedules',
  {
    scheduleId: id().primaryKey(),
    projectId: id().notNull(),
    kind: kind(),
    teamId: teamId(),
    content: jsonb().$type<KeptTemplate>().notNull(),
    /** The version in force when it was made; another one makes it a conflict. */
    baseVersion: integer().notNull(),
    description: text().notNull().default(''),
    dueAt: instant().notNull(),
    state: text({ enum: ['SCHEDULED', 'PUBLISHED', 'CONFLICT', 'CANCELLED'] }).notNull(),
    /** What it became, or what moved under it. */
    version: integer(),
    createdAt: instant().notNull(),
    createdBy: id(),
    updatedAt: instant().notNull(),
    revision: revision(),
  },
  table => [
    index('rcs_schedules_of_project').on(table.projectId, table.kind, table.scheduleId),
    index('rcs_schedules_due').on(table.state, table.dueAt),
  ],
)

/** How a project's apps ask, and what they may say of themselves. */
export const rcsSettings = pgTable('rcs_settings', {
  projectId: id().primaryKey(),
  teamId: teamId(),
  minFetchIntervalSec: integer().notNull(),
  /** How many others must agree before something is published: 0, 1 or 2. */
  approvals: integer().notNull().default(0),
  attributes: jsonb().$type<KeptAttribute[]>().notNull(),
  updatedAt: instant().notNull(),
  revision: revision(),
})

/** What waits for others to agree: a template as it was asked for, and what it stands on. */
export const rcsChangeRequests = pgTable(
  'rcs_change_requests',
  {
    changeRequestId: id().primaryKey(),
    projectId: id().notNull(),
    kind: kind(),
    teamId: teamId(),
    state: text({
      enum: ['DRAFT', 'SUBMITTED', 'APPROVED', 'PUBLISHED', 'REJECTED', 'CONFLICT', 'DISCARDED'],
    }).notNull(),
    title: text().notNull(),
    description: text().notNull().default(''),
    content: jsonb().$type<KeptTemplate>().notNull(),
    baseVersion: integer().notNull(),
    /** What the base says: a version that says the same, as an experiment makes, moves nothing. */
    baseDigest: text().notNull(),
    publishedVersion: integer(),
    /** Counts how often it was submitted. */
    round: integer().notNull().default(1),
    dueAt: instant(),
    createdAt: instant().notNull(),
    createdBy: id(),
    /** Who else had a hand in what it says: whoever wrote the draft last, or solved a conflict. */
    writtenBy: id(),
    updatedAt: instant().notNull(),
    revision: revision(),
  },
  table => [
    index('rcs_change_requests_of_project').on(table.projectId, table.kind, table.changeRequestId),
    index('rcs_change_requests_due').on(table.state, table.dueAt),
  ],
)

export const rcsVotes = pgTable(
  'rcs_votes',
  {
    voteId: id().primaryKey(),
    changeRequestId: id().notNull(),
    projectId: id().notNull(),
    teamId: teamId(),
    round: integer().notNull(),
    verdict: text({ enum: ['APPROVE', 'REJECT'] }).notNull(),
    reason: text().notNull().default(''),
    votedAt: instant().notNull(),
    votedBy: id(),
  },
  table => [index('rcs_votes_of_request').on(table.changeRequestId, table.round)],
)

/** A value that more and more units get instead of the one in force, step by step. */
export const rcsRollouts = pgTable(
  'rcs_rollouts',
  {
    rolloutId: id().primaryKey(),
    projectId: id().notNull(),
    kind: kind(),
    teamId: teamId(),
    name: text().notNull(),
    parameter: text().notNull(),
    /** Whose value it replaces; null is the default. */
    condition: text(),
    value: text().notNull(),
    unitAttr: text().notNull(),
    seed: text().notNull(),
    steps: jsonb().$type<RampStep[]>().notNull(),
    /** Metrics by id that take it back, and those that hold it. */
    guardrails: jsonb().$type<string[]>().notNull().default([]),
    signals: jsonb().$type<string[]>().notNull().default([]),
    srmAction: text({ enum: srmActions }).notNull().default('warn'),
    /** When a draft is to begin; null is at once. */
    startAt: instant(),
    state: text({ enum: rampStates }).notNull(),
    step: integer().notNull().default(0),
    dueAt: instant(),
    pausedAt: instant(),
    /** What paused it where no person did. */
    heldBy: text().$type<GuardCause>(),
    startedAt: instant(),
    stepStartedAt: instant(),
    lookAt: instant(),
    lookJobId: id(),
    look: jsonb().$type<Look>(),
    /** Why the last look found nothing. */
    lookProblem: text(),
    endedAt: instant(),
    /** What others are asked to agree to, and the row of the history that asked. */
    asked: text({ enum: ['start', 'complete'] }),
    askedIn: id(),
    createdAt: instant().notNull(),
    createdBy: id(),
    /** Whoever changed the draft last. */
    writtenBy: id(),
    updatedAt: instant().notNull(),
    revision: revision(),
  },
  table => [
    index('rcs_rollouts_of_project').on(table.projectId, table.kind, table.rolloutId),
    index('rcs_rollouts_due').on(table.state, table.dueAt),
    index('rcs_rollouts_looks').on(table.lookAt),
  ],
)

type RolloutDeed = RampAction | 'edit' | 'askStart' | 'askComplete' | 'agree' | 'refuse' | 'withdraw'

/** What became of a rollout: who moved it, when, why, and how many units it reached then. */
export const rcsRolloutChanges = pgTable(
  'rcs_rollout_changes',
  {
    changeId: id().primaryKey(),
    rolloutId: id().notNull(),
    projectId: id().notNull(),
    teamId: teamId(),
    action: text().$type<RolloutDeed>().notNull(),
    state: text({ enum: rampStates }).notNull(),
    step: integer().notNull(),
    percent: doublePrecision().notNull(),
    /** The version that brought it to apps; null where nothing changed for them. */
    version: integer(),
    reason: text().notNull().default(''),
    /** Null of the clock. */
    actorId: id(),
    cause: text().$type<GuardCause>(),
    /** What a look found, where that moved it. */
    finding: jsonb().$type<Finding>(),
    /** Done though others should have agreed. */
    isForced: boolean().notNull().default(false),
    at: instant().notNull(),
  },
  table => [index('rcs_rollout_changes_of').on(table.rolloutId, table.changeId)],
)
