import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { refuse } from '../../../kernel/errors.ts'
import { moveFor } from '../../../kernel/life-cycle.ts'
import type { Context } from '../../../server/context.ts'
import { type AppRow, lockApp } from '../apps/public.ts'
import { packagesOf } from '../packages/public.ts'
import { versions as contract } from './contract.ts'
import { isEditable, versionLifeCycle } from './life/rules.ts'
import { moveVersion, standingOf } from './moves.ts'
import { type PhaseWish, planPhase } from './phased/plan.ts'
import { loadLocked, loadVersion, openVersionOf, type VersionRecord } from './queries.ts'
import { readinessFacts } from './readiness/facts.ts'
import { blocksOf, type Finding, readinessOf, realNameRule } from './readiness/rules.ts'
import { limits, type ReleaseMode } from './rules.ts'
import { aiDeclarations, versions } from './tables.ts'

export interface SubmitWish extends PhaseWish {
  versionId: string
  releaseMode?: ReleaseMode
  onShelfTime?: number | null
  remark?: string
  submitWhenReady?: boolean
  /** The submission it is to go on shelf with; null is alone, left out is as it was. */
  heldBy?: string | null
  /** Follows from another move that the caller was allowed; the revision he sent is not this version's. */
  isConsequence?: boolean
}

export interface SubmitResult {
  version: VersionRecord
  readiness: Finding[]
  isSubmitted: boolean
  isQueued: boolean
}

/** What stands in the way of a version, as the dry run and the submit both tell it. */
export async function readinessList(ctx: Context, app: AppRow, version: VersionRecord): Promise<Finding[]> {
  return readinessOf(await readinessFacts(ctx, app, version))
}

/** Submits, queues behind the package, or (dry) only says what stands in the way. */
export async function submit(ctx: Context, wish: SubmitWish, isDryRun: boolean): Promise<SubmitResult> {
  const { app, version } = await loadLocked(ctx, wish.versionId)
  const releasePhase = await planPhase(ctx, version, wish, isDryRun)
  const release = { ...releaseOf(version, wish), releasePhase }
  const isOtherwise = wish.releaseMode !== undefined && wish.releaseMode !== release.releaseMode
  if (isOtherwise && release.heldBy !== null) refuse(contract.errors.heldTogether, { submissionId: release.heldBy })
  const readiness = await readinessList(ctx, app, { ...version, ...release })
  if (isDryRun) return { version, readiness, isSubmitted: false, isQueued: version.submitQueuedBy !== null }
  if (readiness.some(one => one.rule === realNameRule)) refuse(contract.errors.realNameNeeded, { readiness })
  const others = readiness.filter(one => one.severity === 'BLOCK' && one.rule !== 'package.processing')
  const isProcessing = readiness.some(one => one.rule === 'package.processing')
  const canSubmit = moveFor(versionLifeCycle, version.state, 'submit', permission => ctx.may(permission)) !== undefined
  if (canSubmit && isProcessing && others.length === 0) {
    if (!wish.submitWhenReady) {
      refuse(contract.errors.packageProcessing, { pkgId: version.pkgId, state: 'PROCESSING', readiness })
    }
    return { version: await queue(ctx, version, release), readiness, isSubmitted: false, isQueued: true }
  }
  const after = await send(ctx, app, version, release, readiness, wish.isConsequence ?? false)
  return { version: after, readiness, isSubmitted: true, isQueued: false }
}

type Release = Pick<VersionRecord, 'releaseMode' | 'onShelfTime' | 'remark' | 'heldBy'> & { releasePhase?: number }

function releaseOf(version: VersionRecord, wish: SubmitWish): Release {
  const heldBy = wish.heldBy === undefined ? version.heldBy : wish.heldBy
  const releaseMode = heldBy === null ? (wish.releaseMode ?? version.releaseMode) : 'AUTO'
  const onShelfTime = wish.onShelfTime === undefined ? version.onShelfTime : wish.onShelfTime
  return {
    releaseMode,
    onShelfTime: releaseMode === 'TIMED' ? onShelfTime : null,
    remark: wish.remark ?? version.remark,
    heldBy,
  }
}

/** Keeps the wish until the package is processed. The move to DRAFT is the same as that of an edit. */
async function queue(ctx: Context, version: VersionRecord, release: Release): Promise<VersionRecord> {
  return moveVersion(ctx, version, 'edit', {
    isConsequence: true,
    set: { ...release, submitQueuedBy: ctx.accountId, findings: [] },
    note: { submitQueued: true },
  })
}

