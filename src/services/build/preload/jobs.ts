import { eq, inArray, lt, type SQL } from 'drizzle-orm'
import type { Context } from '../../../server/context.ts'
import type { Server } from '../../../server/server.ts'
import type { Work } from '../../../server/work.ts'
import { atProjectEnd } from '../../ground/projects/public.ts'
import { counterOf, gatheredCounts } from './counting.ts'
import { refreshDue } from './registering.ts'
import { limits } from './rules.ts'
import { preloadPolicies as policies, preloadAnswers, preloadCounts, preloadRegistrations } from './tables.ts'
import { tablesOfPolicy } from './tables-of-policy.ts'

export default {
  handover: {
    stays: {
      preload_policies: 'leads to functions or servers of the former team',
      preload_answers: 'of the policy',
      preload_registrations: 'of the policy',
      preload_counts: 'of the policy',
    },
    zone: (ctx, { appIds }) => forget(ctx, inArray(policies.appId, appIds)),
  },
  listeners: [
    atProjectEnd('preload.projectDeleted', (ctx, projectId) => forget(ctx, eq(policies.projectId, projectId))),
    {
      name: 'preload.appDeleted',
      on: ['app.deleted'],
      run: (ctx, event) => forget(ctx, eq(policies.appId, event.entityId)),
    },
  ],
  sweeps: [
    { name: 'preload.periodic', every: '7 */10 * * * *', database: 'zone', run: refreshDue },
    { name: 'preload.forget', every: '41 23 * * * *', database: 'zone', run: forgetOld },
  ],
  start: (server: Server) => {
    server.gathered.add(gatheredCounts, () => counterOf(server).flush())
    return () => counterOf(server).flush()
  },
} satisfies Work

async function forget(ctx: Context, isMeant: SQL): Promise<void> {
  const rows = await ctx.db.select({ policyId: policies.policyId }).from(policies).where(isMeant)
  const ids = rows.map(row => row.policyId)
  for (const table of ids.length > 0 ? tablesOfPolicy : [])
    await ctx.db.delete(table).where(inArray(table.policyId, ids))
}

async function forgetOld(ctx: Context): Promise<void> {
  const now = ctx.now()
  await ctx.db.delete(preloadAnswers).where(lt(preloadAnswers.keptUntil, now))
  await ctx.db.delete(preloadRegistrations).where(lt(preloadRegistrations.endsAt, now))
  await ctx.db.delete(preloadCounts).where(lt(preloadCounts.hourAt, now - limits.statisticsHours * 3_600_000))
}
