import { afterAll, beforeAll, expect, it } from 'vitest'
import { functionsIde } from '../src/services/build/functions/contract.ts'
import { functionInvoke, functionQueue } from '../src/services/build/functions/queue/contract.ts'
import { functionTriggers } from '../src/services/build/functions/triggers/contract.ts'
import { projects } from '../src/services/ground/projects/contract.ts'
import { Loggia, until, type Visitor } from './loggia.ts'

let loggia: Loggia
let owner: Visitor
let projectId = ''
beforeAll(async () => {
  loggia = await Loggia.start()
  owner = await loggia.signIn('administrator')
  ;({ projectId } = await owner.ok(projects, 'createProject', { body: { name: 'Killed' } }))
})
afterAll(() => loggia.close())

const content = `exports.handler = async (event, { delivery }) => {
  await new Promise(done => setTimeout(done, 400))
  return { n: event.n, ...delivery }
}`

it('kill -9 of the server loses no call that was taken, and what may run twice says so', async () => {
  const files = [{ path: 'index.js', content, encoding: 'utf8' as const }]
  const functionName = 'slow-worker'
  const { functionId } = await owner.ok(functionsIde, 'createFunctionWithCode', {
    body: { projectId, functionName, files },
  })
  const calls = await Promise.all(
    Array.from({ length: 40 }, (_none, n) =>
      owner.call(functionInvoke, 'invokeFunction', {
        params: { functionName },
        query: { projectId },
        body: { mode: 'ASYNC', payload: { n } },
      }),
    ),
  )
  expect(calls.map(one => one.status)).toEqual(calls.map(() => 202))
  const ids = calls.map(one => String(one.body['requestId']))
  const count = async (state: 'RUNNING' | 'SUCCESS') =>
    (await owner.ok(functionQueue, 'listAsyncCalls', { params: { functionId }, query: { state } })).total
  await until(
    'some to have run, and some to run',
    async () => (await count('SUCCESS')) > 2 && (await count('RUNNING')) > 0,
  )
  await loggia.end('SIGKILL')
  await loggia.up()
  await until('all to have run', async () => (await count('SUCCESS')) === ids.length, 90, 500)
  let again = 0
  for (const [n, requestId] of ids.entries()) {
    const { attempts, result } = await owner.ok(functionQueue, 'getAsyncCall', { params: { functionId, requestId } })
    const last = attempts.at(-1)
    expect(result).toEqual({ n, requestId, attempt: attempts.length, isRepeat: attempts.length > 1 })
    expect([last?.outcome, last?.isRepeat]).toEqual(['SUCCESS', attempts.length > 1])
    expect(attempts.slice(0, -1).map(one => one.outcome)).toEqual(attempts.length > 1 ? ['LOST'] : [])
    again += attempts.length - 1
  }
  expect(again).toBeGreaterThan(0)
})

it('a timer and an address go on after it', async () => {
  const { functionId } = await owner.ok(functionsIde, 'createFunction', {
    body: { projectId, functionName: 'greeter' },
  })
  const make = (typeCode: 'HTTP' | 'CRON', config: object) =>
    owner.ok(functionTriggers, 'createTrigger', {
      params: { functionId },
      body: { typeCode, qualifier: '$latest', name: typeCode, config },
    })
  const { url } = await make('HTTP', {})
  const { triggerId } = await make('CRON', { cron: '0 * * * *', missed: 'RUN_ONCE', payload: { name: 'Ada' } })
  await loggia.end('SIGKILL')
  await loggia.up()
  const { pathname } = new URL(url ?? '')
  const reply = await fetch(loggia.url + pathname, { method: 'POST', body: JSON.stringify({ name: 'Bo' }) })
  expect([reply.status, await reply.json()]).toEqual([200, { hello: 'Bo' }])
  // As if the server had been down over its hour.
  await loggia.sql('cn', 'UPDATE fn_triggers SET next_fire_at = next_fire_at - 7200000 WHERE trigger_id = $1', [
    triggerId,
  ])
  const fired = () =>
    owner.ok(functionQueue, 'listAsyncCalls', { params: { functionId }, query: { triggerId, state: 'SUCCESS' } })
  await until('it to fire', async () => (await fired()).total > 0)
  await new Promise(resolve => setTimeout(resolve, 5_000))
  expect((await fired()).total).toBe(1)
})
