import { eq } from 'drizzle-orm'
import { refuse } from '../../../../kernel/errors.ts'
import { implement } from '../../../../server/implement.ts'
import { isMember } from '../../../ground/teams/public.ts'
import { insideOf, packageOf } from '../../packages/public.ts'
import { versionOf } from '../../versions/public.ts'
import { answerTask } from '../answer.ts'
import { reviewDesk } from '../desk/contract.ts'
import { moveTask, noClaim } from '../moves.ts'
import { isOpenTask, loadTask, lockTask } from '../queries.ts'
import { isHeldBy } from '../rules.ts'
import { tasks } from '../tables.ts'
import { deskMoves as contract } from './contract.ts'

export default implement(contract, {
  escalateTask: async (ctx, { body }) => {
    const { task } = await lockTask(ctx, body.taskId)
    const isImpartial = !(await isMember(ctx, task.teamId, ctx.accountId))
    const moved = await moveTask(ctx, task, 'escalate', {
      facts: {
        isHolder: isHeldBy(task, ctx.accountId, ctx.now()),
        isImpartial,
        isFresh: true,
        isOther: true,
        isSenior: true,
        hasIssues: true,
        hasText: true,
      },
      unmet: fact => refuse(fact === 'isImpartial' ? reviewDesk.errors.conflictOfInterest : contract.errors.notYours),
      set: { ...noClaim, queue: 'RISK', seniorBecause: task.seniorBecause ?? 'RISK', seniorNote: body.note.trim() },
      data: { queue: 'RISK' },
    })
    return answerTask(ctx, moved, isImpartial)
  },

  updatePriority: async (ctx, { body }) => {
    const { task } = await lockTask(ctx, body.taskId)
    if (!isOpenTask(task)) refuse(contract.errors.notOpen, { state: task.state })
    const { taskId, teamId, priority } = task
    const [row] = await ctx.db
      .update(tasks)
      .set({ priority: body.priority, updatedAt: ctx.now() })
      .where(eq(tasks.taskId, taskId))
      .returning()
    const change = { before: { priority }, after: { priority: body.priority } }
    ctx.audit({ action: 'reviewTask.setPriority', entity: 'reviewTask', entityId: taskId, teamId, ...change })
    return answerTask(ctx, row!)
  },

  getManifest: async (ctx, { query }) => {
    const pkg = await ctx.transact(async inner => {
      const { versionId } = await loadTask(inner, query.taskId)
      const { pkgId } = await versionOf(inner, versionId)
      return pkgId === null ? null : packageOf(inner, pkgId)
    })
    const inside = pkg && (await insideOf(ctx, pkg))
    return { manifestXml: inside?.manifestXml ?? null }
  },
})
