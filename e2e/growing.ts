import { dgsProjectApis } from '../src/services/ground/projects/api/contract.ts'
import { experimentAnalysis } from '../src/services/grow/experiments/analysis/contract.ts'
import { experiments } from '../src/services/grow/experiments/contract.ts'
import { experimentLayers } from '../src/services/grow/experiments/layers/contract.ts'
import { experimentMetrics } from '../src/services/grow/experiments/metrics/contract.ts'
import { changeRequests } from '../src/services/grow/remote-config/change-requests/contract.ts'
import { remoteConfig } from '../src/services/grow/remote-config/contract.ts'
import { remoteConfigReleases } from '../src/services/grow/remote-config/releases/contract.ts'
import { rollouts } from '../src/services/grow/remote-config/rollouts/contract.ts'
import { audiences } from '../src/services/grow/targeting/audiences/contract.ts'
import { ruleSets } from '../src/services/grow/targeting/rule-sets/contract.ts'
import { until, type Visitor } from './loggia.ts'

/** A template in force with two conditions, two parameters and a group, and a parameter that waits in the draft. */
export async function fillRemoteConfig(developer: Visitor, projectId: string) {
  const where = { projectId, kind: 'client' as const }
  const condition = (name: string, rule: object) =>
    developer.ok(remoteConfig, 'createCondition', { body: { ...where, name, rule } as never })
  await condition('In China', { attr: 'device.country', op: 'in', value: ['CN'] })
  await condition('A tenth of all', { op: 'percent', attr: 'targetingKey', value: { lo: 0, hi: 10 } })
  await developer.ok(remoteConfig, 'putGroup', { params: { group: 'Shop' }, body: { ...where } })
  const parameter = (key: string, more: object) =>
    developer.ok(remoteConfig, 'createParameter', { body: { ...where, key, ...more } as never })
  await parameter('welcome_text', {
    valueType: 'STRING',
    default: { value: 'Hello' },
    conditional: { 'In China': { value: '你好' } },
    description: 'Greets on the first page',
  })
  await parameter('checkout_v2', {
    valueType: 'BOOLEAN',
    default: { value: 'false' },
    conditional: { 'A tenth of all': { value: 'true' }, 'In China': { useInAppDefault: true } },
    group: 'Shop',
  })
  const { etag } = await developer.ok(remoteConfig, 'getHead', { query: where })
  await developer.ok(remoteConfigReleases, 'publishDraft', {
    body: { ...where, description: 'The first ones' },
    headers: { 'if-match': etag },
  })
  await parameter('theme', { valueType: 'JSON', default: { value: '{"dark":true,"accent":"#2f6fed"}' } })
  return where
}

/** Remote config, a rule set and an audience of each kind; the pages that show them. */
export async function fillGrowing(developer: Visitor, projectId: string): Promise<string[]> {
  const where = await fillRemoteConfig(developer, projectId)
  const { changeRequestId } = await developer.ok(changeRequests, 'createChangeRequest', {
    body: { ...where, title: 'A theme of our own', submit: true },
  })
  const { rolloutId, revision } = await developer.ok(rollouts, 'createRollout', {
    body: { ...where, name: 'Warmer greeting', parameter: 'welcome_text', value: 'Good to see you' },
  })
  await developer.ok(rollouts, 'startRollout', { params: { rolloutId }, body: { revision } })
  const { ruleSetId } = await developer.ok(ruleSets, 'createRuleSet', {
    body: { projectId, code: 'checkout.offers', name: 'Offers at the checkout' },
  })
  const { audienceId: friends } = await developer.ok(audiences, 'createAudience', {
    body: { projectId, name: 'Friends' },
  })
  const { audienceId: verified } = await developer.ok(audiences, 'createAudience', {
    body: { projectId, name: 'With a German number', rule: { attr: 'phone', op: 'startsWith', value: '+49' } },
  })
  const tell = await openEvents(developer, projectId)
  await tell(usualEvents())
  const experimentId = await planExperiment(developer, projectId)
  const runningId = await runExperiment(developer, projectId, tell)
  await analyse(developer, runningId)
  const of = `projectId=${projectId}&zone=CN`
  return [
    ...['experiments', 'metrics', 'layers', 'holdout'].map(tab => `/experiments?${of}&tab=${tab}`),
    `/app-events?${of}`,
    `/experiments/${experimentId}?${of}`,
    `/experiments/${experimentId}?${of}&tab=devices`,
    ...['report', 'segments', 'design'].map(tab => `/experiments/${runningId}?${of}&tab=${tab}`),
    ...['parameters', 'conditions', 'rollouts', 'requests', 'versions', 'schedules', 'try', 'settings'].map(
      tab => `/remote-config?${of}&tab=${tab}`,
    ),
    `/remote-config?${of}&tab=requests&request=${changeRequestId}`,
    `/remote-config?${of}&tab=rollouts&rollout=${rolloutId}`,
    `/remote-config?${of}&kind=server&tab=parameters`,
    ...['sets', 'audiences'].map(tab => `/targeting?${of}&tab=${tab}`),
    `/targeting/rule-sets/${ruleSetId}?${of}`,
    `/targeting/audiences/${friends}?${of}`,
    `/targeting/audiences/${verified}?${of}`,
  ]
}

type Event = Readonly<Record<string, unknown>>
export type Tell = (events: readonly Event[]) => Promise<void>

