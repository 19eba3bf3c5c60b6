import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { functionsIde } from '../contract.ts'
import { type FunctionStage, openFunctions, podsOf, publish, until } from '../functions.testkit.ts'
import { functionScaling } from './contract.ts'
import { defaultManager, type ManagerConfig } from './rules.ts'

let on: FunctionStage
beforeAll(async () => {
  on = await openFunctions()
})
afterAll(() => on.close())

const configOf = (functionId: string, qualifier = '$latest') =>
  on.owner.ok(functionScaling, 'getManagerConfig', { params: { functionId }, query: { qualifier } })
async function set(functionId: string, wish: Partial<ManagerConfig>, qualifier = '$latest') {
  const { revision } = await configOf(functionId, qualifier)
  const body = { ...defaultManager, ...wish, qualifier, revision }
  return on.owner.ok(functionScaling, 'setManagerConfig', { params: { functionId }, body })
}
const greeting = `exports.handler = async () => 'hello'`

describe('reserved copies', () => {
  it('come without a call, come back after a restart of the server, and follow the code', async () => {
    const { functionId, functionName } = await on.create(greeting)
    const made = await set(functionId, { minInstances: 2 })
    expect(made).toMatchObject({ revision: 1, live: { floor: 2, target: 2 } })
    const before = await until(
      () => podsOf(on.owner, functionId),
      list => list.length === 2,
    )
    const other = await on.stage.another()
    const there = on.stage.at(other, on.owner)
    const copied = await until(
      () => podsOf(there, functionId),
      list => list.length === 2,
    )
    await publish(on.owner, functionId, `exports.handler = async () => 'changed'`)
    const known = new Set([...before, ...copied].map(one => one.podId))
    for (const who of [on.owner, there])
      await until(
        () => podsOf(who, functionId),
        list => list.length === 2 && list.every(one => !known.has(one.podId)),
      )
    expect((await on.run(functionName)).result).toBe('changed')
    await set(functionId, { minInstances: 0, idleTimeoutSec: 10 })
    on.stage.clock.turn(120_000)
    for (const who of [on.owner, there])
      await until(
        () => podsOf(who, functionId),
        list => list.length === 0,
      )
    await other.close()
  })

  it('of a version come for its alias, and end when the function is switched off', async () => {
    const { functionId } = await on.create(greeting)
    await publish(on.owner, functionId)
    await set(functionId, { minInstances: 1 }, '1')
    const pods = () => podsOf(on.owner, functionId, '1')
    await until(pods, list => list.length === 1)
    const { function: found } = await on.owner.ok(functionsIde, 'getFunction', { params: { functionId } })
    const body = { revision: found.revision, isEnabled: false }
    await on.owner.ok(functionsIde, 'updateFunction', { params: { functionId }, body })
    await until(pods, list => list.length === 0)
  })

  it('hold back no more of a project than they may', async () => {
    const { functionId } = await on.create(greeting, { instanceConcurrency: 46 })
    const body = { ...defaultManager, minInstances: 2 }
    const reply = await on.owner.call(functionScaling, 'setManagerConfig', { params: { functionId }, body })
    expect([reply.status, reply.body.ret.code]).toEqual([412, 210412005])
  })
})

it('no more copies run than may', async () => {
  const code = `exports.handler = async () => new Promise(resolve => setTimeout(() => resolve('done'), 200))`
  const { functionId, functionName } = await on.create(code)
  await set(functionId, { maxInstances: 2 })
  const calls = Array.from({ length: 6 }, () => on.run(functionName))
  const most: number[] = []
  const watch = setInterval(() => void podsOf(on.owner, functionId).then(list => most.push(list.length)), 50)
  expect((await Promise.all(calls)).map(ran => ran.result)).toEqual(Array(6).fill('done'))
  clearInterval(watch)
  expect(Math.max(...most)).toBe(2)
})

it('a floor by the clock and a rule of a metric make copies, as long as they stand', async () => {
  const { functionId } = await on.create(greeting)
  const params = { functionId }
  const cron = { cron: '* * * * *', timezone: 'Asia/Shanghai', holdMinutes: 5, count: 2 }
  const { rule } = await on.owner.ok(functionScaling, 'createScalingRule', {
    params,
    body: { name: 'always', qualifier: '$latest', kind: 'CRON', cron },
  })
  const pods = () => podsOf(on.owner, functionId)
  await until(pods, list => list.length === 2)
  const { floors } = await on.owner.ok(functionScaling, 'listScalingRules', { params, query: {} })
  expect(floors[0]).toMatchObject({ ruleId: rule.ruleId, count: 2 })
  const metric = { metric: 'Qps' as const, threshold: 10, min: 3, max: 5 }
  await on.owner.ok(functionScaling, 'updateScalingRule', {
    params: { functionId, ruleId: rule.ruleId },
    body: { revision: rule.revision, name: 'by calls', qualifier: '$latest', kind: 'METRIC', metric },
  })
  await until(pods, list => list.length === 3)
  await on.owner.ok(functionScaling, 'deleteScalingRule', { params: { functionId, ruleId: rule.ruleId } })
  on.stage.clock.turn(120_000)
  await until(pods, list => list.length === 0)
})

