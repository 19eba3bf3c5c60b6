import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  real,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { count, id, instant, revision, teamId } from '../../../server/columns.ts'

/** One value of a trace: a part of a condition and what it came to. */
export interface TraceStep {
  line: number
  col: number
  endLine: number
  endCol: number
  src: string
  value: string
  isError: boolean
}

/** A statement whose path matched, and what its condition said. */
export interface MatchedStatement {
  pattern: string
  line: number
  bindings: Record<string, string>
  allows: MatchedAllow[]
}

export interface MatchedAllow {
  line: number
  col: number
  methods: string[]
  result: 'true' | 'false' | 'error' | 'other-method'
  error: string | null
  trace: TraceStep[]
}

/** A request as it is kept: long values only by their digest. */
export interface Snapshot {
  method: 'get' | 'list' | 'create' | 'update' | 'delete'
  path: string[]
  openPath?: readonly string[]
  auth: unknown
  app: unknown
  ip: string | null
  time: number
  resource?: unknown
  requestResource?: unknown
  query?: unknown
  fields: Record<string, string>
  /** What was looked up, by service and path; null where nothing was. */
  lookups: Record<string, unknown>
}

const service = () => text({ enum: ['agc.cloud.storage', 'agc.cloud.db', 'agc.lowcode'] }).notNull()

/** What a project has of rules for a service: the working copy, and which version decides. */
export const ruleHeads = pgTable(
  'rules_heads',
  {
    projectId: id().notNull(),
    service: service(),
    teamId: teamId(),
    /** The version in force; 0 while none is. */
    published: integer().notNull().default(0),
    /** The highest number ever given. */
    lastVersion: integer().notNull().default(0),
    /** What somebody works on; null when it is what is published. */
    /** The version whose denials the owners were told of. */
    alarmedVersion: integer().notNull().default(0),
    draft: text(),
    draftBy: id(),
    updatedAt: instant().notNull(),
    revision: revision(),
  },
  table => [primaryKey({ columns: [table.projectId, table.service] })],
)

/** Rules as they were published. */
export const ruleVersions = pgTable(
  'rules_versions',
  {
    versionId: id().primaryKey(),
    projectId: id().notNull(),
    service: service(),
    teamId: teamId(),
    version: integer().notNull(),
    source: text().notNull(),
    note: text().notNull().default(''),
    publishedAt: instant().notNull(),
    publishedBy: text().notNull(),
  },
  table => [uniqueIndex('rules_versions_of_project').on(table.projectId, table.service, table.version)],
)

/** Requests that were kept with what the rules said; a week. */
export const ruleDecisions = pgTable(
  'rules_decisions',
  {
    decisionId: id().primaryKey(),
    projectId: id().notNull(),
    service: service(),
    teamId: teamId(),
    at: instant().notNull(),
    method: text({ enum: ['get', 'list', 'create', 'update', 'delete'] }).notNull(),
    path: text().notNull(),
    uid: text(),
    ip: text(),
    requestId: text(),
    version: integer().notNull(),
    isAllowed: boolean().notNull(),
    /** How many requests this one stands for. */
    weight: real().notNull().default(1),
    errors: integer().notNull(),
    snapshot: jsonb().$type<Snapshot>().notNull(),
    matched: jsonb().$type<MatchedStatement[]>().notNull(),
  },
  table => [
    index('rules_decisions_of_project').on(table.projectId, table.service, table.isAllowed, table.decisionId),
    index('rules_decisions_of_person').on(table.projectId, table.uid).where(sql`${table.uid} IS NOT NULL`),
    index('rules_decisions_due').on(table.at),
  ],
)

/** Decisions by the minute. */
export const ruleMinutes = pgTable(
  'rules_minutes',
  {
    projectId: id().notNull(),
    service: service(),
    /** Minutes since 1970. */
    minute: bigint({ mode: 'number' }).notNull(),
    teamId: teamId(),
    allowed: count().notNull(),
    denied: count().notNull(),
    errors: count().notNull(),
  },
  table => [
    primaryKey({ columns: [table.projectId, table.service, table.minute] }),
    index('rules_minutes_due').on(table.minute),
  ],
)

/** What each statement did, by the hour. */
export const ruleStatementHours = pgTable(
  'rules_statement_hours',
  {
    projectId: id().notNull(),
    service: service(),
    version: integer().notNull(),
    line: integer().notNull(),
    col: integer().notNull(),
    /** Hours since 1970. */
    hour: integer().notNull(),
    teamId: teamId(),
    evaluated: count().notNull(),
    granted: count().notNull(),
    errors: count().notNull(),
  },
  table => [
    primaryKey({
      columns: [table.projectId, table.service, table.version, table.line, table.col, table.hour],
      name: 'rules_statement_hours_key',
    }),
    index('rules_statement_hours_due').on(table.hour),
  ],
)
