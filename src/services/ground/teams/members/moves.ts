import { and, eq, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import { allowedActions, moveFor } from '../../../../kernel/life-cycle.ts'
import type { ScopeGiven } from '../../../../kernel/permissions.ts'
import type { Static } from '../../../../kernel/shape.ts'
import type { Context } from '../../../../server/context.ts'
import { isWithinOwnScope, type MemberRow, ownRolesOf, permissionsById, tellRights } from '../queries.ts'
import { aboveRights, type MemberAction, memberLifeCycle, rightsOf } from '../rules.ts'
import { members } from '../tables.home.ts'
import { members as contract, type Member } from './contract.ts'
import { keepRoleRows } from './role-rows.ts'

export async function loadMember(ctx: Context, accountId: string): Promise<MemberRow> {
  const [row] = await ctx.home
    .select()
    .from(members)
    .where(and(eq(members.teamId, ctx.teamId), eq(members.accountId, accountId)))
  return row ?? refuse(commonErrors.notFound, { entity: 'member', id: accountId })
}

export function toMember(ctx: Context, row: MemberRow, leaderAccountId: string): Static<typeof Member> {
  const isLeader = row.accountId === leaderAccountId
  const { teamId: _, ...rest } = row
  const actions = allowedActions(memberLifeCycle, row.status, mayOn(ctx, row), { isNotLeader: !isLeader })
  return { ...rest, isLeader, allowedActions: actions.filter(action => action !== 'join') }
}

function mayOn(ctx: Context, row: MemberRow) {
  return (permission: string) => (permission === 'self' ? row.accountId === ctx.caller.accountId : ctx.may(permission))
}

interface Change {
  leaderAccountId: string
  action: MemberAction
  /** What is written besides the state. */
  fields?: { roles?: string[]; scope?: ScopeGiven }
  /** The revision the caller read, where he sent one. */
  revision?: number | undefined
}

/**
 * Moves a member by the table, with one conditional update, so that of two racing callers one wins. Nobody moves a member
 * who may do more, or reaches more, than he does himself.
 */
export async function moveMember(ctx: Context, row: MemberRow, change: Change): Promise<MemberRow> {
  const { action, leaderAccountId } = change
  const isLeader = row.accountId === leaderAccountId
  const move = moveFor(memberLifeCycle, row.status, action, mayOn(ctx, row))
  if (!move) {
    const allowed = allowedActions(memberLifeCycle, row.status, mayOn(ctx, row), { isNotLeader: !isLeader })
    refuse(commonErrors.stateNotAllowed, { state: row.status, allowedActions: allowed })
  }
  if (move.needs?.includes('isNotLeader') && isLeader) refuse(contract.errors.lastLeader)
  if (action !== 'leave') await assertNotAbove(ctx, row)
  if (change.revision !== undefined && change.revision !== row.revision)
    refuse(commonErrors.stale, { revision: row.revision })
  const to = move.to as MemberRow['status']
  const [after] = await ctx.home
    .update(members)
    .set({ ...change.fields, status: to, revision: sql`${members.revision} + 1` })
    .where(
      and(
        eq(members.teamId, row.teamId),
        eq(members.accountId, row.accountId),
        eq(members.revision, row.revision),
        eq(members.status, row.status),
      ),
    )
    .returning()
  if (!after) refuse(commonErrors.stale, { revision: row.revision + 1 })
  await keepRoleRows(ctx, row.teamId, row.accountId)
  await tellRights(ctx, row.teamId, row.accountId)
  const said = (one: MemberRow) => ({ status: one.status, roles: one.roles, scope: one.scope })
  ctx.audit(
    {
      action: `member.${action}`,
      entity: 'member',
      entityId: row.accountId,
      before: said(row),
      after: said(after),
    },
    'home',
  )
  const data = { accountId: row.accountId, teamId: row.teamId, name: row.name, from: row.status, ...said(after) }
  ctx.emit({ type: move.event, entity: 'member', entityId: row.accountId, data }, 'home')
  return after
}

async function assertNotAbove(ctx: Context, row: MemberRow): Promise<void> {
  const own = permissionsById(await ownRolesOf(ctx))
  const lacked = aboveRights(ctx.caller.permissions, rightsOf(row.roles, own))
  if (lacked.length > 0) refuse(contract.errors.aboveOwnRights, { lacked: lacked.join(', ') })
  if (!(await isWithinOwnScope(ctx, row.scope))) refuse(contract.errors.aboveOwnRights, { lacked: 'the whole scope' })
}
