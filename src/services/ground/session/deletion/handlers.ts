import { and, asc, eq, type SQL, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import { allowedActions } from '../../../../kernel/life-cycle.ts'
import type { Context } from '../../../../server/context.ts'
import { badField } from '../../../../server/http/problem.ts'
import { implement } from '../../../../server/implement.ts'
import { endSessions } from '../ending.ts'
import { takeBack } from '../hand-over.ts'
import { assertRecent } from '../recent.ts'
import { accountStatus } from '../rules.ts'
import { accountDeletions, accounts } from '../tables.home.ts'
import { teamsOf } from '../team-doors.ts'
import { spendTicket } from '../tickets.ts'
import {
  type DeletionRow,
  deletionOf,
  isLastAdministrator,
  refuseWhileNeeded,
  reopen,
  startDeletion,
  stopDeletion,
} from './asking.ts'
import { deletionCalls } from './contract.ts'
import { deletionGraceMs, deletionLifeCycle } from './rules.ts'

const { errors } = deletionCalls

export default implement(deletionCalls, {
  getDeletion: ctx =>
    ctx.transact(
      async inner => ({
        graceMs: deletionGraceMs,
        teamsLed: await teamsOf(ctx).teamsLedBy(inner, ctx.accountId),
        isLastAdministrator: await isLastAdministrator(inner, ctx.accountId),
      }),
      'all',
    ),

  askDeletion: async (ctx, _input, { reply }) => {
    const { accountId } = ctx
    const { erasesAt } = await ctx.transact(async inner => {
      await assertRecent(inner)
      await refuseWhileNeeded(inner, accountId)
      await inner.home
        .update(accounts)
        .set({ status: accountStatus.pendingDeletion, revision: sql`${accounts.revision} + 1` })
        .where(eq(accounts.accountId, accountId))
      await endSessions(inner, accountId)
      return startDeletion(inner, accountId)
    }, 'all')
    takeBack(ctx, reply)
    return { erasesAt }
  },

  keepAccount: async (ctx, { body }) => {
    const ticket = await spendTicket(ctx, 'keep', body.ticket)
    const row = ticket?.accountId ? await deletionOf(ctx, ticket.accountId) : null
    if (row?.state !== 'asked') refuse(errors.ticketSpent)
    await stopDeletion(ctx, row.accountId, 'self')
    await reopen(ctx, row.accountId)
    return {}
  },

  listDeletions: async (ctx, { query }) => {
    const { state, cursor, pageSize = 20 } = query
    const matches = state && eq(accountDeletions.state, state)
    const rows = await ctx.home
      .select({ row: accountDeletions, name: accounts.name, loginName: accounts.loginName })
      .from(accountDeletions)
      .leftJoin(accounts, eq(accounts.accountId, accountDeletions.accountId))
      .where(and(matches, cursor === undefined ? undefined : after(cursor)))
      .orderBy(asc(accountDeletions.state), asc(accountDeletions.erasesAt), asc(accountDeletions.accountId))
      .limit(pageSize + 1)
    const last = rows[pageSize - 1]?.row
    return {
      total: await ctx.home.$count(accountDeletions, matches),
      list: rows.slice(0, pageSize).map(({ row, name, loginName }) => viewOf(ctx, row, name, loginName)),
      nextCursor: rows.length > pageSize && last ? `${last.state}.${last.erasesAt}.${last.accountId}` : null,
    }
  },

  cancelDeletion: async (ctx, { params, body }) => {
    const { accountId } = params
    await assertRecent(ctx)
    const row = await deletionOf(ctx, accountId)
    if (row?.state !== 'asked') refuse(commonErrors.notFound, { entity: 'deletion', id: accountId })
    if (row.revision !== body.revision) refuse(commonErrors.stale, { revision: row.revision })
    await stopDeletion(ctx, accountId, 'staff')
    await reopen(ctx, accountId)
    const [account] = await ctx.home.select().from(accounts).where(eq(accounts.accountId, accountId))
    const kept = (await deletionOf(ctx, accountId)) ?? row
    return viewOf(ctx, kept, account?.name ?? null, account?.loginName ?? null)
  },
})

function viewOf(ctx: Context, row: DeletionRow, name: string | null, loginName: string | null) {
  const actions = allowedActions(deletionLifeCycle, row.state, permission => ctx.may(permission))
  return {
    ...row,
    name,
    loginName,
    isAskedBySelf: row.askedBy === row.accountId,
    allowedActions: actions.filter(action => action === 'cancel'),
  }
}

function after(cursor: string): SQL {
  const [, state, erasesAt, accountId] = /^([a-z]{1,20})\.([0-9]{1,16})\.([0-9]{1,18})$/.exec(cursor) ?? []
  if (state === undefined || erasesAt === undefined || accountId === undefined)
    throw badField('/cursor', 'cursor', 'is not a cursor of this list', 'query')
  const { state: ofState, erasesAt: at, accountId: id } = accountDeletions
  return sql`(${ofState}, ${at}, ${id}) > (${state}, ${erasesAt}, ${accountId})`
}
