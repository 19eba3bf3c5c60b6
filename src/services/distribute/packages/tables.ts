import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { count, id, instant, revision, teamId } from '../../../server/columns.ts'

export interface PackagePermission {
  name: string
  /** Asked for up to this API level only. */
  maxSdk?: number
}

export interface PackageFeature {
  name: string
  isRequired: boolean
}

/** A signing certificate as people and app recordal need it. Digests are lower-case hex. */
export interface PackageCertificate {
  scheme: string
  certSha256: string
  certSha1: string
  certMd5: string
  subject: string
  serial: string
  notBefore: number
  notAfter: number
  keyAlgorithm: string
  keyBits: number | null
  modulusHex?: string
}

/** Bytes by top folder, largest first. */
export interface PackageFolder {
  folder: string
  files: number
  compressedBytes: number
  expandedBytes: number
}

export interface PackageFinding {
  code: number
  severity: 'BLOCK' | 'WARN'
  /** FORMAL findings do not matter for a package that is for testing only. */
  appliesTo: 'ANY' | 'FORMAL'
  detail: string
  params: Record<string, string | number>
}

/** Something that other apps or the system can start. */
export interface PackageComponent {
  kind: 'activity' | 'service' | 'receiver' | 'provider' | 'ability'
  name: string
  isExported: boolean
}

/** A library that somebody else made, as far as names inside the package tell. */
export interface PackageSdk {
  name: string
  provider: string
  version: string | null
}

export interface PackageLibrary {
  path: string
  abi: string
  sizeBytes: number
}

/** A part of a bundle, a HarmonyOS app or a quick app. */
export interface PackageModule {
  name: string
  /** `base`, `feature` or `asset-pack`; `entry`, `feature`, `shared`; `subpackage`. */
  type: string
  sizeBytes: number
  deviceTypes?: string[]
  /** When a device gets it: `install-time`, `on-demand`, `conditional`. */
  delivery?: string
}

/** Who a HarmonyOS profile was given to, and what for. */
export interface HarmonyProfile {
  type: string
  bundleName: string
  developerId: string
  notBefore: number
  notAfter: number
  distribution: string
  acls: string[]
  restrictedPermissions: string[]
  deviceCount: number
}

/** What only packages of one kind have. */
export interface PackageDetails {
  bundle?: { madeBy: string }
  harmony?: { bundleType: string; apiReleaseType: string; buildVersion: string; profile: HarmonyProfile | null }
  quickApp?: { minPlatformVersion: number | null; entry: string; appType: string; address: string | null }
  site?: { index: string; startUrl: string; files: number; expandedBytes: number; manifest: string | null }
  program?: {
    machine: string
    bits: number
    subsystem: string
    product: string
    company: string
    description: string
    linkedAt: number | null
    isTimestamped: boolean
  }
  expansion?: { slot: 'main' | 'patch'; versionCode: string; packageName: string }
}

/** A privacy manifest, pac.json, as far as its known fields go. */
export interface PrivacyManifest {
  dataProcess: { dataType: string; labels: string[]; purposes: string[]; isLinked: boolean; isTracking: boolean }[]
  specialApis: { apiType: string; reasons: string[] }[]
}

/** The package that devices install where that is not the file that was uploaded: made of a bundle, or signed by the store. */
export interface InstallablePackage {
  objectId: string
  fileName: string
  sizeBytes: number
  sha256: string
}

/** An APK for the devices of one processor. */
export interface PackageSplit extends InstallablePackage {
  abi: string
}

/**
 * A package of a set that a device installs together: the base, and of each other kind the one that fits. What decides is
 * null but for one; all are null of the base.
 */
export interface SplitPart extends InstallablePackage {
  /** As Android knows it; null of the base. */
  split: string | null
  abi: string | null
  /** Of a screen, in dots per inch. */
  density: number | null
  /** BCP 47, without the region. */
  language: string | null
}

/** Which bundle one was made of by the store, and under which version. */
export interface RebuiltFrom {
  pkgId: string
  /** Decimal. */
  versionCode: string
  versionName: string
  /** Its own bytes are there. */
  isMade: boolean
}

const kinds = ['APK', 'AAB', 'HAP', 'HSP', 'APP', 'RPK', 'H5', 'WPK', 'EXE', 'OBB'] as const

