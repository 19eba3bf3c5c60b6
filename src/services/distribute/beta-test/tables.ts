import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { id, instant, revision, teamId } from '../../../server/columns.ts'

/** People who test one app. */
export const testGroups = pgTable(
  'version_test_groups',
  {
    groupId: id().primaryKey(),
    teamId: teamId(),
    appId: id().notNull(),
    name: text().notNull(),
    kind: text({ enum: ['INTERNAL', 'EXTERNAL'] }).notNull(),
    createdBy: id().notNull(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    revision: revision(),
  },
  table => [uniqueIndex('version_test_groups_name').on(table.appId, sql`lower(${table.name})`)],
)

/** A person in a group, by mail address in lower case. A row stays when he is removed: it says since when. */
export const testUsers = pgTable(
  'version_test_users',
  {
    userId: id().primaryKey(),
    teamId: teamId(),
    appId: id().notNull(),
    groupId: id().notNull(),
    account: text().notNull(),
    nickname: text().notNull(),
    state: text({ enum: ['ADDED', 'INVITED', 'ACCEPTED', 'DECLINED', 'REMOVED', 'UNSUBSCRIBED'] }).notNull(),
    invitedAt: instant(),
    /** The test version he was mailed about last. */
    toldOf: id(),
    lastInstallAt: instant(),
    /** Of who joined with a session of his own. */
    accountId: id(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    revision: revision(),
  },
  table => [
    uniqueIndex('version_test_users_account').on(table.groupId, table.account),
    index('version_test_users_of_group').on(table.groupId, table.userId),
    index('version_test_users_of_app').on(table.appId, table.account),
    index('version_test_users_of_account').on(table.accountId).where(sql`${table.accountId} IS NOT NULL`),
  ],
)

/** A link by which people join a group. What it opens with is made of its id: nothing secret is kept. */
export const links = pgTable(
  'beta_links',
  {
    linkId: id().primaryKey(),
    teamId: teamId(),
    appId: id().notNull(),
    groupId: id().notNull(),
    state: text({ enum: ['LIVE', 'REVOKED', 'EXPIRED'] }).notNull(),
    /** How many people may join by it, and how many did. */
    limit: integer().notNull(),
    used: integer().notNull().default(0),
    expiresAt: instant().notNull(),
    createdBy: id().notNull(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    revision: revision(),
  },
  table => [
    uniqueIndex('beta_links_live').on(table.groupId).where(sql`${table.state} = 'LIVE'`),
    index('beta_links_of_group').on(table.groupId, table.linkId),
    index('beta_links_end').on(table.expiresAt).where(sql`${table.state} = 'LIVE'`),
  ],
)

/** Somebody asked to join and has a mail to answer; the row goes with the answer. */
export const joins = pgTable(
  'beta_joins',
  {
    joinId: id().primaryKey(),
    teamId: teamId(),
    appId: id().notNull(),
    groupId: id().notNull(),
    /** By which of the two. */
    linkId: id(),
    activityId: id(),
    account: text().notNull(),
    nickname: text().notNull(),
    language: text({ enum: ['zh', 'en', 'ru'] }).notNull(),
    mails: integer().notNull(),
    mailedAt: instant().notNull(),
    expiresAt: instant().notNull(),
  },
  table => [
    uniqueIndex('beta_joins_account').on(table.groupId, table.account),
    index('beta_joins_address').on(table.account),
    index('beta_joins_link').on(table.linkId),
    index('beta_joins_end').on(table.expiresAt),
  ],
)

/** One import of people; its id is that of the job that carries it out. */
export const imports = pgTable(
  'beta_imports',
  {
    bulkId: id().primaryKey(),
    teamId: teamId(),
    appId: id().notNull(),
    /** Null where each line names its group. */
    groupId: id(),
    total: integer().notNull(),
    createdBy: id().notNull(),
    createdAt: instant().notNull(),
    finishedAt: instant(),
  },
  table => [index('beta_imports_of_app').on(table.appId, table.bulkId)],
)

export const importItems = pgTable(
  'beta_import_items',
  {
    bulkId: id().notNull(),
    position: integer().notNull(),
    teamId: teamId(),
    /** Of the file, from 1 on. */
    line: integer().notNull(),
    groupId: id(),
    groupName: text().notNull(),
    account: text().notNull(),
    nickname: text().notNull(),
    result: text({ enum: ['WAITING', 'DONE', 'REFUSED'] }).notNull(),
    code: integer(),
    message: text(),
    at: instant(),
  },
  table => [primaryKey({ columns: [table.bulkId, table.position] })],
)

/** What a device says of itself; each of it may be missing. */
export interface DeviceFacts {
  model?: string
  system?: string
  language?: string
}

/** What a tester says of a test. */
export const feedback = pgTable(
  'beta_feedback',
  {
    feedbackId: id().primaryKey(),
    teamId: teamId(),
    appId: id().notNull(),
    versionId: id().notNull(),
    versionName: text(),
    versionCode: id(),
    /** Null of an open test, whose testers have no name. */
    userId: id(),
    /** A keyed digest of who sent it, to count by. */
    sender: text().notNull(),
    text: text().notNull(),
    device: jsonb().$type<DeviceFacts>().notNull(),
    screenshots: text().array().notNull(),
    /** Files with what the app wrote while it ran. */
    logs: text().array().notNull().default([]),
    state: text({ enum: ['NEW', 'IN_PROGRESS', 'RESOLVED', 'DISMISSED'] }).notNull(),
    /** The team's own words, which no tester sees. */
    note: text().notNull(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    revision: revision(),
  },
  table => [
    index('beta_feedback_of_app').on(table.appId, table.feedbackId),
    index('beta_feedback_of_sender').on(table.sender, table.createdAt),
    index('beta_feedback_of_version').on(table.versionId, table.createdAt),
    index('beta_feedback_of_user').on(table.userId).where(sql`${table.userId} IS NOT NULL`),
  ],
)

/** A picture or a log that a tester sent and has not put into words yet. */
export const pictures = pgTable(
  'beta_pictures',
  { objectId: text().primaryKey(), teamId: teamId(), sender: text().notNull(), at: instant().notNull() },
  table => [index('beta_pictures_of_sender').on(table.sender, table.at), index('beta_pictures_at').on(table.at)],
)

/** A search for testers among everybody: who joins is in its group. */
export const activities = pgTable(
  'beta_activities',
  {
    activityId: id().primaryKey(),
    teamId: teamId(),
    appId: id().notNull(),
    groupId: id().notNull(),
    state: text({ enum: ['DRAFT', 'RECRUITING', 'CLOSED'] }).notNull(),
    title: text().notNull(),
    description: text().notNull(),
    reward: text().notNull(),
    quota: integer().notNull(),
    joined: integer().notNull().default(0),
    deviceModels: text().array().notNull(),
    startAt: instant().notNull(),
    endAt: instant().notNull(),
    createdBy: id().notNull(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    revision: revision(),
  },
  table => [
    uniqueIndex('beta_activities_group').on(table.groupId),
    index('beta_activities_of_app').on(table.appId, table.activityId),
    index('beta_activities_open').on(table.endAt).where(sql`${table.state} = 'RECRUITING'`),
  ],
)
