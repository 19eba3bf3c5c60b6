import { eq } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import { type AppRow, appOf } from '../apps/public.ts'
import { type PackageRow, packagesOf } from '../packages/public.ts'
import { type Decision, decide } from './decide.ts'
import { phasedOf } from './phased/queries.ts'
import {
  type ListingRecord,
  listingsOf,
  loadVersion,
  loadVersions,
  shelfVersionOf,
  type VersionRecord,
} from './queries.ts'
import { submit } from './submit.ts'
import { installs, phasedChanges, type ReadinessFinding } from './tables.ts'
import { asVersion } from './testing/as-version.ts'
import { testsOfIds } from './testing/queries.ts'
import { decideTest } from './testing/release.ts'
import { freeOne, releaseTogether } from './together.ts'

export type { Decision } from './decide.ts'
export type { ListingImage } from './tables.ts'

/** A version as other services see it; times are epoch milliseconds. */
export type VersionRow = Omit<VersionRecord, 'testPasswordSealed' | 'submitQueuedBy'>

/** What the store shows in one language. */
export type VersionListing = Omit<ListingRecord, 'teamId' | 'versionId'>

/** Everything a store record needs. */
export interface Published {
  version: VersionRow
  app: AppRow
  /** Null for an app that is a store page only. */
  package: PackageRow | null
  /** One a language, the default language among them. */
  listings: VersionListing[]
  /** ISO 3166 codes. */
  countries: string[]
  /** Who gets it while it stands beside a full version; null for a full one. */
  phase: PublishedPhase | null
}

/** The share of a phased release: bucket of salt and device below the basis points, see `kernel/bucketing.ts`. */
export interface PublishedPhase {
  isRunning: boolean
  salt: string
  percentBp: number
  newInstalls: 'FOLLOW' | 'ALWAYS_NEW' | 'ALWAYS_OLD'
  /** Empty: wherever the version is offered. */
  countries: string[]
  /** Who looks by hand gets it before his turn. */
  manualPull: boolean
  /** Whoever has this version code gets it besides. */
  onlyOver: string | null
  startedAt: number | null
}

/** What the reviewer's desk shows besides. */
export interface Evidence extends Published {
  /** The version that is on shelf now, when it is another one. */
  predecessor: { version: VersionRow; listings: VersionListing[] } | null
  findings: ReadinessFinding[]
  /** Devices that have the app now, as the store last told. */
  activeInstalls: number
  /** For signing in to the app under review; the password in plain. */
  testAccount: { isNeeded: boolean; account: string; password: string | null }
}

/**
 * The version of the caller's team (any team for staff and workers); a test version looks as a formal one in the same
 * place would. Refuses 404.
 */
export async function versionOf(ctx: Context, versionId: string): Promise<VersionRow> {
  return toRow(await ofEitherLane(ctx, versionId))
}

/** Those of the versions that exist and are the caller's; in no order. */
export async function versionsOf(ctx: Context, versionIds: readonly string[]): Promise<VersionRow[]> {
  const formal = await loadVersions(ctx, versionIds)
  if (formal.length === new Set(versionIds).size) return formal.map(toRow)
  return [...formal, ...(await testsOfIds(ctx, versionIds)).map(asVersion)].map(toRow)
}

/**
 * Submits a version for review in the caller's transaction, in his name. `heldBy` is the submission with which it goes on
 * shelf when that lets go (`releaseHeld`); null is alone. Refuses as the call does: 404, 403, 422 when it
 * is not ready, in another state, or its package is still being processed.
 */
export async function submitVersion(
  ctx: Context,
  wish: { versionId: string; remark?: string; heldBy?: string | null },
): Promise<VersionRow> {
  return toRow((await submit(ctx, wish, false)).version)
}

/**
 * The store's verdict, in the caller's zone transaction: approve, reject or ask on a version in review; approve or reject
 * on a shelf-off in review. `appeal` is the developer's (`versions.submit`): a rejected version back in review as it is. The context must hold `review.decide` or be the system's. Refuses 404, 403, and 422 when the
 * version is no longer in review (withdrawn meanwhile).
 */
export async function decideVersion(ctx: Context, decision: Decision): Promise<VersionRow> {
  const [test] = await testsOfIds(ctx, [decision.versionId])
  return toRow(test ? asVersion(await decideTest(ctx, decision)) : await decide(ctx, decision))
}

