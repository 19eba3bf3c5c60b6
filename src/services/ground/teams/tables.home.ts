import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import type { ScopeGiven } from '../../../kernel/permissions.ts'
import { id, instant, revision } from '../../../server/columns.ts'

export const teamRows = pgTable(
  'teams',
  {
    teamId: id().primaryKey(),
    name: text().notNull(),
    countryCode: text().notNull(),
    siteId: integer().notNull(),
    leaderAccountId: id().notNull(),
    userType: integer().notNull().default(1),
    /** Grows with every change of anybody's rights in the team. */
    permVersion: integer().notNull().default(1),
    description: text().notNull().default(''),
    contactEmail: text().notNull().default(''),
    /** A deleted team keeps its row, for its audit and its receipts. */
    deletedAt: instant(),
    createdAt: instant().notNull(),
    /** Has the demo project that people without a session may read; at most one team. */
    isForVisitors: boolean().notNull().default(false),
    revision: revision(),
  },
  table => [uniqueIndex('teams_for_visitors').on(table.isForVisitors).where(sql`${table.isForVisitors}`)],
)

export const members = pgTable(
  'members',
  {
    teamId: id().notNull(),
    accountId: id().notNull(),
    status: text({ enum: ['active', 'suspended', 'removed'] })
      .notNull()
      .default('active'),
    /** Names of built-in roles and ids of the team's own. */
    roles: text().array().notNull(),
    scope: jsonb().$type<ScopeGiven>().notNull().default({ all: true }),
    /** Copies of the account's, so that a list is one query; empty until they were copied. */
    name: text().notNull().default(''),
    loginName: text().notNull().default(''),
    joinedAt: instant().notNull(),
    /** False until `member_roles` has the rows of this one. */
    hasRoleRows: boolean().notNull().default(false),
    revision: revision(),
  },
  table => [
    primaryKey({ columns: [table.teamId, table.accountId] }),
    index('members_of_account').on(table.accountId),
    index('members_present').on(table.teamId, table.joinedAt, table.accountId).where(sql`${table.status} <> 'removed'`),
    index('members_by_status').on(table.teamId, table.status, table.joinedAt, table.accountId),
    index('members_without_face').on(table.accountId).where(sql`${table.loginName} = ''`),
    index('members_without_role_rows').on(table.accountId).where(sql`NOT ${table.hasRoleRows}`),
  ],
)

/**
 * A row for each role of each member, in the order of the list, so that a rare role is found without a walk over the
 * others. Under row-level security PostgreSQL uses no index on the array itself.
 */
export const memberRoles = pgTable(
  'member_roles',
  {
    teamId: id().notNull(),
    accountId: id().notNull(),
    role: text().notNull(),
    /** Copies of the member's. */
    status: text({ enum: ['active', 'suspended', 'removed'] }).notNull(),
    joinedAt: instant().notNull(),
  },
  table => [
    primaryKey({ columns: [table.teamId, table.accountId, table.role] }),
    index('member_roles_present')
      .on(table.teamId, table.role, table.joinedAt, table.accountId)
      .where(sql`${table.status} <> 'removed'`),
    index('member_roles_by_status').on(table.teamId, table.role, table.status, table.joinedAt, table.accountId),
  ],
)

/**
 * The words members are found by. Apart from them and without a team: under row-level security PostgreSQL uses no index
 * for a search, for the search might tell of rows that are hidden.
 */
export const memberFaces = pgTable(
  'member_faces',
  { accountId: id().primaryKey(), searchKey: text().notNull() },
  table => [index('member_faces_by_word').using('gin', sql`to_tsvector('simple', ${table.searchKey})`)],
)

