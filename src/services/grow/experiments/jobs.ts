import { and, eq, inArray, lte, sql } from 'drizzle-orm'
import { type Context, systemContext } from '../../../server/context.ts'
import type { Work } from '../../../server/work.ts'
import { atProjectEnd } from '../../ground/projects/public.ts'
import { judgesRollouts, keepsVariants } from '../remote-config/public.ts'
import { asksForAudiences } from '../targeting/public.ts'
import { analysisEveryMs, analysisJob, giveUpAnalysis, runAnalysis, startAnalysis } from './analysis/job.ts'
import { variantsKept } from './analysis/keeping.ts'
import { experimentsAsking } from './checks.ts'
import { stop } from './moves.ts'
import { rolloutJudge } from './rollouts/judge.ts'
import { live } from './rules.ts'
import {
  holdoutRows,
  keptRows,
  layerRows,
  metricRows,
  phaseRows,
  experimentRows as rows,
  snapshotRows,
} from './tables.ts'

const dayMs = 86_400_000
/** Of an experiment the newest snapshots stay: results of another day can be looked up. */
const keptSnapshots = 200

export default {
  start: () => {
    keepsVariants(variantsKept)
    judgesRollouts(rolloutJudge)
    asksForAudiences('grow/experiments', experimentsAsking)
    return async () => undefined
  },
  jobs: [{ kind: analysisJob, run: runAnalysis, giveUp: giveUpAnalysis }],
  listeners: [
    atProjectEnd('experiments.projectDeleted', forgetProject),
    {
      name: 'experiments.erased',
      on: ['session.account_forgotten'],
      run: async (ctx, { entityId }) => {
        const query = ctx.transaction(ctx.zone)
        for (const [table, column] of [
          ['abt_experiments', 'created_by'],
          ['abt_phases', 'started_by'],
        ])
          await query.query({ text: `UPDATE ${table} SET ${column} = NULL WHERE ${column} = $1`, values: [entityId] })
      },
    },
  ],
  sweeps: [
    { name: 'experiments.due', every: '25 * * * * *', database: 'zone', run: analyseDue },
    { name: 'experiments.ends', every: '5 * * * * *', database: 'zone', run: stopOverdue },
    { name: 'experiments.snapshots', every: '50 23 * * * *', database: 'zone', run: dropOld },
  ],
  handover: {
    stays: {
      abt_experiments: 'of the project, which stays',
      abt_phases: 'as the experiments',
      abt_metrics: 'of the project, which stays',
      abt_layers: 'of the project, which stays',
      abt_holdouts: 'of the project, which stays',
      abt_snapshots: 'as the experiments',
      abt_kept: 'as the experiments',
    },
  },
} satisfies Work

const teamOf = (ctx: Context, teamId: string) => systemContext(ctx.server, ctx.zone, { name: 'experiments', teamId })

/** Starts the analyses that are due, some at a time. */
async function analyseDue(ctx: Context): Promise<void> {
  const now = ctx.now()
  const due = await ctx.db
    .select()
    .from(rows)
    .where(and(lte(rows.nextAnalysisAt, now), inArray(rows.state, [...live])))
    .orderBy(rows.nextAnalysisAt)
    .limit(20)
    .for('update', { skipLocked: true })
  for (const row of due) {
    const { experimentId } = await startAnalysis(ctx, row)
    await ctx.db
      .update(rows)
      .set({ nextAnalysisAt: now + analysisEveryMs })
      .where(eq(rows.experimentId, experimentId))
  }
}

/** Stops what has run as long as it may, each in a transaction of its own team. */
async function stopOverdue(ctx: Context): Promise<void> {
  const found = await ctx.db
    .select({ experimentId: rows.experimentId, teamId: rows.teamId })
    .from(rows)
    .where(
      and(
        inArray(rows.state, [...live]),
        sql`${rows.startedAt} + (${rows.design}->>'maxDays')::bigint * ${dayMs} <= ${ctx.now()}`,
      ),
    )
    .limit(20)
  for (const { experimentId, teamId } of found) {
    await teamOf(ctx, teamId).transact(async inner => {
      const [row] = await inner.db.select().from(rows).where(eq(rows.experimentId, experimentId)).for('update')
      if (row && live.includes(row.state)) await stop(inner, row, 'expire')
    })
  }
}

async function dropOld(ctx: Context): Promise<void> {
  await ctx.transaction(ctx.zone).query({
    text: `DELETE FROM abt_snapshots s USING (
        SELECT snapshot_id, row_number() OVER (PARTITION BY experiment_id ORDER BY snapshot_id DESC) AS place FROM abt_snapshots
      ) old WHERE old.snapshot_id = s.snapshot_id AND old.place > $1
        AND NOT EXISTS (SELECT 1 FROM abt_experiments e WHERE e.snapshot_id = s.snapshot_id)`,
    values: [keptSnapshots],
  })
}

async function forgetProject({ db }: Context, projectId: string): Promise<void> {
  const own = db.select({ id: rows.experimentId }).from(rows).where(eq(rows.projectId, projectId))
  for (const table of [keptRows, snapshotRows, phaseRows])
    await db.delete(table).where(inArray(table.experimentId, own))
  for (const table of [rows, metricRows, layerRows, holdoutRows])
    await db.delete(table).where(eq(table.projectId, projectId))
}
