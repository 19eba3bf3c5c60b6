import { and, eq, inArray } from 'drizzle-orm'
import type { Context } from '../../../server/context.ts'
import { putExperiments, type RunningExperiment } from '../remote-config/public.ts'
import { holdoutOf } from './layers/holdout.ts'
import { live } from './rules.ts'
import { layerRows, experimentRows as rows } from './tables.ts'

export type Row = typeof rows.$inferSelect
export type Where = Pick<Row, 'projectId' | 'kind'>

/** The experiments in force on a template, as fetches draw them; `without` is left out. */
export async function runningOn(ctx: Context, where: Where, without?: string): Promise<RunningExperiment[]> {
  const found = await ctx.db
    .select()
    .from(rows)
    .where(and(eq(rows.projectId, where.projectId), eq(rows.kind, where.kind), inArray(rows.state, [...live])))
    .orderBy(rows.startedAt, rows.experimentId)
  const layers = await layersNamed(ctx, where.projectId)
  const holdout = await holdoutOf(ctx, where.projectId)
  return found
    .filter(one => one.experimentId !== without)
    .map(one => drawn(one, layers, holdout && holdout.percent > 0 ? holdout : null))
}

/** Puts them into force as they are now: everybody who fetches hears of it. */
export async function putInForce(ctx: Context, where: Where, description: string): Promise<number> {
  return putExperiments(ctx, where, () => runningOn(ctx, where), description)
}

async function layersNamed(ctx: Context, projectId: string) {
  const found = await ctx.db.select().from(layerRows).where(eq(layerRows.projectId, projectId))
  return new Map(found.map(one => [one.layerId, one]))
}

function drawn(
  { experimentId, name, phase, seed, state, design, testUnits }: Row,
  layers: ReadonlyMap<string, { seed: string; unitAttr: string }>,
  holdout: { seed: string; unitAttr: string; percent: number } | null,
): RunningExperiment {
  const { unitAttr, rule, exposurePercent, layer, baseline, isSticky } = design
  const of = layer && layers.get(layer.layerId)
  const isPaused = state === 'paused'
  return {
    ...{ experimentId, name, phase, seed, unitAttr, rule, exposurePercent, isSticky, testUnits },
    layer: layer && of ? { seed: of.seed, unitAttr: of.unitAttr, from: layer.from, to: layer.to } : null,
    holdout: holdout && { seed: holdout.seed, unitAttr: holdout.unitAttr, percent: holdout.percent },
    // Paused: whoever is new draws the baseline; whoever was seen in a variant keeps it.
    variants: design.variants.map(({ key, weight, payload }) => ({
      ...{ key, payload },
      weight: isPaused ? Number(key === baseline) : weight,
    })),
  }
}
