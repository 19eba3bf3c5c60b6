import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import { toUserPermission } from '../../../../kernel/permissions.ts'
import type { Context } from '../../../../server/context.ts'
import { type Handlers, implement } from '../../../../server/implement.ts'
import { accountsOf } from '../../session/public.ts'
import { loadMember } from '../members/moves.ts'
import { loadTeam, ownRolesOf, thingsOf } from '../queries.ts'
import { mayDo, permissionMatrix, permissionsOf, teamRoles, toMemberScope } from '../rules.ts'
import { permissionCheck, permissionExplain, permissionExplainV2 } from './contract.ts'
import { explain, type RoleHeld } from './rules.ts'

const checking: Handlers<typeof permissionCheck> = {
  checkPermission: async (ctx, { body }) => {
    const { permVersion } = await loadTeam(ctx)
    const things = await thingsOf(
      ctx,
      body.permissions.flatMap(one => [one.projectId, one.appId].filter(id => id !== undefined)),
    )
    const member = { permissions: ctx.caller.permissions, scope: ctx.memberScope }
    const list = body.permissions.map(({ permission, projectId, appId }) => {
      const thing = appId ?? projectId
      if (thing !== undefined && !things.has(thing)) {
        refuse(commonErrors.notFound, { entity: appId === undefined ? 'project' : 'app', id: thing })
      }
      const placed = appId === undefined ? { projectId } : { appId, projectId: things.get(appId)?.projectId ?? null }
      const isAllowed = mayDo(member, permission, thing === undefined ? undefined : (placed as { appId?: string }))
      return { permission, projectId: projectId ?? null, appId: appId ?? null, isAllowed }
    })
    return { list, permVersion }
  },

  syncRelation: async (ctx, { body }) => {
    const { permVersion } = await loadTeam(ctx)
    const me = await loadMember(ctx, ctx.accountId)
    const isCurrent = permVersion === body.permVersion
    if (!isCurrent) ctx.signal('home', 'teams', ctx.accountId)
    return {
      isCurrent,
      permVersion,
      userRoles: me.roles,
      userPermission: toUserPermission(ctx.caller.permissions) as Record<string, 'Y'>,
      scope: me.scope,
    }
  },
}

const explaining: Handlers<typeof permissionExplain> = {
  explainPermission: async (ctx, { query }) => {
    const { code, resource, accountId = ctx.accountId } = query
    const member = await loadMember(ctx, accountId)
    if (accountId !== ctx.accountId && !ctx.may('teams.members')) {
      refuse(commonErrors.notAllowed, { permission: 'teams.members' })
    }
    const team = await loadTeam(ctx)
    const thing = resource === undefined ? null : (await thingsOf(ctx, [resource])).get(resource)
    if (thing === undefined) refuse(commonErrors.notFound, { entity: 'project or app', id: resource })
    const [leader] = await accountsOf(ctx, [team.leaderAccountId])
    const placed =
      thing &&
      (thing.kind === 'app' ? { appId: thing.thingId, projectId: thing.projectId } : { projectId: thing.thingId })
    const isLeader = accountId === team.leaderAccountId
    const told = explain(
      {
        roles: member.roles,
        scope: isLeader ? 'all' : toMemberScope(member.scope),
        isActive: member.status === 'active',
      },
      await rolesOf(ctx),
      code,
      placed,
      permission => Object.hasOwn(permissionMatrix, permission),
    )
    return {
      ...told,
      resource: thing && { kind: thing.kind, id: thing.thingId, name: thing.name },
      leaderName: leader?.name ?? '',
    }
  },
}

export default implement(permissionCheck, checking)
export const explanation = implement(permissionExplain, explaining)
export const explanationV2 = implement(permissionExplainV2, explaining)

async function rolesOf(ctx: Context): Promise<RoleHeld[]> {
  const builtIn = teamRoles.map(role => ({
    role,
    name: null,
    permissions: [...permissionsOf([role], permissionMatrix)],
  }))
  const own = (await ownRolesOf(ctx)).map(({ roleId, name, permissions }) => ({ role: roleId, name, permissions }))
  return [...builtIn, ...own]
}
