import { randomBytes } from 'node:crypto'
import { and, asc, eq } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import { zones } from '../../../../kernel/zones.ts'
import type { Context } from '../../../../server/context.ts'
import { badField } from '../../../../server/http/problem.ts'
import { implement } from '../../../../server/implement.ts'
import { hopsOf } from '../answering.ts'
import { functionErrors } from '../contract.ts'
import { problemOf } from '../problems/rules.ts'
import { assertQualifier, loadFunction, projectHere } from '../queries.ts'
import { asyncLimits } from '../queue/rules.ts'
import { markLog } from './changes.ts'
import { functionTriggers } from './contract.ts'
import { functionHttp } from './http/contract.ts'
import { flushNotes } from './notes.ts'
import type { TriggerRow } from './queries.ts'
import { authTypes, configOf, nextRuns, type TriggerType, type TriggerWishes, triggerLimits } from './rules.ts'
import { triggers } from './tables.ts'
import { publishTopic } from './topics.ts'

const shownRuns = 5

export default implement(functionTriggers, {
  listTriggers: async (ctx, { params, query }) => {
    const { functionId } = await loadFunction(ctx, params.functionId)
    await flushNotes(ctx.server)
    const isOf = query.qualifier === undefined ? undefined : eq(triggers.qualifier, query.qualifier)
    const rows = await ctx.db
      .select()
      .from(triggers)
      .where(and(eq(triggers.functionId, functionId), isOf))
      .orderBy(asc(triggers.triggerId))
    return { total: rows.length, list: rows.map(row => toTrigger(ctx, row)), nextCursor: null }
  },

  createTrigger: async (ctx, { params, body }) => {
    const { functionId, teamId, projectId } = await loadFunction(ctx, params.functionId, true)
    const { typeCode, qualifier, name, isEnabled = true } = body
    await assertQualifier(ctx, functionId, qualifier)
    const config = checked(typeCode, body.config as TriggerWishes)
    await assertRoom(ctx, functionId, qualifier)
    if (typeCode === 'CLOUDDB') await ctx.transact(markLog, 'all')
    const now = ctx.now()
    const row: TriggerRow = {
      ...{ triggerId: ctx.newId(), functionId, teamId, projectId, name, typeCode, qualifier, config, isEnabled },
      urlKey: typeCode === 'HTTP' ? randomBytes(15).toString('base64url') : null,
      nextFireAt: isEnabled ? nextOf(typeCode, config, now) : null,
      ...{ activeSince: now, fired: 0, lastFiredAt: null, lastResult: null },
      ...{ createdAt: now, updatedAt: now, revision: 1 },
    }
    await ctx.db.insert(triggers).values(row)
    told(ctx, 'createTrigger', row)
    const trigger = toTrigger(ctx, row)
    return { triggerId: row.triggerId, url: trigger.url, trigger }
  },

  updateTrigger: async (ctx, { params, body }) => {
    const { functionId } = await loadFunction(ctx, params.functionId, true)
    const before = await triggerOf(ctx, functionId, body.triggerId)
    if (before.revision !== body.revision) refuse(commonErrors.stale, { revision: before.revision })
    const { qualifier = before.qualifier, name = before.name, isEnabled = before.isEnabled } = body
    if (qualifier !== before.qualifier) {
      await assertQualifier(ctx, functionId, qualifier)
      await assertRoom(ctx, functionId, qualifier)
    }
    const config = body.config ? checked(before.typeCode, body.config as TriggerWishes) : before.config
    const isNewlyOn = isEnabled && !before.isEnabled
    if (isNewlyOn && before.typeCode === 'CLOUDDB') await ctx.transact(markLog, 'all')
    const now = ctx.now()
    const isOther = isNewlyOn || body.config !== undefined
    const change = {
      ...{ qualifier, name, isEnabled, config, updatedAt: now, revision: before.revision + 1 },
      nextFireAt: isEnabled ? (isOther ? nextOf(before.typeCode, config, now) : before.nextFireAt) : null,
      activeSince: isNewlyOn ? now : before.activeSince,
    }
    await ctx.db.update(triggers).set(change).where(eq(triggers.triggerId, before.triggerId))
    const row = { ...before, ...change }
    told(ctx, 'updateTrigger', row)
    return { trigger: toTrigger(ctx, row) }
  },

  deleteTrigger: async (ctx, { params, body }) => {
    const { functionId } = await loadFunction(ctx, params.functionId, true)
    const row = await triggerOf(ctx, functionId, body.triggerId)
    await ctx.db.delete(triggers).where(eq(triggers.triggerId, row.triggerId))
    told(ctx, 'deleteTrigger', row)
    return {}
  },

  listAlgorithms: async () => ({ list: [{ id: 'HDA-SYSTEM' }] }),
  listAuthTypes: async () => ({ list: authTypes.map(id => ({ id })) }),

  publishEvent: async (ctx, { body }) => {
    const { projectId, topic, data, id = ctx.newId() } = body
    await projectHere(ctx, projectId)
    const bytes = Buffer.byteLength(JSON.stringify(data))
    if (bytes > asyncLimits.payloadBytes)
      refuse(functionErrors.payloadTooLarge, { bytes, limit: asyncLimits.payloadBytes })
    const depth = hopsOf(ctx)
    return { eventId: id, calls: await publishTopic(ctx, projectId, { topic, id: `event:${id}`, data, depth }) }
  },
})

async function triggerOf(ctx: Context, functionId: string, triggerId: string): Promise<TriggerRow> {
  const [row] = await ctx.db
    .select()
    .from(triggers)
    .where(and(eq(triggers.triggerId, triggerId), eq(triggers.functionId, functionId)))
  return row ?? refuse(commonErrors.notFound, { entity: 'trigger', id: triggerId })
}

async function assertRoom(ctx: Context, functionId: string, qualifier: string): Promise<void> {
  const all = await ctx.db.$count(triggers, and(eq(triggers.functionId, functionId), eq(triggers.qualifier, qualifier)))
  const limit = triggerLimits.ofVersion
  if (all >= limit) refuse(functionErrors.tooMany, problemOf('manyTriggers', { limit }))
}

function checked(type: TriggerType, wish: TriggerWishes): TriggerWishes {
  const config = configOf(type, wish)
  if ('pointer' in config) throw badField(config.pointer, config.rule, config.message)
  return config
}

const nextOf = (type: TriggerType, { cron = '', timezone = 'UTC' }: TriggerWishes, now: number): number | null =>
  type === 'CRON' ? (nextRuns(cron, timezone, now, 1)[0] ?? null) : null

function toTrigger(ctx: Context, row: TriggerRow) {
  const { urlKey, isEnabled, typeCode, config } = row
  const { cron = '', timezone = 'UTC' } = config
  const base = `${ctx.server.config.publicUrl}/${zones[ctx.zone].slug}${functionHttp.prefix}`
  return {
    ...row,
    status: isEnabled ? ('ACTIVE' as const) : ('DISABLED' as const),
    url: urlKey === null ? null : `${base}/${urlKey}`,
    nextRuns: typeCode === 'CRON' && isEnabled ? nextRuns(cron, timezone, ctx.now(), shownRuns) : [],
  }
}

function told(ctx: Context, what: string, { functionId, triggerId, name, typeCode, qualifier, isEnabled }: TriggerRow) {
  const after = { triggerId, name, typeCode, qualifier, isEnabled }
  ctx.audit({ action: `function.${what}`, entity: 'function', entityId: functionId, after })
}
