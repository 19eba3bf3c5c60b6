import { and, eq, lte } from 'drizzle-orm'
import type { Context } from '../../../server/context.ts'
import { transition } from '../../../server/life-cycle.ts'
import type { Work } from '../../../server/work.ts'
import { renewDemos } from './demo/seed.ts'
import { appsHandover } from './handover.ts'
import { moveClaimedName } from './name-moves.ts'
import { appNotices } from './notices.ts'
import { claimPackageName } from './queries.ts'
import { appLifeCycle, reservationMs } from './rules.ts'
import { packageNames } from './tables.home.ts'
import { apps } from './tables.ts'
import { gatherMoves, giveUpMove, moveKind, runMove, sweepMoves } from './transfer/job.ts'
import { moveNotices } from './transfer/notices.ts'

export default {
  handover: appsHandover,
  jobs: [{ kind: moveKind, run: runMove, giveUp: giveUpMove }],
  listeners: [
    appNotices,
    moveNotices,
    {
      // The zone commits before the home database; should the second fail, the name is reserved here.
      name: 'apps.reservePackageName',
      on: ['app.created', 'app.updated'],
      run: async (ctx, event) => {
        const [app] = await ctx.db.select().from(apps).where(eq(apps.appId, event.entityId))
        if (!app?.packageName || app.state === 'DELETED') return
        const [held] = await ctx.home.select().from(packageNames).where(eq(packageNames.appId, app.appId))
        if (held?.packageName !== app.packageName) await claimPackageName(ctx, app, app.packageName)
      },
    },
    { name: 'apps.moveClaimedName', on: ['claim.granted'], run: moveClaimedName },
    {
      name: 'apps.freePackageName',
      on: ['app.purged'],
      run: async (ctx, event) => {
        await ctx.home.delete(packageNames).where(eq(packageNames.appId, event.entityId))
      },
    },
  ],
  sweeps: [
    { name: 'apps.moves', every: '35 * * * * *', database: 'home', run: sweepMoves },
    { name: 'apps.gather', every: '38 */2 * * * *', database: 'zone', run: gatherMoves },
    { name: 'apps.demo', every: '30 */10 * * * *', database: 'zone', run: renewDemos },
    { name: 'apps.purge', every: '0 7 * * * *', database: 'zone', run: purge },
  ],
} satisfies Work

/** Removes apps that were deleted 30 days ago. What other services keep of them goes by the event. */
async function purge(ctx: Context): Promise<void> {
  const due = await ctx.db
    .select()
    .from(apps)
    .where(and(eq(apps.state, 'DELETED'), lte(apps.deletedAt, ctx.now() - reservationMs)))
    .limit(100)
  for (const app of due) {
    await transition(ctx, {
      cycle: appLifeCycle,
      table: 'apps',
      idColumn: 'app_id',
      row: { id: app.appId, state: app.state, revision: app.revision },
      action: 'purge',
      data: { projectId: app.projectId },
      teamId: app.teamId,
    })
    await ctx.db.delete(apps).where(eq(apps.appId, app.appId))
  }
}
