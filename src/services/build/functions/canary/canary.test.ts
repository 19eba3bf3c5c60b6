import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { functionAliases } from '../aliases/contract.ts'
import { functionsIde } from '../contract.ts'
import { type FunctionStage, openFunctions, publish } from '../functions.testkit.ts'
import { functionGovernance } from '../governance/contract.ts'
import { defaults } from '../governance/rules.ts'
import { functionCanary } from './contract.ts'

let on: FunctionStage
beforeAll(async () => {
  on = await openFunctions()
})
afterAll(() => on.close())

const minute = 60_000
const good = (what: string) => `exports.handler = async () => '${what}'`
const bad = `exports.handler = async () => { throw new Error('bad') }`
const steps = [
  { weight: 20, holdMinutes: 2 },
  { weight: 60, holdMinutes: 3 },
]
const limits = { errorPercent: 10, p95Ms: null, minimumCalls: 5 }

/** A function whose alias `live` leads to version 1; a second version is there. */
async function released(second: string, more: object = {}) {
  const { functionId, functionName } = await on.create(good('one'), { instanceConcurrency: 10 })
  await publish(on.owner, functionId)
  await publish(on.owner, functionId, second)
  const params = { functionId }
  await on.owner.ok(functionAliases, 'createAlias', { params, body: { name: 'live', version: '1' } })
  const start = { params: { functionId, name: 'live' }, body: { version: '2', steps, limits, ...more } }
  const { canaryId } = await on.owner.ok(functionCanary, 'startCanary', start)
  const aliasOf = async () =>
    (await on.owner.ok(functionAliases, 'getAlias', { params: { functionId, name: 'live' } })).alias
  return {
    ...{ functionId, functionName, canaryId, aliasOf, start },
    look: () => on.owner.ok(functionCanary, 'getCanary', { params: { functionId, canaryId } }),
    weight: async () => (await aliasOf()).additional?.weight ?? 0,
    move: async (action: 'pause' | 'resume' | 'finish' | 'rollBack', revision?: number) => {
      const { canary } = await on.owner.ok(functionCanary, 'getCanary', { params: { functionId, canaryId } })
      const body = { revision: revision ?? canary.revision }
      return on.owner.call(functionCanary, 'moveCanary', { params: { functionId, canaryId, action }, body })
    },
    call: (count: number) => Promise.all(Array.from({ length: count }, () => on.run(functionName, {}, 'live'))),
  }
}

/** Time passes, and the server looks. */
async function pass(minutes: number) {
  on.stage.clock.turn(minutes * minute)
  await on.stage.booted.worker.sweep()
}

