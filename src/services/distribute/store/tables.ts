import { sql } from 'drizzle-orm'
import { boolean, index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { count, id, instant, teamId } from '../../../server/columns.ts'

/** How often something happened to a version on one UTC day. */
export const storeCounts = pgTable(
  'store_counts',
  {
    versionId: id().notNull(),
    day: text().notNull(),
    type: text().notNull(),
    teamId: teamId(),
    appId: id().notNull(),
    amount: count().notNull(),
  },
  table => [
    primaryKey({ columns: [table.versionId, table.day, table.type] }),
    index('store_counts_of_app').on(table.teamId, table.appId, table.day),
  ],
)

/** Which device fetched which version, so that each is counted once. The device is a keyed digest. */
export const storeDownloads = pgTable(
  'store_downloads',
  { versionId: id().notNull(), device: text().notNull(), teamId: teamId(), at: instant().notNull() },
  table => [primaryKey({ columns: [table.versionId, table.device] }), index('store_downloads_at').on(table.at)],
)

/** What devices reported of a version on one UTC day, by where and on what. */
export const storeInstalls = pgTable(
  'store_installs',
  {
    versionId: id().notNull(),
    day: text().notNull(),
    outcome: text().notNull(),
    country: text().notNull(),
    deviceClass: text().notNull(),
    /** Of a failure; empty of the others. */
    reason: text().notNull(),
    teamId: teamId(),
    appId: id().notNull(),
    amount: count().notNull(),
  },
  table => [
    primaryKey({
      columns: [table.versionId, table.day, table.outcome, table.country, table.deviceClass, table.reason],
    }),
    index('store_installs_of_app').on(table.teamId, table.appId, table.day),
  ],
)

/** How many more devices had a version at the end of a UTC day than before it. */
export const storeField = pgTable(
  'store_field',
  {
    versionId: id().notNull(),
    day: text().notNull(),
    teamId: teamId(),
    appId: id().notNull(),
    change: count().notNull(),
  },
  table => [
    primaryKey({ columns: [table.versionId, table.day] }),
    index('store_field_of_app').on(table.teamId, table.appId, table.day),
  ],
)

/** How many devices have an app, and what was last told of it to the service of versions. */
export const storeActive = pgTable(
  'store_active',
  { appId: id().primaryKey(), teamId: teamId(), active: count().notNull(), told: count().notNull().default(0) },
  table => [index('store_active_untold').on(table.appId).where(sql`${table.active} <> ${table.told}`)],
)

/** Pictures as the public gets them, by what the developer sent: made once, of bytes of their own. */
export const storePictures = pgTable(
  'store_pictures',
  {
    objectId: text().primaryKey(),
    teamId: teamId(),
    appId: id().notNull(),
    /** Null: it cannot be published, for it is gone or no picture. */
    publicObjectId: text(),
    sha256: text(),
    sizeBytes: count(),
    mime: text(),
  },
  table => [index('store_pictures_of_app').on(table.appId)],
)

/** Which device told what of a version while a phased release went on beside it or was it, so that each counts once. */
export const storeHealthDevices = pgTable(
  'store_health_devices',
  {
    versionId: id().notNull(),
    /** When the phased release began. */
    startedAt: instant().notNull(),
    /** A keyed digest. */
    device: text().notNull(),
    kind: text().notNull(),
    teamId: teamId(),
    at: instant().notNull(),
  },
  table => [
    primaryKey({ columns: [table.versionId, table.startedAt, table.device, table.kind] }),
    index('store_health_devices_at').on(table.at),
  ],
)

/** How many devices told of it first in an hour, of the version that comes in phases and of the full one beside it. */
export const storeHealth = pgTable(
  'store_health',
  {
    /** The version that comes in phases. */
    releaseId: id().notNull(),
    startedAt: instant().notNull(),
    versionId: id().notNull(),
    hour: instant().notNull(),
    kind: text().notNull(),
    teamId: teamId(),
    appId: id().notNull(),
    devices: count().notNull(),
  },
  table => [primaryKey({ columns: [table.releaseId, table.startedAt, table.versionId, table.hour, table.kind] })],
)

/** Phased releases that devices told of, and whether the service of versions knows the newest. */
export const storeHealthReleases = pgTable(
  'store_health_releases',
  {
    releaseId: id().primaryKey(),
    startedAt: instant().notNull(),
    teamId: teamId(),
    appId: id().notNull(),
    isTold: boolean().notNull(),
  },
  table => [index('store_health_releases_untold').on(table.releaseId).where(sql`NOT ${table.isTold}`)],
)

/** Reports that were counted, so that one sent again is not. The name is a keyed digest. */
export const storeReports = pgTable(
  'store_reports',
  { report: text().primaryKey(), teamId: teamId(), at: instant().notNull() },
  table => [index('store_reports_at').on(table.at)],
)

/** Which device has an app, as it reported; what it may say of the app hangs on it. */
export const storeInstallations = pgTable(
  'store_installations',
  {
    appId: id().notNull(),
    /** A keyed digest, of this app alone. */
    device: text().notNull(),
    teamId: teamId(),
    /** What it reported last. */
    versionId: id().notNull(),
    versionCode: text().notNull(),
    versionName: text().notNull(),
    /** A keyed digest of a secret that the device made; whoever only knows the device's id lacks it. */
    secret: text(),
    /** A keyed digest of the network and the UTC day of the first report. */
    source: text().notNull(),
    at: instant().notNull(),
  },
  table => [primaryKey({ columns: [table.appId, table.device] }), index('store_installations_source').on(table.source)],
)
