import { sql } from 'drizzle-orm'
import { boolean, customType, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { count, id, instant, revision, teamId } from '../../../server/columns.ts'

/** Bytes that a listing shows, resolved when it was published. */
export interface MediaRef {
  /** Under which the store serves it: a digest of the id of what was made for the public, and its kind. */
  name: string
  sha256: string
  sizeBytes: number
  mime: string
}

/** The large picture behind an app's page, with the colour around it and the text that is read on that. */
export interface HeroRef extends MediaRef {
  dominantColor: string
  textColor: string
}

/** What people read about a version, in one language. */
export interface Listing {
  name: string
  brief: string
  description: string
  releaseNotes: string
  icon: MediaRef | null
  screenshots: MediaRef[]
  /** Not in what was written before listings had films. */
  film?: MediaRef | null
  filmCover?: MediaRef | null
}

export interface PermissionUse {
  name: string
  maxSdk: number | null
}

/** Whose turn it is; see `isInPhase`. */
export interface StoredPhase {
  isRunning: boolean
  salt: string
  percentBp: number
  newInstalls: 'FOLLOW' | 'ALWAYS_NEW' | 'ALWAYS_OLD'
  countries: string[]
  manualPull?: boolean
  onlyOver?: string | null
  startedAt?: number | null
}

/** A file of the set that a device installs together; see `partsFor`. */
export interface SplitRef {
  split: string | null
  abi: string | null
  density: number | null
  language: string | null
  sha256: string
  sizeBytes: number
}

/** With which other apps an app is one product; see `isHiddenIn`. */
export interface SeriesRef {
  seriesId: string
  name: string
  role: 'MAIN' | 'SUB'
  packageType: string
  deviceTypes: number[]
  /** Countries where another edition is shown in its place; `*` is everywhere. */
  hiddenIn: string[]
}

/** A test of an app's page, with what each variant shows in the place of the listing, by BCP 47 language. */
export interface TestRef {
  testId: string
  locales: string[]
  /** ISO 3166 alpha-2; empty is everywhere. */
  countries: string[]
  trafficBp: number
  /** In percent, the control first. */
  shares: number[]
  variants: { variantId: string; faces: Record<string, Partial<Listing>> }[]
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
    /** The base first; empty where the package is installed alone. */
    splitSet: jsonb().$type<SplitRef[]>().notNull().default([]),
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
    hero: jsonb().$type<HeroRef>(),
    series: jsonb().$type<SeriesRef>(),
    /** Of those that run. */
    tests: jsonb().$type<TestRef[]>().notNull().default([]),
    category: integer(),
    isGame: boolean().notNull().default(false),
    /** 0 to 5: how much the developer wants devices to update. */
    priority: integer().notNull().default(0),
    /** Devices with a lower code are told that they must update; null forces nobody. */
    minVersionCode: id(),
    developerName: text(),
    /** ISO 3166 alpha-2; empty is everywhere. */
    countries: text().array().notNull(),
    state: text({ enum: ['on_shelf', 'superseded', 'off'] }).notNull(),
    /** Taken off by the store: gone from every door at once. */
    /** Set while it stands beside a full version and only some devices get it. */
    phase: jsonb().$type<StoredPhase>(),
    isForcedOff: boolean().notNull().default(false),
    /** The app is frozen by the store. */
    isFrozen: boolean().notNull().default(false),
    /** Its pictures are those made for the public; false while some are still to be made. */
    hasPublicPictures: boolean().notNull().default(false),
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
    index('store_records_without_pictures')
      .on(table.zone, table.versionId)
      .where(sql`${table.state} = 'on_shelf' AND NOT ${table.hasPublicPictures}`),
    index('store_records_of_zone').on(table.zone, table.changedAt),
  ],
)

/** What signs the repository index and the log of releases; made on first use. */
export const storeSigningKeys = pgTable('store_signing_keys', {
  name: text().primaryKey(),
  /** PKCS#8, sealed with the master key. */
  sealedKey: text().notNull(),
  /** Base64: a certificate in DER, or a bare public key of 32 bytes. */
  certificate: text().notNull(),
  createdAt: instant().notNull(),
})

const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' })

/** A file of a repository as it was made: bytes stand in `store_index_parts`. */
export interface IndexFile {
  fileId: string
  sha256: string
  sizeBytes: number
  mime: string
}

