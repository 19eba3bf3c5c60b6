import { and, asc, eq, not } from 'drizzle-orm'
import type { Context } from '../../../../server/context.ts'
import { scopeThings, teamRows } from '../tables.home.ts'

/** Where visitors look around: they read as the account that leads the team, as which nobody can sign in. */
export interface VisitorPlace {
  accountId: string
  teamId: string
  /** The demo projects, the oldest first. */
  projectIds: string[]
}

/** The place of visitors, or null where nobody made it. The scope of rows must be all. */
export async function visitorPlace(ctx: Context): Promise<VisitorPlace | null> {
  const [team] = await ctx.home
    .select({ teamId: teamRows.teamId, accountId: teamRows.leaderAccountId })
    .from(teamRows)
    .where(eq(teamRows.isForVisitors, true))
  if (!team) return null
  const isOpen = and(eq(scopeThings.teamId, team.teamId), eq(scopeThings.kind, 'project'), not(scopeThings.hasEnded))
  const rows = await ctx.home
    .select({ thingId: scopeThings.thingId })
    .from(scopeThings)
    .where(isOpen)
    .orderBy(asc(scopeThings.thingId))
  return { ...team, projectIds: rows.map(row => row.thingId) }
}