export const packages = pgTable(
  'packages',
  {
    pkgId: id().primaryKey(),
    teamId: teamId(),
    appId: id().notNull(),
    kind: text({ enum: kinds }).notNull(),
    /** The type of its app, which never changes. */
    packageType: text().notNull().default('ANDROID'),
    usage: text({ enum: ['TEST_ONLY', 'TEST_AND_FORMAL'] }).notNull(),
    remark: text().notNull().default(''),
    objectId: text().notNull(),
    fileName: text().notNull(),
    sizeBytes: count().notNull(),
    sha256: text().notNull(),
    packageName: text(),
    versionCode: id(),
    versionName: text(),
    label: text(),
    labels: jsonb().$type<Record<string, string>>().notNull().default({}),
    iconObjectId: text(),
    minSdk: integer(),
    targetSdk: integer(),
    compileSdk: integer(),
    abis: text().array().notNull().default([]),
    permissions: jsonb().$type<PackagePermission[]>().notNull().default([]),
    features: jsonb().$type<PackageFeature[]>().notNull().default([]),
    /** SHA-256 of the certificates that sign it on the newest devices. */
    signers: text().array().notNull().default([]),
    /** SHA-256 of the certificates of the proved rotation, oldest first, the signer's own included. */
    lineage: text().array().notNull().default([]),
    certificates: jsonb().$type<PackageCertificate[]>().notNull().default([]),
    /** What vouches for the signer and for the profile, base64 of DER, the signer first; for kinds whose roots the operator names. */
    chains: jsonb().$type<string[][]>().notNull().default([]),
    signatureSchemes: text().array().notNull().default([]),
    debuggable: boolean().notNull().default(false),
    dexCount: integer().notNull().default(0),
    folders: jsonb().$type<PackageFolder[]>().notNull().default([]),
    deviceTypes: text().array().notNull().default([]),
    languages: text().array().notNull().default([]),
    modules: jsonb().$type<PackageModule[]>().notNull().default([]),
    components: jsonb().$type<PackageComponent[]>().notNull().default([]),
    sdks: jsonb().$type<PackageSdk[]>().notNull().default([]),
    nativeLibraries: jsonb().$type<PackageLibrary[]>().notNull().default([]),
    details: jsonb().$type<PackageDetails>().notNull().default({}),
    privacy: jsonb().$type<PrivacyManifest>(),
    /** Made of the upload; null where devices install the upload itself. */
    installable: jsonb().$type<InstallablePackage>(),
    /** Smaller ones of the same, each for one processor; empty where there is nothing to leave out. */
    splits: jsonb().$type<PackageSplit[]>().notNull().default([]),
    /** The base first; empty where a bundle has nothing to choose from. */
    splitSet: jsonb().$type<SplitPart[]>().notNull().default([]),
    /** SHA-256 of the certificates that signed the upload, where devices see another signer. */
    uploadSigners: text().array().notNull().default([]),
    /** Null: somebody uploaded it. */
    rebuiltFrom: jsonb().$type<RebuiltFrom>(),
    findings: jsonb().$type<PackageFinding[]>().notNull().default([]),
    state: text({ enum: ['UPLOADED', 'PARSING', 'CHECKING', 'COMPILING', 'READY', 'FAILED', 'ARCHIVED'] }).notNull(),
    /** The last job that processed it. */
    taskId: id().notNull(),
    /** How many versions refer to it; while any does it cannot be deleted. */
    holdCount: integer().notNull().default(0),
    /** When the last version let go of it; null while one refers to it, or never did. */
    freeSince: instant(),
    uploadedBy: id().notNull(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    revision: revision(),
  },
  table => [
    index('packages_of_app').on(table.appId, table.pkgId),
    index('packages_of_team').on(table.teamId, table.pkgId),
    index('packages_to_archive').on(table.updatedAt).where(sql`${table.state} = 'READY' AND ${table.holdCount} = 0`),
    uniqueIndex('packages_version_code').on(table.appId, table.versionCode).where(sql`${table.state} = 'READY'`),
  ],
)

/** What readers found in bytes that a team uploaded, so that the same bytes are read once. */
export const packageReports = pgTable(
  'package_reports',
  {
    teamId: teamId(),
    sha256: text().notNull(),
    kind: text({ enum: kinds }).notNull(),
    /** Raised when a reader finds more than before; older reports are then read anew. */
    reader: integer().notNull(),
    report: jsonb().$type<unknown>().notNull(),
    usedAt: instant().notNull(),
  },
  table => [
    primaryKey({ columns: [table.teamId, table.sha256, table.kind] }),
    index('package_reports_by_use').on(table.usedAt),
  ],
)

/** What an app tells of the data it handles, as taken over from a privacy manifest. */
export const privacyImports = pgTable('package_privacy_imports', {
  appId: id().primaryKey(),
  teamId: teamId(),
  pkgId: id().notNull(),
  label: jsonb().$type<PrivacyManifest>().notNull(),
  importedBy: id().notNull(),
  importedAt: instant().notNull(),
  revision: revision(),
})
