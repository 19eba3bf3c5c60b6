import { commonErrors, refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import { analyticsQuery } from '../../../server/engines/analytics/ask.ts'
import { installLine } from '../../../server/engines/analytics/installed.ts'
import { AnalyticsFailure } from '../../../server/engines/analytics/process.ts'
import { implement } from '../../../server/implement.ts'
import { type ProjectSummary, projectOf } from '../../ground/projects/public.ts'
import { appEvents as contract } from './contract.ts'
import { eraseJob } from './erasing.ts'
import { liveEventsOf } from './live/watching.ts'
import { type EventName, segmentsOf } from './public.ts'
import { dayMs, dayOf } from './rules.ts'

const { errors } = contract

export default implement(contract, {
  listEventNames: async (ctx, { query }) => {
    const { projectId } = await ctx.transact(inner => projectHere(inner, query.projectId))
    const count = query.days ?? 30
    const first = Math.floor(ctx.now() / dayMs) - count + 1
    const days = Array.from({ length: count }, (_, at) => dayOf((first + at) * dayMs))
    const { names, completeThrough } = await countedNames(ctx, projectId, first, days).catch(refuseFailure)
    const search = (query.search ?? '').trim().toLowerCase()
    const found = names.filter(one => one.name.toLowerCase().includes(search))
    const from = Number(/^\d{1,4}$/.exec(query.cursor ?? '0')?.[0] ?? 0)
    const to = from + (query.pageSize ?? 20)
    const nextCursor = to < found.length ? String(to) : null
    return { days, total: found.length, list: found.slice(from, to), nextCursor, completeThrough }
  },

  listLiveEvents: async (ctx, { query }) => {
    const { projectId } = await ctx.transact(inner => projectHere(inner, query.projectId))
    return { list: (await liveEventsOf(ctx.server).look(ctx, projectId)).toReversed() }
  },

  eraseUnit: async (ctx, { body }) => {
    const { projectId, teamId } = await projectHere(ctx, body.projectId)
    const input = { projectId, unit: body.unit.normalize('NFC') }
    ctx.audit({ action: 'appEvents.unitErased', entity: 'project', entityId: projectId })
    return { jobId: ctx.startJob({ kind: eraseJob, subject: projectId, input, deadlineMs: 3_600_000, teamId }) }
  },
})

/** A project of the caller's team whose data is in the zone of the call. Refuses 404. */
export async function projectHere(ctx: Context, projectId: string): Promise<ProjectSummary> {
  const project = await projectOf(ctx, projectId)
  if (project.zone !== ctx.zone) refuse(commonErrors.notFound, { entity: 'project', id: projectId })
  return project
}

async function countedNames(ctx: Context, projectId: string, first: number, days: readonly string[]) {
  const from = first * dayMs
  const { files, completeThrough } = await segmentsOf(ctx, projectId, { from, to: from + days.length * dayMs })
  if (files.length === 0) return { names: [], completeThrough }
  const parameters = { from, to: from + days.length * dayMs }
  const within = 'FROM read_parquet($files) WHERE "at" >= epoch_ms($from) AND "at" < epoch_ms($to)'
  const [counted, byDay] = await Promise.all([
    analyticsQuery(ctx.server, {
      sql: `SELECT name, count(*)::double AS count, count(DISTINCT unit)::double AS units, bool_or(value IS NOT NULL) AS "hasValue"
        ${within} GROUP BY name ORDER BY count(*) DESC, name LIMIT 1000`,
      ...{ parameters, files },
    }),
    analyticsQuery(ctx.server, {
      sql: `SELECT name, (epoch_ms("at") // 86400000)::integer AS day, count(*)::double AS count ${within} GROUP BY ALL LIMIT 90000`,
      ...{ parameters, files },
    }),
  ])
  const series = new Map<string, number[]>()
  for (const { name, day, count } of byDay as unknown as { name: string; day: number; count: number }[]) {
    const counts = series.get(name) ?? days.map(() => 0)
    counts[day - first] = count
    series.set(name, counts)
  }
  const names = (counted as unknown as EventName[]).map(one => ({ ...one, days: series.get(one.name) ?? [] }))
  return { names, completeThrough }
}

function refuseFailure(error: unknown): never {
  if (error instanceof AnalyticsFailure) {
    if (error.kind === 'missing') refuse(errors.engineMissing, { install: installLine })
    refuse(errors.engineFailed, { reason: error.message })
  }
  throw error
}
