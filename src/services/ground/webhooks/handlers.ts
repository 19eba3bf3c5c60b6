import { and, asc, eq, gte, inArray, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import { badField } from '../../../server/http/problem.ts'
import { implement } from '../../../server/implement.ts'
import { transition } from '../../../server/life-cycle.ts'
import { OutsideError } from '../../../server/outside/outside-error.ts'
import { projectOf } from '../projects/public.ts'
import { webhooks as contract } from './contract.ts'
import { eventTypes, examplePayload, isEventType, testType } from './event-types.ts'
import {
  deliveryOf,
  type EndpointRow,
  endpointOf,
  listDeliveries,
  listEndpoints,
  statisticsOf,
  toDelivery,
  toEndpoint,
} from './queries.ts'
import { endpointLifeCycle, limits } from './rules.ts'
import { newSecret, sealSecret, secretsOf } from './secrets.ts'
import { failWaiting, startSending } from './sending.ts'
import { deliveries, endpoints, tries } from './tables.ts'

export default implement(contract, {
  listEventTypes: async ctx => ({
    list: eventTypes.map(({ type }) => ({ type, example: examplePayload(type, ctx.teamId, ctx.zone, ctx.now()) })),
  }),

  listEndpoints: (ctx, { query }) => listEndpoints(ctx, query),

  createEndpoint: async (ctx, { body }) => {
    const projectId = body.projectId ?? null
    await ctx.transact(inner => assertPlace(inner, projectId))
    checkTypes(body.eventTypes)
    const url = await checkedUrl(ctx, body.url)
    return ctx.transact(async inner => {
      await inner.transaction(inner.zone).query('SELECT pg_advisory_xact_lock(108, hashtext($1))', [inner.teamId])
      const known = await inner.db.$count(endpoints, eq(endpoints.teamId, inner.teamId))
      if (known >= limits.endpointsOfTeam) {
        refuse(contract.errors.tooManyEndpoints, { limit: limits.endpointsOfTeam })
      }
      const secret = newSecret()
      const endpointId = inner.newId()
      const [row] = await inner.db
        .insert(endpoints)
        .values({
          ...{ endpointId, teamId: inner.teamId, projectId, name: body.name, url, eventTypes: body.eventTypes },
          ...{ state: 'ENABLED', secret: sealSecret(inner.server.masterKey, { endpointId, url }, secret) },
          ...{ createdBy: inner.accountId, createdAt: inner.now(), updatedAt: inner.now() },
        })
        .returning()
      const after = { name: body.name, origin: new URL(url).origin, eventTypes: body.eventTypes, projectId }
      inner.audit({ action: 'webhook.create', entity: 'webhook', entityId: endpointId, after })
      return { endpoint: toEndpoint(inner, row as EndpointRow), secret }
    })
  },

  getEndpoint: async (ctx, { params }) => toEndpoint(ctx, await endpointOf(ctx, params.endpointId)),

  updateEndpoint: async (ctx, { params, body }) => {
    checkTypes(body.eventTypes)
    const before = await ctx.transact(inner => endpointOf(inner, params.endpointId))
    const url = body.url === before.url ? before.url : await checkedUrl(ctx, body.url)
    return ctx.transact(async inner => {
      const known = await endpointOf(inner, params.endpointId, 'update')
      if (known.revision !== body.revision) refuse(commonErrors.stale, { revision: known.revision })
      // Security D6: what was agreed with one receiver is not used at another.
      const secret = url === known.url ? null : newSecret()
      const sealed = secret === null ? {} : freshSecret(inner, { endpointId: known.endpointId, url }, secret)
      const { name, eventTypes: types } = body
      const row = await change(inner, known, { name, url, eventTypes: types, ...sealed })
      const after = { name, origin: new URL(url).origin, eventTypes: types, hasNewSecret: secret !== null }
      inner.audit({ action: 'webhook.update', entity: 'webhook', entityId: row.endpointId, after })
      return { endpoint: toEndpoint(inner, row), secret }
    })
  },

  deleteEndpoint: async (ctx, { params }) => {
    const { endpointId, name } = await endpointOf(ctx, params.endpointId, 'update')
    await ctx.db.delete(tries).where(eq(tries.endpointId, endpointId))
    await ctx.db.delete(deliveries).where(eq(deliveries.endpointId, endpointId))
    await ctx.db.delete(endpoints).where(eq(endpoints.endpointId, endpointId))
    ctx.audit({ action: 'webhook.delete', entity: 'webhook', entityId: endpointId, before: { name } })
    return {}
  },

  rotateSecret: async (ctx, { params, body }) => {
    const known = await endpointOf(ctx, params.endpointId, 'update')
    if (known.revision !== body.revision) refuse(commonErrors.stale, { revision: known.revision })
    const [current] = secretsOf(ctx.server.masterKey, known, ctx.now())
    const secret = newSecret()
    const hasOverlap = body.overlapHours > 0 && current !== undefined
    const row = await change(ctx, known, {
      ...freshSecret(ctx, known, secret),
      ...(hasOverlap
        ? {
            oldSecret: sealSecret(ctx.server.masterKey, known, current),
            oldSecretUntil: ctx.now() + body.overlapHours * 3_600_000,
          }
        : {}),
    })
    const after = { overlapHours: body.overlapHours }
    ctx.audit({ action: 'webhook.rotateSecret', entity: 'webhook', entityId: row.endpointId, after })
    return { endpoint: toEndpoint(ctx, row), secret }
  },

  enableEndpoint: async (ctx, { params }) => {
    const known = await endpointOf(ctx, params.endpointId, 'update')
    await move(ctx, known, 'enable')
    await ctx.db.update(endpoints).set({ failingSince: null }).where(eq(endpoints.endpointId, known.endpointId))
    return toEndpoint(ctx, await endpointOf(ctx, params.endpointId))
  },

  disableEndpoint: async (ctx, { params }) => {
    const known = await endpointOf(ctx, params.endpointId, 'update')
    await move(ctx, known, 'disable')
    await failWaiting(ctx, known.endpointId)
    return toEndpoint(ctx, await endpointOf(ctx, params.endpointId))
  },

  testEndpoint: async (ctx, { params, body }) => {
    const endpoint = await endpointOf(ctx, params.endpointId)
    if (body.type !== undefined && !isEventType(body.type)) throw badField('/type', 'eventType', 'is no event type')
    assertEnabled(endpoint)
    const { teamId, endpointId } = endpoint
    const type = body.type ?? testType
    const payload = examplePayload(type, teamId, ctx.zone, ctx.now())
    const [row] = await ctx.db
      .insert(deliveries)
      .values({
        ...{ deliveryId: ctx.newId(), teamId, endpointId, type, body: JSON.stringify(payload) },
        ...{ state: 'QUEUED', createdAt: ctx.now() },
      })
      .returning()
    if (!row) throw new Error('no row came back')
    startSending(ctx, ctx.zone, row)
    return toDelivery(row)
  },

  getStatistics: async (ctx, { params, query }) => {
    const { endpointId } = await endpointOf(ctx, params.endpointId)
    return { list: await statisticsOf(ctx, endpointId, query.days ?? 14) }
  },

  listDeliveries: async (ctx, { params, query }) => {
    const { endpointId } = await endpointOf(ctx, params.endpointId)
    return listDeliveries(ctx, endpointId, query)
  },

  replayFailed: async (ctx, { params, body }) => {
    const endpoint = await endpointOf(ctx, params.endpointId)
    assertEnabled(endpoint)
    const failed = ctx.db
      .select({ deliveryId: deliveries.deliveryId })
      .from(deliveries)
      .where(
        and(
          eq(deliveries.endpointId, endpoint.endpointId),
          eq(deliveries.state, 'FAILED'),
          gte(deliveries.createdAt, body.since),
        ),
      )
      .orderBy(asc(deliveries.deliveryId))
      .limit(limits.replayedAtOnce)
    const replayed = await ctx.db
      .update(deliveries)
      .set({ state: 'WAITING', tries: 0, nextTryAt: ctx.now() })
      .where(inArray(deliveries.deliveryId, failed))
    const after = { since: body.since, replayed: replayed.rowCount ?? 0 }
    ctx.audit({ action: 'webhook.replayFailed', entity: 'webhook', entityId: endpoint.endpointId, after })
    return { replayed: replayed.rowCount ?? 0 }
  },

  getDelivery: async (ctx, { params }) => {
    const row = await deliveryOf(ctx, params.deliveryId)
    const made = await ctx.db
      .select()
      .from(tries)
      .where(and(eq(tries.deliveryId, row.deliveryId), eq(tries.teamId, ctx.teamId)))
      .orderBy(asc(tries.tryId))
      .limit(200)
    return { delivery: toDelivery(row), body: row.body, tries: made }
  },

  replayDelivery: async (ctx, { params }) => {
    const row = await deliveryOf(ctx, params.deliveryId)
    assertEnabled(await endpointOf(ctx, row.endpointId))
    const [queued] = await ctx.db
      .update(deliveries)
      .set({ state: 'QUEUED', tries: 0, nextTryAt: null })
      .where(
        and(eq(deliveries.deliveryId, row.deliveryId), inArray(deliveries.state, ['WAITING', 'DELIVERED', 'FAILED'])),
      )
      .returning()
    if (queued) startSending(ctx, ctx.zone, queued)
    ctx.audit({ action: 'webhook.replay', entity: 'webhookDelivery', entityId: row.deliveryId })
    return toDelivery(queued ?? row)
  },
})

async function change(ctx: Context, known: EndpointRow, values: Partial<EndpointRow>): Promise<EndpointRow> {
  const [row] = await ctx.db
    .update(endpoints)
    .set({ ...values, updatedAt: ctx.now(), revision: sql`${endpoints.revision} + 1` })
    .where(and(eq(endpoints.endpointId, known.endpointId), eq(endpoints.revision, known.revision)))
    .returning()
  return row ?? refuse(commonErrors.stale, { revision: known.revision + 1 })
}

function freshSecret(ctx: Context, place: { endpointId: string; url: string }, secret: string) {
  return { secret: sealSecret(ctx.server.masterKey, place, secret), oldSecret: null, oldSecretUntil: null }
}

async function move(ctx: Context, known: EndpointRow, action: 'enable' | 'disable'): Promise<void> {
  const row = { id: known.endpointId, state: known.state, revision: known.revision }
  const table = { table: 'webhook_endpoints', idColumn: 'endpoint_id' }
  await transition(ctx, { cycle: endpointLifeCycle, ...table, row, action })
}

/** Refuses a project that is not the team's, and what is out of the caller's scope. */
async function assertPlace(ctx: Context, projectId: string | null): Promise<void> {
  ctx.assertScope(projectId === null ? {} : { projectId })
  if (projectId !== null) await projectOf(ctx, projectId)
}

function assertEnabled({ state }: EndpointRow): void {
  if (state !== 'ENABLED') refuse(contract.errors.notEnabled, { state })
}

function checkTypes(types: readonly string[]): void {
  const unknown = types.findIndex(type => !isEventType(type))
  if (unknown >= 0) throw badField(`/eventTypes/${unknown}`, 'eventType', `${types[unknown]} is no event type`)
}

/** The address as it will be asked. Refuses one that is not public, with the field. */
async function checkedUrl(ctx: Context, url: string): Promise<string> {
  try {
    return (await ctx.server.outbound.find(url)).href
  } catch (error) {
    if (error instanceof OutsideError) throw badField('/url', 'publicAddress', error.message)
    throw error
  }
}
