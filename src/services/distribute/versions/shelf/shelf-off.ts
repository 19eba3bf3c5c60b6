import { eq } from 'drizzle-orm'
import type { Context } from '../../../../server/context.ts'
import { moveVersion } from '../moves.ts'
import { leaveShelf, putOnShelf } from '../phased/shelving.ts'
import { loadLocked, shelfVersionOf, type VersionRecord } from '../queries.ts'
import { limits } from '../rules.ts'
import { installs } from '../tables.ts'

/** Takes the app off the shelf, or asks the store to when many people have it. */
export async function shelfOff(ctx: Context, versionId: string, reason: string): Promise<VersionRecord> {
  const { app, version } = await loadLocked(ctx, versionId)
  const [counted] = await ctx.db.select({ active: installs.active }).from(installs).where(eq(installs.appId, app.appId))
  const isShelfOffReviewed = (counted?.active ?? 0) > limits.shelfOffReviewInstalls
  const now = ctx.now()
  const after = await moveVersion(ctx, version, 'shelfOff', {
    facts: { isShelfOffReviewed },
    set: {
      lastShelfOff: { state: isShelfOffReviewed ? 'REQUESTED' : 'DONE', reason, at: now },
      ...(isShelfOffReviewed ? {} : { offShelfAt: now }),
    },
    note: { reason },
    data: { reason },
  })
  if (!isShelfOffReviewed) await leaveShelf(ctx, after, version.state)
  return after
}

/** Takes back a requested shelf-off, or acknowledges that one was refused. */
export async function cancelShelfOff(ctx: Context, versionId: string): Promise<VersionRecord> {
  const { version } = await loadLocked(ctx, versionId)
  const action = version.state === 'ON_SHELF' ? 'acknowledgeShelfOff' : 'cancelShelfOff'
  return moveVersion(ctx, version, action, { set: { lastShelfOff: null } })
}

export async function forceOff(
  ctx: Context,
  wish: { versionId: string; reasonCode: string; notice: string },
): Promise<VersionRecord> {
  const { version } = await loadLocked(ctx, wish.versionId)
  const { reasonCode, notice } = wish
  const now = ctx.now()
  const after = await moveVersion(ctx, version, 'forceOff', {
    set: { storeNotice: { reasonCode, notice, at: now }, offShelfAt: now },
    note: { reasonCode, notice },
    data: { reasonCode },
  })
  await leaveShelf(ctx, after, version.state)
  return after
}

export async function restore(ctx: Context, wish: { versionId: string; notice: string }): Promise<VersionRecord> {
  const { app, version } = await loadLocked(ctx, wish.versionId)
  const other = await shelfVersionOf(ctx, app.appId)
  // Checked before the move: putting on shelf would supersede the other one.
  if (other) return moveVersion(ctx, version, 'restore', { facts: { isShelfFree: false } })
  return putOnShelf(ctx, app, version, 'restore', {
    set: { storeNotice: null },
    note: { notice: wish.notice },
  })
}
