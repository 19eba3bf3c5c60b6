import { and, eq } from 'drizzle-orm'
import type { Context } from '../../../server/context.ts'
import { mustBeEditable } from './moves.ts'
import { isShelfReady } from './phased/plan.ts'
import { putOnShelf } from './phased/shelving.ts'
import { loadLocked } from './queries.ts'
import { versions } from './tables.ts'

/** Lets go of what a submission holds: all that is accepted goes on shelf in this one transaction. */
export async function releaseTogether(ctx: Context, submissionId: string): Promise<void> {
  const held = await ctx.db
    .select({ versionId: versions.versionId })
    .from(versions)
    .where(and(eq(versions.heldBy, submissionId), eq(versions.state, 'PENDING_RELEASE')))
    // In one order for everybody, so that two who lock the same apps wait for each other and not in a circle.
    .orderBy(versions.appId)
  for (const { versionId } of held) {
    const { app, version } = await loadLocked(ctx, versionId)
    if (version.state !== 'PENDING_RELEASE' || version.heldBy !== submissionId) continue
    const canGo = app.lifecycle === 'ACTIVE' && (await isShelfReady(ctx, version))
    if (canGo) await putOnShelf(ctx, app, version, 'releaseTogether', { set: { heldBy: null } })
    // The sweep of timed releases takes it when the freeze ends.
    else await free(ctx, versionId)
  }
}

export async function freeOne(ctx: Context, versionId: string): Promise<void> {
  const { version } = await loadLocked(ctx, versionId)
  mustBeEditable(ctx, version)
  await free(ctx, versionId)
}

async function free(ctx: Context, versionId: string): Promise<void> {
  await ctx.db.update(versions).set({ heldBy: null }).where(eq(versions.versionId, versionId))
}
