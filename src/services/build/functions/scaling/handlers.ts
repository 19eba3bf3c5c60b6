import { and, asc, eq } from 'drizzle-orm'
import type { Answer, Input } from '../../../../kernel/contract.ts'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { badField } from '../../../../server/http/problem.ts'
import { implement } from '../../../../server/implement.ts'
import { functionErrors } from '../contract.ts'
import { loadControls, tellControls } from '../governance/controls.ts'
import { assertQualifier } from '../governance/queries.ts'
import { standingOf } from '../pool/copies.ts'
import { networkProblem } from '../pool/reach.ts'
import { problemOf } from '../problems/rules.ts'
import { type FunctionRow, loadFunction } from '../queries.ts'
import { latest } from '../rules.ts'
import { functionScaling } from './contract.ts'
import {
  type CronRule,
  cronProblem,
  defaultManager,
  floorsBetween,
  scalingLimits as limits,
  lowest,
  type MetricRule,
} from './rules.ts'
import { managerConfigs, scalingRules } from './tables.ts'

const dayMs = 86_400_000
type RuleRow = typeof scalingRules.$inferSelect
type RuleBody = Input<typeof functionScaling.calls.createScalingRule>['body']
type Config = Answer<typeof functionScaling.calls.getManagerConfig>

const configOf = (functionId: string, qualifier: string) =>
  and(eq(managerConfigs.functionId, functionId), eq(managerConfigs.qualifier, qualifier))

export default implement(functionScaling, {
  getManagerConfig: async (ctx, { params, query }) => {
    const { functionId } = await loadFunction(ctx, params.functionId)
    const { qualifier = latest } = query
    await assertQualifier(ctx, functionId, qualifier)
    const [row] = await ctx.db.select().from(managerConfigs).where(configOf(functionId, qualifier))
    return answerOf(ctx, functionId, qualifier, row ?? { ...defaultManager, revision: 0 })
  },

  setManagerConfig: async (ctx, { params, body }) => {
    const row = await loadFunction(ctx, params.functionId, true)
    const { qualifier = latest, revision = 0, ...config } = body
    const { functionId, teamId } = row
    await assertQualifier(ctx, functionId, qualifier)
    if (config.minInstances > config.maxInstances)
      throw badField('/minInstances', 'maximum', 'must not be more than maxInstances')
    config.egress.cidrs.forEach((cidr, at) => {
      const problem = networkProblem(cidr)
      if (problem) throw badField(`/egress/cidrs/${at}`, 'cidr', problem)
    })
    const [before] = await ctx.db.select().from(managerConfigs).where(configOf(functionId, qualifier))
    if ((before?.revision ?? 0) !== revision) refuse(commonErrors.stale, { revision: before?.revision ?? 0 })
    await assertReserved(ctx, row, qualifier, config.minInstances)
    const change = { ...config, updatedAt: ctx.now(), revision: revision + 1 }
    await ctx.db
      .insert(managerConfigs)
      .values({ functionId, teamId, qualifier, ...change })
      .onConflictDoUpdate({ target: [managerConfigs.functionId, managerConfigs.qualifier], set: change })
    const [entity, entityId] = ['function', functionId]
    ctx.audit({ action: 'function.setManagerConfig', entity, entityId, before, after: { qualifier, ...config } })
    tellControls(ctx, functionId)
    return answerOf(ctx, functionId, qualifier, change)
  },

  listScalingRules: async (ctx, { params, query }) => {
    const { functionId } = await loadFunction(ctx, params.functionId)
    const { qualifier } = query
    const rows = await ctx.db
      .select()
      .from(scalingRules)
      .where(
        and(
          eq(scalingRules.functionId, functionId),
          qualifier === undefined ? undefined : eq(scalingRules.qualifier, qualifier),
        ),
      )
      .orderBy(asc(scalingRules.ruleId))
    const from = ctx.now()
    const until = from + dayMs
    const floors = rows
      .filter(one => one.kind === 'CRON' && one.isEnabled)
      .flatMap(({ ruleId, settings }) =>
        floorsBetween(settings as CronRule, from, until).map(floor => ({ ruleId, ...floor })),
      )
    return { total: rows.length, list: rows.map(toRule), nextCursor: null, from, until, floors }
  },

  createScalingRule: async (ctx, { params, body }) => {
    const { functionId, teamId } = await loadFunction(ctx, params.functionId, true)
    const all = await ctx.db.$count(scalingRules, eq(scalingRules.functionId, functionId))
    if (all >= limits.rules) refuse(functionErrors.tooMany, problemOf('manyScalingRules', { limit: limits.rules }))
    const change = await checked(ctx, functionId, body)
    const ruleId = ctx.newId()
    const row = { ruleId, functionId, teamId, ...change, createdAt: ctx.now(), updatedAt: ctx.now(), revision: 1 }
    await ctx.db.insert(scalingRules).values(row)
    ctx.audit({ action: 'function.createScalingRule', entity: 'function', entityId: functionId, after: change })
    tellControls(ctx, functionId)
    return { ruleId, rule: toRule(row) }
  },

  updateScalingRule: async (ctx, { params, body: { revision, ...body } }) => {
    const { functionId } = await loadFunction(ctx, params.functionId, true)
    const before = await ruleOf(ctx, functionId, params.ruleId)
    if (before.revision !== revision) refuse(commonErrors.stale, { revision: before.revision })
    const change = { ...(await checked(ctx, functionId, body)), updatedAt: ctx.now(), revision: revision + 1 }
    await ctx.db.update(scalingRules).set(change).where(eq(scalingRules.ruleId, before.ruleId))
    const { name, settings } = before
    const told = { name, settings }
    const [entity, entityId] = ['function', functionId]
    ctx.audit({ action: 'function.updateScalingRule', entity, entityId, before: told, after: change })
    tellControls(ctx, functionId)
    return { rule: toRule({ ...before, ...change }) }
  },

  deleteScalingRule: async (ctx, { params }) => {
    const { functionId } = await loadFunction(ctx, params.functionId, true)
    const { ruleId, name, settings } = await ruleOf(ctx, functionId, params.ruleId)
    await ctx.db.delete(scalingRules).where(eq(scalingRules.ruleId, ruleId))
    const before = { name, settings }
    ctx.audit({ action: 'function.deleteScalingRule', entity: 'function', entityId: functionId, before })
    tellControls(ctx, functionId)
    return {}
  },
})

