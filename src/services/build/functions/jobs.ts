import { and, eq, inArray } from 'drizzle-orm'
import type { Context } from '../../../server/context.ts'
import { storedBefore } from '../../../server/engines/bytes/walk.ts'
import { lowestIdAt } from '../../../server/ids.ts'
import type { Server } from '../../../server/server.ts'
import type { Work } from '../../../server/work.ts'
import { atProjectEnd } from '../../ground/projects/public.ts'
import { forgetCanaries } from './canary/queries.ts'
import { watchCanaries } from './canary/watching.ts'
import { governorsOf } from './governance/governed.ts'
import { forgetGroups } from './groups/forgetting.ts'
import { removeUnnamedImages } from './images/forgetting.ts'
import { invoke } from './invoke.ts'
import { layers, layerVersions } from './layers/tables.ts'
import { liveLinesOf } from './live/lines.ts'
import { answerCopies } from './pool/copies.ts'
import { takePassedCalls } from './pool/elsewhere.ts'
import { runtimeOf } from './pool/runtime.ts'
import { forgetUser } from './queue/forgetting.ts'
import { forgetAsync, mindQueue } from './queue/sweeps.ts'
import { callEnded, tellOfEnd } from './queue/telling.ts'
import { queueWorkerOf } from './queue/worker.ts'
import { flushOwnRecords, gatherRecords } from './recording/recording.ts'
import { limits } from './rules.ts'
import { startKeeper } from './scaling/keeper.ts'
import { functions } from './tables.ts'
import { tablesOfFunction } from './tables-of-function.ts'
import { targetsOf } from './targets.ts'
import { fireChanges, hearChanges } from './triggers/changes.ts'
import { triggerListeners } from './triggers/listening.ts'
import { flushOwnNotes, gatherNotes } from './triggers/notes.ts'
import { fireTimers } from './triggers/schedule.ts'

const dayMs = 86_400_000

export default {
  handover: {
    stays: {
      fn_functions: 'of the project',
      fn_versions: 'of the project',
      fn_aliases: 'of the project',
      fn_test_events: 'of the project',
      fn_invocations: 'of the project',
      fn_calls_alike: 'of the project',
      fn_triggers: 'of the project',
      fn_async: 'of the project',
      fn_async_attempts: 'of the project',
      fn_async_settings: 'of the project',
      fn_governance: 'of the project',
      fn_manager_configs: 'of the project',
      fn_scaling_rules: 'of the project',
      fn_layers: 'of the project',
      fn_layer_versions: 'of the project',
      fn_canaries: 'of the project',
      fn_canary_history: 'of the project',
      fn_groups: 'of the project',
      fn_group_members: 'of the project',
      fn_group_releases: 'of the project',
    },
  },
  listeners: [
    ...triggerListeners,
    { name: 'functions.callEnded', on: [callEnded], run: tellOfEnd },
    atProjectEnd('functions.projectDeleted', forgetProject),
    { name: 'functions.userDeleted', on: ['app_auth.user_deleted'], run: forgetUser },
  ],
  sweeps: [
    { name: 'functions.timers', every: '*/2 * * * * *', database: 'zone', run: fireTimers },
    {
      name: 'functions.changes',
      every: '*/3 * * * * *',
      database: 'zone',
      run: async ctx => void (await fireChanges(ctx)),
    },
    { name: 'functions.queue', every: '*/5 * * * * *', database: 'zone', run: mindQueue },
    { name: 'functions.async.forget', every: '31 17 * * * *', database: 'zone', run: forgetAsync },
    { name: 'functions.forget', every: '21 13 * * * *', database: 'zone', run: forgetCalls },
    { name: 'functions.canaries', every: '*/10 * * * * *', database: 'zone', run: watchCanaries },
    { name: 'functions.orphans', every: '11 47 4 * * *', database: 'zone', run: removeUnnamed },
    {
      name: 'functions.unnamedImages',
      every: '41 */10 * * * *',
      database: 'zone',
      isOutside: true,
      run: removeUnnamedImages,
    },
  ],
  start: (server: Server) => {
    for (const zone of server.config.zones) server.signals.on(zone, 'functions', id => runtimeOf(server).end(id))
    governorsOf(server).listen()
    targetsOf(server).listen()
    liveLinesOf(server).feed.listen()
    answerCopies(server)
    gatherRecords(server)
    gatherNotes(server)
    takePassedCalls(server, invocation => invoke(server, invocation))
    removeLeftovers(server)
    const queue = queueWorkerOf(server)
    queue.start()
    const stopHearing = hearChanges(server)
    const endKeeper = startKeeper(server)
    return async () => {
      stopHearing()
      await queue.drain()
      await endKeeper()
      await runtimeOf(server).close()
      await queue.close()
      await flushOwnRecords(server)
      await flushOwnNotes(server)
    }
  },
} satisfies Work

