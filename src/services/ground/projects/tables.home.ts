import { boolean, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { zoneIds } from '../../../kernel/zones.ts'
import { id, instant, revision, teamId } from '../../../server/columns.ts'

const zoneCodes = zoneIds as ['CN', ...typeof zoneIds]

/** The index over all zones; what a project holds is in its zone. */
export const projects = pgTable(
  'projects',
  {
    projectId: id().primaryKey(),
    teamId: teamId(),
    name: text().notNull(),
    /** The name as compared: NFKC, one case, single spaces. */
    nameKey: text().notNull(),
    zone: text({ enum: zoneCodes }).notNull(),
    appCount: integer().notNull().default(0),
    createdBy: id().notNull(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    revision: revision(),
  },
  table => [uniqueIndex('projects_name').on(table.teamId, table.nameKey)],
)

/** The apps of projects as their zones told. Ended ones stay, so that a late `app.created` does not revive one. */
export const projectApps = pgTable(
  'project_apps',
  {
    appId: id().primaryKey(),
    teamId: teamId(),
    projectId: id().notNull(),
    hasEnded: boolean().notNull().default(false),
  },
  table => [index('project_apps_of_project').on(table.projectId)],
)
