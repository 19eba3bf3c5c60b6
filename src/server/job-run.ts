import type { ZoneId } from '../kernel/zones.ts'
import { type Context, systemContext } from './context.ts'
import type { DatabaseName } from './database/pools.ts'
import { reasonForPeople } from './log.ts'
import type { Server } from './server.ts'
import type { JobKind, JobRun } from './work.ts'

interface JobRow {
  job_id: string
  team_id: string | null
  kind: string
  input: Record<string, unknown>
  attempts: number
  deadline_at: string
}

/**
 * Runs one delivered job. The row is taken with a lease that a heartbeat renews; a process that dies loses it, and the
 * next delivery goes on. Throws to have it delivered again; after the last attempt or past the deadline it is failed.
 */
export async function runJob(
  server: Server,
  kinds: ReadonlyMap<string, JobKind>,
  database: DatabaseName,
  jobId: string,
  limits: { leaseSeconds: number; maxAttempts: number },
): Promise<void> {
  const owner = `${process.pid}-${server.ids.next()}`
  const leaseMs = limits.leaseSeconds * 1000
  const row = await takeJob(server, database, jobId, owner, leaseMs)
  if (!row) return
  const kind = kinds.get(row.kind)
  const stop = new AbortController()
  const untilDeadline = Math.max(1, Number(row.deadline_at) - server.clock.now())
  const deadline = setTimeout(() => stop.abort(new Error('the deadline has passed')), untilDeadline)
  const heartbeat = setInterval(async () => {
    const kept = await asAll(server, database, ctx =>
      ctx.transaction(database).query({
        text: 'UPDATE jobs SET lease_until = $3 WHERE job_id = $1 AND owner = $2',
        values: [jobId, owner, server.clock.now() + leaseMs],
      }),
    ).catch(() => null)
    if (kept?.rowCount === 0) stop.abort(new Error('the lease was lost'))
  }, leaseMs / 3)
  const zone = (database === 'home' ? server.config.zones[0] : database) as ZoneId
  const ctx = systemContext(server, zone, { name: row.kind, teamId: row.team_id })
  const run: JobRun = {
    jobId,
    input: row.input,
    teamId: row.team_id,
    zone,
    attempt: row.attempts,
    signal: stop.signal,
    progress: async (step, percent) => {
      stop.signal.throwIfAborted()
      await asAll(server, database, inner =>
        inner.transaction(database).query({
          text: 'UPDATE jobs SET step = $3, percent = $4, lease_until = $5 WHERE job_id = $1 AND owner = $2',
          values: [jobId, owner, step, percent, server.clock.now() + leaseMs],
        }),
      )
    },
  }
  try {
    if (!kind) throw new Error(`nobody runs ${row.kind}`)
    if (row.attempts > limits.maxAttempts) throw new Error(`it was interrupted ${limits.maxAttempts} times`)
    if (Number(row.deadline_at) <= server.clock.now()) throw new Error('the deadline has passed')
    await kind.run(ctx, run)
    await finishJob(server, database, jobId, owner, 'done', null)
    server.metrics.jobs.inc({ kind: row.kind, state: 'done' })
  } catch (error) {
    const reason = reasonForPeople(error)
    const isLast = row.attempts >= limits.maxAttempts || Number(row.deadline_at) <= server.clock.now() || !kind
    server.log.error({ job: jobId, kind: row.kind, attempt: row.attempts, err: error }, 'a job failed')
    if (!isLast) {
      await releaseJob(server, database, jobId, owner, reason)
      throw error
    }
    await ctx.transact(async inner => kind?.giveUp?.(inner, run, reason))
    await finishJob(server, database, jobId, owner, 'failed', reason)
    server.metrics.jobs.inc({ kind: row.kind, state: 'failed' })
  } finally {
    clearTimeout(deadline)
    clearInterval(heartbeat)
  }
}

/** Takes a queued job, or a running one whose lease has run out. Null: it is over, or somebody else has it. */
async function takeJob(server: Server, database: DatabaseName, jobId: string, owner: string, leaseMs: number) {
  const now = server.clock.now()
  const { rows } = await asAll(server, database, ctx =>
    ctx.transaction(database).query<JobRow>({
      text: `UPDATE jobs SET state = 'running', owner = $2, lease_until = $3, attempts = attempts + 1,
          started_at = coalesce(started_at, $4)
        WHERE job_id = $1 AND (state = 'queued' OR (state = 'running' AND lease_until < $4))
        RETURNING job_id, team_id, kind, input, attempts, deadline_at`,
      values: [jobId, owner, now + leaseMs, now],
    }),
  )
  if (rows[0]) return rows[0]
  const { rows: open } = await asAll(server, database, ctx =>
    ctx.transaction(database).query<{ lease_until: string }>({
      text: `SELECT lease_until FROM jobs WHERE job_id = $1 AND state = 'running'`,
      values: [jobId],
    }),
  )
  // Its owner died a moment ago and the lease still runs: have it delivered again later.
  if (open[0]) throw new Error('the lease of the owner before still runs')
  return null
}

async function finishJob(
  server: Server,
  database: DatabaseName,
  jobId: string,
  owner: string,
  state: 'done' | 'failed',
  reason: string | null,
): Promise<void> {
  await asAll(server, database, ctx =>
    ctx.transaction(database).query({
      text: `UPDATE jobs SET state = $3, error = $4, finished_at = $5, lease_until = NULL,
          percent = CASE WHEN $3 = 'done' THEN 100 ELSE percent END
        WHERE job_id = $1 AND owner = $2`,
      values: [jobId, owner, state, reason, server.clock.now()],
    }),
  )
}

async function releaseJob(server: Server, database: DatabaseName, jobId: string, owner: string, reason: string) {
  await asAll(server, database, ctx =>
    ctx.transaction(database).query({
      text: `UPDATE jobs SET state = 'queued', error = $3, lease_until = NULL WHERE job_id = $1 AND owner = $2`,
      values: [jobId, owner, reason],
    }),
  )
}

async function asAll<T>(server: Server, database: DatabaseName, work: (ctx: Context) => Promise<T>): Promise<T> {
  const zone = (database === 'home' ? server.config.zones[0] : database) as ZoneId
  return systemContext(server, zone, { name: 'jobs', scope: 'all' }).transact(work, 'all')
}
