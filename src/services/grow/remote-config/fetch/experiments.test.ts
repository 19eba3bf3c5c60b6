import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { systemContext } from '../../../../server/context.ts'
import { openStage, type Stage } from '../../../../testkit/stage.ts'
import { type ConfigStage, condition, inCountry, openConfig, parameter } from '../config.testkit.ts'
import { keepsVariants, putExperiments, type RunningExperiment, releaseValues } from '../public.ts'
import { remoteConfigReleases } from '../releases/contract.ts'
import { remoteConfigSettings } from '../settings/contract.ts'

let stage: Stage
let config: ConfigStage
beforeAll(async () => {
  stage = await openStage()
})
beforeEach(async () => {
  config = await openConfig(stage)
  await config.publish({
    conditions: [condition('cn', inCountry('CN'))],
    parameters: {
      button: parameter('grey', { conditional: { cn: { value: 'red' } } }),
      size: parameter('1', { valueType: 'NUMBER' }),
    },
  })
})
afterAll(() => stage.close())

const experiment = (more: Partial<RunningExperiment> = {}): RunningExperiment => ({
  ...{ experimentId: '71', name: 'Buttons', phase: 1, seed: 'a seed', unitAttr: 'targetingKey', rule: null },
  ...{ exposurePercent: 100, layer: null, holdout: null, isSticky: false, testUnits: { tester: 'green' } },
  variants: [
    { key: 'control', weight: 1, payload: {} },
    { key: 'green', weight: 1, payload: { button: 'green' } },
  ],
  ...more,
})
const asTeam = <T>(act: (ctx: Parameters<typeof putExperiments>[0]) => Promise<T>) =>
  systemContext(stage.booted.server, 'CN', { name: 'test', teamId: config.owner.teamId }).transact(act)
const run = (...running: RunningExperiment[]) =>
  asTeam(ctx => putExperiments(ctx, config.where, async () => running, 'Experiment Buttons'))

const ask = async (url: string, body: object, headers: Record<string, string> = {}) => {
  await stage.heard('CN')
  const reply = await stage.app.inject({
    ...{ method: 'POST', url, payload: JSON.stringify(body) },
    headers: { 'x-api-key': config.apiKey, 'content-type': 'application/json', ...headers },
  })
  return { status: reply.statusCode, etag: String(reply.headers['etag']), body: reply.body ? reply.json() : null }
}
const fetchAs = (context: object, headers = {}) => ask('/rcs/v1/config', { context }, headers)
const people = Array.from({ length: 60 }, (_one, at) => `user-${at}`)