/** The repository of a zone, or of all: what a job made of it last. */
export const storeIndexes = pgTable('store_indexes', {
  /** A zone, or `all`. */
  repository: text().primaryKey(),
  /** Counts changes of what it lists. */
  asked: count().notNull(),
  /** The count that the files below hold. */
  made: count().notNull().default(0),
  /** Where clients were told to fetch packages. */
  address: text().notNull().default(''),
  /** When a job was last started for it. */
  startedAt: instant().notNull().default(0),
  /** The index's own time: never goes back, and no two are the same. */
  timestamp: instant().notNull().default(0),
  /** Of all that it lists, so that nothing new is published when nothing changed. */
  contentSha256: text(),
  apps: count().notNull().default(0),
  versions: count().notNull().default(0),
  /** By name below the repository. */
  files: jsonb().$type<Record<string, IndexFile>>().notNull().default({}),
  /** Files of the one before, for clients in the middle of it. */
  retired: text().array().notNull().default([]),
})

export const storeIndexParts = pgTable(
  'store_index_parts',
  { fileId: id().notNull(), part: integer().notNull(), content: bytes().notNull() },
  table => [primaryKey({ columns: [table.fileId, table.part] })],
)

/** Earlier indexes, kept to tell clients only what changed since. */
export const storeIndexPast = pgTable(
  'store_index_past',
  { repository: text().notNull(), timestamp: instant().notNull(), fileId: id().notNull() },
  table => [primaryKey({ columns: [table.repository, table.timestamp] })],
)

/** A repository for a group of testers or devices: some apps of a team, behind a secret address. */
export const storeRepositories = pgTable(
  'store_repositories',
  {
    repositoryId: id().primaryKey(),
    teamId: teamId(),
    zone: text({ enum: ['CN', 'SG', 'DE', 'RU', 'IR'] }).notNull(),
    name: text().notNull(),
    appIds: id().array().notNull(),
    state: text({ enum: ['ACTIVE', 'REVOKED'] }).notNull(),
    /** A keyed digest; the token itself is shown once and kept nowhere. */
    tokenDigest: text().notNull(),
    /** Its last characters, to tell one from another. */
    tokenEnd: text().notNull(),
    tokenAt: instant().notNull(),
    createdBy: id().notNull(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    revokedAt: instant(),
    /** When its index was last fetched, to the hour. */
    usedAt: instant(),
    revision: revision(),
  },
  table => [
    uniqueIndex('store_repositories_token').on(table.tokenDigest),
    index('store_repositories_of_team').on(table.teamId, table.zone, table.repositoryId),
    uniqueIndex('store_repositories_name')
      .on(table.teamId, table.zone, sql`lower(${table.name})`)
      .where(sql`${table.state} = 'ACTIVE'`),
  ],
)

/** The log of releases: one line for every package that ever went on the shelf. Only added to. */
export const storeLogEntries = pgTable(
  'store_log_entries',
  {
    position: count().primaryKey(),
    versionId: id().notNull(),
    packageName: text().notNull(),
    versionCode: id().notNull(),
    sha256: text().notNull(),
    signer: text().notNull(),
    at: instant().notNull(),
  },
  table => [
    uniqueIndex('store_log_entries_package').on(table.packageName, table.versionCode, table.sha256, table.signer),
    index('store_log_entries_digest').on(table.sha256),
    index('store_log_entries_version').on(table.versionId),
  ],
)

/** The nodes of the log's tree whose leaves are all there. Level 0 are the leaves. */
export const storeLogNodes = pgTable(
  'store_log_nodes',
  { level: integer().notNull(), position: count().notNull(), hash: text().notNull() },
  table => [primaryKey({ columns: [table.level, table.position] })],
)

/** Every state of the log that was signed. */
export const storeLogHeads = pgTable('store_log_heads', {
  size: count().primaryKey(),
  /** Hex. */
  root: text().notNull(),
  at: instant().notNull(),
  /** The signed note as it is served. */
  checkpoint: text().notNull(),
})

/** Keys that sign licences, one an app; made when somebody asks for it. */
export const storeLicenceKeys = pgTable('store_licence_keys', {
  appId: id().primaryKey(),
  keyId: text().notNull(),
  /** PKCS#8, sealed with the master key. */
  sealedKey: text().notNull(),
  /** PEM. */
  publicKey: text().notNull(),
  createdAt: instant().notNull(),
})
