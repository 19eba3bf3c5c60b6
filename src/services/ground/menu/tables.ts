import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { id, instant, revision, teamId } from '../../../server/columns.ts'

export const configUsage = pgTable(
  'config_usage',
  {
    teamId: teamId(),
    accountId: id().notNull(),
    configKey: text().notNull(),
    value: text().notNull(),
    uses: integer().notNull().default(1),
    lastUsedAt: instant().notNull(),
  },
  table => [primaryKey({ columns: [table.teamId, table.accountId, table.configKey] })],
)

export const userGroups = pgTable('user_groups', {
  groupCode: text().primaryKey(),
  name: text().notNull(),
  createdAt: instant().notNull(),
  updatedAt: instant().notNull(),
  revision: revision(),
})

export const userGroupTeams = pgTable(
  'user_group_teams',
  { groupCode: text().notNull(), teamId: teamId(), joinedAt: instant().notNull() },
  table => [primaryKey({ columns: [table.teamId, table.groupCode] }), index('user_group_teams_of').on(table.groupCode)],
)

export const supportApplications = pgTable(
  'support_applications',
  {
    applyId: id().primaryKey(),
    teamId: teamId(),
    accountId: id().notNull(),
    serviceId: text().notNull(),
    contact: text().notNull(),
    description: text().notNull(),
    state: text({ enum: ['waiting', 'accepted', 'declined'] }).notNull(),
    answer: text(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    revision: revision(),
  },
  table => [
    index('support_applications_of_team').on(table.teamId, table.applyId),
    uniqueIndex('support_applications_waiting').on(table.teamId, table.serviceId).where(sql`state = 'waiting'`),
  ],
)

export const tagSets = pgTable(
  'tag_sets',
  {
    tagSetId: id().primaryKey(),
    teamId: teamId(),
    name: text().notNull(),
    tags: jsonb().$type<{ name: string; colour: 'grey' | 'blue' | 'green' | 'red' | 'amber' }[]>().notNull(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    revision: revision(),
  },
  table => [uniqueIndex('tag_sets_name').on(table.teamId, table.name)],
)
