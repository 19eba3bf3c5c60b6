import { and, eq, exists, inArray, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import type { Static } from '../../../kernel/shape.ts'
import type { Context } from '../../../server/context.ts'
import { appInScope, appsOf } from '../apps/public.ts'
import { shelfReachOf } from '../versions/shelf/public.ts'
import type { Series } from './contract.ts'
import { type MemberRole, phaseOf, uncovered } from './rules.ts'
import { appSeries, seriesMembers } from './tables.ts'

export type SeriesRecord = typeof appSeries.$inferSelect
export type MemberRecord = typeof seriesMembers.$inferSelect

/** Series of the team that hold an app of the caller's scope. */
export function mySeries(ctx: Context) {
  const inScope = appInScope(ctx, seriesMembers.appId)
  const reached =
    inScope &&
    exists(
      ctx.db
        .select({ one: sql`1` })
        .from(seriesMembers)
        .where(and(eq(seriesMembers.seriesId, appSeries.seriesId), inScope)),
    )
  return and(eq(appSeries.teamId, ctx.teamId), reached)
}

/** Refuses 404 for another team's, and for one whose apps the caller does not all reach where it is to be changed. */
export async function loadSeries(ctx: Context, seriesId: string, lock?: 'update') {
  const query = ctx.db
    .select()
    .from(appSeries)
    .where(and(eq(appSeries.seriesId, seriesId), mySeries(ctx)))
  const [row] = await (lock ? query.for(lock) : query)
  if (!row) refuse(commonErrors.notFound, { entity: 'series', id: seriesId })
  const members = await membersOf(ctx, [seriesId])
  if (lock && ctx.memberScope !== 'all') {
    const reached = await appsOf(
      ctx,
      members.map(one => one.appId),
    )
    if (reached.length < members.length) refuse(commonErrors.notFound, { entity: 'series', id: seriesId })
  }
  return { row, members }
}

export function membersOf(ctx: Context, seriesIds: readonly string[]): Promise<MemberRecord[]> {
  return ctx.db
    .select()
    .from(seriesMembers)
    .where(and(inArray(seriesMembers.seriesId, [...seriesIds]), eq(seriesMembers.teamId, ctx.teamId)))
    .orderBy(seriesMembers.role, seriesMembers.appId)
}

/** Series with their editions, the main one first; a handful of queries for a page. */
export async function toSeries(ctx: Context, rows: readonly SeriesRecord[]): Promise<Static<typeof Series>[]> {
  const members = await membersOf(
    ctx,
    rows.map(row => row.seriesId),
  )
  const appIds = members.map(one => one.appId)
  const found = new Map((await appsOf(ctx, appIds)).map(app => [app.appId, app]))
  const reach = await shelfReachOf(ctx, appIds)
  return rows.map(({ teamId: _, createdBy: __, ...row }) => {
    const own = members.filter(one => one.seriesId === row.seriesId)
    const main = own.find(one => one.role === 'MAIN')
    const mainReach = main && reach.get(main.appId)
    return {
      ...row,
      canEdit: ctx.may('series.edit') && own.every(one => found.has(one.appId)),
      members: own.flatMap(({ appId, packageType, deviceTypes, role }) => {
        const app = found.get(appId)
        const at = reach.get(appId)
        if (!app || !at) return []
        const uncoveredIn = mainReach?.isOnShelf && at.isOnShelf ? uncovered(mainReach.countries, at.countries) : []
        const { name, packageName } = app
        return [
          {
            appId,
            name,
            packageName,
            packageType,
            deviceTypes,
            role: role as MemberRole,
            phase: phaseOf(at),
            uncoveredIn,
          },
        ]
      }),
    }
  })
}
