import { readAtDeviations } from '../../../../kernel/statistics/quantiles.ts'
import { eventsOf, isShare, type Measured, type MetricDefinition } from '../metrics/rules.ts'

export const dayMs = 86_400_000
const hourMs = 3_600_000
/** So many values of a segment have sums of their own; the rest are told as one. */
export const segmentValues = 20
/** What the others of a segment are told as. */
export const otherValues = '…'

export interface Asked {
  /** What the events are read from, as SQL. */
  source: string
  experimentId: string
  variants: readonly string[]
  /** Exposures count from the start of the experiment; units first exposed before the phase are left out. */
  startedAt: number
  phaseFrom: number
  until: number
  pauses: readonly { from: number; to: number }[]
  cupedDays: number | null
  metrics: readonly { metricId: string; definition: MetricDefinition }[]
  /** Units that have a variant without being drawn: they are left out. */
  testUnits: readonly string[]
  /** A unit seen in more than one variant counts for the first; otherwise it is left out. */
  isFirstCounted?: boolean
  /** Properties of the exposure. */
  segments: readonly string[]
}

export interface Statement {
  sql: string
  parameters: Record<string, string | number>
}

/** Only sums of a mean or a share have what was before taken out. */
export const isPaired = ({ kind }: MetricDefinition, cupedDays: number | null): boolean =>
  cupedDays !== null && (kind === 'mean' || kind === 'proportion')

/**
 * One statement that makes of events the sums an experiment is judged by: the first exposure of each unit, what each unit
 * did in its window and before, then sums by variant and day of exposure, and by variant and segment. Rows come in parts:
 * `cell` (of a day or a segment), `order` (of a quantile), `fate` (who was left out), `cap`.
 */
