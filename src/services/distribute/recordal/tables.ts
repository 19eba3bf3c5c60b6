import { index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { id, instant, revision, teamId } from '../../../server/columns.ts'

/** The filing of an app with the Chinese authority, as its developer says it, and whether it holds. */
export const recordals = pgTable(
  'app_recordals',
  {
    appId: id().primaryKey(),
    teamId: teamId(),
    state: text({ enum: ['NONE', 'CHECKING', 'MATCH', 'MISMATCH', 'NOT_FOUND', 'EXPIRED'] }).notNull(),
    dclType: integer().notNull(),
    /** Null for an app without a network. */
    number: text(),
    idType: integer(),
    /** Sealed with the master key, bound to the app. */
    idNumberSealed: text(),
    /** 1 the same as the account, 2 another. */
    entity: integer(),
    entityName: text().notNull().default(''),
    features: jsonb().$type<{ packageName: string; certMd5: string; publicKeyModulus: string }>(),
    evidence: jsonb().$type<{ objectId: string; fileName: string; fileSize: number }[]>().notNull().default([]),
    differences: jsonb().$type<{ field: string; filed: string; actual: string }[]>().notNull().default([]),
    /** PACKAGE: decided by comparing; MANUAL: by a reviewer. */
    source: text({ enum: ['PACKAGE', 'MANUAL'] }),
    note: text(),
    checkedAt: instant(),
    checkedBy: id(),
    filedBy: id().notNull(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    revision: revision(),
  },
  table => [index('app_recordals_by_state').on(table.state, table.updatedAt, table.appId)],
)
