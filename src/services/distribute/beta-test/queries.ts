import { and, count, countDistinct, desc, eq, ilike, inArray, lt, or, type SQL, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import { type AppRow, appInScope, lockApp } from '../apps/public.ts'
import { entitledStates, type GroupKind, type UserState } from './rules.ts'
import { activities, type feedback, type imports, type links, testGroups, testUsers } from './tables.ts'

export type GroupRecord = typeof testGroups.$inferSelect
export type UserRecord = typeof testUsers.$inferSelect
export type LinkRecord = typeof links.$inferSelect
type Owned = typeof testGroups | typeof testUsers | typeof links | typeof imports | typeof feedback | typeof activities

/** Rows the caller may see: the team's own for a user of a team, all for staff and workers. */
export function mine(ctx: Context, table: Owned): SQL | undefined {
  return ctx.place.teamId !== null && ctx.caller.kind === 'user'
    ? and(eq(table.teamId, ctx.teamId), appInScope(ctx, table.appId))
    : undefined
}

export interface Page {
  cursor?: string
  pageSize?: number
}
const like = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`

/** The condition that begins a page behind its cursor. */
export function behind(column: Parameters<typeof lt>[0], cursor: string | undefined): SQL | undefined {
  return cursor !== undefined && /^[0-9]{1,18}$/.test(cursor) ? lt(column, cursor) : undefined
}

export function paged<Row>(rows: Row[], pageSize: number, idOf: (row: Row) => string) {
  const list = rows.slice(0, pageSize)
  const last = list.at(-1)
  return { list, nextCursor: rows.length > pageSize && last !== undefined ? idOf(last) : null }
}

export async function groupsOfIds(ctx: Context, groupIds: readonly string[]): Promise<GroupRecord[]> {
  if (groupIds.length === 0) return []
  return ctx.db
    .select()
    .from(testGroups)
    .where(and(inArray(testGroups.groupId, [...new Set(groupIds)]), mine(ctx, testGroups)))
}

export async function loadGroup(ctx: Context, groupId: string): Promise<GroupRecord> {
  const [group] = await groupsOfIds(ctx, [groupId])
  return group ?? refuse(commonErrors.notFound, { entity: 'test group', id: groupId })
}

/** A group to be changed, with its app locked: changes of one app happen one after another. */
export async function lockGroup(ctx: Context, groupId: string): Promise<{ app: AppRow; group: GroupRecord }> {
  const { appId } = await loadGroup(ctx, groupId)
  const app = await lockApp(ctx, appId)
  return { app, group: await loadGroup(ctx, groupId) }
}

export async function pageOfGroups(
  ctx: Context,
  wish: Page & { appId: string; kind?: GroupKind; search?: string; isRecruiting?: boolean },
) {
  const { appId, kind, search, cursor, isRecruiting, pageSize = 20 } = wish
  const matches = and(
    eq(testGroups.appId, appId),
    mine(ctx, testGroups),
    kind && eq(testGroups.kind, kind),
    search ? ilike(testGroups.name, like(search)) : undefined,
    isRecruiting
      ? sql`EXISTS (SELECT 1 FROM ${activities} WHERE ${activities.groupId} = ${testGroups.groupId})`
      : undefined,
  )
  const rows = await ctx.db
    .select()
    .from(testGroups)
    .where(and(matches, behind(testGroups.groupId, cursor)))
    .orderBy(desc(testGroups.groupId))
    .limit(pageSize + 1)
  return { total: await ctx.db.$count(testGroups, matches), ...paged(rows, pageSize, row => row.groupId) }
}

export const isOfGroup = (groupIds: readonly string[]) =>
  and(inArray(testUsers.groupId, [...groupIds]), inArray(testUsers.state, [...entitledStates]))

/** How many people of each group get what it tests, and how many of them have said yes. */
export async function countsOfGroups(ctx: Context, groupIds: readonly string[]) {
  if (groupIds.length === 0) return new Map<string, { people: number; accepted: number }>()
  const rows = await ctx.db
    .select({
      groupId: testUsers.groupId,
      people: count(),
      accepted: sql<number>`count(*) FILTER (WHERE ${testUsers.state} = 'ACCEPTED')::int`,
    })
    .from(testUsers)
    .where(isOfGroup(groupIds))
    .groupBy(testUsers.groupId)
  return new Map(rows.map(({ groupId, people, accepted }) => [groupId, { people, accepted }]))
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
  const [user] = await usersOfIds(ctx, [userId])
  return user ?? refuse(commonErrors.notFound, { entity: 'test user', id: userId })
}

export async function usersOfIds(ctx: Context, userIds: readonly string[]): Promise<UserRecord[]> {
  if (userIds.length === 0) return []
  return ctx.db
    .select()
    .from(testUsers)
    .where(and(inArray(testUsers.userId, [...new Set(userIds)]), mine(ctx, testUsers)))
}

export interface UserWish extends Page {
  appId?: string
  groupId?: string
  search?: string
  state?: UserState
}

/** People of a group or of an app; without a state those who were removed are left out. */
export async function pageOfUsers(ctx: Context, wish: UserWish) {
  const { appId, groupId, search, state, cursor, pageSize = 20 } = wish
  const matches = and(
    groupId === undefined ? undefined : eq(testUsers.groupId, groupId),
    appId === undefined ? undefined : eq(testUsers.appId, appId),
    mine(ctx, testUsers),
    state ? eq(testUsers.state, state) : inArray(testUsers.state, [...entitledStates, 'DECLINED', 'UNSUBSCRIBED']),
    search ? or(ilike(testUsers.account, like(search)), ilike(testUsers.nickname, like(search))) : undefined,
  )
  const rows = await ctx.db
    .select()
    .from(testUsers)
    .where(and(matches, behind(testUsers.userId, cursor)))
    .orderBy(desc(testUsers.userId))
    .limit(pageSize + 1)
  return { total: await ctx.db.$count(testUsers, matches), ...paged(rows, pageSize, row => row.userId) }
}