/** Answers what asks as apps do it, with a key. */
async function openAsking(developer: Visitor, projectId: string, name: string) {
  await developer.ok(dgsProjectApis, 'openProjectApis', { body: { projectId, apiIds: ['remote-config'] } } as never)
  const { apiKey } = await developer.ok(dgsProjectApis, 'createApiKey', { body: { projectId, name } })
  return async (path: string, body: object): Promise<unknown> => {
    const reply = await fetch(`${developer.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': apiKey ?? '' },
      body: JSON.stringify(body),
    })
    if (!reply.ok) throw new Error(`${path} was answered ${reply.status}: ${await reply.text()}`)
    return reply.json()
  }
}

/** Answers what reports events as apps do it, with a key. */
export async function openEvents(developer: Visitor, projectId: string): Promise<Tell> {
  const ask = await openAsking(developer, projectId, 'Events')
  return async events => void (await ask('/app-events/v1/events', { events }))
}

/** What apps are told of an experiment or a rollout. */
export interface Told {
  id: string
  variant: string
}

/** Answers what gets remote config as apps do it: what it takes part in. */
export async function openConfig(developer: Visitor, projectId: string) {
  const ask = await openAsking(developer, projectId, 'Config')
  return async (context: object): Promise<Told[]> =>
    ((await ask('/rcs/v1/config', { context })) as { experiments?: Told[] }).experiments ?? []
}

/** Three days of an app. */
function usualEvents(): Event[] {
  const unit = (at: number) => `user-${at % 7}`
  const opened = Array.from({ length: 24 }, (_, at) => ({
    ...{ name: 'app_open', unit: unit(at), at: Date.now() - (at % 3) * 86_400_000 },
  }))
  return [...opened, ...Array.from({ length: 5 }, (_, at) => ({ name: 'purchase', unit: unit(at), value: 4.5 + at }))]
}

/** A draft with a metric and a part of a layer. */
async function planExperiment(developer: Visitor, projectId: string): Promise<string> {
  const { layerId } = await developer.ok(experimentLayers, 'createLayer', { body: { projectId, name: 'Start page' } })
  const definition = {
    ...{ kind: 'proportion' as const, event: 'purchase', of: 'count' as const, denominator: null, quantile: null },
    ...{ fromHours: 0, toHours: 168, cap: null, direction: 'up' as const },
  }
  const { metricId } = await developer.ok(experimentMetrics, 'createMetric', {
    body: { projectId, name: 'Buyers in a week', definition },
  })
  const variants: { key: string; name: string; weight: number; payload: Record<string, string> }[] = [
    { key: 'control', name: 'As it is', weight: 50, payload: {} },
    { key: 'warm', name: 'Warm welcome', weight: 50, payload: { welcome_text: 'Good to see you' } },
  ]
  const { experimentId } = await developer.ok(experiments, 'createExperiment', {
    body: {
      ...{ projectId, name: 'Warmer welcome' },
      design: {
        ...{ hypothesis: 'A warmer greeting makes more people buy within a week.', variants },
        ...{ metrics: [{ metricId, role: 'goal' as const }], layer: { layerId, from: 0, to: 40 } },
      },
    },
  })
  return experimentId
}

/** One that runs, with what people did who saw it. */
export async function runExperiment(developer: Visitor, projectId: string, tell: Tell): Promise<string> {
  const definition = {
    ...{ kind: 'proportion' as const, event: 'purchase', of: 'count' as const, denominator: null, quantile: null },
    ...{ fromHours: 0, toHours: null, cap: null, direction: 'up' as const },
  }
  const { metricId } = await developer.ok(experimentMetrics, 'createMetric', {
    body: { projectId, name: 'Buyers', definition },
  })
  const drafted = await developer.ok(experiments, 'createExperiment', {
    body: {
      ...{ projectId, name: 'Shorter checkout' },
      design: {
        ...{ hypothesis: 'A checkout on one page makes more people buy.', segments: ['country'] },
        variants: [
          { key: 'control', name: 'Three pages', weight: 50, payload: {} },
          { key: 'short', name: 'One page', weight: 50, payload: { checkout_v2: 'true' } },
        ],
        metrics: [{ metricId, role: 'goal' as const }],
      },
    },
  })
  const params = { experimentId: drafted.experimentId }
  const ready = await developer.ok(experiments, 'validateExperiment', { params, body: { revision: drafted.revision } })
  await developer.ok(experiments, 'startExperiment', { params, body: { revision: ready.revision } })
  const seen = Array.from({ length: 240 }, (_, at) => ({
    ...{ name: '$exposure', unit: `buyer-${at}`, experiment: params.experimentId },
    ...{ variant: at % 2 === 0 ? 'control' : 'short', props: { country: at % 5 < 3 ? 'CN' : 'DE' } },
  }))
  const bought = seen
    .filter((one, at) => at % 20 < (one.variant === 'control' ? 5 : 13))
    .map(({ unit }, at) => ({ name: 'purchase', unit, value: 10 + (at % 7) }))
  for (const events of [seen, bought]) await tell(events)
  return params.experimentId
}

async function analyse(developer: Visitor, experimentId: string): Promise<void> {
  const params = { experimentId }
  await developer.ok(experimentAnalysis, 'analyseExperiment', { params })
  await until('the analysis', async () => {
    const { state } = await developer.ok(experimentAnalysis, 'getAnalysis', { params })
    return state === 'done'
  })
}
