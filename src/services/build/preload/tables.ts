import { boolean, index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { count, id, instant, revision, teamId } from '../../../server/columns.ts'

/** Where the answers for an app come from, for each time when it is asked. */
export const preloadPolicies = pgTable(
  'preload_policies',
  {
    policyId: id().primaryKey(),
    teamId: teamId(),
    projectId: id().notNull(),
    appId: id().notNull(),
    kind: text({ enum: ['INSTALL', 'PERIODIC', 'CHAIN_INSTALL'] }).notNull(),
    source: text({ enum: ['FUNCTION', 'SERVER'] }).notNull(),
    functionName: text(),
    qualifier: text(),
    url: text(),
    isEnabled: boolean().notNull(),
    timeoutSec: integer().notNull(),
    cacheTtlSec: integer().notNull(),
    /** Of the last time its source was asked; null before the first. */
    lastStatus: integer(),
    lastProblem: text(),
    lastAskedAt: instant(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    revision: revision(),
  },
  table => [
    uniqueIndex('preload_policies_of_app').on(table.appId, table.kind),
    index('preload_policies_of_project').on(table.projectId),
  ],
)

/** Answers that are kept, by what was asked. */
export const preloadAnswers = pgTable(
  'preload_answers',
  {
    policyId: id().notNull(),
    askedSha256: text().notNull(),
    teamId: teamId(),
    body: text().notNull(),
    contentType: text().notNull(),
    etag: text().notNull(),
    freshUntil: instant().notNull(),
    keptUntil: instant().notNull(),
  },
  table => [
    primaryKey({ columns: [table.policyId, table.askedSha256] }),
    index('preload_answers_ending').on(table.keptUntil),
  ],
)

/** Devices that want an answer again and again. */
export const preloadRegistrations = pgTable(
  'preload_registrations',
  {
    policyId: id().notNull(),
    askedSha256: text().notNull(),
    teamId: teamId(),
    /** Token and parameters, by the master key. */
    sealed: text().notNull(),
    nextAt: instant().notNull(),
    endsAt: instant().notNull(),
  },
  table => [
    primaryKey({ columns: [table.policyId, table.askedSha256] }),
    index('preload_registrations_due').on(table.nextAt),
    index('preload_registrations_ending').on(table.endsAt),
  ],
)

/** Requests of devices by hour, outcome and class of time. */
export const preloadCounts = pgTable(
  'preload_counts',
  {
    policyId: id().notNull(),
    hourAt: instant().notNull(),
    outcome: text({ enum: ['HIT', 'STALE', 'MISS', 'ERROR'] }).notNull(),
    upToMs: integer().notNull(),
    teamId: teamId(),
    requests: count().notNull(),
    bytes: count().notNull(),
  },
  table => [
    primaryKey({ columns: [table.policyId, table.hourAt, table.outcome, table.upToMs] }),
    index('preload_counts_ending').on(table.hourAt),
  ],
)
