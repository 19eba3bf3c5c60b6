import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import type { CheckedFilm } from '../../../kernel/film.ts'
import { count, id, instant, revision, teamId } from '../../../server/columns.ts'

/** One line of the readiness list. */
export interface ReadinessFinding {
  rule: string
  severity: 'BLOCK' | 'WARN'
  /** JSON pointer into the version or its listing. */
  field: string
  message: string
  values: Record<string, string | number>
  /** Where in the console it is put right. */
  fixHref: string
}

export interface ListingImage {
  objectId: string
  mime: string
  sizeBytes: number
  width: number
  height: number
}

export interface DeviceScreenshots {
  deviceType: number
  /** 0 portrait, 1 landscape. */
  showType: 0 | 1
  images: ListingImage[]
}

/** What of an app is made by a model, as its developer declares it. */
export interface AiContent {
  involved: boolean
  types: number[]
  providerNames: string
  algorithmFilingNo: string
}

export const versions = pgTable(
  'versions',
  {
    versionId: id().primaryKey(),
    teamId: teamId(),
    appId: id().notNull(),
    /** Nothing of the app had been on shelf when it was submitted. */
    isFirst: boolean().notNull().default(true),
    pkgId: id(),
    versionCode: id(),
    versionName: text(),
    releaseMode: text({ enum: ['AUTO', 'MANUAL', 'TIMED'] })
      .notNull()
      .default('AUTO'),
    onShelfTime: instant(),
    /** 0 whole, 3 phased, 4 phased and made whole, as older tools number it. */
    releasePhase: integer().notNull().default(0),
    countries: text().array().notNull(),
    privacyPolicyUrl: text().notNull().default(''),
    remark: text().notNull().default(''),
    loginRequired: boolean().notNull().default(false),
    testAccount: text().notNull().default(''),
    testPasswordSealed: text(),
    inAppUpdatePriority: integer().notNull().default(0),
    /** Devices with a lower code must update to it; null forces nobody. */
    minVersionCode: id(),
    /** It changes what it stored so that no older build can read it: nobody is led back from it. */
    noDowngrade: boolean().notNull().default(false),
    state: text({
      enum: [
        'DRAFT',
        'PRECHECK',
        'PRECHECK_FAILED',
        'IN_REVIEW',
        'REJECTED',
        'PENDING_RELEASE',
        'ON_SHELF',
        'WITHDRAWN',
        'SHELF_OFF_REVIEW',
        'OFF_BY_DEVELOPER',
        'OFF_BY_STORE',
        'SUPERSEDED',
        'PHASED',
        'ROLLED_BACK',
      ],
    }).notNull(),
    /** The submission with whose other things it goes on shelf, all of them or none. */
    heldBy: id(),
    /** The account whose submit waits until the package is processed. */
    submitQueuedBy: id(),
    findings: jsonb().$type<ReadinessFinding[]>().notNull(),
    rejection: jsonb().$type<{ note: string; at: number }>(),
    lastShelfOff: jsonb().$type<{
      state: 'REQUESTED' | 'REJECTED' | 'DONE'
      reason: string
      opinion?: string
      at: number
    }>(),
    storeNotice: jsonb().$type<{ reasonCode: string; notice: string; at: number }>(),
    submittedAt: instant(),
    approvedAt: instant(),
    onShelfAt: instant(),
    offShelfAt: instant(),
    supersededBy: id(),
    urgeCount: integer().notNull().default(0),
    lastUrgedAt: instant(),
    /** Told by review: when the store should have decided, and since when its clock stands. */
    reviewDueAt: instant(),
    reviewPausedAt: instant(),
    /** As it was declared when the version was submitted. */
    aiContent: jsonb().$type<AiContent>(),
    createdBy: id(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    revision: revision(),
  },
  table => [
    index('versions_of_app').on(table.appId, table.versionId),
    uniqueIndex('versions_open')
      .on(table.appId)
      .where(sql`${table.state} IN
      ('DRAFT', 'PRECHECK', 'PRECHECK_FAILED', 'IN_REVIEW', 'REJECTED', 'PENDING_RELEASE', 'WITHDRAWN')`),
    uniqueIndex('versions_on_shelf').on(table.appId).where(sql`${table.state} IN ('ON_SHELF', 'SHELF_OFF_REVIEW')`),
    uniqueIndex('versions_phased').on(table.appId).where(sql`${table.state} = 'PHASED'`),
    index('versions_pending').on(table.onShelfTime).where(sql`${table.state} = 'PENDING_RELEASE'`),
    index('versions_held').on(table.heldBy).where(sql`${table.heldBy} IS NOT NULL`),
    index('versions_queued').on(table.pkgId).where(sql`${table.submitQueuedBy} IS NOT NULL`),
  ],
)

/** What the store shows in one language. Written with its version's revision. */
export const listings = pgTable(
  'listings',
  {
    versionId: id().notNull(),
    lang: text().notNull(),
    teamId: teamId(),
    appName: text().notNull().default(''),
    briefInfo: text().notNull().default(''),
    appDesc: text().notNull().default(''),
    newFeatures: text().notNull().default(''),
    icon: jsonb().$type<ListingImage>(),
    screenshots: jsonb().$type<DeviceScreenshots[]>().notNull(),
    film: jsonb().$type<CheckedFilm>(),
    /** Shown before the film begins. */
    filmCover: jsonb().$type<ListingImage>(),
    updatedAt: instant().notNull(),
  },
  table => [primaryKey({ columns: [table.versionId, table.lang] })],
)

/** Watched while a phased release goes on; see `gates/rules.ts`. */
export interface StoredGate {
  metric: 'crashRate' | 'anr' | 'uninstallRate' | 'installFailRate' | 'ratingAvg'
  op: '>' | '>=' | '<' | '<='
  value: number
  minUsers: number
  action: 'PAUSE' | 'ROLLBACK'
}

/** Devices that reported, by what they reported. */
export interface StoredHealth {
  users: number
  tried: number
  failed: number
  uninstalled: number
  crashed: number
  frozen: number
  /** Not in what was told before devices could rate. */
  rated?: number
  stars?: number
}

/** What the store told last of a phased release, and of the full version beside it in the same time. */
export interface StoredReadings {
  at: number
  own: StoredHealth
  base: StoredHealth
}

/** A gate that acted: its limit, and what was seen of how many devices. */
export interface StoredTrip {
  metric: StoredGate['metric']
  op: StoredGate['op']
  limit: number
  value: number
  devices: number
  action: StoredGate['action']
}

/** How a version comes to some devices first; one a version, planned with its submit. */
export const phasedReleases = pgTable(
  'phased_releases',
  {
    versionId: id().primaryKey(),
    teamId: teamId(),
    appId: id().notNull(),
    kind: text({ enum: ['CURVE7', 'PERCENT'] }).notNull(),
    sampling: text({ enum: ['STICKY', 'FRESH'] }).notNull(),
    newInstalls: text({ enum: ['FOLLOW', 'ALWAYS_NEW', 'ALWAYS_OLD'] }).notNull(),
    description: text().notNull().default(''),
    percentBp: integer().notNull(),
    /** Of the curve, 1 to 7. */
    day: integer(),
    /** Empty: wherever the version is offered. */
    countries: text().array().notNull(),
    salt: text().notNull(),
    /** Who looks for updates by hand gets it before its turn. */
    manualPull: boolean().notNull().default(false),
    /** Whoever has this version code gets it besides: what is rolled forward is for those that have the bad version. */
    onlyOver: id(),
    gates: jsonb().$type<StoredGate[]>().notNull().default([]),
    health: jsonb().$type<StoredReadings>(),
    /** What had been counted when it was resumed after a gate acted; gates look at what came since. */
    healthBefore: jsonb().$type<StoredHealth>(),
    state: text({ enum: ['DRAFT', 'RELEASE', 'SUSPEND', 'CANCEL', 'COMPLETE', 'ROLLED_BACK'] }).notNull(),
    startAt: instant(),
    /** When the curve goes on; stands still while it is paused. */
    nextDayAt: instant(),
    pausedAt: instant(),
    totalPausedMs: count().notNull().default(0),
    /** Not complete by then, it is cancelled. */
    endAt: instant(),
    endedAt: instant(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    revision: revision(),
  },
  table => [
    uniqueIndex('phased_releases_live').on(table.appId).where(sql`${table.state} IN ('RELEASE', 'SUSPEND')`),
    index('phased_releases_due').on(table.nextDayAt).where(sql`${table.state} = 'RELEASE'`),
    index('phased_releases_watched')
      .on(table.versionId)
      .where(sql`${table.state} = 'RELEASE' AND ${table.gates} <> '[]'::jsonb`),
    index('phased_releases_ending').on(table.endAt).where(sql`${table.state} IN ('RELEASE', 'SUSPEND')`),
    index('phased_releases_paused').on(table.pausedAt).where(sql`${table.state} = 'SUSPEND'`),
  ],
)

/** An older build that comes again under a higher code, for devices that have a version which was rolled back. */
export const rollForwards = pgTable(
  'roll_forwards',
  {
    /** The package that is being made. */
    pkgId: id().primaryKey(),
    teamId: teamId(),
    appId: id().notNull(),
    badVersionId: id().notNull(),
    targetVersionId: id().notNull(),
    /** DROPPED: by the time it was made something else had come out. */
    state: text({ enum: ['BUILDING', 'DONE', 'FAILED', 'DROPPED'] }).notNull(),
    /** Under which it came out. */
    versionId: id(),
    reason: text().notNull(),
    startedBy: id(),
    startedAt: instant().notNull(),
    endedAt: instant(),
  },
  table => [
    index('roll_forwards_of_bad').on(table.badVersionId),
    uniqueIndex('roll_forwards_building').on(table.appId).where(sql`${table.state} = 'BUILDING'`),
  ],
)

/** What became of a phased release, step by step. */
export const phasedChanges = pgTable(
  'phased_changes',
  {
    changeId: id().primaryKey(),
    teamId: teamId(),
    versionId: id().notNull(),
    appId: id().notNull(),
    action: text({
      enum: ['drop', 'start', 'setGates', 'pause', 'resume', 'raise', 'advance', 'complete', 'cancel', 'rollBack'],
    }).notNull(),
    state: text({ enum: ['DRAFT', 'RELEASE', 'SUSPEND', 'CANCEL', 'COMPLETE', 'ROLLED_BACK'] }).notNull(),
    percentBp: integer().notNull(),
    day: integer(),
    /** Null: the system. */
    actorId: id(),
    reason: text().notNull().default(''),
    /** As the store had counted by then; null until it tells. */
    reachedDevices: count(),
    installs: count(),
    users: count(),
    crashed: count(),
    /** Of a gate that acted. */
    trip: jsonb().$type<StoredTrip>(),
    at: instant().notNull(),
  },
  table => [index('phased_changes_of_version').on(table.versionId, table.changeId)],
)

/** Every version code that was ever accepted for an app; stays when the package is deleted. */
export const versionCodes = pgTable(
  'version_codes',
  {
    pkgId: id().primaryKey(),
    teamId: teamId(),
    appId: id().notNull(),
    versionCode: id().notNull(),
    versionName: text().notNull(),
    at: instant().notNull(),
  },
  table => [index('version_codes_of_app').on(table.appId, table.pkgId)],
)

export const withdrawals = pgTable(
  'version_withdrawals',
  { appId: id().notNull(), day: text().notNull(), teamId: teamId(), times: integer().notNull() },
  table => [primaryKey({ columns: [table.appId, table.day] })],
)

/** Names an app has had on shelf in mainland China, where they may change twice a calendar year only. */
export const renames = pgTable(
  'app_renames',
  {
    renameId: id().primaryKey(),
    teamId: teamId(),
    appId: id().notNull(),
    fromName: text().notNull(),
    toName: text().notNull(),
    at: instant().notNull(),
  },
  table => [index('app_renames_of_app').on(table.appId, table.at)],
)

/** How many devices have the app, as the store counts them. */
export const installs = pgTable('app_installs', {
  appId: id().primaryKey(),
  teamId: teamId(),
  active: count().notNull(),
  at: instant().notNull(),
})

/** What the next version declares about AI; goes into the version when it is submitted. */
export const aiDeclarations = pgTable('version_ai_declarations', {
  appId: id().primaryKey(),
  teamId: teamId(),
  involved: boolean().notNull(),
  types: integer().array().notNull(),
  providerNames: text().notNull(),
  algorithmFilingNo: text().notNull(),
  updatedAt: instant().notNull(),
  revision: revision(),
})

/** Addresses reviewers may reach the developer at, proven by a code that was sent there. */
export const contacts = pgTable(
  'version_contacts',
  {
    appId: id().notNull(),
    address: text().notNull(),
    teamId: teamId(),
    codeSealed: text(),
    triesLeft: integer().notNull(),
    sentAt: instant().notNull(),
    expiresAt: instant().notNull(),
    validatedAt: instant(),
  },
  table => [primaryKey({ columns: [table.appId, table.address] })],
)

/** One action on many versions; its id is that of the job that carries it out. */
export const bulks = pgTable(
  'version_bulks',
  {
    bulkId: id().primaryKey(),
    teamId: teamId(),
    action: text({ enum: ['submit', 'withdraw', 'shelfOff'] }).notNull(),
    reason: text().notNull(),
    total: integer().notNull(),
    createdBy: id().notNull(),
    createdAt: instant().notNull(),
    finishedAt: instant(),
  },
  table => [index('version_bulks_of_team').on(table.teamId, table.bulkId)],
)

export const bulkItems = pgTable(
  'version_bulk_items',
  {
    bulkId: id().notNull(),
    position: integer().notNull(),
    teamId: teamId(),
    versionId: id().notNull(),
    appId: id().notNull(),
    appName: text().notNull(),
    versionName: text(),
    versionCode: id(),
    result: text({ enum: ['WAITING', 'DONE', 'REFUSED'] }).notNull(),
    /** The state it came into, or the number and sentence of the refusal. */
    state: text(),
    code: integer(),
    message: text(),
    at: instant(),
  },
  table => [primaryKey({ columns: [table.bulkId, table.position] })],
)
