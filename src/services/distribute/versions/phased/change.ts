import { eq } from 'drizzle-orm'
import type { Input } from '../../../../kernel/contract.ts'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import { afterPause } from '../../../../kernel/ramp/timing.ts'
import type { Context } from '../../../../server/context.ts'
import { badField } from '../../../../server/http/problem.ts'
import type { AppRow } from '../../apps/public.ts'
import { checkGates } from '../gates/faults.ts'
import type { Trip } from '../gates/rules.ts'
import { moveVersion } from '../moves.ts'
import type { VersionRecord } from '../queries.ts'
import { phasedReleases, versions } from '../tables.ts'
import { versionPhased } from './contract.ts'
import { allowedOf, movePhased } from './move.ts'
import { checkEnd } from './plan.ts'
import { type PhasedRecord, phasedOf, wasPausedByGate } from './queries.ts'
import { basisPointsOf, firstDayEnds, lastDay, pausedMs, percentOf, shareOfDay } from './rules.ts'
import { cancelPhased, completePhased, endOf } from './shelving.ts'

type Wish = Input<(typeof versionPhased.calls)['updatePhasedRelease']>['body']

const ways = ['state', 'releasePhase', 'percent', 'phaseDay', 'gates'] as const
const hundred = 10_000

/** Carries out the one change that is wished for. */
export async function changePhased(
  ctx: Context,
  app: AppRow,
  version: VersionRecord,
  row: PhasedRecord,
  wish: Wish,
): Promise<PhasedRecord> {
  const [way, other] = ways.filter(one => wish[one] !== undefined)
  if (other) throw badField(`/${other}`, 'one', 'Give one change at a time.')
  if (!way && wish.description === undefined && wish.endAt === undefined)
    throw badField('/state', 'required', 'Say what is to change.')
  const described = await describe(ctx, row, wish, way === undefined)
  if (wish.gates !== undefined) {
    checkGates(wish.gates, '/gates')
    return movePhased(ctx, described, 'setGates', { set: { gates: wish.gates } })
  }
  if (way === 'state') return changeState(ctx, described, version, wish)
  if (wish.releasePhase === 4 && row.state === 'DRAFT') return drop(ctx, described)
  const share = shareOf(row, wish)
  if (wish.releasePhase === 4 || share?.percentBp === hundred) {
    return completePhased(ctx, app, described, { reason: wish.reason ?? '' })
  }
  return share ? raise(ctx, described, share) : described
}

/** Its text can be changed at any time, its end while it lasts; with nothing else to do that is a change of its own. */
async function describe(ctx: Context, row: PhasedRecord, wish: Wish, isAlone: boolean): Promise<PhasedRecord> {
  const { description = row.description, endAt = row.endAt } = wish
  if (description === row.description && endAt === row.endAt) return row
  if (endAt !== row.endAt) {
    if (row.endedAt !== null)
      refuse(versionPhased.errors.notRunning, {
        state: row.state,
        action: 'endAt',
        allowedActions: allowedOf(ctx, row),
      })
    checkEnd(ctx, row.kind, endAt, '/endAt')
  }
  const isStale = ctx.place.revision !== undefined && ctx.place.revision !== row.revision
  if (isStale) refuse(commonErrors.stale, { revision: row.revision })
  const revision = isAlone ? row.revision + 1 : row.revision
  await ctx.db
    .update(phasedReleases)
    .set({ description, endAt, revision, updatedAt: ctx.now() })
    .where(eq(phasedReleases.versionId, row.versionId))
  ctx.audit({ action: 'phased.describe', entity: 'phased', entityId: row.versionId, after: { description, endAt } })
  return { ...row, description, endAt, revision }
}

async function changeState(ctx: Context, row: PhasedRecord, version: VersionRecord, wish: Wish): Promise<PhasedRecord> {
  const now = ctx.now()
  const said = wish.reason === undefined ? {} : { reason: wish.reason }
  if (wish.state === 'SUSPEND') return movePhased(ctx, row, 'pause', { ...said, set: { pausedAt: now } })
  if (wish.state === 'CANCEL') return cancelPhased(ctx, row, said)
  if (wish.state === 'ROLLBACK') return rollBackPhased(ctx, row, version, { reason: wish.reason, asked: 'phased' })
  return movePhased(ctx, row, 'resume', {
    ...said,
    set: {
      pausedAt: null,
      totalPausedMs: pausedMs(row, now),
      // What made a gate act was looked at by whoever resumes; from here on counts what is new.
      ...((await wasPausedByGate(ctx, row.versionId)) ? { healthBefore: row.health?.own ?? null } : {}),
      nextDayAt: afterPause(row.nextDayAt, row.pausedAt, now),
    },
  })
}

/** The bad version leaves; who has not updated and who is new gets the full one. The revision sent is that of what was asked. */
export async function rollBackPhased(
  ctx: Context,
  row: PhasedRecord,
  version: VersionRecord,
  { reason, asked, trip }: { reason: string | undefined; asked: 'phased' | 'version' | 'gate'; trip?: Trip },
): Promise<PhasedRecord> {
  if (reason === undefined) throw badField('/reason', 'required', 'Say why it is rolled back.')
  const after = await movePhased(ctx, row, 'rollBack', {
    reason,
    isConsequence: asked !== 'phased',
    set: endOf(ctx, row),
    ...(trip ? { trip } : {}),
  })
  await moveVersion(ctx, version, 'rollBack', {
    isConsequence: asked !== 'version',
    facts: { hasPredecessor: true },
    set: { offShelfAt: ctx.now(), releasePhase: 0 },
    note: { reason },
    data: { reason },
  })
  return after
}

/** Whole instead of phased, for a version that is not out yet. */
async function drop(ctx: Context, row: PhasedRecord): Promise<PhasedRecord> {
  const after = await movePhased(ctx, row, 'drop', { set: { endedAt: ctx.now() } })
  await ctx.db.update(versions).set({ releasePhase: 0 }).where(eq(versions.versionId, row.versionId))
  return after
}

interface Share {
  percentBp: number
  day: number | null
}

function shareOf(row: PhasedRecord, { percent, phaseDay }: Wish): Share | null {
  if (phaseDay !== undefined) {
    if (row.kind !== 'CURVE7') throw badField('/phaseDay', 'kind', 'It goes by percent, not by days; give a percent.')
    return { percentBp: shareOfDay(phaseDay), day: phaseDay }
  }
  if (percent === undefined) return null
  const percentBp = basisPointsOf(percent)
  if (row.kind === 'CURVE7' && percentBp !== hundred) {
    throw badField('/percent', 'kind', `It goes by days; give a phaseDay from 2 to ${lastDay}.`)
  }
  return { percentBp, day: null }
}

async function raise(ctx: Context, row: PhasedRecord, share: Share): Promise<PhasedRecord> {
  const isLess = share.percentBp < row.percentBp || (share.day !== null && share.day < (row.day ?? 0))
  const isSame = share.percentBp === row.percentBp
  if (row.state === 'RELEASE' && isLess) {
    const { state } = row
    const standing = { state, allowedActions: allowedOf(ctx, row) }
    refuse(versionPhased.errors.percentCannotDecrease, { percent: percentOf(row.percentBp), ...standing })
  }
  if (row.state === 'RELEASE' && isSame) return (await phasedOf(ctx, row.versionId)) ?? row
  const isCurve = share.day !== null
  return movePhased(ctx, row, 'raise', {
    set: { ...share, ...(isCurve ? { nextDayAt: firstDayEnds(ctx.now()) } : {}) },
  })
}
