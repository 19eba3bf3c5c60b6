import { sql } from 'drizzle-orm'
import { customType, index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { id, instant, revision, teamId } from '../../../server/columns.ts'

const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' })

/** What a team signs its packages for HarmonyOS with: certificates of the application CA for keys of its own. */
export const certs = pgTable(
  'harmony_certs',
  {
    certId: id().primaryKey(),
    teamId: teamId(),
    name: text().notNull(),
    /** 1 debug, 2 release, 3 in-house release, 4 binary. */
    type: integer().notNull(),
    state: text({ enum: ['VALID', 'EXPIRED', 'REVOKED'] }).notNull(),
    /** The application CA that issued it. */
    authorityId: id().notNull(),
    /** PEM, of the certificate alone. */
    certificate: text().notNull(),
    /** Its common name: `Team(teamId),Debug` or `Release`. */
    subject: text().notNull(),
    /** Lower-case hex. */
    serial: text().notNull(),
    sha256: text().notNull(),
    csrSha256: text().notNull(),
    expireAt: instant().notNull(),
    /** The days of the last reminder. */
    reminded: integer(),
    revokedAt: instant(),
    createdBy: id().notNull(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    revision: revision(),
  },
  table => [
    uniqueIndex('harmony_certs_name').on(table.teamId, sql`lower(${table.name})`).where(sql`${table.state} = 'VALID'`),
    index('harmony_certs_of_team').on(table.teamId, table.certId),
    index('harmony_certs_by_end').on(table.expireAt).where(sql`${table.state} = 'VALID'`),
  ],
)

/** Devices that profiles name. A removed one is kept: it counts against the year's limit, and may come back. */
export const devices = pgTable(
  'harmony_devices',
  {
    deviceId: id().primaryKey(),
    teamId: teamId(),
    name: text().notNull(),
    /** 64 upper-case hex digits. */
    udid: text().notNull(),
    type: integer().notNull(),
    state: text({ enum: ['ACTIVE', 'REMOVED'] }).notNull(),
    /** The beginning of the year in which it takes a place. */
    countedAt: instant().notNull(),
    removedAt: instant(),
    createdBy: id().notNull(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    revision: revision(),
  },
  table => [
    uniqueIndex('harmony_devices_udid').on(table.teamId, table.udid),
    uniqueIndex('harmony_devices_name')
      .on(table.teamId, sql`lower(${table.name})`)
      .where(sql`${table.state} = 'ACTIVE'`),
    index('harmony_devices_of_team').on(table.teamId, table.deviceId),
  ],
)

/** Teams that may have another number of devices of a type a year than ordinary ones. */
export const deviceLimits = pgTable('harmony_device_limits', {
  teamId: teamId().primaryKey(),
  devicesOfType: integer().notNull(),
  updatedAt: instant().notNull(),
})

/** Signed profiles: which app may run with which certificate, where and until when. */
export const profiles = pgTable(
  'harmony_profiles',
  {
    profileId: id().primaryKey(),
    teamId: teamId(),
    appId: id().notNull(),
    name: text().notNull(),
    /** 1 debug, 2 release, 3 in-house, 6 release for listed devices. */
    type: integer().notNull(),
    certId: id().notNull(),
    state: text({ enum: ['VALID', 'EXPIRED', 'INVALID'] }).notNull(),
    invalidReason: text({ enum: ['CERT_REVOKED', 'DEVICE_REMOVED'] }),
    /** Another one with each issue. */
    uuid: text().notNull(),
    /** Signed data, DER. */
    p7b: bytes().notNull(),
    issuedAt: instant().notNull(),
    expireAt: instant().notNull(),
    /** The days of the last reminder. */
    reminded: integer(),
    createdBy: id().notNull(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    revision: revision(),
  },
  table => [
    uniqueIndex('harmony_profiles_name').on(table.teamId, sql`lower(${table.name})`),
    index('harmony_profiles_of_team').on(table.teamId, table.profileId),
    index('harmony_profiles_of_app').on(table.appId, table.profileId),
    index('harmony_profiles_of_cert').on(table.certId),
    index('harmony_profiles_by_end').on(table.expireAt).where(sql`${table.state} = 'VALID'`),
  ],
)

export const profileDevices = pgTable(
  'harmony_profile_devices',
  {
    profileId: id().notNull(),
    deviceId: id().notNull(),
    teamId: teamId(),
  },
  table => [
    primaryKey({ columns: [table.profileId, table.deviceId] }),
    index('harmony_profile_devices_of_device').on(table.deviceId),
  ],
)
