import { and, eq, inArray, isNull } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import type { MemberScope, ScopeGiven } from '../../../../kernel/permissions.ts'
import type { Context } from '../../../../server/context.ts'
import { ownRolesOf, permissionsById, scopeSent, thingsOf } from '../queries.ts'
import { permissionMatrix, rightsOf, toMemberScope } from '../rules.ts'
import { members, teamRows } from '../tables.home.ts'

/** What active members may do in a team now, and for what, by account; who is none is left out. */
export async function rightsIn(
  ctx: Context,
  teamId: string,
  accountIds: readonly string[],
): Promise<Map<string, { permissions: ReadonlySet<string>; scope: MemberScope }>> {
  if (accountIds.length === 0) return new Map()
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
    .where(
      and(
        eq(members.teamId, teamId),
        inArray(members.accountId, [...accountIds]),
        eq(members.status, 'active'),
        isNull(teamRows.deletedAt),
      ),
    )
  const all = new Set(Object.keys(permissionMatrix))
  return new Map(
    rows.map(({ accountId, leaderAccountId, roles, scope }) => [
      accountId,
      accountId === leaderAccountId
        ? { permissions: all, scope: 'all' as const }
        : { permissions: rightsOf(roles, own), scope: toMemberScope(scope) },
    ]),
  )
}

/**
 * A scope as it was sent, with the project of each of its apps. Refuses 400 where it says nothing, 404 for what is not
 * the team's or not within the caller's own scope.
 */
export async function scopeWithin(
  ctx: Context,
  sent: { all?: boolean; projects?: string[]; apps?: string[] },
): Promise<{ scope: ScopeGiven; projectOfApp: Record<string, string> }> {
  const scope = await scopeSent(ctx, sent)
  const things = 'all' in scope ? new Map() : await thingsOf(ctx, scope.apps)
  return { scope, projectOfApp: Object.fromEntries([...things].map(([id, thing]) => [id, thing.projectId ?? ''])) }
}

/** An app of the caller's team within his scope, as its events told of it; it may lag behind them by a moment. Refuses 404. */
export async function appWithin(ctx: Context, appId: string): Promise<{ appId: string; projectId: string | null }> {
  const thing = (await thingsOf(ctx, [appId])).get(appId)
  if (thing?.kind !== 'app') refuse(commonErrors.notFound, { entity: 'app', id: appId })
  ctx.assertScope({ appId, projectId: thing.projectId })
  return { appId, projectId: thing.projectId }
}
