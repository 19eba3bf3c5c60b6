import { and, eq, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { badField, isDuplicate } from '../../../../server/http/problem.ts'
import { type Handlers, implement } from '../../../../server/implement.ts'
import { assertRecentAuthentication } from '../../session/public.ts'
import { members } from '../members/contract.ts'
import { lockTeam, ownRolesOf, type TeamRoleRow, tellRights } from '../queries.ts'
import {
  aboveRights,
  dangerousPermissions,
  groupOf,
  limits,
  permissionMatrix,
  permissionsOf,
  type TeamRole,
  teamRoles,
} from '../rules.ts'
import { teamRoleRows } from '../tables.home.ts'
import { roles as contract, rolesV2 } from './contract.ts'

const { errors } = contract

const handlers: Handlers<typeof contract> = {
  listRoles: async ctx => {
    const counts = await holdersOf(ctx)
    const builtIn = teamRoles.map(role => ({
      role,
      name: null,
      description: '',
      builtIn: true,
      basedOn: null,
      permissions: [...permissionsOf([role], permissionMatrix)],
      members: counts.get(role) ?? 0,
      revision: 0,
      allowedActions: [],
    }))
    const own = (await ownRolesOf(ctx)).map(row => toRole(ctx, row, counts.get(row.roleId) ?? 0))
    return { list: [...builtIn, ...own] }
  },

  createRole: async (ctx, { body }) => {
    ctx.assertScope({})
    await lockTeam(ctx)
    await checkPermissions(ctx, body.permissions)
    const count = await ctx.home.$count(teamRoleRows, eq(teamRoleRows.teamId, ctx.teamId))
    if (count >= limits.rolesOfTeam) refuse(errors.tooManyRoles, { limit: limits.rolesOfTeam })
    const now = ctx.now()
    const { name, description = '', basedOn = null, permissions } = body
    const [row] = await ctx.home
      .insert(teamRoleRows)
      .values({
        roleId: ctx.newId(),
        teamId: ctx.teamId,
        ...named(name),
        description,
        basedOn,
        permissions: [...permissions].sort(),
        createdAt: now,
        updatedAt: now,
      })
      .returning()
      .catch(orTaken(name))
    if (!row) throw new Error('no row came back')
    tell(ctx, 'create', null, row)
    return toRole(ctx, row, 0)
  },

  updateRole: async (ctx, { body }) => {
    ctx.assertScope({})
    const before = await loadRole(ctx, body.roleId)
    await checkPermissions(ctx, [...before.permissions, ...(body.permissions ?? [])])
    const { name, description, permissions } = body
    const [row] = await ctx.home
      .update(teamRoleRows)
      .set({
        ...(name !== undefined && named(name)),
        ...(description !== undefined && { description }),
        ...(permissions && { permissions: [...permissions].sort() }),
        updatedAt: ctx.now(),
        revision: sql`${teamRoleRows.revision} + 1`,
      })
      .where(and(isOwn(ctx, body.roleId), eq(teamRoleRows.revision, body.revision)))
      .returning()
      .catch(orTaken(name ?? before.name))
    if (!row) refuse(commonErrors.stale, { revision: before.revision })
    await tellRights(ctx, ctx.teamId, null)
    tell(ctx, 'update', before, row)
    return toRole(ctx, row, (await holdersOf(ctx)).get(row.roleId) ?? 0)
  },

  deleteRole: async (ctx, { query }) => {
    ctx.assertScope({})
    await lockTeam(ctx)
    const row = await loadRole(ctx, query.roleId)
    await checkPermissions(ctx, row.permissions)
    const { rows } = await ctx.transaction('home').query<{ members: number; invitations: number }>({
      name: 'teams role holders',
      text: `SELECT (SELECT count(*)::int FROM members WHERE team_id = $1 AND roles @> ARRAY[$2] AND status <> 'removed') AS members,
        (SELECT count(*)::int FROM invitations WHERE team_id = $1 AND roles @> ARRAY[$2] AND state = 'open') AS invitations`,
      values: [ctx.teamId, row.roleId],
    })
    const held = rows[0] ?? { members: 0, invitations: 0 }
    if (held.members + held.invitations > 0) refuse(errors.roleInUse, held)
    await ctx.home.delete(teamRoleRows).where(isOwn(ctx, query.roleId))
    tell(ctx, 'delete', row, null)
    return {}
  },

  listPermissions: async () => ({
    list: Object.entries(permissionMatrix).map(([permission, holders]) => ({
      permission,
      group: groupOf(permission),
      dangerous: dangerousPermissions.has(permission),
      roles: [...holders],
    })),
  }),
}

export default implement(contract, handlers)
export const secondGeneration = implement(rolesV2, handlers)

function isOwn(ctx: Context, roleId: string) {
  return and(eq(teamRoleRows.teamId, ctx.teamId), eq(teamRoleRows.roleId, roleId))
}

async function loadRole(ctx: Context, roleId: string): Promise<TeamRoleRow> {
  const [row] = await ctx.home.select().from(teamRoleRows).where(isOwn(ctx, roleId))
  return row ?? refuse(commonErrors.notFound, { entity: 'role', id: roleId })
}

/** Known ones, none that the caller lacks; putting in a dangerous one needs a fresh sign-in. */
async function checkPermissions(ctx: Context, permissions: readonly string[]): Promise<void> {
  const unknown = permissions.findIndex(permission => !Object.hasOwn(permissionMatrix, permission))
  if (unknown >= 0) throw badField(`/permissions/${unknown}`, 'permission', `there is no ${permissions[unknown]}`)
  const lacked = aboveRights(ctx.caller.permissions, permissions)
  if (lacked.length > 0) refuse(members.errors.aboveOwnRights, { lacked: lacked.join(', ') })
  if (permissions.some(permission => dangerousPermissions.has(permission))) await assertRecentAuthentication(ctx)
}

/** How many members hold each role. */
async function holdersOf(ctx: Context): Promise<Map<string, number>> {
  const { rows } = await ctx.transaction('home').query<{ role: string; members: number }>({
    name: 'teams role counts',
    text: `SELECT role, count(*)::int AS members FROM members, unnest(roles) AS role
      WHERE team_id = $1 AND status <> 'removed' GROUP BY role`,
    values: [ctx.teamId],
  })
  return new Map(rows.map(row => [row.role, row.members]))
}

function named(name: string): { name: string; nameKey: string } {
  const plain = name.normalize('NFKC').trim()
  return { name: plain, nameKey: plain.toLowerCase() }
}

function orTaken(name: string) {
  return (error: unknown): never => {
    if (isDuplicate(error, 'team_roles_name')) refuse(errors.roleNameTaken, { name })
    throw error
  }
}

function toRole(ctx: Context, row: TeamRoleRow, count: number) {
  const canEdit = ctx.may('teams.roles') && aboveRights(ctx.caller.permissions, row.permissions).length === 0
  const canDelete = canEdit && count === 0
  return {
    role: row.roleId,
    name: row.name,
    description: row.description,
    builtIn: false,
    basedOn: row.basedOn as TeamRole | null,
    permissions: row.permissions,
    members: count,
    revision: row.revision,
    allowedActions: [...(canEdit ? ['edit' as const] : []), ...(canDelete ? ['delete' as const] : [])],
  }
}

function tell(
  ctx: Context,
  verb: 'create' | 'update' | 'delete',
  before: TeamRoleRow | null,
  after: TeamRoleRow | null,
) {
  const row = after ?? before
  if (!row) return
  const said = (one: TeamRoleRow | null) => one && { name: one.name, permissions: one.permissions }
  const entity = { entity: 'team_role', entityId: row.roleId }
  ctx.audit({ action: `team_role.${verb}`, ...entity, before: said(before), after: said(after) }, 'home')
  ctx.emit({ type: `team.role_${verb}d`, ...entity, data: { teamId: row.teamId, name: row.name } }, 'home')
}
