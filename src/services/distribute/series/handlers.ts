import { and, desc, eq, exists, inArray, lt, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import { badField, isDuplicate } from '../../../server/http/problem.ts'
import { implement } from '../../../server/implement.ts'
import { type AppRow, appOf, appsOf, lockApp } from '../apps/public.ts'
import { shelfReachOf } from '../versions/shelf/public.ts'
import { candidates } from './candidates.ts'
import { series as contract } from './contract.ts'
import { dropCutovers } from './cutover/moves.ts'
import { loadSeries, type MemberRecord, mySeries, type SeriesRecord, toSeries } from './queries.ts'
import { harmonyReach, isShownAlone } from './reach.ts'
import { clashOf, type Edition, limits, type MemberRole, phaseOf, uncovered } from './rules.ts'
import { appSeries, seriesMembers } from './tables.ts'

const { errors } = contract

export default implement(contract, {
  querySeries: async (ctx, { body }) => {
    if (body.appId !== undefined) await appOf(ctx, body.appId)
    const holds =
      body.appId === undefined
        ? undefined
        : exists(
            ctx.db
              .select({ one: sql`1` })
              .from(seriesMembers)
              .where(and(eq(seriesMembers.seriesId, appSeries.seriesId), eq(seriesMembers.appId, body.appId))),
          )
    if (body.seriesId !== undefined) await loadSeries(ctx, body.seriesId)
    const matching = and(
      mySeries(ctx),
      holds,
      body.seriesId === undefined ? undefined : eq(appSeries.seriesId, body.seriesId),
    )
    const pageSize = body.pageSize ?? 20
    const isCursor = /^[0-9]{1,19}$/.test(body.cursor ?? '')
    const rows = await ctx.db
      .select()
      .from(appSeries)
      .where(and(matching, isCursor ? lt(appSeries.seriesId, body.cursor as string) : undefined))
      .orderBy(desc(appSeries.seriesId))
      .limit(pageSize + 1)
    const page = rows.slice(0, pageSize)
    return {
      total: await ctx.db.$count(appSeries, matching),
      list: await toSeries(ctx, page),
      nextCursor: rows.length > pageSize ? (page.at(-1)?.seriesId ?? null) : null,
    }
  },

  createSeries: async (ctx, { body }) => {
    const roles = new Map(body.apps.map(one => [one.appId, one.role]))
    const apps = await lockApps(ctx, [...roles.keys()])
    if (roles.size < body.apps.length) throw badField('/apps', 'uniqueItems', 'names an app twice')
    const mains = body.apps.filter(one => one.role === 'MAIN').length
    if (mains !== 1) refuse(errors.oneMain, { mains })
    await assertFits(
      ctx,
      apps.map(app => toEdition(app, roles.get(app.appId) ?? 'SUB')),
      apps,
    )
    const limit = limits.seriesOfTeam
    if ((await ctx.db.$count(appSeries, eq(appSeries.teamId, ctx.teamId))) >= limit)
      refuse(errors.tooManySeries, { limit })
    const now = ctx.now()
    const seriesId = ctx.newId()
    const row = await ctx.db
      .insert(appSeries)
      .values({
        seriesId,
        teamId: ctx.teamId,
        name: body.name.trim(),
        mode: 'DOUBLE',
        createdBy: ctx.accountId,
        createdAt: now,
        updatedAt: now,
      })
      .returning()
      .then(rows => rows[0]!)
      .catch(error => {
        if (isDuplicate(error, 'app_series_name')) refuse(errors.nameTaken, { name: body.name })
        throw error
      })
    for (const app of apps) await insertMember(ctx, seriesId, app, roles.get(app.appId) ?? 'SUB')
    tell(ctx, seriesId, 'create', { name: row.name, appIds: [...roles.keys()] })
    return one(ctx, row)
  },

  addToSeries: async (ctx, { body }) => {
    const [app] = await lockApps(ctx, [body.appId])
    const { row, members } = await changeable(ctx, body)
    const limit = limits.membersOfSeries
    if (members.length >= limit) refuse(errors.tooManyMembers, { limit })
    const others = await appsOf(
      ctx,
      members.map(member => member.appId),
    )
    await assertFits(ctx, [...members.map(asEdition), toEdition(app!, 'SUB')], [...others, app!])
    await insertMember(ctx, row.seriesId, app!, 'SUB')
    return one(ctx, await touch(ctx, row, 'add', { appId: body.appId }))
  },

  removeFromSeries: async (ctx, { body }) => {
    const { row, members } = await changeable(ctx, body)
    const member = members.find(one => one.appId === body.appId)
    if (!member) refuse(commonErrors.notFound, { entity: 'app', id: body.appId })
    if (member.role === 'MAIN' && members.length > 1) refuse(errors.mainStays)
    await ctx.db.delete(seriesMembers).where(eq(seriesMembers.appId, body.appId))
    return one(ctx, await touch(ctx, row, 'remove', { appId: body.appId }))
  },

  deleteSeries: async (ctx, { body }) => {
    const { row, members } = await changeable(ctx, body)
    await dropCutovers(ctx, row.seriesId, ['PLANNED', 'ACTIVE'], 'SERIES_ENDED')
    await ctx.db.delete(seriesMembers).where(eq(seriesMembers.seriesId, row.seriesId))
    await ctx.db.delete(appSeries).where(eq(appSeries.seriesId, row.seriesId))
    tell(ctx, row.seriesId, 'delete', { name: row.name, appIds: members.map(member => member.appId) })
    return {}
  },

  queryDoubleSingle: async (ctx, { body }) => {
    const { row, members } = await loadSeries(ctx, body.seriesId)
    return toMode(row, await harmonyReach(ctx, members))
  },

  setDoubleSingle: async (ctx, { body }) => {
    const { row, members } = await changeable(ctx, body)
    const singleIn = body.mode === 'SINGLE' ? [...(body.singleIn ?? [])].sort() : []
    const harmony = await harmonyReach(ctx, members)
    if (body.mode === 'SINGLE') {
      const missing = uncovered(harmony.countries, singleIn)
      if (!isShownAlone(harmony, singleIn)) {
        refuse(errors.noHarmony, { where: missing.length > 0 ? `in ${missing.join(', ')}` : 'anywhere' })
      }
    }
    await dropCutovers(ctx, row.seriesId, ['ACTIVE'], 'MODE_CHANGED')
    const after = await touch(ctx, row, 'mode', { mode: body.mode, singleIn }, { mode: body.mode, singleIn })
    return toMode(after, harmony)
  },

  queryOptionalList: candidates,

  queryPrivatePhase: async (ctx, { body }) => {
    const found = new Set((await appsOf(ctx, body.appIds)).map(app => app.appId))
    const missing = body.appIds.find(appId => !found.has(appId))
    if (missing !== undefined) refuse(commonErrors.notFound, { entity: 'app', id: missing })
    const reach = await shelfReachOf(ctx, body.appIds)
    return {
      list: body.appIds.flatMap(appId => {
        const at = reach.get(appId)
        if (!at) return []
        const phase = phaseOf(at)
        return [
          { appId, phase, isPrivate: phase !== 'PUBLIC', percent: at.phasedBp === null ? null : at.phasedBp / 100 },
        ]
      }),
    }
  },
})

/** The apps locked in the order of their ids; refuses 404, and who stands in a series already. */
async function lockApps(ctx: Context, appIds: readonly string[]): Promise<AppRow[]> {
  const apps: AppRow[] = []
  for (const appId of [...appIds].sort((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1))) apps.push(await lockApp(ctx, appId))
  const taken = await ctx.db
    .select({ appId: seriesMembers.appId })
    .from(seriesMembers)
    .where(inArray(seriesMembers.appId, [...appIds]))
  const other = apps.find(app => taken.some(row => row.appId === app.appId))
  if (other) refuse(errors.inOther, { name: other.name, appId: other.appId })
  return apps
}

async function changeable(ctx: Context, body: { seriesId: string; revision: number }) {
  const found = await loadSeries(ctx, body.seriesId, 'update')
  if (found.row.revision !== body.revision) refuse(commonErrors.stale, { revision: found.row.revision })
  return found
}

const toEdition = (app: AppRow, role: MemberRole): Edition => ({ ...app, role })
const asEdition = (member: MemberRecord): Edition => ({ ...member })

/** One edition for each kind of device, and none on shelf where the main one is not. */
async function assertFits(ctx: Context, editions: readonly Edition[], apps: readonly AppRow[]): Promise<void> {
  const nameOf = (appId: string) => apps.find(app => app.appId === appId)?.name ?? appId
  const clash = clashOf(editions)
  if (clash) refuse(errors.clash, { name: nameOf(clash[0].appId), other: nameOf(clash[1].appId) })
  const reach = await shelfReachOf(
    ctx,
    editions.map(one => one.appId),
  )
  const main = reach.get(editions.find(one => one.role === 'MAIN')?.appId ?? '')
  if (!main?.isOnShelf) return
  for (const { appId } of editions) {
    const countries = uncovered(main.countries, reach.get(appId)?.countries ?? [])
    if (countries.length > 0) refuse(errors.uncovered, { name: nameOf(appId), countries: countries.join(', ') })
  }
}

async function insertMember(ctx: Context, seriesId: string, app: AppRow, role: MemberRole): Promise<void> {
  const { appId, teamId, packageType, deviceTypes } = app
  await ctx.db
    .insert(seriesMembers)
    .values({ appId, seriesId, teamId, role, packageType, deviceTypes, addedAt: ctx.now() })
}

async function touch(
  ctx: Context,
  row: SeriesRecord,
  action: string,
  after: Record<string, unknown>,
  set: Partial<SeriesRecord> = {},
): Promise<SeriesRecord> {
  const [next] = await ctx.db
    .update(appSeries)
    .set({ ...set, updatedAt: ctx.now(), revision: row.revision + 1 })
    .where(eq(appSeries.seriesId, row.seriesId))
    .returning()
  tell(ctx, row.seriesId, action, after)
  return next!
}

function tell(ctx: Context, seriesId: string, action: string, after: Record<string, unknown>): void {
  ctx.audit({ action: `series.${action}`, entity: 'series', entityId: seriesId, after })
  ctx.emit({ type: 'series.changed', entity: 'series', entityId: seriesId, data: { action, ...after } })
}

async function one(ctx: Context, row: SeriesRecord) {
  return (await toSeries(ctx, [row]))[0]!
}

function toMode(row: SeriesRecord, harmony: { isOnShelf: boolean }) {
  const { seriesId, mode, singleIn, revision } = row
  return { seriesId, mode, singleIn, canBeSingle: harmony.isOnShelf, revision }
}
