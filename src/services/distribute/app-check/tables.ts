import { sql } from 'drizzle-orm'
import { index, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { id, instant, revision, teamId } from '../../../server/columns.ts'

type Kind = 'SECURITY' | 'PRIVACY' | 'COMPAT' | 'PERF' | 'UX' | 'POWER' | 'STABILITY'

/** What one rule found. */
export interface StoredItem {
  ruleId: string
  kind: Kind
  result: 'BLOCK' | 'WARN' | 'INFO' | 'PASS' | 'NOT_RUN'
  evidence: string[]
}

/** What of a package the rules look at; kept with the check, which goes on when the package is deleted. */
export interface CheckedPackage {
  pkgId: string
  kind: 'APK' | 'AAB' | 'HAP' | 'HSP' | 'APP' | 'RPK' | 'H5' | 'WPK' | 'EXE' | 'OBB'
  fileName: string
  sizeBytes: number
  sha256: string
  packageName: string | null
  versionCode: string | null
  versionName: string | null
  label: string | null
  minSdk: number | null
  targetSdk: number | null
  abis: string[]
  permissions: { name: string; maxSdk?: number }[]
  signers: string[]
  certificates: { keyAlgorithm: string; keyBits: number | null; notAfter: number }[]
  signatureSchemes: string[]
  debuggable: boolean
  folders: { folder: string; compressedBytes: number }[]
  languages: string[]
  sdks: { name: string; provider: string; version: string | null }[]
  /** Devices get another file than the upload, and that is what was looked at. */
  isMade: boolean
  findings: { code: number; detail: string }[]
}

/** One look at the bytes of a package; an app has one under way at a time. */
export const checks = pgTable(
  'app_checks',
  {
    checkId: id().primaryKey(),
    teamId: teamId(),
    appId: id().notNull(),
    pkgId: id().notNull(),
    /** The package as it was when the check began, and its file, held until it ends. */
    subject: jsonb().$type<CheckedPackage>().notNull(),
    objectId: text().notNull(),
    kinds: text().array().$type<Kind[]>().notNull(),
    state: text({ enum: ['WAITING', 'RUNNING', 'PASSED', 'FAILED', 'EXPIRED'] }).notNull(),
    items: jsonb().$type<StoredItem[]>().notNull(),
    jobId: id().notNull(),
    /** The detection task it belongs to, if any. */
    detectionId: id(),
    createdBy: id().notNull(),
    createdAt: instant().notNull(),
    startedAt: instant(),
    finishedAt: instant(),
    updatedAt: instant().notNull(),
    revision: revision(),
  },
  table => [
    uniqueIndex('app_checks_running').on(table.appId).where(sql`${table.state} IN ('WAITING', 'RUNNING')`),
    index('app_checks_of_app').on(table.appId, table.checkId),
    index('app_checks_of_team').on(table.teamId, table.checkId),
    index('app_checks_of_detection').on(table.detectionId),
  ],
)

/** A wish to look at several apps at once; what comes of it are their checks. */
export const detections = pgTable(
  'app_detections',
  {
    detectionId: id().primaryKey(),
    teamId: teamId(),
    createdBy: id().notNull(),
    createdAt: instant().notNull(),
    /** App and check of each; a check that was under way already is joined. */
    checks: jsonb().$type<{ appId: string; checkId: string }[]>().notNull(),
  },
  table => [index('app_detections_of_team').on(table.teamId, table.detectionId)],
)
