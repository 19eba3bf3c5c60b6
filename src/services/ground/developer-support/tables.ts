import { integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { id, instant, teamId } from '../../../server/columns.ts'

/** Addresses at which a team can be reached for support. The code is sealed until it is used. */
export const supportContacts = pgTable(
  'support_contacts',
  {
    teamId: teamId(),
    address: text().notNull(),
    codeSealed: text(),
    triesLeft: integer().notNull(),
    sentAt: instant().notNull(),
    expiresAt: instant().notNull(),
    verifiedAt: instant(),
    askedBy: id().notNull(),
  },
  table => [primaryKey({ columns: [table.teamId, table.address] })],
)
