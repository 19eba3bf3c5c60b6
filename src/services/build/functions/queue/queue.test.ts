import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Person, type Stage } from '../../../../testkit/stage.ts'
import { projects } from '../../../ground/projects/contract.ts'
import { functionsIde } from '../contract.ts'
import { functionGovernance } from '../governance/contract.ts'
import { defaults } from '../governance/rules.ts'
import { functionTesting } from '../testing/contract.ts'
import { functionTriggers } from '../triggers/contract.ts'
import { functionInvoke, functionQueue } from './contract.ts'

let stage: Stage
let owner: Person
let projectId = ''
beforeAll(async () => {
  stage = await openStage()
  owner = await stage.person()
  projectId = (await owner.ok(projects, 'createProject', { body: { name: 'Queue' } })).projectId
})
afterAll(() => stage.close())

let made = 0
const deploy = async (content: string, more: object = {}) => {
  const functionName = `queued-${++made}`
  const files = [{ path: 'index.js', content, encoding: 'utf8' as const }]
  const body = { projectId, functionName, files, ...more }
  return (await owner.ok(functionsIde, 'createFunctionWithCode', { body })).function
}
const invoke = (functionName: string, payload: unknown, headers: Record<string, string> = {}, more: object = {}) =>
  owner.call(functionInvoke, 'invokeFunction', {
    params: { functionName },
    query: { projectId },
    body: { mode: 'ASYNC', payload, ...more },
    headers,
  })
const later = async (functionName: string, payload: unknown, headers?: Record<string, string>) => {
  const reply = await invoke(functionName, payload, headers)
  expect(reply.status).toBe(202)
  return (reply.body as unknown as { requestId: string }).requestId
}
const look = (functionId: string, requestId: string) =>
  owner.ok(functionQueue, 'getAsyncCall', { params: { functionId, requestId } })

