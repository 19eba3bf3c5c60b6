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
import { rollbackLimits } from './rules.ts'
import { candidatesOf, fitsFor, forwardOf } from './targets.ts'

type Wish = Input<(typeof versionRollback.calls)['rollBackVersion']>['body']

/** Takes a version back and puts another in its place where one is needed, all in this transaction. */
export async function rollBack(ctx: Context, wish: Wish): Promise<VersionRecord> {
  const { app, version } = await loadLocked(ctx, wish.versionId)
  if (wish.mode === 'ROLL_FORWARD') await refuseForward(ctx, version)
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

async function refuseForward(ctx: Context, version: VersionRecord): Promise<never> {
  const { forward, kind } = await forwardOf(ctx, version, (await candidatesOf(ctx, version))[0])
  refuse(versionRollback.errors.notAab, {
    ...forward,
    kind,
    versionName: forward.versionName ?? 'the older version',
  })
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
