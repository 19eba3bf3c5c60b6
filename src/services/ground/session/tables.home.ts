import { index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { id, instant } from '../../../server/columns.ts'

export const accounts = pgTable(
  'accounts',
  {
    accountId: id().primaryKey(),
    /** As typed; compared by `loginKey`. */
    loginName: text().notNull(),
    /** NFKC, trimmed, case-folded. */
    loginKey: text().notNull(),
    name: text().notNull(),
    /** argon2id. */
    passwordHash: text().notNull(),
    /** 1 normal, 2 locked, 3 pending deletion, 4 frozen, 6 must log in again. */
    status: integer().notNull().default(1),
    /** 0 none, 1 in review, 2 individual passed, 3 enterprise passed, 4 rejected, 5 expired. */
    verifyRealState: integer().notNull().default(0),
    /** Roles in the store's own staff. */
    staffRoles: text().array().notNull().default([]),
    /** The team a sign-in starts in. */
    homeTeamId: id(),
    siteId: integer().notNull().default(1),
    createdAt: instant().notNull(),
  },
  table => [uniqueIndex('accounts_login_key').on(table.loginKey)],
)

export const sessions = pgTable(
  'sessions',
  {
    sessionId: text().primaryKey(),
    accountId: id().notNull(),
    /** Counts rotations; a token carries the one it was made for. */
    counter: integer().notNull().default(1),
    rotatedAt: instant().notNull(),
    softExpireAt: instant().notNull(),
    hardExpireAt: instant().notNull(),
    revokedAt: instant(),
    ip: text(),
    userAgent: text(),
    createdAt: instant().notNull(),
  },
  table => [index('sessions_of_account').on(table.accountId)],
)

/** Wrong passwords by name and address together, so that nobody can lock a stranger out. */
export const signInFailures = pgTable('sign_in_failures', {
  key: text().primaryKey(),
  failures: integer().notNull(),
  firstAt: instant().notNull(),
  lockedUntil: instant().notNull().default(0),
})