/** Turns the clock over the pauses between attempts until the call is in the state. */
async function until(functionId: string, requestId: string, state: string, turn = false) {
  for (const end = Date.now() + 60_000; ; ) {
    const found = await look(functionId, requestId)
    if (found.call.state === state) return found
    if (Date.now() > end) throw new Error(`${requestId} is ${found.call.state}, not ${state}: ${found.call.reason}`)
    if (turn && found.call.state === 'WAIT' && found.call.attempt > 0) {
      stage.clock.turn(20_000)
      await stage.booted.worker.sweep()
    }
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}
const echo = 'exports.handler = async (event, context) => ({ event, delivery: context.delivery })'

describe('a call that nobody waits for', () => {
  it('is answered at once, made once, and keeps what came of it', async () => {
    const { functionId, functionName } = await deploy(echo)
    const requestId = await later(functionName, { n: 1 })
    const { call, attempts, payload, result } = await until(functionId, requestId, 'SUCCESS')
    expect(payload).toEqual({ n: 1 })
    expect(result).toEqual({ event: { n: 1 }, delivery: { requestId, attempt: 1, isRepeat: false } })
    expect(attempts).toMatchObject([{ attempt: 1, isRepeat: false, outcome: 'SUCCESS' }])
    expect([call.source, call.attempt, call.told]).toEqual(['CONSOLE', 1, null])
    const calls = await owner.ok(functionTesting, 'listCalls', { params: { functionId }, query: {} })
    expect(calls.list.map(one => one.requestId)).toEqual([attempts[0]?.invocationId])
  })

  it('ends with an error or an answer that PostgreSQL keeps in no text, too', async () => {
    const code = `const fs = require('fs')
      exports.handler = async ({ bad, forged }, context) => {
        if (bad) throw new TypeError('a\\0b\\ud800')
        if (!forged) return 'c\\0d'
        const head = 'answered ' + context.requestId
        const lengths = Buffer.alloc(8)
        lengths.writeUInt32BE(head.length + 2)
        lengths.writeUInt32BE(head.length, 4)
        fs.writeSync(3, Buffer.concat([lengths, Buffer.from(head + '{\\0')]))
      }`
    const { functionId, functionName } = await deploy(code)
    const ended = async (payload: object, state: string) =>
      until(functionId, await later(functionName, payload), state, true)
    const { call, attempts } = await ended({ bad: true }, 'FAIL')
    expect(call).toMatchObject({ errorType: 'TypeError', reason: 'a\ufffdb\ufffd' })
    expect(attempts.map(one => one.outcome)).toEqual(['ERROR', 'ERROR', 'ERROR'])
    expect((await ended({ text: 'e\0f' }, 'SUCCESS')).result).toBe('c\0d')
    expect((await ended({ forged: true }, 'SUCCESS')).result).toBe('{\ufffd')
  })

  it('is one call however often a client sends it, and another under the same key is refused', async () => {
    const { functionId, functionName } = await deploy(echo)
    const headers = { 'idempotency-key': 'order-7' }
    const ids = await Promise.all([1, 2, 3, 4].map(() => later(functionName, { n: 7 }, headers)))
    expect(new Set(ids).size).toBe(1)
    expect((await invoke(functionName, { n: 8 }, headers)).status).toBe(409)
    expect((await invoke(functionName, {}, { 'idempotency-key': 'a b' })).status).toBe(400)
    const { total } = await owner.ok(functionQueue, 'listAsyncCalls', { params: { functionId }, query: {} })
    expect(total).toBe(1)
  })

  it('that an open breaker holds back is put off, and uses none of its retries up', async () => {
    const { functionId, functionName } = await deploy(
      `exports.handler = async ({ bad }) => { if (bad) throw new Error('bad'); return 'good' }`,
    )
    const place = { params: { functionId } }
    const spec = { ...defaults.CIRCUITBREAKER, minimumNumberOfCalls: 2, slidingWindowSize: 2 }
    await owner.ok(functionGovernance, 'createCircuitBreaker', { ...place, body: { spec } })
    const settings = { qualifier: '$latest', maxRetry: 0, maxAgeSec: 3600 }
    await owner.ok(functionQueue, 'putAsyncConfig', { ...place, body: settings })
    for (const _one of [1, 2]) await until(functionId, await later(functionName, { bad: true }), 'FAIL')
    const { call, attempts } = await until(functionId, await later(functionName, {}), 'SUCCESS', true)
    const outcomes = attempts.map(one => one.outcome)
    expect(outcomes.slice(-2)).toEqual(['THROTTLED', 'SUCCESS'])
    expect(attempts[0]).toMatchObject({ outcome: 'THROTTLED', errorType: '210429004' })
    expect(attempts.every(one => !one.isRepeat)).toBe(true)
    expect([call.attempt, call.maxRetry]).toEqual([attempts.length, attempts.length - 1])
  })

  it('that fails is tried again, each attempt kept, and fails for good after its retries', async () => {
    const { functionId, functionName } = await deploy(
      `exports.handler = async (event, { delivery }) => { console.log('try', delivery.attempt, delivery.isRepeat); throw new RangeError('no') }`,
    )
    const requestId = await later(functionName, {})
    const { call, attempts } = await until(functionId, requestId, 'FAIL', true)
    expect([call.reason, call.errorType]).toEqual(['no', 'RangeError'])
    expect(attempts.map(one => [one.attempt, one.isRepeat, one.outcome])).toEqual([
      [1, false, 'ERROR'],
      [2, true, 'ERROR'],
      [3, true, 'ERROR'],
    ])
    const calls = await owner.ok(functionTesting, 'listCalls', { params: { functionId }, query: {} })
    expect(calls.list.map(one => one.lines[0]?.line)).toEqual(['try 3 true', 'try 2 true', 'try 1 false'])
  })

  it.each<[string, string, object, string]>([
    [
      'answers what cannot be JSON',
      'exports.handler = async () => { const a = []; a.push(a); return a }',
      {},
      'circular',
    ],
    [
      'takes too long',
      'exports.handler = () => new Promise(() => setInterval(() => 1, 1000))',
      { timeoutMs: 200 },
      '200 ms',
    ],
    ['ends its process', 'exports.handler = async () => process.exit(3)', {}, 'process'],
  ])('of a function that %s fails with the reason', async (_what, content, more, word) => {
    const { functionId, functionName } = await deploy(content, more)
    await settings(functionId, { maxRetry: 0 })
    const { call } = await until(functionId, await later(functionName, {}), 'FAIL')
    expect(call.reason).toContain(word)
    expect(call.attempt).toBe(1)
  })

  it('waits while its function is switched off, and is given up when it is too old or by hand', async () => {
    const { functionId, functionName, revision } = await deploy(echo)
    const params = { functionId }
    const off = await owner.ok(functionsIde, 'updateFunction', { params, body: { revision, isEnabled: false } })
    const [first, second, third] = await Promise.all([1, 2, 3].map(n => later(functionName, { n })))
    await new Promise(resolve => setTimeout(resolve, 300))
    const waiting = await owner.ok(functionQueue, 'listAsyncCalls', { params, query: { state: 'WAIT', pageSize: 2 } })
    expect([waiting.total, waiting.list.length, waiting.nextCursor !== null]).toEqual([3, 2, true])
    await owner.ok(functionQueue, 'cancelAsyncCall', { params: { functionId, requestId: first ?? '' } })
    const again = await owner.call(functionQueue, 'cancelAsyncCall', { params: { functionId, requestId: first ?? '' } })
    expect([again.status, again.body.ret.code]).toEqual([412, 210412002])
    stage.clock.turn(3_601_000)
    await stage.booted.worker.sweep()
    // Turning the clock ends sessions.
    owner = await stage.person({ team: owner.teamId })
    expect((await until(functionId, second ?? '', 'DISCARD')).call.reason).toContain('too long')
    const on = { revision: off.function.revision, isEnabled: true }
    await owner.ok(functionsIde, 'updateFunction', { params, body: on })
    const { requestId } = await owner.ok(functionQueue, 'replayAsyncCall', {
      params: { functionId, requestId: third ?? '' },
    })
    expect((await until(functionId, requestId, 'SUCCESS')).payload).toEqual({ n: 3 })
    expect((await look(functionId, first ?? '')).call.state).toBe('DISCARD')
  })

  it('that is too large, of nobody, or of an alias that is not there is refused', async () => {
    const { functionName } = await deploy(echo)
    const large = await invoke(functionName, 'x'.repeat(1024 * 1024 - 1))
    expect([large.status, large.body.ret.code]).toEqual([413, 210413003])
    expect((await invoke(functionName, 'x'.repeat(1024 * 1024 - 2))).status).toBe(202)
    expect((await invoke('nobody-here', {})).status).toBe(404)
    expect((await invoke(functionName, {}, {}, { qualifier: 'live' })).body.ret.code).toBe(210404002)
  })

  it('of a process that died is made again by another, and says so', async () => {
    const { functionId, functionName } = await deploy(echo)
    const requestId = await later(functionName, { n: 1 })
    await until(functionId, requestId, 'SUCCESS')
    await stage.sql(
      'CN',
      `UPDATE fn_async SET state = 'RUNNING', owner = 'gone', lease_until = 1, finished_at = NULL WHERE request_id = $1`,
      [requestId],
    )
    await stage.sql('CN', 'UPDATE fn_async_attempts SET ended_at = NULL, outcome = NULL WHERE request_id = $1', [
      requestId,
    ])
    await stage.booted.worker.sweep()
    const { attempts, result } = await until(functionId, requestId, 'SUCCESS')
    expect(attempts.map(one => [one.attempt, one.isRepeat, one.outcome])).toEqual([
      [1, false, 'LOST'],
      [2, true, 'SUCCESS'],
    ])
    expect(result).toMatchObject({ delivery: { attempt: 2, isRepeat: true } })
  })
})

const settings = (functionId: string, more: object) =>
  owner.ok(functionQueue, 'putAsyncConfig', {
    params: { functionId },
    body: { qualifier: '$latest', maxRetry: 2, maxAgeSec: 3600, ...more },
  })

describe('who is to hear of the end', () => {
  it('is called with what came of it, a function or whoever waits for a topic', async () => {
    const listener = await deploy(echo)
    const { trigger } = await owner.ok(functionTriggers, 'createTrigger', {
      params: { functionId: listener.functionId },
      body: { typeCode: 'EVENT', qualifier: '$latest', name: 'failures', config: { topic: 'calls.failed' } },
    })
    const caller = await deploy(
      `exports.handler = async event => { if (event.bad) throw new Error('bad'); return { good: true } }`,
    )
    await settings(caller.functionId, {
      maxRetry: 0,
      onSuccess: { kind: 'FUNCTION', target: listener.functionName },
      onFailure: { kind: 'EVENT', target: 'calls.failed' },
    })
    const good = await later(caller.functionName, { bad: false })
    const bad = await later(caller.functionName, { bad: true })
    expect((await until(caller.functionId, good, 'SUCCESS')).call.told?.outcome).toBe('CALLED')
    expect((await until(caller.functionId, bad, 'FAIL')).call.told?.outcome).toBe('PUBLISHED')
    const params = { functionId: listener.functionId }
    const { list } = await owner.ok(functionQueue, 'listAsyncCalls', { params, query: {} })
    expect(list.map(one => [one.source, one.triggerId]).sort()).toEqual([
      ['FUNCTION', null],
      ['TRIGGER', trigger.triggerId],
    ])
    const heard = await Promise.all(list.map(one => until(listener.functionId, one.requestId, 'SUCCESS')))
    const payloads = heard.map(one => one.payload as { state?: string; data?: { state: string } })
    expect(payloads.map(one => one.state ?? one.data?.state).sort()).toEqual(['FAIL', 'SUCCESS'])
  })

  it('comes to an end in a circle, after eight in a row', async () => {
    const one = await deploy(echo)
    await settings(one.functionId, { onSuccess: { kind: 'FUNCTION', target: one.functionName } })
    await later(one.functionName, {})
    const params = { functionId: one.functionId }
    for (const end = Date.now() + 30_000; Date.now() < end; ) {
      const { list } = await owner.ok(functionQueue, 'listAsyncCalls', { params, query: {} })
      if (list.some(call => call.told?.outcome === 'CIRCLE')) break
      await new Promise(resolve => setTimeout(resolve, 100))
    }
    const { total, list } = await owner.ok(functionQueue, 'listAsyncCalls', { params, query: {} })
    expect([total, list[0]?.told]).toEqual([8, { outcome: 'CIRCLE', target: one.functionName }])
  })

  it.each<[string, object, number]>([
    ['no function', { onSuccess: { kind: 'FUNCTION', target: 'No Such' } }, 400],
    ['no topic', { onFailure: { kind: 'EVENT', target: 'a b' } }, 400],
    ['folders above', { onFailure: { kind: 'STORAGE', target: 'my-files/../x' } }, 400],
    ['no bucket', { onFailure: { kind: 'STORAGE', target: '../etc' } }, 400],
    ['folders that lead out', { onFailure: { kind: 'STORAGE', target: 'my-files/ /x' } }, 400],
    ['people nobody knows', { onFailure: { kind: 'ALARM', target: 'everybody' } }, 400],
    ['people told of each success', { onSuccess: { kind: 'ALARM', target: 'functions.edit' } }, 400],
    ['a version that is not there', { qualifier: '9' }, 404],
    ['four retries', { maxRetry: 4 }, 400],
    ['a minute less a second', { maxAgeSec: 59 }, 400],
    ['a revision that is old', { revision: 3 }, 409],
  ])('is refused for %s', async (_what, more, status) => {
    const { functionId } = await deploy(echo)
    const body = { qualifier: '$latest', maxRetry: 1, maxAgeSec: 60, ...more }
    expect((await owner.call(functionQueue, 'putAsyncConfig', { params: { functionId }, body })).status).toBe(status)
  })

  it('has the usual settings until somebody changes them', async () => {
    const { functionId } = await deploy(echo)
    const read = () => owner.ok(functionQueue, 'getAsyncConfig', { params: { functionId }, query: {} })
    expect((await read()).asyncConfig).toMatchObject({ maxRetry: 2, maxAgeSec: 3600, onSuccess: null, revision: null })
    await settings(functionId, { maxRetry: 1 })
    expect((await read()).asyncConfig).toMatchObject({ maxRetry: 1, revision: 1 })
  })
})

it('many calls of two functions are all made, once each, by two servers', async () => {
  const other = await stage.another()
  const [many, few] = [await deploy(echo, { instanceConcurrency: 10 }), await deploy(echo)]
  const at = stage.at(other, owner)
  const ids = await Promise.all(
    Array.from({ length: 60 }, (_none, n) => {
      const target = n % 6 === 0 ? few : many
      const call = {
        params: { functionName: target.functionName },
        query: { projectId },
        body: { mode: 'ASYNC' as const, payload: { n } },
      }
      return (n % 2 === 0 ? owner : at).call(functionInvoke, 'invokeFunction', call)
    }),
  )
  expect(ids.map(one => one.status)).toEqual(ids.map(() => 202))
  for (const { functionId } of [many, few]) {
    const done = async () =>
      (await owner.ok(functionQueue, 'listAsyncCalls', { params: { functionId }, query: { state: 'SUCCESS' } })).total
    const all = functionId === many.functionId ? 50 : 10
    for (const end = Date.now() + 60_000; (await done()) < all && Date.now() < end; )
      await new Promise(resolve => setTimeout(resolve, 100))
    expect(await done()).toBe(all)
  }
  const rows = await stage.sql<{ attempts: number }>(
    'CN',
    'SELECT count(*)::int AS attempts FROM fn_async_attempts WHERE function_id = ANY($1::bigint[])',
    [[many.functionId, few.functionId]],
  )
  expect(rows[0]?.attempts).toBe(60)
})

it('goes with its project', async () => {
  const leader = await stage.person()
  const gone = (await leader.ok(projects, 'createProject', { body: { name: 'Short' } })).projectId
  const { functionId } = await leader.ok(functionsIde, 'createFunction', {
    body: { projectId: gone, functionName: 'short-lived' },
  })
  const config = { cron: '* * * * *' }
  const body = { typeCode: 'CRON' as const, qualifier: '$latest', name: 'each minute', config }
  await leader.ok(functionTriggers, 'createTrigger', { params: { functionId }, body })
  await leader.ok(projects, 'deleteProject', { query: { projectId: gone } })
  await stage.settle()
  for (const table of ['fn_functions', 'fn_triggers'])
    expect(await stage.sql('CN', `SELECT 1 FROM ${table} WHERE project_id = $1`, [gone])).toEqual([])
})

it('is forgotten a week after its end, with its attempts', async () => {
  const { functionId, functionName } = await deploy(echo)
  const requestId = await later(functionName, {})
  await until(functionId, requestId, 'SUCCESS')
  const rows = () =>
    stage.sql('CN', 'SELECT 1 FROM fn_async FULL JOIN fn_async_attempts USING (request_id) WHERE request_id = $1', [
      requestId,
    ])
  stage.clock.turn(6 * 86_400_000)
  await stage.booted.worker.sweep()
  expect(await rows()).toHaveLength(1)
  stage.clock.turn(86_500_000)
  await stage.booted.worker.sweep()
  expect(await rows()).toEqual([])
})
