import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Person, type Stage } from '../../../../testkit/stage.ts'
import { at, field, key, type OpenedDb, openDb, putAll, typed } from '../../cloud-db/cloud-db.testkit.ts'
import { storage } from '../../storage/contract.ts'
import { storageFiles } from '../../storage/files/contract.ts'
import { setLevel } from '../../storage/storage.testkit.ts'
import { functionAliases } from '../aliases/contract.ts'
import { functionsIde } from '../contract.ts'
import { functionQueue } from '../queue/contract.ts'
import { functionTriggers } from './contract.ts'
import type { TriggerType, TriggerWishes } from './rules.ts'

let stage: Stage
let db: OpenedDb
let owner: Person
let projectId = ''
beforeAll(async () => {
  stage = await openStage()
  db = await openDb(stage)
  ;({ owner, projectId } = db)
  await db.newType(typed('Order', [key('id'), field('state', 'String'), field('pin', 'String', { isSensitive: true })]))
})
afterAll(() => stage.close())

let made = 0
const deploy = async (content = 'exports.handler = async event => event') => {
  const body = {
    projectId,
    functionName: `heard-${++made}`,
    files: [{ path: 'index.js', content, encoding: 'utf8' as const }],
  }
  return (await owner.ok(functionsIde, 'createFunctionWithCode', { body })).function.functionId
}
const trigger = (functionId: string, typeCode: TriggerType, config: TriggerWishes, more: object = {}) => ({
  params: { functionId },
  body: { typeCode, qualifier: '$latest', name: `t ${typeCode}`, config, ...more } as never,
})
const add = async (functionId: string, typeCode: TriggerType, config: TriggerWishes, more: object = {}) =>
  (await owner.ok(functionTriggers, 'createTrigger', trigger(functionId, typeCode, config, more))).trigger
const list = async (functionId: string) =>
  (await owner.ok(functionTriggers, 'listTriggers', { params: { functionId }, query: {} })).list

/** What a function was called with so far, once so many calls have succeeded, the first one first. */
async function heard(functionId: string, howMany: number): Promise<Record<string, unknown>[]> {
  const params = { functionId }
  for (const end = Date.now() + 60_000; ; ) {
    await stage.booted.worker.sweep()
    const found = await owner.ok(functionQueue, 'listAsyncCalls', { params, query: { pageSize: 100 } })
    const done = found.list.filter(one => one.state === 'SUCCESS')
    if (done.length >= howMany) {
      const calls = [...done].sort(
        (a, b) => (a.startedAt ?? 0) - (b.startedAt ?? 0) || (BigInt(a.requestId) < BigInt(b.requestId) ? -1 : 1),
      )
      return Promise.all(
        calls.map(async ({ requestId }) => {
          const one = await owner.ok(functionQueue, 'getAsyncCall', { params: { functionId, requestId } })
          return one.payload as Record<string, unknown>
        }),
      )
    }
    if (Date.now() > end) throw new Error(`${done.length} of ${howMany}: ${JSON.stringify(found.list)}`)
    await new Promise(resolve => setTimeout(resolve, 100))
  }
}

