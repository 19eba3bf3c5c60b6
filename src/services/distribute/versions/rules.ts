import { afterWorking, hoursOfDay, workingCalendars } from '../../../kernel/working-time.ts'
import type { ZoneId } from '../../../kernel/zones.ts'
import { isCountryCode } from '../../ground/regions/contract.ts'

const minute = 60_000
const day = 86_400_000

export const limits = {
  countries: 250,
  urlLength: 1024,
  remarkLength: 300,
  testAccountLength: 128,
  withdrawalsOfDay: 10,
  urgesOfSubmission: 3,
  urgeEveryMs: day,
  urgeReasonMin: 10,
  urgeReasonMax: 300,
  releaseSoonestMs: 10 * minute,
  releaseLatestMs: 180 * day,
  /** Approved and untouched this long, it is withdrawn. */
  pendingMs: 180 * day,
  relistMs: 90 * day,
  shelfOffReasonMin: 10,
  shelfOffReasonMax: 1024,
  /** With more active installs than this the store looks at a shelf-off first. */
  shelfOffReviewInstalls: 10_000,
  precheckMs: 10 * minute,
  renamesOfYear: 2,
  versionsOfBulk: 100,
  bulkMs: 30 * minute,
  contactMs: 10 * minute,
  contactEveryMs: minute,
  contactTries: 5,
  minimumReasonMin: 10,
  minimumReasonMax: 300,
  aiProviderLength: 500,
  aiFilingLength: 100,
} as const

export const releaseModes = ['AUTO', 'MANUAL', 'TIMED'] as const
export type ReleaseMode = (typeof releaseModes)[number]

/**
 * Whether approval puts the version on shelf at once: automatic, or its time has passed meanwhile. One that goes on shelf
 * together with others never does.
 */
export function releasesAtOnce(
  version: { releaseMode: ReleaseMode; onShelfTime: number | null; heldBy: string | null },
  now: number,
): boolean {
  if (version.heldBy !== null) return false
  if (version.releaseMode === 'AUTO') return true
  return version.releaseMode === 'TIMED' && version.onShelfTime !== null && version.onShelfTime <= now
}

/** A release time is 10 minutes to 180 days ahead. */
export function isReleaseTime(time: number, now: number): boolean {
  return time >= now + limits.releaseSoonestMs && time <= now + limits.releaseLatestMs
}

/** Working days within which the store decides about the first version of an app, and about an update. */
export const reviewDays = { first: 3, update: 1 } as const

interface InReview {
  submittedAt: number | null
  isFirst: boolean
  /** As review has told; null until it did. */
  reviewDueAt: number | null
  reviewPausedAt: number | null
  lastUrgedAt: number | null
}

/** When the store should have decided: what review says, else so many working days of the zone after the submit. */
export function slaDueAt(version: Omit<InReview, 'lastUrgedAt' | 'reviewPausedAt'>, zone: ZoneId): number {
  const calendar = workingCalendars[zone]
  const days = version.isFirst ? reviewDays.first : reviewDays.update
  return (
    version.reviewDueAt ?? afterWorking(calendar, version.submittedAt ?? 0, days * hoursOfDay(calendar) * 60 * minute)
  )
}

/** The first instant at which the review may be urged (again); null while it waits for the developer himself. */
export function urgeAvailableAt(version: InReview, zone: ZoneId): number | null {
  if (version.reviewPausedAt !== null) return null
  const overdue = slaDueAt(version, zone)
  return version.lastUrgedAt === null ? overdue : Math.max(overdue, version.lastUrgedAt + limits.urgeEveryMs)
}

/** What a version's own row says of the facts; those that need other rows are taken to hold. */
export function factsOf(
  version: InReview & {
    urgeCount: number
    onShelfAt: number | null
    offShelfAt: number | null
    releaseMode: ReleaseMode
    onShelfTime: number | null
    heldBy: string | null
    lastShelfOff: { state: string } | null
    submitQueuedBy: string | null
    versionCode: string | null
  },
  now: number,
  zone: ZoneId,
) {
  const urgeAt = version.submittedAt === null ? null : urgeAvailableAt(version, zone)
  return {
    isReady: true,
    hasNoOpenVersion: true,
    hasWithdrawalsLeft: true,
    isShelfFree: true,
    isSubmitQueued: version.submitQueuedBy !== null,
    isShelfOffReviewed: false,
    isPhased: false,
    hasPredecessor: !version.isFirst,
    hasCode: version.versionCode !== null,
    wasNeverOnShelf: version.onShelfAt === null,
    isRecent: version.offShelfAt !== null && now - version.offShelfAt < limits.relistMs,
    hasUrgesLeft: version.urgeCount < limits.urgesOfSubmission,
    isOverdue: urgeAt !== null && now >= urgeAt,
    releasesAtOnce: releasesAtOnce(version, now),
    goesAlone: version.heldBy === null,
    isShelfOffRefused: version.lastShelfOff?.state === 'REJECTED',
  }
}

/** Whether devices can be made to have at least `minVersionCode` by a version: none is told to get more than it offers. */
export function isReachableMinimum(minVersionCode: string, versionCode: string | null): boolean {
  return versionCode !== null && BigInt(minVersionCode) <= BigInt(versionCode)
}

/** Whether a code is a country or area of the one table, `ground/regions`. */
export const isCountry = isCountryCode