/**
 * Puts on shelf, in this transaction, every accepted version that a submission holds. One of an app that is frozen goes
 * when the freeze ends. Only for workers.
 */
export async function releaseHeld(ctx: Context, submissionId: string): Promise<void> {
  await releaseTogether(ctx, submissionId)
}

/** Frees a version, which is being worked on, from the submission that holds it. Refuses 404, and 422 while it is locked. */
export async function freeVersion(ctx: Context, versionId: string): Promise<void> {
  await freeOne(ctx, versionId)
}

/** What a store record is made of, whatever state the version is in. Refuses 404. */
export async function publishedOf(ctx: Context, versionId: string): Promise<Published> {
  const version = await ofEitherLane(ctx, versionId)
  const app = await appOf(ctx, version.appId)
  const [pkg] = await packagesOf(ctx, version.pkgId === null ? [] : [version.pkgId])
  const listings = (await listingsOf(ctx, versionId)).map(toListing)
  const phase = version.state === 'PHASED' ? await phaseOf(ctx, versionId) : null
  return { version: toRow(version), app, package: pkg ?? null, listings, countries: version.countries, phase }
}

/** What the desk shows of a version. Only for those who may read reviews. Refuses 403 and 404. */
export async function evidenceOf(ctx: Context, versionId: string): Promise<Evidence> {
  if (!ctx.may('review.read')) refuse(commonErrors.notAllowed, { permission: 'review.read' })
  const published = await publishedOf(ctx, versionId)
  const { testPasswordSealed, loginRequired, testAccount, findings } = await ofEitherLane(ctx, versionId)
  const before = await shelfVersionOf(ctx, published.app.appId)
  const isOther = before !== undefined && before.versionId !== versionId
  return {
    ...published,
    findings,
    activeInstalls: await activeInstallsOf(ctx, published.app.appId),
    predecessor: isOther
      ? { version: toRow(before), listings: (await listingsOf(ctx, before.versionId)).map(toListing) }
      : null,
    testAccount: {
      isNeeded: loginRequired,
      account: testAccount,
      password: testPasswordSealed && ctx.server.masterKey.open('versions.testPassword', versionId, testPasswordSealed),
    },
  }
}

/** Tells how many devices have an app now; with more than 10,000 the store looks at a shelf-off before it happens. */
export async function recordInstalls(ctx: Context, app: { appId: string; teamId: string }, active: number) {
  const row = { ...app, active, at: ctx.now() }
  await ctx.db
    .insert(installs)
    .values(row)
    .onConflictDoUpdate({
      target: installs.appId,
      set: { active, at: row.at },
      setWhere: eq(installs.appId, app.appId),
    })
}

async function activeInstallsOf(ctx: Context, appId: string): Promise<number> {
  const [row] = await ctx.db.select({ active: installs.active }).from(installs).where(eq(installs.appId, appId))
  return row?.active ?? 0
}

async function phaseOf(ctx: Context, versionId: string): Promise<PublishedPhase | null> {
  const row = await phasedOf(ctx, versionId)
  if (!row) return null
  const { salt, percentBp, newInstalls, countries, manualPull, onlyOver, startAt: startedAt } = row
  return {
    isRunning: row.state === 'RELEASE',
    salt,
    percentBp,
    newInstalls,
    countries,
    manualPull,
    onlyOver,
    startedAt,
  }
}

/**
 * Tells how far a phased release had come when its change `changeId` was made: devices that had fetched it, installs, and
 * of the devices that run it how many crashed.
 */
export async function recordReach(
  ctx: Context,
  changeId: string,
  reach: { devices: number; installs: number; users: number; crashed: number },
) {
  await ctx.db
    .update(phasedChanges)
    .set({ reachedDevices: reach.devices, installs: reach.installs, users: reach.users, crashed: reach.crashed })
    .where(eq(phasedChanges.changeId, changeId))
}

/** A version, or one of the test lane as if it were formal. Refuses 404. */
async function ofEitherLane(ctx: Context, versionId: string): Promise<VersionRecord> {
  const [test] = await testsOfIds(ctx, [versionId])
  return test ? asVersion(test) : loadVersion(ctx, versionId)
}

function toRow({ testPasswordSealed: _, submitQueuedBy: __, ...row }: VersionRecord): VersionRow {
  return row
}

function toListing({ teamId: _, versionId: __, ...row }: ListingRecord): VersionListing {
  return row
}
