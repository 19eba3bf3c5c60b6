import { and, eq, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import { allowedActions } from '../../../../kernel/life-cycle.ts'
import type { Context } from '../../../../server/context.ts'
import { badField } from '../../../../server/http/problem.ts'
import { type Handlers, implement } from '../../../../server/implement.ts'
import { accountsOf, assertRecentAuthentication } from '../../session/public.ts'
import { loadMember } from '../members/moves.ts'
import { keepRoleRows } from '../members/role-rows.ts'
import { loadTeam, lockTeam, type TeamRow, tellRights } from '../queries.ts'
import { limits, wholeTeam } from '../rules.ts'
import { leaderOffers, members, teamRows } from '../tables.home.ts'
import { transfer as contract, transferV2 } from './contract.ts'
import { moveOffer, type OfferRow } from './moves.ts'
import { type OfferAction, offerLifeCycle } from './rules.ts'

const { errors } = contract

const handlers: Handlers<typeof contract> = {
  getMainUser: async ctx => toLead(ctx, await loadTeam(ctx)),

  changeMainUser: async (ctx, { body }) => {
    const team = await lockTeam(ctx)
    if (body.action === 'offer') await offer(ctx, team, body.accountId)
    else await answer(ctx, team, body.action)
    return toLead(ctx, await loadTeam(ctx))
  },
}

export default implement(contract, handlers)
export const secondGeneration = implement(transferV2, handlers)

async function offer(ctx: Context, team: TeamRow, accountId: string | undefined): Promise<void> {
  if (accountId === undefined) throw badField('/accountId', 'required', 'say to whom the lead is held out')
  const to = await loadMember(ctx, accountId)
  if (!ctx.may('teams.transfer')) refuse(commonErrors.notAllowed, { permission: 'teams.transfer' })
  if (to.status !== 'active' || accountId === team.leaderAccountId) refuse(errors.notActive)
  await assertRecentAuthentication(ctx)
  const open = await openOffer(ctx)
  if (open) refuse(errors.offerOpen, { name: await nameOf(ctx, open.toAccountId) })
  const now = ctx.now()
  const offerId = ctx.newId()
  await ctx.home.insert(leaderOffers).values({
    offerId,
    teamId: ctx.teamId,
    fromAccountId: team.leaderAccountId,
    toAccountId: accountId,
    state: 'open',
    expiresAt: now + limits.leaderOfferMs,
    createdAt: now,
    updatedAt: now,
  })
  const said = { entity: 'leader_offer', entityId: offerId }
  ctx.audit({ action: 'leader_offer.create', ...said, after: { toAccountId: accountId } }, 'home')
  const data = { accountId, teamId: ctx.teamId, fromAccountId: team.leaderAccountId, teamName: team.name }
  ctx.emit({ type: 'team.leader_offered', ...said, data }, 'home')
}

async function answer(ctx: Context, team: TeamRow, action: Exclude<OfferAction, 'expire'>): Promise<void> {
  const open = await openOffer(ctx)
  if (!open) refuse(errors.offerMissing)
  if (!actionsOn(ctx, open).includes(action)) {
    refuse(commonErrors.notAllowed, { permission: action === 'cancel' ? 'teams.transfer' : 'of who it is offered to' })
  }
  const isOfLeader = open.fromAccountId === team.leaderAccountId
  if (action === 'accept' && !isOfLeader) refuse(errors.offerMissing)
  await moveOffer(ctx, open, action)
  if (action !== 'accept') return
  const to = await loadMember(ctx, open.toAccountId)
  if (to.status !== 'active') refuse(errors.notActive)
  await handOver(ctx, team.leaderAccountId, open.toAccountId)
}

/** The old leader becomes an administrator; both hold for the whole team. The team is locked. */
async function handOver(ctx: Context, from: string, to: string): Promise<void> {
  await ctx.home
    .update(teamRows)
    .set({ leaderAccountId: to, revision: sql`${teamRows.revision} + 1` })
    .where(eq(teamRows.teamId, ctx.teamId))
  for (const [accountId, role] of [
    [from, 'administrator'],
    [to, 'leader'],
  ] as const) {
    await ctx.home
      .update(members)
      .set({ roles: [role], scope: wholeTeam, revision: sql`${members.revision} + 1` })
      .where(and(eq(members.teamId, ctx.teamId), eq(members.accountId, accountId)))
    await keepRoleRows(ctx, ctx.teamId, accountId)
    await tellRights(ctx, ctx.teamId, accountId)
  }
  const said = { entity: 'team', entityId: ctx.teamId }
  ctx.audit(
    { action: 'team.leader', ...said, before: { leaderAccountId: from }, after: { leaderAccountId: to } },
    'home',
  )
}

/** The open offer of the team; one that ran out is put down as such. */
async function openOffer(ctx: Context): Promise<OfferRow | null> {
  const row = await offerOf(ctx)
  if (!row || row.expiresAt > ctx.now()) return row
  await moveOffer(ctx, row, 'expire')
  return null
}

async function offerOf(ctx: Context): Promise<OfferRow | null> {
  const [row] = await ctx.home
    .select()
    .from(leaderOffers)
    .where(and(eq(leaderOffers.teamId, ctx.teamId), eq(leaderOffers.state, 'open')))
  return row ?? null
}

function actionsOn(ctx: Context, row: OfferRow) {
  const may = (right: string) => (right === 'offered' ? row.toAccountId === ctx.accountId : ctx.may(right))
  return allowedActions(offerLifeCycle, row.state, may).filter(action => action !== 'expire')
}

async function nameOf(ctx: Context, accountId: string): Promise<string> {
  const [account] = await accountsOf(ctx, [accountId])
  return account?.name ?? ''
}

async function toLead(ctx: Context, team: TeamRow) {
  const row = await offerOf(ctx)
  const open = row && row.expiresAt > ctx.now() ? row : null
  const people = await accountsOf(ctx, [team.leaderAccountId, ...(open ? [open.toAccountId] : [])])
  const leader = people.find(one => one.accountId === team.leaderAccountId)
  const toName = people.find(one => one.accountId === open?.toAccountId)?.name ?? ''
  return {
    leader: { accountId: team.leaderAccountId, name: leader?.name ?? '', loginName: leader?.loginName ?? '' },
    offer: open && { ...open, toName, allowedActions: actionsOn(ctx, open) },
  }
}
