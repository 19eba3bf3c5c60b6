import { and, desc, eq, getTableColumns, inArray, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import { appInScope } from '../apps/public.ts'
import type { Queue, SubmissionState } from './rules.ts'
import { limits } from './rules.ts'
import { items, messages, submissions, tasks } from './tables.ts'

export type SubmissionRecord = typeof submissions.$inferSelect
export type TaskRecord = typeof tasks.$inferSelect
export type ItemRecord = typeof items.$inferSelect

const appOfItem = sql<string>`coalesce(${items.appId}, ${submissions.appId})`

/**
 * Rows the caller may see: the team's own for a user of a team, all for staff and workers. Who reaches only some apps sees
 * a submission that holds one of them, and of it only those.
 */
function mine(ctx: Context): SQL | undefined {
  if (ctx.caller.kind !== 'user' || ctx.place.teamId === null) return undefined
  const reach = itemInScope(ctx)
  const hasOne =
    reach && sql`EXISTS (SELECT 1 FROM ${items} WHERE ${items.submissionId} = ${submissions.submissionId} AND ${reach})`
  return and(eq(submissions.teamId, ctx.teamId), hasOne)
}

/** Undefined where the caller reaches the whole team. */
function itemInScope(ctx: Context): SQL | undefined {
  const own = appInScope(ctx, items.appId)
  return own && or(own, and(isNull(items.appId), appInScope(ctx, submissions.appId)))
}

/** The newest submission that holds a version, and what it holds it as. */
export async function submissionOf(
  ctx: Context,
  versionId: string,
  lock?: 'update',
): Promise<SubmissionRecord | undefined> {
  const query = ctx.db
    .select(getTableColumns(submissions))
    .from(items)
    .innerJoin(submissions, eq(submissions.submissionId, items.submissionId))
    .where(and(eq(items.refId, versionId), mine(ctx)))
    .orderBy(desc(submissions.submissionId))
    .limit(1)
  const [row] = lock ? await query.for(lock, { of: submissions }) : await query
  return row
}

/** The newest submission that holds a version of the app. */
export async function submissionOfApp(ctx: Context, appId: string): Promise<SubmissionRecord | undefined> {
  const [row] = await ctx.db
    .select(getTableColumns(submissions))
    .from(submissions)
    .where(
      and(
        mine(ctx),
        or(
          eq(submissions.appId, appId),
          sql`EXISTS (SELECT 1 FROM ${items} WHERE ${items.submissionId} = ${submissions.submissionId} AND ${items.appId} = ${appId})`,
        ),
      ),
    )
    .orderBy(desc(submissions.submissionId))
    .limit(1)
  return row
}

export async function pageOfSubmissions(
  ctx: Context,
  query: { appId?: string; state?: SubmissionState; cursor?: string; pageSize?: number },
) {
  const matches = and(
    mine(ctx),
    query.state ? eq(submissions.state, query.state) : undefined,
    query.appId
      ? sql`EXISTS (SELECT 1 FROM ${items} WHERE ${items.submissionId} = ${submissions.submissionId}
          AND ${appOfItem} = ${query.appId})`
      : undefined,
  )
  const pageSize = query.pageSize ?? 20
  const isCursor = query.cursor !== undefined && /^[0-9]{1,18}$/.test(query.cursor)
  const rows = await ctx.db
    .select()
    .from(submissions)
    .where(and(matches, isCursor ? lt(submissions.submissionId, query.cursor ?? '') : undefined))
    .orderBy(desc(submissions.submissionId))
    .limit(pageSize + 1)
  const list = rows.slice(0, pageSize)
  return {
    total: await ctx.db.$count(submissions, matches),
    list,
    nextCursor: rows.length > pageSize ? (list.at(-1)?.submissionId ?? null) : null,
  }
}

/** What a submission holds a version as. */
export async function itemOf(ctx: Context, submissionId: string, versionId: string): Promise<ItemRecord | undefined> {
  const [row] = await ctx.db
    .select()
    .from(items)
    .where(and(eq(items.submissionId, submissionId), eq(items.refId, versionId)))
  return row
}

/** The newest task of an item, locked where asked. */
export async function taskOf(ctx: Context, itemId: string, lock?: 'update'): Promise<TaskRecord | undefined> {
  const query = ctx.db.select().from(tasks).where(eq(tasks.itemId, itemId)).orderBy(desc(tasks.taskId)).limit(1)
  const [row] = lock ? await query.for(lock) : await query
  return row
}

/** Every task of a submission, the oldest first, locked where asked. */
export async function tasksOf(ctx: Context, submissionId: string, lock?: 'update'): Promise<TaskRecord[]> {
  const query = ctx.db.select().from(tasks).where(eq(tasks.submissionId, submissionId)).orderBy(tasks.taskId)
  return lock ? query.for(lock) : query
}

export const isOpenTask = (task: Pick<TaskRecord, 'state'>) => task.state !== 'DECIDED' && task.state !== 'CANCELED'

export async function loadTask(ctx: Context, taskId: string): Promise<TaskRecord> {
  const [row] = await ctx.db.select().from(tasks).where(eq(tasks.taskId, taskId))
  return row ?? refuse(commonErrors.notFound, { entity: 'task', id: taskId })
}

export async function loadSubmission(ctx: Context, submissionId: string, lock?: 'update'): Promise<SubmissionRecord> {
  const query = ctx.db
    .select()
    .from(submissions)
    .where(and(eq(submissions.submissionId, submissionId), mine(ctx)))
  const [row] = lock ? await query.for(lock) : await query
  return row ?? refuse(commonErrors.notFound, { entity: 'submission', id: submissionId })
}

/** A task to be changed. Its submission is locked first, by everybody, so that nobody waits in a circle. */
export async function lockTask(
  ctx: Context,
  taskId: string,
): Promise<{ task: TaskRecord; submission: SubmissionRecord }> {
  const { submissionId } = await loadTask(ctx, taskId)
  const [submission] = await ctx.db
    .select()
    .from(submissions)
    .where(eq(submissions.submissionId, submissionId))
    .for('update')
  const [task] = await ctx.db.select().from(tasks).where(eq(tasks.taskId, taskId)).for('update')
  if (!submission || !task) refuse(commonErrors.notFound, { entity: 'task', id: taskId })
  return { task, submission }
}

/** All that a submission holds, whoever asks: what becomes of it depends on each. */
export async function itemsOf(ctx: Context, submissionId: string): Promise<ItemRecord[]> {
  return ctx.db.select().from(items).where(eq(items.submissionId, submissionId)).orderBy(items.itemId)
}

/** What the caller may see of the submissions, in the order it was handed in. */
export async function seenItemsOf(ctx: Context, submissionIds: readonly string[]): Promise<ItemRecord[]> {
  if (submissionIds.length === 0) return []
  return ctx.db
    .select(getTableColumns(items))
    .from(items)
    .innerJoin(submissions, eq(submissions.submissionId, items.submissionId))
    .where(and(inArray(items.submissionId, [...submissionIds]), itemInScope(ctx)))
    .orderBy(items.itemId)
}

export async function threadOf(ctx: Context, submissionId: string) {
  return ctx.db.select().from(messages).where(eq(messages.submissionId, submissionId)).orderBy(messages.messageId)
}

const before = (where: string) =>
  `(SELECT count(*) FROM review_tasks b WHERE b.state = 'QUEUED' AND b.queue = w.queue AND ${where})`
const sooner = before('b.priority = w.priority AND (b.sla_due_at, b.task_id) < (w.sla_due_at, w.task_id)')

/**
 * Counts what is before the first of each queue, and between each and the one before it: every row of the queue once,
 * however many places are asked for. Each count is one range of the index.
 */
export const positionsText = `WITH wanted AS (
    SELECT task_id, queue, priority, sla_due_at, lag(task_id) OVER ordered AS last_id,
      lag(priority) OVER ordered AS last_priority, lag(sla_due_at) OVER ordered AS last_due
    FROM review_tasks WHERE task_id = ANY($1::bigint[]) AND state = 'QUEUED'
    WINDOW ordered AS (PARTITION BY queue ORDER BY priority DESC, sla_due_at, task_id)),
  steps AS (SELECT w.*, CASE
      WHEN last_id IS NULL THEN 1 + ${before('b.priority > w.priority')} + ${sooner}
      WHEN last_priority = priority THEN ${before(`b.priority = w.priority
        AND (b.sla_due_at, b.task_id) >= (w.last_due, w.last_id) AND (b.sla_due_at, b.task_id) < (w.sla_due_at, w.task_id)`)}
      ELSE ${before('b.priority = w.last_priority AND (b.sla_due_at, b.task_id) >= (w.last_due, w.last_id)')}
        + ${before('b.priority < w.last_priority AND b.priority > w.priority')} + ${sooner}
    END AS step FROM wanted w)
  SELECT task_id, sum(step) OVER (PARTITION BY queue ORDER BY priority DESC, sla_due_at, task_id) AS position FROM steps`

/** Places in the queue by task id, 1 is next; only queued tasks have one. For staff: it counts over all teams. */
export async function positionsOf(ctx: Context, taskIds: readonly string[]): Promise<Map<string, number>> {
  if (taskIds.length === 0) return new Map()
  const { rows } = await ctx.transaction(ctx.zone).query<{ task_id: string; position: string }>({
    name: 'review positions',
    text: positionsText,
    values: [taskIds],
  })
  return new Map(rows.map(row => [row.task_id, Number(row.position)]))
}

/**
 * How long the last decisions of a queue took from queue to decision: their median in milliseconds, null before there
 * are any. It counts over all teams, and only the number may leave.
 */
export async function medianWait(ctx: Context, queue: Queue): Promise<number | null> {
  const { rows } = await ctx.transaction(ctx.zone).query<{ median: number | null }>({
    name: 'review median',
    text: `SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY decided_at - queued_at) AS median FROM (
        SELECT decided_at, queued_at FROM review_tasks
        WHERE state = 'DECIDED' AND queue = $1 ORDER BY decided_at DESC LIMIT $2) AS last`,
    values: [queue, limits.mediansOver],
  })
  const median = rows[0]?.median ?? null
  return median === null ? null : Math.round(Number(median))
}
