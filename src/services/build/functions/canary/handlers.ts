import { and, desc, eq, lt } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import { allowedActions } from '../../../../kernel/life-cycle.ts'
import type { Context } from '../../../../server/context.ts'
import { badField, isDuplicate } from '../../../../server/http/problem.ts'
import { implement } from '../../../../server/implement.ts'
import { functionErrors } from '../contract.ts'
import { loadFunction, versionRow } from '../queries.ts'
import { flushRecords } from '../recording/recording.ts'
import { functionAliases } from '../tables.ts'
import { functionCanary } from './contract.ts'
import { assertNoCanary, type CanaryRow, canaryOf, healthOf, historyOf, leadAlias, remember } from './queries.ts'
import { canaryActions, canaryLifeCycle, type Step, stepsProblem } from './rules.ts'
import { canaries } from './tables.ts'
import { moveCanary } from './watching.ts'

export default implement(functionCanary, {
  startCanary: async (ctx, { params, body }) => {
    const { functionId, teamId } = await loadFunction(ctx, params.functionId, true)
    const { version, steps, limits } = body
    const [alias] = await ctx.db
      .select()
      .from(functionAliases)
      .where(and(eq(functionAliases.functionId, functionId), eq(functionAliases.name, params.name)))
    if (!alias) refuse(commonErrors.notFound, { entity: 'alias', id: params.name })
    await assertNoCanary(ctx, functionId, alias.name)
    await versionRow(ctx, functionId, version)
    if (alias.version === version) throw badField('/version', 'another', 'must be another version than the first')
    const problem = stepsProblem(steps)
    if (problem) throw badField('/steps', 'grows', problem)
    const now = ctx.now()
    const row: CanaryRow = {
      ...{ canaryId: ctx.newId(), functionId, teamId, aliasName: alias.name, fromVersion: alias.version },
      ...{ toVersion: version, steps, limits, state: 'RUNNING', step: 0, stepStartedAt: now, createdAt: now },
      ...{ createdBy: ctx.caller.accountId, updatedAt: now, endedAt: null, revision: 1 },
    }
    await ctx.db
      .insert(canaries)
      .values(row)
      .catch(error => {
        if (isDuplicate(error)) refuse(functionErrors.canaryRuns, { name: alias.name })
        throw error
      })
    const { weight } = steps[0] as Step
    await leadAlias(ctx, row, { weight })
    await remember(ctx, row, { action: 'start', weight, health: { calls: 0, failures: 0, p95Ms: null } })
    const after = { aliasName: alias.name, version, steps, limits }
    ctx.audit({ action: 'function_canary.start', entity: 'function_canary', entityId: row.canaryId, after })
    const data = { functionId, aliasName: alias.name, version, weight }
    ctx.emit({ type: 'function_canary.started', entity: 'function_canary', entityId: row.canaryId, data })
    return { canaryId: row.canaryId, canary: await toCanary(ctx, row) }
  },

  listCanaries: async (ctx, { params, query }) => {
    const { functionId } = await loadFunction(ctx, params.functionId)
    await flushRecords(ctx.server)
    const { aliasName, cursor, pageSize = 20 } = query
    const matches = and(
      eq(canaries.functionId, functionId),
      aliasName === undefined ? undefined : eq(canaries.aliasName, aliasName),
    )
    const isCursor = cursor !== undefined && /^[1-9][0-9]{0,18}$/.test(cursor)
    const rows = await ctx.db
      .select()
      .from(canaries)
      .where(and(matches, isCursor ? lt(canaries.canaryId, cursor) : undefined))
      .orderBy(desc(canaries.canaryId))
      .limit(pageSize + 1)
    const list = rows.slice(0, pageSize)
    return {
      total: await ctx.db.$count(canaries, matches),
      list: await Promise.all(list.map(row => toCanary(ctx, row))),
      nextCursor: rows.length > pageSize ? (list.at(-1)?.canaryId ?? null) : null,
    }
  },

  getCanary: async (ctx, { params }) => {
    const { functionId } = await loadFunction(ctx, params.functionId)
    await flushRecords(ctx.server)
    const row = await canaryOf(ctx, functionId, params.canaryId)
    return { canary: await toCanary(ctx, row), history: await historyOf(ctx, row.canaryId) }
  },

  moveCanary: async (ctx, { params, body }) => {
    const { functionId } = await loadFunction(ctx, params.functionId, true)
    const row = await canaryOf(ctx, functionId, params.canaryId, true)
    if (row.revision !== body.revision) refuse(commonErrors.stale, { revision: row.revision })
    await moveCanary(ctx, row, params.action, await healthOf(ctx, row))
    return { canary: await toCanary(ctx, await canaryOf(ctx, functionId, params.canaryId)) }
  },
})

const overs = { DONE: 100, ABORTED: 0, ROLLED_BACK: 0 } as const

async function toCanary(ctx: Context, row: CanaryRow) {
  const { state, steps, step, stepStartedAt } = row
  const now = steps[step] as Step
  const isOpen = state === 'RUNNING' || state === 'PAUSED'
  const allowed = allowedActions(canaryLifeCycle, state, permission => ctx.may(permission))
  return {
    ...row,
    weight: isOpen ? now.weight : overs[state],
    nextAt: state === 'RUNNING' ? stepStartedAt + now.holdMinutes * 60_000 : null,
    health: isOpen ? await healthOf(ctx, row) : { calls: 0, failures: 0, p95Ms: null },
    allowedActions: canaryActions.filter(action => allowed.includes(action)),
  }
}