describe('rows of the cloud database', () => {
  it('call a function for what it waits for, in order, without what is sealed', async () => {
    const functionId = await deploy()
    const { triggerId } = await add(functionId, 'CLOUDDB', {
      objectType: 'Order',
      events: ['INSERT', 'UPDATE', 'DELETE'],
      fields: ['state'],
    })
    for (const row of [
      { id: 'a', state: 'new', pin: '1234' },
      { id: 'a', state: 'new', pin: '9999' },
      { id: 'a', state: 'paid', pin: '9999' },
    ])
      expect((await putAll(db, 'Order', [row])).status).toBe(200)
    expect((await db.asServer('DELETE', '/v3/syncObjects', { ...at('Order'), objects: [{ id: 'a' }] })).status).toBe(
      200,
    )
    const events = await heard(functionId, 3)
    expect(events.map(one => [one['eventType'], one['changedFields']])).toEqual([
      ['INSERT', ['id', 'state']],
      ['UPDATE', ['state']],
      ['DELETE', ['id', 'state']],
    ])
    expect(events[1]).toMatchObject({
      ...{ triggerType: 'CLOUDDB', zone: 'main', objectType: 'Order', primaryKey: { id: 'a' } },
      ...{ data: { id: 'a', state: 'paid' }, old: { id: 'a', state: 'new' }, uid: null },
    })
    expect(JSON.stringify(events)).not.toMatch(/1234|9999|pin/)
    const [shown] = await list(functionId)
    expect(shown).toMatchObject({ triggerId, fired: 3, lastResult: 'SUCCESS', status: 'ACTIVE' })
  })

  it('that were written before, or while it was off, call nobody', async () => {
    const functionId = await deploy()
    await putAll(db, 'Order', [{ id: 'early', state: 'new' }])
    const { triggerId, revision } = await add(functionId, 'CLOUDDB', { objectType: 'Order', events: ['INSERT'] })
    const flip = (isEnabled: boolean, at: number) =>
      owner.ok(functionTriggers, 'updateTrigger', {
        params: { functionId },
        body: { triggerId, revision: at, isEnabled },
      })
    await flip(false, revision)
    await putAll(db, 'Order', [{ id: 'meanwhile', state: 'new' }])
    await stage.booted.worker.sweep()
    await flip(true, revision + 1)
    await putAll(db, 'Order', [{ id: 'late', state: 'new' }])
    expect((await heard(functionId, 1)).map(one => one['primaryKey'])).toEqual([{ id: 'late' }])
  })

  it('of one key go one after another though one call takes long; two servers make each once', async () => {
    const functionId = await deploy(
      'exports.handler = event => new Promise(done => setTimeout(done, event.data.state === "1" ? 400 : 0, event))',
    )
    await add(functionId, 'CLOUDDB', { objectType: 'Order', events: ['INSERT', 'UPDATE'] })
    const other = await stage.another()
    for (const state of ['1', '2', '3', '4'])
      await putAll(db, 'Order', [
        { id: 'busy', state },
        { id: `free-${state}`, state: '0' },
      ])
    await other.worker.sweep()
    const events = await heard(functionId, 8)
    const busy = events.filter(one => (one['primaryKey'] as { id: string }).id === 'busy')
    expect(busy.map(one => (one['data'] as { state: string }).state)).toEqual(['1', '2', '3', '4'])
    expect(events).toHaveLength(8)
  })
})

it('files call a function when they come, change and go, where they are below its prefix', async () => {
  const { bucketId } = await owner.ok(storage, 'initData', { body: { projectId, bucketName: 'heard-files' } })
  await setLevel(stage, { projectId, bucketId }, 'PAID')
  const functionId = await deploy()
  await add(functionId, 'CLOUDSTORAGE', {
    events: ['FINALIZE', 'METADATA_UPDATE', 'DELETE'],
    prefix: 'photos/',
    suffix: '.txt',
  })
  const put = (path: string) =>
    stage.app.inject({
      method: 'PUT',
      url: `/v0/${bucketId}/${encodeURIComponent(path)}`,
      headers: { ...db.serverHeaders, 'content-type': 'text/plain', 'x-agc-content-type': 'text/plain' },
      payload: 'hello',
    })
  for (const path of ['photos/a.txt', 'other/a.txt', 'photos/a.png'])
    expect((await put(path)).statusCode).toBeLessThan(300)
  await owner.ok(storageFiles, 'deleteFiles', { body: { bucketId, paths: ['photos/a.txt', 'other/a.txt'] } })
  await stage.settle()
  const events = await heard(functionId, 2)
  expect(events.map(one => [one['eventType'], one['path'], one['size'], one['contentType']])).toEqual([
    ['FINALIZE', 'photos/a.txt', 5, 'text/plain'],
    ['DELETE', 'photos/a.txt', 5, 'text/plain'],
  ])
})