async function answerOf(
  ctx: Context,
  functionId: string,
  qualifier: string,
  { minInstances, maxInstances, idleTimeoutSec, logLevel, egress, revision }: Omit<Config, 'qualifier' | 'live'>,
): Promise<Config> {
  const controls = await loadControls(ctx, functionId)
  const versions = controls.versionsOf(qualifier)
  const standing = await standingOf(ctx.server, { functionId, versions })
  const live = { instances: 0, target: 0, floor: 0 }
  for (const version of versions) {
    const there = standing.filter(one => one.version === version)
    const floor = lowest(controls.sizing(version), ctx.now())
    live.floor += floor
    live.instances += there.reduce((sum, one) => sum + one.copies.length, 0)
    live.target += Math.max(
      floor,
      there.reduce((sum, one) => sum + one.target, 0),
    )
  }
  return { qualifier, minInstances, maxInstances, idleTimeoutSec, logLevel, egress, revision, live }
}

/** What minimums hold back for some is missing for all others. */
async function assertReserved(
  ctx: Context,
  { functionId, projectId, config }: FunctionRow,
  qualifier: string,
  minInstances: number,
): Promise<void> {
  const transaction = ctx.transaction(ctx.zone)
  await transaction.query({
    text: 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))',
    values: [`fn ${projectId}`],
  })
  const { rows } = await transaction.query<{ reserved: string }>({
    text: `SELECT coalesce(sum(m.min_instances * (f.config->>'instanceConcurrency')::int), 0) AS reserved
      FROM fn_manager_configs m JOIN fn_functions f USING (function_id)
      WHERE f.project_id = $1 AND NOT (m.function_id = $2 AND m.qualifier = $3)`,
    values: [projectId, functionId, qualifier],
  })
  const wanted = Number(rows[0]?.reserved ?? 0) + minInstances * config.instanceConcurrency
  const limit = (limits.projectConcurrency * limits.reservedPercent) / 100
  if (minInstances > 0 && wanted > limit) refuse(functionScaling.errors.reservedTooMuch, { wanted, limit })
}

async function ruleOf(ctx: Context, functionId: string, ruleId: string): Promise<RuleRow> {
  const isIt = and(eq(scalingRules.functionId, functionId), eq(scalingRules.ruleId, ruleId))
  const [row] = await ctx.db.select().from(scalingRules).where(isIt)
  return row ?? refuse(commonErrors.notFound, { entity: 'scaling rule', id: ruleId })
}

async function checked(ctx: Context, functionId: string, body: RuleBody) {
  const { name, qualifier, kind, cron, metric, isEnabled = true } = body
  await assertQualifier(ctx, functionId, qualifier)
  const part = kind === 'CRON' ? 'cron' : 'metric'
  const settings = kind === 'CRON' ? cron : metric
  if (!settings) throw badField(`/${part}`, 'required', `is needed for ${kind}`)
  if (kind === 'CRON') {
    const problem = cronProblem(settings as CronRule)
    if (problem) throw badField('/cron', 'cron', problem)
  } else if ((settings as MetricRule).min > (settings as MetricRule).max) {
    throw badField('/metric/min', 'maximum', 'must not be more than max')
  }
  return { name, qualifier, kind, settings: settings as object, isEnabled }
}

function toRule({ settings, ...row }: RuleRow) {
  const cron = row.kind === 'CRON' ? (settings as CronRule) : null
  return { ...row, cron, metric: row.kind === 'METRIC' ? (settings as MetricRule) : null }
}
