import { and, eq, sql } from 'drizzle-orm'
import { refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import type { JobRun } from '../../../server/work.ts'
import { lifecycle as contract } from './contract.ts'
import type { DetectionRecord } from './queries.ts'
import { type DetectionKind, type Hit, limits, verdictOf } from './rules.ts'
import { detections } from './tables.ts'

interface New {
  kind: DetectionKind
  appId: string | null
  subjects: readonly string[]
}

/** A detection that has ended with what it found. */
export async function keepResult(ctx: Context, made: New, hits: readonly Hit[]): Promise<DetectionRecord> {
  const now = ctx.now()
  const result = { state: 'DONE' as const, verdict: verdictOf(hits), hits: bounded(hits), finishedAt: now }
  return insert(ctx, { ...made, ...result, jobId: null })
}

/** A detection whose work a job does. A team has a few under way. */
export async function beginDetection(ctx: Context, made: New, jobKind: string): Promise<DetectionRecord> {
  await ctx.transaction(ctx.zone).query('SELECT pg_advisory_xact_lock(213, hashtext($1))', [ctx.teamId])
  const open = await ctx.db.$count(detections, and(eq(detections.teamId, ctx.teamId), eq(detections.state, 'RUNNING')))
  if (open >= limits.underWay) refuse(contract.errors.tooManyDetections, { limit: limits.underWay })
  const taskId = ctx.newId()
  const jobId = ctx.startJob({ kind: jobKind, subject: taskId, input: { taskId }, deadlineMs: limits.deadlineMs })
  return insert(ctx, { ...made, taskId, jobId, state: 'RUNNING', verdict: null, hits: [], finishedAt: null })
}

async function insert(ctx: Context, row: Omit<Partial<DetectionRecord>, 'subjects'> & New): Promise<DetectionRecord> {
  const [made] = await ctx.db
    .insert(detections)
    .values({
      taskId: ctx.newId(),
      state: 'DONE',
      hits: [],
      teamId: ctx.teamId,
      createdBy: ctx.accountId,
      createdAt: ctx.now(),
      ...row,
      subjects: [...row.subjects],
    })
    .returning()
  return made!
}

/** The detection while this job has it; null when it has ended. */
export async function openDetection(ctx: Context, job: JobRun): Promise<DetectionRecord | null> {
  const taskId = String(job.input['taskId'])
  const [row] = await ctx.db.select().from(detections).where(eq(detections.taskId, taskId))
  return row?.state === 'RUNNING' ? row : null
}

export async function endDetection(ctx: Context, job: JobRun, hits: readonly Hit[] | null): Promise<void> {
  await ctx.db
    .update(detections)
    .set({
      ...(hits ? { state: 'DONE', verdict: verdictOf(hits), hits: bounded(hits) } : { state: 'FAILED' }),
      finishedAt: ctx.now(),
    })
    .where(and(eq(detections.taskId, String(job.input['taskId'])), eq(detections.state, 'RUNNING')))
}

/** Nobody could look: the detection says so. */
export async function giveUpDetection(ctx: Context, job: JobRun): Promise<void> {
  await ctx.transact(inner => endDetection(inner, job, null))
}

/** What was found some weeks ago is nobody's news. */
export async function forgetOld(ctx: Context): Promise<void> {
  await ctx.db.delete(detections).where(sql`${detections.createdAt} < ${ctx.now() - limits.keptMs}`)
}

const bounded = (hits: readonly Hit[]): Hit[] =>
  hits.slice(0, limits.hits).map(hit => ({ ...hit, seen: hit.seen.replaceAll('\0', '').slice(0, 300).toWellFormed() }))
