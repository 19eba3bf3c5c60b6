import type { Context } from '../../../../server/context.ts'
import type { Queue } from '../rules.ts'

interface Firsts {
  firstTime: number
  firstPassed: number
}
interface Decided extends Firsts {
  decided: number
  rejected: number
}
export interface WaitRow {
  queue: Queue
  decided: number
  p50Ms: number | null
  p90Ms: number | null
  p95Ms: number | null
  longestMs: number | null
  inTime: number
}
export type ReviewerRow = Decided & { reviewerId: string; handlingMs: number | null; overturned: number }
export type CategoryRow = Decided & { kindMainTag: number | null; p50Ms: number | null }
export type TotalRow = Decided & { automatic: number; sampled: number }
export interface DayRow {
  day: string
  queued: number
  decided: number
  rejected: number
  automatic: number
}
export interface NowRow {
  waiting: number
  claimed: number
  asked: number
  overdue: number
  oldestQueuedAt: string | null
}

/** Decisions of the span; the first of its item says whether it passed at once. */
const decisions = `WITH decided AS (
  SELECT t.*, NOT EXISTS (SELECT 1 FROM review_tasks b WHERE b.submission_id = t.submission_id AND b.item_id = t.item_id
      AND b.state = 'DECIDED' AND b.task_id < t.task_id) AS is_first
    FROM review_tasks t WHERE t.state = 'DECIDED' AND t.decided_at >= $1 AND t.decided_at < $2)`
const counted = `count(*)::int AS decided, count(*) FILTER (WHERE verdict = 'REJECT')::int AS rejected,
  count(*) FILTER (WHERE is_first)::int AS "firstTime",
  count(*) FILTER (WHERE is_first AND verdict <> 'REJECT')::int AS "firstPassed"`
const percentile = (share: number, of: string) =>
  `round(percentile_cont(${share}) WITHIN GROUP (ORDER BY ${of}))::float8`

async function rowsOf<Row extends object>(ctx: Context, name: string, text: string, values: unknown[]): Promise<Row[]> {
  return (await ctx.transaction(ctx.zone).query<Row & Record<string, unknown>>({ name, text, values })).rows as Row[]
}

export async function totalOf(ctx: Context, from: number, to: number): Promise<TotalRow | undefined> {
  const text = `${decisions} SELECT ${counted}, count(*) FILTER (WHERE queue = 'AUTO')::int AS automatic,
    count(*) FILTER (WHERE is_sampled)::int AS sampled FROM decided`
  return (await rowsOf<TotalRow>(ctx, 'review totals', text, [from, to]))[0]
}

export async function waitsOf(ctx: Context, from: number, to: number): Promise<WaitRow[]> {
  const wait = 'decided_at - queued_at'
  const text = `${decisions} SELECT queue, count(*)::int AS decided, ${percentile(0.5, wait)} AS "p50Ms",
    ${percentile(0.9, wait)} AS "p90Ms", ${percentile(0.95, wait)} AS "p95Ms", max(${wait})::float8 AS "longestMs",
    count(*) FILTER (WHERE decided_at <= sla_due_at)::int AS "inTime"
    FROM decided WHERE queue <> 'AUTO' GROUP BY queue ORDER BY queue`
  return rowsOf<WaitRow>(ctx, 'review waits', text, [from, to])
}

export async function reviewersOf(ctx: Context, from: number, to: number, limit: number): Promise<ReviewerRow[]> {
  const text = `${decisions} SELECT decided_by::text AS "reviewerId", ${counted},
    ${percentile(0.5, 'decided_at - claimed_at')} AS "handlingMs",
    count(*) FILTER (WHERE EXISTS (SELECT 1 FROM review_appeals a JOIN review_tasks o ON o.task_id = a.appeal_task_id
      WHERE a.task_id = decided.task_id AND o.verdict <> 'REJECT'))::int AS overturned
    FROM decided WHERE decided_by IS NOT NULL GROUP BY decided_by ORDER BY count(*) DESC, decided_by LIMIT $3`
  return rowsOf<ReviewerRow>(ctx, 'review reviewers', text, [from, to, limit])
}

export async function categoriesOf(ctx: Context, from: number, to: number, limit: number): Promise<CategoryRow[]> {
  const text = `${decisions} SELECT kind_main_tag AS "kindMainTag", ${counted},
    ${percentile(0.5, 'decided_at - queued_at')} AS "p50Ms"
    FROM decided GROUP BY kind_main_tag ORDER BY count(*) DESC, kind_main_tag LIMIT $3`
  return rowsOf<CategoryRow>(ctx, 'review categories', text, [from, to, limit])
}

export async function daysOf(ctx: Context, from: number, to: number): Promise<DayRow[]> {
  const text = `WITH days AS (SELECT day FROM generate_series($1::bigint, $2::bigint - 1, 86400000) AS day),
    queued AS (SELECT queued_at / 86400000 * 86400000 AS day, count(*) AS n FROM review_tasks
      WHERE queued_at >= $1 AND queued_at < $2 GROUP BY 1),
    decided AS (SELECT decided_at / 86400000 * 86400000 AS day, count(*) AS n,
        count(*) FILTER (WHERE verdict = 'REJECT') AS rejected, count(*) FILTER (WHERE queue = 'AUTO') AS automatic
      FROM review_tasks WHERE state = 'DECIDED' AND decided_at >= $1 AND decided_at < $2 GROUP BY 1)
    SELECT to_char(to_timestamp(days.day / 1000) AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day,
      coalesce(queued.n, 0)::int AS queued, coalesce(decided.n, 0)::int AS decided,
      coalesce(decided.rejected, 0)::int AS rejected, coalesce(decided.automatic, 0)::int AS automatic
    FROM days LEFT JOIN queued ON queued.day = days.day LEFT JOIN decided ON decided.day = days.day ORDER BY days.day`
  return rowsOf<DayRow>(ctx, 'review days', text, [from, to])
}

export async function nowOf(ctx: Context, now: number): Promise<NowRow | undefined> {
  const text = `SELECT count(*) FILTER (WHERE state = 'QUEUED')::int AS waiting,
      count(*) FILTER (WHERE state = 'CLAIMED')::int AS claimed, count(*) FILTER (WHERE state = 'WAITING')::int AS asked,
      count(*) FILTER (WHERE state <> 'WAITING' AND sla_due_at < $1)::int AS overdue,
      min(queued_at) FILTER (WHERE state = 'QUEUED') AS "oldestQueuedAt"
    FROM review_tasks WHERE state IN ('QUEUED', 'CLAIMED', 'WAITING')`
  return (await rowsOf<NowRow>(ctx, 'review now', text, [now]))[0]
}
