import { commonErrors, type ErrorRow, fillSentence, Refusal, refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { jobWhenOver } from '../../../../server/job-row.ts'
import { fileTasks } from '../tables.ts'

type TaskKind = 'fetch' | 'check' | 'video'

export const jobKinds = { fetch: 'files.fetch', check: 'files.check', video: 'files.video' } as const

/** A task as it is kept, with the progress of its job. */
export interface TaskRow {
  taskId: string
  state: 'RUNNING' | 'DONE' | 'FAILED'
  objectIds: string[]
  percent: number
  code: number | null
  message: string | null
  result: unknown
}

/** Begins a task; its job has the same id. */
export async function beginTask(
  ctx: Context,
  task: { kind: TaskKind; objectIds: string[]; input: Record<string, unknown>; deadlineMs: number },
): Promise<string> {
  const { kind, objectIds, input, deadlineMs } = task
  const subject = objectIds.length === 1 ? (objectIds[0] as string) : `${objectIds.length} files`
  const taskId = ctx.startJob({ kind: jobKinds[kind], subject, input, deadlineMs })
  const now = ctx.now()
  const row = {
    taskId,
    teamId: ctx.teamId,
    kind,
    objectIds,
    state: 'RUNNING' as const,
    createdBy: ctx.caller.accountId,
    createdAt: now,
    updatedAt: now,
  }
  await ctx.db.insert(fileTasks).values(row)
  return taskId
}

/** The task, once it is over or `waitSeconds` have passed. Refuses 404, also for who reaches less than the team and did not begin it. */
export async function taskAfter(ctx: Context, kind: TaskKind, taskId: string, waitSeconds: number): Promise<TaskRow> {
  if (waitSeconds > 0) await jobWhenOver(ctx, jobKinds[kind], taskId, waitSeconds)
  const { rows } = await ctx.transact(inner =>
    inner.transaction(inner.zone).query<TaskRow>({
      text: `SELECT t.task_id AS "taskId", t.state, t.object_ids AS "objectIds", t.code, t.message, t.result,
          CASE WHEN t.state = 'DONE' THEN 100 ELSE coalesce(j.percent, 0) END AS percent
        FROM file_tasks t LEFT JOIN jobs j ON j.job_id = t.task_id
        WHERE t.task_id = $1 AND t.kind = $2 AND t.team_id = $3 AND ($4 OR t.created_by = $5)`,
      values: [taskId, kind, inner.teamId, inner.memberScope === 'all', inner.caller.accountId],
    }),
  )
  return rows[0] ?? refuse(commonErrors.notFound, { entity: 'task', id: taskId })
}

/** What every task answers. */
export function taskFacts({ taskId, state, percent, code, message }: TaskRow) {
  const error = code === null ? null : { code, message: message ?? '' }
  return { taskId, state, percent: Math.round(percent), error }
}

/** Ends a task that still runs; one that has ended stays as it is. */
export async function endTask(ctx: Context, taskId: string, result: unknown): Promise<void> {
  await write(ctx, taskId, 'DONE', null, null, result)
}

export async function failTask(ctx: Context, taskId: string, why: Refusal | ErrorRow): Promise<void> {
  const [code, message] = why instanceof Refusal ? [why.number, why.message] : [why[0], fillSentence(why[2], {})]
  await write(ctx, taskId, 'FAILED', code, message.slice(0, 500), null)
}

async function write(
  ctx: Context,
  taskId: string,
  state: 'DONE' | 'FAILED',
  code: number | null,
  message: string | null,
  result: unknown,
): Promise<void> {
  await ctx.transaction(ctx.zone).query({
    text: `UPDATE file_tasks SET state = $2, code = $3, message = $4, result = $5, updated_at = $6
      WHERE task_id = $1 AND state = 'RUNNING'`,
    values: [taskId, state, code, message, result === null ? null : JSON.stringify(result), ctx.now()],
  })
}
