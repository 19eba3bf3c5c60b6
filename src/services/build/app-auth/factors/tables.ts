import { index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { id, instant, teamId } from '../../../../server/columns.ts'

/** The authenticator app of a user: a secret that both know, and the newest half minute whose code was used. */
export const appUserTotp = pgTable('app_user_totp', {
  uid: id().primaryKey(),
  projectId: id().notNull(),
  teamId: teamId(),
  sealedSecret: text().notNull(),
  lastStep: integer().notNull(),
  createdAt: instant().notNull(),
})

export const appUserRecoveryCodes = pgTable(
  'app_user_recovery_codes',
  {
    uid: id().notNull(),
    /** HMAC under the master key. */
    codeHash: text().notNull(),
    projectId: id().notNull(),
    teamId: teamId(),
    usedAt: instant(),
  },
  table => [primaryKey({ columns: [table.uid, table.codeHash] })],
)

/** What a first proof or a first step was good for, until the second one: used once, in five tries. */
export const authTickets = pgTable(
  'app_auth_tickets',
  {
    /** SHA-256. */
    ticketHash: text().primaryKey(),
    projectId: id().notNull(),
    teamId: teamId(),
    kind: text({ enum: ['SIGN_IN', 'TOTP', 'ENROL'] }).notNull(),
    uid: id().notNull(),
    provider: integer().notNull(),
    /** The installation that gave the first proof. */
    requester: text().notNull(),
    sealedSecret: text(),
    attempts: integer().notNull().default(0),
    createdAt: instant().notNull(),
    expiresAt: instant().notNull(),
    usedAt: instant(),
  },
  table => [index('app_auth_tickets_over').on(table.expiresAt)],
)
