import { setTimeout as sleep } from 'node:timers/promises'
import { commonErrors, refuse } from '../kernel/errors.ts'
import type { Context } from './context.ts'

/** A job as people see it. `state` done means that it ran to its end, whatever it found. */
export interface JobView {
  jobId: string
  kind: string
  subject: string
  state: 'queued' | 'running' | 'done' | 'failed' | 'canceled'
  step: string | null
  percent: number
  createdAt: number
  startedAt: number | null
  finishedAt: number | null
}

const lookEveryMs = 300

/** The job of this kind, of the caller's team where there is one. Refuses 404. */
export async function jobOf(ctx: Context, kind: string, jobId: string): Promise<JobView> {
  const { rows } = await ctx.transaction(ctx.zone).query<Record<keyof JobView, string | null>>({
    name: 'job of',
    text: `SELECT job_id AS "jobId", kind, subject, state, step, percent, created_at AS "createdAt",
        started_at AS "startedAt", finished_at AS "finishedAt"
      FROM jobs WHERE job_id = $1 AND kind = $2 AND ($3::bigint IS NULL OR team_id = $3)`,
    values: [jobId, kind, ctx.place.teamId],
  })
  const row = rows[0] ?? refuse(commonErrors.notFound, { entity: 'task', id: jobId })
  const instantOf = (value: string | null) => (value === null ? null : Number(value))
  return {
    ...(row as unknown as JobView),
    percent: Number(row.percent),
    createdAt: Number(row.createdAt),
    startedAt: instantOf(row.startedAt),
    finishedAt: instantOf(row.finishedAt),
  }
}

/** The job as it is when it is over, or after `waitSeconds`. For calls without a transaction: each look is its own. */
export async function jobWhenOver(ctx: Context, kind: string, jobId: string, waitSeconds: number): Promise<JobView> {
  for (let waitedMs = 0; ; waitedMs += lookEveryMs) {
    const job = await ctx.transact(inner => jobOf(inner, kind, jobId))
    const isOver = job.state !== 'queued' && job.state !== 'running'
    if (isOver || waitedMs >= waitSeconds * 1000) return job
    await sleep(lookEveryMs)
  }
}
