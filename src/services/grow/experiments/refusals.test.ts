import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openStage, type Stage } from '../../../testkit/stage.ts'
import { experimentAnalysis } from './analysis/contract.ts'
import { experiments } from './contract.ts'
import {
  counted,
  type ExperimentStage,
  fetchedAs,
  type Move,
  type Moved,
  moveExperiment,
  openExperiments,
  variantsOf,
} from './experiments.testkit.ts'
import { experimentLayers } from './layers/contract.ts'
import { experimentMetrics } from './metrics/contract.ts'

let stage: Stage
let at: ExperimentStage
beforeAll(async () => {
  stage = await openStage()
})
beforeEach(async () => {
  at = await openExperiments(stage)
})
afterAll(() => stage.close())

const move = (name: Move, one: Moved) => moveExperiment(at, name, one)
const fetched = (targetingKey: string) => fetchedAs(stage, at, targetingKey)
const people = Array.from({ length: 80 }, (_one, index) => `user-${index}`)

describe('an experiment is refused', () => {
  const refused = async (design: object) => {
    const body = {
      projectId: at.projectId,
      name: 'Wrong',
      design: { variants: variantsOf('button', 'green'), ...design },
    }
    const reply = await at.owner.call(experiments, 'createExperiment', { body } as never)
    return [reply.status, reply.body.fields?.[0]?.pointer, reply.body.fields?.[0]?.message ?? reply.body.ret.msg]
  }

  it('with weights that do not add up, a baseline that is not there, a metric of nobody', async () => {
    const [control, treatment] = variantsOf('button', 'green')
    expect(await refused({ variants: [control, { ...treatment, weight: 40 }] })).toEqual([
      ...[400, '/design/variants', 'the weights add up to 90 %; they must make 100 %'],
    ])
    expect(await refused({ baseline: 'nobody' })).toEqual([
      ...[400, '/design/baseline', 'there is no variant nobody; name one of control, treatment'],
    ])
    expect((await refused({ metrics: [{ metricId: '12345', role: 'goal' }] }))[0]).toBe(400)
    expect((await refused({ rule: { attr: 'x', op: 'inAudience', value: '99' } }))[2]).toContain('no audience 99')
    const { total } = await at.owner.ok(experiments, 'listExperiments', { query: { projectId: at.projectId } })
    expect(total).toBe(0)
  })

  it('with values that are none of the parameter, when it is to be ready', async () => {
    const made = await at.draft('Sizes', { variants: variantsOf('size', '99') })
    expect(made.faults).toHaveLength(1)
    const reply = await move('validate', made)
    expect([reply.status, reply.body.ret.code]).toEqual([422, 204151004])
    expect(reply.body.ret.msg).toContain('/variants/1/payload/size')
    const empty = await at.draft('Nothing', {
      variants: [...variantsOf('size')]
        .concat(variantsOf('size', '2').slice(1))
        .map((one, index) => ({ ...one, weight: 50, payload: index === 1 ? {} : one.payload })),
    })
    expect((await move('validate', empty)).body.ret.msg).toContain('changes nothing')
  })

  it('without a goal, and with one whose event nobody saw', async () => {
    const none = await at.draft('No goal', { metrics: [] })
    expect((await move('validate', none)).body.ret.code).toBe(204151002)
    const metricId = await at.metric('Flights', counted('flight'))
    const seen = await at.owner.ok(experimentMetrics, 'getMetric', { params: { metricId } })
    expect(seen.missing).toEqual(['no event flight came in the last seven days'])
    const made = await at.draft('Unseen', { metrics: [{ metricId, role: 'goal' }] })
    const ready = await move('validate', made)
    const reply = await move('start', ready.body as never)
    expect([reply.status, reply.body.ret.msg]).toEqual([
      422,
      'It has not enough metrics: no goal has data: no event flight came in the last seven days.',
    ])
  })

  it('beside another that has its parameter, unless both are in one layer and share nobody', async () => {
    await at.run('First')
    const made = await at.draft('Second')
    const ready = await move('validate', made)
    const reply = await move('start', ready.body as never)
    expect([reply.status, reply.body.ret.code]).toEqual([409, 204151001])
    expect(reply.body.ret.msg).toContain('The parameter button belongs to the experiment First')
    const { layerId } = await at.owner.ok(experimentLayers, 'createLayer', {
      body: { projectId: at.projectId, name: 'Shop' },
    })
    const inLayer = (from: number, to: number) => ({
      layer: { layerId, from, to },
      variants: variantsOf('title', 'Hi'),
    })
    await at.run('Left', inLayer(0, 50))
    await at.run('Right', inLayer(50, 80))
    const over = await at.draft('Over', inLayer(40, 60))
    const overReady = await move('validate', over)
    const taken = await move('start', overReady.body as never)
    expect([taken.body.ret.code, taken.body['free']]).toEqual([204151006, '80 % – 100 %'])
    let both = 0
    for (const one of people) {
      const drawn = ((await fetched(one)).experiments ?? []) as { keys: string[] }[]
      both += Number(drawn.filter(two => two.keys.includes('title')).length > 1)
    }
    expect(both).toBe(0)
    const { parts, free } = await at.owner.ok(experimentLayers, 'getLayer', { params: { layerId } })
    expect([parts.map(one => one.name), free]).toEqual([['Left', 'Right', 'Over'], [{ from: 80, to: 100 }]])
    const inUse = await at.owner.call(experimentLayers, 'deleteLayer', { params: { layerId } })
    expect(inUse.status).toBe(409)
  })

  it('as the twenty-fifth that runs', async () => {
    const values = Object.fromEntries(Array.from({ length: 25 }, (_one, index) => [`p${index}`, 'a']))
    await at.config.publish({
      parameters: Object.fromEntries(
        Object.keys(values).map(key => [
          key,
          {
            ...{ valueType: 'STRING' as const, schema: null, default: { value: 'a' }, conditional: {}, group: null },
            description: '',
            owner: null,
            expiresAt: null,
          },
        ]),
      ),
    })
    for (let index = 0; index < 24; index++) await at.run(`E${index}`, { variants: variantsOf(`p${index}`, 'b') })
    const made = await at.draft('E24', { variants: variantsOf('p24', 'b') })
    const ready = await move('validate', made)
    expect((await move('start', ready.body as never)).body.ret.code).toBe(204150023)
  }, 120_000)

  it('to a foreign team, as if it were not there, however it is asked for', async () => {
    const { experimentId, revision } = await at.run('Ours')
    const stranger = await openExperiments(stage)
    const params = { experimentId }
    const ask = async (name: string, more: object = {}) =>
      (await stranger.owner.call(experiments, name as 'getExperiment', { params, ...more } as never)).status
    expect(await ask('getExperiment')).toBe(404)
    expect(await ask('stopExperiment', { body: { revision } })).toBe(404)
    expect(await ask('releaseExperiment', { body: { revision, variant: 'treatment', audience: 'everybody' } })).toBe(
      404,
    )
    expect((await stranger.owner.call(experimentAnalysis, 'getResults', { params })).status).toBe(404)
    const borrowed = await stranger.owner.call(experiments, 'createExperiment', {
      body: {
        projectId: stranger.projectId,
        name: 'Borrowed',
        design: { metrics: [{ metricId: at.metricId, role: 'goal' }] },
      },
    } as never)
    expect([borrowed.status, borrowed.body.ret.code]).toEqual([400, 204151010])
  })
})
