import { and, eq, ne, or, type SQL, sql } from 'drizzle-orm'
import type { Context } from '../../../../server/context.ts'
import { type AppRecord, mine } from '../queries.ts'
import { productName } from '../rules.ts'
import { apps } from '../tables.ts'

const mostRelated = 50

/** Apps of the team for other platforms than this one that are alike in any of the ways named. */
export function editionsOf(ctx: Context, app: AppRecord, alike: readonly (SQL | undefined)[]): Promise<AppRecord[]> {
  const { appId, teamId, packageType } = app
  const isOther = and(eq(apps.teamId, teamId), ne(apps.appId, appId), ne(apps.packageType, packageType))
  return ctx.db
    .select()
    .from(apps)
    .where(and(mine(ctx), isOther, or(...alike)))
    .orderBy(apps.appId)
    .limit(mostRelated)
}

export function sameName(app: AppRecord): SQL {
  return sql`lower(normalize(regexp_replace(btrim(${apps.name}), '\\s+', ' ', 'g'), NFKC)) = ${productName(app.name)}`
}

export function samePackageName(app: AppRecord): SQL | undefined {
  return app.packageName === null ? undefined : sql`lower(${apps.packageName}) = ${app.packageName.toLowerCase()}`
}

export function isSamePackageName(one: AppRecord, other: AppRecord): boolean {
  return one.packageName !== null && one.packageName.toLowerCase() === other.packageName?.toLowerCase()
}