/** The team's own roles, beside the built-in ones. */
export const teamRoleRows = pgTable(
  'team_roles',
  {
    roleId: id().primaryKey(),
    teamId: id().notNull(),
    name: text().notNull(),
    /** As names are compared; unique in the team. */
    nameKey: text().notNull(),
    description: text().notNull().default(''),
    /** The built-in role it started from: what a difference is shown to. */
    basedOn: text(),
    permissions: text().array().notNull(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    revision: revision(),
  },
  table => [uniqueIndex('team_roles_name').on(table.teamId, table.nameKey)],
)

export const invitations = pgTable(
  'invitations',
  {
    invitationId: id().primaryKey(),
    teamId: id().notNull(),
    /** SHA-256 of the token; null until a token was sent. */
    tokenHash: text(),
    channel: text({ enum: ['email', 'phone'] }).notNull(),
    address: text().notNull(),
    addressKey: text().notNull(),
    roles: text().array().notNull(),
    scope: jsonb().$type<ScopeGiven>().notNull(),
    /** Of the mail. */
    language: text({ enum: ['zh', 'en', 'ru'] }).notNull(),
    state: text({ enum: ['open', 'accepted', 'declined', 'canceled', 'expired'] }).notNull(),
    invitedBy: id().notNull(),
    /** How often a token was made for it. */
    sent: integer().notNull().default(0),
    expiresAt: instant().notNull(),
    usedBy: id(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    revision: revision(),
  },
  table => [
    uniqueIndex('invitations_token').on(table.tokenHash),
    uniqueIndex('invitations_open').on(table.teamId, table.addressKey).where(sql`${table.state} = 'open'`),
    index('invitations_of_team').on(table.teamId, table.invitationId),
    index('invitations_ending').on(table.expiresAt).where(sql`${table.state} = 'open'`),
  ],
)

/** The lead of a team, held out to a member. */
export const leaderOffers = pgTable(
  'leader_offers',
  {
    offerId: id().primaryKey(),
    teamId: id().notNull(),
    fromAccountId: id().notNull(),
    toAccountId: id().notNull(),
    state: text({ enum: ['open', 'accepted', 'declined', 'canceled', 'expired'] }).notNull(),
    expiresAt: instant().notNull(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    revision: revision(),
  },
  table => [uniqueIndex('leader_offers_open').on(table.teamId).where(sql`${table.state} = 'open'`)],
)

/** Teams that serve a team as providers. */
export const providerBindings = pgTable(
  'provider_bindings',
  {
    bindingId: id().primaryKey(),
    /** The team that is served. */
    teamId: id().notNull(),
    /** The team that serves. */
    spId: id().notNull(),
    note: text().notNull().default(''),
    state: text({ enum: ['invited', 'active', 'ended'] }).notNull(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    revision: revision(),
  },
  table => [
    uniqueIndex('provider_bindings_live').on(table.teamId, table.spId).where(sql`${table.state} <> 'ended'`),
    index('provider_bindings_of_team').on(table.teamId, table.bindingId),
    index('provider_bindings_of_provider').on(table.spId, table.state),
  ],
)

/** People who try out what a team makes; no accounts. */
export const testUsers = pgTable(
  'test_users',
  {
    testUserId: id().primaryKey(),
    teamId: id().notNull(),
    name: text().notNull(),
    /** Mail address or phone number. */
    address: text().notNull(),
    addressKey: text().notNull(),
    note: text().notNull().default(''),
    searchKey: text().notNull(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    revision: revision(),
  },
  table => [
    uniqueIndex('test_users_address').on(table.teamId, table.addressKey),
    index('test_users_of_team').on(table.teamId, table.testUserId),
  ],
)

/** Projects and apps as their events tell of them: what a scope can name. */
export const scopeThings = pgTable(
  'scope_things',
  {
    thingId: id().primaryKey(),
    teamId: id().notNull(),
    kind: text({ enum: ['project', 'app'] }).notNull(),
    /** The project of an app. */
    projectId: id(),
    name: text().notNull(),
    zone: text().notNull(),
    /** Kept when it is gone: its beginning may be told after its end. */
    hasEnded: boolean().notNull().default(false),
  },
  table => [index('scope_things_of_team').on(table.teamId, table.hasEnded, table.kind, table.thingId)],
)

/** One action on many members; the id is that of the job that carries it out. */
export const memberBulks = pgTable(
  'member_bulks',
  {
    bulkId: id().primaryKey(),
    teamId: id().notNull(),
    action: text({ enum: ['roles', 'suspend', 'restore', 'remove'] }).notNull(),
    /** What the members get by `roles`; empty for the others. */
    roles: text().array().notNull(),
    total: integer().notNull(),
    createdBy: id().notNull(),
    createdAt: instant().notNull(),
    finishedAt: instant(),
  },
  table => [index('member_bulks_of_team').on(table.teamId, table.bulkId)],
)

export const memberBulkItems = pgTable(
  'member_bulk_items',
  {
    bulkId: id().notNull(),
    position: integer().notNull(),
    teamId: id().notNull(),
    accountId: id().notNull(),
    result: text({ enum: ['WAITING', 'DONE', 'REFUSED'] }).notNull(),
    /** Number and sentence of the refusal. */
    code: integer(),
    message: text(),
    at: instant(),
  },
  table => [primaryKey({ columns: [table.bulkId, table.position] })],
)
