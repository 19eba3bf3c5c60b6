import { and, eq, inArray } from 'drizzle-orm'
import type { Context } from '../../../../server/context.ts'
import { analyticsQuery } from '../../../../server/engines/analytics/ask.ts'
import { segmentsOf } from '../../../analyse/app-events/public.ts'
import type { Row } from '../running.ts'
import { experimentRows, keptRows } from '../tables.ts'
import { source } from './gather.ts'

const pageUnits = 20_000

/** Writes down which variant each unit of a sticky experiment was first seen in, of what came since it last did. */
export async function keepVariants(
  ctx: Context,
  row: Row,
  completeThrough: number,
  signal: AbortSignal,
): Promise<void> {
  const { experimentId, teamId, phase, design, phaseStartedAt, keptThrough } = row
  const from = Math.max(phaseStartedAt ?? 0, keptThrough ?? 0)
  if (!design.isSticky || from >= completeThrough) return
  const { files } = await ctx.transact(inner => segmentsOf(inner, row.projectId, { from, to: completeThrough }))
  const keys = new Set(design.variants.map(one => one.key))
  for (let after = ''; files.length > 0; ) {
    signal.throwIfAborted()
    const found = (await analyticsQuery(ctx.server, {
      sql: `SELECT unit, arg_min(variant, "at") AS variant, epoch_ms(min("at"))::DOUBLE AS since FROM ${source}
        WHERE name = '$exposure' AND experiment = $experiment AND unit > $after
          AND "at" >= make_timestamp_ms($from) AND "at" < make_timestamp_ms($to)
        GROUP BY unit ORDER BY unit LIMIT ${pageUnits}`,
      parameters: { experiment: experimentId, after, from, to: completeThrough },
      ...{ files, deadlineSeconds: 300, signal },
    })) as { unit: string; variant: string; since: number }[]
    const within = (at: number) => row.pauses.some(one => at >= one.from && (one.to === null || at < one.to))
    const wanted = found.filter(one => keys.has(one.variant) && !within(one.since) && !(one.unit in row.testUnits))
    if (wanted.length > 0) await ctx.transact(inner => insertKept(inner, { experimentId, teamId, phase }, wanted))
    const last = found.at(-1)
    if (!last || found.length < pageUnits) break
    after = last.unit
  }
  const own = and(eq(experimentRows.experimentId, experimentId), eq(experimentRows.phase, phase))
  await ctx.transact(inner => inner.db.update(experimentRows).set({ keptThrough: completeThrough }).where(own))
}

async function insertKept(
  ctx: Context,
  { experimentId, teamId, phase }: Pick<Row, 'experimentId' | 'teamId' | 'phase'>,
  found: readonly { unit: string; variant: string; since: number }[],
): Promise<void> {
  await ctx.transaction(ctx.zone).query({
    text: `INSERT INTO abt_kept (experiment_id, unit, team_id, phase, variant, since)
      SELECT $1, u, $2, $3, v, s FROM unnest($4::text[], $5::text[], $6::bigint[]) AS t(u, v, s)
      ON CONFLICT (experiment_id, unit) DO NOTHING`,
    values: [
      experimentId,
      teamId,
      phase,
      found.map(one => one.unit),
      found.map(one => one.variant),
      found.map(one => one.since),
    ],
  })
}

/** Which variants a unit was seen in, by experiment: fetches ask it about all sticky experiments together. */
export async function variantsKept(
  ctx: Context,
  experimentIds: readonly string[],
  unit: string,
): Promise<ReadonlyMap<string, string>> {
  const found = await ctx.db
    .select({ experimentId: keptRows.experimentId, variant: keptRows.variant })
    .from(keptRows)
    .where(and(inArray(keptRows.experimentId, [...experimentIds]), eq(keptRows.unit, unit)))
  return new Map(found.map(one => [one.experimentId, one.variant]))
}
