import { and, eq } from 'drizzle-orm'
import type { Context } from '../../../../server/context.ts'
import type { JobRun } from '../../../../server/work.ts'
import type { Row } from '../running.ts'
import { experimentRows as rows, snapshotRows } from '../tables.ts'
import { gather } from './gather.ts'
import { splitIn } from './judging.ts'
import { keepVariants } from './keeping.ts'

export const analysisJob = 'experiments.analyse'

const deadlineMs = 20 * 60_000
export const firstAnalysisMs = 60 * 60_000
/** How often an experiment that runs is looked at. */
export const analysisEveryMs = 6 * 60 * 60_000

/** Starts an analysis; the experiment remembers the job. */
export async function startAnalysis(ctx: Context, row: Row): Promise<Row> {
  const { experimentId, teamId } = row
  const jobId = ctx.startJob({ kind: analysisJob, subject: experimentId, input: { experimentId }, deadlineMs, teamId })
  // Not counted as a write: an analysis by the clock is no reason to refuse what somebody is about to do.
  await ctx.db.update(rows).set({ jobId, problem: null }).where(eq(rows.experimentId, experimentId))
  return { ...row, jobId, problem: null }
}

/** Gathers the sums of an experiment and keeps them; a run after a crash gathers again, and keeps them once. */
export async function runAnalysis(ctx: Context, job: JobRun): Promise<void> {
  const { experimentId } = job.input as { experimentId: string }
  const row = await ctx.transact(inner => rowOf(inner, experimentId))
  if (!row) return
  await job.progress('read', 5)
  const gathered = await gather(ctx, row, job.signal)
  if (!gathered) return
  await job.progress('keep', 70)
  await keepVariants(ctx, row, gathered.completeThrough, job.signal)
  job.signal.throwIfAborted()
  await job.progress('write', 90)
  await ctx.transact(inner => keep(inner, row, job.jobId, gathered))
}

async function rowOf(ctx: Context, experimentId: string): Promise<Row | undefined> {
  const [row] = await ctx.db.select().from(rows).where(eq(rows.experimentId, experimentId))
  return row
}

type Gathered = NonNullable<Awaited<ReturnType<typeof gather>>>

async function keep(ctx: Context, row: Row, jobId: string, { snapshot, completeThrough }: Gathered): Promise<void> {
  const { experimentId, teamId, phase } = row
  const now = ctx.now()
  const units = snapshot.days.reduce((sum, one) => sum + one.units, 0)
  await ctx.db
    .insert(snapshotRows)
    .values({ snapshotId: jobId, experimentId, teamId, phase, at: now, completeThrough, units, content: snapshot })
    .onConflictDoNothing()
  // A phase that began meanwhile has numbers of its own to wait for.
  const [before] = await ctx.db
    .select({ snapshotId: rows.snapshotId })
    .from(rows)
    .where(and(eq(rows.experimentId, experimentId), eq(rows.phase, phase)))
    .for('update')
  if (!before || before.snapshotId === jobId) return
  await ctx.db
    .update(rows)
    .set({ snapshotId: jobId, analysedAt: now, problem: null })
    .where(eq(rows.experimentId, experimentId))
  await tellOfSplit(ctx, row, before.snapshotId, snapshot)
}

/** Told when a split turns bad, not with every analysis that finds it so. */
async function tellOfSplit(
  ctx: Context,
  row: Row,
  before: string | null,
  snapshot: Gathered['snapshot'],
): Promise<void> {
  const split = splitIn(snapshot.days, snapshot.design)
  if (split.isHealthy) return
  const [last] =
    before === null ? [] : await ctx.db.select().from(snapshotRows).where(eq(snapshotRows.snapshotId, before))
  if (last && !splitIn(last.content.days, last.content.design).isHealthy) return
  ctx.emit({
    ...{ type: 'experiment.unhealthy', entity: 'experiment', entityId: row.experimentId, teamId: row.teamId },
    data: { projectId: row.projectId, name: row.name, phase: row.phase, p: split.p },
  })
}

/** The numbers stay as they were; the experiment says why. */
export async function giveUpAnalysis(ctx: Context, job: JobRun, reason: string): Promise<void> {
  const { experimentId } = job.input as { experimentId: string }
  await ctx.db
    .update(rows)
    .set({ problem: reason.slice(0, 500) })
    .where(and(eq(rows.experimentId, experimentId), eq(rows.jobId, job.jobId)))
}
