import { commonErrors, refuse } from '../../../kernel/errors.ts'
import { implement } from '../../../server/implement.ts'
import { holdObjects } from '../../ground/files/public.ts'
import { answerThread, openTaskOf } from './answer.ts'
import { submissions as contract } from './contract.ts'
import { addMessage, changeSubmission, moveTask } from './moves.ts'
import { policies } from './policies.ts'
import { positionsOf, submissionOf, taskOf } from './queries.ts'
import { dueAfterPause, isThreadOpen, limits } from './rules.ts'

export default implement(contract, {
  getSubmission: async (ctx, { query }) => {
    const { thread, taskId } = await ctx.transact(async inner => {
      const submission = (await submissionOf(inner, query.versionId)) ?? noSubmission(query.versionId)
      const task = await openTaskOf(inner, submission.submissionId)
      return { thread: await answerThread(inner, submission), taskId: task?.taskId }
    })
    // The queue is one over all teams: a transaction of its own reaches it, and only the number leaves it.
    const positions = await ctx.transact(inner => positionsOf(inner, taskId === undefined ? [] : [taskId]), 'all')
    return { ...thread, queuePosition: (taskId && positions.get(taskId)) || null }
  },

  sendMessage: async (ctx, { body }) => {
    const { versionId, text, attachments = [] } = body
    const submission = (await submissionOf(ctx, versionId, 'update')) ?? noSubmission(versionId)
    if (!isThreadOpen(submission.state)) refuse(contract.errors.threadClosed, { state: submission.state })
    if (submission.messageCount >= limits.messages) refuse(contract.errors.threadFull, { limit: limits.messages })
    await holdObjects(ctx, attachments)
    const task = await taskOf(ctx, submission.submissionId, 'update')
    const isAnswer = task?.state === 'WAITING'
    await addMessage(ctx, submission, {
      sender: 'developer',
      kind: isAnswer ? 'ANSWER' : 'MESSAGE',
      text,
      attachments: [...attachments],
    })
    if (isAnswer) {
      const slaDueAt = dueAfterPause(task.slaDueAt, task.pausedAt ?? ctx.now(), ctx.now())
      await moveTask(ctx, task, 'answer', { set: { slaDueAt, pausedAt: null } })
    }
    return answerThread(ctx, await changeSubmission(ctx, submission, { waitingFor: null }))
  },

  listPolicyTitles: async () => ({ list: [...policies] }),
})

function noSubmission(versionId: string): never {
  refuse(commonErrors.notFound, { entity: 'submission of version', id: versionId })
}
