import { and, desc, eq, sql } from 'drizzle-orm'
import type { Input } from '../../../../kernel/contract.ts'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { badField } from '../../../../server/http/problem.ts'
import type { AppRow } from '../../apps/public.ts'
import { packagesOf } from '../../packages/public.ts'
import { moveVersion, putOnShelf } from '../moves.ts'
import { rollBackPhased } from '../phased/change.ts'
import { phasedOf } from '../phased/queries.ts'
import { loadLocked, loadVersion, shelfVersionOf, type VersionRecord } from '../queries.ts'
import { phasedReleases, versions } from '../tables.ts'
import { versionRollback } from './contract.ts'
import { isRecentEnough, isSameSigner, rollbackLimits } from './rules.ts'

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
  const [pkg] = await packagesOf(ctx, version.pkgId === null ? [] : [version.pkgId])
  refuse(versionRollback.errors.notAab, { kind: pkg?.kind ?? 'no package' })
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
  const { versionId, state, endedAt } = phasedReleases
  const wasFull = sql`NOT EXISTS (SELECT 1 FROM ${phasedReleases} WHERE ${versionId} = ${versions.versionId}
    AND ${state} = 'CANCEL' AND ${endedAt} >= ${versions.onShelfAt})`
  const named = targetVersionId === undefined ? undefined : await loadVersion(ctx, targetVersionId)
  if (named && named.appId !== bad.appId) refuse(commonErrors.notFound, { entity: 'version', id: named.versionId })
  const [found] = await ctx.db
    .select()
    .from(versions)
    .where(
      and(
        eq(versions.appId, bad.appId),
        eq(versions.state, 'SUPERSEDED'),
        wasFull,
        named ? eq(versions.versionId, named.versionId) : undefined,
      ),
    )
    .orderBy(desc(versions.offShelfAt), desc(versions.versionId))
    .limit(1)
  if (!found || !isRecentEnough(found.offShelfAt, ctx.now())) {
    refuse(versionRollback.errors.noTarget, { days: rollbackLimits.days })
  }
  return found
}

async function mustFit(ctx: Context, bad: VersionRecord, target: VersionRecord): Promise<void> {
  const ids = [bad.pkgId, target.pkgId].filter(id => id !== null)
  const signers = new Map((await packagesOf(ctx, ids)).map(pkg => [pkg.pkgId, pkg.signers]))
  const signersOf = ({ pkgId }: VersionRecord) => signers.get(pkgId ?? '') ?? []
  if (!isSameSigner(signersOf(bad), signersOf(target))) {
    refuse(versionRollback.errors.signerChanged, { versionName: target.versionName ?? '', versionId: target.versionId })
  }
}
