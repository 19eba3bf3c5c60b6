import { and, arrayContains, desc, eq, ne } from 'drizzle-orm'
import type { Context } from '../../../../server/context.ts'
import { teamNamed } from '../../../ground/teams/public.ts'
import { appMoves } from '../tables.home.ts'

/** How an app came from another team: whose it was, and since when it is here. */
export interface Arrival {
  moveId: string
  fromTeamName: string
  at: number
}

/** The last time the app came to the caller's team; null where the team made it. Earlier teams are told to nobody. */
export async function arrivalOf(ctx: Context, appId: string): Promise<Arrival | null> {
  const last = await lastArrival(ctx, { appId, teamId: ctx.teamId })
  if (!last) return null
  const team = await ctx.transact(inner => teamNamed(inner, last.fromTeamId), 'all')
  return { moveId: last.moveId, fromTeamName: team?.name ?? last.fromTeamId, at: last.finishedAt ?? 0 }
}

/** Which team had the app before the one that has it, and until when; null where that one made it. */
export async function teamBefore(
  ctx: Context,
  app: { appId: string; teamId: string },
): Promise<{ teamId: string; at: number } | null> {
  const last = await lastArrival(ctx, app)
  return last && { teamId: last.fromTeamId, at: last.finishedAt ?? 0 }
}

async function lastArrival(ctx: Context, { appId, teamId }: { appId: string; teamId: string }) {
  const { moveId, fromTeamId, finishedAt } = appMoves
  const [last] = await ctx.home
    .select({ moveId, fromTeamId, finishedAt })
    .from(appMoves)
    .where(
      and(
        eq(appMoves.toTeamId, teamId),
        ne(appMoves.fromTeamId, teamId),
        eq(appMoves.state, 'DONE'),
        arrayContains(appMoves.appIds, [appId]),
      ),
    )
    .orderBy(desc(appMoves.moveId))
    .limit(1)
  return last ?? null
}
