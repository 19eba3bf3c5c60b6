import { compile } from '../../../../kernel/targeting/evaluate.ts'
import type { Rule } from '../../../../kernel/targeting/rule.ts'
import type { Context } from '../../../../server/context.ts'
import type { JobRun } from '../../../../server/work.ts'
import { appUserAttributes, appUserTotal } from '../../../build/app-auth/public.ts'
import { limits, nextRefreshAt, type Refresh, shareBounds } from '../rules.ts'
import { applyBatch, dropBatch, gather, openBatch } from './members.ts'

export const refreshJob = 'targeting.refresh'
export const applyJob = 'targeting.apply'

const deadlineMs = 2 * 3_600_000
const pageUsers = 2000

interface Subject {
  audienceId: string
  projectId: string
  rule: Rule | null
}

/** Starts to make a dynamic audience anew; the audience remembers the job. */
export async function startRefresh(
  ctx: Context,
  audienceId: string,
  teamId: string,
  refresh: Refresh,
): Promise<string> {
  const jobId = ctx.startJob({ kind: refreshJob, subject: audienceId, input: { audienceId }, deadlineMs, teamId })
  await remember(ctx, audienceId, jobId, nextRefreshAt(refresh, ctx.now()))
  return jobId
}

/** Starts to put uploaded ids in force; the batch is under its own id. */
export async function startApply(ctx: Context, audienceId: string, batchId: string): Promise<string> {
  const jobId = ctx.startJob({ kind: applyJob, subject: audienceId, input: { audienceId, batchId }, deadlineMs })
  await remember(ctx, audienceId, jobId, null)
  return jobId
}

async function remember(ctx: Context, audienceId: string, jobId: string, next: number | null): Promise<void> {
  await ctx.transaction(ctx.zone).query({
    text: 'UPDATE targeting_audiences SET job_id = $2, next_refresh_at = $3, problem = NULL WHERE audience_id = $1',
    values: [audienceId, jobId, next],
  })
}

/** Asks the rule about every user of the project; a run after a crash begins again, under the same batch. */
export async function runRefresh(ctx: Context, job: JobRun): Promise<void> {
  const { audienceId } = job.input as { audienceId: string }
  const subject = await ctx.transact(inner => subjectOf(inner, audienceId))
  if (!subject?.rule) return
  const { rule, projectId } = subject
  const compiled = compile(rule)
  const now = ctx.now()
  await ctx.transact(inner => openBatch(inner, job.jobId, audienceId, 'REPLACE'))
  const total = await ctx.transact(inner => appUserTotal(inner, projectId))
  let after: string | null = '0'
  let asked = 0
  while (after !== null) {
    job.signal.throwIfAborted()
    const from: string = after
    const users = await ctx.transact(async inner => {
      const list = await appUserAttributes(inner, projectId, { after: from, limit: pageUsers })
      const units = list.filter(attributes => compiled.matches({ attributes, now })).map(one => one.userId)
      if (units.length > 0) await gather(inner, job.jobId, units)
      return list
    })
    asked += users.length
    await job.progress(`${asked}`, Math.min(95, Math.floor((asked * 95) / Math.max(1, total))))
    after = users.length < pageUsers ? null : (users.at(-1)?.userId ?? null)
  }
  await ctx.transact(inner => applyBatch(inner, job.jobId, rule))
}

export async function runApply(ctx: Context, job: JobRun): Promise<void> {
  const { batchId } = job.input as { batchId: string }
  await job.progress('apply', 10)
  await ctx.transact(inner => applyBatch(inner, batchId, null))
}

/** The members stay as they were; the audience says why. */
export async function giveUp(ctx: Context, job: JobRun, reason: string): Promise<void> {
  const { audienceId, batchId } = job.input as { audienceId: string; batchId?: string }
  await dropBatch(ctx, batchId ?? job.jobId)
  await ctx.transaction(ctx.zone).query({
    text: 'UPDATE targeting_audiences SET problem = $3 WHERE audience_id = $1 AND job_id = $2',
    values: [audienceId, job.jobId, reason.slice(0, 500)],
  })
}

async function subjectOf(ctx: Context, audienceId: string): Promise<Subject | undefined> {
  const { rows } = await ctx.transaction(ctx.zone).query<Subject>({
    text: `SELECT audience_id::text AS "audienceId", project_id::text AS "projectId", rule
      FROM targeting_audiences WHERE audience_id = $1 AND type = 'DYNAMIC' AND refresh_every <> 'realtime'`,
    values: [audienceId],
  })
  return rows[0]
}

/** How many users a rule would match, from the newest of the project. */
export async function preview(ctx: Context, projectId: string, rule: Rule) {
  const wanted = { before: '9223372036854775807', limit: limits.previewUsers }
  const total = await appUserTotal(ctx, projectId)
  const users = await appUserAttributes(ctx, projectId, wanted)
  const compiled = compile(rule)
  const now = ctx.now()
  const matched = users.filter(attributes => compiled.matches({ attributes, now })).length
  const sampled = users.length
  const isExact = sampled >= total
  const { low, high } = isExact ? { low: 0, high: 0 } : shareBounds(matched, sampled)
  return {
    ...{ total, sampled, matched, isExact, sampleLimit: limits.previewUsers },
    estimate: isExact ? matched : Math.round((matched / Math.max(1, sampled)) * total),
    low: isExact ? matched : Math.floor(low * total),
    high: isExact ? matched : Math.ceil(high * total),
  }
}
