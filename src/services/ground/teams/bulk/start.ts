import { and, eq, inArray } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { badField } from '../../../../server/http/problem.ts'
import { grantableRoles } from '../members/granting.ts'
import { type BulkAction, limits } from '../rules.ts'
import { memberBulkItems, memberBulks, members } from '../tables.home.ts'

interface BulkWish {
  action: BulkAction
  accountIds: readonly string[]
  roles?: readonly string[]
}

/** Writes down what is to be done with each member and starts the job. One foreign id refuses the whole. */
export async function startBulk(ctx: Context, wish: BulkWish): Promise<{ bulkId: string }> {
  const { action, accountIds } = wish
  const roles = await rolesOf(ctx, wish)
  const found = await ctx.home
    .select({ accountId: members.accountId })
    .from(members)
    .where(and(eq(members.teamId, ctx.teamId), inArray(members.accountId, [...accountIds])))
  const known = new Set(found.map(row => row.accountId))
  const unknown = accountIds.find(id => !known.has(id))
  if (unknown !== undefined) refuse(commonErrors.notFound, { entity: 'member', id: unknown })
  const { accountId, caller, teamId } = ctx
  const bulkId = ctx.startJob(
    {
      kind: 'teams.bulk',
      subject: action,
      input: { action, roles, accountId, accountName: caller.name },
      deadlineMs: limits.bulkMs,
    },
    'home',
  )
  await ctx.home
    .insert(memberBulks)
    .values({ bulkId, teamId, action, roles, total: accountIds.length, createdBy: accountId, createdAt: ctx.now() })
  await ctx.home
    .insert(memberBulkItems)
    .values(accountIds.map((id, position) => ({ bulkId, position, teamId, accountId: id, result: 'WAITING' as const })))
  const after = { members: accountIds.length, roles }
  ctx.audit({ action: `members.${action}`, entity: 'memberBulk', entityId: bulkId, after }, 'home')
  return { bulkId }
}

async function rolesOf(ctx: Context, { action, roles }: BulkWish): Promise<string[]> {
  if (action !== 'roles') {
    if (roles !== undefined) throw badField('/roles', 'action', 'are given with the action roles only')
    return []
  }
  if (roles === undefined) throw badField('/roles', 'required', 'say which roles the members get')
  return grantableRoles(ctx, roles)
}
