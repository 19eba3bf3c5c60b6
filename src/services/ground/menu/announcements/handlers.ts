import { and, count, desc, eq, ilike, inArray, lt, or, type Placeholder, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import { allowedActions } from '../../../../kernel/life-cycle.ts'
import type { Context } from '../../../../server/context.ts'
import { planned } from '../../../../server/database/planned.ts'
import { implement } from '../../../../server/implement.ts'
import { transition } from '../../../../server/life-cycle.ts'
import { menuErrors } from '../contract.ts'
import { announcementCycle, announcementFacts, isEditable } from '../rules.ts'
import { dismissals, announcementRows as rows } from '../tables.home.ts'
import { idCursor } from '../tag-sets.ts'
import { announcements } from './contract.ts'

export type AnnouncementRow = typeof rows.$inferSelect

export default implement(announcements, {
  listAnnouncements: async (ctx, { query }) => {
    const pageSize = query.pageSize ?? 20
    const values = {
      ...{ zone: ctx.zone, accountId: ctx.accountId, limit: pageSize + 1 },
      ...{ state: query.state ?? null, isBanner: query.isBanner ?? null },
      before: query.cursor ? idCursor(query.cursor) : null,
    }
    const transaction = ctx.transaction('home')
    const [found, [counted]] = await Promise.all([toldPage(transaction, values), toldCount(transaction, values)])
    const list = found.slice(0, pageSize)
    return {
      total: counted?.total ?? 0,
      list: list.map(({ row, isDismissed: isGone }) => ({ ...row, isDismissed: isGone })),
      nextCursor: found.length > pageSize ? (list.at(-1)?.row.announcementId ?? null) : null,
    }
  },

  getAnnouncement: async (ctx, { params }) => {
    const row = await loadTold(ctx, params.announcementId)
    const gone = await ctx.home.$count(dismissals, and(isOf(ctx), eq(dismissals.announcementId, row.announcementId)))
    return { ...row, isDismissed: gone > 0 }
  },

  dismissAnnouncement: async (ctx, { params }) => {
    const { announcementId } = await loadTold(ctx, params.announcementId)
    await ctx.home
      .insert(dismissals)
      .values({ accountId: ctx.accountId, announcementId, dismissedAt: ctx.now() })
      .onConflictDoNothing()
    return {}
  },

  listWritten: async (ctx, { query }) => {
    const pageSize = query.pageSize ?? 20
    const like = `%${(query.search ?? '').replace(/[\\%_]/g, '\\$&')}%`
    const filter = and(
      query.state ? eq(rows.state, query.state) : undefined,
      query.search ? or(...['zh', 'en', 'ru'].map(one => ilike(sql`${rows.title} ->> ${one}`, like))) : undefined,
    )
    const found = await ctx.home
      .select()
      .from(rows)
      .where(and(filter, query.cursor ? lt(rows.announcementId, idCursor(query.cursor)) : undefined))
      .orderBy(desc(rows.announcementId))
      .limit(pageSize + 1)
    const list = found.slice(0, pageSize)
    return {
      total: await ctx.home.$count(rows, filter),
      list: await written(ctx, list),
      nextCursor: found.length > pageSize ? (list.at(-1)?.announcementId ?? null) : null,
    }
  },

  writeAnnouncement: async (ctx, { body }) => {
    const now = ctx.now()
    const row = {
      announcementId: ctx.newId(),
      ...body,
      href: body.href ?? null,
      state: 'draft' as const,
      createdBy: ctx.accountId,
      createdAt: now,
      updatedAt: now,
      revision: 1,
    }
    checkDates(body)
    await ctx.home.insert(rows).values(row)
    record(ctx, 'written', row)
    return writtenOne(ctx, row)
  },

  updateAnnouncement: async (ctx, { params, body }) => {
    const before = await load(ctx, params.announcementId)
    if (!isEditable(before.state)) refuse(menuErrors.archived)
    checkDates(body)
    if (before.state === 'scheduled' && !announcementFacts(body, ctx.now()).startsLater)
      refuse(menuErrors.datesWrong, { missing: 'a start in the future' })
    const { revision, ...words } = body
    const [row] = await ctx.home
      .update(rows)
      .set({ ...words, href: words.href ?? null, updatedAt: ctx.now(), revision: sql`${rows.revision} + 1` })
      .where(and(eq(rows.announcementId, before.announcementId), eq(rows.revision, revision)))
      .returning()
    if (!row) refuse(commonErrors.stale, { revision: before.revision })
    record(ctx, 'updated', row)
    return writtenOne(ctx, row)
  },

  actOnAnnouncement: async (ctx, { params, body }) => {
    const row = await load(ctx, params.announcementId)
    const { state } = await moveAnnouncement(ctx, row, body.action)
    if (state === null) {
      await ctx.home.delete(rows).where(eq(rows.announcementId, row.announcementId))
      await ctx.home.delete(dismissals).where(eq(dismissals.announcementId, row.announcementId))
    }
    return { state }
  },
})

type Action = (typeof announcementCycle.moves)[number]['action']

/** Moves an announcement; one that goes live without a start begins now, one that is ended early ends now. */
export async function moveAnnouncement(ctx: Context, row: AnnouncementRow, action: Action) {
  const now = ctx.now()
  const moved = await transition(ctx, {
    cycle: announcementCycle,
    table: 'announcements',
    idColumn: 'announcement_id',
    row: { id: row.announcementId, state: row.state, revision: row.revision },
    action,
    facts: announcementFacts(row, now),
    unmet: fact => refuse(menuErrors.datesWrong, { missing: wantedTimes[fact] }),
    database: 'home',
  })
  const times = { ...(action === 'publish' ? { startAt: now } : {}), ...(action === 'end' ? { endAt: now } : {}) }
  if (Object.keys(times).length > 0)
    await ctx.home.update(rows).set(times).where(eq(rows.announcementId, row.announcementId))
  return moved
}

const wantedTimes = {
  startsLater: 'a start in the future',
  endsLater: 'an end in the future, or none',
  endsAfterStart: 'an end after its start',
}

function checkDates(dates: { startAt: number | null; endAt: number | null }): void {
  if (!announcementFacts(dates, 0).endsAfterStart)
    refuse(menuErrors.datesWrong, { missing: wantedTimes.endsAfterStart })
}

/** What people of the team's zone are told: what is live, and the archive. */
const isToldIn = (zone: string | Placeholder) =>
  and(inArray(rows.state, ['live', 'ended']), or(eq(rows.zones, []), sql`${zone} = ANY(${rows.zones})`))
const isOf = (ctx: Context) => eq(dismissals.accountId, ctx.accountId)

const given = {
  ...{ zone: sql.placeholder('zone'), accountId: sql.placeholder('accountId'), state: sql.placeholder('state') },
  ...{ isBanner: sql.placeholder('isBanner'), before: sql.placeholder('before'), limit: sql.placeholder('limit') },
}
/** Whether the account put it away. */
const isDismissed = sql<boolean>`EXISTS (SELECT 1 FROM ${dismissals} WHERE ${dismissals.accountId} = ${given.accountId}
  AND ${dismissals.announcementId} = ${rows.announcementId})`
/** A null asks for nothing; of banners those are left out that were put away. */
const isTold = and(
  isToldIn(given.zone),
  sql`(${given.state}::text IS NULL OR ${rows.state} = ${given.state})`,
  sql`(${given.isBanner}::boolean IS NULL OR ${rows.isBanner} = ${given.isBanner} AND NOT (${given.isBanner} AND ${isDismissed}))`,
)
const toldPage = planned(db =>
  db
    .select({ row: rows, isDismissed })
    .from(rows)
    .where(and(isTold, sql`(${given.before}::bigint IS NULL OR ${rows.announcementId} < ${given.before})`))
    .orderBy(desc(rows.announcementId))
    .limit(given.limit),
)
const toldCount = planned(db => db.select({ total: count() }).from(rows).where(isTold))

async function loadTold(ctx: Context, announcementId: string): Promise<AnnouncementRow> {
  const [row] = await ctx.home
    .select()
    .from(rows)
    .where(and(eq(rows.announcementId, announcementId), isToldIn(ctx.zone)))
  return row ?? refuse(commonErrors.notFound, { entity: 'announcement', id: announcementId })
}

async function load(ctx: Context, announcementId: string): Promise<AnnouncementRow> {
  const [row] = await ctx.home.select().from(rows).where(eq(rows.announcementId, announcementId))
  return row ?? refuse(commonErrors.notFound, { entity: 'announcement', id: announcementId })
}

async function written(ctx: Context, list: readonly AnnouncementRow[]) {
  const ids = list.map(row => row.announcementId)
  const counted = ids.length
    ? await ctx.home
        .select({ announcementId: dismissals.announcementId, count: sql<number>`count(*)::int` })
        .from(dismissals)
        .where(inArray(dismissals.announcementId, ids))
        .groupBy(dismissals.announcementId)
    : []
  const counts = new Map(counted.map(one => [one.announcementId, one.count]))
  return list.map(row => ({
    ...row,
    dismissals: counts.get(row.announcementId) ?? 0,
    allowedActions: allowedActions(
      announcementCycle,
      row.state,
      permission => ctx.may(permission),
      announcementFacts(row, ctx.now()),
    ).filter(action => action !== 'start' && action !== 'expire'),
  }))
}

async function writtenOne(ctx: Context, row: AnnouncementRow) {
  const [one] = await written(ctx, [row])
  return one ?? refuse(commonErrors.notFound, { entity: 'announcement', id: row.announcementId })
}

function record(ctx: Context, what: 'written' | 'updated', row: AnnouncementRow): void {
  const { announcementId, title, state } = row
  ctx.audit(
    { action: `announcement.${what}`, entity: 'announcement', entityId: announcementId, after: { title, state } },
    'home',
  )
}
