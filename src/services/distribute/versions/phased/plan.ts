import { eq, sql } from 'drizzle-orm'
import { refuse } from '../../../../kernel/errors.ts'
import type { Static } from '../../../../kernel/shape.ts'
import type { Context } from '../../../../server/context.ts'
import { badField } from '../../../../server/http/problem.ts'
import { checkGates } from '../gates/faults.ts'
import { standingOf } from '../moves.ts'
import { shelfVersionOf, type VersionRecord } from '../queries.ts'
import { phasedReleases } from '../tables.ts'
import { type PhasedPlan, versionPhased } from './contract.ts'
import { phasedOf } from './queries.ts'
import { basisPointsOf, type PhasedKind, phasedLimits, type Sampling, saltOf, shareOfDay } from './rules.ts'

export interface PhaseWish {
  /** 0 whole, 3 phased; left out is as it was. */
  releasePhase?: number
  phasedDescription?: string
  phased?: Static<typeof PhasedPlan>
}

/**
 * Plans how a version that is being submitted comes out, and answers its phase: 0 whole, 3 phased. A dry run plans
 * nothing. Refuses 202030020 where no full version is on shelf.
 */
export async function planPhase(ctx: Context, version: VersionRecord, wish: PhaseWish, isDryRun: boolean) {
  const releasePhase = wish.releasePhase ?? (version.releasePhase === 3 ? 3 : 0)
  if (releasePhase !== 3) {
    if (!isDryRun) await forgetPlan(ctx, version)
    return 0
  }
  if (!(await shelfVersionOf(ctx, version.appId))) refuse(versionPhased.errors.notForFirst, standingOf(ctx, version))
  const before = await phasedOf(ctx, version.versionId)
  // What was planned with the submit before holds when nothing else is said.
  if (before?.state === 'DRAFT' && !wish.phased && wish.phasedDescription === undefined) return 3
  const plan = planOf(ctx, version, wish)
  if (!isDryRun) await writePlan(ctx, version, plan)
  return 3
}

function planOf(ctx: Context, version: VersionRecord, { phased = {}, phasedDescription = '' }: PhaseWish) {
  const kind = phased.kind ?? 'CURVE7'
  const sampling: Sampling = phased.sampling ?? 'STICKY'
  const isCurve = kind === 'CURVE7'
  if (isCurve && phased.percent !== undefined) {
    throw badField('/phased/percent', 'kind', 'A curve has its own shares; choose PERCENT to set one.')
  }
  const percentBp = isCurve ? shareOfDay(1) : basisPointsOf(phased.percent ?? '0')
  if (percentBp < 1 || percentBp > 9999) {
    throw badField('/phased/percent', 'range', 'Give a share from 0.01 to 99.99 percent.')
  }
  phased.countries?.forEach((code, index) => {
    if (!version.countries.includes(code)) {
      throw badField(`/phased/countries/${index}`, 'country', `The version is not offered in ${code}.`)
    }
  })
  const gates = phased.gates ?? []
  checkGates(gates, '/phased/gates')
  const endAt = phased.endAt ?? null
  checkEnd(ctx, kind, endAt, '/phased/endAt')
  return {
    kind,
    gates,
    endAt,
    manualPull: phased.manualPull ?? false,
    sampling,
    newInstalls: phased.newInstalls ?? ('FOLLOW' as const),
    description: phasedDescription,
    percentBp,
    day: isCurve ? 1 : null,
    countries: phased.countries ?? [],
    salt: saltOf(sampling, version.appId, version.versionId),
  }
}

/** Refuses an end that is not ahead, or that a curve, which ends by itself, would not need. */
export function checkEnd(ctx: Context, kind: PhasedKind, endAt: number | null, pointer: string): void {
  if (endAt === null) return
  if (kind === 'CURVE7') throw badField(pointer, 'kind', 'A curve ends by itself; only a PERCENT has an end.')
  const ahead = endAt - ctx.now()
  if (ahead <= 0 || ahead > phasedLimits.endLatestMs) {
    throw badField(pointer, 'range', `Give a time within the next ${phasedLimits.endLatestMs / 86_400_000} days.`)
  }
}

async function writePlan(ctx: Context, version: VersionRecord, plan: ReturnType<typeof planOf>): Promise<void> {
  const { versionId, teamId, appId } = version
  const now = ctx.now()
  const fresh = {
    ...plan,
    state: 'DRAFT' as const,
    startAt: null,
    nextDayAt: null,
    pausedAt: null,
    totalPausedMs: 0,
    health: null,
    healthBefore: null,
    endedAt: null,
    updatedAt: now,
  }
  await ctx.db
    .insert(phasedReleases)
    .values({ versionId, teamId, appId, ...fresh, createdAt: now })
    .onConflictDoUpdate({
      target: phasedReleases.versionId,
      set: { ...fresh, revision: sql`${phasedReleases.revision} + 1` },
    })
}

async function forgetPlan(ctx: Context, version: VersionRecord): Promise<void> {
  if (version.releasePhase !== 3) return
  const row = await phasedOf(ctx, version.versionId)
  if (row?.state === 'DRAFT') await ctx.db.delete(phasedReleases).where(eq(phasedReleases.versionId, row.versionId))
}

/** Whether a version may go on shelf now: one that comes in phases waits while no full one is there. */
export async function isShelfReady(ctx: Context, version: VersionRecord): Promise<boolean> {
  return version.releasePhase !== 3 || (await shelfVersionOf(ctx, version.appId)) !== undefined
}