describe('a function connects', () => {
  const connecting = `exports.handler = async event => {
    try { return await (await fetch(event.url)).text() } catch (error) { return error.cause.code }
  }`
  const nowhere = { cidrs: [], hosts: [] }
  it.each<[string, ManagerConfig['egress'], 'reached' | string]>([
    ['anywhere unless said', { mode: 'ALL', ...nowhere }, 'reached'],
    ['nowhere', { mode: 'DENY', ...nowhere }, 'EACCES'],
    ['nowhere by an empty list', { mode: 'ALLOWLIST', ...nowhere }, 'EACCES'],
    ['to no other name than is listed', { mode: 'ALLOWLIST', cidrs: [], hosts: ['example.org'] }, 'EACCES'],
    ['to no other network than is listed', { mode: 'ALLOWLIST', cidrs: ['203.0.113.0/24'], hosts: [] }, 'EACCES'],
    ['to a listed network', { mode: 'ALLOWLIST', cidrs: ['127.0.0.0/8'], hosts: [] }, 'reached'],
    ['to a listed name', { mode: 'ALLOWLIST', cidrs: [], hosts: ['127.0.0.1'] }, 'reached'],
  ])('%s', async (what, egress, expected) => {
    const { functionId, functionName } = await on.create(connecting)
    await set(functionId, { egress })
    const name = what.replace(/\W/g, '')
    const { result } = await on.run(functionName, { url: `${on.site.url}/${name}` })
    expect([result, on.site.asked(name)]).toEqual(expected === 'reached' ? ['1', 1] : [expected, 0])
  })

  it('to no address of the machine’s own kind, whatever is listed', async () => {
    const { functionId, functionName } = await on.create(connecting)
    const cidrs = ['0.0.0.0/0', '169.254.0.0/16', '10.0.0.0/8', '::/0']
    await set(functionId, { egress: { mode: 'ALLOWLIST', cidrs, hosts: ['169.254.169.254', 'localhost'] } })
    const results = [
      'http://169.254.169.254/latest',
      'http://10.0.0.1/',
      'http://localhost:9999/',
      'http://[::1]:9999/',
    ].map(async url => (await on.run(functionName, { url })).result)
    for (const result of await Promise.all(results)) expect(result).toMatch(/^(EACCES|ECONNREFUSED)$/)
  })

  it('no longer over what was open when the rules were made', async () => {
    const code = `const net = require('net')
      let socket
      exports.handler = async event => {
        socket ??= await new Promise((ok, no) => { const s = net.connect(event.port, '127.0.0.1', () => ok(s)); s.on('error', no) })
        await new Promise(resolve => setTimeout(resolve, event.wait ?? 0))
        return socket.destroyed || socket.readableEnded
      }`
    const { functionId, functionName } = await on.create(code)
    const port = Number(new URL(on.site.url).port)
    expect((await on.run(functionName, { port })).result).toBe(false)
    await set(functionId, { egress: { mode: 'DENY', ...nowhere } })
    for (let n = 0; n < 50; n++) {
      const { result } = await on.run(functionName, { port, wait: 20 })
      if (result === true) break
      if (n === 49) throw new Error('it stayed open')
    }
  })
})

it('lines below the level are not kept', async () => {
  const code = `exports.handler = async () => { console.debug('d'); console.info('i'); console.warn('w'); console.error('e') ; return 1 }`
  const { functionId, functionName } = await on.create(code)
  const levels = async () => (await on.run(functionName)).logs.map(one => one.level)
  expect(await levels()).toEqual(['debug', 'info', 'warn', 'error'])
  await set(functionId, { logLevel: 'warn' })
  expect(await levels()).toEqual(['warn', 'error'])
  await set(functionId, { logLevel: 'none' })
  expect(await levels()).toEqual([])
})

describe('what cannot be is refused', () => {
  it.each<[string, Partial<ManagerConfig>]>([
    ['more than the most', { minInstances: 21 }],
    ['a minimum over the maximum', { minInstances: 3, maxInstances: 2 }],
    ['no copy at most', { maxInstances: 0 }],
    ['an end at once', { idleTimeoutSec: 9 }],
    ['a network that is none', { egress: { mode: 'ALLOWLIST', cidrs: ['300.0.0.0/8'], hosts: [] } }],
    ['an address without its bits', { egress: { mode: 'ALLOWLIST', cidrs: ['203.0.113.1'], hosts: [] } }],
    ['a name with a port', { egress: { mode: 'ALLOWLIST', cidrs: [], hosts: ['a.example:80'] } }],
    ['a star inside', { egress: { mode: 'ALLOWLIST', cidrs: [], hosts: ['a.*.example'] } }],
  ])('%s', async (_what, wish) => {
    const { functionId } = await on.create(greeting)
    const body = { ...defaultManager, ...wish }
    expect((await on.owner.call(functionScaling, 'setManagerConfig', { params: { functionId }, body })).status).toBe(
      400,
    )
    expect(await configOf(functionId)).toMatchObject({ ...defaultManager, revision: 0 })
  })

  it('a stale revision, and rules that cannot be', async () => {
    const { functionId } = await on.create(greeting)
    const params = { functionId }
    await set(functionId, { maxInstances: 3 })
    const stale = { params, body: { ...defaultManager, revision: 0 } }
    expect((await on.owner.call(functionScaling, 'setManagerConfig', stale)).status).toBe(409)
    const rule = { name: 'r', qualifier: '$latest', kind: 'CRON' as const }
    const cron = { cron: '0 0 30 2 *', timezone: 'UTC', holdMinutes: 1, count: 1 }
    for (const body of [rule, { ...rule, cron }, { ...rule, cron: { ...cron, timezone: 'No/Where' } }])
      expect((await on.owner.call(functionScaling, 'createScalingRule', { params, body })).status).toBe(400)
    const stranger = await on.stage.person()
    expect((await stranger.call(functionScaling, 'listScalingRules', { params, query: {} })).status).toBe(404)
  })
})
