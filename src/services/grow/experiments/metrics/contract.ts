import { service } from '../../../../kernel/contract.ts'
import {
  flag,
  Id,
  Instant,
  integer,
  list,
  nullable,
  oneOf,
  optional,
  PageQuery,
  pageOf,
  Revision,
  type Static,
  shape,
  Type,
  text,
} from '../../../../kernel/shape.ts'
import { experimentErrors as shared } from '../contract.ts'
import { limits } from '../rules.ts'
import { aggregations, metricKinds } from './rules.ts'

const measured = { event: text(100, 1), of: oneOf([...aggregations]) }
const Hours = integer(0, 24 * limits.mostDays)

export const DefinitionShape = shape({
  ...measured,
  kind: oneOf([...metricKinds]),
  denominator: nullable(shape(measured)),
  quantile: nullable(Type.Number({ minimum: 0.01, maximum: 0.99 })),
  fromHours: Hours,
  toHours: nullable(Hours),
  cap: nullable(shape({ by: oneOf(['value', 'percentile']), at: Type.Number({ minimum: 0, maximum: 1e15 }) })),
  direction: oneOf(['up', 'down']),
})

const Wish = {
  name: text(limits.nameLength, 1),
  description: optional(text(limits.textLength)),
  definition: DefinitionShape,
}

export const MetricView = shape({
  metricId: Id,
  projectId: Id,
  name: Type.String(),
  description: Type.String(),
  definition: DefinitionShape,
  /** What it is made from that nobody saw in the last seven days; empty where all is there. */
  missing: list(Type.String()),
  /** Experiments that have it. */
  usedBy: list(Type.String()),
  /** Rollouts that have not ended and are judged by it. */
  guards: list(Type.String()),
  updatedAt: Instant,
  revision: Revision,
})
export type MetricView = Static<typeof MetricView>

const of = shape({ metricId: Id })

export const experimentMetrics = service({
  name: 'grow/experiments',
  prefix: '/abt/v1',
  zone: 'current',
  permissions: ['experiments.read', 'experiments.edit'],
  errors: {
    metricNameTaken: [204151021, 409, 'The project has a metric called {name} already; give this one another name.'],
    metricInUse: [204151022, 409, 'The metric is one of {experiments}; what they count cannot change or go.'],
    metricGuards: [
      204151023,
      409,
      'Rollouts are judged by the metric: {rollouts}. What it counts cannot change or go before they end; end them, or take it out of drafts.',
    ],
    tooMany: shared.tooMany,
  },
  calls: {
    listMetrics: {
      method: 'GET',
      path: '/metrics',
      who: 'cp',
      may: 'experiments.read',
      summary: 'What a project measures its experiments by, the newest first; by a part of the name or the event',
      query: shape({ projectId: Id, search: optional(text(100)), ...PageQuery }),
      answer: pageOf(MetricView),
    },
    createMetric: {
      method: 'POST',
      path: '/metrics',
      who: 'cp',
      may: 'experiments.edit',
      summary: 'Makes a metric of events; the answer tells which of them nobody saw lately',
      body: shape({ projectId: Id, ...Wish }),
      answer: MetricView,
    },
    getMetric: {
      method: 'GET',
      path: '/metrics/:metricId',
      who: 'cp',
      may: 'experiments.read',
      summary: 'One metric, with what it lacks and who uses it',
      params: of,
      answer: MetricView,
    },
    updateMetric: {
      method: 'PUT',
      path: '/metrics/:metricId',
      who: 'cp',
      may: 'experiments.edit',
      summary: 'Changes a metric; what it counts stays as it is while an experiment that started or a rollout has it',
      params: of,
      body: shape({ ...Wish, name: optional(Wish.name), definition: optional(DefinitionShape), revision: Revision }),
      answer: MetricView,
    },
    deleteMetric: {
      method: 'DELETE',
      path: '/metrics/:metricId',
      who: 'cp',
      may: 'experiments.edit',
      summary: 'Removes a metric that no experiment has and no rollout is judged by',
      params: of,
    },
    listEvents: {
      method: 'GET',
      path: '/events',
      who: 'cp',
      may: 'experiments.read',
      summary: 'The events of the last seven days that metrics can be made from, with how many came of how many units',
      query: shape({ projectId: Id, search: optional(text(100)), ...PageQuery }),
      answer: pageOf(
        shape({
          name: Type.String(),
          count: Type.Integer({ minimum: 0 }),
          units: Type.Integer({ minimum: 0 }),
          hasValue: flag(),
        }),
      ),
    },
  },
})