describe('a canary', () => {
  it('goes on step by step while the second version does well, until all calls are its own', async () => {
    const one = await released(good('two'))
    expect((await one.look()).canary).toMatchObject({
      state: 'RUNNING',
      step: 0,
      weight: 20,
      allowedActions: ['pause', 'finish', 'rollBack'],
    })
    expect(await one.weight()).toBe(20)
    await pass(1)
    expect(await one.weight()).toBe(20)
    await pass(1)
    expect(await one.weight()).toBe(60)
    await one.call(20)
    const { canary } = await one.look()
    expect(canary.health.calls).toBeGreaterThan(0)
    await pass(3)
    expect(await one.aliasOf()).toMatchObject({ version: '2', additional: null })
    const { canary: over, history } = await one.look()
    expect(over).toMatchObject({ state: 'DONE', weight: 100, allowedActions: [], nextAt: null })
    expect(history.map(entry => [entry.action, entry.weight])).toEqual([
      ['complete', 100],
      ['advance', 60],
      ['start', 20],
    ])
  })

  it('goes on by one step after a time in which nobody looked, and holds the next one from then on', async () => {
    const one = await released(good('two'))
    await pass(7)
    expect(await one.weight()).toBe(60)
    await on.stage.booted.worker.sweep()
    await pass(2)
    expect((await one.look()).canary).toMatchObject({ state: 'RUNNING', step: 1 })
    await pass(1)
    expect((await one.look()).canary.state).toBe('DONE')
  })

  it('ends by itself when the second version fails, and every call goes to the first again', async () => {
    const one = await released(bad, { steps: [{ weight: 90, holdMinutes: 60 }] })
    await one.call(20)
    await on.stage.booted.worker.sweep()
    const { canary, history } = await one.look()
    expect(canary).toMatchObject({ state: 'ABORTED', weight: 0 })
    expect(history[0]).toMatchObject({ action: 'abort.errors', weight: 0 })
    expect(history[0]!.failures).toBe(history[0]!.calls)
    expect(await one.aliasOf()).toMatchObject({ version: '1', additional: null })
    expect((await one.call(10)).map(ran => ran.result)).toEqual(Array(10).fill('one'))
  })

  it('ends by itself when the second version is slow', async () => {
    const slow = `exports.handler = async () => new Promise(resolve => setTimeout(resolve, 80))`
    const one = await released(slow, {
      steps: [{ weight: 90, holdMinutes: 60 }],
      limits: { ...limits, p95Ms: 50 },
    })
    await one.call(20)
    await on.stage.booted.worker.sweep()
    expect((await one.look()).history[0]).toMatchObject({ action: 'abort.latency' })
  })

  it('does not end for what too few calls say, or for failures of the first version', async () => {
    const one = await released(bad, {
      steps: [{ weight: 90, holdMinutes: 60 }],
      limits: { ...limits, minimumCalls: 1000 },
    })
    await one.call(20)
    await on.stage.booted.worker.sweep()
    expect((await one.look()).canary.state).toBe('RUNNING')
  })

  it('does not end for calls that an open breaker held back', async () => {
    const fickle = `exports.handler = async event => { if (event.bad) throw new Error('bad') }`
    const [steps, limits] = [[{ weight: 90, holdMinutes: 60 }], { errorPercent: 50, p95Ms: null, minimumCalls: 5 }]
    const one = await released(fickle, { steps, limits })
    const { functionId, functionName } = one
    const spec = { ...defaults.CIRCUITBREAKER, minimumNumberOfCalls: 2, slidingWindowSize: 2 }
    const body = { spec, qualifier: 'live' }
    await on.owner.ok(functionGovernance, 'createCircuitBreaker', { params: { functionId }, body })
    await one.call(20)
    while ((await on.run(functionName, { bad: true }, 'live')).outcome !== 'REFUSED');
    expect(new Set((await one.call(40)).map(ran => ran.outcome))).toEqual(new Set(['REFUSED']))
    await on.stage.booted.worker.sweep()
    const { canary } = await one.look()
    expect(canary.state).toBe('RUNNING')
    expect(canary.health.calls).toBeLessThan(40)
  })

  it('that is paused stays where it is, and holds its step anew when it goes on', async () => {
    const one = await released(good('two'))
    expect((await one.move('pause')).status).toBe(200)
    await pass(7)
    expect((await one.look()).canary).toMatchObject({ state: 'PAUSED', step: 0, weight: 20, nextAt: null })
    expect((await one.move('resume')).status).toBe(200)
    await pass(1)
    expect(await one.weight()).toBe(20)
    await pass(1)
    expect(await one.weight()).toBe(60)
  })

  it('is finished or rolled back by hand, once', async () => {
    const [done, back] = [await released(good('two')), await released(good('two'))]
    expect((await done.move('finish')).body.canary).toMatchObject({ state: 'DONE', weight: 100 })
    expect(await done.aliasOf()).toMatchObject({ version: '2', additional: null })
    expect((await back.move('rollBack')).body.canary).toMatchObject({ state: 'ROLLED_BACK', weight: 0 })
    expect(await back.aliasOf()).toMatchObject({ version: '1', additional: null })
    expect((await back.move('finish')).status).toBe(422)
    expect((await back.move('pause', 1)).status).toBe(409)
    expect((await on.owner.ok(functionCanary, 'startCanary', back.start)).canary.state).toBe('RUNNING')
    const { total, list } = await on.owner.ok(functionCanary, 'listCanaries', {
      params: { functionId: back.functionId },
      query: {},
    })
    expect([total, list.map(one => one.state)]).toEqual([2, ['RUNNING', 'ROLLED_BACK']])
  })

  it('is the only one that moves its alias', async () => {
    const one = await released(good('two'))
    expect((await on.owner.call(functionCanary, 'startCanary', one.start)).status).toBe(412)
    const params = { functionId: one.functionId, name: 'live' }
    const { revision } = await one.aliasOf()
    const body = { revision, version: '1' }
    expect((await on.owner.call(functionAliases, 'updateAlias', { params, body })).status).toBe(412)
    expect((await on.owner.call(functionAliases, 'deleteAlias', { params })).status).toBe(412)
    await on.owner.ok(functionsIde, 'deleteFunction', {
      params: { functionId: one.functionId },
      query: { force: 'true' },
    })
    expect(await on.stage.sql('CN', 'SELECT 1 FROM fn_canaries WHERE canary_id = $1', [one.canaryId])).toEqual([])
  })

  it('sends the share of its step', async () => {
    const one = await released(good('two'), { steps: [{ weight: 30, holdMinutes: 60 }] })
    let second = 0
    for (let round = 0; round < 10; round++) second += (await one.call(30)).filter(ran => ran.result === 'two').length
    // Chi-square with one degree of freedom; above 15.1 once in ten thousand runs.
    expect((second - 90) ** 2 / 90 + (second - 90) ** 2 / 210).toBeLessThan(15.1)
  })
})

describe('no canary', () => {
  it.each<[string, object, number]>([
    ['without steps', { steps: [] }, 400],
    [
      'with steps that shrink',
      {
        steps: [
          { weight: 50, holdMinutes: 1 },
          { weight: 20, holdMinutes: 1 },
        ],
      },
      400,
    ],
    ['with a share of everything', { steps: [{ weight: 100, holdMinutes: 1 }] }, 400],
    ['to the version that is there', { version: '1' }, 400],
    ['to a version that is not there', { version: '9' }, 404],
    ['to what moves', { version: '$latest' }, 400],
    ['that looks at no calls', { limits: { ...limits, minimumCalls: 0 } }, 400],
  ])('%s', async (_what, wish, status) => {
    const { functionId } = await on.create(good('one'))
    await publish(on.owner, functionId)
    await publish(on.owner, functionId, good('two'))
    await on.owner.ok(functionAliases, 'createAlias', { params: { functionId }, body: { name: 'live', version: '1' } })
    const body = { version: '2', steps, limits, ...wish }
    const reply = await on.owner.call(functionCanary, 'startCanary', { params: { functionId, name: 'live' }, body })
    expect(reply.status).toBe(status)
    const stranger = await on.stage.person()
    const foreign = { params: { functionId }, query: {} }
    expect((await stranger.call(functionCanary, 'listCanaries', foreign)).status).toBe(404)
  })
})
