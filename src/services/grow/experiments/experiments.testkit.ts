import { systemContext } from '../../../server/context.ts'
import type { Person, Stage } from '../../../testkit/stage.ts'
import { recordAppEvents } from '../../analyse/app-events/public.ts'
import { type ConfigStage, openConfig, parameter } from '../remote-config/config.testkit.ts'
import { experiments } from './contract.ts'
import { experimentMetrics } from './metrics/contract.ts'
import type { MetricDefinition } from './metrics/rules.ts'

export const dayMs = 86_400_000

export const counted = (event: string, more: Partial<MetricDefinition> = {}): MetricDefinition => ({
  ...{ kind: 'proportion', event, of: 'count', denominator: null, quantile: null, fromHours: 0, toHours: null },
  ...{ cap: null, direction: 'up', ...more },
})

export interface AppEventGiven {
  name: string
  unit: string
  at: number
  value?: number
  experiment?: string
  variant?: string
  props?: Record<string, string>
}

/** A project with parameters in force, a metric whose event comes, and ways to make experiments of them. */
export interface ExperimentStage {
  config: ConfigStage
  owner: Person
  projectId: string
  metricId: string
  /** Turns the clock; whoever acts from then on is a colleague with a session of his own. */
  inDays(days: number): Promise<void>
  /** Lets events come in, as apps send them. */
  send(events: readonly AppEventGiven[]): Promise<void>
  metric(name: string, definition: MetricDefinition): Promise<string>
  draft(name: string, design?: object): ReturnType<typeof draftOf>
  /** A draft made ready and started. */
  run(name: string, design?: object): ReturnType<typeof draftOf>
}

const draftOf = (owner: Person, projectId: string, name: string, design: object) =>
  owner.ok(experiments, 'createExperiment', { body: { projectId, name, design } } as never)

export const variantsOf = (parameter: string, ...values: string[]) => [
  { key: 'control', name: 'As it is', weight: 50, payload: {} },
  ...values.map((value, at) => ({
    ...{ key: at === 0 ? 'treatment' : `treatment${at}`, name: value, weight: 50 / values.length },
    payload: { [parameter]: value },
  })),
]

export async function openExperiments(stage: Stage, owner?: Person): Promise<ExperimentStage> {
  const config = await openConfig(stage, owner)
  const { projectId } = config
  await config.publish({
    parameters: {
      button: parameter('grey'),
      title: parameter('Hello'),
      size: parameter('1', { valueType: 'NUMBER', schema: { type: 'number', maximum: 10 } }),
    },
  })
  const send = (events: readonly AppEventGiven[]) =>
    systemContext(stage.booted.server, 'CN', { name: 'test', teamId: config.owner.teamId }).transact(ctx =>
      recordAppEvents(ctx, projectId, events as never),
    )
  const metric = async (name: string, definition: MetricDefinition) =>
    (await at.owner.ok(experimentMetrics, 'createMetric', { body: { projectId, name, definition } })).metricId
  const draft = (name: string, design: object = {}) =>
    draftOf(at.owner, projectId, name, {
      variants: variantsOf('button', 'green'),
      metrics: [{ metricId: at.metricId, role: 'goal' }],
      ...design,
    })
  const at: ExperimentStage = {
    ...{ config, owner: config.owner, projectId, metricId: '', send, metric, draft },
    inDays: async days => {
      stage.clock.turn(days * dayMs)
      // Sessions do not last so long.
      at.owner = await stage.person({ team: config.owner.teamId, roles: ['administrator'] })
    },
    run: async (name, design) => {
      const made = await draft(name, design)
      const params = { experimentId: made.experimentId }
      const ready = await at.owner.ok(experiments, 'validateExperiment', {
        params,
        body: { revision: made.revision },
      })
      return at.owner.ok(experiments, 'startExperiment', { params, body: { revision: ready.revision } })
    },
  }
  await send([{ name: 'purchase', unit: 'early', at: stage.clock.now() - dayMs / 2, value: 5 }])
  at.metricId = await metric('Buyers', counted('purchase'))
  return at
}

export type Move = 'validate' | 'start' | 'pause' | 'resume' | 'stop' | 'archive'
export interface Moved {
  experimentId: string
  revision: number
}

export const moveExperiment = (at: ExperimentStage, name: Move, { experimentId, revision }: Moved) =>
  at.owner.call(experiments, `${name}Experiment`, { params: { experimentId }, body: { revision } })

/** What an app gets for a unit. */
export async function fetchedAs(stage: Stage, at: ExperimentStage, targetingKey: string) {
  await stage.heard('CN')
  const reply = await stage.app.inject({
    ...{ method: 'POST', url: '/rcs/v1/config', payload: JSON.stringify({ context: { targetingKey } }) },
    headers: { 'x-api-key': at.config.apiKey, 'content-type': 'application/json' },
  })
  return reply.json()
}
