import { eq } from 'drizzle-orm'
import type { Context } from '../../../server/context.ts'
import { type Transition, transition } from '../../../server/life-cycle.ts'
import type { SubmissionRecord, TaskRecord } from './queries.ts'
import { submissionCycle, type TaskAction, type TaskFact, type TaskState, taskCycle } from './rules.ts'
import { messages, submissions, tasks } from './tables.ts'

interface TaskMove
  extends Pick<Transition<TaskState, TaskAction, TaskFact>, 'facts' | 'unmet' | 'data' | 'isConsequence'> {
  /** Columns that change with the state. */
  set?: Partial<TaskRecord>
}

/** Moves a task by its life cycle; it must be locked. Returns it as it is now. */
export async function moveTask(
  ctx: Context,
  task: TaskRecord,
  action: TaskAction,
  { set = {}, data, ...asked }: TaskMove = {},
): Promise<TaskRecord> {
  const { taskId, teamId, state, revision, submissionId, appId, versionId, queue } = task
  await transition(ctx, {
    cycle: taskCycle,
    table: 'review_tasks',
    idColumn: 'task_id',
    row: { id: taskId, state, revision },
    action,
    teamId,
    data: { submissionId, appId, versionId, queue, ...data },
    ...asked,
  })
  const [moved] = await ctx.db
    .update(tasks)
    .set({ ...set, updatedAt: ctx.now() })
    .where(eq(tasks.taskId, taskId))
    .returning()
  return moved!
}

/** What a task has that nobody holds. */
export const noClaim = { claimedBy: null, claimedAt: null, claimExpiresAt: null }

/** Gives a task back to the queue whose lease has run out. */
export async function lapse(ctx: Context, task: TaskRecord): Promise<TaskRecord> {
  return moveTask(ctx, task, 'lapse', { isConsequence: true, set: noClaim })
}

type SubmissionAction = (typeof submissionCycle)['moves'][number]['action']

/** Moves a submission because of what happened to its task or version; it must be locked. */
export async function moveSubmission(
  ctx: Context,
  submission: SubmissionRecord,
  action: SubmissionAction,
  set: Partial<SubmissionRecord> = {},
): Promise<SubmissionRecord> {
  const { submissionId, teamId, appId, versionId, state, revision } = submission
  await transition(ctx, {
    cycle: submissionCycle,
    table: 'review_submissions',
    idColumn: 'submission_id',
    row: { id: submissionId, state, revision },
    action,
    teamId,
    isConsequence: true,
    data: { appId, versionId },
  })
  return changeSubmission(ctx, submission, set)
}

export async function changeSubmission(
  ctx: Context,
  submission: SubmissionRecord,
  set: Partial<SubmissionRecord>,
): Promise<SubmissionRecord> {
  const [row] = await ctx.db
    .update(submissions)
    .set({ ...set, updatedAt: ctx.now() })
    .where(eq(submissions.submissionId, submission.submissionId))
    .returning()
  return row!
}

type NewMessage = Pick<typeof messages.$inferInsert, 'sender' | 'kind' | 'text'> &
  Partial<Pick<typeof messages.$inferInsert, 'attachments' | 'issues'>>

/** Adds to the thread and tells of it. */
export async function addMessage(ctx: Context, submission: SubmissionRecord, message: NewMessage): Promise<void> {
  const { submissionId, teamId, appId, versionId, messageCount } = submission
  const messageId = ctx.newId()
  await ctx.db.insert(messages).values({
    messageId,
    submissionId,
    teamId,
    authorId: ctx.accountId,
    attachments: [],
    issues: [],
    ...message,
    createdAt: ctx.now(),
  })
  await changeSubmission(ctx, submission, { messageCount: messageCount + 1 })
  const { sender, kind } = message
  ctx.emit({
    type: 'submission.message',
    entity: 'submission',
    entityId: submissionId,
    teamId,
    data: { messageId, appId, versionId, sender, kind },
  })
}
