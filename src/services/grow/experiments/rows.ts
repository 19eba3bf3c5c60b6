import { and, asc, eq, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import { allowedActions } from '../../../kernel/life-cycle.ts'
import type { Context } from '../../../server/context.ts'
import { isDuplicate } from '../../../server/http/problem.ts'
import { projectOf } from '../../ground/projects/public.ts'
import { faultsOf } from './checks.ts'
import { type actions, type ExperimentView, experimentErrors as errors, type warnings } from './contract.ts'
import { experimentCycle, parametersOf } from './rules.ts'
import type { Row } from './running.ts'
import { phaseRows, experimentRows as rows } from './tables.ts'

/** A project of the caller's team whose data stays in the zone of the call. */
export async function projectHere(ctx: Context, projectId: string) {
  const project = await projectOf(ctx, projectId)
  return project.zone === ctx.zone ? project : refuse(commonErrors.zoneInvalid)
}

/** An experiment of the caller's team. Refuses 404; held until the transaction ends where it is to be changed. */
export async function loadExperiment(ctx: Context, experimentId: string, isHeld = false): Promise<Row> {
  const found = ctx.db
    .select()
    .from(rows)
    .where(
      and(
        eq(rows.experimentId, experimentId),
        eq(rows.teamId, ctx.teamId),
        ctx.withinScope({ projectId: rows.projectId }),
      ),
    )
  const [row] = await (isHeld ? found.for('update') : found)
  return row ?? refuse(commonErrors.notFound, { entity: 'experiment', id: experimentId })
}

/** The same for a write: refuses what was read before somebody else's. */
export async function loadToChange(ctx: Context, experimentId: string, revision: number): Promise<Row> {
  const row = await loadExperiment(ctx, experimentId, true)
  if (row.revision !== revision) refuse(commonErrors.stale, { revision: row.revision })
  return row
}

/** Writes some of a row that is held; answers it as it is then. */
export async function write(ctx: Context, { experimentId }: Row, what: Partial<Row>, name?: string): Promise<Row> {
  const [row] = await ctx.db
    .update(rows)
    .set({ ...what, ...(name !== undefined && { name }), updatedAt: ctx.now(), revision: sql`${rows.revision} + 1` })
    .where(eq(rows.experimentId, experimentId))
    .returning()
    .catch(refuseTaken(name ?? ''))
  return row as Row
}

export function refuseTaken(name: string) {
  return (error: unknown): never => {
    if (isDuplicate(error)) refuse(errors.nameTaken, { name })
    throw error
  }
}

type Warning = (typeof warnings)[number]
type Action = (typeof actions)[number]

export async function viewOf(ctx: Context, row: Row, told: readonly Warning[] = []): Promise<ExperimentView> {
  const { experimentId, state, design } = row
  const phases = await ctx.db
    .select()
    .from(phaseRows)
    .where(eq(phaseRows.experimentId, experimentId))
    .orderBy(asc(phaseRows.phase))
  const isBefore = state === 'draft' || state === 'ready'
  return {
    ...row,
    testUnits: Object.keys(row.testUnits).length,
    phases: phases.map(one => ({
      ...{ phase: one.phase, startedAt: one.startedAt, changes: one.changes },
      variants: one.design.variants.map(({ key, weight }) => `${key} ${weight} %`),
    })),
    warnings: [...told],
    faults: isBefore ? await faultsOf(ctx, { ...row, design }) : [],
    allowedActions: allowedActions(experimentCycle, state, permission => ctx.may(permission)) as Action[],
  }
}

/** What an experiment is about, for lists. */
export const aboutOf = ({ design }: Row) => ({
  variants: design.variants.length,
  parameters: parametersOf(design),
})