describe('an experiment that runs', () => {
  it('gives values over those of conditions, and says to whom it gave what', async () => {
    expect(await run(experiment())).toBe(2)
    const variants = new Set<string>()
    for (const targetingKey of people) {
      const { body } = await fetchAs({ targetingKey, 'device.country': 'CN' })
      const [assigned] = body.experiments
      expect(assigned).toEqual({ id: '71', phase: 1, unit: targetingKey, variant: assigned.variant, keys: ['button'] })
      const drawn = { v: 'green', src: 'experiment', variant: 'green' }
      const plain = { v: 'red', src: 'condition', rule: 'cn', variant: 'cn' }
      expect(body.entries.button).toEqual(assigned.variant === 'green' ? drawn : plain)
      expect([body.entries.size.v, body.templateVersion]).toEqual(['1', '2'])
      variants.add(assigned.variant)
    }
    expect(variants.size).toBe(2)
  })

  it('draws nobody without what it draws by, nobody else than it means, and everybody as the rule changes', async () => {
    await run(experiment({ rule: inCountry('DE') as RunningExperiment['rule'] }))
    for (const context of [{}, { targetingKey: 'tom', 'device.country': 'FR' }]) {
      const { body } = await fetchAs(context)
      expect([body.experiments, body.entries.button.v]).toEqual([undefined, 'grey'])
    }
    expect((await fetchAs({ targetingKey: 'tom', 'device.country': 'DE' })).body.experiments).toHaveLength(1)
    const { body } = await fetchAs({ targetingKey: 'tester' })
    expect(body.entries.button.v).toBe('green')
  })

  it('makes another answer of another variant, though the values are the same', async () => {
    const same = [1, 2].map(at => ({ key: `v${at}`, weight: 1, payload: { button: 'grey' } }))
    await run(experiment({ variants: same, testUnits: { one: 'v1', two: 'v2' } }))
    const one = await fetchAs({ targetingKey: 'one' })
    const two = await fetchAs({ targetingKey: 'two' }, { 'if-none-match': one.etag })
    expect([one.body.entries.button.v, two.status, two.body.entries.button.v]).toEqual(['grey', 200, 'grey'])
    expect((await fetchAs({ targetingKey: 'one' }, { 'if-none-match': one.etag })).status).toBe(304)
  })

  it('is a split to OpenFeature, with the experiment beside the value', async () => {
    await run(experiment())
    const of = (key: string) => ask(`/ofrep/v1/evaluate/flags/${key}`, { context: { targetingKey: 'tester' } })
    const { body } = await of('button')
    const metadata = { templateVersion: '2', experimentId: '71', experimentVariant: 'green', experimentPhase: 1 }
    expect(body).toEqual({ key: 'button', value: 'green', reason: 'SPLIT', variant: 'green', metadata })
    expect((await of('size')).body.metadata).toEqual({ templateVersion: '2' })
    const all = await ask('/ofrep/v1/evaluate/flags', { context: { targetingKey: 'tester' } })
    expect(all.body.flags[0]).toEqual(body)
  })

  it('keeps units in the variant they were seen in, asking once about all', async () => {
    const asked: unknown[] = []
    keepsVariants(async (_ctx, ids, unit) => {
      asked.push([ids, unit])
      return new Map(ids.map(id => [id, 'green']))
    })
    await run(experiment({ isSticky: true }), experiment({ experimentId: '72', seed: 'other', isSticky: true }))
    for (const targetingKey of people.slice(0, 10))
      expect((await fetchAs({ targetingKey })).body.entries.button.v).toBe('green')
    expect(asked[0]).toEqual([['71', '72'], 'user-0'])
    expect(asked).toHaveLength(10)
    keepsVariants(async () => new Map())
  })

  it('is seen where somebody tries a context, and left out for clients that would draw otherwise', async () => {
    await run(experiment())
    const tried = await config.owner.ok(remoteConfigSettings, 'evaluate', {
      body: { ...config.where, of: 'published', context: { targetingKey: 'tester' } },
    })
    expect(tried.list[0]).toMatchObject({
      ...{ key: 'button', value: 'green', experiment: { experimentId: '71', name: 'Buttons', variant: 'green' } },
    })
    const unleash = await stage.app.inject({ url: '/api/client/features', headers: { authorization: config.apiKey } })
    expect([
      unleash.json().features.map((one: { name: string }) => one.name),
      unleash.headers['x-not-exported'],
    ]).toEqual([['size'], 'button'])
  })

  it('keeps its parameters from being taken away or made into something else', async () => {
    await run(experiment())
    const publish = (parameters: object) =>
      config.owner.call(remoteConfigReleases, 'publishTemplate', {
        params: { projectId: config.projectId },
        query: { kind: 'client' },
        body: { conditions: [], groups: {}, parameters } as never,
        headers: { 'if-match': '*' },
      })
    const gone = await publish({ size: parameter('1', { valueType: 'NUMBER' }) })
    expect([gone.status, gone.body.ret.msg]).toEqual([
      422,
      'The template has 1 faults, the first at /parameters/button: button: the experiment Buttons is about it; stop that first.',
    ])
    const other = await publish({ button: parameter('1', { valueType: 'NUMBER' }) })
    expect([other.status, other.body.ret.msg]).toEqual([
      400,
      'button: must be a number, not green, as the variant green of the experiment Buttons has it.',
    ])
    expect((await publish({ button: parameter('blue') })).status).toBe(200)
  })

  it('goes when it is stopped, with a version of its own that streams tell of, and a draft stays as new as it was', async () => {
    await run(experiment())
    expect(await run()).toBe(3)
    const { body } = await fetchAs({ targetingKey: 'tester' })
    expect([body.experiments, body.entries.button.v]).toEqual([undefined, 'grey'])
    const { list } = await config.owner.ok(remoteConfigReleases, 'listReleases', { query: config.where })
    expect(list.map(one => [one.version, one.origin, one.description])).toEqual([
      [3, 'EXPERIMENT', 'Experiment Buttons'],
      [2, 'EXPERIMENT', 'Experiment Buttons'],
      [1, 'REST', ''],
    ])
  })
})

describe('what an experiment found', () => {
  it('is published for everybody over what conditions said, and the experiment ends with it', async () => {
    await run(experiment())
    const what = {
      values: { button: 'green' },
      condition: null,
      running: async () => [],
      description: 'Buttons: green',
      reason: '',
    }
    expect(await asTeam(ctx => releaseValues(ctx, config.where, what))).toBe(3)
    const { body } = await fetchAs({ targetingKey: 'x', 'device.country': 'CN' })
    expect([body.entries.button, body.experiments]).toEqual([
      { v: 'green', src: 'default', variant: 'default' },
      undefined,
    ])
  })

  it('is published for those who were meant, before every other condition', async () => {
    const rule = inCountry('CN', 'DE')
    const what = {
      ...{ values: { button: 'green' }, condition: { name: 'Buttons', rule, seed: 'a seed' } },
      ...{ running: async () => [], description: '', reason: '' },
    }
    await asTeam(ctx => releaseValues(ctx, config.where, what))
    const valueIn = async (country: string) => (await fetchAs({ 'device.country': country })).body.entries.button.v
    expect([await valueIn('CN'), await valueIn('DE'), await valueIn('FR')]).toEqual(['green', 'green', 'grey'])
  })

  it('is refused where it is no value of the parameter', async () => {
    const what = { values: { size: 'large' }, condition: null, running: async () => [], description: '', reason: '' }
    await expect(asTeam(ctx => releaseValues(ctx, config.where, what))).rejects.toThrow('must be a number, not large')
  })
})
