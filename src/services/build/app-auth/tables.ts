import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { count, id, instant, revision, signingKeyTable, teamId } from '../../../server/columns.ts'

export interface AuthSettings {
  enabled: boolean
  accessSeconds: number
  refreshDays: number
  /** `byUse`: a token is good until its successor was used, as the public SDK needs it. `strict`: each is good once. */
  rotation: 'byUse' | 'strict'
  passwordPolicy: { minLength: number; classes: number }
  /** Pages of these may sign in; empty is any. */
  allowedOrigins: string[]
  smsCountries: { mode: 'ALL' | 'ALLOW' | 'DENY'; list: string[] }
  smsPerDay: number
  smsEngine: 'outbox' | 'webhook'
  smsWebhookUrl: string
  sendsWelcome: boolean
  /** Whether users may or must have a second factor, which is then asked for at every sign-in. */
  mfa: 'OFF' | 'OPTIONAL' | 'REQUIRED'
}

export interface HostSettings {
  enabled: boolean
  appName: string
  logoUrl: string
  color: string
  supportMail: string
  termsUrl: string
  privacyUrl: string
  /** Where the hosted page may lead users back to, letter by letter; none closes the page. */
  redirectUris: string[]
}

/** How app users of a project sign in; without a row the defaults count. */
export const authProducts = pgTable('app_auth_products', {
  projectId: id().primaryKey(),
  teamId: teamId(),
  settings: jsonb().$type<AuthSettings>().notNull(),
  host: jsonb().$type<HostSettings>(),
  /** What the SMS webhook is signed with, under the master key. */
  sealedSmsSecret: text(),
  updatedAt: instant().notNull(),
  revision: revision(),
})

export const authMethods = pgTable(
  'app_auth_methods',
  {
    projectId: id().notNull(),
    provider: integer().notNull(),
    teamId: teamId(),
    enabled: boolean().notNull(),
    config: jsonb().$type<Record<string, string>>().notNull().default({}),
    sealedSecret: text(),
    updatedAt: instant().notNull(),
    revision: revision(),
  },
  table => [primaryKey({ columns: [table.projectId, table.provider] })],
)

/** A hash made elsewhere; put into our own at the next sign-in. */
export interface ForeignHash {
  algorithm: string
  /** As the peer keeps it: base64 or hex, or a whole crypt string. */
  hash: string
  salt: string
  /** Of the import: rounds, key, memory; the key sealed. */
  params: Record<string, string | number>
}

export const appUsers = pgTable(
  'app_users',
  {
    uid: id().primaryKey(),
    projectId: id().notNull(),
    teamId: teamId(),
    state: text({ enum: ['ACTIVE', 'DISABLED', 'DELETED'] }).notNull(),
    displayName: text().notNull().default(''),
    photoUrl: text().notNull().default(''),
    email: text(),
    emailVerified: boolean().notNull().default(false),
    phone: text(),
    /** argon2id; null without a password of ours. */
    passwordHash: text(),
    foreignHash: jsonb().$type<ForeignHash>(),
    isAnonymous: boolean().notNull().default(false),
    claims: jsonb().$type<Record<string, unknown>>().notNull().default({}),
    /** Tokens that were made before are void. */
    tokensAfter: instant().notNull().default(0),
    importUid: text(),
    createdAt: instant().notNull(),
    lastSignInAt: instant(),
    deletedAt: instant(),
    updatedAt: instant().notNull(),
    revision: revision(),
  },
  table => [
    uniqueIndex('app_users_email').on(table.projectId, table.email).where(sql`${table.email} IS NOT NULL`),
    uniqueIndex('app_users_phone').on(table.projectId, table.phone).where(sql`${table.phone} IS NOT NULL`),
    uniqueIndex('app_users_import').on(table.projectId, table.importUid).where(sql`${table.importUid} IS NOT NULL`),
    index('app_users_of_project').on(table.projectId, table.uid),
    index('app_users_mail_prefix').on(table.projectId, table.email.op('text_pattern_ops')),
    index('app_users_name_prefix').on(table.projectId, sql`lower(${table.displayName}) text_pattern_ops`),
    index('app_users_created').on(table.projectId, table.createdAt),
    index('app_users_tombstones').on(table.deletedAt).where(sql`${table.deletedAt} IS NOT NULL`),
  ],
)

