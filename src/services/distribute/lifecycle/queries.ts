import { and, asc, desc, eq, lt, type SQL } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import { appInScope } from '../apps/public.ts'
import type { DetectionKind, KeptKind } from './rules.ts'
import { kept } from './tables.home.ts'
import { detections } from './tables.ts'

export type DetectionRecord = typeof detections.$inferSelect
export type KeptRecord = typeof kept.$inferSelect

function mine(ctx: Context): SQL | undefined {
  if (ctx.caller.kind !== 'user' || ctx.place.teamId === null) return undefined
  return and(eq(detections.teamId, ctx.teamId), appInScope(ctx, detections.appId))
}

export async function loadDetection(ctx: Context, taskId: string): Promise<DetectionRecord> {
  const [row] = await ctx.db
    .select()
    .from(detections)
    .where(and(eq(detections.taskId, taskId), mine(ctx)))
  return row ?? refuse(commonErrors.notFound, { entity: 'detection', id: taskId })
}

export async function newestFit(ctx: Context, appId: string): Promise<DetectionRecord | null> {
  const [row] = await ctx.db
    .select()
    .from(detections)
    .where(and(eq(detections.appId, appId), eq(detections.kind, 'FIT'), mine(ctx)))
    .orderBy(desc(detections.taskId))
    .limit(1)
  return row ?? null
}

interface Wish {
  appId?: string
  kind?: DetectionKind
  cursor?: string
  pageSize?: number
}

export async function pageOfDetections(ctx: Context, wish: Wish) {
  const matching = and(
    mine(ctx),
    wish.appId === undefined ? undefined : eq(detections.appId, wish.appId),
    wish.kind === undefined ? undefined : eq(detections.kind, wish.kind),
  )
  const pageSize = wish.pageSize ?? 20
  const isCursor = wish.cursor !== undefined && /^[0-9]{1,18}$/.test(wish.cursor)
  const rows = await ctx.db
    .select()
    .from(detections)
    .where(and(matching, isCursor ? lt(detections.taskId, wish.cursor ?? '') : undefined))
    .orderBy(desc(detections.taskId))
    .limit(pageSize + 1)
  const list = rows.slice(0, pageSize)
  const nextCursor = rows.length > pageSize ? (list.at(-1)?.taskId ?? null) : null
  return { total: await ctx.db.$count(detections, matching), list, nextCursor }
}

const mostRows = 1000

/** Rows of a kind in the order staff gave them: a catalogue that one reads whole. */
export async function keptOf(ctx: Context, kind: KeptKind, isStaff = false): Promise<KeptRecord[]> {
  return ctx.home
    .select()
    .from(kept)
    .where(and(eq(kept.kind, kind), isStaff ? undefined : eq(kept.isShown, true)))
    .orderBy(asc(kept.place), asc(kept.rowId))
    .limit(mostRows)
}

/** A page of what was read whole; the cursor is the last row before. */
export function pageOf<T extends { rowId: string }>(rows: readonly T[], wish: { cursor?: string; pageSize?: number }) {
  const start = wish.cursor === undefined ? 0 : rows.findIndex(row => row.rowId === wish.cursor) + 1
  const list = rows.slice(start, start + (wish.pageSize ?? 20))
  const isMore = start + list.length < rows.length
  return { total: rows.length, list, nextCursor: isMore ? (list.at(-1)?.rowId ?? null) : null }
}
