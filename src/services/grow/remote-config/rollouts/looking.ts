import { and, asc, eq, inArray, isNull, lte } from 'drizzle-orm'
import { wordsOf } from '../../../../kernel/ramp/finding-words.ts'
import { answerTo, lookAt } from '../../../../kernel/ramp/guards.ts'
import { rampPercent } from '../../../../kernel/ramp/ramp.ts'
import { type Context, systemContext } from '../../../../server/context.ts'
import { AnalyticsFailure } from '../../../../server/engines/analytics/process.ts'
import type { JobRun } from '../../../../server/work.ts'
import { rcsRollouts as rows } from '../tables.ts'
import { measureStep } from './judge.ts'
import { moveRollout, type RolloutRow } from './moves.ts'
import { lookEveryMs, reasonLength } from './rules.ts'

export const lookJob = 'remoteConfig.lookAtRollout'
const deadlineMs = 20 * 60_000
const mostAtOnce = 20
const problemChars = 500

/** Starts a look; not counted as a write, for it is no reason to refuse what somebody is about to do. */
export async function startLook(ctx: Context, { rolloutId, teamId }: RolloutRow): Promise<RolloutRow> {
  const lookJobId = ctx.startJob({ kind: lookJob, subject: rolloutId, input: { rolloutId }, deadlineMs, teamId })
  return write(ctx, rolloutId, { lookJobId, lookAt: ctx.now() + lookEveryMs })
}

async function write(ctx: Context, rolloutId: string, what: Partial<RolloutRow>): Promise<RolloutRow> {
  const [row] = await ctx.db.update(rows).set(what).where(eq(rows.rolloutId, rolloutId)).returning()
  return row as RolloutRow
}

/** Starts the looks that are due. */
export async function lookWhenDue(ctx: Context): Promise<void> {
  const due = await ctx.db
    .select()
    .from(rows)
    .where(and(lte(rows.lookAt, ctx.now()), isNull(rows.lookJobId), inArray(rows.state, ['running', 'paused'])))
    .orderBy(asc(rows.lookAt))
    .limit(mostAtOnce)
    .for('update', { skipLocked: true })
  for (const row of due) await startLook(ctx, row)
}

/** Measures the step that a rollout stands at, and does what its guardrails and signals ask; a second run finds nothing to do. */
export async function runLook(ctx: Context, job: JobRun): Promise<void> {
  const { rolloutId } = job.input as { rolloutId: string }
  const team = systemContext(ctx.server, ctx.zone, { name: 'remoteConfig', teamId: job.teamId })
  const held = (inner: Context) => underLook(inner, rolloutId, job.jobId)
  const row = await team.transact(held)
  if (!row) return
  await job.progress('read', 10)
  const since = row.stepStartedAt ?? row.createdAt
  try {
    const measured = await measureStep(team, { ...row, since, percent: rampPercent(row) }, job.signal)
    job.signal.throwIfAborted()
    await job.progress('write', 90)
    await team.transact(async inner => {
      const now = await held(inner)
      if (!now) return
      if (!measured) return write(inner, rolloutId, { lookJobId: null, lookProblem: null })
      const look = lookAt(measured, now, rampPercent(now), inner.now())
      const looked = await write(inner, rolloutId, { look, lookJobId: null, lookProblem: null })
      const answer = answerTo(look, looked, looked)
      if (!answer) return
      const { action, cause, finding } = answer
      const reason = wordsOf(finding).en.slice(0, reasonLength)
      await moveRollout(inner, looked, action, { cause, finding, isByClock: true, reason })
    })
  } catch (error) {
    // To try again does not install it.
    if (!(error instanceof AnalyticsFailure && error.kind === 'missing')) throw error
    await team.transact(inner => giveUpLook(inner, job, error.message))
  }
}

/** Held, as long as this look is still the one that is wanted: a move to another step ends it. */
async function underLook(ctx: Context, rolloutId: string, jobId: string): Promise<RolloutRow | undefined> {
  const isOwn = and(eq(rows.rolloutId, rolloutId), eq(rows.lookJobId, jobId))
  const [row] = await ctx.db.select().from(rows).where(isOwn).for('update')
  return row && (row.state === 'running' || row.state === 'paused') ? row : undefined
}

/** The rollout goes on; its page says why nothing is judged. */
export async function giveUpLook(ctx: Context, job: JobRun, reason: string): Promise<void> {
  const { rolloutId } = job.input as { rolloutId: string }
  await ctx.db
    .update(rows)
    .set({ lookJobId: null, lookProblem: reason.slice(0, problemChars) })
    .where(and(eq(rows.rolloutId, rolloutId), eq(rows.lookJobId, job.jobId)))
}
