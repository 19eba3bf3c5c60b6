import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { Context } from '../../../server/context.ts'
import { forgetVisitors } from '../../../server/forgetting.ts'
import type { Event } from '../../../server/work.ts'
import { type InvitationRow, moveInvitation } from './invitations/moves.ts'
import { readAddress } from './invitations/rules.ts'
import { tellRights } from './queries.ts'
import { invitations, leaderOffers, memberFaces, memberRoles, members, teamRows } from './tables.home.ts'
import { moveOffer } from './transfer/moves.ts'

/** The teams that an account leads, found by its memberships. The scope of rows must reach all. */
export async function teamsLedBy(ctx: Context, accountId: string): Promise<{ teamId: string; name: string }[]> {
  return ctx.home
    .select({ teamId: teamRows.teamId, name: teamRows.name })
    .from(members)
    .innerJoin(teamRows, eq(teamRows.teamId, members.teamId))
    .where(and(eq(members.accountId, accountId), eq(teamRows.leaderAccountId, accountId), isNull(teamRows.deletedAt)))
    .orderBy(teamRows.name, teamRows.teamId)
}

/** An account was erased: it is no member any more, and no row of a team has its name or its address. */
export async function forgetAccount(ctx: Context, event: Event): Promise<void> {
  const accountId = event.entityId
  const rows = await ctx.home.select().from(members).where(eq(members.accountId, accountId)).for('update')
  for (const { teamId, status, roles, scope } of rows) {
    if (status === 'removed') continue
    const said = { entity: 'member', entityId: accountId, teamId }
    ctx.audit(
      { action: 'member.remove', ...said, before: { status, roles, scope }, after: { status: 'removed' } },
      'home',
    )
    const data = { accountId, teamId, name: '', from: status, status: 'removed', roles, scope }
    ctx.emit({ type: 'team.member_removed', ...said, data }, 'home')
    await tellRights(ctx, teamId, accountId)
  }
  const offers = await ctx.home
    .select()
    .from(leaderOffers)
    .where(and(eq(leaderOffers.toAccountId, accountId), eq(leaderOffers.state, 'open')))
    .for('update')
  for (const offer of offers) await moveOffer(ctx, offer, 'expire')
  for (const table of [memberRoles, memberFaces, members])
    await ctx.home.delete(table).where(eq(table.accountId, accountId))
  const taken = await ctx.home.select().from(invitations).where(eq(invitations.usedBy, accountId))
  await forgetAddressed(ctx, taken)
}

/** Ends the invitations that are open for these addresses and telephone numbers, and forgets whom any of them asked. */
export async function forgetInvited(ctx: Context, addresses: readonly string[]): Promise<void> {
  const keys = addresses.flatMap(address => readAddress(address)?.key ?? [])
  if (keys.length === 0) return
  const sent = await ctx.home.select().from(invitations).where(inArray(invitations.addressKey, keys)).for('update')
  for (const row of sent) if (row.state === 'open') await moveInvitation(ctx, row, 'expire')
  await forgetAddressed(ctx, sent)
}

async function forgetAddressed(ctx: Context, rows: readonly InvitationRow[]): Promise<void> {
  const ids = rows.map(row => row.invitationId)
  if (ids.length === 0) return
  await ctx.home.update(invitations).set({ address: '', addressKey: '' }).where(inArray(invitations.invitationId, ids))
  await forgetVisitors(ctx, 'home', ids)
}
