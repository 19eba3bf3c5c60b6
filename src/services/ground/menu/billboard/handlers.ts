import { and, desc, eq, gt, inArray, isNull, lt, lte, or, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { badField } from '../../../../server/http/problem.ts'
import { implement } from '../../../../server/implement.ts'
import { billboardTurnMs, slotsOfTurn } from '../rules.ts'
import { billboardSlots as slots, billboardViews as views } from '../tables.home.ts'
import { idCursor } from '../tag-sets.ts'
import { billboard } from './contract.ts'

type SlotRow = typeof slots.$inferSelect

export default implement(billboard, {
  getBillboard: async (ctx, { query }) => {
    const now = ctx.now()
    const open = await ctx.home.select().from(slots).where(isOpen(ctx, now)).orderBy(slots.slotId).limit(200)
    const list = slotsOfTurn(open, { place: 'home', unit: ctx.accountId, now, count: query.count ?? 1 })
    return { untilAt: (Math.floor(now / billboardTurnMs) + 1) * billboardTurnMs, list }
  },

  recordImpressions: async (ctx, { body }) => {
    const now = ctx.now()
    const known = await ctx.home
      .select({ slotId: slots.slotId })
      .from(slots)
      .where(and(inArray(slots.slotId, body.slotIds), isOpen(ctx, now)))
    if (known.length === 0) return {}
    const day = new Date(now).toISOString().slice(0, 10)
    const [shown, clicked] = body.kind === 'shown' ? [1, 0] : [0, 1]
    await ctx.home
      .insert(views)
      .values(known.map(({ slotId }) => ({ slotId, accountId: ctx.accountId, day, shown, clicked })))
      .onConflictDoUpdate({
        target: [views.slotId, views.accountId, views.day],
        set: { shown: sql`${views.shown} + ${shown}`, clicked: sql`${views.clicked} + ${clicked}` },
      })
    return {}
  },

  listSlots: async (ctx, { query }) => {
    const pageSize = query.pageSize ?? 20
    const found = await ctx.home
      .select()
      .from(slots)
      .where(query.cursor ? lt(slots.slotId, idCursor(query.cursor)) : undefined)
      .orderBy(desc(slots.slotId))
      .limit(pageSize + 1)
    const list = found.slice(0, pageSize)
    return {
      total: await ctx.home.$count(slots),
      list: await counted(ctx, list),
      nextCursor: found.length > pageSize ? (list.at(-1)?.slotId ?? null) : null,
    }
  },

  createSlot: async (ctx, { body }) => {
    checkDates(body)
    const now = ctx.now()
    const row = { slotId: ctx.newId(), ...body, createdAt: now, updatedAt: now, revision: 1 }
    await ctx.home.insert(slots).values(row)
    record(ctx, 'created', row.slotId)
    return countedOne(ctx, row)
  },

  updateSlot: async (ctx, { params, body }) => {
    checkDates(body)
    const before = await load(ctx, params.slotId)
    const { revision, ...values } = body
    const [row] = await ctx.home
      .update(slots)
      .set({ ...values, updatedAt: ctx.now(), revision: sql`${slots.revision} + 1` })
      .where(and(eq(slots.slotId, params.slotId), eq(slots.revision, revision)))
      .returning()
    if (!row) refuse(commonErrors.stale, { revision: before.revision })
    record(ctx, 'updated', row.slotId)
    return countedOne(ctx, row)
  },

  deleteSlot: async (ctx, { params }) => {
    const { slotId } = await load(ctx, params.slotId)
    await ctx.home.delete(slots).where(eq(slots.slotId, slotId))
    await ctx.home.delete(views).where(eq(views.slotId, slotId))
    record(ctx, 'deleted', slotId)
    return {}
  },
})

const isOpen = (ctx: Context, now: number) =>
  and(
    eq(slots.isOn, true),
    gt(slots.weight, 0),
    or(eq(slots.zones, []), sql`${ctx.zone} = ANY(${slots.zones})`),
    or(isNull(slots.startAt), lte(slots.startAt, now)),
    or(isNull(slots.endAt), gt(slots.endAt, now)),
  )

function checkDates({ startAt, endAt }: { startAt: number | null; endAt: number | null }): void {
  if (startAt !== null && endAt !== null && endAt <= startAt) throw badField('/endAt', 'later', 'must be after startAt')
}

async function load(ctx: Context, slotId: string): Promise<SlotRow> {
  const [row] = await ctx.home.select().from(slots).where(eq(slots.slotId, slotId))
  return row ?? refuse(commonErrors.notFound, { entity: 'slot', id: slotId })
}

async function counted(ctx: Context, list: readonly SlotRow[]) {
  const ids = list.map(row => row.slotId)
  const rows = ids.length
    ? await ctx.home
        .select({
          slotId: views.slotId,
          shown: sql<number>`sum(${views.shown})::int`,
          clicked: sql<number>`sum(${views.clicked})::int`,
          people: sql<number>`count(DISTINCT ${views.accountId})::int`,
        })
        .from(views)
        .where(inArray(views.slotId, ids))
        .groupBy(views.slotId)
    : []
  const bySlot = new Map(rows.map(row => [row.slotId, row]))
  return list.map(row => ({ ...row, shown: 0, clicked: 0, people: 0, ...bySlot.get(row.slotId) }))
}

async function countedOne(ctx: Context, row: SlotRow) {
  const [one] = await counted(ctx, [row])
  return one ?? refuse(commonErrors.notFound, { entity: 'slot', id: row.slotId })
}

function record(ctx: Context, what: 'created' | 'updated' | 'deleted', slotId: string): void {
  ctx.audit({ action: `billboard.${what}`, entity: 'slot', entityId: slotId }, 'home')
}
