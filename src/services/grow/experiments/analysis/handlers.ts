import { refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { badField } from '../../../../server/http/problem.ts'
import { implement } from '../../../../server/implement.ts'
import { jobOf } from '../../../../server/job-row.ts'
import { spreadsheet } from '../../../../server/spreadsheet.ts'
import { loadExperiment } from '../rows.ts'
import type { Engine } from '../rules.ts'
import type { Row } from '../running.ts'
import type { Snapshot } from '../tables.ts'
import { experimentAnalysis as contract } from './contract.ts'
import { decide, yearlyOf } from './decision.ts'
import { exposuresOf } from './exposures.ts'
import { analysisJob, startAnalysis } from './job.ts'
import { planOf } from './planner.ts'
import { courseOf, type Results, resultsOf, segmentsIn } from './results.ts'
import { columnsOf, rowsOf } from './sheet.ts'
import { snapshotOfRow } from './trust.ts'

const { errors } = contract
const dayMs = 86_400_000
const shown = { queued: 'waiting', running: 'running', done: 'done', failed: 'failed', canceled: 'failed' } as const

export default implement(contract, {
  analyseExperiment: async (ctx, { params }) => {
    const row = await loadExperiment(ctx, params.experimentId, true)
    if (row.startedAt === null) refuse(errors.notStarted)
    const { state } = await workOn(ctx, row)
    if (state === 'waiting' || state === 'running') refuse(errors.isAnalysing)
    const { jobId } = await startAnalysis(ctx, row)
    return { jobId: jobId as string }
  },

  getAnalysis: async (ctx, { params }) => workOn(ctx, await loadExperiment(ctx, params.experimentId)),

  getResults: async (ctx, { params, query }) => {
    const row = await loadExperiment(ctx, params.experimentId)
    const { metric, dim } = query
    const { segments, metrics } = row.design
    if (dim !== undefined && !segments.includes(dim))
      refuse(errors.noSegment, { dim, segments: segments.length > 0 ? segments : '–' })
    if (metric !== undefined && !metrics.some(one => one.metricId === metric))
      refuse(errors.noMetric, { metricId: metric })
    const { view } = await resultsFor(ctx, row, query.engine, dim)
    const only = <T extends { metricId: string }>(list: T[]) =>
      metric === undefined ? list : list.filter(one => one.metricId === metric)
    return {
      ...view,
      metrics: only(view.metrics),
      segments: view.segments.map(one => ({ ...one, metrics: only(one.metrics) })),
    }
  },

  getReport: async (ctx, { params, query }) => {
    const row = await loadExperiment(ctx, params.experimentId)
    const engine = query.engine ?? row.design.engine
    const { view, snapshot, results } = await resultsFor(ctx, row, engine)
    const { minDays, maxDays } = row.design
    if (!snapshot || !results) {
      const nothing = { variant: null, reasons: ['noExposures' as const], daysLeft: null, isShippable: false }
      return { status: 'noData', ...nothing, days: 0, minDays, maxDays, results: view, courses: [] }
    }
    const courses = results.metrics
      .filter(one => one.role === 'goal')
      .flatMap(({ metricId, variants }) =>
        variants.map(({ variant }) => ({
          ...{ metricId, variant },
          cumulative: courseOf(snapshot, { metricId, variant, engine, isCumulative: true }),
          daily: courseOf(snapshot, { metricId, variant, engine, isCumulative: false }),
        })),
      )
    const days = (snapshot.until - snapshot.from) / dayMs
    return { ...decide({ snapshot, results, engine }), days, minDays, maxDays, results: view, courses }
  },

  exportReport: async (ctx, { params, query }) => {
    const row = await loadExperiment(ctx, params.experimentId)
    const { view } = await resultsFor(ctx, row, query.engine)
    const { format, language } = query
    const fileName = `experiment-${row.experimentId}`
    return spreadsheet(format, { fileName, columns: columnsOf(language), rows: rowsOf(view.metrics, language) })
  },

  exportExposures: async (ctx, { params, query }) => {
    const row = await ctx.transact(inner => loadExperiment(inner, params.experimentId))
    if (row.startedAt === null) refuse(errors.notStarted)
    const fileName = `exposures-${row.experimentId}`
    const columns = ['unit', 'variant', 'firstAt']
    return spreadsheet(query.format, { fileName, columns, rows: exposuresOf(ctx, row) })
  },

  planExperiment: async (_ctx, { body }) => {
    const { share, mean, deviation, mde, alpha, power, variants } = body
    if (share === undefined && (mean === undefined || deviation === undefined || mean === 0))
      throw badField(
        '/share',
        'required',
        'say the share of units that do it now, or the mean, not zero, and the deviation of a unit',
      )
    const base = share === undefined ? { mean: mean as number, deviation: deviation as number } : { share }
    const { goals = 1, isCorrected = true, varianceReduction = 0, unitsPerDay = 0 } = body
    return planOf({ base, mde, alpha, power, variants, goals, isCorrected, varianceReduction, unitsPerDay })
  },
})

/** The job is kept for a time only; what it found stays. */
async function workOn(ctx: Context, { jobId, problem }: Row) {
  const none = { jobId, state: 'none' as const, step: null, percent: 0, problem }
  if (jobId === null) return none
  const { state, step, percent } = await jobOf(ctx, analysisJob, jobId).catch(() => ({
    state: null,
    step: null,
    percent: 0,
  }))
  return state === null ? none : { jobId, state: shown[state], step, percent: Math.floor(percent), problem }
}

async function resultsFor(ctx: Context, row: Row, wish: Engine | undefined, dim?: string) {
  const engine = wish ?? row.design.engine
  const kept = await snapshotOfRow(ctx, row)
  const about = { phase: row.phase, engine }
  if (!kept) return { view: { ...about, ...empty(row) }, snapshot: null, results: null }
  const { content: snapshot, at, completeThrough, snapshotId } = kept
  const results = resultsOf(snapshot, engine)
  const view = {
    ...{ ...about, queryId: snapshotId, analysedAt: at, completeThrough, from: snapshot.from, until: snapshot.until },
    ...{ variants: results.variants, srm: finite(results), multipleExposures: results.multiple },
    leftOut: { earlier: snapshot.earlier, paused: snapshot.paused, unknown: snapshot.unknown },
    metrics: withYearly(snapshot, results),
    segments: dim === undefined ? [] : segmentsIn(snapshot, dim, engine),
  }
  return { view, snapshot, results }
}

/** A unit where none should be makes the statistic infinite, which JSON has no word for. */
const finite = ({ split }: Results) => ({ ...split, chiSquare: Math.min(split.chiSquare, Number.MAX_VALUE) })

function withYearly(snapshot: Snapshot, { metrics, variants }: Results) {
  const total = variants.reduce((sum, one) => sum + one.units, 0)
  return metrics.map(metric => ({
    ...metric,
    variants: metric.variants.map(one => ({ ...one, yearly: yearlyOf(snapshot, one.absolute, total) })),
  }))
}

const empty = ({ design }: Row) => ({
  ...{ queryId: null, analysedAt: null, completeThrough: null, from: null, until: null, srm: null },
  variants: design.variants.map(({ key, name, weight }) => ({ key, name, weight, units: 0 })),
  ...{ multipleExposures: 0, leftOut: { earlier: 0, paused: 0, unknown: 0 }, metrics: [], segments: [] },
})
