import { randomBytes } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { type Handlers, implement } from '../../../../server/implement.ts'
import { createAccount, findAccount, setHomeTeam } from '../../session/public.ts'
import { loadTeam, lockTeam, scopeSent } from '../queries.ts'
import { members as rows } from '../tables.home.ts'
import { members as contract, membersV2 } from './contract.ts'
import { exportMembers } from './export.ts'
import { assertGrantable, assertRoom, grantableRoles } from './granting.ts'
import { joinMember } from './join.ts'
import { pageOfMembers } from './list.ts'
import { loadMember, moveMember, toMember } from './moves.ts'

const { errors } = contract

const handlers: Handlers<typeof contract> = {
  listMembers: async (ctx, { query }) => {
    const { leaderAccountId } = await loadTeam(ctx)
    const page = await pageOfMembers(ctx, query, leaderAccountId)
    return { ...page, list: page.list.map(row => toMember(ctx, row, leaderAccountId)) }
  },

  exportMembers: (ctx, { query }) => exportMembers(ctx, query),

  addMember: async (ctx, { body }) => {
    const firstPassword = randomBytes(12).toString('base64url')
    return ctx.transact(async inner => {
      const team = await lockTeam(inner)
      const scope = await assertGrantable(inner, body)
      await assertRoom(inner)
      const known = await findAccount(inner, body.loginName)
      if (known) await refuseKnown(inner, known.accountId, body.loginName)
      const accountId = await createAccount(inner, { ...body, password: firstPassword, siteId: team.siteId })
      await joinMember(inner, { teamId: ctx.teamId, accountId, roles: body.roles, scope })
      await setHomeTeam(inner, accountId, ctx.teamId, team.siteId)
      inner.audit({ action: 'member.add', entity: 'member', entityId: accountId, after: { roles: body.roles } }, 'home')
      return { member: toMember(inner, await loadMember(inner, accountId), team.leaderAccountId), firstPassword }
    })
  },

  updateMember: async (ctx, { body }) => {
    const { leaderAccountId } = await loadTeam(ctx)
    const { status, roles, scope } = body
    let row = await loadMember(ctx, body.accountId)
    let { revision } = body
    if (roles || scope) {
      const fields = {
        ...(roles && { roles: await grantableRoles(ctx, roles) }),
        ...(scope && { scope: await scopeSent(ctx, scope) }),
      }
      row = await moveMember(ctx, row, { leaderAccountId, action: 'change', revision, fields })
      revision = row.revision
    }
    if (status !== undefined && status !== row.status) {
      const action = status === 'active' ? 'restore' : 'suspend'
      row = await moveMember(ctx, row, { leaderAccountId, action, revision })
      revision = row.revision
    }
    if (revision !== row.revision) refuse(commonErrors.stale, { revision: row.revision })
    return toMember(ctx, row, leaderAccountId)
  },

  removeMember: async (ctx, { query }) => {
    const { leaderAccountId } = await loadTeam(ctx)
    const row = await loadMember(ctx, query.accountId)
    await moveMember(ctx, row, { leaderAccountId, action: 'remove', revision: ctx.place.revision })
    return {}
  },

  leaveTeam: async ctx => {
    // Locked against a transfer: of two who hand over and leave at once, one leader stays.
    const { leaderAccountId } = await lockTeam(ctx)
    const row = await loadMember(ctx, ctx.accountId)
    await moveMember(ctx, row, { leaderAccountId, action: 'leave', revision: ctx.place.revision })
    return {}
  },

  setUserPermission: async (ctx, { body }) => {
    const { leaderAccountId } = await loadTeam(ctx)
    const { accountId, roles, revision } = body
    const row = await loadMember(ctx, accountId)
    const scope = await assertGrantable(ctx, body)
    const after = await moveMember(ctx, row, {
      leaderAccountId,
      action: 'change',
      revision,
      fields: { roles: [...roles], scope },
    })
    return toMember(ctx, after, leaderAccountId)
  },
}

export default implement(contract, handlers)
export const secondGeneration = implement(membersV2, handlers)

async function refuseKnown(ctx: Context, accountId: string, loginName: string): Promise<never> {
  const [row] = await ctx.home
    .select({ status: rows.status })
    .from(rows)
    .where(and(eq(rows.teamId, ctx.teamId), eq(rows.accountId, accountId)))
  return row && row.status !== 'removed'
    ? refuse(errors.alreadyMember, { loginName })
    : refuse(errors.hasAccount, { loginName })
}
