import type { Context } from '../../../../server/context.ts'
import type { invocations } from '../tables.ts'
import { flushRecords } from './recording.ts'

/** All but whose they are. */
type Call = Omit<typeof invocations.$inferSelect, 'teamId' | 'projectId'>

const numbers = 'request_id, queue_ms, run_ms, mem_peak_mb, started_at'

/**
 * Every recorded call as a row, to be read from. `first_id` and `last_id` are those of the row that a call is kept in: where
 * they are asked for as well as its own id, no calls are looked into that it is not among.
 */
export const recordedCalls = `(
  SELECT false AS is_alike, request_id AS first_id, request_id AS last_id, request_id, function_id, qualifier, version, source,
    outcome, error_type, error_message, is_cold, queue_ms, boot_ms, init_ms, run_ms, mem_peak_mb, started_at, lines
  FROM fn_invocations
  UNION ALL
  SELECT true, a.first_id, a.last_id, one.request_id, a.function_id, a.qualifier, a.version, a.source,
    'SUCCESS', NULL, NULL, false, one.queue_ms::int, 0, 0, one.run_ms::int, one.mem_peak_mb::int, one.started_at, '[]'
  FROM fn_calls_alike a,
    unnest(a.request_ids, a.queue_ms, a.run_ms, a.mem_peak_mb, a.started_at) AS one(${numbers}))`

/**
 * What is counted of calls: of each, or of all that are kept together, where none of them began in another period than the
 * others. `last_id` is as above.
 */
export const countedCalls = (periodMs: number) => `(
  SELECT function_id, request_id AS last_id, started_at, started_at AS last_at, 1 AS calls, (outcome <> 'SUCCESS')::int AS failures,
    (outcome = 'REFUSED')::int AS refused, is_cold::int AS cold, run_ms AS ran_ms
  FROM fn_invocations
  UNION ALL
  SELECT function_id, last_id, first_at, last_at, calls, 0, 0, 0, ran_ms
  FROM fn_calls_alike WHERE first_at / ${periodMs} = last_at / ${periodMs}
  UNION ALL
  SELECT a.function_id, a.last_id, one.started_at, one.started_at, 1, 0, 0, 0, one.run_ms
  FROM fn_calls_alike a, unnest(a.started_at, a.run_ms) AS one(started_at, run_ms)
  WHERE first_at / ${periodMs} <> last_at / ${periodMs})`

interface Wanted {
  keyword?: string
  requestId?: string
  outcome?: Call['outcome']
  /** The id of the last call of the page before. */
  cursor?: string
  pageSize: number
}

interface Found {
  total: number
  list: Call[]
  nextCursor: string | null
}

/** By line, as the text of them all has names and signs that nobody wrote. Calls that are alike neither say anything nor fail. */
const isWanted = `function_id = $1 AND ($2::text IS NULL OR outcome = $2) AND ($3::text IS NULL OR error_type ILIKE $3
  OR error_message ILIKE $3 OR EXISTS (SELECT 1 FROM jsonb_array_elements(lines) AS one WHERE one ->> 'line' ILIKE $3))`

const countText = `SELECT
  (SELECT count(*) FROM fn_invocations WHERE ${isWanted} AND ($5::bigint IS NULL OR request_id = $5))
  + (SELECT coalesce(sum(CASE WHEN $5 IS NULL THEN calls ELSE 1 END), 0) FROM fn_calls_alike
    WHERE $4::boolean AND function_id = $1
      AND ($5 IS NULL OR first_id <= $5 AND last_id >= $5 AND $5 = ANY(request_ids))) AS total`

/** Of so many calls that are alike and below an id, the lowest: a page has none that is lower. 0 where there are fewer. */
const lowestOfPage = `(SELECT CASE WHEN $4::boolean AND sum(calls) >= $7 THEN min(first_id) ELSE 0 END FROM (
  SELECT calls, first_id, sum(calls) OVER (ORDER BY last_id DESC) AS so_far FROM (
    SELECT calls, first_id, last_id FROM fn_calls_alike
    WHERE function_id = $1 AND last_id < $6 ORDER BY last_id DESC LIMIT $7) AS below) AS summed
  WHERE so_far - calls < $7)`

const pageText = `SELECT request_id AS "requestId", function_id AS "functionId", qualifier, version, source, outcome,
    error_type AS "errorType", error_message AS "errorMessage", is_cold AS "isCold", queue_ms AS "queueMs",
    boot_ms AS "bootMs", init_ms AS "initMs", run_ms AS "runMs", mem_peak_mb AS "memPeakMb", started_at AS "startedAt", lines
  FROM ${recordedCalls} AS call, (SELECT greatest($5::bigint, ${lowestOfPage}) AS id) AS lowest
  WHERE ${isWanted} AND (NOT is_alike OR $4::boolean)
    AND request_id >= lowest.id AND last_id >= lowest.id AND request_id < $6 AND first_id < $6
  ORDER BY request_id DESC LIMIT $7`

const highestId = 2n ** 63n - 1n

/** Above all ids of a page. */
function upperEndOf({ requestId, cursor }: Wanted): bigint {
  let end = highestId
  if (requestId !== undefined && BigInt(requestId) < end) end = BigInt(requestId) + 1n
  if (cursor !== undefined && /^[1-9][0-9]{0,18}$/.test(cursor) && BigInt(cursor) < end) end = BigInt(cursor)
  return end
}

/** A function's calls, the newest first. */
export async function listCalls(ctx: Context, functionId: string, wanted: Wanted): Promise<Found> {
  await flushRecords(ctx.server)
  const { keyword, requestId, outcome, pageSize } = wanted
  if (requestId !== undefined && BigInt(requestId) > highestId) return { total: 0, list: [], nextCursor: null }
  const pattern = keyword ? `%${keyword.replace(/[\\%_]/g, '\\$&')}%` : null
  const canBeAlike = pattern === null && (outcome === undefined || outcome === 'SUCCESS')
  const which = [functionId, outcome ?? null, pattern, canBeAlike]
  const transaction = ctx.transaction(ctx.zone)
  const counted = await transaction.query<{ total: string }>({ text: countText, values: [...which, requestId ?? null] })
  const { rows } = await transaction.query<Call & { startedAt: string }>({
    text: pageText,
    values: [...which, requestId ?? '0', upperEndOf(wanted), pageSize + 1],
  })
  const list = rows.slice(0, pageSize).map(row => ({ ...row, startedAt: Number(row.startedAt) }))
  const nextCursor = rows.length > pageSize ? (list.at(-1)?.requestId ?? null) : null
  return { total: Number(counted.rows[0]?.total ?? 0), list, nextCursor }
}
