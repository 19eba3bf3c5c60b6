import { eq, inArray } from 'drizzle-orm'
import type { Context } from '../../../server/context.ts'
import type { Handover } from '../../../server/handover.ts'
import { releaseObjects } from '../../ground/files/public.ts'
import { filesOf } from './papers.ts'
import { qualificationTasks as tasks } from './tables.ts'

/** Papers are of the company that has them: none goes along. What was approved counts no more, after the time of grace. */
export const qualificationHandover: Handover = {
  rows: [{ table: 'qualification_tasks' }],
  blocks: async (ctx, appIds) => {
    const rows = await ctx.db
      .selectDistinct({ appId: tasks.appId, state: tasks.state })
      .from(tasks)
      .where(inArray(tasks.appId, [...appIds]))
    return rows.filter(row => row.state === 'WAITING').map(({ appId }) => ({ appId, block: 'SUBMITTED' }))
  },
  zone: async (ctx, { appIds, fromTeamId, toTeamId }) => {
    if (fromTeamId !== toTeamId) await dropPapers(ctx, appIds)
  },
}

async function dropPapers(ctx: Context, appIds: readonly string[]): Promise<void> {
  const now = ctx.now()
  const rows = await ctx.db
    .select()
    .from(tasks)
    .where(inArray(tasks.appId, [...appIds]))
    .for('update')
  await releaseObjects(
    ctx,
    rows.flatMap(row => filesOf(row.infos)),
  )
  for (const { taskId, state, revision, endedAt } of rows) {
    if (state === 'TO_SUBMIT' || state === 'FAILED') {
      await ctx.db.delete(tasks).where(eq(tasks.taskId, taskId))
      continue
    }
    const isPassed = state === 'PASSED'
    await ctx.db
      .update(tasks)
      .set({
        infos: [],
        messages: [],
        lastAuditResult: null,
        updatedAt: now,
        revision: revision + 1,
        ...(isPassed ? { state: 'VOID' as const, endedAt: endedAt ?? now } : {}),
      })
      .where(eq(tasks.taskId, taskId))
  }
}
