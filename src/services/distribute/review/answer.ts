import { allowedActions } from '../../../kernel/life-cycle.ts'
import type { Static } from '../../../kernel/shape.ts'
import type { Context } from '../../../server/context.ts'
import type { Task, Thread } from './contract.ts'
import { itemsOf, positionsOf, type SubmissionRecord, type TaskRecord, taskOf, threadOf } from './queries.ts'
import { isHeldBy, isThreadOpen, taskCycle } from './rules.ts'

/** A task as the desk shows it. Whether the caller is impartial is known only where one task is looked at. */
export function toTask(
  ctx: Context,
  task: TaskRecord,
  seen: { queuePosition: number | null; isImpartial?: boolean },
): Static<typeof Task> {
  const isMine = isHeldBy(task, ctx.accountId, ctx.now())
  const facts = { isHolder: isMine, isImpartial: seen.isImpartial ?? true, hasIssues: true, hasText: true }
  const may = (permission: string) => ctx.may(permission)
  return {
    ...task,
    isMine,
    queuePosition: seen.queuePosition,
    allowedActions: allowedActions(taskCycle, task.state, may, facts),
  }
}

/** One task with its place in the queue. */
export async function answerTask(ctx: Context, task: TaskRecord, isImpartial = true): Promise<Static<typeof Task>> {
  const positions = await positionsOf(ctx, [task.taskId])
  return toTask(ctx, task, { queuePosition: positions.get(task.taskId) ?? null, isImpartial })
}

/** A submission with its thread, all but its place in the queue, which counts over other teams too. */
export async function answerThread(ctx: Context, submission: SubmissionRecord): Promise<Static<typeof Thread>> {
  const { submissionId } = submission
  const task = await openTaskOf(ctx, submissionId)
  const canWrite = isThreadOpen(submission.state) && ctx.may('review.message')
  return {
    ...submission,
    items: await itemsOf(ctx, submissionId),
    slaDueAt: task?.slaDueAt ?? null,
    pausedAt: task?.pausedAt ?? null,
    messages: await threadOf(ctx, submissionId),
    allowedActions: canWrite ? [submission.waitingFor === 'developer' ? 'answer' : 'message'] : [],
  }
}

/** The task of a submission that is not over. */
export async function openTaskOf(ctx: Context, submissionId: string): Promise<TaskRecord | undefined> {
  const task = await taskOf(ctx, submissionId)
  return task && task.state !== 'DECIDED' && task.state !== 'CANCELED' ? task : undefined
}
