import { eq, inArray } from 'drizzle-orm'
import type { Context } from '../../../../server/context.ts'
import { groupMembers, groupReleases, functionGroups as groups } from './tables.ts'

/** Of a project that is deleted. */
export async function forgetGroups(ctx: Context, projectId: string): Promise<void> {
  const isOwn = eq(groups.projectId, projectId)
  const own = ctx.db.select({ serviceId: groups.serviceId }).from(groups).where(isOwn)
  for (const table of [groupReleases, groupMembers]) await ctx.db.delete(table).where(inArray(table.serviceId, own))
  await ctx.db.delete(groups).where(isOwn)
}