export function analysisSql(asked: Asked): Statement {
  const { variants, startedAt, phaseFrom, until, pauses, cupedDays, metrics, segments, testUnits } = asked
  const parameters: Statement['parameters'] = {}
  const bind = (value: string | number) => {
    const name = `p${Object.keys(parameters).length}`
    parameters[name] = value
    return `$${name}`
  }
  const before = (cupedDays ?? 0) * dayMs
  const measured = metrics.map(({ definition }, at) => ({ at, definition, isPaired: isPaired(definition, cupedDays) }))
  const events = [...new Set(metrics.flatMap(({ definition }) => eventsOf(definition)))]
  const names = events.map(bind)
  // Events are told apart by a number, once: comparing texts for each sum took most of the time.
  const code = `CASE name ${names.map((name, at) => `WHEN ${name} THEN ${at}`).join(' ')} END`
  const isPause = pauses.map(({ from, to }) => `(ms >= ${bind(from)} AND ms < ${bind(to)})`).join(' OR ') || 'false'
  const chosen = segments.map((_name, at) => `s${at}`)
  const ofEvents = ({ event, of }: Measured, from: string, to: string) => valueSql(events.indexOf(event), of, from, to)
  const ofUnit = measured.flatMap(({ at, definition, isPaired }) => {
    const { kind, denominator, fromHours, toHours } = definition
    const from = String(fromHours * hourMs)
    const to = toHours === null ? '9000000000000000' : String(toHours * hourMs)
    const whole = (measure: Measured, low: string, high: string) => {
      const made = ofEvents(measure, low, high)
      if (isShare(definition)) return `CAST(coalesce(${made}, 0) > 0 AS INTEGER)`
      return kind === 'quantile' ? made : `coalesce(${made}, 0)`
    }
    const asShare: Measured = isShare(definition) ? { event: definition.event, of: 'count' } : definition
    return [
      `${whole(asShare, from, to)} AS y${at}`,
      ...(isPaired ? [`${whole(asShare, String(-before), '0')} AS x${at}`] : []),
      ...(denominator ? [`coalesce(${ofEvents(denominator, from, to)}, 0) AS d${at}`] : []),
    ]
  })
  // Aggregates all of them: there is one row of caps, however many units.
  const caps = measured.flatMap(({ at, definition: { cap } }) =>
    cap?.by === 'percentile'
      ? [`quantile_cont(y${at}, ${bind(cap.at / 100)}) FILTER (WHERE y${at} > 0) AS c${at}`]
      : [`max(CAST(${cap ? bind(cap.at) : 'NULL'} AS DOUBLE)) AS c${at}`],
  )
  const capped = measured.flatMap(({ at, definition, isPaired }) =>
    definition.cap
      ? [
          `least(y${at}, coalesce(c${at}, y${at})) AS y${at}`,
          ...(isPaired ? [`least(x${at}, coalesce(c${at}, x${at})) AS x${at}`] : []),
        ]
      : [],
  )
  const isComplete = (definition: MetricDefinition) =>
    definition.toHours === null ? 'true' : `first_at + ${definition.toHours * hourMs} <= ${until}`
  const sums = measured
    .filter(({ definition }) => definition.kind !== 'quantile')
    .flatMap(({ at, definition, isPaired }) => {
      const over = (what: string, name: string) =>
        `coalesce(sum(CAST(${what} AS DOUBLE)) FILTER (WHERE ${isComplete(definition)}), 0) AS ${name}${at}`
      const [y, x, d] = [`y${at}`, `x${at}`, `d${at}`]
      return [
        `count(*) FILTER (WHERE ${isComplete(definition)}) AS n${at}`,
        ...[over(y, 'ys'), over(`${y} * ${y}`, 'yy')],
        ...(isPaired ? [over(x, 'xs'), over(`${x} * ${x}`, 'xx'), over(`${x} * ${y}`, 'xy')] : []),
        ...(definition.denominator ? [over(d, 'ds'), over(`${d} * ${d}`, 'dd'), over(`${d} * ${y}`, 'dy')] : []),
      ]
    })
  const orders = measured
    .filter(({ definition }) => definition.kind === 'quantile')
    .map(({ at, definition }) => orderSql(at, definition.quantile ?? 0.5, isComplete(definition)))
  const segmentsRead = segments.map((name, at) => `json_extract_string(props, ${bind(`$."${name}"`)}) AS s${at}`)
  const tops = chosen.map(
    name =>
      `top_${name} AS (SELECT ${name} FROM units GROUP BY ${name} ORDER BY count(*) DESC, ${name} LIMIT ${segmentValues})`,
  )
  const limited = chosen.map(
    name =>
      `CASE WHEN ${name} IS NULL OR ${name} IN (SELECT ${name} FROM top_${name}) THEN ${name} ELSE '${otherValues}' END AS ${name}`,
  )
  const placed = [...capped, ...limited]
  const groups = ['(variant, day)', ...chosen.map(name => `(variant, ${name})`)]
  const by = `CASE ${['day', ...chosen].map(name => `WHEN grouping(${name}) = 0 THEN '${name}'`).join(' ')} END`
  const sql = `WITH
seen AS (
  SELECT unit, epoch_ms("at") AS ms, variant, props FROM ${asked.source}
  WHERE name = '$exposure' AND experiment = ${bind(asked.experimentId)}
    AND "at" >= make_timestamp_ms(${startedAt}) AND "at" < make_timestamp_ms(${until})
),
exposed AS (
  SELECT unit, min(ms) AS first_at, arg_min(variant, ms) AS variant,
    ${asked.isFirstCounted ? 'false' : 'coalesce(min(variant) FILTER (WHERE NOT is_pause) <> max(variant) FILTER (WHERE NOT is_pause), false)'} AS is_mixed,
    bool_or(is_pause AND ms = first_seen) AS is_paused${segments.length > 0 ? ', arg_min(props, ms) AS props' : ''}
  FROM (SELECT *, (${isPause}) AS is_pause, ${pauses.length > 0 ? 'min(ms) OVER (PARTITION BY unit)' : 'NULL'} AS first_seen FROM seen)
  GROUP BY unit
),
fates AS MATERIALIZED (
  SELECT *, CASE ${testUnits.length > 0 ? `WHEN unit IN (${testUnits.map(bind).join(', ')}) THEN 'test' ` : ''}WHEN first_at < ${phaseFrom} THEN 'earlier' WHEN is_paused THEN 'paused' WHEN is_mixed THEN 'multiple'
    WHEN variant NOT IN (${variants.map(bind).join(', ')}) THEN 'unknown' ELSE 'in' END AS fate
  FROM exposed
),
units AS (
  SELECT ${['unit', 'variant', 'first_at', ...segmentsRead].join(', ')} FROM fates WHERE fate = 'in'
),
done AS (
  SELECT unit, CAST(${names.length > 0 ? code : '0'} AS UTINYINT) AS code, epoch_ms("at") AS ms, value FROM ${asked.source}
  WHERE name IN (${names.join(', ') || "''"})
    AND "at" >= make_timestamp_ms(${phaseFrom - before}) AND "at" < make_timestamp_ms(${until})
),
facts AS MATERIALIZED (
  SELECT ${[...['variant', 'first_at', ...chosen].map(name => `any_value(${name}) AS ${name}`), ...ofUnit].join(',\n    ')}
  FROM (SELECT u.*, done.code, done.value, done.ms - u.first_at AS age FROM units u LEFT JOIN done ON done.unit = u.unit)
  GROUP BY unit
),
${[`caps AS MATERIALIZED (SELECT ${caps.join(', ') || 'count(*) AS c'} FROM facts)`, ...tops].join(',\n')},
placed AS (
  SELECT facts.*${placed.length > 0 ? ` REPLACE (${placed.join(', ')})` : ''}, first_at // ${dayMs} AS day FROM facts CROSS JOIN caps
)
SELECT 'cell' AS part, ${by} AS what, variant, ${['day', ...chosen, 'count(*) AS units', ...sums].join(',\n  ')}
FROM placed GROUP BY GROUPING SETS (${groups.join(', ')})
UNION ALL BY NAME SELECT 'fate' AS part, fate AS what, count(*) AS units FROM fates GROUP BY fate
UNION ALL BY NAME SELECT 'cap' AS part, * FROM caps${orders.map(order => `\nUNION ALL BY NAME ${order}`).join('')}`
  return { sql, parameters }
}

