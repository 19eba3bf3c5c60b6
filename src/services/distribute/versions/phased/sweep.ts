import { and, lte, or, sql } from 'drizzle-orm'
import { moveRamp, rampDue } from '../../../../kernel/ramp/ramp.ts'
import type { Context } from '../../../../server/context.ts'
import { loadLocked } from '../queries.ts'
import { phasedReleases } from '../tables.ts'
import { movePhased } from './move.ts'
import { phasedOf } from './queries.ts'
import { isLive, pausedMs, phasedLimits, rampOf, shareOfDay } from './rules.ts'
import { cancelPhased, completePhased } from './shelving.ts'

/** Takes curves a day further, and ends what was paused too long or has reached its end. Each in a transaction of its own. */
export async function advancePhased(ctx: Context): Promise<void> {
  const now = ctx.now()
  const { state, nextDayAt, endAt, pausedAt, totalPausedMs, versionId } = phasedReleases
  const due = await ctx.db
    .select({ versionId })
    .from(phasedReleases)
    .where(
      or(
        and(sql`${state} = 'RELEASE'`, lte(nextDayAt, now)),
        and(sql`${state} IN ('RELEASE', 'SUSPEND')`, lte(endAt, now)),
        and(sql`${state} = 'SUSPEND'`, lte(pausedAt, sql`${now - phasedLimits.pauseMs}::bigint + ${totalPausedMs}`)),
      ),
    )
    .orderBy(versionId)
    .limit(200)
  for (const one of due) {
    await ctx
      .transact(inner => advanceOne(inner, one.versionId))
      .catch(error => {
        ctx.log.error({ ...one, reason: (error as Error).message }, 'a phased release could not go on')
      })
  }
}

async function advanceOne(ctx: Context, versionId: string): Promise<void> {
  const { app } = await loadLocked(ctx, versionId)
  const row = await phasedOf(ctx, versionId)
  const now = ctx.now()
  if (row && isLive(row.state) && row.endAt !== null && row.endAt <= now) {
    await cancelPhased(ctx, row, { isConsequence: true, reason: 'endTime' })
    return
  }
  if (row?.state === 'SUSPEND' && pausedMs(row, now) >= phasedLimits.pauseMs) {
    await cancelPhased(ctx, row, { isConsequence: true, reason: 'pauseBudget' })
    return
  }
  // The curve of a frozen app stands still until the freeze ends.
  if (!row || app.lifecycle !== 'ACTIVE' || rampDue(rampOf(row), now) !== 'advance') return
  const next = moveRamp(rampOf(row), 'advance', now)
  if (!next) return
  if (next.state === 'completed') {
    await completePhased(ctx, app, row, { isConsequence: true, reason: 'curve' })
    return
  }
  const day = next.step + 1
  await movePhased(ctx, row, 'advance', {
    isConsequence: true,
    reason: 'curve',
    set: { day, percentBp: shareOfDay(day), nextDayAt: next.dueAt },
  })
}