async function send(
  ctx: Context,
  app: AppRow,
  version: VersionRecord,
  release: Release,
  readiness: Finding[],
  isConsequence: boolean,
): Promise<VersionRecord> {
  const open = isEditable(version.state) ? undefined : await openVersionOf(ctx, app.appId)
  if (open && open.versionId !== version.versionId && version.state === 'OFF_BY_DEVELOPER') {
    refuse(contract.errors.openVersionExists, { versionId: open.versionId, ...standingOf(ctx, open) })
  }
  const [pkg] = await packagesOf(ctx, version.pkgId === null ? [] : [version.pkgId])
  const { involved, types, providerNames, algorithmFilingNo } = aiDeclarations
  const [declared] = await ctx.db
    .select({ involved, types, providerNames, algorithmFilingNo })
    .from(aiDeclarations)
    .where(eq(aiDeclarations.appId, app.appId))
  const after = await moveVersion(ctx, version, 'submit', {
    isConsequence,
    readiness,
    facts: { isReady: blocksOf(readiness) === 0 },
    set: {
      ...release,
      isFirst: app.lastShelf === null,
      versionCode: pkg?.versionCode ?? null,
      versionName: pkg?.versionName ?? null,
      submitQueuedBy: null,
      findings: [],
      rejection: null,
      submittedAt: ctx.now(),
      approvedAt: null,
      urgeCount: 0,
      lastUrgedAt: null,
      reviewDueAt: null,
      reviewPausedAt: null,
      aiContent: declared ?? null,
    },
  })
  ctx.startJob({
    kind: 'versions.precheck',
    subject: version.versionId,
    input: { versionId: version.versionId },
    deadlineMs: limits.precheckMs,
    teamId: version.teamId,
  })
  return after
}

/** Goes on with the submits that wait for one package, which is processed now. */
export async function resumeQueuedOf(ctx: Context, pkgId: string): Promise<void> {
  for (const { versionId, appId } of await queuedSubmits(ctx, pkgId)) await resumeOne(ctx, versionId, appId)
}

/** Goes on with every submit whose package is processed by now: an event may have come before the wish was written. */
export async function resumeAllQueued(ctx: Context): Promise<void> {
  const waiting = await queuedSubmits(ctx)
  const done = new Set(
    (
      await packagesOf(
        ctx,
        waiting.map(one => one.pkgId).filter(id => id !== null),
      )
    )
      .filter(pkg => pkg.state === 'READY' || pkg.state === 'FAILED')
      .map(pkg => pkg.pkgId),
  )
  for (const { versionId, appId, pkgId } of waiting) {
    if (pkgId !== null && !done.has(pkgId)) continue
    await ctx
      .transact(inner => resumeOne(inner, versionId, appId))
      .catch(error => {
        ctx.log.error({ versionId, reason: (error as Error).message }, 'a queued submit could not go on')
      })
  }
}

function queuedSubmits(ctx: Context, pkgId?: string) {
  return ctx.db
    .select({ versionId: versions.versionId, appId: versions.appId, pkgId: versions.pkgId })
    .from(versions)
    .where(and(isNotNull(versions.submitQueuedBy), pkgId === undefined ? undefined : eq(versions.pkgId, pkgId)))
    .orderBy(versions.versionId)
    .limit(1000)
}

async function resumeOne(ctx: Context, versionId: string, appId: string): Promise<void> {
  const app = await lockApp(ctx, appId)
  const version = await loadVersion(ctx, versionId)
  if (version.submitQueuedBy === null || !isEditable(version.state) || app.lifecycle !== 'ACTIVE') return
  const readiness = await readinessList(ctx, app, version)
  if (readiness.some(one => one.rule === 'package.processing')) return
  if (blocksOf(readiness) === 0) {
    await send(ctx, app, version, releaseOf(version, { versionId }), readiness, true)
    return
  }
  await ctx.db
    .update(versions)
    .set({
      submitQueuedBy: null,
      findings: readiness,
      updatedAt: ctx.now(),
      revision: sql`${versions.revision} + 1`,
    })
    .where(eq(versions.versionId, versionId))
  ctx.audit({
    action: 'version.submitRefused',
    entity: 'version',
    entityId: versionId,
    teamId: version.teamId,
    after: { state: version.state, blocks: blocksOf(readiness) },
  })
  ctx.emit({
    type: 'version.submit.failed',
    entity: 'version',
    entityId: versionId,
    teamId: version.teamId,
    data: { appId, pkgId: version.pkgId, from: version.state, to: version.state, findings: readiness },
  })
}
