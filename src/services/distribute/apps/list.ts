import { and, asc, desc, eq, isNotNull, isNull, ne, or, type SQL, sql } from 'drizzle-orm'
import type { Context } from '../../../server/context.ts'
import { planned } from '../../../server/database/planned.ts'
import type { Db } from '../../../server/database/transaction.ts'
import type { AppRecord } from './queries.ts'
import { apps } from './tables.ts'

export interface ListWish {
  search?: string
  teamId?: string
  projectId?: string
  packageType?: string
  state?: 'ACTIVE' | 'FROZEN'
  shelfState?: 'ON_SHELF' | 'OFF_SHELF' | 'NEVER'
  sort?: 'updated' | 'created' | 'name'
  order?: 'asc' | 'desc'
  cursor?: string
  pageSize?: number
}

const sorts = { updated: apps.updatedAt, created: apps.createdAt, name: sql`lower(${apps.name})` } as const
type Sort = keyof typeof sorts

/** What of a wish changes the statement; the rest are its values. */
export interface ListShape {
  sort: Sort
  isDown: boolean
  isAfter: boolean
  filters: readonly Filter[]
  shelfState: ListWish['shelfState']
}

const filters = {
  teamId: () => eq(apps.teamId, sql.placeholder('teamId')),
  projectId: () => eq(apps.projectId, sql.placeholder('projectId')),
  packageType: () => eq(apps.packageType, sql.placeholder('packageType')),
  state: () => eq(apps.state, sql.placeholder('state')),
  search: () =>
    or(
      sql`${apps.name} ILIKE ${sql.placeholder('like')}`,
      sql`${apps.packageName} ILIKE ${sql.placeholder('like')}`,
      sql`${apps.appId}::text = ${sql.placeholder('search')}`,
    ),
} as const
type Filter = keyof typeof filters
const filterNames = Object.keys(filters) as Filter[]

/** Apps by keyset: the sort value and the id of the last one make the cursor. Of the team for its members, of all for staff. */
export async function listApps(ctx: Context, asked: ListWish) {
  const isOfTeam = ctx.caller.kind === 'user' && ctx.place.teamId !== null
  const wish = { ...asked, ...(isOfTeam ? { teamId: ctx.teamId } : {}) }
  const sort = wish.sort ?? 'updated'
  const place = wish.cursor === undefined ? undefined : placeOf(sort, wish.cursor)
  const search = wish.search?.trim()
  const shape: ListShape = {
    sort,
    isDown: (wish.order ?? (sort === 'name' ? 'asc' : 'desc')) === 'desc',
    isAfter: place !== undefined,
    filters: filterNames.filter(name => (name === 'search' ? search : wish[name] !== undefined)),
    shelfState: wish.shelfState,
  }
  const pageSize = wish.pageSize ?? 20
  const values = {
    ...wish,
    search: search ?? '',
    like: `%${(search ?? '').replace(/[\\%_]/g, '\\$&')}%`,
    limit: pageSize + 1,
    afterValue: place?.value,
    afterId: place?.appId,
  }
  const { rows, total } = await run(ctx, shape, values)
  const list = rows.slice(0, pageSize)
  return { total, list, nextCursor: rows.length > pageSize ? cursorOf(sort, list.at(-1)) : null }
}

type Plan = { rows: ReturnType<typeof planned<AppRecord[]>>; count: ReturnType<typeof planned<{ total: number }[]>> }
const plans = new Map<string, Plan>()

/** One prepared statement for each shape that was ever asked for. A member who reaches only some apps has one of his own. */
async function run(ctx: Context, shape: ListShape, values: Record<string, unknown>) {
  const scope = ctx.withinScope(apps)
  if (scope) {
    const rows = await rowsOf(ctx.db, shape, scope).execute(values)
    const [counted] = await countOf(ctx.db, shape, scope).execute(values)
    return { rows, total: counted?.total ?? 0 }
  }
  const key = JSON.stringify(shape)
  let plan = plans.get(key)
  if (!plan) {
    plan = { rows: planned(db => rowsOf(db, shape)), count: planned(db => countOf(db, shape)) }
    plans.set(key, plan)
  }
  const transaction = ctx.transaction(ctx.zone)
  const rows = await plan.rows(transaction, values)
  const [counted] = await plan.count(transaction, values)
  return { rows, total: counted?.total ?? 0 }
}

/** The page of a shape; the tests look at how PostgreSQL carries it out. */
export function rowsOf(db: Db, shape: ListShape, scope?: SQL) {
  const direction = shape.isDown ? desc : asc
  return db
    .select()
    .from(apps)
    .where(and(matchesOf(shape), scope, shape.isAfter ? after(shape) : undefined))
    .orderBy(direction(sorts[shape.sort]), direction(apps.appId))
    .limit(sql.placeholder('limit'))
}

export function countOf(db: Db, shape: ListShape, scope?: SQL) {
  return db
    .select({ total: sql<number>`count(*)::int` })
    .from(apps)
    .where(and(matchesOf(shape), scope))
}

function matchesOf(shape: ListShape): SQL | undefined {
  return and(ne(apps.state, sql.raw(`'DELETED'`)), ...shape.filters.map(name => filters[name]()), shelfFilter(shape))
}

function shelfFilter({ shelfState }: ListShape): SQL | undefined {
  if (shelfState === 'ON_SHELF') return isNotNull(apps.shelf)
  if (shelfState === 'OFF_SHELF') return and(isNull(apps.shelf), isNotNull(apps.lastShelf))
  return shelfState === 'NEVER' ? isNull(apps.lastShelf) : undefined
}

function after({ sort, isDown }: ListShape): SQL {
  const sign = sql.raw(isDown ? '<' : '>')
  const given = sql.placeholder('afterValue')
  const value = sort === 'name' ? sql`lower(${given})` : sql`${given}`
  return sql`(${sorts[sort]}, ${apps.appId}) ${sign} (${value}, ${sql.placeholder('afterId')})`
}

function cursorOf(sort: Sort, row: AppRecord | undefined): string | null {
  if (!row) return null
  const value = { updated: row.updatedAt, created: row.createdAt, name: row.name }[sort]
  return Buffer.from(JSON.stringify([value, row.appId])).toString('base64url')
}

/** A cursor that does not fit starts at the beginning. */
function placeOf(sort: Sort, cursor: string): { value: number | string; appId: string } | undefined {
  try {
    const [value, appId] = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    const isRight = sort === 'name' ? typeof value === 'string' : Number.isSafeInteger(value)
    return isRight && /^[0-9]{1,19}$/.test(appId) ? { value, appId } : undefined
  } catch {
    return undefined
  }
}
