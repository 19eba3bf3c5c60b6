import { allowedActions } from '../../../kernel/life-cycle.ts'
import type { Static } from '../../../kernel/shape.ts'
import type { Context } from '../../../server/context.ts'
import { objectsOf } from '../../ground/files/public.ts'
import { appsOf } from '../apps/public.ts'
import { versionsOf } from '../versions/public.ts'
import { canAppeal, canExpedite } from './appeals/possible.ts'
import { expeditesOf } from './appeals/queries.ts'
import { appealLimits } from './appeals/rules.ts'
import type { AutoReason } from './auto/rules.ts'
import type { Thread } from './contract.ts'
import type { Task } from './desk/contract.ts'
import {
  type ItemRecord,
  isOpenTask,
  itemsOf,
  positionsOf,
  type SubmissionRecord,
  seenItemsOf,
  type TaskRecord,
  tasksOf,
  threadOf,
} from './queries.ts'
import { canTakeOut, isHeldBack, isHeldBy, isThreadOpen, needsSenior, taskCycle } from './rules.ts'

/** A task as the desk shows it. Whether the caller is impartial is known only where one task is looked at. */
export function toTask(
  ctx: Context,
  task: TaskRecord,
  seen: { queuePosition: number | null; isImpartial?: boolean },
): Static<typeof Task> {
  const isMine = isHeldBy(task, ctx.accountId, ctx.now())
  const may = (permission: string) => ctx.may(permission)
  const facts = {
    isHolder: isMine,
    isImpartial: seen.isImpartial ?? true,
    isFresh: !hasJudged(task, ctx.accountId),
    isOther: !task.excluded.includes(ctx.accountId),
    isSenior: !needsSenior(task) || may('review.senior'),
    hasIssues: true,
    hasText: true,
  }
  const isOpenToAll = task.state === 'DECIDED' || may('review.senior')
  return {
    ...task,
    autoReasons: task.autoReasons as AutoReason[],
    isMine,
    queuePosition: seen.queuePosition,
    needsSenior: needsSenior(task) && task.state !== 'DECIDED',
    opinionCount: task.opinions.length,
    // The second looks for himself: what the first thought would lead him.
    opinions: task.opinions.filter(one => isOpenToAll || one.reviewerId === ctx.accountId),
    allowedActions: allowedActions(taskCycle, task.state, may, facts),
  }
}

export function hasJudged(task: TaskRecord, accountId: string): boolean {
  return task.opinions.some(one => one.reviewerId === accountId)
}

/** One task with its place in the queue. */
export async function answerTask(ctx: Context, task: TaskRecord, isImpartial = true): Promise<Static<typeof Task>> {
  const positions = await positionsOf(ctx, [task.taskId])
  return toTask(ctx, task, { queuePosition: positions.get(task.taskId) ?? null, isImpartial })
}

/** A submission with its thread, all but its place in the queue, which counts over other teams too. */
export async function answerThread(ctx: Context, submission: SubmissionRecord): Promise<Static<typeof Thread>> {
  const { submissionId } = submission
  const seen = await seenItemsOf(ctx, [submissionId])
  const itemIds = new Set(seen.map(item => item.itemId))
  const all = (await tasksOf(ctx, submissionId)).filter(task => itemIds.has(task.itemId))
  const [first] = seen
  const open = all.filter(isOpenTask)
  const running = open.filter(task => task.pausedAt === null)
  const canWrite = isThreadOpen(submission.state) && ctx.may('review.message')
  return {
    ...submission,
    appId: first?.appId ?? submission.appId,
    versionId: first?.refId ?? submission.versionId,
    items: await answerItems(ctx, submission, seen, all),
    slaDueAt: earliest((running.length > 0 ? running : open).map(task => task.slaDueAt)),
    pausedAt: running.length > 0 ? null : earliest(open.flatMap(task => task.pausedAt ?? [])),
    messages: await answerMessages(ctx, submissionId, itemIds),
    allowedActions: canWrite ? [submission.waitingFor === 'developer' ? 'answer' : 'message'] : [],
  }
}

async function answerItems(
  ctx: Context,
  submission: SubmissionRecord,
  rows: readonly ItemRecord[],
  all: readonly TaskRecord[],
) {
  const lastTask = new Map(all.map(task => [task.itemId, task]))
  const versions = await versionsOf(
    ctx,
    rows.map(row => row.refId),
  )
  const apps = await appsOf(
    ctx,
    rows.map(row => row.appId ?? submission.appId),
  )
  const states = (await itemsOf(ctx, submission.submissionId)).map(row => row.state)
  const canRemove = ctx.may('versions.withdraw')
  const expedited = await expeditesOf(
    ctx,
    [...lastTask.values()].map(task => task.appId),
  )
  return rows.map(row => {
    const task = lastTask.get(row.itemId)
    const appId = row.appId ?? submission.appId
    const version = versions.find(one => one.versionId === row.refId)
    const isOpen = task !== undefined && isOpenTask(task)
    const expeditesLeft = Math.max(0, appealLimits.expedites - (expedited.get(appId) ?? []).length)
    const mayAsk = ctx.may('versions.submit')
    return {
      ...row,
      expeditesLeft,
      isHeldBack: isHeldBack(submission.release, row.state, states),
      allowedActions: [
        ...(canRemove && canTakeOut(row.state, submission.state) ? ['remove' as const] : []),
        ...(mayAsk && canAppeal(row, submission.state, task, version?.state) ? ['appeal' as const] : []),
        ...(mayAsk && expeditesLeft > 0 && canExpedite(task) ? ['expedite' as const] : []),
      ],
      appId,
      appName: apps.find(one => one.appId === appId)?.name ?? task?.appName ?? '',
      versionName: version?.versionName ?? task?.versionName ?? null,
      versionCode: version?.versionCode ?? task?.versionCode ?? null,
      queue: task?.queue ?? null,
      taskState: task?.state ?? null,
      slaDueAt: isOpen ? task.slaDueAt : null,
      pausedAt: isOpen ? task.pausedAt : null,
    }
  })
}

/** What was said of the things the reader may see, with the names of what was attached: one query for all of it. */
async function answerMessages(ctx: Context, submissionId: string, itemIds: ReadonlySet<string>) {
  const said = await threadOf(ctx, submissionId)
  const rows = said.filter(row => row.itemId === null || itemIds.has(row.itemId))
  const objects = await objectsOf(
    ctx,
    rows.flatMap(row => row.attachments),
  )
  return rows.map(row => ({
    ...row,
    results: row.results.filter(one => itemIds.has(one.itemId)),
    attachments: row.attachments.map(objectId => {
      const { fileName = '', mime = '', sizeBytes = 0 } = objects.get(objectId) ?? {}
      return { objectId, fileName, mime, sizeBytes }
    }),
  }))
}

function earliest(instants: readonly number[]): number | null {
  return instants.length === 0 ? null : Math.min(...instants)
}
