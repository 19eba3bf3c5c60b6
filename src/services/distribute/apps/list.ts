import { and, asc, desc, eq, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { Context } from '../../../server/context.ts'
import { type AppRecord, mine } from './queries.ts'
import { apps } from './tables.ts'

export interface ListWish {
  search?: string
  projectId?: string
  packageType?: string
  shelfState?: 'ON_SHELF' | 'OFF_SHELF' | 'NEVER'
  sort?: 'updated' | 'created' | 'name'
  order?: 'asc' | 'desc'
  cursor?: string
  pageSize?: number
}

const sorts = { updated: apps.updatedAt, created: apps.createdAt, name: sql`lower(${apps.name})` } as const

/** Apps by keyset: the sort value and the id of the last one make the cursor. */
export async function listApps(ctx: Context, wish: ListWish) {
  const matches = and(mine(ctx), ...filtersOf(wish))
  const sort = wish.sort ?? 'updated'
  const isDown = (wish.order ?? (sort === 'name' ? 'asc' : 'desc')) === 'desc'
  const direction = isDown ? desc : asc
  const pageSize = wish.pageSize ?? 20
  const rows = await ctx.db
    .select()
    .from(apps)
    .where(and(matches, after(sort, isDown, wish.cursor)))
    .orderBy(direction(sorts[sort]), direction(apps.appId))
    .limit(pageSize + 1)
  const list = rows.slice(0, pageSize)
  return {
    total: await ctx.db.$count(apps, matches),
    list,
    nextCursor: rows.length > pageSize ? cursorOf(sort, list.at(-1)) : null,
  }
}

function filtersOf(wish: ListWish): (SQL | undefined)[] {
  return [
    wish.projectId === undefined ? undefined : eq(apps.projectId, wish.projectId),
    wish.packageType === undefined ? undefined : eq(apps.packageType, wish.packageType),
    wish.search?.trim() ? matching(wish.search.trim()) : undefined,
    shelfFilter(wish.shelfState),
  ]
}

function matching(search: string): SQL | undefined {
  const like = `%${search.replace(/[\\%_]/g, '\\$&')}%`
  return or(
    sql`${apps.name} ILIKE ${like}`,
    sql`${apps.packageName} ILIKE ${like}`,
    /^[0-9]{1,19}$/.test(search) ? sql`${apps.appId}::text = ${search}` : undefined,
  )
}

function shelfFilter(state: ListWish['shelfState']): SQL | undefined {
  if (state === 'ON_SHELF') return isNotNull(apps.shelf)
  if (state === 'OFF_SHELF') return and(isNull(apps.shelf), isNotNull(apps.lastShelf))
  return state === 'NEVER' ? isNull(apps.lastShelf) : undefined
}

function cursorOf(sort: keyof typeof sorts, row: AppRecord | undefined): string | null {
  if (!row) return null
  const value = { updated: row.updatedAt, created: row.createdAt, name: row.name }[sort]
  return Buffer.from(JSON.stringify([value, row.appId])).toString('base64url')
}

/** What comes after a cursor; one that does not fit starts at the beginning. */
function after(sort: keyof typeof sorts, isDown: boolean, cursor: string | undefined): SQL | undefined {
  const place = cursor === undefined ? undefined : placeOf(sort, cursor)
  if (!place) return undefined
  const sign = sql.raw(isDown ? '<' : '>')
  const value = sort === 'name' ? sql`lower(${place.value})` : sql`${place.value}`
  return sql`(${sorts[sort]}, ${apps.appId}) ${sign} (${value}, ${place.appId})`
}

function placeOf(sort: keyof typeof sorts, cursor: string): { value: number | string; appId: string } | undefined {
  try {
    const [value, appId] = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    const isRight = sort === 'name' ? typeof value === 'string' : Number.isSafeInteger(value)
    return isRight && /^[0-9]{1,19}$/.test(appId) ? { value, appId } : undefined
  } catch {
    return undefined
  }
}
