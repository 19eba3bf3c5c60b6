import { service } from '../../../kernel/contract.ts'
import type { ErrorRow } from '../../../kernel/errors.ts'
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
  pattern,
  Revision,
  type Static,
  shape,
  Type,
  text,
} from '../../../kernel/shape.ts'
import { type Rule, RuleShape } from '../../../kernel/targeting/rule.ts'
import { corrections, engines, limits, outcomes, roles, states, statuses } from './rules.ts'

export const Count = Type.Integer({ minimum: 0 })
export const Percent = Type.Number({ minimum: 0, maximum: 100 })
const Key = pattern(limits.keyPattern, 40, 'treatment')
const Attribute = pattern('^[A-Za-z_$][A-Za-z0-9_.$-]*$', limits.attributeLength, 'targetingKey')
const Kind = oneOf(['client', 'server'])

/** Null for everybody: a rule is any JSON to the validator, which has no word for one that may be missing. */
const MaybeRule = Type.Unsafe<Rule | null>(RuleShape)

const VariantShape = shape({
  key: Key,
  name: text(limits.nameLength, 1),
  weight: Percent,
  payload: Type.Record(Type.String(), text(limits.valueLength)),
})

const design = {
  hypothesis: text(limits.textLength),
  unitAttr: Attribute,
  rule: MaybeRule,
  exposurePercent: Percent,
  layer: nullable(shape({ layerId: Id, from: Percent, to: Percent })),
  variants: Type.Array(VariantShape, { minItems: limits.leastVariants, maxItems: limits.variants }),
  baseline: Key,
  engine: oneOf([...engines]),
  alpha: Type.Number({ minimum: 0.001, maximum: 0.2 }),
  tunedFor: integer(100, 100_000_000),
  cupedDays: nullable(integer(1, 60)),
  correction: oneOf([...corrections]),
  mde: Type.Number({ minimum: 0.001, maximum: 10 }),
  power: Type.Number({ minimum: 0.5, maximum: 0.99 }),
  minDays: integer(1, limits.mostDays),
  maxDays: integer(1, limits.mostDays),
  isSticky: flag(),
  segments: Type.Array(Attribute, { maxItems: limits.segments, uniqueItems: true }),
}
const metrics = { metricId: Id, role: oneOf([...roles]) }
const mostMetrics = limits.goals + limits.secondary + limits.guardrails

export const DesignShape = shape({ ...design, metrics: list(shape({ ...metrics, isPostHoc: flag() })) })
/** What is left out of a new experiment has the usual value, and stays as it is in a changed one. */
export const DesignWish = Type.Partial(
  shape({ ...design, metrics: Type.Array(shape(metrics), { maxItems: mostMetrics }) }),
  { additionalProperties: false },
)

export const actions = [
  ...(['validate', 'edit', 'remove', 'start', 'pause', 'resume', 'stop'] as const),
  ...(['ship', 'conclude', 'archive'] as const),
] as const

export const warnings = ['weights', 'variants', 'targeting', 'postHoc', 'exposure'] as const

const head = {
  experimentId: Id,
  projectId: Id,
  kind: Kind,
  name: Type.String(),
  state: oneOf([...states]),
  phase: integer(1, limits.phases),
  outcome: nullable(oneOf([...outcomes])),
  shippedVariant: nullable(Type.String()),
  startedAt: nullable(Instant),
  stoppedAt: nullable(Instant),
  analysedAt: nullable(Instant),
  createdAt: Instant,
  updatedAt: Instant,
  revision: Revision,
}

export const ExperimentRow = shape({
  ...head,
  /** What its numbers say now; null before the first analysis. */
  status: nullable(oneOf([...statuses])),
  units: Count,
  variants: Count,
  parameters: list(Type.String()),
  /** Relative change of the first goal, of the best variant, as units came in; empty before the first analysis. */
  trend: list(Type.Number()),
})
export type ExperimentRow = Static<typeof ExperimentRow>

export const ExperimentView = shape({
  ...head,
  design: DesignShape,
  conclusion: Type.String(),
  shippedVersion: nullable(Count),
  phaseStartedAt: nullable(Instant),
  testUnits: Count,
  /** The analysis that runs or ran last. */
  jobId: nullable(Id),
  problem: nullable(Type.String()),
  phases: list(
    shape({ phase: Count, startedAt: Instant, changes: list(Type.String()), variants: list(Type.String()) }),
  ),
  /** What somebody who looks at it has to know of its latest change. */
  warnings: list(oneOf([...warnings])),
  /** What keeps it from starting, in words, by field; empty where nothing does. */
  faults: list(shape({ pointer: Type.String(), message: Type.String() })),
  allowedActions: list(oneOf([...actions])),
})
export type ExperimentView = Static<typeof ExperimentView>

