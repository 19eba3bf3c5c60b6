import { and, desc, eq, ilike, inArray, lt, or, type SQL, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { type AppRow, appInScope, lockApp } from '../../apps/public.ts'
import { liveStates, type TestState } from './rules.ts'
import { testVersions } from './tables.ts'

export type TestRecord = typeof testVersions.$inferSelect

/** Rows the caller may see: the team's own for a user of a team, all for staff and workers. */
function mine(ctx: Context): SQL | undefined {
  return ctx.place.teamId !== null && ctx.caller.kind === 'user'
    ? and(eq(testVersions.teamId, ctx.teamId), appInScope(ctx, testVersions.appId))
    : undefined
}

/** Those of the test versions that exist and are the caller's; in no order. */
export async function testsOfIds(ctx: Context, versionIds: readonly string[]): Promise<TestRecord[]> {
  if (versionIds.length === 0) return []
  return ctx.db
    .select()
    .from(testVersions)
    .where(and(inArray(testVersions.versionId, [...new Set(versionIds)]), mine(ctx)))
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
    mine(ctx),
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
