import { and, eq } from 'drizzle-orm'
import { asker } from '../../../../server/asking.ts'
import type { Context } from '../../../../server/context.ts'
import { implement } from '../../../../server/implement.ts'
import { functionsIde } from '../contract.ts'
import { functionNamed, projectHere } from '../queries.ts'
import { latest } from '../rules.ts'
import { functions } from '../tables.ts'
import { functionTesting } from '../testing/contract.ts'
import { functionSummary } from './contract.ts'
import { calledOf, pointsOf, spanOf, sumOf } from './counting.ts'

const day = 24

async function idOf(ctx: Context, projectId: string, functionName: string): Promise<string> {
  return ctx.transact(async inner => {
    await projectHere(inner, projectId)
    return (await functionNamed(inner, projectId, functionName)).functionId
  })
}

export default implement(functionSummary, {
  listSummaries: async (ctx, { query: { hours = day, ...query } }, wire) => {
    const page = await asker(ctx, wire)(functionsIde, 'listFunctions', { query })
    const ids = page.list.map(one => one.functionId)
    const called = await ctx.transact(inner => calledOf(inner, ids, spanOf(inner.now(), hours)))
    return { ...page, list: page.list.map(one => ({ function: one, ...called(one.functionId) })) }
  },

  getSummary: async (ctx, { params, query: { projectId, hours = day } }, wire) => {
    const functionId = await idOf(ctx, projectId, params.functionName)
    const found = await asker(ctx, wire)(functionsIde, 'getFunction', { params: { functionId } })
    const points = await ctx.transact(inner => pointsOf(inner, [functionId], spanOf(inner.now(), hours)))
    return { function: found.function, ...sumOf(points), points }
  },

  getQuota: async (ctx, { query }, wire) => asker(ctx, wire)(functionsIde, 'getTenant', { query }),

  getUsage: async (ctx, { query: { projectId, hours = day } }) => {
    await projectHere(ctx, projectId)
    const isMeant = and(eq(functions.projectId, projectId), eq(functions.teamId, ctx.teamId))
    const rows = await ctx.db.select({ functionId: functions.functionId }).from(functions).where(isMeant)
    const span = spanOf(ctx.now(), hours)
    const ids = rows.map(row => row.functionId)
    const points = await pointsOf(ctx, ids, span)
    return { ...span, ...sumOf(points), functions: rows.length, points }
  },

  testSummaryFunction: async (ctx, { params, query, body }, wire) => {
    const { qualifier = latest, event } = body
    const wish = { params: { a: params.functionName, b: qualifier }, query, body: { event } }
    return asker(ctx, wire)(functionTesting, 'testFunction', wish)
  },

  listSummaryLogs: async (ctx, { params, query: { projectId, ...query } }, wire) => {
    const functionId = await idOf(ctx, projectId, params.functionName)
    return asker(ctx, wire)(functionTesting, 'listCalls', { params: { functionId }, query })
  },
})
