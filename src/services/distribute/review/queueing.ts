import type { Context } from '../../../server/context.ts'
import { appOf } from '../apps/public.ts'
import type { versionOf } from '../versions/public.ts'
import { automaticOf } from './auto/auto.ts'
import { conclude } from './deciding.ts'
import { moveTask, tellClock } from './moves.ts'
import { type ItemRecord, isOpenTask, type SubmissionRecord, type TaskRecord, taskOf } from './queries.ts'
import { dueAt, limits, type Queue } from './rules.ts'
import { isSensitive } from './sensitive/sensitive.ts'
import { tasks } from './tables.ts'

export type KnownVersion = Awaited<ReturnType<typeof versionOf>>
type AddedFields = Partial<Pick<TaskRecord, 'seniorBecause' | 'excluded' | 'autoReasons' | 'isSampled'>>

/** Puts an item on the desk, or passes it where the rules for automatic passes say so; once, whoever tries again. */
export async function queueItem(
  ctx: Context,
  version: KnownVersion,
  { submission, item }: { submission: SubmissionRecord; item: ItemRecord },
  at: number,
): Promise<void> {
  const last = await taskOf(ctx, item.itemId)
  if (last && isOpenTask(last)) return
  const app = await appOf(ctx, version.appId)
  // A test is only looked through: it does not wait as long as the first version of an app.
  const queue = app.lastShelf === null && item.kind !== 'TEST' ? 'FIRST' : 'UPDATE'
  const mayPass = item.kind === 'VERSION' && app.shelf !== null && !(await isSensitive(ctx, app.appId))
  const automatic = mayPass ? await automaticOf(ctx, version) : null
  const { reasons = [], isSampled = false } = automatic ?? {}
  const passes = automatic !== null && !isSampled
  const more = { autoReasons: reasons, isSampled }
  const task = await addTask(ctx, version, { submission, item }, { queue: passes ? 'AUTO' : queue, at, last, more })
  if (passes) await passTask(ctx, task, submission)
}

/** Nobody looks: the decision is the system's, with the reasons beside it. */
async function passTask(ctx: Context, task: TaskRecord, submission: SubmissionRecord): Promise<void> {
  const passed = await moveTask(ctx, task, 'pass', {
    isConsequence: true,
    set: { verdict: 'APPROVE', decidedAt: ctx.now() },
    data: { verdict: 'APPROVE', reasons: task.autoReasons },
  })
  await conclude(ctx, passed, submission, 'approve', { text: '', issues: [] })
}

/** A task for an item, with what the desk searches and shows as it is now. */
export async function addTask(
  ctx: Context,
  version: KnownVersion,
  { submission, item }: { submission: SubmissionRecord; item: ItemRecord },
  wanted: { queue: Queue; at: number; last: TaskRecord | undefined; more?: AddedFields },
): Promise<TaskRecord> {
  const { queue, at, last, more } = wanted
  const { versionId, appId, teamId, versionName, versionCode } = version
  const app = await appOf(ctx, appId)
  const [task] = await ctx.db
    .insert(tasks)
    .values({
      taskId: ctx.newId(),
      teamId,
      submissionId: submission.submissionId,
      itemId: item.itemId,
      itemKind: item.kind,
      appId,
      versionId,
      appName: app.name,
      packageName: app.packageName,
      versionName,
      versionCode,
      kindMainTag: app.kindMainTag,
      queue,
      priority: last?.priority ?? limits.usualPriority,
      state: 'QUEUED',
      slaDueAt: dueAt(at, queue, ctx.zone),
      needsSecond: await isSensitive(ctx, appId),
      issues: [],
      queuedAt: at,
      updatedAt: ctx.now(),
      ...more,
    })
    .returning()
  if (!task) throw new Error('no row came back')
  ctx.emit({
    type: 'review.task.queued',
    entity: 'reviewTask',
    entityId: task.taskId,
    teamId,
    data: { from: null, to: 'QUEUED', submissionId: submission.submissionId, appId, versionId, queue },
  })
  tellClock(ctx, task)
  return task
}
