import { and, asc, count, eq, gt, ilike, inArray, isNull, ne, or, sql } from 'drizzle-orm'
import { covers, type ScopedThing } from '../../../kernel/permissions.ts'
import type { Context } from '../../../server/context.ts'
import { planned } from '../../../server/database/planned.ts'
import { joinMember } from './members/join.ts'
import { ownRolesOf, permissionsById } from './queries.ts'
import { permissionMatrix, permissionsOf, rightsOf, staffMatrix, toMemberScope } from './rules.ts'
import { members, teamRows } from './tables.home.ts'

/** Whether the caller's roles in the store's staff hold a permission, also in a call he makes as a developer. */
export function staffMay(ctx: Context, permission: string): boolean {
  return permissionsOf(ctx.caller.staffRoles, staffMatrix).has(permission)
}

/** Whether an account is a member of a team, active or suspended: a reviewer who is may not decide its tasks. */
export async function isMember(ctx: Context, teamId: string, accountId: string): Promise<boolean> {
  const rows = await ctx.home
    .select({ accountId: members.accountId })
    .from(members)
    .where(and(eq(members.teamId, teamId), eq(members.accountId, accountId), ne(members.status, 'removed')))
  return rows.length > 0
}

/** How many members the team of the call has, suspended ones included. */
export async function memberCountOf(ctx: Context): Promise<number> {
  const [counted] = await membersOfTeam(ctx.transaction('home'), { teamId: ctx.teamId })
  return counted?.members ?? 0
}

const membersOfTeam = planned(db =>
  db
    .select({ members: count() })
    .from(members)
    .where(and(eq(members.teamId, sql.placeholder('teamId')), ne(members.status, 'removed'))),
)

/** Makes a team with its leader. The caller's scope must reach the new team (`all`). */
export async function foundTeam(
  ctx: Context,
  wanted: { name: string; countryCode: string; siteId: number; leaderAccountId: string },
): Promise<typeof teamRows.$inferSelect> {
  const [team] = await ctx.home
    .insert(teamRows)
    .values({ teamId: ctx.newId(), ...wanted, createdAt: ctx.now() })
    .returning()
  if (!team) throw new Error('no row came back')
  await joinMember(ctx, { teamId: team.teamId, accountId: wanted.leaderAccountId, roles: ['leader'] })
  ctx.audit(
    { action: 'team.create', entity: 'team', entityId: team.teamId, teamId: team.teamId, after: { name: wanted.name } },
    'home',
  )
  return team
}

/**
 * Adds an active member with rights in the whole team; who may do that, and which roles, is the caller's to check.
 * Refuses 204111004 when the account is a member already.
 */
export async function joinTeam(
  ctx: Context,
  teamId: string,
  accountId: string,
  roles: readonly string[],
): Promise<void> {
  await joinMember(ctx, { teamId, accountId, roles })
}

/** Active members of a team: those who hold the permission and reach the thing, where these are named. */
export async function membersWith(
  ctx: Context,
  teamId: string,
  wanted: { permission?: string; about?: ScopedThing } = {},
): Promise<string[]> {
  const own = permissionsById(await ownRolesOf(ctx, teamId))
  const rows = await ctx.home
    .select({
      accountId: members.accountId,
      roles: members.roles,
      scope: members.scope,
      leaderAccountId: teamRows.leaderAccountId,
    })
    .from(members)
    .innerJoin(teamRows, eq(teamRows.teamId, members.teamId))
    .where(and(eq(members.teamId, teamId), eq(members.status, 'active'), isNull(teamRows.deletedAt)))
  const isMeant = (row: (typeof rows)[number]) =>
    row.accountId === row.leaderAccountId ||
    ((wanted.permission === undefined || rightsOf(row.roles, own).has(wanted.permission)) &&
      (wanted.about === undefined || covers(toMemberScope(row.scope), wanted.about)))
  return rows.filter(isMeant).map(row => row.accountId)
}

/** What a team is called, who leads it, its country and where its data stays, or null when it is gone. The scope of rows must reach it. */
export async function teamNamed(
  ctx: Context,
  teamId: string,
): Promise<{ teamId: string; name: string; leaderAccountId: string; siteId: number; countryCode: string } | null> {
  const { teamId: id, name, leaderAccountId, siteId, countryCode } = teamRows
  const [team] = await ctx.home
    .select({ teamId: id, name, leaderAccountId, siteId, countryCode })
    .from(teamRows)
    .where(and(eq(teamRows.teamId, teamId), isNull(teamRows.deletedAt)))
  return team ?? null
}

/**
 * Teams that are there, over all: of some ids, or by a part of the name or the whole id; the oldest first, behind
 * `after`. `total` counts without `after`. The scope of rows must reach them.
 */
export async function teamsFound(
  ctx: Context,
  wanted: { teamIds?: readonly string[]; search?: string; after?: string; limit: number },
): Promise<{ total: number; list: { teamId: string; name: string; siteId: number }[] }> {
  const { teamIds, search, after, limit } = wanted
  const like = `%${(search ?? '').replace(/[\\%_]/g, '\\$&')}%`
  const isId = search !== undefined && /^[1-9]\d{0,17}$/.test(search)
  const meant = and(
    isNull(teamRows.deletedAt),
    teamIds ? inArray(teamRows.teamId, [...teamIds]) : undefined,
    search ? or(ilike(teamRows.name, like), isId ? eq(teamRows.teamId, search) : undefined) : undefined,
  )
  const list = await ctx.home
    .select({ teamId: teamRows.teamId, name: teamRows.name, siteId: teamRows.siteId })
    .from(teamRows)
    .where(and(meant, after ? gt(teamRows.teamId, after) : undefined))
    .orderBy(asc(teamRows.teamId))
    .limit(limit)
  return { total: await ctx.home.$count(teamRows, meant), list }
}

/** Every permission that members of teams can hold, in the order of the services. */
export function teamPermissions(): string[] {
  return Object.keys(permissionMatrix)
}
