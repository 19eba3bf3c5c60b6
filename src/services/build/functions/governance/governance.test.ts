import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { functionAliases } from '../aliases/contract.ts'
import { type FunctionStage, openFunctions, podsOf, publish, until } from '../functions.testkit.ts'
import { functionScaling } from '../scaling/contract.ts'
import { defaultManager } from '../scaling/rules.ts'
import { functionTesting } from '../testing/contract.ts'
import { functionGovernance } from './contract.ts'
import { defaults } from './rules.ts'

let on: FunctionStage
beforeAll(async () => {
  on = await openFunctions()
})
afterAll(() => on.close())

const breakerOf = (functionId: string, qualifier = '$latest') =>
  on.owner.ok(functionGovernance, 'getCircuitBreaker', { params: { functionId }, query: { qualifier } })
const setBreaker = (functionId: string, wish: object, more: object = {}) =>
  on.owner.ok(functionGovernance, 'createCircuitBreaker', {
    params: { functionId },
    body: { spec: { ...defaults.CIRCUITBREAKER, ...wish }, ...more },
  })
const setRetry = (functionId: string, wish: object) =>
  on.owner.ok(functionGovernance, 'createRetry', {
    params: { functionId },
    body: { spec: { ...defaults.RETRY, ...wish } },
  })
const times = <T>(count: number, work: () => Promise<T>) =>
  Array.from({ length: count }).reduce<Promise<T[]>>(
    async before => [...(await before), await work()],
    Promise.resolve([]),
  )

const fickle = `exports.handler = async event => { if (event.bad) throw new Error('bad'); return 'good' }`
const small = { minimumNumberOfCalls: 4, slidingWindowSize: 4, permittedCallsInHalfOpen: 2 }

describe('a breaker', () => {
  it('opens for a function that fails, and closes when it does well again; a neighbour’s stays closed', async () => {
    const [one, neighbour] = [await on.create(fickle), await on.create(fickle)]
    for (const { functionId } of [one, neighbour]) await setBreaker(functionId, small)
    const bad = await times(4, () => on.run(one.functionName, { bad: true }))
    expect(bad.map(ran => ran.outcome)).toEqual(Array(4).fill('ERROR'))
    expect((await breakerOf(one.functionId)).status).toMatchObject([
      { state: 'OPEN', failureRate: 100, windowCalls: 4 },
    ])

    const held = await on.run(one.functionName)
    expect(held).toMatchObject({ statusCode: 429, outcome: 'REFUSED', error: { type: '210429004' } })
    expect(held.error?.message).toMatch(/try again in \d+ s/)
    expect((await on.run(neighbour.functionName)).result).toBe('good')
    expect((await breakerOf(neighbour.functionId)).status).toMatchObject([{ state: 'CLOSED' }])

    on.stage.clock.turn(60_000)
    expect((await on.run(one.functionName)).result).toBe('good')
    expect((await breakerOf(one.functionId)).status).toMatchObject([{ state: 'HALF_OPEN' }])
    expect((await on.run(one.functionName)).result).toBe('good')
    expect((await breakerOf(one.functionId)).status).toMatchObject([{ state: 'CLOSED', windowCalls: 0 }])
  })

  it('opens again when a trial fails', async () => {
    const { functionId, functionName } = await on.create(fickle)
    await setBreaker(functionId, { ...small, permittedCallsInHalfOpen: 1 })
    await times(4, () => on.run(functionName, { bad: true }))
    on.stage.clock.turn(60_000)
    expect((await on.run(functionName, { bad: true })).outcome).toBe('ERROR')
    expect((await on.run(functionName)).statusCode).toBe(429)
  })

  it('counts an answer of its own that is named a failure, and a slow one', async () => {
    const code = `exports.handler = async (event, context) => {
      if (event.slow) await new Promise(resolve => setTimeout(resolve, 60))
      return new context.HTTPResponse('', {}, 'text/plain', event.status ?? 200)
    }`
    const answers = await on.create(code)
    await setBreaker(answers.functionId, small)
    await times(4, () => on.run(answers.functionName, { status: 503 }))
    expect((await breakerOf(answers.functionId)).status).toMatchObject([{ state: 'OPEN' }])
    const slow = await on.create(code)
    await setBreaker(slow.functionId, { ...small, slowCallDurationMs: 50, slowCallRateThreshold: 50 })
    await times(4, () => on.run(slow.functionName, { slow: true }))
    expect((await breakerOf(slow.functionId)).status).toMatchObject([{ state: 'OPEN', slowRate: 100, failureRate: 0 }])
  })

  it('that opens or closes on one server does so on all, where calls came already and where none did', async () => {
    const { functionId, functionName } = await on.create(fickle)
    await setBreaker(functionId, small)
    const there = on.stage.at(await on.stage.another(), on.owner)
    const seenThere = async () => {
      const query = { qualifier: '$latest' }
      const found = await there.ok(functionGovernance, 'getCircuitBreaker', { params: { functionId }, query })
      return found.status[0]?.state
    }
    const runThere = (event: unknown) =>
      there.ok(functionTesting, 'testFunction', {
        params: { a: functionName, b: '$latest' },
        query: { projectId: on.projectId },
        body: { event },
      })
    await times(4, () => on.run(functionName, { bad: true }))
    await until(seenThere, state => state === 'OPEN')
    expect((await runThere({})).statusCode).toBe(429)

    on.stage.clock.turn(60_000)
    await times(2, () => runThere({}))
    await until(
      async () => (await breakerOf(functionId)).status[0]?.state,
      state => state === 'CLOSED',
    )
    expect((await on.run(functionName)).result).toBe('good')
    await times(4, () => runThere({ bad: true }))
    await until(
      async () => (await on.run(functionName)).statusCode,
      status => status === 429,
    )
  })

  it('is of one qualifier: what fails under one name is called under the others', async () => {
    const { functionId, functionName } = await on.create(fickle)
    const version = await publish(on.owner, functionId)
    await on.owner.ok(functionAliases, 'createAlias', { params: { functionId }, body: { name: 'live', version } })
    await setBreaker(functionId, { forced: 'OPEN' }, { qualifier: 'live' })
    expect((await on.run(functionName, {}, 'live')).statusCode).toBe(429)
    expect((await on.run(functionName, {}, '1')).result).toBe('good')
    expect((await breakerOf(functionId, 'live')).status).toMatchObject([{ state: 'FORCED_OPEN', notPermitted: 1 }])
  })

  it('that is off or taken away holds nothing back', async () => {
    const { functionId, functionName } = await on.create(fickle)
    await setBreaker(functionId, { forced: 'OPEN' }, { isEnabled: false })
    expect((await on.run(functionName)).result).toBe('good')
    const { revision } = await breakerOf(functionId)
    const body = { revision, spec: { ...defaults.CIRCUITBREAKER, forced: 'OPEN' as const } }
    await on.owner.ok(functionGovernance, 'updateCircuitBreaker', { params: { functionId }, body })
    expect((await on.run(functionName)).statusCode).toBe(429)
    const stale = await on.owner.call(functionGovernance, 'updateCircuitBreaker', { params: { functionId }, body })
    expect(stale.status).toBe(409)
    const gone = await on.owner.ok(functionGovernance, 'deleteCircuitBreaker', { params: { functionId }, query: {} })
    expect(gone).toMatchObject({ isEnabled: false, revision: 0, spec: defaults.CIRCUITBREAKER })
    expect((await on.run(functionName)).result).toBe('good')
  })
})

