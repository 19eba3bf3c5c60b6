import { and, desc, eq, lt, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { badField, isDuplicate } from '../../../../server/http/problem.ts'
import { type Handlers, implement } from '../../../../server/implement.ts'
import { readAddress } from '../invitations/rules.ts'
import { lockTeam } from '../queries.ts'
import { limits } from '../rules.ts'
import { matching, searchKeyOf } from '../search.ts'
import { testUsers as rows } from '../tables.home.ts'
import { testUsers as contract, testUsersV2 } from './contract.ts'

const { errors } = contract
type Row = typeof rows.$inferSelect

const handlers: Handlers<typeof contract> = {
  listTestUsers: async (ctx, { query }) => {
    const { pageSize = 20, cursor, search } = query
    const matches = and(eq(rows.teamId, ctx.teamId), matching(rows.searchKey, search))
    const found = await ctx.home
      .select()
      .from(rows)
      .where(and(matches, /^[0-9]{1,19}$/.test(cursor ?? '') ? lt(rows.testUserId, cursor ?? '') : undefined))
      .orderBy(desc(rows.testUserId))
      .limit(pageSize + 1)
    const list = found.slice(0, pageSize)
    return {
      total: await ctx.home.$count(rows, matches),
      list,
      nextCursor: found.length > pageSize ? (list.at(-1)?.testUserId ?? null) : null,
    }
  },

  getTestUser: (ctx, { query }) => load(ctx, query.testUserId),

  createTestUser: async (ctx, { body }) => {
    const at = addressFields(body.address)
    await lockTeam(ctx)
    const count = await ctx.home.$count(rows, eq(rows.teamId, ctx.teamId))
    if (count >= limits.testUsersOfTeam) refuse(errors.tooManyTestUsers, { limit: limits.testUsersOfTeam })
    const now = ctx.now()
    const { name, note = '' } = body
    const [row] = await ctx.home
      .insert(rows)
      .values({
        testUserId: ctx.newId(),
        teamId: ctx.teamId,
        name,
        note,
        ...at,
        searchKey: searchKeyOf(name, at.address),
        createdAt: now,
        updatedAt: now,
      })
      .returning()
      .catch(orTaken(body.address))
    if (!row) throw new Error('no row came back')
    tell(ctx, 'create', null, row)
    return row
  },

  updateTestUser: async (ctx, { body }) => {
    const before = await load(ctx, body.testUserId)
    const { name = before.name, note = before.note } = body
    const at = addressFields(body.address ?? before.address)
    const [row] = await ctx.home
      .update(rows)
      .set({
        name,
        note,
        ...at,
        searchKey: searchKeyOf(name, at.address),
        updatedAt: ctx.now(),
        revision: sql`${rows.revision} + 1`,
      })
      .where(and(isOwn(ctx, body.testUserId), eq(rows.revision, body.revision)))
      .returning()
      .catch(orTaken(at.address))
    if (!row) refuse(commonErrors.stale, { revision: before.revision })
    tell(ctx, 'update', before, row)
    return row
  },

  deleteTestUser: async (ctx, { query }) => {
    const row = await load(ctx, query.testUserId)
    await ctx.home.delete(rows).where(isOwn(ctx, query.testUserId))
    tell(ctx, 'delete', row, null)
    return {}
  },
}

export default implement(contract, handlers)
export const secondGeneration = implement(testUsersV2, handlers)

function isOwn(ctx: Context, testUserId: string) {
  return and(eq(rows.teamId, ctx.teamId), eq(rows.testUserId, testUserId))
}

async function load(ctx: Context, testUserId: string): Promise<Row> {
  const [row] = await ctx.home.select().from(rows).where(isOwn(ctx, testUserId))
  return row ?? refuse(commonErrors.notFound, { entity: 'test user', id: testUserId })
}

function addressFields(sent: string): { address: string; addressKey: string } {
  const read = readAddress(sent)
  if (!read) throw badField('/address', 'address', 'is neither a mail address nor a phone number with + and country')
  return { address: read.address, addressKey: read.key }
}

function orTaken(address: string) {
  return (error: unknown): never => {
    if (isDuplicate(error, 'test_users_address')) refuse(errors.testUserTaken, { address })
    throw error
  }
}

/** Names and addresses stay out of the audit: it cannot be erased, they can. */
function tell(ctx: Context, verb: 'create' | 'update' | 'delete', before: Row | null, after: Row | null) {
  const row = after ?? before
  if (!row) return
  const said = (one: Row | null) => one && { revision: one.revision }
  ctx.audit(
    {
      action: `test_user.${verb}`,
      entity: 'test_user',
      entityId: row.testUserId,
      before: said(before),
      after: said(after),
    },
    'home',
  )
}
