import { and, eq, isNull, lte, or } from 'drizzle-orm'
import { refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import { badField } from '../../../server/http/problem.ts'
import { versions as contract } from './contract.ts'
import { moveVersion, standingOf } from './moves.ts'
import { isShelfReady } from './phased/plan.ts'
import { putOnShelf } from './phased/shelving.ts'
import { loadLocked, type VersionRecord } from './queries.ts'
import { isReleaseTime, limits, releasesAtOnce } from './rules.ts'
import { versions } from './tables.ts'

/** 1 release now, 2 as soon as approved, 3 at another time. */
export async function changeRelease(
  ctx: Context,
  wish: { versionId: string; changeType: number; releaseTime?: number },
): Promise<VersionRecord> {
  const { app, version } = await loadLocked(ctx, wish.versionId)
  const isApproved = version.state === 'PENDING_RELEASE'
  if (wish.changeType === 1 || (wish.changeType === 2 && isApproved)) {
    return putOnShelf(ctx, app, version, 'release', { set: { releaseMode: version.releaseMode } })
  }
  if (wish.changeType === 2) {
    return moveVersion(ctx, version, 'changeTime', {
      set: { releaseMode: 'AUTO', onShelfTime: null },
      note: { releaseMode: 'AUTO' },
    })
  }
  const { releaseTime } = wish
  if (releaseTime === undefined) throw badField('/releaseTime', 'required', 'changeType 3 needs a release time.')
  const now = ctx.now()
  const after = await moveVersion(ctx, version, 'changeTime', {
    set: { releaseMode: 'TIMED', onShelfTime: releaseTime },
    note: { releaseMode: 'TIMED', onShelfTime: releaseTime },
    data: { onShelfTime: releaseTime },
  })
  if (!isReleaseTime(releaseTime, now)) {
    refuse(contract.errors.releaseTime, {
      ...standingOf(ctx, version),
      earliest: new Date(now + limits.releaseSoonestMs).toISOString(),
      latest: new Date(now + limits.releaseLatestMs).toISOString(),
    })
  }
  return after
}

/** Releases what is due and lets go of what nobody released. Each version in a transaction of its own. */
export async function releaseDue(ctx: Context): Promise<void> {
  const now = ctx.now()
  const due = await ctx.db
    .select({ versionId: versions.versionId })
    .from(versions)
    .where(
      and(
        eq(versions.state, 'PENDING_RELEASE'),
        or(
          and(eq(versions.releaseMode, 'AUTO'), isNull(versions.heldBy)),
          and(lte(versions.onShelfTime, now), isNull(versions.heldBy)),
          lte(versions.updatedAt, now - limits.pendingMs),
        ),
      ),
    )
    .orderBy(versions.onShelfTime)
    .limit(200)
  for (const { versionId } of due) {
    await ctx
      .transact(inner => releaseOne(inner, versionId))
      .catch(error => {
        ctx.log.error({ versionId, reason: (error as Error).message }, 'a version could not be released')
      })
  }
}

async function releaseOne(ctx: Context, versionId: string): Promise<void> {
  const { app, version } = await loadLocked(ctx, versionId)
  if (version.state !== 'PENDING_RELEASE') return
  const now = ctx.now()
  if (releasesAtOnce(version, now)) {
    // A frozen app keeps its place and is released when the freeze ends.
    if (app.lifecycle === 'ACTIVE' && (await isShelfReady(ctx, version))) {
      await putOnShelf(ctx, app, version, 'releaseOnTime')
    }
  } else if (version.updatedAt <= now - limits.pendingMs) {
    await moveVersion(ctx, version, 'expire', { set: { onShelfTime: null, heldBy: null } })
  }
}
