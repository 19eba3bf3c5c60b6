import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import type { CheckedFilm } from '../../../kernel/film.ts'
import { count, id, instant, revision, teamId } from '../../../server/columns.ts'

interface StoredImage {
  objectId: string
  mime: string
  sizeBytes: number
  width: number
  height: number
}

/** What takes the place of the listing in one language; null is as the listing has it. */
export interface StoredMaterials {
  lang: string
  name: string | null
  brief: string | null
  icon: StoredImage | null
  screenshots: { deviceType: number; showType: 0 | 1; images: StoredImage[] }[] | null
  film: CheckedFilm | null
}

/** Devices of an arm, and those of them that did what is counted. The control has no id. */
export interface ArmCounts {
  variantId: string | null
  share: number
  impressions: number
  installs: number
}

/** The fractions of the planned information at which a variant was looked at, and what was decided then. */
export interface Looks {
  fractions: number[]
  verdict: 'WINNER' | 'LOSER' | null
}

interface ArmFindings extends ArmCounts {
  rate: number | null
  rateLow: number
  rateHigh: number
  /** As parts of the control's rate; null for the control and where nothing can be compared. */
  lift: number | null
  ciLow: number | null
  ciHigh: number | null
  pValue: number | null
  verdict: 'WINNER' | 'LOSER' | 'INCONCLUSIVE' | 'NEED_MORE' | null
}

/** What was found at an instant; `looks` by variant. */
export interface Findings {
  at: number
  plannedPerArm: number
  /** Of the planned information, 0 to 1: the least of all variants. */
  progress: number
  isSplitHealthy: boolean
  arms: ArmFindings[]
  looks: Record<string, Looks>
}

/** A test of an app's page in the store: who sees it, what it looks for and what was found. */
export const materialTests = pgTable(
  'material_tests',
  {
    testId: id().primaryKey(),
    teamId: teamId(),
    appId: id().notNull(),
    name: text().notNull(),
    state: text({
      enum: ['DRAFT', 'AUDITING', 'AUDIT_REJECTED', 'READY', 'RUNNING', 'STOPPED', 'APPLIED', 'DELETED'],
    }).notNull(),
    elements: text({ enum: ['icon', 'screenshots', 'video', 'brief', 'name'] })
      .array()
      .notNull(),
    langs: text().array().notNull(),
    /** ISO 3166; empty is everywhere. */
    countries: text().array().notNull(),
    trafficPercent: integer().notNull(),
    controlShare: integer().notNull(),
    metric: text({ enum: ['first_installs', 'retained_1d', 'conversion'] }).notNull(),
    /** The smallest relative change that is to be seen, and the rate that is there now, in basis points. */
    mdeBp: integer().notNull(),
    baseRateBp: integer().notNull(),
    confidencePercent: integer().notNull(),
    startMode: text({ enum: ['AUTO_AFTER_AUDIT', 'MANUAL', 'TIMED'] }).notNull(),
    startAt: instant(),
    minDays: integer().notNull(),
    maxDays: integer().notNull(),
    autoStop: boolean().notNull(),
    /** What the reviewer said when it was refused. */
    note: text(),
    submittedBy: id(),
    submittedAt: instant(),
    decidedBy: id(),
    decidedAt: instant(),
    startedAt: instant(),
    stoppedAt: instant(),
    stopReason: text({ enum: ['DEVELOPER', 'MAX_DAYS', 'OFF_SHELF', 'LISTING_CHANGED', 'SIGNIFICANT'] }),
    appliedVariantId: id(),
    appliedAt: instant(),
    /** What was on shelf of the elements when it was submitted, and then when it started. */
    control: jsonb().$type<StoredMaterials[]>().notNull(),
    findings: jsonb().$type<Findings>(),
    createdBy: id(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    revision: revision(),
  },
  table => [
    index('material_tests_of_app').on(table.appId, table.testId),
    index('material_tests_waiting').on(table.submittedAt, table.testId).where(sql`${table.state} = 'AUDITING'`),
    index('material_tests_moving').on(table.testId).where(sql`${table.state} IN ('READY', 'RUNNING')`),
  ],
)

export const materialVariants = pgTable(
  'material_variants',
  {
    variantId: id().primaryKey(),
    testId: id().notNull(),
    teamId: teamId(),
    appId: id().notNull(),
    name: text().notNull(),
    share: integer().notNull(),
    /** One a language. */
    materials: jsonb().$type<StoredMaterials[]>().notNull(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
  },
  table => [index('material_variants_of_test').on(table.testId, table.variantId)],
)

/** What each device was seen to do in a test, once. The device is a keyed digest, in each test another; variant 0 is the control. */
export const materialDevices = pgTable(
  'material_devices',
  {
    testId: id().notNull(),
    device: text().notNull(),
    kind: text().notNull(),
    variantId: id().notNull(),
    teamId: teamId(),
    at: instant().notNull(),
  },
  table => [primaryKey({ columns: [table.testId, table.device, table.kind] })],
)

/** How many devices did something first on a UTC day. */
export const materialCounts = pgTable(
  'material_counts',
  {
    testId: id().notNull(),
    variantId: id().notNull(),
    day: text().notNull(),
    kind: text().notNull(),
    teamId: teamId(),
    appId: id().notNull(),
    devices: count().notNull(),
  },
  table => [primaryKey({ columns: [table.testId, table.variantId, table.day, table.kind] })],
)