/** Who somebody is elsewhere: only issuer and subject say so. */
export const appUserIdentities = pgTable(
  'app_user_identities',
  {
    projectId: id().notNull(),
    provider: integer().notNull(),
    issuer: text().notNull(),
    openId: text().notNull(),
    uid: id().notNull(),
    teamId: teamId(),
    displayName: text().notNull().default(''),
    email: text(),
    photoUrl: text().notNull().default(''),
    linkedAt: instant().notNull(),
  },
  table => [
    primaryKey({ columns: [table.projectId, table.provider, table.issuer, table.openId] }),
    uniqueIndex('app_user_identities_of_user').on(table.uid, table.provider),
  ],
)

/** A family of refresh tokens: one sign-in on one device. */
export const appUserSessions = pgTable(
  'app_user_sessions',
  {
    familyId: id().primaryKey(),
    projectId: id().notNull(),
    uid: id().notNull(),
    teamId: teamId(),
    provider: integer().notNull(),
    generation: integer().notNull().default(0),
    rotatedAt: instant().notNull().default(0),
    /** The client of the app that signed in. */
    clientId: id().notNull(),
    device: text().notNull().default(''),
    place: text().notNull().default(''),
    authAt: instant().notNull(),
    createdAt: instant().notNull(),
    lastUsedAt: instant().notNull(),
    expiresAt: instant().notNull(),
    endedAt: instant(),
    endedBecause: text({ enum: ['SIGN_OUT', 'REUSE', 'REVOKED', 'PASSWORD', 'DISABLED', 'DELETED', 'TOO_MANY'] }),
  },
  table => [
    index('app_user_sessions_of_user').on(table.uid, table.familyId),
    index('app_user_sessions_over').on(table.expiresAt),
  ],
)

/** Who was active on which UTC day: what charts count. */
export const appUserDays = pgTable(
  'app_user_days',
  { projectId: id().notNull(), day: text().notNull(), uid: id().notNull(), teamId: teamId() },
  table => [primaryKey({ columns: [table.projectId, table.day, table.uid] })],
)

export const authCodes = pgTable(
  'app_auth_codes',
  {
    codeId: id().primaryKey(),
    projectId: id().notNull(),
    teamId: teamId(),
    channel: text({ enum: ['EMAIL', 'PHONE'] }).notNull(),
    target: text().notNull(),
    action: integer().notNull(),
    /** HMAC under the master key. */
    codeHash: text().notNull(),
    /** The installation that asked; only its tries count, and only it can use the code. */
    requester: text().notNull(),
    place: text().notNull(),
    attempts: integer().notNull().default(0),
    createdAt: instant().notNull(),
    expiresAt: instant().notNull(),
    usedAt: instant(),
  },
  table => [
    index('app_auth_codes_of_target').on(table.projectId, table.target, table.createdAt),
    index('app_auth_codes_of_place').on(table.projectId, table.place, table.createdAt),
    index('app_auth_codes_over').on(table.expiresAt),
  ],
)

/** Wrong tries by hashed key; none holds a name that was only guessed. */
export const authFailures = pgTable(
  'app_auth_failures',
  {
    key: text().primaryKey(),
    failures: integer().notNull(),
    firstAt: instant().notNull(),
    lockedUntil: instant().notNull().default(0),
  },
  table => [index('app_auth_failures_over').on(table.firstAt)],
)

export const authTemplates = pgTable(
  'app_auth_templates',
  {
    projectId: id().notNull(),
    kind: text({ enum: ['VERIFY_EMAIL', 'RESET', 'SMS_CODE', 'WELCOME'] }).notNull(),
    language: text({ enum: ['zh', 'en', 'ru'] }).notNull(),
    teamId: teamId(),
    subject: text().notNull(),
    body: text().notNull(),
    updatedAt: instant().notNull(),
    revision: revision(),
  },
  table => [primaryKey({ columns: [table.projectId, table.kind, table.language] })],
)

/** What goes out by text message, with what became of it. Mails go by the mail engine and are not kept here. */
export const authMessages = pgTable(
  'app_auth_messages',
  {
    messageId: id().primaryKey(),
    projectId: id().notNull(),
    teamId: teamId(),
    phone: text().notNull(),
    country: text().notNull(),
    day: text().notNull(),
    /** Sealed: a code stands in it. */
    sealedText: text().notNull(),
    state: text({ enum: ['QUEUED', 'KEPT', 'SENT', 'FAILED'] }).notNull(),
    engine: text().notNull().default(''),
    reason: text(),
    isTest: boolean().notNull().default(false),
    codeId: id(),
    createdAt: instant().notNull(),
    sentAt: instant(),
    usedAt: instant(),
  },
  table => [
    index('app_auth_messages_of_project').on(table.projectId, table.messageId),
    index('app_auth_messages_by_day').on(table.projectId, table.day, table.country),
    index('app_auth_messages_recent').on(table.projectId, table.country, table.createdAt),
    index('app_auth_messages_of_code').on(table.codeId),
  ],
)

