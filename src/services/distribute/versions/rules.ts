import { lifeCycle } from '../../../kernel/life-cycle.ts'
import { afterWorking, hoursOfDay, workingCalendars } from '../../../kernel/working-time.ts'
import type { ZoneId } from '../../../kernel/zones.ts'
import { isCountryCode } from '../../ground/regions/contract.ts'

export const versionStates = [
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
] as const
export type VersionState = (typeof versionStates)[number]

/** Being worked on by the developer. */
export const editableStates = ['DRAFT', 'REJECTED', 'WITHDRAWN', 'PRECHECK_FAILED'] as const
/** With the store: the content is locked. */
export const lockedStates = ['PRECHECK', 'IN_REVIEW', 'PENDING_RELEASE'] as const
/** Being prepared; an app has at most one of these. */
export const openStates: readonly VersionState[] = [...editableStates, ...lockedStates]
/** What people can install; an app has at most one of these. */
export const shelfStates: readonly VersionState[] = ['ON_SHELF', 'SHELF_OFF_REVIEW']

export const isEditable = (state: VersionState) => (editableStates as readonly VersionState[]).includes(state)
export const isLocked = (state: VersionState) => (lockedStates as readonly VersionState[]).includes(state)
export const isOpen = (state: VersionState) => openStates.includes(state)
export const isOnShelf = (state: VersionState) => shelfStates.includes(state)

export const versionActions = [
  'edit',
  'delete',
  'submit',
  'passPrecheck',
  'failPrecheck',
  'withdraw',
  'urge',
  'approve',
  'reject',
  'ask',
  'changeTime',
  'release',
  'releaseOnTime',
  'releaseTogether',
  'expire',
  'supersede',
  'shelfOff',
  'cancelShelfOff',
  'acknowledgeShelfOff',
  'forceOff',
  'restore',
] as const
export type VersionAction = (typeof versionActions)[number]

export type VersionFact =
  | 'isReady'
  | 'isRecent'
  | 'wasNeverOnShelf'
  | 'hasNoOpenVersion'
  | 'hasWithdrawalsLeft'
  | 'hasUrgesLeft'
  | 'isOverdue'
  | 'releasesAtOnce'
  | 'goesAlone'
  | 'isShelfOffReviewed'
  | 'isShelfOffRefused'
  | 'isShelfFree'
  | 'isSubmitQueued'

/** The formal lane, distribution.md 3.6. */
export const versionLifeCycle = lifeCycle<VersionState, VersionAction, VersionFact>({
  entity: 'version',
  states: versionStates,
  moves: [
    { from: editableStates, action: 'edit', to: 'DRAFT', may: 'versions.edit', event: 'version.updated' },
    {
      from: editableStates,
      action: 'delete',
      to: null,
      may: 'versions.edit',
      needs: ['wasNeverOnShelf'],
      event: 'version.deleted',
    },
    {
      from: editableStates,
      action: 'submit',
      to: 'PRECHECK',
      may: 'versions.submit',
      needs: ['isReady'],
      event: 'version.submitted',
    },
    {
      from: ['OFF_BY_DEVELOPER'],
      action: 'submit',
      to: 'PRECHECK',
      may: 'versions.submit',
      needs: ['isRecent', 'hasNoOpenVersion', 'isReady'],
      event: 'version.submitted',
    },
    { from: ['PRECHECK'], action: 'passPrecheck', to: 'IN_REVIEW', may: 'system', event: 'version.review.queued' },
    {
      from: ['PRECHECK'],
      action: 'failPrecheck',
      to: 'PRECHECK_FAILED',
      may: 'system',
      event: 'version.precheck.failed',
    },
    {
      from: editableStates,
      action: 'withdraw',
      to: 'DRAFT',
      may: 'versions.withdraw',
      needs: ['isSubmitQueued'],
      event: 'version.updated',
    },
    {
      from: lockedStates,
      action: 'withdraw',
      to: 'WITHDRAWN',
      may: 'versions.withdraw',
      needs: ['hasWithdrawalsLeft'],
      event: 'version.withdrawn',
    },
    {
      from: ['PRECHECK'],
      action: 'urge',
      to: 'PRECHECK',
      may: 'versions.submit',
      needs: ['hasUrgesLeft', 'isOverdue'],
      event: 'review.urged',
    },
    {
      from: ['IN_REVIEW'],
      action: 'urge',
      to: 'IN_REVIEW',
      may: 'versions.submit',
      needs: ['hasUrgesLeft', 'isOverdue'],
      event: 'review.urged',
    },
    {
      from: ['IN_REVIEW'],
      action: 'approve',
      to: facts => (facts.releasesAtOnce ? 'ON_SHELF' : 'PENDING_RELEASE'),
      may: 'review.decide',
      event: 'version.approved',
    },
    { from: ['IN_REVIEW'], action: 'reject', to: 'REJECTED', may: 'review.decide', event: 'version.rejected' },
    { from: ['IN_REVIEW'], action: 'ask', to: 'IN_REVIEW', may: 'review.decide', event: 'version.review.question' },
    ...lockedStates.map(state => ({
      from: [state],
      action: 'changeTime' as const,
      to: state,
      may: 'versions.release',
      needs: ['goesAlone'] as const,
      event: 'version.time.changed',
    })),
    {
      from: ['PENDING_RELEASE'],
      action: 'release',
      to: 'ON_SHELF',
      may: 'versions.release',
      needs: ['goesAlone'],
      event: 'version.on_shelf',
    },
    {
      from: ['PENDING_RELEASE'],
      action: 'releaseOnTime',
      to: 'ON_SHELF',
      may: 'system',
      needs: ['goesAlone'],
      event: 'version.on_shelf',
    },
    { from: ['PENDING_RELEASE'], action: 'releaseTogether', to: 'ON_SHELF', may: 'system', event: 'version.on_shelf' },
    { from: ['PENDING_RELEASE'], action: 'expire', to: 'WITHDRAWN', may: 'system', event: 'version.expired' },
    { from: shelfStates, action: 'supersede', to: 'SUPERSEDED', may: 'system', event: 'version.superseded' },
    {
      from: ['ON_SHELF'],
      action: 'shelfOff',
      to: facts => (facts.isShelfOffReviewed ? 'SHELF_OFF_REVIEW' : 'OFF_BY_DEVELOPER'),
      may: 'versions.shelfOff',
      event: 'version.shelfoff.requested',
    },
    {
      from: ['SHELF_OFF_REVIEW'],
      action: 'cancelShelfOff',
      to: 'ON_SHELF',
      may: 'versions.withdraw',
      event: 'version.shelfoff.canceled',
    },
    {
      from: ['SHELF_OFF_REVIEW'],
      action: 'approve',
      to: 'OFF_BY_DEVELOPER',
      may: 'review.decide',
      event: 'version.off_shelf',
    },
    {
      from: ['SHELF_OFF_REVIEW'],
      action: 'reject',
      to: 'ON_SHELF',
      may: 'review.decide',
      event: 'version.shelfoff.refused',
    },
    {
      from: ['ON_SHELF'],
      action: 'acknowledgeShelfOff',
      to: 'ON_SHELF',
      may: 'versions.shelfOff',
      needs: ['isShelfOffRefused'],
      event: 'version.updated',
    },
    { from: shelfStates, action: 'forceOff', to: 'OFF_BY_STORE', may: 'store.operate', event: 'version.forced_off' },
    {
      from: ['OFF_BY_STORE'],
      action: 'restore',
      to: 'ON_SHELF',
      may: 'review.senior',
      needs: ['isShelfFree'],
      event: 'version.restored',
    },
  ],
})

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
  aiProviderLength: 500,
  aiFilingLength: 100,
} as const