it('users of the app call a function when they come, sign in and go', async () => {
  const functionId = await deploy()
  await add(functionId, 'AUTH', { events: ['USER_CREATED', 'SIGN_IN'] })
  const { uid } = await (await db.app.install()).anonymous()
  await stage.settle()
  const events = await heard(functionId, 2)
  expect(events.map(one => [one['eventType'], one['uid']]).sort()).toEqual([
    ['SIGN_IN', uid],
    ['USER_CREATED', uid],
  ])
})

it('a topic calls who waits for it, once for an id', async () => {
  const functionId = await deploy()
  await add(functionId, 'EVENT', { topic: 'orders.paid' })
  const publish = (topic: string, id: string, data: unknown = { n: 1 }) =>
    owner.call(functionTriggers, 'publishEvent', { body: { projectId, topic, data, id } })
  expect((await publish('orders.paid', 'one')).body).toMatchObject({ eventId: 'one', calls: 1 })
  expect((await publish('orders.paid', 'one')).body).toMatchObject({ eventId: 'one', calls: 0 })
  expect((await publish('orders.lost', 'two')).body).toMatchObject({ calls: 0 })
  expect((await publish('orders.paid', 'big', 'x'.repeat(1024 * 1024))).status).toBe(413)
  expect(await heard(functionId, 1)).toMatchObject([{ topic: 'orders.paid', data: { n: 1 }, triggerType: 'EVENT' }])
})

/** Turning the clock ends sessions. */
async function turn(ms: number): Promise<void> {
  stage.clock.turn(ms)
  owner = await stage.person({ team: owner.teamId })
}

describe('a timer', () => {
  const hour = 3_600_000

  it('fires once at its time over two servers, and again the hour after', async () => {
    const functionId = await deploy()
    const { nextRuns } = await add(functionId, 'CRON', {
      cron: '0 * * * *',
      timezone: 'Europe/Berlin',
      payload: { a: 1 },
    })
    expect(nextRuns).toHaveLength(5)
    const other = await stage.another()
    for (const at of nextRuns.slice(0, 2)) {
      await turn(at - stage.clock.now() + 100)
      await Promise.all([stage.booted, other, stage.booted, other].map(one => one.worker.sweep()))
    }
    const events = await heard(functionId, 2)
    expect(events.map(one => one['time'])).toEqual(nextRuns.slice(0, 2))
    expect(events[0]).toMatchObject({ cron: '0 * * * *', timezone: 'Europe/Berlin', payload: { a: 1 } })
  })

  it('that was missed for days fires once, or not at all', async () => {
    const [once, skipped] = [await deploy(), await deploy()]
    await add(once, 'CRON', { cron: '0 * * * *', missed: 'RUN_ONCE' })
    await add(skipped, 'CRON', { cron: '0 * * * *', missed: 'SKIP' })
    const toNextHour = hour - (stage.clock.now() % hour)
    await turn(49 * hour + toNextHour + 30 * 60_000)
    await stage.booted.worker.sweep()
    const events = await heard(once, 1)
    expect(events).toHaveLength(1)
    expect(stage.clock.now() - Number(events[0]?.['time'])).toBeLessThan(hour)
    expect(
      await owner.ok(functionQueue, 'listAsyncCalls', { params: { functionId: skipped }, query: {} }),
    ).toMatchObject({ total: 0 })
    expect((await list(skipped))[0]?.nextRuns[0]).toBeGreaterThan(stage.clock.now())
  })

  it('that is switched off does not fire, and keeps its place when it is on again', async () => {
    const functionId = await deploy()
    const { triggerId, revision } = await add(functionId, 'CRON', { cron: '0 * * * *', missed: 'RUN_ONCE' })
    const flip = (isEnabled: boolean, at: number) =>
      owner.ok(functionTriggers, 'updateTrigger', {
        params: { functionId },
        body: { triggerId, revision: at, isEnabled },
      })
    expect((await flip(false, revision)).trigger.nextRuns).toEqual([])
    await turn(3 * hour)
    await stage.booted.worker.sweep()
    expect((await flip(true, revision + 1)).trigger.nextRuns).toHaveLength(5)
    await stage.booted.worker.sweep()
    expect(await owner.ok(functionQueue, 'listAsyncCalls', { params: { functionId }, query: {} })).toMatchObject({
      total: 0,
    })
  })
})

