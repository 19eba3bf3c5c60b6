import type { Context } from '../../../../server/context.ts'
import { analyticsQuery } from '../../../../server/engines/analytics/ask.ts'
import { segmentsOf } from '../../../analyse/app-events/public.ts'
import type { Row } from '../running.ts'
import { source } from './gather.ts'

const pageUnits = 10_000

/** Every unit of an experiment by its text, with the variant it was first seen in; read page by page. */
export async function* exposuresOf(ctx: Context, row: Row): AsyncGenerator<[string, string, string], void, undefined> {
  const { experimentId, projectId, startedAt, stoppedAt } = row
  const from = startedAt ?? 0
  const to = stoppedAt ?? ctx.now()
  const { files } = await ctx.transact(inner => segmentsOf(inner, projectId, { from, to }))
  for (let after = ''; files.length > 0; ) {
    const found = (await analyticsQuery(ctx.server, {
      sql: `SELECT unit, arg_min(variant, "at") AS variant, epoch_ms(min("at"))::DOUBLE AS since FROM ${source}
        WHERE name = '$exposure' AND experiment = $experiment AND unit > $after
          AND "at" >= make_timestamp_ms($from) AND "at" < make_timestamp_ms($to)
        GROUP BY unit ORDER BY unit LIMIT ${pageUnits}`,
      parameters: { experiment: experimentId, after, from, to },
      ...{ files, deadlineSeconds: 120 },
    })) as { unit: string; variant: string; since: number }[]
    for (const { unit, variant, since } of found) yield [unit, variant, new Date(since).toISOString()]
    const last = found.at(-1)
    if (!last || found.length < pageUnits) return
    after = last.unit
  }
}
