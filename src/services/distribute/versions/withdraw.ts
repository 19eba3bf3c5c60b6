import { and, eq, sql } from 'drizzle-orm'
import type { Context } from '../../../server/context.ts'
import { moveVersion } from './moves.ts'
import { loadLocked, type VersionRecord } from './queries.ts'
import { limits } from './rules.ts'
import { cancelShelfOff } from './shelf/shelf-off.ts'
import { withdrawals } from './tables.ts'

/** Takes a version back from the store. Only when it goes through does it count towards the limit of the day. */
export async function withdraw(ctx: Context, versionId: string): Promise<VersionRecord> {
  const { app, version } = await loadLocked(ctx, versionId)
  if (version.state === 'SHELF_OFF_REVIEW') return cancelShelfOff(ctx, versionId)
  if (version.submitQueuedBy !== null) {
    return moveVersion(ctx, version, 'withdraw', {
      set: { submitQueuedBy: null },
      note: { submitQueued: false },
    })
  }
  const day = new Date(ctx.now()).toISOString().slice(0, 10)
  const [today] = await ctx.db
    .select({ times: withdrawals.times })
    .from(withdrawals)
    .where(and(eq(withdrawals.appId, app.appId), eq(withdrawals.day, day)))
  const after = await moveVersion(ctx, version, 'withdraw', {
    facts: { hasWithdrawalsLeft: (today?.times ?? 0) < limits.withdrawalsOfDay },
    // The field keeps an old release time and surprises people with it at the next submit; ours is cleared.
    set: { onShelfTime: null, approvedAt: null, heldBy: null },
  })
  await ctx.db
    .insert(withdrawals)
    .values({ appId: app.appId, day, teamId: version.teamId, times: 1 })
    .onConflictDoUpdate({ target: [withdrawals.appId, withdrawals.day], set: { times: sql`${withdrawals.times} + 1` } })
  return after
}
