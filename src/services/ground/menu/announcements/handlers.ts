import { and, desc, eq, exists, ilike, inArray, lt, not, or, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import { allowedActions } from '../../../../kernel/life-cycle.ts'
import type { Context } from '../../../../server/context.ts'
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
    const isDismissed = exists(ctx.home.select({ one: sql`1` }).from(dismissals).where(isDismissedBy(ctx)))
    const shown = and(
      isToldIn(ctx),
      query.state ? eq(rows.state, query.state) : undefined,
      query.isBanner === undefined ? undefined : eq(rows.isBanner, query.isBanner),
      query.isBanner ? not(isDismissed) : undefined,
    )
    const found = await ctx.home
      .select({ row: rows, isDismissed: sql<boolean>`${isDismissed}` })
      .from(rows)
      .where(and(shown, query.cursor ? lt(rows.announcementId, idCursor(query.cursor)) : undefined))
      .orderBy(desc(rows.announcementId))
      .limit(pageSize + 1)
    const list = found.slice(0, pageSize)
    return {
      total: await ctx.home.$count(rows, shown),
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
const isToldIn = (ctx: Context) =>
  and(inArray(rows.state, ['live', 'ended']), or(eq(rows.zones, []), sql`${ctx.zone} = ANY(${rows.zones})`))
const isOf = (ctx: Context) => eq(dismissals.accountId, ctx.accountId)
const isDismissedBy = (ctx: Context) => and(isOf(ctx), eq(dismissals.announcementId, rows.announcementId))

async function loadTold(ctx: Context, announcementId: string): Promise<AnnouncementRow> {
  const [row] = await ctx.home
    .select()
    .from(rows)
    .where(and(eq(rows.announcementId, announcementId), isToldIn(ctx)))
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
