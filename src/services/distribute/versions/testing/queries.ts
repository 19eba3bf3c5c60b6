import { and, count, countDistinct, desc, eq, ilike, inArray, lt, or, type SQL, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { type AppRow, appInScope, lockApp } from '../../apps/public.ts'
import { entitledStates, type GroupKind, liveStates, type TestState, type UserState } from './rules.ts'
import { testGroups, testUsers, testVersions } from './tables.ts'

export type TestRecord = typeof testVersions.$inferSelect
export type GroupRecord = typeof testGroups.$inferSelect
export type UserRecord = typeof testUsers.$inferSelect
type Owned = typeof testVersions | typeof testGroups | typeof testUsers

/** Rows the caller may see: the team's own for a user of a team, all for staff and workers. */
function mine(ctx: Context, table: Owned): SQL | undefined {
  return ctx.place.teamId !== null && ctx.caller.kind === 'user'
    ? and(eq(table.teamId, ctx.teamId), appInScope(ctx, table.appId))
    : undefined
}

/** Those of the test versions that exist and are the caller's; in no order. */
export async function testsOfIds(ctx: Context, versionIds: readonly string[]): Promise<TestRecord[]> {
  if (versionIds.length === 0) return []
  return ctx.db
    .select()
    .from(testVersions)
    .where(and(inArray(testVersions.versionId, [...new Set(versionIds)]), mine(ctx, testVersions)))
}

export async function loadTest(ctx: Context, versionId: string): Promise<TestRecord> {
  const [test] = await testsOfIds(ctx, [versionId])
  return test ?? refuse(commonErrors.notFound, { entity: 'test version', id: versionId })
}

/** A test version to be changed, with its app locked: changes of one app happen one after another. */
export async function lockTest(ctx: Context, versionId: string): Promise<{ app: AppRow; test: TestRecord }> {
  const { appId } = await loadTest(ctx, versionId)
  const app = await lockApp(ctx, appId)
  return { app, test: await loadTest(ctx, versionId) }
}

export async function countLive(ctx: Context, appId: string): Promise<number> {
  return ctx.db.$count(testVersions, and(eq(testVersions.appId, appId), inArray(testVersions.state, [...liveStates])))
}

interface Page {
  cursor?: string
  pageSize?: number
}
const isCursor = (cursor: string | undefined): cursor is string => cursor !== undefined && /^[0-9]{1,18}$/.test(cursor)
const like = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`

function paged<Row>(rows: Row[], pageSize: number, idOf: (row: Row) => string) {
  const list = rows.slice(0, pageSize)
  const last = list.at(-1)
  return { list, nextCursor: rows.length > pageSize && last !== undefined ? idOf(last) : null }
}

export async function pageOfTests(
  ctx: Context,
  wish: Page & { appId: string; testType?: number; states?: readonly TestState[]; groupId?: string; search?: string },
) {
  const { appId, testType, states, groupId, search, cursor, pageSize = 20 } = wish
  const matches = and(
    eq(testVersions.appId, appId),
    mine(ctx, testVersions),
    testType === undefined ? undefined : eq(testVersions.testType, testType),
    states && states.length > 0 ? inArray(testVersions.state, [...states]) : undefined,
    groupId === undefined ? undefined : sql`${testVersions.groupIds} @> ARRAY[${groupId}]::bigint[]`,
    search
      ? or(
          ilike(testVersions.testDesc, like(search)),
          ilike(testVersions.versionName, like(search)),
          sql`${testVersions.versionCode}::text = ${search}`,
        )
      : undefined,
  )
  const rows = await ctx.db
    .select()
    .from(testVersions)
    .where(and(matches, isCursor(cursor) ? lt(testVersions.versionId, cursor) : undefined))
    .orderBy(desc(testVersions.versionId))
    .limit(pageSize + 1)
  return { total: await ctx.db.$count(testVersions, matches), ...paged(rows, pageSize, row => row.versionId) }
}

export async function loadGroup(ctx: Context, groupId: string): Promise<GroupRecord> {
  const [group] = await groupsOfIds(ctx, [groupId])
  return group ?? refuse(commonErrors.notFound, { entity: 'test group', id: groupId })
}

export async function groupsOfIds(ctx: Context, groupIds: readonly string[]): Promise<GroupRecord[]> {
  if (groupIds.length === 0) return []
  return ctx.db
    .select()
    .from(testGroups)
    .where(and(inArray(testGroups.groupId, [...new Set(groupIds)]), mine(ctx, testGroups)))
}

export async function pageOfGroups(ctx: Context, wish: Page & { appId: string; kind?: GroupKind; search?: string }) {
  const { appId, kind, search, cursor, pageSize = 20 } = wish
  const matches = and(
    eq(testGroups.appId, appId),
    mine(ctx, testGroups),
    kind && eq(testGroups.kind, kind),
    search ? ilike(testGroups.name, like(search)) : undefined,
  )
  const rows = await ctx.db
    .select()
    .from(testGroups)
    .where(and(matches, isCursor(cursor) ? lt(testGroups.groupId, cursor) : undefined))
    .orderBy(desc(testGroups.groupId))
    .limit(pageSize + 1)
  return { total: await ctx.db.$count(testGroups, matches), ...paged(rows, pageSize, row => row.groupId) }
}

export const isOfGroup = (groupIds: readonly string[]) =>
  and(inArray(testUsers.groupId, [...groupIds]), inArray(testUsers.state, [...entitledStates]))

/** How many people of each group get what it tests. */
export async function countsOfGroups(ctx: Context, groupIds: readonly string[]): Promise<Map<string, number>> {
  if (groupIds.length === 0) return new Map()
  const rows = await ctx.db
    .select({ groupId: testUsers.groupId, people: count() })
    .from(testUsers)
    .where(isOfGroup(groupIds))
    .groupBy(testUsers.groupId)
  return new Map(rows.map(row => [row.groupId, row.people]))
}

/** Live tests that go to any of the groups. */
export async function testsOfGroups(ctx: Context, groupIds: readonly string[]): Promise<TestRecord[]> {
  if (groupIds.length === 0) return []
  return ctx.db
    .select()
    .from(testVersions)
    .where(
      and(
        sql`${testVersions.groupIds} && ${sql.param([...groupIds])}::bigint[]`,
        inArray(testVersions.state, [...liveStates]),
      ),
    )
    .orderBy(testVersions.versionId)
}

/** Different people over all groups of an app. */
export async function peopleOfApp(ctx: Context, appId: string): Promise<number> {
  const [row] = await ctx.db
    .select({ people: countDistinct(testUsers.account) })
    .from(testUsers)
    .where(and(eq(testUsers.appId, appId), inArray(testUsers.state, [...entitledStates])))
  return row?.people ?? 0
}

export async function loadUser(ctx: Context, userId: string): Promise<UserRecord> {
  const [user] = await ctx.db
    .select()
    .from(testUsers)
    .where(and(eq(testUsers.userId, userId), mine(ctx, testUsers)))
  return user ?? refuse(commonErrors.notFound, { entity: 'test user', id: userId })
}

export async function pageOfUsers(ctx: Context, wish: Page & { groupId: string; search?: string; state?: UserState }) {
  const { groupId, search, state, cursor, pageSize = 20 } = wish
  const matches = and(
    eq(testUsers.groupId, groupId),
    mine(ctx, testUsers),
    state ? eq(testUsers.state, state) : inArray(testUsers.state, [...entitledStates, 'DECLINED', 'UNSUBSCRIBED']),
    search ? or(ilike(testUsers.account, like(search)), ilike(testUsers.nickname, like(search))) : undefined,
  )
  const rows = await ctx.db
    .select()
    .from(testUsers)
    .where(and(matches, isCursor(cursor) ? lt(testUsers.userId, cursor) : undefined))
    .orderBy(desc(testUsers.userId))
    .limit(pageSize + 1)
  return { total: await ctx.db.$count(testUsers, matches), ...paged(rows, pageSize, row => row.userId) }
}
