import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { id, instant, revision } from '../../../server/columns.ts'

/** One row a version of a process; `body` is its definition. `digest` tells whether two say the same. */
export const processVersions = pgTable(
  'process_versions',
  {
    versionId: id().primaryKey(),
    definitionId: text().notNull(),
    processId: text().notNull(),
    version: integer().notNull(),
    state: text({ enum: ['draft', 'active', 'retired'] }).notNull(),
    /** `shipped` came with the program. */
    origin: text({ enum: ['shipped', 'staff'] }).notNull(),
    digest: text().notNull(),
    body: jsonb().$type<Record<string, unknown>>().notNull(),
    note: text().notNull(),
    createdBy: id(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    revision: revision(),
  },
  table => [
    uniqueIndex('process_versions_by_name').on(table.definitionId, table.processId, table.version),
    uniqueIndex('process_versions_active').on(table.definitionId, table.processId).where(sql`state = 'active'`),
    uniqueIndex('process_versions_draft').on(table.definitionId, table.processId).where(sql`state = 'draft'`),
    index('process_versions_by_state').on(table.state),
  ],
)
