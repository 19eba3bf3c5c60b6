import type { Context } from '../../../server/context.ts'
import type { Handover } from '../../../server/handover.ts'
import type { Work } from '../../../server/work.ts'
import { keepRuleData } from '../rules/public.ts'
import { databaseOf, rememberSchemas } from './catalogue.ts'
import { forgetUser } from './forgetting.ts'
import { dropOverdue } from './kept/store.ts'
import { hubOf } from './live/hub.ts'
import { stopTelling } from './live/tell.ts'
import { buildIndexes, noteIndex } from './processes.ts'
import { purgeDue } from './retention.ts'
import { ruleDataOf } from './rule-data.ts'
import { exportRows } from './transfer/export.ts'
import { importRows } from './transfer/import.ts'
import { writeReads } from './usage.ts'

const readsEveryMs = 5_000
const dayMs = 86_400_000

const handover: Handover = {
  stays: Object.fromEntries(
    [
      'cdb_databases',
      'cdb_zones',
      'cdb_types',
      'cdb_schema_versions',
      'cdb_processes',
      'cdb_listeners',
      'cdb_usage',
      'cdb_kept',
    ].map(table => [
      table,
      'The database is of the project, which stays; an app that moves finds the one of its new project.',
    ]),
  ),
}

export default {
  handover,
  jobs: [
    { kind: 'cloudDb.index', run: buildIndexes, giveUp: giveUpIndexes },
    { kind: 'cloudDb.import', run: importRows, giveUp: finishProcess },
    { kind: 'cloudDb.export', run: exportRows, giveUp: finishProcess },
  ],
  listeners: [{ name: 'cloudDb.user_deleted', on: ['app_auth.user_deleted'], run: forgetUser }],
  sweeps: [
    { name: 'cloudDb.count', every: '*/15 * * * * *', database: 'zone', run: countWrites },
    { name: 'cloudDb.tidy', every: '20 * * * * *', database: 'zone', run: tidy },
    { name: 'cloudDb.bins', every: '40 */10 * * * *', database: 'zone', run: emptyBins },
    { name: 'cloudDb.kept', every: '50 */10 * * * *', database: 'zone', run: dropOverdue },
  ],
  start: server => {
    rememberSchemas(server)
    keepRuleData(server, 'clouddb', ruleDataOf(server))
    const hub = hubOf(server)
    hub.start()
    const reads = setInterval(() => {
      writeReads(server).catch(error => server.log.warn({ reason: (error as Error).message }, 'reads were not counted'))
    }, readsEveryMs)
    reads.unref()
    return async () => {
      clearInterval(reads)
      await hub.stop()
      await stopTelling(server)
      await writeReads(server).catch(() => undefined)
    }
  },
} satisfies Work

async function giveUpIndexes(ctx: Context, { input }: { input: Record<string, unknown> }): Promise<void> {
  const { projectId, typeKey, indexes } = input as {
    projectId: string
    typeKey: string
    indexes: { indexName: string }[]
  }
  const { rows } = await ctx.transact(inner =>
    inner.transaction(inner.zone).query<{ index_states: Record<string, string> }>({
      text: 'SELECT index_states FROM cdb_types WHERE project_id = $1 AND name_key = $2',
      values: [projectId, typeKey],
    }),
  )
  for (const { indexName } of indexes) {
    if (rows[0]?.index_states[indexName] === 'BUILDING') await noteIndex(ctx, projectId, typeKey, indexName, 'FAILED')
  }
}

async function finishProcess(ctx: Context, { jobId }: { jobId: string }): Promise<void> {
  await ctx.transact(inner =>
    inner.transaction(inner.zone).query({
      text: 'UPDATE cdb_processes SET finished_at = $2 WHERE process_id = $1',
      values: [jobId, inner.now()],
    }),
  )
}

/** What was written is counted from the log: every write once, whatever process it was on. */
async function countWrites(ctx: Context): Promise<void> {
  await ctx.transaction(ctx.zone).query({
    name: 'clouddb count',
    text: `WITH upto AS (SELECT pg_snapshot_xmin(pg_current_snapshot()) AS xid),
      since AS (SELECT coalesce((SELECT xid FROM cdb_log_marks WHERE name = 'writes'), '0'::xid8) AS xid),
      counted AS (
        SELECT c.project_id, c.type_key, to_char(to_timestamp(c.at / 1000.0) AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day,
          count(*) AS writes, sum(c.bytes) AS bytes
        FROM cdb_changes c, upto, since WHERE c.xid >= since.xid AND c.xid < upto.xid GROUP BY 1, 2, 3),
      used AS (
        INSERT INTO cdb_usage (project_id, team_id, day, type_key, writes, written_bytes)
        SELECT c.project_id, d.team_id, c.day, c.type_key, c.writes, c.bytes FROM counted c JOIN cdb_databases d USING (project_id)
        ON CONFLICT (project_id, day, type_key) DO UPDATE SET writes = cdb_usage.writes + excluded.writes,
          written_bytes = cdb_usage.written_bytes + excluded.written_bytes),
      billed AS (
        INSERT INTO usage (team_id, meter, day, amount)
        SELECT d.team_id, 'cloudDb.writes', c.day, sum(c.writes) FROM counted c JOIN cdb_databases d USING (project_id) GROUP BY 1, 3
        ON CONFLICT (team_id, meter, day) DO UPDATE SET amount = usage.amount + excluded.amount)
      INSERT INTO cdb_log_marks (name, xid) SELECT 'writes', xid FROM upto
      ON CONFLICT (name) DO UPDATE SET xid = excluded.xid`,
  })
}

async function tidy(ctx: Context): Promise<void> {
  const run = ctx.transaction(ctx.zone)
  const now = ctx.now()
  await run.query({
    name: 'clouddb requests over',
    text: 'DELETE FROM cdb_requests WHERE expires_at < $1',
    values: [now],
  })
  await run.query({
    name: 'clouddb listeners gone',
    text: 'DELETE FROM cdb_listeners WHERE at < $1',
    values: [now - 60_000],
  })
  await run.query({
    name: 'clouddb log over',
    text: `WITH gone AS (DELETE FROM cdb_changes WHERE seq IN (SELECT seq FROM cdb_changes WHERE at < $1
      AND (SELECT at FROM cdb_changes ORDER BY seq LIMIT 1) < $1 ORDER BY seq LIMIT 50000) RETURNING xid)
      INSERT INTO cdb_log_marks (name, xid) (SELECT 'cut', xid FROM gone ORDER BY xid DESC LIMIT 1)
      ON CONFLICT (name) DO UPDATE SET xid = greatest(cdb_log_marks.xid, excluded.xid)`,
    values: [now - dayMs],
  })
}

/** Bins whose days are over. */
async function emptyBins(ctx: Context): Promise<void> {
  const run = ctx.transaction(ctx.zone)
  const { rows } = await run.query<{ project_id: string }>({
    name: 'clouddb bins',
    text: 'SELECT project_id FROM cdb_databases WHERE retention_days > 0 ORDER BY project_id',
  })
  for (const { project_id } of rows) {
    const database = await databaseOf(ctx.server, ctx.zone, project_id)
    if (database) await purgeDue(run, database, ctx.now())
  }
}
