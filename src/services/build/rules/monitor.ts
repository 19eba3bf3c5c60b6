import type { Context } from '../../../server/context.ts'
import type { MonitorView } from './contract.ts'
import { gatheredDecisions } from './memory.ts'
import { headOf, type Where } from './publishing.ts'

const minuteMs = 60_000
const hourMs = 3_600_000
const mostValues = 1_500

/** Decisions over time, what each statement in force did, and what was denied most. */
export async function monitor(
  ctx: Context,
  where: Where,
  wish: { from: number; to: number; step?: number | undefined },
): Promise<MonitorView> {
  await ctx.server.gathered.write(gatheredDecisions)
  const { from, to } = wish
  const minutes = Math.max(1, Math.ceil((to - from) / minuteMs))
  const stepMinutes = Math.max(wish.step ?? Math.ceil(minutes / 60), Math.ceil(minutes / mostValues))
  const { projectId, service } = where
  const query = ctx.transaction(ctx.zone)
  const found = await query.query<MonitorView['series'][number]>({
    name: 'rules monitor series',
    text: `SELECT (minute / $5 * $5 * ${minuteMs})::float8 AS time, sum(allowed)::float8 AS allow, sum(denied)::float8 AS deny,
        sum(errors)::float8 AS error
      FROM rules_minutes WHERE project_id = $1 AND service = $2 AND minute BETWEEN $3 AND $4 GROUP BY 1 ORDER BY 1`,
    values: [projectId, service, Math.floor(from / minuteMs), Math.floor(to / minuteMs), stepMinutes],
  })
  const head = await headOf(ctx, where)
  const statements = await query.query<MonitorView['statements'][number]>({
    name: 'rules monitor statements',
    text: `SELECT line, col, sum(evaluated)::float8 AS evaluated, sum(granted)::float8 AS granted, sum(errors)::float8 AS errors
      FROM rules_statement_hours WHERE project_id = $1 AND service = $2 AND version = $3 AND hour BETWEEN $4 AND $5
      GROUP BY line, col ORDER BY line, col LIMIT 500`,
    values: [projectId, service, head?.published ?? 0, Math.floor(from / hourMs), Math.floor(to / hourMs)],
  })
  const topPaths = await query.query<MonitorView['topPaths'][number]>({
    name: 'rules monitor paths',
    text: `SELECT path, method, sum(weight)::float8 AS denied FROM rules_decisions
      WHERE project_id = $1 AND service = $2 AND NOT is_allowed AND at BETWEEN $3 AND $4
      GROUP BY path, method ORDER BY 3 DESC, 1 LIMIT 10`,
    values: [projectId, service, from, to],
  })
  const topUsers = await query.query<MonitorView['topUsers'][number]>({
    name: 'rules monitor users',
    text: `SELECT uid, sum(weight)::float8 AS denied FROM rules_decisions
      WHERE project_id = $1 AND service = $2 AND NOT is_allowed AND at BETWEEN $3 AND $4
      GROUP BY uid ORDER BY 2 DESC, 1 LIMIT 10`,
    values: [projectId, service, from, to],
  })
  const whole = (value: number) => Math.round(value)
  return {
    stepMinutes,
    series: filled(found.rows, from, to, stepMinutes),
    statements: statements.rows,
    topPaths: topPaths.rows.map(row => ({ ...row, denied: whole(row.denied) })),
    topUsers: topUsers.rows.map(row => ({ ...row, denied: whole(row.denied) })),
  }
}

/** A value for each step, also where nothing happened. */
function filled(
  rows: readonly MonitorView['series'][number][],
  from: number,
  to: number,
  stepMinutes: number,
): MonitorView['series'] {
  const stepMs = stepMinutes * minuteMs
  const known = new Map(rows.map(row => [row.time, row]))
  const made: MonitorView['series'] = []
  for (let time = Math.floor(from / stepMs) * stepMs; time <= to; time += stepMs) {
    made.push(known.get(time) ?? { time, allow: 0, deny: 0, error: 0 })
  }
  return made
}
