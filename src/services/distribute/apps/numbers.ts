import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Context } from '../../../server/context.ts'
import { mine } from './queries.ts'
import type { PackageType } from './rules.ts'
import { apps } from './tables.ts'

const months = 12

/** Where the apps of the team stand, counted in one pass each: what the charts above the list show. */
export async function appNumbers(ctx: Context, projectId: string | undefined) {
  const matches = and(mine(ctx), projectId === undefined ? undefined : eq(apps.projectId, projectId))
  const shelf = sql<'ON_SHELF' | 'OFF_SHELF' | 'NEVER'>`CASE WHEN ${apps.shelf} IS NOT NULL THEN 'ON_SHELF'
    WHEN ${apps.lastShelf} IS NOT NULL THEN 'OFF_SHELF' ELSE 'NEVER' END`
  const rows = await ctx.db
    .select({
      shelfState: shelf,
      packageType: apps.packageType,
      openVersionState: apps.openVersionState,
      apps: counted,
    })
    .from(apps)
    .where(matches)
    .groupBy(sql`1`, apps.packageType, apps.openVersionState)
  const sumBy = <K extends 'shelfState' | 'packageType' | 'openVersionState'>(key: K) => {
    const sums = new Map<string, number>()
    for (const row of rows) {
      const value = row[key]
      if (value !== null) sums.set(value, (sums.get(value) ?? 0) + row.apps)
    }
    return [...sums].sort((a, b) => b[1] - a[1])
  }
  return {
    total: rows.reduce((sum, row) => sum + row.apps, 0),
    byShelf: sumBy('shelfState').map(([state, number]) => ({ shelfState: state as 'NEVER', apps: number })),
    byPackageType: sumBy('packageType').map(([type, number]) => ({ packageType: type as PackageType, apps: number })),
    byOpenVersion: sumBy('openVersionState').map(([openVersionState, number]) => ({ openVersionState, apps: number })),
    byMonth: await byMonth(ctx, matches),
  }
}

const counted = sql<number>`count(*)::int`

async function byMonth(ctx: Context, matches: SQL | undefined) {
  const first = new Date(ctx.now())
  first.setUTCDate(1)
  first.setUTCHours(0, 0, 0, 0)
  first.setUTCMonth(first.getUTCMonth() - (months - 1))
  const monthOf = (at: SQL) => sql<string>`to_char(to_timestamp(${at} / 1000.0) AT TIME ZONE 'UTC', 'YYYY-MM')`
  const countIn = (at: SQL) =>
    ctx.db
      .select({ month: monthOf(at), apps: counted })
      .from(apps)
      .where(and(matches, sql`${at} >= ${first.getTime()}`))
      .groupBy(sql`1`)
  const created = new Map((await countIn(sql`${apps.createdAt}`)).map(row => [row.month, row.apps]))
  const released = new Map((await countIn(sql`${apps.firstShelfAt}`)).map(row => [row.month, row.apps]))
  return Array.from({ length: months }, (_, index) => {
    const month = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + index)).toISOString().slice(0, 7)
    return { month, created: created.get(month) ?? 0, firstOnShelf: released.get(month) ?? 0 }
  })
}
