import { and, eq, sql } from 'drizzle-orm'
import { refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { activities } from '../tables.ts'
import { betaActivities as contract } from './contract.ts'

/** Takes a place of an activity; refuses when it is full. Of many at once no more come in than there are places. */
export async function takeActivityPlace(
  ctx: Context,
  { activityId, quota }: { activityId: string; quota: number },
): Promise<void> {
  const [taken] = await ctx.db
    .update(activities)
    .set({ joined: sql`${activities.joined} + 1` })
    .where(
      and(
        eq(activities.activityId, activityId),
        eq(activities.state, 'RECRUITING'),
        sql`${activities.joined} < ${activities.quota}`,
      ),
    )
    .returning({ joined: activities.joined })
  if (!taken) refuse(contract.errors.activityFull, { quota })
}
