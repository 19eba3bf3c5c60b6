import { eq } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import { allowedActions } from '../../../kernel/life-cycle.ts'
import type { Context } from '../../../server/context.ts'
import { transition } from '../../../server/life-cycle.ts'
import { type AppRow, recordFace, recordOpenVersion, recordShelf } from '../apps/public.ts'
import { packageOf } from '../packages/public.ts'
import { versions as contract } from './contract.ts'
import {
  isLocked,
  isOpen,
  type VersionAction,
  type VersionFact,
  type VersionState,
  versionLifeCycle,
} from './life/rules.ts'
import { listingsOf, loadVersion, shelfVersionOf, type VersionRecord } from './queries.ts'
import { blocksOf, type Finding } from './readiness/rules.ts'
import { factsOf, limits, urgeAvailableAt } from './rules.ts'
import { noteRename } from './shelf-names.ts'
import { versions } from './tables.ts'

export interface MoveOptions {
  facts?: Partial<Record<VersionFact, boolean>>
  /** Columns that change with the state. */
  set?: Partial<VersionRecord>
  note?: Record<string, unknown>
  data?: Record<string, unknown>
  isConsequence?: boolean
  /** What is told when the version is not ready. */
  readiness?: readonly Finding[]
}

/**
 * Moves a version by the life cycle and tells the app which version is open. The app must be locked. Returns the row as
 * it is now; for a deletion the row is still there for the caller to remove.
 */
export async function moveVersion(
  ctx: Context,
  version: VersionRecord,
  action: VersionAction,
  options: MoveOptions = {},
): Promise<VersionRecord> {
  const { facts, set, note, data, isConsequence = false } = options
  const { state } = await transition(ctx, {
    cycle: versionLifeCycle,
    table: 'versions',
    idColumn: 'version_id',
    row: { id: version.versionId, state: version.state, revision: version.revision },
    action,
    facts: { ...factsOf(version, ctx.now(), ctx.zone), ...facts },
    unmet: fact => refuseUnmet(ctx, version, fact, options.readiness ?? []),
    data: {
      appId: version.appId,
      pkgId: version.pkgId,
      ...(version.heldBy === null ? {} : { heldBy: version.heldBy }),
      ...data,
    },
    teamId: version.teamId,
    isConsequence,
    ...(note ? { note } : {}),
  })
  if (set && Object.keys(set).length > 0) {
    await ctx.db.update(versions).set(set).where(eq(versions.versionId, version.versionId))
  }
  await tellApp(ctx, version, state)
  return loadVersion(ctx, version.versionId)
}

async function tellApp(ctx: Context, version: VersionRecord, state: VersionState | null): Promise<void> {
  if (state !== null && isOpen(state)) {
    await recordOpenVersion(ctx, version.appId, { versionId: version.versionId, state })
  } else if (isOpen(version.state)) {
    await recordOpenVersion(ctx, version.appId, null)
  }
}

/** Refuses an edit of what is with the store, and says how to take it back. */
export function mustBeEditable(ctx: Context, version: VersionRecord): void {
  if (!isLocked(version.state)) return
  refuse(contract.errors.notEditable, {
    ...standingOf(ctx, version),
    withdraw: {
      method: contract.calls.withdrawVersion.method,
      path: contract.prefix + contract.calls.withdrawVersion.path,
      body: { versionId: version.versionId, revision: version.revision },
      isAllowed: ctx.may('versions.withdraw'),
    },
  })
}

function refuseUnmet(ctx: Context, version: VersionRecord, fact: VersionFact, readiness: readonly Finding[]): never {
  const { errors } = contract
  const standing = standingOf(ctx, version, { [fact]: false })
  if (fact === 'isReady') refuse(errors.notReady, { ...standing, blocks: blocksOf(readiness), readiness })
  if (fact === 'isOverdue') {
    const availableAt = urgeAvailableAt(version, ctx.zone)
    if (availableAt === null) refuse(errors.urgeWaits, standing)
    refuse(errors.urgeTooEarly, { ...standing, available: new Date(availableAt).toISOString(), availableAt })
  }
  if (fact === 'goesAlone') refuse(errors.heldTogether, { ...standing, submissionId: version.heldBy ?? '' })
  if (fact === 'hasWithdrawalsLeft') refuse(errors.withdrawalLimit, { ...standing, limit: limits.withdrawalsOfDay })
  if (fact === 'hasUrgesLeft') refuse(errors.urgeLimit, { ...standing, limit: limits.urgesOfSubmission })
  if (fact === 'isRecent') refuse(errors.relistTooLate, { ...standing, days: limits.relistMs / 86_400_000 })
  if (fact === 'isShelfFree') refuse(errors.shelfTaken, standing)
  refuse(commonErrors.stateNotAllowed, { ...standing, unmet: fact })
}

