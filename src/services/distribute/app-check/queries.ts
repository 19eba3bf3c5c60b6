import { and, desc, eq, inArray, lt, type SQL } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import { appInScope } from '../apps/public.ts'
import type { CheckState } from './rules.ts'
import { checks } from './tables.ts'

export type CheckRecord = typeof checks.$inferSelect

/** Rows the caller may see: the team's own within his scope, all for workers. */
export function mine(ctx: Context): SQL | undefined {
  return ctx.caller.kind === 'user' && ctx.place.teamId !== null
    ? and(eq(checks.teamId, ctx.teamId), appInScope(ctx, checks.appId))
    : undefined
}

export async function loadCheck(ctx: Context, checkId: string, lock?: 'update'): Promise<CheckRecord> {
  const query = ctx.db
    .select()
    .from(checks)
    .where(and(eq(checks.checkId, checkId), mine(ctx)))
  const [row] = lock ? await query.for(lock) : await query
  return row ?? refuse(commonErrors.notFound, { entity: 'check', id: checkId })
}

export async function runningOf(ctx: Context, appId: string): Promise<CheckRecord | undefined> {
  const [row] = await ctx.db
    .select()
    .from(checks)
    .where(and(eq(checks.appId, appId), inArray(checks.state, ['WAITING', 'RUNNING']), mine(ctx)))
  return row
}

export async function checksOf(ctx: Context, checkIds: readonly string[]): Promise<CheckRecord[]> {
  if (checkIds.length === 0) return []
  return ctx.db
    .select()
    .from(checks)
    .where(and(inArray(checks.checkId, [...checkIds]), mine(ctx)))
    .orderBy(checks.checkId)
}

/** The newest check of each app. */
export async function newestOf(ctx: Context, appIds: readonly string[]): Promise<CheckRecord[]> {
  return ctx.db
    .selectDistinctOn([checks.appId])
    .from(checks)
    .where(and(inArray(checks.appId, [...appIds]), mine(ctx)))
    .orderBy(checks.appId, desc(checks.checkId))
}

interface Wish {
  appId?: string
  state?: CheckState
  cursor?: string
  pageSize?: number
}

export async function pageOfChecks(ctx: Context, wish: Wish) {
  const matching = and(
    mine(ctx),
    wish.appId === undefined ? undefined : eq(checks.appId, wish.appId),
    wish.state === undefined ? undefined : eq(checks.state, wish.state),
  )
  const pageSize = wish.pageSize ?? 20
  const isCursor = wish.cursor !== undefined && /^[0-9]{1,18}$/.test(wish.cursor)
  const rows = await ctx.db
    .select()
    .from(checks)
    .where(and(matching, isCursor ? lt(checks.checkId, wish.cursor ?? '') : undefined))
    .orderBy(desc(checks.checkId))
    .limit(pageSize + 1)
  const list = rows.slice(0, pageSize)
  return {
    total: await ctx.db.$count(checks, matching),
    list,
    nextCursor: rows.length > pageSize ? (list.at(-1)?.checkId ?? null) : null,
  }
}
