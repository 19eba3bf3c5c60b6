import { and, asc, count, desc, eq, getTableColumns, lt, lte, sql } from 'drizzle-orm'
import { commonErrors, Refusal, refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { refuseUnapproved } from '../approvals.ts'
import { problemsFor } from '../checking.ts'
import { remoteConfigErrors as errors } from '../contract.ts'
import { contentOf, lockTemplate, record, refuseProblems, subjectOf, type Where } from '../drafts.ts'
import { assertEtag, publish, refuseMoved } from '../publishing.ts'
import { limits } from '../rules.ts'
import { rcsSchedules } from '../tables.ts'

const { content: _content, ...columns } = getTableColumns(rcsSchedules)
const largestId = '9223372036854775807'

const ofSchedules = ({ projectId, kind }: Where) =>
  and(eq(rcsSchedules.projectId, projectId), eq(rcsSchedules.kind, kind))

export async function listSchedules(ctx: Context, where: Where, query: { cursor?: string; pageSize?: number }) {
  const pageSize = query.pageSize ?? 20
  const before = /^[1-9]\d{0,18}$/.test(query.cursor ?? '') ? query.cursor! : largestId
  const list = await ctx.db
    .select(columns)
    .from(rcsSchedules)
    .where(and(ofSchedules(where), lt(rcsSchedules.scheduleId, before)))
    .orderBy(desc(rcsSchedules.scheduleId))
    .limit(pageSize)
  const [counted] = await ctx.db.select({ total: count() }).from(rcsSchedules).where(ofSchedules(where))
  const last = list.at(-1)
  return { total: counted?.total ?? 0, list, nextCursor: list.length === pageSize && last ? last.scheduleId : null }
}

/** Keeps the draft as it is now for its time; what could not be published is refused at once. */
export async function schedule(
  ctx: Context,
  where: Where,
  wish: { dueAt: number; description?: string; etag: string | undefined },
) {
  const row = await lockTemplate(ctx, where)
  const content = contentOf(row.draft)
  await assertEtag(ctx, where, row, wish.etag, content)
  if (row.baseVersion !== row.version) await refuseMoved(ctx, where, row, row.baseVersion, content)
  if (row.draftDigest === row.digest) refuse(errors.unchanged)
  refuseProblems(await problemsFor(ctx, where.projectId, content, true))
  const waiting = await ctx.db.$count(rcsSchedules, and(ofSchedules(where), eq(rcsSchedules.state, 'SCHEDULED')))
  if (waiting >= limits.schedules) refuse(errors.limit, { message: `${waiting} wait already, of ${limits.schedules}` })
  const now = ctx.now()
  const made = {
    ...{ scheduleId: ctx.newId(), ...where, teamId: row.teamId, baseVersion: row.version, dueAt: wish.dueAt },
    ...{ description: wish.description ?? '', state: 'SCHEDULED' as const, version: null },
    ...{ createdAt: now, createdBy: ctx.caller.accountId, updatedAt: now, revision: 1 },
  }
  await ctx.db.insert(rcsSchedules).values({ ...made, content })
  record(ctx, where, 'scheduled', { scheduleId: made.scheduleId, dueAt: wish.dueAt })
  return made
}

export async function cancel(ctx: Context, where: Where, scheduleId: string) {
  const [row] = await ctx.db
    .update(rcsSchedules)
    .set({ state: 'CANCELLED', updatedAt: ctx.now(), revision: sql`${rcsSchedules.revision} + 1` })
    .where(and(ofSchedules(where), eq(rcsSchedules.scheduleId, scheduleId), eq(rcsSchedules.state, 'SCHEDULED')))
    .returning(columns)
  if (row) {
    record(ctx, where, 'schedule_cancelled', { scheduleId })
    return row
  }
  const [found] = await ctx.db
    .select(columns)
    .from(rcsSchedules)
    .where(and(ofSchedules(where), eq(rcsSchedules.scheduleId, scheduleId)))
  if (!found) refuse(commonErrors.notFound, { entity: 'schedule', id: scheduleId })
  return refuse(commonErrors.stateNotAllowed, { state: found.state, allowedActions: [] })
}

const mostAtOnce = 20

/** Publishes what is due. A version that moved, or what is valid no longer, is a conflict that its maker hears of. */
export async function publishDue(ctx: Context): Promise<void> {
  const due = await ctx.db
    .select()
    .from(rcsSchedules)
    .where(and(eq(rcsSchedules.state, 'SCHEDULED'), lte(rcsSchedules.dueAt, ctx.now())))
    .orderBy(asc(rcsSchedules.dueAt), asc(rcsSchedules.scheduleId))
    .limit(mostAtOnce)
  for (const one of due) {
    const where = { projectId: one.projectId, kind: one.kind }
    const row = await lockTemplate(ctx, where, one.teamId)
    const reason = row.version === one.baseVersion ? await tried(ctx, where, row, one) : 'moved'
    const version = reason === null ? row.version + 1 : row.version
    const state = reason === null ? ('PUBLISHED' as const) : ('CONFLICT' as const)
    await ctx.db
      .update(rcsSchedules)
      .set({ state, version, updatedAt: ctx.now(), revision: sql`${rcsSchedules.revision} + 1` })
      .where(eq(rcsSchedules.scheduleId, one.scheduleId))
    if (reason === null) continue
    ctx.emit({
      type: 'remote_config.schedule_conflict',
      entity: 'remote_config',
      entityId: subjectOf(where),
      teamId: one.teamId,
      data: { ...where, scheduleId: one.scheduleId, createdBy: one.createdBy, version: row.version, reason },
    })
  }
}

async function tried(
  ctx: Context,
  where: Where,
  row: Parameters<typeof publish>[2],
  one: typeof rcsSchedules.$inferSelect,
): Promise<string | null> {
  try {
    await refuseUnapproved(ctx, where.projectId, undefined)
    await publish(ctx, where, row, { content: one.content, origin: 'SCHEDULE', description: one.description })
    return null
  } catch (error) {
    if (error instanceof Refusal) return error.message
    throw error
  }
}
