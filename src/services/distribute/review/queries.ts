import { and, desc, eq, type SQL } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import { items, messages, submissions, tasks } from './tables.ts'

export type SubmissionRecord = typeof submissions.$inferSelect
export type TaskRecord = typeof tasks.$inferSelect

/** Rows the caller may see: the team's own for a user of a team, all for staff and workers. */
function mine(ctx: Context): SQL | undefined {
  return ctx.caller.kind === 'user' && ctx.place.teamId !== null ? eq(submissions.teamId, ctx.teamId) : undefined
}

/** The newest submission of a version. */
export async function submissionOf(
  ctx: Context,
  versionId: string,
  lock?: 'update',
): Promise<SubmissionRecord | undefined> {
  const query = ctx.db
    .select()
    .from(submissions)
    .where(and(eq(submissions.versionId, versionId), mine(ctx)))
    .orderBy(desc(submissions.submissionId))
    .limit(1)
  const [row] = lock ? await query.for(lock) : await query
  return row
}

/** The newest task of a submission, locked where asked. */
export async function taskOf(ctx: Context, submissionId: string, lock?: 'update'): Promise<TaskRecord | undefined> {
  const query = ctx.db
    .select()
    .from(tasks)
    .where(eq(tasks.submissionId, submissionId))
    .orderBy(desc(tasks.taskId))
    .limit(1)
  const [row] = lock ? await query.for(lock) : await query
  return row
}

export async function loadTask(ctx: Context, taskId: string): Promise<TaskRecord> {
  const [row] = await ctx.db.select().from(tasks).where(eq(tasks.taskId, taskId))
  return row ?? refuse(commonErrors.notFound, { entity: 'task', id: taskId })
}

export async function loadSubmission(ctx: Context, submissionId: string): Promise<SubmissionRecord> {
  const [row] = await ctx.db
    .select()
    .from(submissions)
    .where(and(eq(submissions.submissionId, submissionId), mine(ctx)))
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

export async function itemsOf(ctx: Context, submissionId: string) {
  return ctx.db.select().from(items).where(eq(items.submissionId, submissionId)).orderBy(items.itemId)
}

export async function threadOf(ctx: Context, submissionId: string) {
  return ctx.db.select().from(messages).where(eq(messages.submissionId, submissionId)).orderBy(messages.messageId)
}

/** Places in the queue by task id, 1 is next; only queued tasks have one. For staff: it counts over all teams. */
export async function positionsOf(ctx: Context, taskIds: readonly string[]): Promise<Map<string, number>> {
  if (taskIds.length === 0) return new Map()
  const { rows } = await ctx.transaction(ctx.zone).query<{ task_id: string; position: string }>({
    name: 'review positions',
    text: `SELECT t.task_id, (SELECT count(*) + 1 FROM review_tasks b
        WHERE b.state = 'QUEUED' AND b.queue = t.queue AND (b.priority > t.priority
          OR (b.priority = t.priority AND (b.sla_due_at, b.task_id) < (t.sla_due_at, t.task_id)))) AS position
      FROM review_tasks t WHERE t.task_id = ANY($1::bigint[]) AND t.state = 'QUEUED'`,
    values: [taskIds],
  })
  return new Map(rows.map(row => [row.task_id, Number(row.position)]))
}
