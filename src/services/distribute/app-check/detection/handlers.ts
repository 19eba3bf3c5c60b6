import { and, eq } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { badField } from '../../../../server/http/problem.ts'
import { implement } from '../../../../server/implement.ts'
import { toSummaries } from '../answer.ts'
import { checksOf, newestOf } from '../queries.ts'
import { ruleIds, ruleTexts } from '../rule-texts.data.ts'
import { checkKinds, checkLimits, numberOfState } from '../rules.ts'
import { startCheck } from '../starting.ts'
import { detections as detectionRows } from '../tables.ts'
import { detections, testTasks } from './contract.ts'

/** What a kind needs that no server has by itself. */
const needs: Partial<Record<(typeof checkKinds)[number], string>> = { POWER: 'device', STABILITY: 'device' }

export const testTaskConfig = implement(testTasks, {
  getTestTaskConfig: async () => ({
    deadlineMs: checkLimits.deadlineMs,
    atOnce: checkLimits.detectedAtOnce,
    running: 1,
    kinds: checkKinds.map(kind => ({
      kind,
      canRun: needs[kind] === undefined,
      needs: needs[kind] ?? null,
      rules: ruleIds
        .filter(ruleId => ruleTexts[ruleId].kind === kind)
        .map(ruleId => ({ ruleId, title: ruleTexts[ruleId].title, fix: ruleTexts[ruleId].fix })),
    })),
  }),
})

export default implement(detections, {
  createDetection: async (ctx, { body }) => {
    const detectionId = ctx.newId()
    // In one order for everybody, so that two who name the same apps wait for each other and not in a circle.
    const apps = [...body.apps].sort((a, b) => (BigInt(a.appId) < BigInt(b.appId) ? -1 : 1))
    const twice = apps.findIndex((one, index) => one.appId === apps[index - 1]?.appId)
    if (twice >= 0) throw badField('/apps', 'uniqueItems', 'Name each app once.')
    const { kinds } = body
    const list: { appId: string; checkId: string; status: number; isJoined: boolean }[] = []
    for (const one of apps) {
      const { row, isJoined } = await startCheck(ctx, { ...one, ...(kinds && { kinds }), detectionId }, true)
      list.push({ appId: row.appId, checkId: row.checkId, status: numberOfState[row.state], isJoined })
    }
    await ctx.db.insert(detectionRows).values({
      detectionId,
      teamId: ctx.teamId,
      createdBy: ctx.accountId,
      createdAt: ctx.now(),
      checks: list.map(({ appId, checkId }) => ({ appId, checkId })),
    })
    return { taskId: detectionId, list }
  },

  listAppResults: async (ctx, { body }) => {
    const task = body.taskId === undefined ? null : await detectionOf(ctx, body.taskId)
    if (!task && !body.appIds) throw badField('/taskId', 'required', 'Name a task or apps.')
    const rows = task
      ? await checksOf(
          ctx,
          task.checks.map(one => one.checkId),
        )
      : await newestOf(ctx, body.appIds ?? [])
    const wanted = rows.filter(row => body.appIds === undefined || body.appIds.includes(row.appId))
    return {
      taskId: task?.detectionId ?? null,
      createdAt: task?.createdAt ?? null,
      isFinished: wanted.every(row => row.finishedAt !== null),
      list: await toSummaries(ctx, wanted),
    }
  },
})

async function detectionOf(ctx: Context, taskId: string) {
  const [row] = await ctx.db
    .select()
    .from(detectionRows)
    .where(and(eq(detectionRows.detectionId, taskId), eq(detectionRows.teamId, ctx.teamId)))
  return row ?? refuse(commonErrors.notFound, { entity: 'task', id: taskId })
}
