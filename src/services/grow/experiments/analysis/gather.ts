import type { Context } from '../../../../server/context.ts'
import { analyticsQuery } from '../../../../server/engines/analytics/ask.ts'
import { segmentsOf } from '../../../analyse/app-events/public.ts'
import { metricsOf } from '../checks.ts'
import type { Row } from '../running.ts'
import type { AnalysedMetric, CellSums, DayCells, OrderCell, SegmentCells, Snapshot } from '../tables.ts'
import { analysisSql, dayMs, isPaired } from './analysis-sql.ts'

export const source = 'read_parquet($files)'
const deadlineSeconds = 600

type Found = Record<string, unknown>

/** What of an experiment its sums are asked by. */
interface Gathering
  extends Pick<Row, 'experimentId' | 'projectId' | 'phase' | 'design' | 'startedAt' | 'phaseStartedAt' | 'stoppedAt'>,
    Pick<Row, 'pauses' | 'testUnits'> {
  /** A unit seen in more than one variant counts for the first; otherwise it is left out. */
  isFirstCounted?: boolean
}

/** Asks the events of an experiment for its sums; null before there is anything complete of its phase. */
export async function gather(
  ctx: Context,
  row: Gathering,
  signal?: AbortSignal,
): Promise<{ snapshot: Snapshot; completeThrough: number } | null> {
  const { startedAt, phaseStartedAt, design, projectId } = row
  if (startedAt === null || phaseStartedAt === null) return null
  const from = startedAt - (design.cupedDays ?? 0) * dayMs
  const to = row.stoppedAt ?? ctx.now()
  const { events, metrics } = await ctx.transact(async inner => ({
    events: await segmentsOf(inner, projectId, { from, to }),
    metrics: await metricsOf(inner, projectId, design),
  }))
  const until = Math.min(to, events.completeThrough)
  if (until <= phaseStartedAt) return null
  const pauses = row.pauses.map(one => ({ from: one.from, to: one.to ?? until }))
  const found = metrics.map(({ metricId, name, definition }) => ({ metricId, name, definition }))
  const statement = analysisSql({
    ...{ source, experimentId: row.experimentId, variants: design.variants.map(one => one.key), startedAt, until },
    ...{ phaseFrom: phaseStartedAt, pauses, cupedDays: design.cupedDays, metrics: found, segments: design.segments },
    testUnits: Object.keys(row.testUnits),
    ...(row.isFirstCounted && { isFirstCounted: true }),
  })
  const { files } = events
  const rows =
    files.length === 0
      ? []
      : await analyticsQuery(ctx.server, { ...statement, files, deadlineSeconds, ...(signal && { signal }) })
  const empty = { phase: row.phase, from: phaseStartedAt, until, design }
  return { snapshot: snapshotOf(empty, found, rows), completeThrough: events.completeThrough }
}

/** Rows of the statement as a snapshot. */
export function snapshotOf(
  about: Pick<Snapshot, 'phase' | 'from' | 'until' | 'design'>,
  metrics: readonly Omit<AnalysedMetric, 'cappedAt'>[],
  rows: readonly Found[],
): Snapshot {
  const { segments, cupedDays } = about.design
  const cap = rows.find(row => row['part'] === 'cap')
  const fateOf = (fate: string) => numberOf(rows.find(row => row['part'] === 'fate' && row['what'] === fate)?.['units'])
  const cells = rows.filter(row => row['part'] === 'cell')
  const shared = (row: Found) => ({
    ...{ variant: String(row['variant']), units: numberOf(row['units']) },
    metrics: Object.fromEntries(
      metrics.flatMap(({ metricId, definition }, at) =>
        definition.kind === 'quantile'
          ? []
          : [[metricId, sumsIn(row, at, isPaired(definition, cupedDays), definition.denominator !== null)]],
      ),
    ),
  })
  const days: DayCells[] = cells
    .filter(row => row['what'] === 'day')
    .map(row => ({ day: numberOf(row['day']), ...shared(row) }))
    .sort((a, b) => a.day - b.day || (a.variant < b.variant ? -1 : 1))
  const parts: SegmentCells[] = segments.flatMap((attribute, at) =>
    cells
      .filter(row => row['what'] === `s${at}`)
      .map(row => ({ attribute, value: textOf(row[`s${at}`]), ...shared(row) })),
  )
  return {
    ...{ ...about, days, segments: parts },
    metrics: metrics.map((metric, at) => ({ ...metric, cappedAt: orNull(cap?.[`c${at}`]) })),
    orders: Object.fromEntries(
      metrics.flatMap(({ metricId, definition }, at) =>
        definition.kind === 'quantile' ? [[metricId, ordersIn(rows, `y${at}`)]] : [],
      ),
    ),
    ...{ multiple: fateOf('multiple'), earlier: fateOf('earlier'), paused: fateOf('paused') },
    unknown: fateOf('unknown'),
  }
}

const numberOf = (value: unknown) => Number(value ?? 0)
const orNull = (value: unknown) => (value === null || value === undefined ? null : Number(value))
const textOf = (value: unknown) => (value === null || value === undefined ? null : String(value))

function sumsIn(row: Found, at: number, isPaired: boolean, isRatio: boolean): CellSums {
  const read = (name: string) => numberOf(row[`${name}${at}`])
  return {
    ...{ n: read('n'), sum: read('ys'), sumOfSquares: read('yy') },
    ...(isPaired && { before: { sum: read('xs'), sumOfSquares: read('xx'), sumOfProducts: read('xy') } }),
    ...(isRatio && { of: { sum: read('ds'), sumOfSquares: read('dd'), sumOfProducts: read('dy') } }),
  }
}

function ordersIn(rows: readonly Found[], what: string): Record<string, OrderCell> {
  return Object.fromEntries(
    rows
      .filter(row => row['part'] === 'order' && row['what'] === what)
      .map(row => [
        String(row['variant']),
        { n: numberOf(row['units']), low: orNull(row['low']), at: orNull(row['middle']), high: orNull(row['high']) },
      ]),
  )
}
