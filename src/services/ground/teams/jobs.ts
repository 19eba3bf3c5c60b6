import { and, eq, lte } from 'drizzle-orm'
import type { Context } from '../../../server/context.ts'
import type { Work } from '../../../server/work.ts'
import { accountsOf } from '../session/public.ts'
import { giveUpBulk, runBulk } from './bulk/run.ts'
import { teamsHandover } from './handover.ts'
import { mailInvitation } from './invitations/mail.ts'
import { moveInvitation } from './invitations/moves.ts'
import { forgetAccount } from './leaving.ts'
import { keepFace } from './members/faces.ts'
import { catchUpRoleRows } from './members/role-rows.ts'
import { invitations, leaderOffers, members } from './tables.home.ts'
import { catchUp, keepThing, thingEvents } from './things.ts'
import { moveOffer } from './transfer/moves.ts'

export default {
  handover: teamsHandover,
  jobs: [
    { kind: 'teams.invite', run: mailInvitation },
    { kind: 'teams.bulk', run: runBulk, giveUp: giveUpBulk },
  ],
  listeners: [
    { name: 'teams.things', on: thingEvents, run: keepThing },
    { name: 'teams.erased', on: ['session.account_erased'], run: forgetAccount },
  ],
  sweeps: [
    { name: 'teams.expire', every: '20 * * * * *', database: 'home', run: expire },
    { name: 'teams.faces', every: '40 * * * * *', database: 'home', run: copyFaces },
    { name: 'teams.role-rows', every: '40 * * * * *', database: 'home', run: catchUpRoleRows },
    { name: 'teams.things-home', every: '50 */5 * * * *', database: 'home', run: ctx => catchUp(ctx, 'home') },
    { name: 'teams.things-zone', every: '50 */5 * * * *', database: 'zone', run: ctx => catchUp(ctx, ctx.zone) },
  ],
} satisfies Work

/** Ends invitations after seven days and offers of the lead after 72 hours. */
async function expire(ctx: Context): Promise<void> {
  const now = ctx.now()
  const ended = await ctx.home
    .select()
    .from(invitations)
    .where(and(eq(invitations.state, 'open'), lte(invitations.expiresAt, now)))
    .limit(500)
    .for('update', { skipLocked: true })
  for (const row of ended) await moveInvitation(ctx, row, 'expire')
  const offers = await ctx.home
    .select()
    .from(leaderOffers)
    .where(and(eq(leaderOffers.state, 'open'), lte(leaderOffers.expiresAt, now)))
    .limit(500)
    .for('update', { skipLocked: true })
  for (const row of offers) await moveOffer(ctx, row, 'expire')
}

/** Copies names to members that came before names were copied. */
async function copyFaces(ctx: Context): Promise<void> {
  const rows = await ctx.home
    .selectDistinct({ accountId: members.accountId })
    .from(members)
    .where(eq(members.loginName, ''))
    .limit(500)
  for (const { accountId, name, loginName } of await accountsOf(
    ctx,
    rows.map(row => row.accountId),
  )) {
    await ctx.home
      .update(members)
      .set({ name, loginName })
      .where(and(eq(members.accountId, accountId), eq(members.loginName, '')))
    await keepFace(ctx, accountId, name, loginName)
  }
}
