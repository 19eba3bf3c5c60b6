import { and, eq, isNull } from 'drizzle-orm'
import type { Context } from '../../../server/context.ts'
import type { Event } from '../../../server/work.ts'
import { tellRights } from './queries.ts'
import { leaderOffers, memberFaces, memberRoles, members, teamRows } from './tables.home.ts'
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
  await ctx.transaction('home').query({
    text: `UPDATE invitations SET address = '', address_key = '' WHERE used_by = $1`,
    values: [accountId],
  })
}
