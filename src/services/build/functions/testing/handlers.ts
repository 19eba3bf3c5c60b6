import { and, asc, eq } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { badField } from '../../../../server/http/problem.ts'
import { implement } from '../../../../server/implement.ts'
import { functionErrors } from '../contract.ts'
import { invoke, refusalOf } from '../invoke.ts'
import { liveLinesOf } from '../live/lines.ts'
import { problemOf } from '../problems/rules.ts'
import { functionNamed, loadFunction, projectHere } from '../queries.ts'
import { listCalls } from '../recording/recorded.ts'
import { limits } from '../rules.ts'
import { pointsOf, spanOf } from '../summary/counting.ts'
import { testEvents } from '../tables.ts'
import { targetsOf } from '../targets.ts'
import { functionTesting } from './contract.ts'

/** The day before now. */
const countedHours = 24
const isOne = (functionId: string, name: string) =>
  and(eq(testEvents.functionId, functionId), eq(testEvents.name, name))

export default implement(functionTesting, {
  testFunction: async (ctx, { params, query, body }, { request }) => {
    const { functionId, event } = await ctx.transact(async inner => {
      await projectHere(inner, query.projectId)
      const { functionId } = await functionNamed(inner, query.projectId, params.a)
      const kept = body.testParam === undefined ? undefined : await eventOf(inner, functionId, body.testParam)
      return { functionId, event: kept?.content ?? JSON.stringify(body.event ?? {}) }
    })
    const { headers } = request
    const runnable = await targetsOf(ctx.server).runnable(ctx.zone, functionId, params.b, headers)
    const ran = await invoke(ctx.server, {
      runnable,
      qualifier: params.b,
      source: 'TEST',
      event,
      caller: null,
      headers,
    })
    const { result, fault, phases } = ran
    const refusal = refusalOf(ran)
    const message = fault?.message ?? refusal?.message ?? ''
    const durationMs = Math.round(phases.runMs)
    return {
      ...{ requestId: ran.requestId, outcome: ran.outcome, resolvedVersion: ran.version, logs: ran.logs },
      statusCode: refusal?.status ?? (result?.kind === 'http' ? result.status : 200),
      result: result === null ? null : result.kind === 'json' ? jsonOf(result.text) : result,
      error: refusal && { type: fault?.name ?? String(refusal.number), message, stack: fault?.stack ?? '' },
      ...{
        durationMs,
        billedMs: Math.max(1, Math.ceil(phases.runMs)),
        memPeakMb: Math.round(ran.memPeakMb),
        coldStart: phases.isCold,
      },
      phases: {
        ...{
          queueMs: Math.round(phases.queueMs),
          bootMs: Math.round(phases.bootMs),
          initMs: Math.round(phases.initMs),
        },
        runMs: durationMs,
      },
    }
  },

  listTestEvents: async (ctx, { params }) => {
    const { functionId } = await loadFunction(ctx, params.functionId)
    const list = await ctx.db
      .select()
      .from(testEvents)
      .where(eq(testEvents.functionId, functionId))
      .orderBy(asc(testEvents.name))
    return { total: list.length, list, nextCursor: null }
  },

  createTestEvent: async (ctx, { params, body }) => {
    const { functionId, teamId } = await loadFunction(ctx, params.functionId, true)
    const all = await ctx.db.$count(testEvents, eq(testEvents.functionId, functionId))
    if (all >= limits.testEvents)
      refuse(functionErrors.tooMany, problemOf('manyTestEvents', { limit: limits.testEvents }))
    const event = { functionId, teamId, name: params.name, content: checked(body.content), updatedAt: ctx.now() }
    const [made] = await ctx.db.insert(testEvents).values(event).onConflictDoNothing().returning()
    if (!made) throw badField('/y', 'unique', `${params.name} is there already`, 'path')
    ctx.audit({
      action: 'function.createTestEvent',
      entity: 'function',
      entityId: functionId,
      after: { name: params.name },
    })
    return { event }
  },

  updateTestEvent: async (ctx, { params, body }) => {
    const { functionId } = await loadFunction(ctx, params.functionId, true)
    const before = await eventOf(ctx, functionId, params.name)
    const change = { content: checked(body.content), updatedAt: ctx.now() }
    await ctx.db.update(testEvents).set(change).where(isOne(functionId, params.name))
    ctx.audit({
      action: 'function.updateTestEvent',
      entity: 'function',
      entityId: functionId,
      after: { name: params.name },
    })
    return { event: { ...before, ...change } }
  },

  deleteTestEvent: async (ctx, { params }) => {
    const { functionId } = await loadFunction(ctx, params.functionId, true)
    await eventOf(ctx, functionId, params.name)
    await ctx.db.delete(testEvents).where(isOne(functionId, params.name))
    ctx.audit({
      action: 'function.deleteTestEvent',
      entity: 'function',
      entityId: functionId,
      before: { name: params.name },
    })
    return {}
  },

  listCalls: async (ctx, { params, query }) => {
    const { functionId } = await loadFunction(ctx, params.functionId)
    const { pageSize = 20, ...wanted } = query
    const { list, ...page } = await listCalls(ctx, functionId, { ...wanted, pageSize })
    return {
      ...page,
      list: list.map(({ queueMs, bootMs, initMs, runMs, lines, ...row }) => ({
        ...row,
        phases: { queueMs, bootMs, initMs, runMs },
        lines: lines as { at: number; level: 'info'; line: string }[],
      })),
    }
  },

  listLiveLines: async (ctx, { params }) => {
    const { functionId } = await ctx.transact(inner => loadFunction(inner, params.functionId))
    return { list: await liveLinesOf(ctx.server).feed.look(ctx, functionId) }
  },

  countCalls: async (ctx, { params }) => {
    const { functionId } = await loadFunction(ctx, params.functionId)
    const points = await pointsOf(ctx, [functionId], spanOf(ctx.now(), countedHours))
    return { points: points.map(({ runMs, ...point }) => point) }
  },
})

async function eventOf(ctx: Context, functionId: string, name: string) {
  const [row] = await ctx.db.select().from(testEvents).where(isOne(functionId, name))
  return row ?? refuse(commonErrors.notFound, { entity: 'test event', id: name })
}

/** The word of the function's process: what is no JSON is shown as it came. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function checked(content: string): string {
  try {
    JSON.parse(content)
    return content
  } catch (error) {
    throw badField('/content', 'json', `must be JSON: ${(error as Error).message}`)
  }
}
