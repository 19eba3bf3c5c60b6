import { and, asc, gt, inArray } from 'drizzle-orm'
import type { Context } from '../../../../server/context.ts'
import { expedites } from '../tables.ts'
import { appealLimits } from './rules.ts'

/** When each app was expedited within the days that count, the oldest first. */
export async function expeditesOf(ctx: Context, appIds: readonly string[]): Promise<Map<string, number[]>> {
  const found = new Map<string, number[]>()
  if (appIds.length === 0) return found
  const since = ctx.now() - appealLimits.expediteDays * 86_400_000
  const rows = await ctx.db
    .select({ appId: expedites.appId, at: expedites.at })
    .from(expedites)
    .where(and(inArray(expedites.appId, [...new Set(appIds)]), gt(expedites.at, since)))
    .orderBy(asc(expedites.at))
  for (const { appId, at } of rows) found.set(appId, [...(found.get(appId) ?? []), at])
  return found
}
