import { sheetFormats } from '../../../../kernel/cells.ts'
import { service } from '../../../../kernel/contract.ts'
import { languages } from '../../../../kernel/language.ts'
import {
  flag,
  Id,
  Instant,
  integer,
  list,
  nullable,
  oneOf,
  optional,
  type Static,
  shape,
  Type,
  text,
} from '../../../../kernel/shape.ts'
import { Count, of, experimentErrors as shared } from '../contract.ts'
import { engines, limits, reasons, roles, statuses } from '../rules.ts'

const Real = Type.Number()
const Interval = shape({ low: Real, high: Real })

const ComparisonShape = shape({
  variant: Type.String(),
  n: Count,
  mean: Real,
  numerator: nullable(Real),
  denominator: nullable(Real),
  lift: nullable(Real),
  absolute: nullable(Real),
  interval: nullable(Interval),
  absoluteInterval: nullable(Interval),
  p: nullable(Real),
  pAdjusted: nullable(Real),
  chanceToWin: nullable(Real),
  loss: nullable(shape({ ofShipping: Real, ofKeeping: Real })),
  worst: nullable(Real),
  cuped: nullable(shape({ theta: Real, varianceReduction: Real })),
  /** What the change would come to in a year, in the metric’s own unit. */
  yearly: optional(nullable(Real)),
})
const JudgedShape = shape({
  metricId: Id,
  name: Type.String(),
  role: oneOf([...roles]),
  isPostHoc: flag(),
  direction: oneOf(['up', 'down']),
  baseline: shape({
    variant: Type.String(),
    n: Count,
    mean: Real,
    numerator: nullable(Real),
    denominator: nullable(Real),
  }),
  variants: list(ComparisonShape),
})
export type JudgedView = Static<typeof JudgedShape>

const Split = shape({ chiSquare: Real, p: Real, isHealthy: flag() })

export const ResultsShape = shape({
  /** The snapshot that all of it is computed from; null before the first analysis. */
  queryId: nullable(Id),
  phase: Count,
  engine: oneOf([...engines]),
  analysedAt: nullable(Instant),
  completeThrough: nullable(Instant),
  from: nullable(Instant),
  until: nullable(Instant),
  variants: list(shape({ key: Type.String(), name: Type.String(), weight: Real, units: Count })),
  srm: nullable(Split),
  multipleExposures: Count,
  leftOut: shape({ earlier: Count, paused: Count, unknown: Count }),
  metrics: list(JudgedShape),
  segments: list(
    shape({
      attribute: Type.String(),
      value: nullable(Type.String()),
      units: Count,
      splitP: Real,
      isSplitHealthy: flag(),
      metrics: list(JudgedShape),
    }),
  ),
})

export const ReportShape = shape({
  status: oneOf([...statuses]),
  variant: nullable(Type.String()),
  reasons: list(oneOf([...reasons])),
  daysLeft: nullable(Count),
  isShippable: flag(),
  days: Real,
  minDays: Count,
  maxDays: Count,
  results: ResultsShape,
  /** By metric and variant: how the change came about as units came in, and of the units of each day by themselves. */
  courses: list(
    shape({
      metricId: Id,
      variant: Type.String(),
      cumulative: list(coursePoint()),
      daily: list(coursePoint()),
    }),
  ),
})
export type ReportView = Static<typeof ReportShape>

function coursePoint() {
  return shape({ at: Instant, units: Count, lift: nullable(Real), low: nullable(Real), high: nullable(Real) })
}

const Engine = optional(oneOf([...engines]))
const Sheet = { format: oneOf([...sheetFormats]), language: oneOf([...languages]) }

export const experimentAnalysis = service({
  name: 'grow/experiments',
  prefix: '/abt/v1',
  zone: 'current',
  permissions: ['experiments.read', 'experiments.edit'],
  errors: {
    notStarted: [204151041, 409, 'It never ran, so there is nothing to analyse; start it first.'],
    isAnalysing: [204151042, 409, 'An analysis runs already; wait for it.'],
    noMetric: shared.noMetric,
    noSegment: [204151043, 400, 'Results are not broken down by {dim}; the experiment names {segments}.'],
    noPlan: [204151044, 400, '{message}'],
  },
  calls: {
    analyseExperiment: {
      method: 'POST',
      path: '/experiments/:experimentId/analyse',
      who: 'cp',
      may: 'experiments.edit',
      summary: 'Analyses what came until now; the numbers change when the job is done',
      params: of,
      answer: shape({ jobId: Id }),
    },
    getAnalysis: {
      method: 'GET',
      path: '/experiments/:experimentId/analysis',
      who: 'cp',
      may: 'experiments.read',
      summary: 'How far the analysis that runs, or ran last, is',
      params: of,
      answer: shape({
        jobId: nullable(Id),
        state: oneOf(['none', 'waiting', 'running', 'done', 'failed']),
        step: nullable(Type.String()),
        percent: integer(0, 100),
        problem: nullable(Type.String()),
      }),
    },
    getResults: {
      method: 'GET',
      path: '/experiments/:experimentId/results',
      who: 'cp',
      may: 'experiments.read',
      summary:
        'The numbers of each metric and variant by one of three engines, and by segment; computed from the last snapshot',
      params: of,
      query: shape({ engine: Engine, metric: optional(Id), dim: optional(text(limits.attributeLength)) }),
      answer: ResultsShape,
    },
    getReport: {
      method: 'GET',
      path: '/experiments/:experimentId/report',
      who: 'cp',
      may: 'experiments.read',
      summary: 'What the numbers say should be done, why, and how they came about',
      params: of,
      query: shape({ engine: Engine }),
      answer: ReportShape,
    },
    exportReport: {
      method: 'GET',
      path: '/experiments/:experimentId/report/export',
      who: 'cp',
      may: 'experiments.read',
      kind: 'download',
      summary: 'The results as a file, a line for each metric and variant',
      params: of,
      query: shape({ engine: Engine, ...Sheet }),
    },
    exportExposures: {
      method: 'GET',
      path: '/experiments/:experimentId/exposures/export',
      who: 'cp',
      may: 'experiments.edit',
      kind: 'download',
      transaction: false,
      summary: 'Every unit with the variant it was first seen in, and when',
      params: of,
      query: shape({ ...Sheet }),
    },
    planExperiment: {
      method: 'POST',
      path: '/power',
      who: 'cp',
      may: 'experiments.read',
      summary: 'How many units and days it takes to see a change of some size',
      body: shape({
        share: optional(Type.Number({ exclusiveMinimum: 0, exclusiveMaximum: 1 })),
        mean: optional(Type.Number()),
        deviation: optional(Type.Number({ exclusiveMinimum: 0 })),
        mde: Type.Number({ minimum: 0.001, maximum: 10 }),
        alpha: Type.Number({ minimum: 0.001, maximum: 0.2 }),
        power: Type.Number({ minimum: 0.5, maximum: 0.99 }),
        variants: integer(2, limits.variants),
        goals: optional(integer(1, limits.goals)),
        isCorrected: optional(flag()),
        varianceReduction: optional(Type.Number({ minimum: 0, maximum: 0.95 })),
        unitsPerDay: optional(Type.Number({ minimum: 0, maximum: 1e12 })),
      }),
      answer: shape({
        unitsOfVariant: Count,
        units: Count,
        days: nullable(Count),
        alpha: Real,
      }),
    },
  },
})