export const of = shape({ experimentId: Id })
const moved = { params: of, body: shape({ revision: Revision }), answer: ExperimentView }
const TestUnit = shape({ unit: Type.String(), variant: Type.String() })

export const experimentErrors = {
  parameterOwned: [
    204151001,
    409,
    'The parameter {parameter} belongs to the experiment {experiment}, which runs; stop that, or give both a part of one layer.',
  ],
  metricsMissing: [204151002, 422, 'It has not enough metrics: {message}.'],
  editWhileRunning: [
    204151003,
    409,
    'While it runs, {fields} cannot be changed; begin a new phase where that can be, or stop it.',
  ],
  notSound: [204151004, 422, 'It cannot start yet, for {count} reasons, the first at {pointer}: {message}.'],
  nameTaken: [204151005, 409, 'The project has an experiment called {name} already; give this one another name.'],
  layerTaken: [204151006, 409, 'The experiment {experiment} has {from} % to {to} % of that layer; {free} is free.'],
  splitUntrusted: [
    204151007,
    409,
    'The units are not split as was planned (p = {p}), so the numbers say nothing; give a reason to conclude all the same.',
  ],
  tooManyRunning: [204150023, 422, '{limit} experiments and rollouts of the project run already; stop one first.'],
  tooMany: [204150024, 422, 'A project has at most {limit} {things}; delete some first.'],
  notDraft: [204151008, 409, 'Only drafts can be deleted; conclude and archive it instead.'],
  noVariant: [204151009, 400, 'The experiment has no variant {variant}; it has {variants}.'],
  noMetric: [204151010, 400, 'The project has no metric {metricId}; name one of its own.'],
  parameterRolledOut: [204151012, 409, 'The parameter {parameter} is under the rollout {rollout}; end that first.'],
  noLayer: [204151011, 400, 'The project has no layer {layerId}; name one of its own.'],
} satisfies Record<string, ErrorRow>

export const permissions = ['experiments.read', 'experiments.edit', 'experiments.run'] as const

