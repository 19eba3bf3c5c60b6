import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { id, instant, revision, teamId } from '../../../../server/columns.ts'

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
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
  },
  table => [
    uniqueIndex('version_test_users_account').on(table.groupId, table.account),
    index('version_test_users_of_group').on(table.groupId, table.userId),
    index('version_test_users_of_app').on(table.appId, table.account),
  ],
)

/** The test lane: packages that testers get beside what is on shelf. Their listings stand with those of versions. */
export const testVersions = pgTable(
  'version_tests',
  {
    versionId: id().primaryKey(),
    teamId: teamId(),
    appId: id().notNull(),
    pkgId: id().notNull(),
    versionCode: id(),
    versionName: text(),
    testDesc: text().notNull(),
    /** 3 by invitation, 4 open; null until it was released. */
    testType: integer(),
    state: text({
      enum: ['DRAFT', 'IN_REVIEW', 'REJECTED', 'WITHDRAWN', 'WAITING', 'TESTING', 'STOPPED', 'EXPIRED', 'PROMOTED'],
    }).notNull(),
    groupIds: id().array().notNull(),
    startAt: instant(),
    endAt: instant(),
    /** Null: no limit but the number of users. */
    installLimit: integer(),
    installCount: integer().notNull().default(0),
    quotaReachedAt: instant(),
    countries: text().array().notNull(),
    isNotified: boolean().notNull().default(false),
    isSelfDetected: boolean().notNull().default(false),
    rejection: jsonb().$type<{ note: string; at: number }>(),
    submittedAt: instant(),
    /** When the store passed it; null for what never was reviewed. */
    approvedAt: instant(),
    startedAt: instant(),
    endedAt: instant(),
    /** The formal version that was made of it. */
    promotedTo: id(),
    createdBy: id().notNull(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    revision: revision(),
  },
  table => [
    index('version_tests_of_app').on(table.appId, table.versionId),
    index('version_tests_promoted').on(table.promotedTo).where(sql`${table.promotedTo} IS NOT NULL`),
    index('version_tests_start').on(table.startAt).where(sql`${table.state} = 'WAITING'`),
    index('version_tests_end').on(table.endAt).where(sql`${table.state} IN ('WAITING', 'TESTING')`),
  ],
)

/** Who fetched a test version, so that each counts once. The device is a keyed digest. */
export const testInstalls = pgTable(
  'version_test_installs',
  { versionId: id().notNull(), device: text().notNull(), teamId: teamId(), at: instant().notNull() },
  table => [primaryKey({ columns: [table.versionId, table.device] })],
)
