import { type AnyColumn, and, eq, getTableColumns, ne, type SQL, sql } from 'drizzle-orm'
import type { Context } from '../../../../server/context.ts'
import { badField } from '../../../../server/http/problem.ts'
import type { MemberRow } from '../queries.ts'
import type { MemberStatus } from '../rules.ts'
import { matching } from '../search.ts'
import { memberFaces, memberRoles, members } from '../tables.home.ts'

export interface MemberWish {
  search?: string
  role?: string
  status?: MemberStatus
  cursor?: string
  pageSize?: number
}

/** Counting stops here: a page says more than 10,000 and no team has as many. */
const countedMost = 10_001

/** Members by joining, by keyset; the leader leads the first page. */
export async function pageOfMembers(ctx: Context, wish: MemberWish, leaderAccountId: string) {
  const pageSize = wish.pageSize ?? 20
  const leader = wish.cursor === undefined ? await leaderIn(ctx, wish, leaderAccountId) : undefined
  const rows = await membersAfter(ctx, wish, leaderAccountId).limit(pageSize + 1 - (leader ? 1 : 0))
  const all = leader ? [leader, ...rows] : rows
  const list = all.slice(0, pageSize)
  const last = list.at(-1)
  return {
    total: await countUpTo(ctx, wish),
    list,
    nextCursor: all.length > pageSize && last ? cursorOf(last, leaderAccountId) : null,
  }
}

/** The statement of a page, without its limit: what the test explains. */
export function membersAfter(ctx: Context, wish: MemberWish, leaderAccountId: string) {
  const at = placeOf(wish)
  const place = wish.cursor === undefined ? undefined : readCursor(wish.cursor)
  return membersOf(ctx, wish)
    .where(
      and(
        matchesOf(ctx, wish),
        ne(at.accountId, leaderAccountId),
        place && sql`(${at.joinedAt}, ${at.accountId}) > (${place[0]}, ${place[1]})`,
      ),
    )
    .orderBy(at.joinedAt, at.accountId)
}

/** Where team, status and order are looked up: with a role in the rows of roles, else in those of members. */
function placeOf({ role }: MemberWish) {
  return role === undefined ? members : memberRoles
}

function membersOf(ctx: Context, wish: MemberWish) {
  const query = ctx.home.select(getTableColumns(members)).from(members).$dynamic()
  if (wish.role === undefined) return query
  const isSame = and(eq(members.teamId, memberRoles.teamId), eq(members.accountId, memberRoles.accountId))
  return query.innerJoin(memberRoles, isSame)
}

function matchesOf(ctx: Context, wish: MemberWish): SQL | undefined {
  const { search, role, status } = wish
  const at = placeOf(wish)
  return and(
    eq(at.teamId, ctx.teamId),
    // Written out, not as a parameter: the partial index is chosen by it.
    status === undefined ? sql`${at.status} <> 'removed'` : eq(at.status, status),
    role === undefined ? undefined : eq(memberRoles.role, role),
    found(at.accountId, search),
  )
}

/** Who has the words, in whatever team: looked up first, as an array, or the planner walks all members instead. */
function found(accountId: AnyColumn, search: string | undefined): SQL | undefined {
  const words = matching(memberFaces.searchKey, search)
  return words && sql`${accountId} = ANY(ARRAY(SELECT ${memberFaces.accountId} FROM ${memberFaces} WHERE ${words}))`
}

async function leaderIn(ctx: Context, wish: MemberWish, leaderAccountId: string) {
  const [row] = await membersOf(ctx, wish).where(
    and(matchesOf(ctx, wish), eq(placeOf(wish).accountId, leaderAccountId)),
  )
  return row
}

async function countUpTo(ctx: Context, wish: MemberWish): Promise<number> {
  const some = ctx.home
    .select({ one: sql`1` })
    .from(placeOf(wish))
    .where(matchesOf(ctx, wish))
    .limit(countedMost)
    .as('some')
  const [counted] = await ctx.home.select({ total: sql<number>`count(*)::int` }).from(some)
  return counted?.total ?? 0
}

/** After the leader the list begins: its place is that of nobody. */
function cursorOf(row: MemberRow, leaderAccountId: string): string {
  return row.accountId === leaderAccountId ? '0.0' : `${row.joinedAt}.${row.accountId}`
}

function readCursor(cursor: string): [string, string] {
  const [, joinedAt, accountId] = /^([0-9]{1,16})\.([0-9]{1,19})$/.exec(cursor) ?? []
  if (joinedAt === undefined || accountId === undefined)
    throw badField('/cursor', 'cursor', 'is not the nextCursor of a page', 'query')
  return [joinedAt, accountId]
}
