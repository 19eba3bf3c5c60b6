import { asc, eq } from 'drizzle-orm'
import { alphaOf, type Measured, type Reading } from '../../../../kernel/ramp/guards.ts'
import { boundsAlways } from '../../../../kernel/statistics/effects.ts'
import type { Judge } from '../../remote-config/public.ts'
import { gather } from '../analysis/gather.ts'
import { effectOfMetric, unitsOf } from '../analysis/judging.ts'
import { newDesign } from '../rules.ts'
import { metricRows, type Snapshot } from '../tables.ts'

const [inside, outside] = ['in', 'out']

/** A rollout is judged as an experiment of two variants whose exposures begin with its step. */
export const rolloutJudge: Judge = {
  metrics: (ctx, projectId) =>
    ctx.db
      .select({ metricId: metricRows.metricId, name: metricRows.name })
      .from(metricRows)
      .where(eq(metricRows.projectId, projectId))
      .orderBy(asc(metricRows.name), asc(metricRows.metricId)),

  measure: async (ctx, { rolloutId, projectId, since, percent, guardrails, signals }, signal) => {
    const metricIds = [...guardrails, ...signals]
    const design = {
      ...{ ...newDesign(), baseline: outside, cupedDays: null },
      metrics: metricIds.map(metricId => ({ metricId, role: 'guardrail' as const, isPostHoc: false })),
      variants: [
        { key: outside, name: outside, weight: 100 - percent, payload: {} },
        { key: inside, name: inside, weight: percent, payload: {} },
      ],
    }
    const step = { phase: 1, startedAt: since, phaseStartedAt: since, stoppedAt: null, pauses: [], testUnits: {} }
    const gathered = await gather(
      ctx,
      { ...step, experimentId: rolloutId, projectId, design, isFirstCounted: true },
      signal,
    )
    if (!gathered) return null
    const { snapshot } = gathered
    const alphas = new Map([
      ...signals.map(one => [one, alphaOf(signals.length)] as const),
      ...guardrails.map(one => [one, alphaOf(guardrails.length)] as const),
    ])
    return measuredOf(snapshot, metricId => alphas.get(metricId) as number)
  },
}

function measuredOf(snapshot: Snapshot, alphaFor: (metricId: string) => number): Measured {
  const { days, design } = snapshot
  return {
    inUnits: unitsOf(days, inside),
    outUnits: unitsOf(days, outside),
    readings: snapshot.metrics.map((metric): Reading => {
      const { metricId, name, definition } = metric
      const found = effectOfMetric(snapshot, metric, { baseline: outside, variant: inside })
      const { effect } = found
      return {
        ...{ metricId, name, direction: definition.direction, inside: found.variant, outside: found.baseline },
        change: effect && { by: effect.effect, ...boundsAlways(effect, alphaFor(metricId), design.tunedFor) },
      }
    }),
  }
}
