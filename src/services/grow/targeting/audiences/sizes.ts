import { asc, eq } from 'drizzle-orm'
import type { Context } from '../../../../server/context.ts'
import { audienceSizes as rows } from '../tables.ts'
import { growthOf, sizePoints } from './rules.ts'

const dayMs = 86_400_000

/** Keeps how large an audience is now. */
export async function keepSize(
  ctx: Context,
  { audienceId, teamId, size }: { audienceId: string; teamId: string; size: number },
): Promise<void> {
  await ctx.db
    .insert(rows)
    .values({ audienceId, teamId, size, at: ctx.now() })
    .onConflictDoUpdate({ target: [rows.audienceId, rows.at], set: { size } })
}

/** What is kept of an audience's size, the oldest first, with how it has grown. */
export async function sizesOf(ctx: Context, { audienceId, size }: { audienceId: string; size: number }) {
  const points = await ctx.db
    .select({ at: rows.at, size: rows.size })
    .from(rows)
    .where(eq(rows.audienceId, audienceId))
    .orderBy(asc(rows.at))
  const now = ctx.now()
  return {
    points,
    sinceYesterday: growthOf(points, size, now - dayMs),
    sinceLastWeek: growthOf(points, size, now - 7 * dayMs),
  }
}

/** Of what is older than a week the last point of each day in UTC stays, for 90 days. */
export async function thinSizes(ctx: Context): Promise<void> {
  const now = ctx.now()
  await ctx.transaction(ctx.zone).query({
    name: 'targeting thin sizes',
    text: `DELETE FROM targeting_sizes s WHERE s.at < $1 OR s.at < $2 AND EXISTS (
      SELECT 1 FROM targeting_sizes later WHERE later.audience_id = s.audience_id AND later.at > s.at
        AND later.at < $2 AND later.at / ${dayMs} = s.at / ${dayMs})`,
    values: [now - sizePoints.keptDays * dayMs, now - sizePoints.wholeDays * dayMs],
  })
}