/** Nobody waits for it, and a server without containers is none the worse. */
function removeLeftovers(server: Server): void {
  runtimeOf(server)
    .engines.image.removeLeftovers?.()
    .catch((error: Error) => server.log.warn({ reason: error.message }, 'containers that were left are still there'))
}

async function forgetProject(ctx: Context, projectId: string): Promise<void> {
  const rows = await ctx.db
    .select({ functionId: functions.functionId })
    .from(functions)
    .where(eq(functions.projectId, projectId))
  const ids = rows.map(row => row.functionId)
  for (const id of ids) await forgetCanaries(ctx, id)
  await forgetLayers(ctx, projectId)
  await forgetGroups(ctx, projectId)
  for (const table of ids.length > 0 ? tablesOfFunction : []) {
    await ctx.db.delete(table).where(inArray(table.functionId, ids))
  }
  for (const id of ids) ctx.signal(ctx.zone, 'functions', id)
}

/** Layers of the whole team stay: other projects have them, too. */
async function forgetLayers(ctx: Context, projectId: string): Promise<void> {
  const isOwn = and(eq(layers.projectId, projectId), eq(layers.scope, 'PROJECT'))
  const own = ctx.db.select({ layerId: layers.layerId }).from(layers).where(isOwn)
  await ctx.db.delete(layerVersions).where(inArray(layerVersions.layerId, own))
  await ctx.db.delete(layers).where(isOwn)
}

/** Of one function after the other, as that is how they are indexed; also of those that are gone. */
async function forgetCalls(ctx: Context): Promise<void> {
  for (const [table, id] of [
    ['fn_invocations', 'request_id'],
    ['fn_calls_alike', 'last_id'],
  ])
    await ctx.transaction(ctx.zone).query({
      text: `WITH RECURSIVE called(function_id) AS (
          (SELECT function_id FROM ${table} ORDER BY function_id LIMIT 1)
          UNION ALL SELECT (SELECT i.function_id FROM ${table} i WHERE i.function_id > c.function_id
            ORDER BY i.function_id LIMIT 1) FROM called c WHERE c.function_id IS NOT NULL)
        DELETE FROM ${table} i USING called c WHERE i.function_id = c.function_id AND i.${id} < $1`,
      values: [lowestIdAt(ctx.now() - limits.keptLogsMs)],
    })
}

/** Packages that no version names any more. What came within a day may still get a row. */
async function removeUnnamed(ctx: Context): Promise<void> {
  const engine = ctx.server.bytes(ctx.zone, 'functions')
  for await (const old of storedBefore(engine, ctx.now() - dayMs)) {
    const { rows } = await ctx.transaction(ctx.zone).query<{ sha256: string }>({
      text: `SELECT one.sha256 FROM unnest($1::text[]) AS one(sha256)
        WHERE NOT EXISTS (SELECT FROM fn_functions f WHERE f.code_sha256 = one.sha256)
          AND NOT EXISTS (SELECT FROM fn_versions v WHERE v.code_sha256 = one.sha256)
          AND NOT EXISTS (SELECT FROM fn_layer_versions l WHERE l.sha256 = one.sha256)`,
      values: [old],
    })
    for (const { sha256 } of rows) await engine.remove(sha256)
  }
}
