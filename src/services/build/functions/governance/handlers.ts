import { and, eq } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { badField } from '../../../../server/http/problem.ts'
import { implement } from '../../../../server/implement.ts'
import { loadFunction } from '../queries.ts'
import { latest } from '../rules.ts'
import { Breaker } from './breaker.ts'
import { functionGovernance } from './contract.ts'
import { tellControls } from './controls.ts'
import { governorKey, governorsOf } from './governed.ts'
import { assertQualifier } from './queries.ts'
import { type BalanceSpec, type BreakerSpec, defaults, type Kind, type RetrySpec, type SpecOf } from './rules.ts'
import { governance } from './tables.ts'

interface Wish<K extends Kind> {
  qualifier?: string
  isEnabled?: boolean
  revision?: number
  spec: SpecOf[K]
}

interface Found<K extends Kind> {
  functionId: string
  qualifier: string
  spec: SpecOf[K]
  isEnabled: boolean
  revision: number
}

/** The four things that are done with each kind. */
const of = <K extends Kind>(kind: K, assert: (spec: SpecOf[K]) => void) => ({
  read: async (ctx: Context, functionId: string, qualifier = latest as string): Promise<Found<K>> => {
    await loadFunction(ctx, functionId)
    await assertQualifier(ctx, functionId, qualifier)
    return load(ctx, kind, functionId, qualifier)
  },

  set: async (ctx: Context, functionId: string, wish: Wish<K>): Promise<Found<K>> => {
    const { teamId } = await loadFunction(ctx, functionId, true)
    const { qualifier = latest, isEnabled = true, revision = 0, spec } = wish
    await assertQualifier(ctx, functionId, qualifier)
    assert(spec)
    const before = await load(ctx, kind, functionId, qualifier)
    if (before.revision !== revision) refuse(commonErrors.stale, { revision: before.revision })
    const change = { spec, isEnabled, updatedAt: ctx.now(), revision: revision + 1 }
    await ctx.db
      .insert(governance)
      .values({ functionId, teamId, qualifier, kind, ...change })
      .onConflictDoUpdate({ target: [governance.functionId, governance.qualifier, governance.kind], set: change })
    const told = { before: { spec: before.spec, isEnabled: before.isEnabled }, after: { qualifier, spec, isEnabled } }
    ctx.audit({ action: `function.set.${kind}`, entity: 'function', entityId: functionId, ...told })
    tellControls(ctx, functionId)
    return { functionId, qualifier, spec, isEnabled, revision: revision + 1 }
  },

  remove: async (ctx: Context, functionId: string, qualifier = latest as string): Promise<Found<K>> => {
    await loadFunction(ctx, functionId, true)
    await assertQualifier(ctx, functionId, qualifier)
    const { spec, isEnabled } = await load(ctx, kind, functionId, qualifier)
    await ctx.db.delete(governance).where(isOne(kind, functionId, qualifier))
    const before = { qualifier, spec, isEnabled }
    ctx.audit({ action: `function.default.${kind}`, entity: 'function', entityId: functionId, before })
    tellControls(ctx, functionId)
    return load(ctx, kind, functionId, qualifier)
  },
})

const isOne = (kind: Kind, functionId: string, qualifier: string) =>
  and(eq(governance.functionId, functionId), eq(governance.qualifier, qualifier), eq(governance.kind, kind))

async function load<K extends Kind>(ctx: Context, kind: K, functionId: string, qualifier: string): Promise<Found<K>> {
  const [row] = await ctx.db
    .select()
    .from(governance)
    .where(isOne(kind, functionId, qualifier))
  if (!row) return { functionId, qualifier, spec: defaults[kind], isEnabled: false, revision: 0 }
  return { functionId, qualifier, spec: row.spec as SpecOf[K], isEnabled: row.isEnabled, revision: row.revision }
}

const balance = of('LOADBALANCER', ({ policy, sticky }: BalanceSpec) => {
  if (policy === 'SessionStickiness' && sticky.by !== 'uid' && sticky.name === '')
    throw badField('/spec/sticky/name', 'required', `is needed for sessions by ${sticky.by}`)
})
const retry = of('RETRY', ({ waitMs, maxWaitMs }: RetrySpec) => {
  if (maxWaitMs < waitMs) throw badField('/spec/maxWaitMs', 'minimum', 'must not be less than waitMs')
})
const breaker = of('CIRCUITBREAKER', ({ slidingWindowType, slidingWindowSize }: BreakerSpec) => {
  if (slidingWindowType === 'time' && slidingWindowSize > 600)
    throw badField('/spec/slidingWindowSize', 'maximum', 'must be 600 seconds at most for a window of time')
})

/** With what the breaker sees. */
async function withStatus(ctx: Context, found: Found<'CIRCUITBREAKER'>) {
  const { functionId, qualifier, spec, isEnabled } = found
  const key = governorKey({ zone: ctx.zone, functionId }, qualifier)
  if (isEnabled) return { ...found, status: [await governorsOf(ctx.server).status({ key, spec })] }
  const live = new Breaker({ ...spec, forced: 'DISABLED' }).status(ctx.now())
  return { ...found, status: [{ node: ctx.server.config.node, ...live }] }
}

export default implement(functionGovernance, {
  getLoadBalancer: (ctx, { params, query }) => balance.read(ctx, params.functionId, query.qualifier),
  createLoadBalancer: (ctx, { params, body }) => balance.set(ctx, params.functionId, body),
  updateLoadBalancer: (ctx, { params, body }) => balance.set(ctx, params.functionId, body),
  deleteLoadBalancer: (ctx, { params, query }) => balance.remove(ctx, params.functionId, query.qualifier),
  getRetry: (ctx, { params, query }) => retry.read(ctx, params.functionId, query.qualifier),
  createRetry: (ctx, { params, body }) => retry.set(ctx, params.functionId, body),
  updateRetry: (ctx, { params, body }) => retry.set(ctx, params.functionId, body),
  deleteRetry: (ctx, { params, query }) => retry.remove(ctx, params.functionId, query.qualifier),
  getCircuitBreaker: async (ctx, { params, query }) =>
    withStatus(ctx, await breaker.read(ctx, params.functionId, query.qualifier)),
  createCircuitBreaker: async (ctx, { params, body }) =>
    withStatus(ctx, await breaker.set(ctx, params.functionId, body)),
  updateCircuitBreaker: async (ctx, { params, body }) =>
    withStatus(ctx, await breaker.set(ctx, params.functionId, body)),
  deleteCircuitBreaker: async (ctx, { params, query }) =>
    withStatus(ctx, await breaker.remove(ctx, params.functionId, query.qualifier)),
})
