import { type Context, systemContext } from '../../../server/context.ts'
import { segmentName } from '../../../server/engines/analytics/analytics.ts'
import { analyticsQuery } from '../../../server/engines/analytics/ask.ts'
import { projectsOf } from '../../ground/projects/public.ts'
import { type AppEvent, isProblem, keptEvent } from './checking.ts'
import { recordKept } from './recording.ts'
import { sealProject, segmentsBetween } from './sealing.ts'

export type { AppEvent } from './checking.ts'

/**
 * The files with the events of a project of the zone of the context, from an instant to before another one; what was taken
 * before the call is in them. For `analyticsQuery(server, { sql: '... FROM read_parquet($files) WHERE "at" >= epoch_ms($from)',
 * files })`, soon: after an hour others may have taken their place. Files hold whole stretches, so the query says the time
 * again. None where nothing came: DuckDB reads no empty list. Columns: `id BIGINT` (each once), `name VARCHAR`,
 * `unit VARCHAR`, `"at" TIMESTAMP` in UTC, `value DOUBLE`, `experiment VARCHAR`, `variant VARCHAR`, `props VARCHAR` (a JSON
 * object). An exposure is named `$exposure`. `completeThrough`: everything taken before it is there.
 * Throws `AnalyticsFailure` where DuckDB is missing. Whoever calls has seen to it that the caller may see the project.
 */
export async function segmentsOf(
  ctx: Context,
  projectId: string,
  { from, to }: { from: number; to: number },
): Promise<{ files: string[]; completeThrough: number }> {
  const completeThrough = ctx.now()
  await sealProject(ctx.server, ctx.zone, projectId)
  const own = systemContext(ctx.server, ctx.zone, { name: 'appEvents' })
  const segments = await own.transact(inner => segmentsBetween(inner, projectId, from, to))
  return { files: segments.map(one => segmentName(ctx.zone, one.sha256)), completeThrough }
}

export interface EventName {
  name: string
  count: number
  /** Distinct, counted exactly. */
  units: number
  /** Whether any of them has a value. */
  hasValue: boolean
}

/** What events a project has had since an instant, the most frequent first; at most 1000 names. */
export async function eventNamesOf(ctx: Context, projectId: string, sinceMs: number): Promise<EventName[]> {
  const { files } = await segmentsOf(ctx, projectId, { from: sinceMs, to: Number.MAX_SAFE_INTEGER })
  if (files.length === 0) return []
  const rows = await analyticsQuery(ctx.server, {
    sql: `SELECT name, count(*)::double AS count, count(DISTINCT unit)::double AS units, bool_or(value IS NOT NULL) AS "hasValue"
      FROM read_parquet($files) WHERE "at" >= epoch_ms($since) GROUP BY name ORDER BY count(*) DESC, name LIMIT 1000`,
    parameters: { since: Math.max(0, Math.floor(sinceMs)) },
    files,
  })
  return rows as unknown as EventName[]
}

/**
 * Takes events in the name of the server itself; resolves when they are committed, in a transaction of their own. Throws a
 * sentence for the first one that is none: then nothing was taken. An event with an `eventId` that came before counts once.
 */
export async function recordAppEvents(ctx: Context, projectId: string, events: readonly AppEvent[]): Promise<void> {
  const receivedAt = ctx.now()
  const kept = events.map((event, at) => {
    const one = keptEvent(event, { receivedAt, newId: () => ctx.newId() })
    if (isProblem(one)) throw new Error(`event ${at}, ${one.field}: ${one.message}`)
    return one
  })
  const own = systemContext(ctx.server, ctx.zone, { name: 'appEvents' })
  const [project] = await own.transact(inner => projectsOf(inner, [projectId]))
  if (!project || project.zone !== ctx.zone) throw new Error(`project ${projectId} is not in ${ctx.zone}`)
  await recordKept(ctx.server, { zone: ctx.zone, teamId: project.teamId, projectId }, kept, receivedAt)
}
