import { index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { id, instant, revision, teamId } from '../../../../server/columns.ts'

/** Functions that are released together: one alias of each is led at once. */
export const functionGroups = pgTable(
  'fn_groups',
  {
    serviceId: id().primaryKey(),
    teamId: teamId(),
    projectId: id().notNull(),
    name: text().notNull(),
    description: text().notNull().default(''),
    /** The alias of every member that a release leads. */
    aliasName: text().notNull(),
    /** 0 until it was released. */
    releaseNumber: integer().notNull().default(0),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    revision: revision(),
  },
  table => [
    uniqueIndex('fn_groups_by_name').on(table.projectId, table.name),
    index('fn_groups_of_team').on(table.teamId, table.serviceId),
  ],
)

export const groupMembers = pgTable(
  'fn_group_members',
  { serviceId: id().notNull(), functionId: id().notNull(), teamId: teamId() },
  table => [
    primaryKey({ columns: [table.serviceId, table.functionId] }),
    index('fn_group_members_of_function').on(table.functionId),
  ],
)

/** What was released together at one time; never changed. */
export const groupReleases = pgTable(
  'fn_group_releases',
  {
    serviceId: id().notNull(),
    number: integer().notNull(),
    teamId: teamId(),
    description: text().notNull(),
    versions: jsonb().$type<{ functionId: string; functionName: string; version: string }[]>().notNull(),
    /** The release whose versions came back with this one. */
    ofNumber: integer(),
    releasedAt: instant().notNull(),
    releasedBy: id(),
  },
  table => [primaryKey({ columns: [table.serviceId, table.number] })],
)
