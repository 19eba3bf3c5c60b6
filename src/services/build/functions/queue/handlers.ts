import { and, asc, desc, eq, getTableColumns, lt, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { badField } from '../../../../server/http/problem.ts'
import { implement } from '../../../../server/implement.ts'
import { functionErrors } from '../contract.ts'
import { assertQualifier, loadFunction } from '../queries.ts'
import { latest } from '../rules.ts'
import { functionQueue } from './contract.ts'
import { enqueue } from './enqueue.ts'
import { alarmTargets, type DestinationKind, isTarget, usualSettings } from './rules.ts'
import { asyncAttempts, asyncCalls, asyncSettings, type StoredDestination } from './tables.ts'

const { payload: _payload, result: _result, caller: _caller, ...shownColumns } = getTableColumns(asyncCalls)
const shown = { ...shownColumns, payloadBytes: sql<number>`octet_length(${asyncCalls.payload})` }

const isOne = (functionId: string, requestId: string) =>
  and(eq(asyncCalls.functionId, functionId), eq(asyncCalls.requestId, requestId))

export default implement(functionQueue, {
  listAsyncCalls: async (ctx, { params, query }) => {
    const { functionId } = await loadFunction(ctx, params.functionId)
    const { state, triggerId, cursor, pageSize = 20 } = query
    const matches = and(
      eq(asyncCalls.functionId, functionId),
      state === undefined ? undefined : eq(asyncCalls.state, state),
      triggerId === undefined ? undefined : eq(asyncCalls.triggerId, triggerId),
    )
    const isCursor = cursor !== undefined && /^[1-9][0-9]{0,18}$/.test(cursor)
    const rows = await ctx.db
      .select(shown)
      .from(asyncCalls)
      .where(and(matches, isCursor ? lt(asyncCalls.requestId, cursor) : undefined))
      .orderBy(desc(asyncCalls.requestId))
      .limit(pageSize + 1)
    const list = rows.slice(0, pageSize)
    return {
      total: await ctx.db.$count(asyncCalls, matches),
      list,
      nextCursor: rows.length > pageSize ? (list.at(-1)?.requestId ?? null) : null,
    }
  },

  getAsyncCall: async (ctx, { params }) => {
    const { functionId } = await loadFunction(ctx, params.functionId)
    const call = await shownCall(ctx, functionId, params.requestId)
    const [whole] = await ctx.db
      .select({ payload: asyncCalls.payload, result: asyncCalls.result })
      .from(asyncCalls)
      .where(isOne(functionId, call.requestId))
    const attempts = await ctx.db
      .select()
      .from(asyncAttempts)
      .where(eq(asyncAttempts.requestId, call.requestId))
      .orderBy(asc(asyncAttempts.attempt))
    return { call, attempts, payload: parsed(whole?.payload), result: parsed(whole?.result) }
  },

  cancelAsyncCall: async (ctx, { params }) => {
    const { functionId } = await loadFunction(ctx, params.functionId)
    const { requestId } = await shownCall(ctx, functionId, params.requestId)
    const { rowCount } = await ctx.db
      .update(asyncCalls)
      .set({ state: 'DISCARD', finishedAt: ctx.now(), reason: 'it was given up by hand', errorType: 'canceled' })
      .where(and(isOne(functionId, requestId), eq(asyncCalls.state, 'WAIT')))
    const call = await shownCall(ctx, functionId, requestId)
    if (rowCount === 0) refuse(functionErrors.notWaiting, { state: call.state })
    ctx.audit({ action: 'function.cancelCall', entity: 'function', entityId: functionId, after: { requestId } })
    return { call }
  },

  replayAsyncCall: async (ctx, { params }) => {
    const { functionId } = await loadFunction(ctx, params.functionId)
    const [row] = await ctx.db.select().from(asyncCalls).where(isOne(functionId, params.requestId))
    if (!row) refuse(commonErrors.notFound, { entity: 'call', id: params.requestId })
    if (row.state !== 'FAIL' && row.state !== 'DISCARD') refuse(functionErrors.notWaiting, { state: row.state })
    const { teamId, projectId, qualifier, source, triggerId, depth, caller, payload } = row
    const call = { functionId, teamId, projectId, qualifier, source, depth, caller, payload }
    const [requestId = ''] = await enqueue(ctx, [triggerId === null ? call : { ...call, triggerId }])
    ctx.audit({
      action: 'function.replayCall',
      entity: 'function',
      entityId: functionId,
      before: { requestId: row.requestId },
      after: { requestId },
    })
    return { requestId }
  },

  getAsyncConfig: async (ctx, { params, query }) => {
    const { functionId } = await loadFunction(ctx, params.functionId)
    return { asyncConfig: await settingsOf(ctx, functionId, query.qualifier ?? latest) }
  },

  putAsyncConfig: async (ctx, { params, body }) => {
    const { functionId, teamId } = await loadFunction(ctx, params.functionId, true)
    const { qualifier, maxRetry, maxAgeSec, onSuccess = null, onFailure = null } = body
    await assertQualifier(ctx, functionId, qualifier)
    for (const [name, destination] of Object.entries({ onSuccess, onFailure })) checkDestination(name, destination)
    const before = await settingsOf(ctx, functionId, qualifier)
    if ((before.revision ?? undefined) !== body.revision) refuse(commonErrors.stale, { revision: before.revision ?? 0 })
    const row = {
      ...{ functionId, qualifier, teamId, maxRetry, maxAgeSec, onSuccess, onFailure },
      ...{ updatedAt: ctx.now(), revision: (before.revision ?? 0) + 1 },
    }
    await ctx.db
      .insert(asyncSettings)
      .values(row)
      .onConflictDoUpdate({ target: [asyncSettings.functionId, asyncSettings.qualifier], set: row })
    ctx.audit({
      action: 'function.asyncConfig',
      entity: 'function',
      entityId: functionId,
      after: { qualifier, maxRetry, maxAgeSec, onSuccess, onFailure },
    })
    return { asyncConfig: row }
  },
})

async function shownCall(ctx: Context, functionId: string, requestId: string) {
  const [row] = await ctx.db.select(shown).from(asyncCalls).where(isOne(functionId, requestId))
  return row ?? refuse(commonErrors.notFound, { entity: 'call', id: requestId })
}

const parsed = (text: string | null | undefined): unknown => (text == null ? null : JSON.parse(text))

async function settingsOf(ctx: Context, functionId: string, qualifier: string) {
  const [row] = await ctx.db
    .select()
    .from(asyncSettings)
    .where(and(eq(asyncSettings.functionId, functionId), eq(asyncSettings.qualifier, qualifier)))
  return row ?? { ...usualSettings, qualifier, updatedAt: null, revision: null }
}

function checkDestination(name: string, destination: StoredDestination | null): void {
  if (!destination) return
  if (destination.kind === 'ALARM' && name !== 'onFailure')
    throw badField(`/${name}/kind`, 'enum', 'must not be ALARM: people are told of failures')
  if (isTarget(destination.kind, destination.target)) return
  throw badField(`/${name}/target`, 'pattern', `must name ${wantedOf[destination.kind]}`)
}

const wantedOf: Record<DestinationKind, string> = {
  FUNCTION: 'a function of the project, as resize or resize:live',
  EVENT: 'a topic: letters, digits, dots, _ and -, a letter first',
  STORAGE: 'a bucket of the project and folders, as my-files/failed/',
  ALARM: `who is told: ${alarmTargets.join(' or ')}`,
}
