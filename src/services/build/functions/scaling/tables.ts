import { boolean, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { id, instant, revision, teamId } from '../../../../server/columns.ts'

/** How many copies of a qualifier there may be, what of their lines is kept, and where they may connect to. */
export const managerConfigs = pgTable(
  'fn_manager_configs',
  {
    functionId: id().notNull(),
    teamId: teamId(),
    qualifier: text().notNull(),
    minInstances: integer().notNull(),
    maxInstances: integer().notNull(),
    idleTimeoutSec: integer().notNull(),
    logLevel: text({ enum: ['debug', 'info', 'warn', 'error', 'none'] }).notNull(),
    egress: jsonb().$type<{ mode: 'ALL' | 'DENY' | 'ALLOWLIST'; cidrs: string[]; hosts: string[] }>().notNull(),
    updatedAt: instant().notNull(),
    revision: revision(),
  },
  table => [primaryKey({ columns: [table.functionId, table.qualifier] })],
)

/** Floors by the clock, and sizes by what is measured; `settings` as `rules.ts` reads it. */
export const scalingRules = pgTable(
  'fn_scaling_rules',
  {
    ruleId: id().primaryKey(),
    functionId: id().notNull(),
    teamId: teamId(),
    qualifier: text().notNull(),
    name: text().notNull(),
    kind: text({ enum: ['CRON', 'METRIC'] }).notNull(),
    settings: jsonb().notNull(),
    isEnabled: boolean().notNull(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    revision: revision(),
  },
  table => [index('fn_scaling_rules_of').on(table.functionId, table.ruleId)],
)
