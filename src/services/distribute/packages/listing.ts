import { and, desc, eq, getTableColumns, ilike, inArray, lt, or, type SQL, sql } from 'drizzle-orm'
import type { Context } from '../../../server/context.ts'
import { mine, type PackageRecord, type Scope, within } from './queries.ts'
import { packages } from './tables.ts'

export interface PackageWish {
  appId?: string
  search?: string
  kind?: PackageRecord['kind']
  /** Joined by commas. */
  kinds?: string
  state?: PackageRecord['state']
  usage?: PackageRecord['usage']
  cursor?: string
  pageSize?: number
}

const {
  permissions: _permissions,
  features: _features,
  components: _components,
  nativeLibraries: _nativeLibraries,
  certificates: _certificates,
  chains: _chains,
  folders: _folders,
  modules: _modules,
  sdks: _sdks,
  details: _details,
  labels: _labels,
  privacy: _privacy,
  ...summary
} = getTableColumns(packages)

/** A row as lists show it: without the long columns. */
export type PackageLine = { [Key in keyof typeof summary]: PackageRecord[Key] }

/** A page of packages, the newest first; ids are keys of the order. */
export async function pageOfPackages(ctx: Context, wish: PackageWish, scope: Scope) {
  const pageSize = wish.pageSize ?? 20
  const total = await ctx.db.$count(packages, matching(ctx, wish, scope))
  const rows: PackageLine[] = await rowsOf(ctx, wish, scope)
  const list = rows.slice(0, pageSize)
  return { total, list, nextCursor: rows.length > pageSize ? (list.at(-1)?.pkgId ?? null) : null }
}

/** The page of a wish, and one more; the tests look at how PostgreSQL carries it out. */
export function rowsOf(ctx: Context, wish: PackageWish, scope: Scope) {
  const before = /^[0-9]{1,19}$/.test(wish.cursor ?? '') ? lt(packages.pkgId, wish.cursor as string) : undefined
  return ctx.db
    .select(summary)
    .from(packages)
    .where(and(matching(ctx, wish, scope), before))
    .orderBy(desc(packages.pkgId))
    .limit((wish.pageSize ?? 20) + 1)
}

function matching(ctx: Context, wish: PackageWish, scope: Scope): SQL | undefined {
  return and(
    wish.appId === undefined ? undefined : eq(packages.appId, wish.appId),
    mine(ctx),
    within(scope),
    ...filtersOf(wish),
  )
}

function filtersOf({ search, kind, kinds, state, usage }: PackageWish): (SQL | undefined)[] {
  const like = `%${(search ?? '').replace(/[\\%_]/g, found => `\\${found}`)}%`
  return [
    kind && eq(packages.kind, kind),
    kinds ? inArray(packages.kind, kinds.split(',') as PackageRecord['kind'][]) : undefined,
    state && eq(packages.state, state),
    usage && eq(packages.usage, usage),
    search
      ? or(
          ilike(packages.fileName, like),
          ilike(packages.versionName, like),
          ilike(packages.packageName, like),
          ilike(packages.remark, like),
          sql`${packages.versionCode}::text = ${search}`,
        )
      : undefined,
  ]
}