/** Countries that get no more messages for a while. */
export const smsBlocks = pgTable(
  'app_auth_sms_blocks',
  { projectId: id().notNull(), country: text().notNull(), teamId: teamId(), until: instant().notNull() },
  table => [primaryKey({ columns: [table.projectId, table.country] })],
)

export const authHooks = pgTable(
  'app_auth_hooks',
  {
    hookId: id().primaryKey(),
    projectId: id().notNull(),
    teamId: teamId(),
    moment: text({ enum: ['BEFORE_CREATE', 'BEFORE_SIGN_IN'] }).notNull(),
    url: text().notNull(),
    sealedSecret: text().notNull(),
    timeoutMs: integer().notNull(),
    /** What happens to the person when the hook does not answer. */
    onFailure: text({ enum: ['ALLOW', 'DENY'] }).notNull(),
    enabled: boolean().notNull(),
    calls: count().notNull().default(0),
    failures: count().notNull().default(0),
    lastAt: instant(),
    lastOutcome: text(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    revision: revision(),
  },
  table => [index('app_auth_hooks_of_project').on(table.projectId, table.moment)],
)

/** Codes of the hosted page for apps: of a minute, used once. */
export const authGrants = pgTable(
  'app_auth_grants',
  {
    /** SHA-256. */
    codeHash: text().primaryKey(),
    projectId: id().notNull(),
    teamId: teamId(),
    clientId: id().notNull(),
    uid: id().notNull(),
    familyId: id().notNull(),
    redirectUri: text().notNull(),
    challenge: text().notNull(),
    nonce: text().notNull(),
    scope: text().notNull(),
    createdAt: instant().notNull(),
    expiresAt: instant().notNull(),
    usedAt: instant(),
  },
  table => [index('app_auth_grants_over').on(table.expiresAt)],
)

/** One-tap sign-in by the carrier of a phone. */
export const quickLogins = pgTable(
  'app_auth_quick_logins',
  {
    projectId: id().notNull(),
    carrier: text().notNull(),
    teamId: teamId(),
    appId: text().notNull(),
    sealedKey: text().notNull(),
    checkUrl: text().notNull(),
    enabled: boolean().notNull(),
    updatedAt: instant().notNull(),
    revision: revision(),
  },
  table => [primaryKey({ columns: [table.projectId, table.carrier] })],
)

export interface ImportHash {
  algorithm: string
  rounds?: number
  memoryCost?: number
  parallelization?: number
  blockSize?: number
  keyLength?: number
  saltSeparator?: string
  /** Under the master key. */
  sealedKey?: string
  order?: 'SALT_FIRST' | 'PASSWORD_FIRST'
  encoding?: 'BASE64' | 'HEX'
}

export const userImports = pgTable(
  'app_user_imports',
  {
    importId: id().primaryKey(),
    projectId: id().notNull(),
    teamId: teamId(),
    state: text({ enum: ['FILLING', 'RUNNING', 'DONE', 'FAILED'] }).notNull(),
    isDryRun: boolean().notNull(),
    onConflict: text({ enum: ['SKIP', 'FAIL', 'MERGE'] }).notNull(),
    hash: jsonb().$type<ImportHash>(),
    total: integer().notNull().default(0),
    /** The rows up to this one are done. */
    doneRows: integer().notNull().default(0),
    made: integer().notNull().default(0),
    merged: integer().notNull().default(0),
    failed: integer().notNull().default(0),
    jobId: id(),
    createdBy: id().notNull(),
    createdAt: instant().notNull(),
    endedAt: instant(),
  },
  table => [index('app_user_imports_of_project').on(table.projectId, table.importId)],
)

export const userImportRows = pgTable(
  'app_user_import_rows',
  {
    importId: id().notNull(),
    index: integer().notNull(),
    teamId: teamId(),
    /** Null once it is a user. */
    row: jsonb().$type<Record<string, unknown>>(),
    code: text(),
    message: text(),
  },
  table => [primaryKey({ columns: [table.importId, table.index] })],
)

/** Keys of rows while an import runs: two rows that share one are the same person. */
export const userImportKeys = pgTable(
  'app_user_import_keys',
  {
    importId: id().notNull(),
    /** The beginning of a SHA-256. */
    key: uuid().notNull(),
    index: integer().notNull(),
    teamId: teamId(),
  },
  table => [primaryKey({ columns: [table.importId, table.key] })],
)

export const authKeys = signingKeyTable('app_auth_keys')
