import { boolean, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { id, instant, revision, teamId } from '../../../../server/columns.ts'

/** How calls of one qualifier are balanced, repeated and held back; a row where it is not as `rules.ts` has it. */
export const governance = pgTable(
  'fn_governance',
  {
    functionId: id().notNull(),
    teamId: teamId(),
    qualifier: text().notNull(),
    kind: text({ enum: ['LOADBALANCER', 'RETRY', 'CIRCUITBREAKER'] }).notNull(),
    spec: jsonb().notNull(),
    isEnabled: boolean().notNull(),
    updatedAt: instant().notNull(),
    revision: revision(),
  },
  table => [primaryKey({ columns: [table.functionId, table.qualifier, table.kind] })],
)
