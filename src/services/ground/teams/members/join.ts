import { eq, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import type { ScopeGiven } from '../../../../kernel/permissions.ts'
import type { Context } from '../../../../server/context.ts'
import { accountsOf } from '../../session/public.ts'
import { tellRights } from '../queries.ts'
import { wholeTeam } from '../rules.ts'
import { members } from '../tables.home.ts'
import { members as contract } from './contract.ts'
import { keepFace } from './faces.ts'
import { keepRoleRows } from './role-rows.ts'

/** Makes an account an active member, one that was removed before as well. Refuses 204111004 when it is one already. */
export async function joinMember(
  ctx: Context,
  wanted: { teamId: string; accountId: string; roles: readonly string[]; scope?: ScopeGiven },
): Promise<void> {
  const { teamId, accountId } = wanted
  const [account] = await accountsOf(ctx, [accountId])
  if (!account) refuse(commonErrors.notFound, { entity: 'account', id: accountId })
  const { name, loginName } = account
  const row = {
    status: 'active' as const,
    roles: [...wanted.roles],
    scope: wanted.scope ?? wholeTeam,
    name,
    loginName,
    joinedAt: ctx.now(),
  }
  const joined = await ctx.home
    .insert(members)
    .values({ teamId, accountId, ...row })
    .onConflictDoUpdate({
      target: [members.teamId, members.accountId],
      set: { ...row, revision: sql`${members.revision} + 1` },
      setWhere: eq(members.status, 'removed'),
    })
    .returning({ accountId: members.accountId })
  if (joined.length === 0) refuse(contract.errors.alreadyMember, { loginName })
  await keepRoleRows(ctx, teamId, accountId)
  await keepFace(ctx, accountId, name, loginName)
  await tellRights(ctx, teamId, accountId)
  const data = { accountId, teamId, roles: row.roles, name }
  ctx.emit({ type: 'team.member_joined', entity: 'member', entityId: accountId, teamId, data }, 'home')
}
