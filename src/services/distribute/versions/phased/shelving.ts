import { eq } from 'drizzle-orm'
import { refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { type AppRow, recordShelf } from '../../apps/public.ts'
import type { VersionState } from '../life/rules.ts'
import * as moves from '../moves.ts'
import { loadVersion, shelfVersionOf, type VersionRecord } from '../queries.ts'
import { versions } from '../tables.ts'
import { versionPhased } from './contract.ts'
import { movePhased, type PhasedMove } from './move.ts'
import { livePhasedOf, type PhasedRecord, phasedOf } from './queries.ts'
import { firstDayEnds, pausedMs, percentOf, shareOfDay } from './rules.ts'

type OntoShelf = 'approve' | 'release' | 'releaseOnTime' | 'releaseTogether' | 'restore'

/**
 * Puts a version on shelf as it was planned: whole, or beside the full one for some devices. A phased release that runs
 * ends with it. Refuses 202030020 where a phased one has no full version beside it.
 */
export async function putOnShelf(
  ctx: Context,
  app: AppRow,
  version: VersionRecord,
  action: OntoShelf,
  options: moves.MoveOptions = {},
): Promise<VersionRecord> {
  const plan = version.releasePhase === 3 ? await phasedOf(ctx, version.versionId) : undefined
  const isPhased = plan?.state === 'DRAFT'
  if (isPhased && !(await shelfVersionOf(ctx, version.appId)))
    refuse(versionPhased.errors.notForFirst, moves.standingOf(ctx, version))
  await replaceLive(ctx, app, version)
  if (!isPhased) return moves.putOnShelf(ctx, app, version, action, options)
  const now = ctx.now()
  const after = await moves.moveVersion(ctx, version, action, {
    ...options,
    facts: { ...options.facts, isPhased },
    set: { ...options.set, onShelfAt: now, offShelfAt: null, ...(version.approvedAt ? {} : { approvedAt: now }) },
    data: { ...options.data, percent: percentOf(plan.percentBp) },
  })
  if (action === 'approve') moves.emitShelf(ctx, 'version.on_shelf', after, version.state)
  const isCurve = plan.kind === 'CURVE7'
  await movePhased(ctx, plan, 'start', {
    isConsequence: true,
    set: {
      startAt: now,
      nextDayAt: isCurve ? firstDayEnds(now) : null,
      ...(isCurve ? { day: 1, percentBp: shareOfDay(1) } : {}),
    },
  })
  return after
}

/** A newer version goes out: the one that was on its way to everybody gives way. */
async function replaceLive(ctx: Context, app: AppRow, newer: VersionRecord): Promise<void> {
  const row = await livePhasedOf(ctx, app.appId)
  if (!row) return
  await movePhased(ctx, row, 'cancel', { isConsequence: true, reason: 'newer', set: endOf(ctx, row) })
  await moves.moveVersion(ctx, await loadVersion(ctx, row.versionId), 'supersede', {
    isConsequence: true,
    set: { supersededBy: newer.versionId, offShelfAt: ctx.now(), releasePhase: 0 },
    data: { supersededBy: newer.versionId },
  })
}

/** What a phased release keeps of its end. */
export function endOf(ctx: Context, row: PhasedRecord): Partial<PhasedRecord> {
  const now = ctx.now()
  return { endedAt: now, nextDayAt: null, pausedAt: null, totalPausedMs: pausedMs(row, now) }
}

/** Ends a phased release and takes its version off the shelf; the full one stays. */
export async function cancelPhased(
  ctx: Context,
  row: PhasedRecord,
  options: Omit<PhasedMove, 'set'> = {},
): Promise<PhasedRecord> {
  const after = await movePhased(ctx, row, 'cancel', { ...options, set: endOf(ctx, row) })
  await moves.moveVersion(ctx, await loadVersion(ctx, row.versionId), 'endPhase', {
    isConsequence: true,
    set: { offShelfAt: ctx.now(), releasePhase: 0 },
    note: { reason: options.reason ?? '' },
  })
  return after
}

/** The phased version becomes the full one, and the one before is superseded. */
export async function completePhased(
  ctx: Context,
  app: AppRow,
  row: PhasedRecord,
  options: { reason?: string; isConsequence?: boolean } = {},
): Promise<PhasedRecord> {
  const day = row.kind === 'CURVE7' ? 7 : null
  const after = await movePhased(ctx, row, 'complete', {
    ...options,
    set: { ...endOf(ctx, row), percentBp: 10_000, day },
  })
  await moves.putOnShelf(ctx, app, await loadVersion(ctx, row.versionId), 'completePhase', {
    isConsequence: true,
    set: { releasePhase: 4 },
  })
  return after
}

/**
 * After a version came off the shelf, and the store is to hear of it. A phased one leaves the full one where it is.
 */
export async function leaveShelf(ctx: Context, version: VersionRecord, from: VersionState): Promise<void> {
  if (from !== 'PHASED') {
    await endLive(ctx, version)
    return moves.leaveShelf(ctx, version, from)
  }
  const row = await livePhasedOf(ctx, version.appId)
  if (row) await movePhased(ctx, row, 'cancel', { isConsequence: true, reason: 'offShelf', set: endOf(ctx, row) })
  await ctx.db.update(versions).set({ releasePhase: 0 }).where(eq(versions.versionId, version.versionId))
  moves.emitShelf(ctx, 'version.off_shelf', version, from)
}

/** The full version leaves the shelf: nothing is on it any more. */
export async function endWithShelf(ctx: Context, version: VersionRecord): Promise<void> {
  await endLive(ctx, version)
  await recordShelf(ctx, version.appId, null)
}

/** Without the full version there is nothing for the other devices, so the phased release ends with it. */
async function endLive(ctx: Context, full: VersionRecord): Promise<void> {
  const row = await livePhasedOf(ctx, full.appId)
  if (row) await cancelPhased(ctx, row, { isConsequence: true, reason: 'offShelf' })
}
