import { and, asc, eq, gt, ilike, or, type SQL, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import type { Static } from '../../../../kernel/shape.ts'
import type { Context } from '../../../../server/context.ts'
import { badField } from '../../../../server/http/problem.ts'
import { implement } from '../../../../server/implement.ts'
import { accounts, realNames } from '../tables.home.ts'
import { type Enterprise, type Individual, type RealName, realNameCalls } from './contract.ts'
import { decidedState, mayMove, ownActions, type RealNameAction, realState } from './rules.ts'

const { errors } = realNameCalls
type Row = typeof realNames.$inferSelect

interface Details {
  individual: Static<typeof Individual> | null
  enterprise: Static<typeof Enterprise> | null
  documentEndsAt: number | null
}

export default implement(realNameCalls, {
  getRealName: async ctx => viewOf(ctx, await load(ctx, ctx.accountId), ctx.accountId),

  submitRealName: async (ctx, { body }) => {
    const { accountId } = ctx
    const before = await load(ctx, accountId)
    refuseUnless(before?.state ?? realState.none, 'submit')
    if ((before?.revision ?? 0) !== body.revision) refuse(commonErrors.stale, { revision: before?.revision ?? 0 })
    const part = body[body.kind]
    if (!part) throw badField(`/${body.kind}`, 'required', 'is missing')
    if (body.documentEndsAt !== undefined && body.documentEndsAt <= ctx.now()) {
      throw badField('/documentEndsAt', 'future', 'lies in the past; the document must be valid')
    }
    const details: Details = {
      individual: body.kind === 'individual' ? (body.individual ?? null) : null,
      enterprise: body.kind === 'enterprise' ? (body.enterprise ?? null) : null,
      documentEndsAt: body.documentEndsAt ?? null,
    }
    const values = {
      accountId,
      kind: body.kind,
      state: realState.inReview,
      details: ctx.server.masterKey.seal('real name', accountId, JSON.stringify(details)),
      submittedAt: ctx.now(),
      decidedAt: null,
      decidedBy: null,
      reason: null,
      expiresAt: null,
    }
    // A second hand-in at the same moment finds the row there, or its revision gone on.
    const [row] = before
      ? await ctx.home
          .update(realNames)
          .set({ ...values, revision: sql`${realNames.revision} + 1` })
          .where(and(eq(realNames.accountId, accountId), eq(realNames.revision, before.revision)))
          .returning()
      : await ctx.home.insert(realNames).values(values).onConflictDoNothing().returning()
    if (!row) refuse(commonErrors.stale, { revision: (await load(ctx, accountId))?.revision ?? 1 })
    await follow(ctx, row, 'submit', before?.state ?? realState.none)
    return viewOf(ctx, row, accountId)
  },

  withdrawRealName: async ctx => {
    const { accountId } = ctx
    const before = await load(ctx, accountId)
    refuseUnless(before?.state ?? realState.none, 'withdraw')
    const row = await move(ctx, before as Row, { state: realState.none, details: '' })
    await follow(ctx, row, 'withdraw', realState.inReview)
    return viewOf(ctx, row, accountId)
  },

  listRealNames: async (ctx, { query }) => {
    const { state = realState.inReview, search, cursor, pageSize = 20 } = query
    const filters: SQL[] = [eq(realNames.state, state)]
    if (search) {
      const like = `%${search.replace(/[\\%_]/g, '\\$&')}%`
      filters.push(or(ilike(accounts.loginName, like), ilike(accounts.name, like)) as SQL)
    }
    const from = () =>
      ctx.home
        .select({
          row: realNames,
          loginName: accounts.loginName,
          name: accounts.name,
          total: sql<number>`count(*) over ()`,
        })
        .from(realNames)
        .innerJoin(accounts, eq(accounts.accountId, realNames.accountId))
    const [first] = await from()
      .where(and(...filters))
      .limit(1)
    if (cursor) {
      const [at, accountId] = cursor.split('.')
      if (!/^\d+$/.test(at ?? '') || !/^\d+$/.test(accountId ?? '')) {
        throw badField('/cursor', 'cursor', 'is not a cursor of this list', 'query')
      }
      filters.push(
        or(
          gt(realNames.submittedAt, Number(at)),
          and(eq(realNames.submittedAt, Number(at)), gt(realNames.accountId, accountId ?? '')),
        ) as SQL,
      )
    }
    const rows = await from()
      .where(and(...filters))
      .orderBy(asc(realNames.submittedAt), asc(realNames.accountId))
      .limit(pageSize + 1)
    const list = rows.slice(0, pageSize).map(({ row, loginName, name }) => ({ ...row, loginName, name }))
    const last = list.at(-1)
    return {
      total: Number(first?.total ?? 0),
      list,
      nextCursor: rows.length > pageSize && last ? `${last.submittedAt}.${last.accountId}` : null,
    }
  },

  readRealName: async (ctx, { params }) => {
    ctx.audit({ action: 'realName.read', entity: 'account', entityId: params.accountId }, 'home')
    return fileOf(ctx, await loadCase(ctx, params.accountId))
  },

  decideRealName: async (ctx, { params, body }) => {
    const { accountId } = params
    if (accountId === ctx.accountId) refuse(errors.ownRealName)
    const before = await loadCase(ctx, accountId)
    refuseUnless(before.state, 'decide')
    if (body.revision !== before.revision) refuse(commonErrors.stale, { revision: before.revision })
    if (body.verdict === 'refuse' && !body.reason?.trim()) {
      throw badField('/reason', 'required', 'must say what to change')
    }
    const ends = body.expiresAt ?? detailsOf(ctx, before).documentEndsAt
    if (body.verdict === 'pass' && ends !== null && ends <= ctx.now()) {
      throw badField('/expiresAt', 'future', 'lies in the past; refuse it instead')
    }
    const row = await move(ctx, before, {
      state: decidedState(before.kind, body.verdict),
      decidedAt: ctx.now(),
      decidedBy: ctx.accountId,
      reason: body.reason?.trim() ?? null,
      expiresAt: body.verdict === 'pass' ? ends : null,
    })
    await follow(ctx, row, 'decide', before.state)
    return fileOf(ctx, row)
  },
})

/** Passes whose document has ended; runs from a sweep. */
export async function expireRealNames(ctx: Context): Promise<void> {
  const due = await ctx.home
    .select()
    .from(realNames)
    .where(
      sql`${realNames.state} IN (${realState.individual}, ${realState.enterprise}) AND ${realNames.expiresAt} <= ${ctx.now()}`,
    )
    .limit(100)
  for (const before of due) {
    const row = await move(ctx, before, { state: realState.expired })
    await follow(ctx, row, 'expire', before.state)
  }
}

async function load(ctx: Context, accountId: string): Promise<Row | null> {
  const [row] = await ctx.home.select().from(realNames).where(eq(realNames.accountId, accountId))
  return row ?? null
}

async function loadCase(ctx: Context, accountId: string): Promise<Row> {
  const row = await load(ctx, accountId)
  if (!row || row.details === '') refuse(commonErrors.notFound, { entity: 'realName', id: accountId })
  return row
}

function refuseUnless(state: number, action: RealNameAction): void {
  if (!mayMove(state, action)) refuse(errors.realNameState, { state })
}

async function move(ctx: Context, before: Row, change: Partial<Row>): Promise<Row> {
  const [row] = await ctx.home
    .update(realNames)
    .set({ ...change, revision: before.revision + 1 })
    .where(and(eq(realNames.accountId, before.accountId), eq(realNames.revision, before.revision)))
    .returning()
  return row ?? refuse(commonErrors.stale, { revision: before.revision + 1 })
}

/** The account carries the state too; sessions of all processes read it anew. */
async function follow(ctx: Context, row: Row, action: RealNameAction, from: number): Promise<void> {
  const { accountId, state, reason } = row
  await ctx.home.update(accounts).set({ verifyRealState: state }).where(eq(accounts.accountId, accountId))
  ctx.signal('home', 'sessions', accountId)
  const entry = { action: `realName.${action}`, entity: 'account', entityId: accountId }
  ctx.audit({ ...entry, before: { state: from }, after: { state } }, 'home')
  const data = { accountId, from, to: state, kind: row.kind, reason }
  ctx.emit({ type: 'session.real_name_changed', entity: 'account', entityId: accountId, data }, 'home')
}

function detailsOf(ctx: Context, row: Row): Details {
  if (row.details === '') return { individual: null, enterprise: null, documentEndsAt: null }
  return JSON.parse(ctx.server.masterKey.open('real name', row.accountId, row.details)) as Details
}

const lastFour = (number: string) => `${'•'.repeat(Math.max(number.length - 4, 0))}${number.slice(-4)}`

function viewOf(ctx: Context, row: Row | null, accountId: string): Static<typeof RealName> {
  const state = row?.state ?? realState.none
  const { individual, enterprise } = row ? detailsOf(ctx, row) : { individual: null, enterprise: null }
  const isThere = row !== null && row.details !== ''
  return {
    accountId,
    state,
    kind: isThere ? row.kind : null,
    individual: individual && { ...individual, documentNumber: lastFour(individual.documentNumber) },
    enterprise: enterprise && { ...enterprise, registrationNumber: lastFour(enterprise.registrationNumber) },
    submittedAt: isThere ? row.submittedAt : null,
    decidedAt: row?.decidedAt ?? null,
    reason: row?.reason ?? null,
    expiresAt: row?.expiresAt ?? null,
    allowedActions: ownActions(state),
    revision: row?.revision ?? 0,
  }
}

async function fileOf(ctx: Context, row: Row) {
  const [account] = await ctx.home.select().from(accounts).where(eq(accounts.accountId, row.accountId))
  const { individual, enterprise } = detailsOf(ctx, row)
  const mayDecide = mayMove(row.state, 'decide') && row.accountId !== ctx.accountId
  return {
    ...row,
    loginName: account?.loginName ?? '',
    name: account?.name ?? '',
    individual,
    enterprise,
    allowedActions: mayDecide ? (['decide'] as 'decide'[]) : [],
  }
}
