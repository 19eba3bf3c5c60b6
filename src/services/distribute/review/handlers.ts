import { commonErrors, refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import { implement } from '../../../server/implement.ts'
import { holdObjects } from '../../ground/files/public.ts'
import { appOf, appsOf } from '../apps/public.ts'
import { answerThread } from './answer.ts'
import { submissions as contract } from './contract.ts'
import { addMessage, moveTask, settle } from './moves.ts'
import { policiesNow } from './policies/policies.ts'
import {
  loadSubmission,
  medianWait,
  pageOfSubmissions,
  positionsOf,
  type SubmissionRecord,
  seenItemsOf,
  submissionOf,
  submissionOfApp,
  tasksOf,
} from './queries.ts'
import { dueAfterPause, isThreadOpen, limits } from './rules.ts'
import { removeItem, submitTogether } from './submissions.ts'

interface Which {
  submissionId?: string
  versionId?: string
  appId?: string
}

export default implement(contract, {
  getSubmission: async (ctx, { query }) => {
    const { thread, queued } = await ctx.transact(async inner => {
      const submission = await find(inner, query)
      const tasks = await tasksOf(inner, submission.submissionId)
      const seen = await answerThread(inner, submission)
      const itemIds = new Set(seen.items.map(item => item.itemId))
      return { thread: seen, queued: tasks.filter(task => task.state === 'QUEUED' && itemIds.has(task.itemId)) }
    })
    const ids = queued.map(task => task.taskId)
    // The queue is one over all teams: a transaction of its own reaches it, and only numbers leave it.
    const { positions, medianWaitMs } = await ctx.transact(async inner => {
      const queue = thread.items.find(item => item.queue !== null)?.queue ?? 'UPDATE'
      return { positions: await positionsOf(inner, ids), medianWaitMs: await medianWait(inner, queue) }
    }, 'all')
    return {
      ...thread,
      queuePosition: positions.size === 0 ? null : Math.min(...positions.values()),
      positions: queued.map(({ itemId, taskId }) => ({ itemId, queuePosition: positions.get(taskId) ?? 0 })),
      medianWaitMs,
    }
  },

  sendMessage: async (ctx, { body }) => {
    const { text, attachments = [] } = body
    const { submissionId } = await find(ctx, body)
    const submission = await loadSubmission(ctx, submissionId, 'update')
    if (!isThreadOpen(submission.state)) refuse(contract.errors.threadClosed, { state: submission.state })
    if (submission.messageCount >= limits.messages) refuse(contract.errors.threadFull, { limit: limits.messages })
    await holdObjects(ctx, attachments, await appOf(ctx, submission.appId))
    const asked = (await tasksOf(ctx, submissionId, 'update')).filter(task => task.state === 'WAITING')
    const told = await addMessage(ctx, submission, {
      sender: 'developer',
      kind: asked.length > 0 ? 'ANSWER' : 'MESSAGE',
      text,
      attachments: [...attachments],
    })
    for (const task of asked) {
      const slaDueAt = dueAfterPause(task.slaDueAt, task.pausedAt ?? ctx.now(), ctx.now(), ctx.zone)
      await moveTask(ctx, task, 'answer', { set: { slaDueAt, pausedAt: null } })
    }
    return answerThread(ctx, await settle(ctx, told))
  },

  createSubmission: async (ctx, { body }) => answerThread(ctx, await submitTogether(ctx, body)),

  removeItem: async (ctx, { body }) => answerThread(ctx, await removeItem(ctx, body)),

  listSubmissions: async (ctx, { query }) => {
    if (query.appId !== undefined) await appOf(ctx, query.appId)
    const page = await pageOfSubmissions(ctx, query)
    const items = await seenItemsOf(
      ctx,
      page.list.map(row => row.submissionId),
    )
    const list = page.list.map(row => {
      const own = items.filter(item => item.submissionId === row.submissionId)
      const { appId, refId: versionId } = own[0] ?? { appId: null, refId: row.versionId }
      return { ...row, appId: appId ?? row.appId, versionId, itemCount: own.length }
    })
    const apps = await appsOf(
      ctx,
      list.map(row => row.appId),
    )
    return {
      ...page,
      list: list.map(row => ({ ...row, appName: apps.find(app => app.appId === row.appId)?.name ?? '' })),
    }
  },

  listPolicyTitles: async ctx => ({ list: (await policiesNow(ctx)).filter(policy => !policy.isRetired) }),
})

async function find(ctx: Context, which: Which): Promise<SubmissionRecord> {
  if (which.submissionId !== undefined) return loadSubmission(ctx, which.submissionId)
  if (which.versionId !== undefined) {
    const ofVersion = await submissionOf(ctx, which.versionId)
    return ofVersion ?? refuse(commonErrors.notFound, { entity: 'submission of version', id: which.versionId })
  }
  if (which.appId === undefined) refuse(contract.errors.oneOfThese)
  const ofApp = await submissionOfApp(ctx, which.appId)
  return ofApp ?? refuse(commonErrors.notFound, { entity: 'submission of app', id: which.appId })
}
