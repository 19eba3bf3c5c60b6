import { and, asc, eq, gt, isNotNull, sql } from 'drizzle-orm'
import type { Context } from '../../../../server/context.ts'
import type { Event } from '../../../../server/work.ts'
import { rollBackPhased } from '../phased/change.ts'
import { movePhased } from '../phased/move.ts'
import { type PhasedRecord, phasedOf } from '../phased/queries.ts'
import { phasedFactsOf } from '../phased/rules.ts'
import { cancelPhased } from '../phased/shelving.ts'
import { loadLocked } from '../queries.ts'
import { phasedReleases } from '../tables.ts'
import { countedSince, countsOf, type HealthCounts, type Trip, tripOf } from './rules.ts'

interface Told {
  startedAt: number
  at: number
  own: HealthCounts
  base: HealthCounts
}

/** Keeps what the store counted last of a phased release; events may come late and in any order. */
export async function keepHealth(ctx: Context, event: Event): Promise<void> {
  const { startedAt, at, own, base } = event.data as unknown as Told
  const { versionId, startAt, health } = phasedReleases
  await ctx.db
    .update(phasedReleases)
    .set({ health: { at, own, base } })
    .where(
      and(
        eq(versionId, event.entityId),
        eq(startAt, startedAt),
        sql`coalesce((${health} ->> 'at')::bigint, 0) < ${at}`,
      ),
    )
}

const pageSize = 500

/** Looks at every phased release that runs and has gates, and lets those act that were crossed. */
export async function watchGates(ctx: Context): Promise<void> {
  const { versionId, state, gates, health } = phasedReleases
  let after = '0'
  for (;;) {
    const page = await ctx.db
      .select()
      .from(phasedReleases)
      .where(and(sql`${state} = 'RELEASE'`, isNotNull(health), sql`${gates} <> '[]'::jsonb`, gt(versionId, after)))
      .orderBy(asc(versionId))
      .limit(pageSize)
    for (const row of page.filter(one => seenBy(one) !== null)) {
      await ctx
        .transact(inner => act(inner, row.versionId))
        .catch(error => {
          const reason = (error as Error).message
          ctx.log.error({ versionId: row.versionId, reason }, 'a health gate could not act')
        })
    }
    const last = page.at(-1)
    if (!last || page.length < pageSize) return
    after = last.versionId
  }
}

/** What a gate of a release that runs has seen. */
function seenBy({ state, gates, health, healthBefore }: PhasedRecord): Trip | null {
  return state === 'RELEASE' && health
    ? tripOf(gates, countedSince(countsOf(health.own), healthBefore && countsOf(healthBefore)))
    : null
}

/** Looked at again under the lock of the app, so that a gate acts once. */
async function act(ctx: Context, versionId: string): Promise<void> {
  const { version } = await loadLocked(ctx, versionId)
  const row = await phasedOf(ctx, versionId)
  const trip = row ? seenBy(row) : null
  if (!row || !trip) return
  const { appId, teamId } = row
  const did = await carryOut(ctx, row, version, trip)
  ctx.emit({
    type: 'phased.gate_tripped',
    entity: 'phased',
    entityId: versionId,
    teamId,
    data: { appId, versionId, ...trip, did },
  })
}

async function carryOut(
  ctx: Context,
  row: PhasedRecord,
  version: Awaited<ReturnType<typeof loadLocked>>['version'],
  trip: Trip,
): Promise<'rollBack' | 'pause' | 'cancel'> {
  if (trip.action === 'ROLLBACK') {
    await rollBackPhased(ctx, row, version, { reason: 'gate', asked: 'gate', trip })
    return 'rollBack'
  }
  const now = ctx.now()
  const options = { isConsequence: true, reason: 'gate', trip }
  if (phasedFactsOf(row, now).hasPauseLeft) {
    await movePhased(ctx, row, 'pause', { ...options, set: { pausedAt: now } })
    return 'pause'
  }
  // It cannot stand still any more, and must not go on.
  await cancelPhased(ctx, row, options)
  return 'cancel'
}
