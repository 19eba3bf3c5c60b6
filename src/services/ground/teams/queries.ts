import { eq } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import { type members, teamRows } from './tables.home.ts'

export type TeamRow = typeof teamRows.$inferSelect
export type MemberRow = typeof members.$inferSelect

/** The team of the call. */
export async function loadTeam(ctx: Context): Promise<TeamRow> {
  const [team] = await ctx.home.select().from(teamRows).where(eq(teamRows.teamId, ctx.teamId))
  return team ?? refuse(commonErrors.notFound, { entity: 'team', id: ctx.teamId })
}

/** Tells every process that an account's rights changed, and counts the change on the team. */
export async function tellRights(ctx: Context, teamId: string, accountId: string): Promise<void> {
  await ctx.transaction('home').query('UPDATE teams SET perm_version = perm_version + 1 WHERE team_id = $1', [teamId])
  ctx.signal('home', 'teams', accountId)
}
