import { eq } from 'drizzle-orm'
import type { Context } from '../../../server/context.ts'
import { type Transition, transition } from '../../../server/life-cycle.ts'
import { type ItemRecord, isOpenTask, itemsOf, type SubmissionRecord, type TaskRecord, tasksOf } from './queries.ts'
import { moveOfItems, submissionCycle, type TaskAction, type TaskFact, type TaskState, taskCycle } from './rules.ts'
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
  if (!moved) throw new Error('no row came back')
  const isClosed = !isOpenTask(moved) && isOpenTask(task)
  if (isClosed || moved.slaDueAt !== task.slaDueAt || moved.pausedAt !== task.pausedAt) tellClock(ctx, moved)
  return moved
}

/** Versions shows the clock; it hears of it by this. */
export function tellClock(ctx: Context, task: TaskRecord): void {
  const isOpen = isOpenTask(task)
  ctx.emit({
    type: 'review.clock',
    entity: 'reviewItem',
    entityId: task.itemId,
    teamId: task.teamId,
    data: {
      versionId: task.versionId,
      slaDueAt: isOpen ? task.slaDueAt : null,
      pausedAt: isOpen ? task.pausedAt : null,
    },
  })
}

/**
 * Brings a submission to where its items stand: over when each is decided, unresolved while one is refused, cancelled
 * when nothing is left of it. When several things were handed in the whole is answered with a summary.
 */
export async function settle(ctx: Context, submission: SubmissionRecord): Promise<SubmissionRecord> {
  const { submissionId, state } = submission
  const rows = await itemsOf(ctx, submissionId)
  const action = moveOfItems(
    state,
    rows.map(row => row.state),
  )
  const isAsked = (await tasksOf(ctx, submissionId)).some(task => task.state === 'WAITING')
  const isRefused = action === 'reject' || (action === null && state === 'UNRESOLVED')
  const waitingFor = isAsked || isRefused ? ('developer' as const) : null
  if (action === null) return changeSubmission(ctx, submission, { waitingFor })
  const moved = await moveSubmission(ctx, submission, action, {
    waitingFor,
    ...(action === 'resubmit' ? { submittedAt: ctx.now() } : {}),
  })
  const isAnswered = rows.length > 1 && (action === 'accept' || action === 'reject')
  return isAnswered ? summarize(ctx, moved, rows) : moved
}

async function summarize(ctx: Context, submission: SubmissionRecord, rows: readonly ItemRecord[]) {
  const last = new Map((await tasksOf(ctx, submission.submissionId)).map(task => [task.itemId, task]))
  const results = rows.flatMap(({ itemId, appId, state }) => {
    const task = last.get(itemId)
    const { appName = '', versionName = null } = task ?? {}
    return state === 'PENDING' ? [] : [{ itemId, appId: appId ?? submission.appId, appName, versionName, state }]
  })
  return addMessage(ctx, submission, { sender: 'reviewer', kind: 'SUMMARY', text: '', results })
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
  Partial<Pick<typeof messages.$inferInsert, 'attachments' | 'issues' | 'itemId' | 'results'>>

/** Who a message is from that nobody wrote: a summary after a timer or a withdrawal. */
const nobody = '0'

/** Adds to the thread and tells of it. */
export async function addMessage(
  ctx: Context,
  submission: SubmissionRecord,
  message: NewMessage,
): Promise<SubmissionRecord> {
  const { submissionId, teamId, appId, versionId, messageCount } = submission
  const messageId = ctx.newId()
  await ctx.db.insert(messages).values({
    messageId,
    submissionId,
    teamId,
    authorId: ctx.caller.accountId ?? nobody,
    attachments: [],
    issues: [],
    ...message,
    createdAt: ctx.now(),
  })
  const after = await changeSubmission(ctx, submission, { messageCount: messageCount + 1 })
  const { sender, kind } = message
  ctx.emit({
    type: 'submission.message',
    entity: 'submission',
    entityId: submissionId,
    teamId,
    data: { messageId, appId, versionId, sender, kind },
  })
  return after
}
