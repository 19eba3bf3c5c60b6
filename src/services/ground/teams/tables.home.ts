import { index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { id, instant, revision } from '../../../server/columns.ts'

export const teamRows = pgTable('teams', {
  teamId: id().primaryKey(),
  name: text().notNull(),
  countryCode: text().notNull(),
  siteId: integer().notNull(),
  leaderAccountId: id().notNull(),
  userType: integer().notNull().default(1),
  /** Grows with every change of anybody's rights in the team. */
  permVersion: integer().notNull().default(1),
  createdAt: instant().notNull(),
  revision: revision(),
})

export const members = pgTable(
  'members',
  {
    teamId: id().notNull(),
    accountId: id().notNull(),
    status: text({ enum: ['active', 'suspended'] })
      .notNull()
      .default('active'),
    roles: text().array().notNull(),
    joinedAt: instant().notNull(),
    revision: revision(),
  },
  table => [primaryKey({ columns: [table.teamId, table.accountId] }), index('members_of_account').on(table.accountId)],
)
