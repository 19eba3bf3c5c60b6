import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { id, instant, revision, teamId } from '../../../../server/columns.ts'

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
