import { eq } from 'drizzle-orm'
import type { Context } from '../../../server/context.ts'
import { harmonyTypes, type MemberRole } from './rules.ts'
import { appSeries, seriesMembers } from './tables.ts'

/** With which series an app is one product. `hiddenIn` are countries where another edition is shown in its place; `*` is everywhere. */
export interface SeriesOfApp {
  seriesId: string
  name: string
  role: MemberRole
  packageType: string
  deviceTypes: number[]
  hiddenIn: string[]
}

/** The series of an app of any team; null where it stands in none. The caller may see the app. */
export async function seriesOfApp(ctx: Context, appId: string): Promise<SeriesOfApp | null> {
  const [found] = await ctx.db
    .select({ series: appSeries, member: seriesMembers })
    .from(seriesMembers)
    .innerJoin(appSeries, eq(appSeries.seriesId, seriesMembers.seriesId))
    .where(eq(seriesMembers.appId, appId))
  if (!found) return null
  const { seriesId, name, mode, singleIn } = found.series
  const { role, packageType, deviceTypes } = found.member
  const isHidden = mode === 'SINGLE' && !harmonyTypes.includes(packageType)
  const where = singleIn.length > 0 ? singleIn : ['*']
  return { seriesId, name, role, packageType, deviceTypes, hiddenIn: isHidden ? where : [] }
}

/** The apps of a series now, in no order; for workers. */
export async function appsInSeries(ctx: Context, seriesId: string): Promise<string[]> {
  const rows = await ctx.db
    .select({ appId: seriesMembers.appId })
    .from(seriesMembers)
    .where(eq(seriesMembers.seriesId, seriesId))
  return rows.map(row => row.appId)
}