/** What every refusal about a version tells: where it stands, and what whoever asked may do with it now. */
export function standingOf(ctx: Context, version: VersionRecord, known: Partial<Record<VersionFact, boolean>> = {}) {
  const { state } = version
  const facts = { ...factsOf(version, ctx.now(), ctx.zone), ...known }
  return { state, allowedActions: allowedActions(versionLifeCycle, state, permission => ctx.may(permission), facts) }
}

/**
 * Puts a version on shelf by one of the moves that lead there: the one before is superseded, the app learns what is on
 * shelf, and `version.on_shelf` goes out, all in this transaction.
 */
export async function putOnShelf(
  ctx: Context,
  app: AppRow,
  version: VersionRecord,
  action: 'approve' | 'release' | 'releaseOnTime' | 'releaseTogether' | 'restore' | 'completePhase' | 'returnToShelf',
  options: MoveOptions = {},
): Promise<VersionRecord> {
  const before = await shelfVersionOf(ctx, version.appId)
  if (before) {
    await moveVersion(ctx, before, 'supersede', {
      isConsequence: true,
      set: { supersededBy: version.versionId, offShelfAt: ctx.now() },
      data: { supersededBy: version.versionId },
    })
  }
  const now = ctx.now()
  const after = await moveVersion(ctx, version, action, {
    ...options,
    set: { ...options.set, onShelfAt: now, offShelfAt: null, ...(version.approvedAt ? {} : { approvedAt: now }) },
  })
  await recordWhatIsOnShelf(ctx, app, after, now)
  // The moves of a release tell of it themselves.
  if (action === 'approve' || action === 'restore' || action === 'returnToShelf') {
    emitShelf(ctx, 'version.on_shelf', after, version.state)
  }
  return after
}

async function recordWhatIsOnShelf(ctx: Context, app: AppRow, version: VersionRecord, at: number): Promise<void> {
  const pkg = version.pkgId === null ? null : await packageOf(ctx, version.pkgId)
  await recordShelf(ctx, version.appId, {
    versionId: version.versionId,
    pkgId: version.pkgId,
    versionCode: pkg?.versionCode ?? '0',
    versionName: pkg?.versionName ?? '',
    signers: pkg ? [...new Set([...pkg.signers, ...pkg.lineage])] : [],
    at,
  })
  await tellFace(ctx, app, version)
}

/** Tells the app its name and icon, those of the default language, and counts a rename of what is on shelf. */
export async function tellFace(ctx: Context, app: AppRow, version: VersionRecord): Promise<void> {
  const face = (await listingsOf(ctx, version.versionId)).find(one => one.lang === app.defaultLang)
  if (!face?.appName) return
  await noteRename(ctx, app, version, face.appName)
  await recordFace(ctx, app.appId, { name: face.appName, iconObjectId: face.icon?.objectId ?? null })
}

/** After a version came off the shelf: the app has nothing on shelf, and the store hears of it. */
export async function leaveShelf(ctx: Context, version: VersionRecord, from: VersionState): Promise<void> {
  await recordShelf(ctx, version.appId, null)
  emitShelf(ctx, 'version.off_shelf', version, from)
}

export function emitShelf(ctx: Context, type: string, version: VersionRecord, from: VersionState): void {
  ctx.emit({
    type,
    entity: 'version',
    entityId: version.versionId,
    teamId: version.teamId,
    data: { appId: version.appId, pkgId: version.pkgId, from, to: version.state },
  })
}