/** What a unit's events of one name come to, from and until so long after its first exposure. */
function valueSql(code: number, of: Measured['of'], fromMs: string, toMs: string): string {
  const within = `FILTER (WHERE code = ${code} AND age >= ${fromMs} AND age < ${toMs})`
  return of === 'count' ? `nullif(count(*) ${within}, 0)` : `${of}(value) ${within}`
}

/** The values that stand at the quantile and around it, as `placesOf` of the kernel counts them; lists begin with 1. */
function orderSql(at: number, quantile: number, isComplete: string): string {
  const reach = `${readAtDeviations} * sqrt(n * ${quantile * (1 - quantile)})`
  const place = (expression: string) => `values[CAST(${expression} AS BIGINT)]`
  return `SELECT 'order' AS part, 'y${at}' AS what, variant, n AS units,
  CASE WHEN floor(n * ${quantile} - ${reach}) >= 1 THEN ${place(`floor(n * ${quantile} - ${reach})`)} END AS low,
  ${place(`greatest(1, ceil(n * ${quantile}))`)} AS middle,
  CASE WHEN ceil(n * ${quantile} + ${reach}) + 1 <= n THEN ${place(`ceil(n * ${quantile} + ${reach}) + 1`)} END AS high
FROM (SELECT variant, count(*) AS n, list(y${at} ORDER BY y${at}) AS values FROM placed
  WHERE y${at} IS NOT NULL AND ${isComplete} GROUP BY variant)`
}
