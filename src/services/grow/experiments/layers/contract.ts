import { service } from '../../../../kernel/contract.ts'
import {
  Id,
  Instant,
  list,
  nullable,
  oneOf,
  optional,
  PageQuery,
  pageOf,
  pattern,
  Revision,
  type Static,
  shape,
  Type,
  text,
} from '../../../../kernel/shape.ts'
import { Count, experimentErrors as shared } from '../contract.ts'
import { limits, states } from '../rules.ts'

const Attribute = pattern('^[A-Za-z_$][A-Za-z0-9_.$-]*$', limits.attributeLength, 'targetingKey')
const Part = { from: Type.Number(), to: Type.Number() }

export const LayerView = shape({
  layerId: Id,
  projectId: Id,
  name: Type.String(),
  unitAttr: Type.String(),
  /** Who has which part, in percent; of those that run no two overlap. */
  parts: list(shape({ ...Part, experimentId: Id, name: Type.String(), state: oneOf([...states]) })),
  /** What is free beside those that run. */
  free: list(shape(Part)),
  updatedAt: Instant,
  revision: Revision,
})
export type LayerView = Static<typeof LayerView>

export const HoldoutView = shape({
  projectId: Id,
  percent: Type.Number(),
  unitAttr: Type.String(),
  revision: Count,
})

const Share = shape({ units: Count, mean: Type.Number() })

const of = shape({ layerId: Id })

export const experimentLayers = service({
  name: 'grow/experiments',
  prefix: '/abt/v1',
  zone: 'current',
  permissions: ['experiments.read', 'experiments.edit', 'experiments.run'],
  errors: {
    layerNameTaken: [204151031, 409, 'The project has a layer called {name} already; give this one another name.'],
    layerInUse: [204151032, 409, 'The layer has parts of {experiments}; take them out of it first.'],
    holdoutRuns: [204151033, 409, 'Experiments run; what units are held back by cannot change under them.'],
    tooMany: shared.tooMany,
    noMetric: shared.noMetric,
  },
  calls: {
    listLayers: {
      method: 'GET',
      path: '/layers',
      who: 'cp',
      may: 'experiments.read',
      summary: 'The layers of a project, the newest first, with who has which part',
      query: shape({ projectId: Id, search: optional(text(100)), ...PageQuery }),
      answer: pageOf(LayerView),
    },
    createLayer: {
      method: 'POST',
      path: '/layers',
      who: 'cp',
      may: 'experiments.edit',
      summary: 'Makes a layer: experiments that have parts of it share nobody',
      body: shape({ projectId: Id, name: text(limits.nameLength, 1), unitAttr: optional(Attribute) }),
      answer: LayerView,
    },
    getLayer: {
      method: 'GET',
      path: '/layers/:layerId',
      who: 'cp',
      may: 'experiments.read',
      summary: 'One layer',
      params: of,
      answer: LayerView,
    },
    updateLayer: {
      method: 'PUT',
      path: '/layers/:layerId',
      who: 'cp',
      may: 'experiments.edit',
      summary: 'Renames a layer; what it divides by never changes',
      params: of,
      body: shape({ name: text(limits.nameLength, 1), revision: Revision }),
      answer: LayerView,
    },
    deleteLayer: {
      method: 'DELETE',
      path: '/layers/:layerId',
      who: 'cp',
      may: 'experiments.edit',
      summary: 'Removes a layer that no experiment has a part of',
      params: of,
    },
    getHoldout: {
      method: 'GET',
      path: '/holdout',
      who: 'cp',
      may: 'experiments.read',
      summary: 'Who of a project takes part in no experiment, in percent',
      query: shape({ projectId: Id }),
      answer: HoldoutView,
    },
    putHoldout: {
      method: 'PUT',
      path: '/holdout',
      who: 'cp',
      may: 'experiments.run',
      summary:
        'Says how many are held back, in force at once; what they are told apart by changes only while nothing runs',
      body: shape({
        projectId: Id,
        percent: Type.Number({ minimum: 0, maximum: 20 }),
        unitAttr: optional(Attribute),
        revision: Count,
      }),
      answer: HoldoutView,
    },
    getHoldoutReport: {
      method: 'GET',
      path: '/holdout/report',
      who: 'cp',
      may: 'experiments.read',
      transaction: false,
      summary:
        'What all experiments together brought: a metric of everybody else beside that of those who are held back',
      query: shape({ projectId: Id, metricId: Id, days: optional(Type.Integer({ minimum: 1, maximum: 90 })) }),
      answer: shape({
        percent: Type.Number(),
        days: Count,
        heldBack: Share,
        others: Share,
        /** Others beside those held back; null where nothing can be compared. */
        change: nullable(
          shape({
            absolute: Type.Number(),
            relative: nullable(Type.Number()),
            low: Type.Number(),
            high: Type.Number(),
            p: Type.Number(),
          }),
        ),
        /** What the others did more than they would have without experiments, in the metric’s own unit. */
        added: nullable(Type.Number()),
        completeThrough: nullable(Instant),
        /** One of so many units was looked at. */
        sampledBy: Count,
      }),
    },
  },
})
