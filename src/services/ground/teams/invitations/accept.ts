import { eq } from 'drizzle-orm'
import { refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { accountContacts, accountsOf, setHomeTeam } from '../../session/public.ts'
import { assertTeamsLeft } from '../limits.ts'
import { assertRoom } from '../members/granting.ts'
import { joinMember } from '../members/join.ts'
import { lockTeam, ownRolesOf } from '../queries.ts'
import { isBuiltIn } from '../rules.ts'
import { invitations as rows } from '../tables.home.ts'
import { invitations as contract } from './contract.ts'
import { assertOpen, type InvitationRow, moveInvitation } from './moves.ts'
import { maskedAddress, readAddress } from './rules.ts'

/** Joins the account to the team of an invitation that is locked. The context must reach every team. */
export async function accept(ctx: Context, row: InvitationRow, accountId: string) {
  assertOpen(ctx, row)
  const team = await lockTeam(ctx, row.teamId)
  await assertTeamsLeft(ctx, accountId)
  await assertRoom(ctx, row.teamId)
  await moveInvitation(ctx, row, 'accept')
  await ctx.home.update(rows).set({ usedBy: accountId }).where(eq(rows.invitationId, row.invitationId))
  const own = new Set((await ownRolesOf(ctx, row.teamId)).map(role => role.roleId))
  const roles = row.roles.filter(role => isBuiltIn(role) || own.has(role))
  await joinMember(ctx, { teamId: row.teamId, accountId, roles, scope: row.scope })
  const [account] = await accountsOf(ctx, [accountId])
  if (!account?.homeTeamId) await setHomeTeam(ctx, accountId, row.teamId, team.siteId)
  return team
}

/** Only the invited address: as a login name, or one that was proven. Whoever else holds the link is refused. */
export async function assertInvited(ctx: Context, row: InvitationRow, accountId: string): Promise<void> {
  const [account] = await accountsOf(ctx, [accountId])
  const [contact] = await accountContacts(ctx, [accountId])
  const own = [account?.loginName, contact?.email, contact?.phone].map(one => one && readAddress(one)?.key)
  if (!own.includes(row.addressKey)) refuse(contract.errors.otherAddress, { address: maskedAddress(row.address) })
}