export const releaseModes = ['AUTO', 'MANUAL', 'TIMED'] as const
export type ReleaseMode = (typeof releaseModes)[number]

export const bulkActions = ['submit', 'withdraw', 'shelfOff'] as const
export type BulkAction = (typeof bulkActions)[number]
export const bulkResults = ['WAITING', 'DONE', 'REFUSED'] as const

/** What may be made by AI: 1 text, 2 pictures, 3 sound, 4 video, 5 something else. */
export const aiContentTypes = [1, 2, 3, 4, 5] as const

/** Somebody who says that AI is involved says in what, and whose model it is. */
export function isAiContentRight(said: {
  involved: boolean
  types: readonly number[]
  providerNames: string
}): boolean {
  return said.involved ? said.types.length > 0 && said.providerNames.trim() !== '' : said.types.length === 0
}

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
  },
  now: number,
  zone: ZoneId,
): Record<VersionFact, boolean> {
  const urgeAt = version.submittedAt === null ? null : urgeAvailableAt(version, zone)
  return {
    isReady: true,
    hasNoOpenVersion: true,
    hasWithdrawalsLeft: true,
    isShelfFree: true,
    isSubmitQueued: version.submitQueuedBy !== null,
    isShelfOffReviewed: false,
    wasNeverOnShelf: version.onShelfAt === null,
    isRecent: version.offShelfAt !== null && now - version.offShelfAt < limits.relistMs,
    hasUrgesLeft: version.urgeCount < limits.urgesOfSubmission,
    isOverdue: urgeAt !== null && now >= urgeAt,
    releasesAtOnce: releasesAtOnce(version, now),
    goesAlone: version.heldBy === null,
    isShelfOffRefused: version.lastShelfOff?.state === 'REJECTED',
  }
}

export interface ShelfPicture {
  /** The state of the version being prepared. */
  open: VersionState | null
  /** ON_SHELF or SHELF_OFF_REVIEW. */
  onShelf: VersionState | null
  /** A shelf-off was refused and the developer has not yet acknowledged it. */
  isShelfOffRefused: boolean
  /** The state of the version that was on shelf last, when nothing is. */
  off: VersionState | null
}

const openCodes: Readonly<Partial<Record<VersionState, number>>> = {
  PRECHECK: 12,
  PRECHECK_FAILED: 13,
  PENDING_RELEASE: 3,
  WITHDRAWN: 11,
}

/**
 * The one number older tools know, derived: 0 on shelf, 1 rejected, 2 off by the store, 3 waiting for release, 4 in
 * review, 5 upgrade in review, 6 shelf-off in review, 7 draft, 8 upgrade rejected, 9 shelf-off refused, 10 off by the
 * developer, 11 withdrawn, 12 pre-check, 13 pre-check failed. Null when there is no version at all. A draft counts only
 * while nothing is or was on shelf, or when `ofOpen` asks for the version being prepared.
 */
export function releaseStateOf(picture: ShelfPicture, ofOpen = false): number | null {
  const { open, onShelf, off } = picture
  if (open === 'IN_REVIEW') return onShelf ? 5 : 4
  if (open === 'REJECTED') return onShelf ? 8 : 1
  if (open === 'DRAFT' && (ofOpen || (!onShelf && !off))) return 7
  const code = open === null ? undefined : openCodes[open]
  if (code !== undefined) return code
  if (onShelf === 'SHELF_OFF_REVIEW') return 6
  if (onShelf) return picture.isShelfOffRefused ? 9 : 0
  if (off === 'OFF_BY_DEVELOPER') return 10
  return off === 'OFF_BY_STORE' ? 2 : null
}

/** Whether a code is a country or area of the one table, `ground/regions`. */
export const isCountry = isCountryCode
