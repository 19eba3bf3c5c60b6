import { and, eq } from 'drizzle-orm'
import type { Context } from '../../../server/context.ts'
import { tellRights } from './queries.ts'
import { members, teamRows } from './tables.home.ts'

/** Whether an account is a member of a team, active or not: a reviewer who is may not decide its tasks. */
export async function isMember(ctx: Context, teamId: string, accountId: string): Promise<boolean> {
  const rows = await ctx.home
    .select({ accountId: members.accountId })
    .from(members)
    .where(and(eq(members.teamId, teamId), eq(members.accountId, accountId)))
  return rows.length > 0
}

/** How many members the team of the call has, suspended ones included. */
export async function memberCountOf(ctx: Context): Promise<number> {
  return ctx.home.$count(members, eq(members.teamId, ctx.teamId))
}

/** Makes a team with its leader. The caller's scope must reach the new team (`all`). */
export async function foundTeam(
  ctx: Context,
  wanted: { name: string; countryCode: string; siteId: number; leaderAccountId: string },
): Promise<typeof teamRows.$inferSelect> {
  const team = { teamId: ctx.newId(), ...wanted, userType: 1, permVersion: 1, createdAt: ctx.now(), revision: 1 }
  await ctx.home.insert(teamRows).values(team)
  await joinTeam(ctx, team.teamId, wanted.leaderAccountId, ['leader'])
  ctx.audit(
    { action: 'team.create', entity: 'team', entityId: team.teamId, teamId: team.teamId, after: { name: wanted.name } },
    'home',
  )
  return team
}

/** Adds an active member; who may do that, and which roles, is the caller's to check. */
export async function joinTeam(
  ctx: Context,
  teamId: string,
  accountId: string,
  roles: readonly string[],
): Promise<void> {
  await ctx.home.insert(members).values({ teamId, accountId, roles: [...roles], joinedAt: ctx.now() })
  await tellRights(ctx, teamId, accountId)
}
