import { type CompiledRule, compile } from '../../../../kernel/targeting/evaluate.ts'
import type { Rule } from '../../../../kernel/targeting/rule.ts'
import type { Context } from '../../../../server/context.ts'
import type { JobRun } from '../../../../server/work.ts'
import { appUserAttributes, appUserTotal, type UserAttributes } from '../../../build/app-auth/public.ts'
import { nextRefreshAt, type Refresh } from '../rules.ts'
import { type DecidedUnit, unitsDecided } from './events.ts'
import { applyBatch, dropBatch, gather, letGo, openBatch } from './members.ts'
import { type AudienceRule, type BehaviourLeaf, lowered, withoutEvents } from './rules.ts'

export const refreshJob = 'targeting.refresh'
export const applyJob = 'targeting.apply'

const deadlineMs = 2 * 3_600_000
const pageUsers = 2000

interface Subject {
  audienceId: string
  projectId: string
  rule: AudienceRule | null
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

/**
 * Asks the rule about every user of the project, then about every unit with events where it asks for such. A run after a
 * crash begins again, under the same batch.
 */
export async function runRefresh(ctx: Context, job: JobRun): Promise<void> {
  const { audienceId } = job.input as { audienceId: string }
  const subject = await ctx.transact(inner => subjectOf(inner, audienceId))
  if (!subject?.rule) return
  const { rule, projectId } = subject
  const { rule: asked, behaviours } = lowered(rule)
  const matcher: Matcher = { projectId, rule: asked, behaviours, compiled: compile(asked), now: ctx.now() }
  await ctx.transact(inner => openBatch(inner, job.jobId, audienceId, 'REPLACE'))
  await askUsers(ctx, job, matcher)
  if (behaviours.length > 0) await askUnits(ctx, job, matcher)
  await ctx.transact(inner => applyBatch(inner, job.jobId, rule))
}

interface Matcher {
  projectId: string
  rule: Rule
  behaviours: readonly BehaviourLeaf[]
  compiled: CompiledRule
  now: number
}

/** Every user of the project, as though none had events. */
async function askUsers(ctx: Context, job: JobRun, { projectId, behaviours, compiled, now }: Matcher): Promise<void> {
  const most = behaviours.length > 0 ? 45 : 95
  const decided = withoutEvents(behaviours)
  const total = await ctx.transact(inner => appUserTotal(inner, projectId))
  let after: string | null = '0'
  let asked = 0
  while (after !== null) {
    job.signal.throwIfAborted()
    const from: string = after
    const users = await ctx.transact(async inner => {
      const list = await appUserAttributes(inner, projectId, { after: from, limit: pageUsers })
      const isIn = (user: UserAttributes) => compiled.matches({ attributes: { ...user, ...decided }, now })
      const units = list.filter(isIn).map(one => one.userId)
      if (units.length > 0) await gather(inner, job.jobId, units)
      return list
    })
    asked += users.length
    await job.progress(`${asked}`, Math.min(most, Math.floor((asked * most) / Math.max(1, total))))
    after = users.length < pageUsers ? null : (users.at(-1)?.userId ?? null)
  }
}

/** Every unit with events that decide: users among them with their attributes, the others with their id alone. */
async function askUnits(ctx: Context, job: JobRun, matcher: Matcher): Promise<void> {
  const { projectId, compiled, now } = matcher
  await job.progress('events', 50)
  let asked = 0
  for await (const page of unitsDecided(ctx, projectId, matcher, { now, signal: job.signal })) {
    for (let at = 0; at < page.length; at += pageUsers) {
      job.signal.throwIfAborted()
      const some = page.slice(at, at + pageUsers)
      await ctx.transact(async inner => {
        const users = await appUserAttributes(inner, projectId, { uids: some.map(one => one.unit) })
        const known = new Map(users.map(user => [user.userId, user]))
        const isIn = ({ unit, ...decided }: DecidedUnit) =>
          compiled.matches({ attributes: { ...(known.get(unit) ?? { userId: unit }), ...decided }, now })
        const [come, go] = [some.filter(isIn), some.filter(one => !isIn(one))]
        await gather(
          inner,
          job.jobId,
          come.map(one => one.unit),
        )
        await letGo(
          inner,
          job.jobId,
          go.map(one => one.unit),
        )
      })
    }
    asked += page.length
    await job.progress(`events ${asked}`, 75)
  }
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
