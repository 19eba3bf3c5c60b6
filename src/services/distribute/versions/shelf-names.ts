import { and, eq, gte, inArray, ne, sql } from 'drizzle-orm'
import type { Context } from '../../../server/context.ts'
import type { AppRow } from '../apps/public.ts'
import { nameKey } from './listing/rules.ts'
import { listingsOf, shelfVersionOf, type VersionRecord } from './queries.ts'
import { limits } from './rules.ts'
import { shelfNames } from './tables.home.ts'
import { renames } from './tables.ts'

export interface NamedIn {
  lang: string
  appName: string
}

/** Those of the names that another app on shelf has, in any language, where it is offered in one of the countries. */
export async function takenNames(
  ctx: Context,
  appId: string | null,
  names: readonly NamedIn[],
  countries: readonly string[],
): Promise<(NamedIn & { conflictAppName: string })[]> {
  const keys = [...new Set(names.map(one => nameKey(one.appName)).filter(key => key !== ''))]
  if (keys.length === 0 || countries.length === 0) return []
  const rows = await ctx.home
    .select({ nameKey: shelfNames.nameKey, appName: shelfNames.appName })
    .from(shelfNames)
    .where(
      and(
        inArray(shelfNames.nameKey, keys),
        appId === null ? undefined : ne(shelfNames.appId, appId),
        sql`${shelfNames.countries} && ${sql.param([...countries])}::text[]`,
      ),
    )
    .limit(100)
  return names.flatMap(one => {
    const found = rows.find(row => row.nameKey === nameKey(one.appName))
    return found ? [{ ...one, conflictAppName: found.appName }] : []
  })
}

/** How often the app may still change its name this calendar year (UTC) in mainland China. */
export async function renamesLeft(ctx: Context, appId: string): Promise<number> {
  const yearStart = Date.UTC(new Date(ctx.now()).getUTCFullYear(), 0, 1)
  const used = await ctx.db.$count(renames, and(eq(renames.appId, appId), gte(renames.at, yearStart)))
  return Math.max(0, limits.renamesOfYear - used)
}

/** Whether a name would be a change of the one on shelf where changes are counted. */
export function isCountedRename(
  app: Pick<AppRow, 'lastShelf' | 'name'>,
  appName: string,
  countries: readonly string[],
) {
  return app.lastShelf !== null && countries.includes('CN') && appName.trim() !== '' && appName !== app.name
}

/** Counts a change of name that goes on shelf. `app` is as it was before. */
export async function noteRename(ctx: Context, app: AppRow, version: VersionRecord, appName: string): Promise<void> {
  if (!isCountedRename(app, appName, version.countries)) return
  await ctx.db.insert(renames).values({
    renameId: ctx.newId(),
    teamId: version.teamId,
    appId: version.appId,
    fromName: app.name,
    toName: appName,
    at: ctx.now(),
  })
}

/** Makes the home database's names of an app those of its version on shelf, whatever happened meanwhile. */
export async function copyShelfNames(ctx: Context, appId: string): Promise<void> {
  const shelf = await shelfVersionOf(ctx, appId)
  const rows = shelf ? (await listingsOf(ctx, shelf.versionId)).filter(row => row.appName !== '') : []
  await ctx.home.delete(shelfNames).where(eq(shelfNames.appId, appId))
  if (!shelf || rows.length === 0) return
  await ctx.home.insert(shelfNames).values(
    rows.map(row => ({
      appId,
      lang: row.lang,
      nameKey: nameKey(row.appName),
      appName: row.appName,
      countries: shelf.countries,
      at: ctx.now(),
    })),
  )
}
