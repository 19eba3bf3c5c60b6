import { and, desc, eq } from 'drizzle-orm'
import { refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { type AppRow, lockApp } from '../../apps/public.ts'
import { holdPackage, type PackageRow, packagesOf, rebuildPackage } from '../../packages/public.ts'
import { copyListings } from '../drafts.ts'
import { emitShelf } from '../moves.ts'
import { movePhased } from '../phased/move.ts'
import { livePhasedOf, phasedOf } from '../phased/queries.ts'
import { loadVersion, shelfVersionOf, type VersionRecord } from '../queries.ts'
import { phasedReleases, rollForwards, versions } from '../tables.ts'
import { versionRollback } from './contract.ts'

type ForwardRecord = typeof rollForwards.$inferSelect

interface Forward {
  bad: VersionRecord
  target: VersionRecord
  versionCode: string
  versionName: string
  reason: string
}

/** Has the older build made again under a higher code; what comes of it is told when it is made. The app must be locked. */
export async function beginForward(ctx: Context, { bad, target, reason, ...words }: Forward): Promise<ForwardRecord> {
  const { appId, teamId } = bad
  const ofApp = and(eq(rollForwards.appId, appId), eq(rollForwards.state, 'BUILDING'))
  const [other] = await ctx.db.select().from(rollForwards).where(ofApp)
  if (other) refuse(versionRollback.errors.forwardUnderWay, { pkgId: other.pkgId })
  const { pkgId } = await rebuildPackage(ctx, String(target.pkgId), words)
  const [row] = await ctx.db
    .insert(rollForwards)
    .values({
      ...{ pkgId, teamId, appId, badVersionId: bad.versionId, targetVersionId: target.versionId },
      state: 'BUILDING',
      reason,
      startedBy: ctx.caller.accountId,
      startedAt: ctx.now(),
    })
    .returning()
  return row!
}

/** The one that was begun last for a version that was rolled back. */
export async function forwardOfBad(ctx: Context, badVersionId: string): Promise<ForwardRecord | null> {
  const [row] = await ctx.db
    .select()
    .from(rollForwards)
    .where(eq(rollForwards.badVersionId, badVersionId))
    .orderBy(desc(rollForwards.pkgId))
    .limit(1)
  return row ?? null
}

/** A package is made, or failed: where it is one that rolls forward, it comes out for the devices with the bad version. */
export async function endForward(ctx: Context, pkgId: string): Promise<void> {
  const [known] = await ctx.db.select().from(rollForwards).where(eq(rollForwards.pkgId, pkgId))
  if (known?.state !== 'BUILDING') return
  const app = await lockApp(ctx, known.appId)
  const [pkg] = await packagesOf(ctx, [pkgId])
  const isReady = pkg?.state === 'READY'
  const bad = await loadVersion(ctx, known.badVersionId)
  const version = isReady && (await isStillWanted(ctx, app, bad)) ? await comeOut(ctx, known, bad, pkg) : null
  await ctx.db
    .update(rollForwards)
    .set({
      state: version ? 'DONE' : isReady ? 'DROPPED' : 'FAILED',
      versionId: version?.versionId ?? null,
      endedAt: ctx.now(),
    })
    .where(and(eq(rollForwards.pkgId, pkgId), eq(rollForwards.state, 'BUILDING')))
  if (!version) {
    const data = { appId: app.appId, pkgId, isReady }
    ctx.emit({ type: 'version.forward.failed', entity: 'version', entityId: bad.versionId, teamId: bad.teamId, data })
  }
}

/** Beside it stands a full version, and nothing newer came out meanwhile that those devices get anyway. */
async function isStillWanted(ctx: Context, app: AppRow, bad: VersionRecord): Promise<boolean> {
  const full = await shelfVersionOf(ctx, app.appId)
  if (!full || app.lifecycle !== 'ACTIVE' || (await livePhasedOf(ctx, app.appId))) return false
  return BigInt(full.versionCode ?? '0') < BigInt(bad.versionCode ?? '0')
}

/** A version of its own, reviewed as the one it is a copy of was; only devices with the bad version are offered it. */
async function comeOut(
  ctx: Context,
  { targetVersionId, reason, startedBy }: ForwardRecord,
  bad: VersionRecord,
  pkg: PackageRow,
): Promise<VersionRecord> {
  const target = await loadVersion(ctx, targetVersionId)
  const { teamId, appId } = target
  const versionId = ctx.newId()
  const now = ctx.now()
  const { revision: _, testPasswordSealed: __, ...kept } = target
  await ctx.db.insert(versions).values({
    ...kept,
    ...{ versionId, pkgId: pkg.pkgId, versionCode: pkg.versionCode, versionName: pkg.versionName },
    ...{ state: 'PHASED', releasePhase: 3, isFirst: false, loginRequired: false, testAccount: '', remark: reason },
    ...{ supersededBy: null, offShelfAt: null, onShelfAt: now, heldBy: null, submitQueuedBy: null },
    ...{ createdBy: startedBy, createdAt: now, updatedAt: now },
  })
  await copyListings(ctx, target, versionId)
  await holdPackage(ctx, pkg.pkgId)
  const version = await loadVersion(ctx, versionId)
  ctx.audit({
    action: 'version.rollForward',
    entity: 'version',
    entityId: versionId,
    after: { state: 'PHASED', reason },
  })
  const data = { appId, pkgId: pkg.pkgId, from: null, to: 'PHASED', rolledBack: bad.versionId }
  ctx.emit({ type: 'version.created', entity: 'version', entityId: versionId, teamId, data })
  await startFor(ctx, version, String(bad.versionCode))
  emitShelf(ctx, 'version.on_shelf', version, 'PHASED')
  return version
}

async function startFor(ctx: Context, { versionId, teamId, appId }: VersionRecord, onlyOver: string): Promise<void> {
  const now = ctx.now()
  await ctx.db.insert(phasedReleases).values({
    ...{ versionId, teamId, appId, onlyOver, kind: 'PERCENT', percentBp: 0, sampling: 'STICKY', salt: appId },
    ...{ newInstalls: 'ALWAYS_OLD', countries: [], state: 'DRAFT', createdAt: now, updatedAt: now },
  })
  const row = await phasedOf(ctx, versionId)
  if (row) await movePhased(ctx, row, 'start', { isConsequence: true, reason: 'forward', set: { startAt: now } })
}