/** Experiments over remote config: who takes part, as what, and what became of it. */
export const experiments = service({
  name: 'grow/experiments',
  prefix: '/abt/v1',
  zone: 'current',
  permissions,
  errors: experimentErrors,
  calls: {
    listExperiments: {
      method: 'GET',
      path: '/experiments',
      who: 'cp',
      may: 'experiments.read',
      summary: 'The experiments of a project, the newest first; by state and by a part of the name',
      query: shape({
        projectId: Id,
        search: optional(text(100)),
        state: optional(oneOf([...states])),
        ...PageQuery,
      }),
      answer: pageOf(ExperimentRow),
    },
    createExperiment: {
      method: 'POST',
      path: '/experiments',
      who: 'cp',
      may: 'experiments.edit',
      summary: 'Makes a draft; what of its design is left out has the usual values',
      body: shape({
        projectId: Id,
        kind: optional(Kind),
        name: text(limits.nameLength, 1),
        design: optional(DesignWish),
      }),
      answer: ExperimentView,
    },
    getExperiment: {
      method: 'GET',
      path: '/experiments/:experimentId',
      who: 'cp',
      may: 'experiments.read',
      summary: 'One experiment with its phases, what it lacks, and what can be done with it',
      params: of,
      answer: ExperimentView,
    },
    updateExperiment: {
      method: 'PUT',
      path: '/experiments/:experimentId',
      who: 'cp',
      may: 'experiments.edit',
      summary:
        'Changes a draft; one that is ready becomes a draft again. Of one that runs the share of those who take part may grow and metrics may come; with a new phase variants and targeting may change, and numbers begin anew',
      params: of,
      body: shape({
        name: optional(text(limits.nameLength, 1)),
        design: optional(DesignWish),
        newPhase: optional(shape({ newSeed: flag() })),
        revision: Revision,
      }),
      answer: ExperimentView,
    },
    deleteExperiment: {
      method: 'DELETE',
      path: '/experiments/:experimentId',
      who: 'cp',
      may: 'experiments.edit',
      summary: 'Removes a draft',
      params: of,
    },
    validateExperiment: {
      ...{ method: 'POST', path: '/experiments/:experimentId/validate', who: 'cp', may: 'experiments.edit' },
      ...{ summary: 'Says that a draft is ready to start; refuses with everything it lacks', ...moved },
    },
    startExperiment: {
      ...{ method: 'POST', path: '/experiments/:experimentId/start', who: 'cp', may: 'experiments.run' },
      ...{ summary: 'Puts it into force: apps draw from their next fetch on', ...moved },
    },
    pauseExperiment: {
      ...{ method: 'POST', path: '/experiments/:experimentId/pause', who: 'cp', may: 'experiments.run' },
      ...{ summary: 'Gives the baseline to whoever is new, and leaves the others what they have', ...moved },
    },
    resumeExperiment: {
      ...{ method: 'POST', path: '/experiments/:experimentId/resume', who: 'cp', may: 'experiments.run' },
      ...{ summary: 'Draws again', ...moved },
    },
    stopExperiment: {
      ...{ method: 'POST', path: '/experiments/:experimentId/stop', who: 'cp', may: 'experiments.run' },
      ...{ summary: 'Takes it out of force and analyses it a last time', ...moved },
    },
    releaseExperiment: {
      method: 'POST',
      path: '/experiments/:experimentId/release',
      who: 'cp',
      may: 'experiments.run',
      summary: 'Publishes a variant as values of remote config, and concludes the experiment',
      params: of,
      body: shape({
        variant: Key,
        /** `everybody`, or only those whom its rule means. */
        audience: oneOf(['everybody', 'targeted']),
        /** Needed where the split is not to be trusted. */
        reason: optional(text(limits.textLength)),
        revision: Revision,
      }),
      answer: ExperimentView,
    },
    concludeExperiment: {
      method: 'POST',
      path: '/experiments/:experimentId/conclude',
      who: 'cp',
      may: 'experiments.run',
      summary: 'Concludes a stopped one without a winner: rolled back, or inconclusive',
      params: of,
      body: shape({
        outcome: oneOf(['rolledBack', 'inconclusive']),
        reason: optional(text(limits.textLength)),
        revision: Revision,
      }),
      answer: ExperimentView,
    },
    archiveExperiment: {
      ...{ method: 'POST', path: '/experiments/:experimentId/archive', who: 'cp', may: 'experiments.edit' },
      ...{ summary: 'Puts a concluded one out of sight', ...moved },
    },
    copyExperiment: {
      method: 'POST',
      path: '/experiments/:experimentId/copy',
      who: 'cp',
      may: 'experiments.edit',
      summary: 'Makes a draft of the same design, with a seed of its own',
      params: of,
      body: shape({ name: text(limits.nameLength, 1) }),
      answer: ExperimentView,
    },
    listTestDevices: {
      method: 'GET',
      path: '/experiments/:experimentId/test-devices',
      who: 'cp',
      may: 'experiments.read',
      summary: 'Units that have a variant without being drawn, by unit',
      params: of,
      query: shape({ search: optional(text(limits.unitLength)), ...PageQuery }),
      answer: pageOf(TestUnit),
    },
    putTestDevice: {
      method: 'POST',
      path: '/experiments/:experimentId/test-devices',
      who: 'cp',
      may: 'experiments.edit',
      summary: 'Gives a unit a variant, at once where the experiment runs; its numbers leave such units out',
      params: of,
      body: shape({ unit: text(limits.unitLength, 1), variant: Key }),
      answer: TestUnit,
    },
    deleteTestDevice: {
      method: 'DELETE',
      path: '/experiments/:experimentId/test-devices',
      who: 'cp',
      may: 'experiments.edit',
      summary: 'Lets a unit be drawn as any other',
      params: of,
      query: shape({ unit: text(limits.unitLength, 1) }),
    },
    listTargets: {
      method: 'GET',
      path: '/experiments/targets',
      who: 'cp',
      may: 'experiments.read',
      summary: 'The parameters in force that an experiment can give values to, and what has them now',
      query: shape({ projectId: Id, kind: optional(Kind), search: optional(text(100)), ...PageQuery }),
      answer: pageOf(
        shape({
          key: Type.String(),
          valueType: Type.String(),
          /** What it is in force; null for what the app itself has. */
          value: nullable(Type.String()),
          description: Type.String(),
          ownedBy: nullable(shape({ experimentId: Id, name: Type.String() })),
          /** Name of the rollout that has it. */
          rollout: nullable(Type.String()),
        }),
      ),
    },
    listAttributes: {
      method: 'GET',
      path: '/experiments/attributes',
      who: 'cp',
      may: 'experiments.read',
      summary: 'What rules of a project can ask of, and what units can be told apart by',
      query: shape({ projectId: Id, ...PageQuery }),
      answer: pageOf(shape({ name: Type.String(), type: Type.String(), isOwn: flag() })),
    },
    estimateAudience: {
      method: 'POST',
      path: '/experiments/estimate',
      who: 'cp',
      may: 'experiments.read',
      summary: 'How many users would take part: those of the rule, within the layer and the share, without the holdout',
      body: shape({
        projectId: Id,
        rule: MaybeRule,
        exposurePercent: Percent,
        layer: optional(shape({ from: Percent, to: Percent })),
        variants: optional(integer(2, limits.variants)),
      }),
      answer: shape({
        total: Count,
        matched: Count,
        low: Count,
        high: Count,
        takingPart: Count,
        ofVariant: Count,
        isExact: flag(),
      }),
    },
  },
})