describe('a trigger', () => {
  it.each<[string, TriggerType, TriggerWishes, object, number, string]>([
    ['every second', 'CRON', { cron: '* * * * * *' }, {}, 400, '/config/cron'],
    ['a zone that is none', 'CRON', { cron: '0 * * * *', timezone: 'Mars/Base' }, {}, 400, '/config/timezone'],
    ['no event', 'AUTH', {}, {}, 400, '/config/events'],
    ['a topic with a space', 'EVENT', { topic: 'a b' }, {}, 400, '/config/topic'],
    ['an alias that is not there', 'HTTP', {}, { qualifier: 'live' }, 404, 'live'],
    ['a version that is not there', 'HTTP', {}, { qualifier: '3' }, 404, '3'],
    ['a kind that is none', 'APIG' as TriggerType, {}, {}, 400, '/typeCode'],
    ['somebody unknown', 'HTTP', { authType: 'root' as never }, {}, 400, '/config/authType'],
  ])('of %s is refused', async (_what, type, config, more, status, word) => {
    const functionId = await deploy()
    const reply = await owner.call(functionTriggers, 'createTrigger', trigger(functionId, type, config, more))
    expect([reply.status, reply.text]).toEqual([status, expect.stringContaining(word)])
  })

  it('holds its version and its alias; at most ten lead to one', async () => {
    const functionId = await deploy()
    const params = { functionId }
    await owner.ok(functionsIde, 'publishVersion', { body: { functionId } })
    await owner.ok(functionAliases, 'createAlias', { params, body: { name: 'live', version: '1' } })
    const ofAlias = await add(functionId, 'HTTP', {}, { qualifier: 'live' })
    await add(functionId, 'HTTP', {}, { qualifier: '1', name: 'held' })
    const alias = await owner.call(functionAliases, 'deleteAlias', { params: { functionId, name: 'live' } })
    expect([alias.status, alias.body.ret.code, alias.text]).toEqual([412, 210412001, expect.stringContaining('t HTTP')])
    await owner.ok(functionTriggers, 'deleteTrigger', { params, body: { triggerId: ofAlias.triggerId } })
    await owner.ok(functionAliases, 'deleteAlias', { params: { functionId, name: 'live' } })
    const version = await owner.call(functionsIde, 'deleteFunction', { params, query: { version: '1' } })
    expect([version.status, version.text]).toEqual([412, expect.stringContaining('held')])
    for (let n = 0; n < 10; n++) await add(functionId, 'EVENT', { topic: `t${n}` })
    const more = await owner.call(functionTriggers, 'createTrigger', trigger(functionId, 'EVENT', { topic: 'more' }))
    expect([more.status, more.body.ret.code]).toEqual([422, 204060001])
    await owner.ok(functionsIde, 'deleteFunction', { params, query: { force: 'true' } })
    expect(await stage.sql('CN', 'SELECT 1 FROM fn_triggers WHERE function_id = $1', [functionId])).toEqual([])
  })

  it('of an older revision, of another function, or of another team is not changed', async () => {
    const [functionId, elsewhere] = [await deploy(), await deploy()]
    const { triggerId, revision } = await add(functionId, 'HTTP', {})
    const change = (where: string, at: number) => ({
      params: { functionId: where },
      body: { triggerId, revision: at, isEnabled: false },
    })
    expect((await owner.call(functionTriggers, 'updateTrigger', change(functionId, revision + 1))).status).toBe(409)
    expect((await owner.call(functionTriggers, 'updateTrigger', change(elsewhere, revision))).status).toBe(404)
    const stranger = await stage.person()
    expect((await stranger.call(functionTriggers, 'updateTrigger', change(functionId, revision))).status).toBe(404)
  })
})
