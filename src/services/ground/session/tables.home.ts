import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { id, instant, revision } from '../../../server/columns.ts'

export const accounts = pgTable(
  'accounts',
  {
    accountId: id().primaryKey(),
    /** As typed; compared by `loginKey`. */
    loginName: text().notNull(),
    /** NFKC, trimmed, case-folded. */
    loginKey: text().notNull(),
    name: text().notNull(),
    /** argon2id; empty where the account has none. */
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
    /** Where mail goes; proven by a link before it is written here. */
    email: text(),
    phone: text(),
    /** The language of mails. */
    language: text({ enum: ['zh', 'en', 'ru'] })
      .notNull()
      .default('en'),
    /** For pages: when the password was last set. */
    passwordChangedAt: instant().notNull().default(0),
    revision: revision(),
  },
  table => [
    uniqueIndex('accounts_login_key').on(table.loginKey),
    index('accounts_email').using('btree', sql`lower(${table.email})`),
    index('accounts_leaving').on(table.accountId).where(sql`${table.status} = 3`),
  ],
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
    /** Written at most every five minutes. */
    lastSeenAt: instant().notNull().default(0),
    /** When the person last proved who they are: at sign-in, or asked again before a dangerous change. */
    authenticatedAt: instant().notNull().default(0),
    /** How it was opened. */
    method: text({ enum: ['password', 'passkey', 'provider'] })
      .notNull()
      .default('password'),
    /** Whether a second factor, or a passkey with the person verified, was shown in it. */
    hasSecondFactor: boolean().notNull().default(false),
    deviceId: text(),
  },
  table => [index('sessions_of_account').on(table.accountId)],
)

/** Wrong passwords: by name and address together, by address, by name; keys are hashed. */
export const signInFailures = pgTable('sign_in_failures', {
  key: text().primaryKey(),
  failures: integer().notNull(),
  firstAt: instant().notNull(),
  lockedUntil: instant().notNull().default(0),
})

/** Browsers an account signed in from; their failures are counted apart, so a stranger cannot keep them out. */
export const knownDevices = pgTable(
  'known_devices',
  {
    deviceId: text().notNull(),
    accountId: id().notNull(),
    firstSeenAt: instant().notNull(),
    lastSeenAt: instant().notNull(),
  },
  table => [
    primaryKey({ columns: [table.deviceId, table.accountId] }),
    index('known_devices_of_account').on(table.accountId),
  ],
)

/** Everything that may be used once: reset links, sign-in steps, WebAuthn challenges, states at providers. */
export const tickets = pgTable(
  'session_tickets',
  {
    /** SHA-256 of the secret that was handed out. */
    hash: text().primaryKey(),
    purpose: text({
      enum: [
        'setUp',
        'signUp',
        'reset',
        'email',
        'secondFactor',
        'totp',
        'passkeyRegistration',
        'passkeyFactor',
        'passkeySignIn',
        'provider',
        'keep',
      ],
    }).notNull(),
    accountId: id(),
    /** What the step needs to go on; secrets in it are sealed. */
    data: jsonb().$type<Record<string, unknown>>().notNull().default({}),
    tries: integer().notNull().default(0),
    createdAt: instant().notNull(),
    expiresAt: instant().notNull(),
    usedAt: instant(),
  },
  table => [
    index('session_tickets_of_account').on(table.accountId, table.purpose),
    index('session_tickets_expiry').on(table.expiresAt),
  ],
)

/** Authenticator apps: one an account. */
export const authenticators = pgTable('authenticators', {
  accountId: id().primaryKey(),
  /** Sealed with the master key. */
  secret: text().notNull(),
  /** The time step of the code used last; that one and older ones are refused. */
  lastStep: integer().notNull().default(0),
  createdAt: instant().notNull(),
})

export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    accountId: id().notNull(),
    /** Keyed hash of the code. */
    hash: text().notNull(),
    usedAt: instant(),
  },
  table => [primaryKey({ columns: [table.accountId, table.hash] })],
)

export const passkeys = pgTable(
  'passkeys',
  {
    /** base64url, as the authenticator gave it. */
    credentialId: text().primaryKey(),
    accountId: id().notNull(),
    /** COSE key, base64url. */
    publicKey: text().notNull(),
    counter: instant().notNull().default(0),
    transports: text().array().notNull().default([]),
    name: text().notNull(),
    createdAt: instant().notNull(),
    lastUsedAt: instant(),
  },
  table => [index('passkeys_of_account').on(table.accountId)],
)

/** Who an account is in law. */
export const realNames = pgTable(
  'real_names',
  {
    accountId: id().primaryKey(),
    kind: text({ enum: ['individual', 'enterprise'] }).notNull(),
    /** As `accounts.verifyRealState`. */
    state: integer().notNull(),
    /** The details as JSON, sealed with the master key. */
    details: text().notNull(),
    submittedAt: instant().notNull(),
    decidedAt: instant(),
    decidedBy: id(),
    reason: text(),
    /** When a pass ends: the day the document does. */
    expiresAt: instant(),
    revision: revision(),
  },
  table => [index('real_names_waiting').on(table.state, table.submittedAt, table.accountId)],
)

/** OpenID Connect providers people may sign in with. */
export const identityProviders = pgTable(
  'identity_providers',
  {
    providerId: id().primaryKey(),
    name: text().notNull(),
    issuer: text().notNull(),
    clientId: text().notNull(),
    /** Sealed with the master key, bound to the provider's id and issuer. */
    clientSecret: text().notNull(),
    scopes: text().notNull().default('openid profile email'),
    isEnabled: boolean().notNull().default(true),
    /** Whether somebody without an account gets one at the first sign-in. */
    createsAccounts: boolean().notNull().default(false),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    revision: revision(),
  },
  table => [uniqueIndex('identity_providers_issuer').on(table.issuer, table.clientId)],
)

/** An account is found by issuer and subject, never by an e-mail address. */
export const linkedIdentities = pgTable(
  'linked_identities',
  {
    issuer: text().notNull(),
    subject: text().notNull(),
    accountId: id().notNull(),
    providerId: id().notNull(),
    /** What the provider calls the person; for people to read only. */
    label: text().notNull(),
    linkedAt: instant().notNull(),
    lastUsedAt: instant(),
  },
  table => [
    primaryKey({ columns: [table.issuer, table.subject] }),
    uniqueIndex('linked_identities_of_account').on(table.accountId, table.providerId),
    index('linked_identities_of_provider').on(table.providerId),
  ],
)

/** Accounts that are to be erased, were kept after all, or are gone; no word of who they were. */
export const accountDeletions = pgTable(
  'account_deletions',
  {
    accountId: id().primaryKey(),
    state: text({ enum: ['asked', 'cancelled', 'erased'] }).notNull(),
    /** The account itself, or who of the staff; null where that was not written down. */
    askedBy: id(),
    askedAt: instant().notNull(),
    erasesAt: instant().notNull(),
    /** It led a team when it was time. */
    isHeldUp: boolean().notNull().default(false),
    updatedAt: instant().notNull(),
    revision: revision(),
  },
  table => [index('account_deletions_due').on(table.state, table.erasesAt, table.accountId)],
)
