import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
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

export const packages = pgTable(
  'packages',
  {
    pkgId: id().primaryKey(),
    teamId: teamId(),
    appId: id().notNull(),
    kind: text({ enum: ['APK'] }).notNull(),
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
    signatureSchemes: text().array().notNull().default([]),
    debuggable: boolean().notNull().default(false),
    dexCount: integer().notNull().default(0),
    folders: jsonb().$type<PackageFolder[]>().notNull().default([]),
    findings: jsonb().$type<PackageFinding[]>().notNull().default([]),
    state: text({ enum: ['UPLOADED', 'PARSING', 'CHECKING', 'READY', 'FAILED'] }).notNull(),
    /** The last job that processed it. */
    taskId: id().notNull(),
    /** How many versions refer to it; while any does it cannot be deleted. */
    holdCount: integer().notNull().default(0),
    uploadedBy: id().notNull(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    revision: revision(),
  },
  table => [
    index('packages_of_app').on(table.appId, table.pkgId),
    uniqueIndex('packages_version_code').on(table.appId, table.versionCode).where(sql`${table.state} = 'READY'`),
  ],
)
