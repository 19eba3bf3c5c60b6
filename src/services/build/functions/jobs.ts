import { lt } from 'drizzle-orm'
import type { Context } from '../../../server/context.ts'
import { storedBefore } from '../../../server/engines/bytes/walk.ts'
import type { Server } from '../../../server/server.ts'
import type { Work } from '../../../server/work.ts'
import { runtimeOf } from './pool/runtime.ts'
import { flushRecords } from './recording.ts'
import { limits } from './rules.ts'
import { invocations } from './tables.ts'

const dayMs = 86_400_000

export default {
  handover: {
    stays: {
      fn_functions: 'of the project',
      fn_versions: 'of the project',
      fn_aliases: 'of the project',
      fn_test_events: 'of the project',
      fn_invocations: 'of the project',
    },
  },
  sweeps: [
    { name: 'functions.forget', every: '21 13 * * * *', database: 'zone', run: forgetCalls },
    { name: 'functions.orphans', every: '11 47 4 * * *', database: 'zone', run: removeUnnamed },
  ],
  start: (server: Server) => {
    for (const zone of server.config.zones) server.signals.on(zone, 'functions', id => runtimeOf(server).end(id))
    return async () => {
      await runtimeOf(server).close()
      await flushRecords(server)
    }
  },
} satisfies Work

async function forgetCalls(ctx: Context): Promise<void> {
  await ctx.db.delete(invocations).where(lt(invocations.startedAt, ctx.now() - limits.keptLogsMs))
}

/** Packages that no version names any more. What came within a day may still get a row. */
async function removeUnnamed(ctx: Context): Promise<void> {
  const engine = ctx.server.bytes(ctx.zone, 'functions')
  for await (const old of storedBefore(engine, ctx.now() - dayMs)) {
    const { rows } = await ctx.transaction(ctx.zone).query<{ sha256: string }>({
      text: `SELECT one.sha256 FROM unnest($1::text[]) AS one(sha256)
        WHERE NOT EXISTS (SELECT FROM fn_functions f WHERE f.code_sha256 = one.sha256)
          AND NOT EXISTS (SELECT FROM fn_versions v WHERE v.code_sha256 = one.sha256)`,
      values: [old],
    })
    for (const { sha256 } of rows) await engine.remove(sha256)
  }
}
