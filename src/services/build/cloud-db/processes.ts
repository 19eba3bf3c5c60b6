import { refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import type { JobRun } from '../../../server/work.ts'
import { databaseOf, forgetSchema, schemaChannel } from './catalogue.ts'
import { cloudDb, type ProcessView } from './contract.ts'
import { keyOf } from './schema/rules.ts'
import type { RowError } from './tables.ts'

export type ProcessKind = 'IMPORT' | 'EXPORT' | 'INDEX'

/** Long work on a project's rows; the job has the id of the process. */
export async function startProcess(
  ctx: Context,
  wish: {
    projectId: string
    kind: ProcessKind
    job: string
    subject: string
    input: Record<string, unknown>
    deadlineMs: number
  },
): Promise<string> {
  const { projectId, kind, job, subject, input, deadlineMs } = wish
  const processId = ctx.startJob({ kind: job, subject: projectId, input: { ...input, projectId }, deadlineMs })
  await ctx.transaction(ctx.zone).query({
    text: `INSERT INTO cdb_processes (process_id, project_id, team_id, kind, subject, input, created_by, created_at)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    values: [
      processId,
      projectId,
      ctx.teamId,
      kind,
      subject.slice(0, 200),
      JSON.stringify(input),
      ctx.accountId,
      ctx.now(),
    ],
  })
  return processId
}

interface Row {
  processId: string
  kind: ProcessKind
  subject: string
  state: ProcessView['state']
  percent: number
  step: string | null
  error: string | null
  inserted: string
  updated: string
  skipped: string
  errorCount: string
  errors: RowError[]
  notes: string[]
  objectIds: string[]
  createdAt: string
}

const columns = `p.process_id AS "processId", p.kind, p.subject, j.state, j.percent, j.step, j.error, p.inserted, p.updated, p.skipped,
  p.error_count AS "errorCount", p.errors, p.notes, p.object_ids AS "objectIds", p.created_at AS "createdAt"`

export async function processOf(ctx: Context, projectId: string, processId: string): Promise<ProcessView> {
  const { rows } = await ctx.transaction(ctx.zone).query<Row>({
    name: 'clouddb process',
    text: `SELECT ${columns} FROM cdb_processes p JOIN jobs j ON j.job_id = p.process_id
      WHERE p.process_id = $1 AND p.project_id = $2 AND p.team_id = $3`,
    values: [processId, projectId, ctx.teamId],
  })
  const row = rows[0] ?? refuse(cloudDb.errors.noProcess, { processId })
  const { inserted, updated, skipped, errorCount, createdAt: _createdAt, ...rest } = row
  return {
    ...rest,
    inserted: Number(inserted),
    updated: Number(updated),
    skipped: Number(skipped),
    errorCount: Number(errorCount),
  }
}

export async function processesOf(ctx: Context, projectId: string) {
  const { rows } = await ctx.transaction(ctx.zone).query<Row>({
    name: 'clouddb processes',
    text: `SELECT ${columns} FROM cdb_processes p JOIN jobs j ON j.job_id = p.process_id
      WHERE p.project_id = $1 AND p.team_id = $2 ORDER BY p.process_id DESC LIMIT 50`,
    values: [projectId, ctx.teamId],
  })
  return rows.map(({ processId, kind, subject, state, percent, createdAt }) => ({
    processId,
    kind,
    subject,
    state,
    percent,
    createdAt: Number(createdAt),
  }))
}

const indexDeadlineMs = 6 * 3_600_000

/** Has indexes built beside the work; queries go on without them meanwhile. */
export function startIndexes(
  ctx: Context,
  projectId: string,
  type: string,
  indexes: readonly { indexName: string; statements: string[] }[],
): Promise<string> {
  const names = indexes.map(one => one.indexName)
  return startProcess(ctx, {
    projectId,
    kind: 'INDEX',
    job: 'cloudDb.index',
    subject: `${type}: ${names.join(', ')}`,
    input: { typeKey: keyOf(type), indexes },
    deadlineMs: indexDeadlineMs,
  })
}

/** Builds each index; one that a crash left half built is taken away first. */
export async function buildIndexes(ctx: Context, job: JobRun): Promise<void> {
  const { projectId, typeKey, indexes } = job.input as {
    projectId: string
    typeKey: string
    indexes: { indexName: string; statements: string[] }[]
  }
  for (const [at, index] of indexes.entries()) {
    await job.progress(index.indexName, Math.floor((at * 100) / indexes.length))
    for (const statement of index.statements) await buildOne(ctx, statement, job.signal)
    await noteIndex(ctx, projectId, typeKey, index.indexName, null)
  }
}

async function buildOne(ctx: Context, statement: string, signal: AbortSignal): Promise<void> {
  const client = await ctx.server.pools.of(ctx.zone).connect()
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  const cancel = () => void ctx.server.pools.of(ctx.zone).query('SELECT pg_cancel_backend($1)', [rows[0]?.pid])
  signal.addEventListener('abort', cancel, { once: true })
  try {
    await client.query(`SET statement_timeout = 0; SET lock_timeout = 0`)
    const name = /EXISTS ("[^"]+") ON ("[^"]+")\./.exec(statement)
    if (!name) throw new Error('the statement names no index')
    const full = `${name[2]}.${name[1]}`
    const left = await client.query(`SELECT 1 FROM pg_index WHERE indexrelid = to_regclass($1) AND NOT indisvalid`, [
      full,
    ])
    if (left.rowCount) await client.query(`DROP INDEX ${full}`)
    await client.query(statement)
  } finally {
    signal.removeEventListener('abort', cancel)
    client.release(true)
  }
}

export async function noteIndex(
  ctx: Context,
  projectId: string,
  typeKey: string,
  indexName: string,
  state: 'FAILED' | null,
): Promise<void> {
  await ctx.transact(async inner => {
    await inner.transaction(inner.zone).query({
      text:
        state === null
          ? 'UPDATE cdb_types SET index_states = index_states - $3::text WHERE project_id = $1 AND name_key = $2'
          : `UPDATE cdb_types SET index_states = index_states || jsonb_build_object($3::text, 'FAILED') WHERE project_id = $1 AND name_key = $2`,
      values: [projectId, typeKey, indexName],
    })
    inner.signal(inner.zone, schemaChannel, projectId)
  })
  forgetSchema(ctx.server, ctx.zone, projectId)
  await databaseOf(ctx.server, ctx.zone, projectId)
}
