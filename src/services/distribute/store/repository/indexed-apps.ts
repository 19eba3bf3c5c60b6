import { and, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import type { Context } from '../../../../server/context.ts'
import { columns } from '../queries.ts'
import { apkNameOf, compareCodes } from '../rules.ts'
import { storeRecords } from '../tables.home.ts'
import type { RepositoryZone } from './address.ts'
import type { IndexedApp } from './index-v1.ts'

const pageSize = 200

/** Codes above this no client can hold. */
const isListed = and(
  eq(storeRecords.state, 'on_shelf'),
  eq(storeRecords.isFrozen, false),
  // A static index cannot tell one device from another.
  isNull(storeRecords.phase),
  sql`${storeRecords.versionCode} <= ${Number.MAX_SAFE_INTEGER}`,
)

/** What a repository lists, in the order of package names, read a few hundred apps at a time. */
export async function* indexedAppsOf(ctx: Context, repository: RepositoryZone): AsyncGenerator<IndexedApp> {
  yield* listedApps(ctx, repository === 'all' ? isListed : and(isListed, eq(storeRecords.zone, repository)))
}

/** The same for some apps of a team. */
export async function indexedAppsOfTeam(
  ctx: Context,
  teamId: string,
  appIds: readonly string[],
): Promise<IndexedApp[]> {
  const own = and(isListed, eq(storeRecords.teamId, teamId), inArray(storeRecords.appId, [...appIds]))
  const apps: IndexedApp[] = []
  for await (const app of listedApps(ctx, own)) apps.push(app)
  return apps
}

async function* listedApps(ctx: Context, condition: SQL | undefined): AsyncGenerator<IndexedApp> {
  const names = await ctx.home
    .selectDistinct({ packageName: sql<string>`${storeRecords.packageName} COLLATE "C"` })
    .from(storeRecords)
    .where(condition)
    .orderBy(sql`${storeRecords.packageName} COLLATE "C"`)
  for (let at = 0; at < names.length; at += pageSize) {
    const wanted = names.slice(at, at + pageSize).map(row => row.packageName)
    const records = await ctx.home
      .select({ ...columns, listings: storeRecords.listings })
      .from(storeRecords)
      .where(and(condition, inArray(storeRecords.packageName, wanted)))
    const byName = Map.groupBy(records, record => record.packageName)
    for (const packageName of wanted) {
      const versions = (byName.get(packageName) ?? [])
        .map(record => ({ ...record, apkName: apkNameOf(packageName, record.versionCode, record.sha256) }))
        .sort((a, b) => compareCodes(b.versionCode, a.versionCode))
      if (versions.length > 0) yield { packageName, versions }
    }
  }
}
