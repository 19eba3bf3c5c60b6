import type { Input } from '../../../../kernel/contract.ts'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { badField } from '../../../../server/http/problem.ts'
import type { AppRow } from '../../apps/public.ts'
import { moveVersion, putOnShelf } from '../moves.ts'
import { rollBackPhased } from '../phased/change.ts'
import { phasedOf } from '../phased/queries.ts'
import { loadLocked, loadVersion, shelfVersionOf, type VersionRecord } from '../queries.ts'
import { versionRollback } from './contract.ts'
import { beginForward } from './forward.ts'
import { mayGoBack, rollbackLimits } from './rules.ts'
import { candidatesOf, fitsFor, forwardOf, isRebuildable } from './targets.ts'

type Wish = Input<(typeof versionRollback.calls)['rollBackVersion']>['body']

/** Takes a version back and puts another in its place where one is needed, all in this transaction. */
export async function rollBack(ctx: Context, wish: Wish): Promise<VersionRecord> {
  const { app, version } = await loadLocked(ctx, wish.versionId)
  if (!mayGoBack(version, wish.mode)) {
    refuse(versionRollback.errors.noDowngrade, { versionName: version.versionName ?? '' })
  }
  const forward = wish.mode === 'ROLL_FORWARD' ? await mustForward(ctx, version, wish.targetVersionId) : undefined
  if (wish.mode === 'STOP' && wish.targetVersionId !== undefined) {
    throw badField('/targetVersionId', 'mode', 'STOP goes back to what stood before; use RESTORE to name a version.')
  }
  const full = await shelfVersionOf(ctx, app.appId)
  const phased = version.state === 'PHASED' ? await phasedOf(ctx, version.versionId) : undefined
  const after = phased
    ? await rollBackPhased(ctx, phased, version, { reason: wish.reason, asked: 'version' }).then(() =>
        loadVersion(ctx, version.versionId),
      )
    : await rollBackFull(ctx, version, wish.reason)
  // Beside a phased version the full one never left.
  const isThere = phased && (wish.targetVersionId ?? full?.versionId) === full?.versionId
  if (!isThere) await restore(ctx, app, version, wish)
  if (forward) await beginForward(ctx, { ...forward, bad: version, reason: wish.reason })
  return after
}

function rollBackFull(ctx: Context, version: VersionRecord, reason: string): Promise<VersionRecord> {
  return moveVersion(ctx, version, 'rollBack', {
    // What returns is looked for below, and refused there.
    facts: { hasPredecessor: true },
    set: { offShelfAt: ctx.now(), releasePhase: 0 },
    note: { reason },
    data: { reason },
  })
}

/** What is made again, and under which version. Refuses where the store cannot: the developer builds and signs it then. */
async function mustForward(ctx: Context, bad: VersionRecord, targetVersionId: string | undefined) {
  const full = bad.state === 'PHASED' ? await shelfVersionOf(ctx, bad.appId) : undefined
  const isFull = full && (targetVersionId ?? full.versionId) === full.versionId
  const target = isFull ? full : await targetOf(ctx, bad, targetVersionId)
  const { forward, kind } = await forwardOf(ctx, bad, target)
  const versionName = forward.versionName ?? ''
  if (!(await isRebuildable(ctx, target, forward.versionCode))) {
    refuse(versionRollback.errors.notAab, { ...forward, kind, versionName: versionName || 'the older version' })
  }
  await mustFit(ctx, bad, target)
  return { target, versionCode: forward.versionCode, versionName }
}

async function restore(ctx: Context, app: AppRow, bad: VersionRecord, wish: Wish): Promise<void> {
  const target = await targetOf(ctx, bad, wish.targetVersionId)
  await mustFit(ctx, bad, target)
  await putOnShelf(ctx, app, target, 'returnToShelf', {
    isConsequence: true,
    set: { supersededBy: null, releasePhase: 0 },
    note: { reason: wish.reason },
    data: { rolledBack: bad.versionId },
  })
}

/** The version named, or that which left the full shelf last. What only some devices ever had is none. */
async function targetOf(ctx: Context, bad: VersionRecord, targetVersionId: string | undefined): Promise<VersionRecord> {
  const named = targetVersionId === undefined ? undefined : await loadVersion(ctx, targetVersionId)
  if (named && named.appId !== bad.appId) refuse(commonErrors.notFound, { entity: 'version', id: named.versionId })
  const [found] = await candidatesOf(ctx, bad, named?.versionId)
  if (!found) {
    refuse(versionRollback.errors.noTarget, { days: rollbackLimits.days })
  }
  return found
}

async function mustFit(ctx: Context, bad: VersionRecord, target: VersionRecord): Promise<void> {
  const isFit = await fitsFor(ctx, bad, [target])
  if (!isFit(target)) {
    refuse(versionRollback.errors.signerChanged, { versionName: target.versionName ?? '', versionId: target.versionId })
  }
}
