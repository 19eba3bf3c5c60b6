import type { Context } from '../../../../server/context.ts'
import { lowestIdAt } from '../../../../server/ids.ts'
import { countedCalls, recordedCalls } from '../recording/recorded.ts'
import { flushRecords } from '../recording/recording.ts'

const hourMs = 3_600_000

export interface Counts {
  calls: number
  failures: number
  /** Of the failures, those of which nothing ran. */
  refused: number
  cold: number
  runMs: number
}

export interface Point extends Counts {
  at: number
  medianMs: number
  p95Ms: number
}

interface Span {
  from: number
  until: number
}

/** Whole hours up to the one that runs. */
export function spanOf(now: number, hours: number): Span {
  const until = Math.floor(now / hourMs) * hourMs + hourMs
  return { from: until - hours * hourMs, until }
}

const counted = `count(i.request_id) AS calls, count(i.request_id) FILTER (WHERE i.outcome <> 'SUCCESS') AS failures,
  count(i.request_id) FILTER (WHERE i.outcome = 'REFUSED') AS refused,
  count(i.request_id) FILTER (WHERE i.is_cold) AS cold, coalesce(sum(i.run_ms), 0) AS "runMs"`

/** By their ids, which an index has; by their time, as ids go on where a clock steps back. */
const areMeant = `i.function_id = ANY($1::bigint[]) AND i.last_id >= $5 AND i.request_id >= $5
  AND i.started_at >= $2 AND i.started_at < $3`

type Texts = Record<keyof Counts, string>
const numbers = ({ calls, failures, refused, cold, runMs }: Texts): Counts => ({
  ...{ calls: Number(calls), failures: Number(failures), refused: Number(refused) },
  ...{ cold: Number(cold), runMs: Number(runMs) },
})

/** What was called of some functions, hour by hour; hours without a call are there, too. Times are of calls that ran. */
export async function pointsOf(ctx: Context, functionIds: readonly string[], { from, until }: Span): Promise<Point[]> {
  await flushRecords(ctx.server)
  const { rows } = await ctx
    .transaction(ctx.zone)
    .query<Texts & { at: string; median: string | null; p95: string | null }>({
      text: `WITH called AS (
        SELECT i.request_id, i.outcome, i.is_cold, i.run_ms, i.started_at - i.started_at % $4::bigint AS at
        FROM ${recordedCalls} AS i WHERE ${areMeant})
      SELECT hour.at, ${counted}, percentile_disc(0.5) WITHIN GROUP (ORDER BY i.run_ms) FILTER (WHERE i.outcome <> 'REFUSED') AS median,
        percentile_disc(0.95) WITHIN GROUP (ORDER BY i.run_ms) FILTER (WHERE i.outcome <> 'REFUSED') AS p95
      FROM generate_series($2::bigint, $3::bigint - $4, $4::bigint) AS hour(at) LEFT JOIN called i ON i.at = hour.at
      GROUP BY hour.at ORDER BY hour.at`,
      values: [functionIds, from, until, hourMs, lowestIdAt(from)],
    })
  return rows.map(({ at, median, p95, ...texts }) => ({
    ...{ at: Number(at), ...numbers(texts), medianMs: Number(median ?? 0), p95Ms: Number(p95 ?? 0) },
  }))
}

export function sumOf(points: readonly Counts[]): Counts {
  const sum = { calls: 0, failures: 0, refused: 0, cold: 0, runMs: 0 }
  for (const { calls, failures, refused, cold, runMs } of points) {
    sum.calls += calls
    sum.failures += failures
    sum.refused += refused
    sum.cold += cold
    sum.runMs += runMs
  }
  return sum
}

export interface Called extends Counts {
  lastCalledAt: number | null
  /** Calls of each hour of the span. */
  byHour: number[]
}

/** Answers what was called of each of some functions. */
export async function calledOf(
  ctx: Context,
  functionIds: readonly string[],
  { from, until }: Span,
): Promise<(functionId: string) => Called> {
  await flushRecords(ctx.server)
  const { rows } = await ctx.transaction(ctx.zone).query<Texts & { id: string; hour: number; last: string }>({
    text: `SELECT function_id AS id, ((started_at - $2) / $4)::int AS hour, max(last_at) AS last, sum(calls) AS calls,
        sum(failures) AS failures, sum(refused) AS refused, sum(cold) AS cold, sum(ran_ms) AS "runMs"
      FROM ${countedCalls(hourMs)} AS call
      WHERE function_id = ANY($1::bigint[]) AND last_id >= $5 AND started_at >= $2 AND started_at < $3
      GROUP BY function_id, hour ORDER BY hour`,
    values: [functionIds, from, until, hourMs, lowestIdAt(from)],
  })
  return functionId => {
    const own = rows.filter(row => row.id === functionId)
    const byHour = new Array<number>((until - from) / hourMs).fill(0)
    for (const { hour, calls } of own) byHour[hour] = Number(calls)
    const last = own.at(-1)?.last
    return { ...sumOf(own.map(numbers)), lastCalledAt: last === undefined ? null : Number(last), byHour }
  }
}