describe('a call that fails', () => {
  /** Fails until the site was asked `event.until` times. */
  const counting = (what: string, fail: string) => `exports.handler = async (event, context) => {
    const asked = Number(await (await fetch('${on.site.url}/${what}')).text())
    if (asked < event.until) ${fail}
    return asked
  }`
  const answer503 = `return new context.HTTPResponse('', {}, 'text/plain', 503)`

  it('is made again where it may run twice, and says so in its lines', async () => {
    const { functionId, functionName } = await on.create(counting('twice', answer503))
    await setRetry(functionId, { isIdempotent: true })
    const ran = await on.run(functionName, { until: 3 })
    expect([ran.result, on.site.asked('twice'), ran.logs.length]).toEqual([3, 3, 2])
    expect(ran.logs[0]?.line).toContain('try 1 ended with 503')
    const { list } = await on.owner.ok(functionTesting, 'listCalls', { params: { functionId }, query: {} })
    expect(list.length).toBe(1)
  })

  it.each([
    ['an answer', answer503],
    ['a crash', 'process.abort()'],
    ['no answer in time', 'await new Promise(() => setInterval(() => 1, 1000))'],
  ])('by %s is never doubled where it may not run twice', async (what, fail) => {
    const name = what.replace(/\W/g, '')
    const { functionId, functionName } = await on.create(counting(name, fail), { timeoutMs: 1500 })
    await setRetry(functionId, { isIdempotent: false, maxAttempts: 5, retryOnResponseStatus: [500, 502, 503, 504] })
    await on.run(functionName, { until: 9 })
    expect(on.site.asked(name)).toBe(1)
  })

  it('is made again after a crash, on another copy', async () => {
    const { functionId, functionName } = await on.create(counting('crash', 'process.abort()'))
    await setRetry(functionId, { isIdempotent: true })
    expect(await on.run(functionName, { until: 2 })).toMatchObject({ outcome: 'SUCCESS', result: 2 })
  })

  it('is made no oftener than the breaker lets through', async () => {
    const { functionId, functionName } = await on.create(counting('through', answer503))
    await setRetry(functionId, { isIdempotent: true, maxAttempts: 5 })
    await setBreaker(functionId, { ...small, minimumNumberOfCalls: 2 })
    expect((await on.run(functionName, { until: 9 })).statusCode).toBe(503)
    expect(on.site.asked('through')).toBe(2)
  })
})

