import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { id, instant, revision, teamId } from '../../../../server/columns.ts'

/** The second version of an alias on its way from a small share to all calls; `rules.ts` says how. */
export const canaries = pgTable(
  'fn_canaries',
  {
    canaryId: id().primaryKey(),
    functionId: id().notNull(),
    teamId: teamId(),
    aliasName: text().notNull(),
    fromVersion: text().notNull(),
    toVersion: text().notNull(),
    steps: jsonb().$type<{ weight: number; holdMinutes: number }[]>().notNull(),
    limits: jsonb().$type<{ errorPercent: number; p95Ms: number | null; minimumCalls: number }>().notNull(),
    state: text({ enum: ['RUNNING', 'PAUSED', 'DONE', 'ABORTED', 'ROLLED_BACK'] }).notNull(),
    /** From 0. */
    step: integer().notNull(),
    stepStartedAt: instant().notNull(),
    createdAt: instant().notNull(),
    createdBy: id(),
    updatedAt: instant().notNull(),
    endedAt: instant(),
    revision: revision(),
  },
  table => [
    index('fn_canaries_of').on(table.functionId, table.canaryId),
    uniqueIndex('fn_canaries_open')
      .on(table.functionId, table.aliasName)
      .where(sql`${table.state} IN ('RUNNING', 'PAUSED')`),
    index('fn_canaries_running').on(table.canaryId).where(sql`${table.state} = 'RUNNING'`),
  ],
)

/** What happened to a canary, with what was measured then. */
export const canaryHistory = pgTable(
  'fn_canary_history',
  {
    entryId: id().primaryKey(),
    canaryId: id().notNull(),
    teamId: teamId(),
    at: instant().notNull(),
    action: text().notNull(),
    weight: integer().notNull(),
    calls: integer().notNull(),
    failures: integer().notNull(),
    p95Ms: integer(),
    actor: id(),
  },
  table => [index('fn_canary_history_of').on(table.canaryId, table.entryId)],
)
