import { and, eq, inArray, isNull, not, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import type { ScopeGiven } from '../../../kernel/permissions.ts'
import type { Context } from '../../../server/context.ts'
import { planned } from '../../../server/database/planned.ts'
import { badField } from '../../../server/http/problem.ts'
import { aboveRights, isBuiltIn, isScopeWithin, limits, readScope, rightsOf } from './rules.ts'
import { type members, scopeThings, teamRoleRows, teamRows } from './tables.home.ts'

export type TeamRow = typeof teamRows.$inferSelect
export type MemberRow = typeof members.$inferSelect
export type TeamRoleRow = typeof teamRoleRows.$inferSelect

const livingTeam = planned(db =>
  db
    .select()
    .from(teamRows)
    .where(and(eq(teamRows.teamId, sql.placeholder('teamId')), isNull(teamRows.deletedAt))),
)

/** The team of the call. */
export async function loadTeam(ctx: Context, teamId = ctx.teamId): Promise<TeamRow> {
  const [team] = await livingTeam(ctx.transaction('home'), { teamId })
  return team ?? refuse(commonErrors.notFound, { entity: 'team', id: teamId })
}

/** The team, locked: whoever counts something against a limit, or changes the lead, takes this first. */
export async function lockTeam(ctx: Context, teamId = ctx.teamId): Promise<TeamRow> {
  const [team] = await ctx.home
    .select()
    .from(teamRows)
    .where(and(eq(teamRows.teamId, teamId), isNull(teamRows.deletedAt)))
    .for('no key update')
  return team ?? refuse(commonErrors.notFound, { entity: 'team', id: teamId })
}

/** Tells every process that an account's rights changed, or those of a whole team (null), and counts it on the team. */
export async function tellRights(ctx: Context, teamId: string, accountId: string | null): Promise<void> {
  await ctx.transaction('home').query('UPDATE teams SET perm_version = perm_version + 1 WHERE team_id = $1', [teamId])
  ctx.signal('home', 'teams', accountId ?? `team:${teamId}`)
}

/** The team's own roles, by name. */
export async function ownRolesOf(ctx: Context, teamId = ctx.teamId): Promise<TeamRoleRow[]> {
  return ctx.home.select().from(teamRoleRows).where(eq(teamRoleRows.teamId, teamId)).orderBy(teamRoleRows.nameKey)
}

/** Permissions of the team's own roles by id. */
export function permissionsById(roles: readonly TeamRoleRow[]): Record<string, string[]> {
  return Object.fromEntries(roles.map(role => [role.roleId, role.permissions]))
}

/** Refuses a role that the team does not have, with the field. */
export function checkRoles(roles: readonly string[], own: Readonly<Record<string, unknown>>): void {
  const unknown = roles.findIndex(role => !isBuiltIn(role) && !(role in own))
  if (unknown >= 0) throw badField(`/roles/${unknown}`, 'role', `the team has no role ${roles[unknown]}`)
}

/** What the caller lacks of the rights of some roles. */
export function lackedFor(ctx: Context, roles: readonly string[], own: Record<string, string[]>): string[] {
  return aboveRights(ctx.caller.permissions, rightsOf(roles, own))
}

/**
 * A scope as it was sent, checked: it says something, and names only what the team has and what the caller may reach
 * himself. What he may not reach is not found, as if it were another team's.
 */
export async function scopeSent(
  ctx: Context,
  sent: { all?: boolean; projects?: string[]; apps?: string[] },
): Promise<ScopeGiven> {
  const scope = readScope(sent)
  if (!scope) throw badField('/scope', 'scope', 'name projects or apps, or set all, and not both')
  if ('all' in scope) {
    ctx.assertScope({})
    return scope
  }
  if (scope.projects.length > limits.scopeProjects)
    throw badField('/scope/projects', 'maxItems', `at most ${limits.scopeProjects} projects`)
  if (scope.apps.length > limits.scopeApps)
    throw badField('/scope/apps', 'maxItems', `at most ${limits.scopeApps} apps`)
  const things = await thingsOf(ctx, [...scope.projects, ...scope.apps])
  for (const [kind, ids] of [['project', scope.projects] as const, ['app', scope.apps] as const]) {
    for (const id of ids) {
      const thing = things.get(id)
      const isKnown = thing?.kind === kind
      const placed = kind === 'app' ? { appId: id, projectId: thing?.projectId ?? null } : { projectId: id }
      if (!isKnown) refuse(commonErrors.notFound, { entity: kind, id })
      ctx.assertScope(placed)
    }
  }
  return scope
}

/** Projects and apps of the team by id; those of others are left out. */
export async function thingsOf(ctx: Context, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, typeof scopeThings.$inferSelect>()
  const rows = await ctx.home
    .select()
    .from(scopeThings)
    .where(and(eq(scopeThings.teamId, ctx.teamId), not(scopeThings.hasEnded), inArray(scopeThings.thingId, [...ids])))
  return new Map(rows.map(row => [row.thingId, row]))
}

/** Whether the caller's own scope holds a member's: who reaches less may not change who reaches more. */
export async function isWithinOwnScope(ctx: Context, scope: ScopeGiven): Promise<boolean> {
  const things = 'all' in scope || ctx.memberScope === 'all' ? new Map() : await thingsOf(ctx, scope.apps)
  return isScopeWithin(ctx.memberScope, scope, appId => things.get(appId)?.projectId ?? null)
}
