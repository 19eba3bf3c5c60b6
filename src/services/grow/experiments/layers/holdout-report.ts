import { and, eq } from 'drizzle-orm'
import { refuse } from '../../../../kernel/errors.ts'
import { effectOf, judgeOnce } from '../../../../kernel/statistics/effects.ts'
import { meanOf, type Sums } from '../../../../kernel/statistics/samples.ts'
import { isWithin } from '../../../../kernel/targeting/bucket.ts'
import type { Context } from '../../../../server/context.ts'
import { analyticsQuery } from '../../../../server/engines/analytics/ask.ts'
import { segmentsOf } from '../../../analyse/app-events/public.ts'
import { source } from '../analysis/gather.ts'
import { isShare, type Measured, type MetricDefinition } from '../metrics/rules.ts'
import { projectHere } from '../rows.ts'
import { metricRows } from '../tables.ts'
import { experimentLayers as contract } from './contract.ts'
import { holdoutOf, usualPercent } from './holdout.ts'

const dayMs = 86_400_000
const usualDays = 28
/** Units that one question is answered about; more are looked at in so many questions, then by sample. */
const unitsAtOnce = 80_000
const mostQuestions = 8
const alpha = 0.05

interface Asked {
  projectId: string
  metricId: string
  days?: number
}

/**
 * What everybody does who takes part in experiments, beside those who take part in none: by units that did anything in the
 * time. Who is held back is drawn here as it is when apps ask, so nobody has to have written it down.
 */
export async function reportOfHoldout(ctx: Context, { projectId, metricId, days = usualDays }: Asked) {
  const to = ctx.now()
  const from = to - days * dayMs
  const { holdout, definition, events } = await ctx.transact(async inner => {
    const project = await projectHere(inner, projectId)
    const [metric] = await inner.db
      .select()
      .from(metricRows)
      .where(and(eq(metricRows.metricId, metricId), eq(metricRows.projectId, project.projectId)))
    return {
      holdout: await holdoutOf(inner, projectId),
      definition: metric?.definition ?? refuse(contract.errors.noMetric, { metricId }),
      events: await segmentsOf(inner, projectId, { from, to }),
    }
  })
  const percent = holdout?.percent ?? usualPercent
  const until = Math.min(to, events.completeThrough)
  const { files } = events
  const none = { n: 0, sum: 0, sumOfSquares: 0 }
  const sums = { heldBack: { ...none }, others: { ...none } }
  let sampledBy = 1
  if (files.length > 0 && holdout && until > from) {
    const window = { from, to: until }
    const [total] = await analyticsQuery(ctx.server, {
      ...{
        sql: `SELECT count(DISTINCT unit)::DOUBLE AS units FROM ${source} WHERE ${within}`,
        parameters: window,
        files,
      },
    })
    const parts = Math.max(1, Math.ceil(Number(total?.['units'] ?? 0) / unitsAtOnce))
    const questions = Math.min(parts, mostQuestions)
    sampledBy = Math.ceil(parts / questions)
    for (let part = 0; part < questions; part++) {
      const parameters = { ...window, parts, part, event: definition.event }
      const found = await analyticsQuery(ctx.server, {
        sql: valuesSql(definition),
        parameters,
        files,
        deadlineSeconds: 120,
      })
      for (const row of found) {
        const isHeld = isWithin('holdout', holdout.seed, String(row['unit']), percent)
        add(isHeld ? sums.heldBack : sums.others, Number(row['value']))
      }
    }
  }
  return { ...compared(sums), percent, days, sampledBy, completeThrough: files.length > 0 ? until : null }
}

const within = `"at" >= make_timestamp_ms($from) AND "at" < make_timestamp_ms($to)`

/** One value of each unit. A ratio and a quantile are told as what their unit did on the whole. */
function valuesSql(definition: MetricDefinition): string {
  const of = ({ of: how }: Measured) =>
    how === 'count'
      ? `count(*) FILTER (WHERE name = $event)`
      : `coalesce(${how}(value) FILTER (WHERE name = $event), 0)`
  const value = isShare(definition) ? 'CAST(count(*) FILTER (WHERE name = $event) > 0 AS INTEGER)' : of(definition)
  const capped = definition.cap?.by === 'value' ? `least(${value}, ${definition.cap.at})` : value
  return `SELECT unit, (${capped})::DOUBLE AS value FROM ${source}
    WHERE ${within} AND hash(unit) % $parts = $part GROUP BY unit`
}

function add(sums: Sums, value: number): void {
  sums.n++
  sums.sum += value
  sums.sumOfSquares += value * value
}

function compared({ heldBack, others }: { heldBack: Sums; others: Sums }) {
  const [held, free] = [meanOf(heldBack), meanOf(others)]
  const absolute = effectOf(held, free, 'absolute')
  const relative = effectOf(held, free, 'relative')
  const judged = absolute && judgeOnce(absolute, alpha)
  return {
    heldBack: { units: held.n, mean: held.mean },
    others: { units: free.n, mean: free.mean },
    change: judged &&
      absolute && { absolute: absolute.effect, relative: relative?.effect ?? null, ...judged.interval, p: judged.p },
    added: absolute && absolute.effect * free.n,
  }
}
