import { and, asc, eq, inArray, ne } from 'drizzle-orm'
import type { Context } from '../../../../server/context.ts'
import type { Kind } from '../rules.ts'
import { rcsRollouts, rcsTemplates } from '../tables.ts'
import { holding, open, type RolloutState } from './rules.ts'

/** A rollout that runs or waits for its time, as whoever wants its parameter sees it. */
export interface Rolling {
  rolloutId: string
  kind: Kind
  name: string
  parameter: string
}

/** A rollout that is judged by metrics, or will be, as whoever owns these sees it. */
export interface Judging {
  name: string
  state: RolloutState
  metricIds: readonly string[]
}

/** Both templates of a project, held until the transaction ends: one start at a time in a project. */
export const lockTemplates = (ctx: Context, projectId: string) =>
  ctx.db
    .select({ kind: rcsTemplates.kind, running: rcsTemplates.running })
    .from(rcsTemplates)
    .where(eq(rcsTemplates.projectId, projectId))
    .orderBy(asc(rcsTemplates.kind))
    .for('update')

/** The rollouts of a project that have a parameter, but `without`. */
export async function rollingIn(ctx: Context, projectId: string, without?: string): Promise<Rolling[]> {
  const { rolloutId, kind, name, parameter, state } = rcsRollouts
  return ctx.db
    .select({ rolloutId, kind, name, parameter })
    .from(rcsRollouts)
    .where(
      and(
        eq(rcsRollouts.projectId, projectId),
        inArray(state, [...holding]),
        without === undefined ? undefined : ne(rolloutId, without),
      ),
    )
    .orderBy(asc(rolloutId))
}

/** The rollouts of a project that have guardrails or signals and have not ended. */
export async function judgingIn(ctx: Context, projectId: string): Promise<Judging[]> {
  const { name, state, guardrails, signals, rolloutId } = rcsRollouts
  const found = await ctx.db
    .select({ name, state, guardrails, signals })
    .from(rcsRollouts)
    .where(and(eq(rcsRollouts.projectId, projectId), inArray(state, [...open])))
    .orderBy(asc(rolloutId))
  return found
    .map(row => ({ name: row.name, state: row.state, metricIds: [...row.guardrails, ...row.signals] }))
    .filter(one => one.metricIds.length > 0)
}
