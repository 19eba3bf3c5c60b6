import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { count, id, instant, teamId } from '../../../server/columns.ts'

/** Bytes that a listing shows, resolved when it was published. */
export interface MediaRef {
  /** Under which the store serves it: a digest of the object's id and its kind. */
  name: string
  sha256: string
  sizeBytes: number
  mime: string
}

/** What people read about a version, in one language. */
export interface Listing {
  name: string
  brief: string
  description: string
  releaseNotes: string
  icon: MediaRef | null
  screenshots: MediaRef[]
}

export interface PermissionUse {
  name: string
  maxSdk: number | null
}

/** What the store shows of a version that was published; drafts never come here. Written from the events of the version. */
export const storeRecords = pgTable(
  'store_records',
  {
    versionId: id().primaryKey(),
    appId: id().notNull(),
    teamId: teamId(),
    zone: text({ enum: ['CN', 'SG', 'DE', 'RU', 'IR'] }).notNull(),
    packageName: text().notNull(),
    versionCode: id().notNull(),
    versionName: text().notNull(),
    sha256: text().notNull(),
    sizeBytes: count().notNull(),
    objectId: text().notNull(),
    /** SHA-256 of the certificate installed copies carry, lineage after it. */
    signers: text().array().notNull(),
    /** MD5 of the certificate in hex, as clients before `signer` compare. */
    legacySignature: text(),
    minSdk: integer(),
    targetSdk: integer(),
    abis: text().array().notNull(),
    permissions: jsonb().$type<PermissionUse[]>().notNull(),
    /** By BCP 47 language. */
    listings: jsonb().$type<Record<string, Listing>>().notNull(),
    defaultLocale: text().notNull(),
    category: integer(),
    isGame: boolean().notNull().default(false),
    /** 0 to 5: how much the developer wants devices to update. */
    priority: integer().notNull().default(0),
    developerName: text(),
    /** ISO 3166 alpha-2; empty is everywhere. */
    countries: text().array().notNull(),
    state: text({ enum: ['on_shelf', 'superseded', 'off'] }).notNull(),
    /** Taken off by the store: gone from every door at once. */
    isForcedOff: boolean().notNull().default(false),
    /** The app is frozen by the store. */
    isFrozen: boolean().notNull().default(false),
    onShelfAt: instant().notNull(),
    /** When it left the shelf; null while on it. */
    leftAt: instant(),
    changedAt: instant().notNull(),
  },
  table => [
    index('store_records_of_package').on(table.packageName),
    index('store_records_of_app').on(table.appId),
    index('store_records_on_shelf').on(table.packageName).where(sql`${table.state} = 'on_shelf'`),
    index('store_records_left').on(table.leftAt).where(sql`${table.state} <> 'on_shelf'`),
    index('store_records_of_zone').on(table.zone, table.changedAt),
  ],
)

/** What signs the repository index; made on first use. */
export const storeSigningKeys = pgTable('store_signing_keys', {
  name: text().primaryKey(),
  /** PKCS#8, sealed with the master key. */
  sealedKey: text().notNull(),
  /** DER, base64. */
  certificate: text().notNull(),
  createdAt: instant().notNull(),
})
