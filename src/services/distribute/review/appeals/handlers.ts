import { eq, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { implement } from '../../../../server/implement.ts'
import { lockApp } from '../../apps/public.ts'
import { decideVersion, versionsOf } from '../../versions/public.ts'
import { answerThread } from '../answer.ts'
import { addMessage, settle, tellClock } from '../moves.ts'
import { loadSubmission, seenItemsOf, taskOf } from '../queries.ts'
import { addTask } from '../queueing.ts'
import { dueAt, limits as reviewLimits } from '../rules.ts'
import { appeals as appealRows, expedites, items, tasks } from '../tables.ts'
import { appeals as contract } from './contract.ts'
import { canAppeal, canExpedite } from './possible.ts'
import { expeditesOf } from './queries.ts'
import { appealLimits } from './rules.ts'

export default implement(contract, {
  appealRejection: async (ctx, { body }) => {
    const { submission, item, task } = await find(ctx, body)
    const [version] = await versionsOf(ctx, [item.refId])
    if (!task || !version || !canAppeal(item, submission.state, task, version.state)) refuse(contract.errors.noAppeal)
    const { appId, teamId } = task
    await decideVersion(ctx, { versionId: item.refId, verdict: 'appeal' })
    const excluded = [...new Set([task.decidedBy, ...task.opinions.map(one => one.reviewerId)])].filter(
      id => id !== null,
    )
    const told = await addMessage(ctx, submission, {
      sender: 'developer',
      kind: 'APPEAL',
      text: body.reason,
      itemId: item.itemId,
    })
    await ctx.db.update(items).set({ state: 'PENDING' }).where(eq(items.itemId, item.itemId))
    const open = await settle(ctx, told)
    const more = { seniorBecause: 'APPEAL' as const, excluded, autoReasons: [], isSampled: false }
    const appealed = { submission: open, item: { ...item, state: 'PENDING' as const } }
    const { taskId } = await addTask(ctx, version, appealed, { queue: 'APPEAL', at: ctx.now(), last: task, more })
    const row = { taskId: task.taskId, teamId, appId, appealTaskId: taskId, askedBy: ctx.accountId, at: ctx.now() }
    await ctx.db.insert(appealRows).values(row)
    ctx.audit({ action: 'submission.appeal', entity: 'reviewTask', entityId: task.taskId, after: { taskId } })
    return answerThread(ctx, open)
  },

  expediteReview: async (ctx, { body }) => {
    const { submission, item, task } = await find(ctx, body)
    if (!task || !canExpedite(task)) refuse(contract.errors.noExpedite)
    await mustHaveExpedites(ctx, task.appId)
    const now = ctx.now()
    const { taskId, teamId, appId } = task
    const [moved] = await ctx.db
      .update(tasks)
      .set({
        queue: 'EXPEDITE',
        priority: sql`least(${tasks.priority} + ${appealLimits.expeditePriority}::int, ${reviewLimits.priority}::int)`,
        slaDueAt: Math.min(task.slaDueAt, dueAt(now, 'EXPEDITE', ctx.zone)),
        updatedAt: now,
        revision: sql`${tasks.revision} + 1`,
      })
      .where(eq(tasks.taskId, taskId))
      .returning()
    const reason = body.reason.trim()
    const row = { expediteId: ctx.newId(), teamId, appId, taskId, reason, askedBy: ctx.accountId, at: now }
    await ctx.db.insert(expedites).values(row)
    const message = { sender: 'developer', kind: 'EXPEDITE', text: reason, itemId: item.itemId } as const
    const told = await addMessage(ctx, submission, message)
    ctx.audit({ action: 'submission.expedite', entity: 'reviewTask', entityId: taskId, after: { reason } })
    tellClock(ctx, moved!)
    return answerThread(ctx, told)
  },
})

/** What the caller may see of it, locked: submission first, as everybody does. Refuses 404. */
async function find(ctx: Context, wish: { submissionId: string; itemId: string }) {
  const submission = await loadSubmission(ctx, wish.submissionId, 'update')
  const seen = (await seenItemsOf(ctx, [submission.submissionId])).find(one => one.itemId === wish.itemId)
  if (!seen) refuse(commonErrors.notFound, { entity: 'item', id: wish.itemId })
  return { submission, item: seen, task: await taskOf(ctx, seen.itemId, 'update') }
}

/** The app is locked, so that two who ask at once cannot both have the last one. */
async function mustHaveExpedites(ctx: Context, appId: string): Promise<void> {
  await lockApp(ctx, appId)
  const used = (await expeditesOf(ctx, [appId])).get(appId) ?? []
  const [oldest] = used
  if (used.length < appealLimits.expedites || oldest === undefined) return
  refuse(contract.errors.expeditesUsed, {
    limit: appealLimits.expedites,
    days: appealLimits.expediteDays,
    next: new Date(oldest + appealLimits.expediteDays * 86_400_000).toISOString(),
  })
}
