import { sql } from 'drizzle-orm'
import { boolean, index, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import type { ScopeGiven } from '../../../kernel/permissions.ts'
import type { ZoneId } from '../../../kernel/zones.ts'
import { id, instant, revision, signingKeyTable, teamId } from '../../../server/columns.ts'

export const apiClients = pgTable(
  'api_clients',
  {
    clientId: id().primaryKey(),
    teamId: teamId(),
    /** `team` acts for a team, `user` for one person, `debug` for ten minutes, `app` signs an app's people in. */
    kind: text({ enum: ['team', 'user', 'debug', 'app'] }).notNull(),
    name: text().notNull(),
    description: text().notNull().default(''),
    zones: text().array().$type<ZoneId[]>().notNull(),
    state: text({ enum: ['ACTIVE', 'DISABLED'] }).notNull(),
    /** Of a debug credential. */
    projectId: id(),
    /** Of an app's client, with where it may send people back to and what it may ask for. */
    appId: id(),
    redirectUris: text().array().notNull().default([]),
    scopes: text().array().notNull().default([]),
    /** Runs where no secret can be kept, so it has none. */
    isPublic: boolean().notNull().default(false),
    /** Tokens with this id or an older one are void. */
    tokensAfter: id().notNull().default('0'),
    expiresAt: instant(),
    lastUsedAt: instant(),
    createdBy: id().notNull(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    revision: revision(),
  },
  table => [
    index('api_clients_of_team').on(table.teamId, table.kind, table.clientId),
    index('api_clients_of_person').on(table.createdBy).where(sql`${table.kind} IN ('user', 'debug')`),
    index('api_clients_of_app').on(table.appId).where(sql`${table.appId} IS NOT NULL`),
  ],
)

export const clientSecrets = pgTable(
  'client_secrets',
  {
    secretId: id().primaryKey(),
    clientId: id().notNull(),
    teamId: teamId(),
    /** argon2id. */
    hash: text().notNull(),
    /** The first characters, to tell two apart. */
    prefix: text().notNull(),
    /** When a replaced one ends. */
    expiresAt: instant(),
    createdAt: instant().notNull(),
  },
  table => [index('client_secrets_of_client').on(table.clientId)],
)

/** Public keys with which clients sign what proves who they are. */
export const clientKeys = pgTable(
  'client_keys',
  {
    keyId: id().primaryKey(),
    clientId: id().notNull(),
    teamId: teamId(),
    /** SHA-256 thumbprint (RFC 7638). */
    kid: text().notNull(),
    name: text().notNull(),
    algorithm: text({ enum: ['ES256', 'ES384', 'RS256', 'EdDSA'] }).notNull(),
    publicJwk: jsonb().$type<Record<string, string>>().notNull(),
    /** Whether the pair was made here. */
    isMadeHere: boolean().notNull(),
    createdBy: id().notNull(),
    createdAt: instant().notNull(),
  },
  table => [uniqueIndex('client_keys_kid').on(table.clientId, table.kid)],
)

/** Where the rights of a grant hold, with the project of each single app. */
export interface GrantScope {
  given: ScopeGiven
  projectOfApp: Record<string, string>
}

/** What a member gave a client, and until when: a changed grant is an ended row and a new one, so the table is its own history. */
export const clientGrants = pgTable(
  'client_grants',
  {
    grantId: id().primaryKey(),
    /** The team that gives. */
    teamId: teamId(),
    clientId: id().notNull(),
    clientTeamId: id().notNull(),
    clientName: text().notNull(),
    permissions: text().array().notNull(),
    scope: jsonb().$type<GrantScope>().notNull(),
    /** Who answers for it: the client can do no more than this member can. */
    grantedBy: id().notNull(),
    grantedAt: instant().notNull(),
    /** Of the address at which it was given; one use each. */
    requestId: text(),
    endedAt: instant(),
    endedBy: id(),
  },
  table => [
    uniqueIndex('client_grants_live').on(table.clientId, table.teamId).where(sql`${table.endedAt} IS NULL`),
    uniqueIndex('client_grants_request').on(table.requestId).where(sql`${table.requestId} IS NOT NULL`),
    index('client_grants_of_team').on(table.teamId, table.grantId),
    index('client_grants_of_client').on(table.clientTeamId, table.clientId, table.grantId),
  ],
)

/** Assertions that were shown, until they end: each is good once. */
export const usedAssertions = pgTable(
  'client_used_assertions',
  { clientId: id().notNull(), jtiHash: text().notNull(), expiresAt: instant().notNull() },
  table => [
    primaryKey({ columns: [table.clientId, table.jtiHash] }),
    index('client_used_assertions_ending').on(table.expiresAt),
  ],
)

export const revokedTokens = pgTable(
  'client_revoked_tokens',
  { jti: id().primaryKey(), clientId: id().notNull(), expiresAt: instant().notNull() },
  table => [
    index('client_revoked_tokens_of').on(table.clientId),
    index('client_revoked_tokens_ending').on(table.expiresAt),
  ],
)

export const signingKeys = signingKeyTable('client_signing_keys')
