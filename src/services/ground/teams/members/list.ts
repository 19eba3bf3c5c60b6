import { and, arrayContains, eq, ne, type SQL, sql } from 'drizzle-orm'
import type { Context } from '../../../../server/context.ts'
import { badField } from '../../../../server/http/problem.ts'
import type { MemberRow } from '../queries.ts'
import type { MemberStatus } from '../rules.ts'
import { matching } from '../search.ts'
import { memberFaces, members } from '../tables.home.ts'

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
  const matches = and(eq(members.teamId, ctx.teamId), ...filtersOf(wish))
  const isFirst = wish.cursor === undefined
  const leader = isFirst ? await leaderIn(ctx, matches, leaderAccountId) : undefined
  const rows = await membersAfter(ctx, matches, leaderAccountId, wish.cursor).limit(pageSize + 1 - (leader ? 1 : 0))
  const all = leader ? [leader, ...rows] : rows
  const list = all.slice(0, pageSize)
  const last = list.at(-1)
  return {
    total: await countUpTo(ctx, matches),
    list,
    nextCursor: all.length > pageSize && last ? cursorOf(last, leaderAccountId) : null,
  }
}

/** The statement of a page, without its limit: what the test explains. */
export function membersAfter(ctx: Context, matches: SQL | undefined, leaderAccountId: string, cursor?: string) {
  const place = cursor === undefined ? undefined : readCursor(cursor)
  return ctx.home
    .select()
    .from(members)
    .where(
      and(
        matches,
        ne(members.accountId, leaderAccountId),
        place && sql`(${members.joinedAt}, ${members.accountId}) > (${place[0]}, ${place[1]})`,
      ),
    )
    .orderBy(members.joinedAt, members.accountId)
}

export function filtersOf({ search, role, status }: MemberWish): (SQL | undefined)[] {
  return [
    // Written out, not as a parameter: the partial index is chosen by it.
    status === undefined ? sql`${members.status} <> 'removed'` : eq(members.status, status),
    role === undefined ? undefined : arrayContains(members.roles, [role]),
    found(search),
  ]
}

/** Who has the words, in whatever team: looked up first, as an array, or the planner walks all members instead. */
function found(search: string | undefined): SQL | undefined {
  const words = matching(memberFaces.searchKey, search)
  return (
    words && sql`${members.accountId} = ANY(ARRAY(SELECT ${memberFaces.accountId} FROM ${memberFaces} WHERE ${words}))`
  )
}

async function leaderIn(ctx: Context, matches: SQL | undefined, leaderAccountId: string) {
  const [row] = await ctx.home
    .select()
    .from(members)
    .where(and(matches, eq(members.accountId, leaderAccountId)))
  return row
}

async function countUpTo(ctx: Context, matches: SQL | undefined): Promise<number> {
  const some = ctx.home.select({ one: sql`1` }).from(members).where(matches).limit(countedMost).as('some')
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