it('calls are spread over copies as is said', async () => {
  const code = `const own = String(Math.random()); exports.handler = async () => own`
  const { functionId, functionName } = await on.create(code, { instanceConcurrency: 2 })
  await on.owner.ok(functionScaling, 'setManagerConfig', {
    params: { functionId },
    body: { ...defaultManager, minInstances: 3 },
  })
  await until(
    () => podsOf(on.owner, functionId),
    list => list.length === 3,
  )
  const counted = async (headers: Record<string, string> = {}) => {
    const answers = (await times(9, () => on.run(functionName, {}, '$latest', headers))).map(ran => String(ran.result))
    return [...Map.groupBy(answers, one => one).values()].map(list => list.length)
  }
  expect(await counted()).toEqual([9])
  const params = { functionId }
  const made = await on.owner.ok(functionGovernance, 'createLoadBalancer', {
    params,
    body: { spec: { ...defaults.LOADBALANCER, policy: 'RoundRobin' } },
  })
  expect(await counted()).toEqual([3, 3, 3])
  const sticky = { by: 'header' as const, name: 'X-Room', ttlSec: 600 }
  await on.owner.ok(functionGovernance, 'updateLoadBalancer', {
    params,
    body: { revision: made.revision, spec: { policy: 'SessionStickiness', sticky } },
  })
  expect(await counted({ 'x-room': 'blue' })).toEqual([9])
})

describe('what cannot be is refused', () => {
  const spec = defaults.CIRCUITBREAKER
  it.each<[string, object, string]>([
    ['a rate of nothing', { spec: { ...spec, failureRateThreshold: 0 } }, '/spec/failureRateThreshold'],
    ['a rate over a hundred', { spec: { ...spec, slowCallRateThreshold: 101 } }, '/spec/slowCallRateThreshold'],
    ['a window without size', { spec: { ...spec, slidingWindowSize: 0 } }, '/spec/slidingWindowSize'],
    [
      'a long window of time',
      { spec: { ...spec, slidingWindowType: 'time', slidingWindowSize: 601 } },
      '/spec/slidingWindowSize',
    ],
    ['a status of success', { spec: { ...spec, recordFailureStatus: [200] } }, '/spec/recordFailureStatus/0'],
    ['an unknown state', { spec: { ...spec, forced: 'CLOSED' } }, '/spec/forced'],
    ['a field too many', { spec: { ...spec, more: 1 } }, '/spec'],
    ['a name that leads out', { qualifier: '../x', spec }, '/qualifier'],
  ])('%s', async (_what, body, pointer) => {
    const { functionId } = await on.create(fickle)
    const reply = await on.owner.call(functionGovernance, 'createCircuitBreaker', {
      params: { functionId },
      body: body as never,
    })
    expect([reply.status, reply.body.fields?.[0]?.pointer]).toEqual([400, expect.stringContaining(pointer)])
  })

  it('a version that is not there, waits that cannot be, sessions by nothing, and the function of another team', async () => {
    const { functionId } = await on.create(fickle)
    const params = { functionId }
    const missing = { params, query: { qualifier: '7' } }
    expect((await on.owner.call(functionGovernance, 'getRetry', missing)).status).toBe(404)
    const wait = { params, body: { spec: { ...defaults.RETRY, waitMs: 100, maxWaitMs: 50 } } }
    expect((await on.owner.call(functionGovernance, 'createRetry', wait)).status).toBe(400)
    const sticky = { by: 'cookie' as const, name: '', ttlSec: 60 }
    const session = { params, body: { spec: { policy: 'SessionStickiness' as const, sticky } } }
    expect((await on.owner.call(functionGovernance, 'createLoadBalancer', session)).status).toBe(400)
    const stranger = await on.stage.person()
    const foreign = { params, query: {} }
    expect((await stranger.call(functionGovernance, 'getCircuitBreaker', foreign)).status).toBe(404)
    expect((await stranger.call(functionGovernance, 'deleteRetry', foreign)).status).toBe(404)
  })
})
