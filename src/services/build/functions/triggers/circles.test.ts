import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chainHeader, chainMark } from '../../../../server/call-chain.ts'
import { openStage, type Person, type Stage } from '../../../../testkit/stage.ts'
import { at, field, key, type OpenedDb, openDb, putAll, queryAll, typed } from '../../cloud-db/cloud-db.testkit.ts'
import { storage } from '../../storage/contract.ts'
import { setLevel } from '../../storage/storage.testkit.ts'
import { functionsIde } from '../contract.ts'
import { openDoor, until } from '../functions.testkit.ts'
import { functionInvoke, functionQueue } from '../queue/contract.ts'
import { limits } from '../rules.ts'
import { functionTriggers } from './contract.ts'
import type { TriggerType, TriggerWishes } from './rules.ts'

let stage: Stage
let door: Awaited<ReturnType<typeof openDoor>>
let db: OpenedDb
let owner: Person
let projectId = ''
beforeAll(async () => {
  door = await openDoor()
  stage = await openStage({ outboundAllow: [door.host] })
  db = await openDb(stage)
  ;({ owner, projectId } = db)
  door.leadTo(await stage.listen())
  await db.newType(typed('Step', [key('id'), field('n', 'Integer')]))
})
afterAll(async () => {
  door.close()
  await stage.close()
})

let made = 0
async function waiting(
  typeCode: TriggerType,
  config: TriggerWishes,
  content = 'exports.handler = async event => event',
) {
  const functionName = `circling-${++made}`
  const files = [{ path: 'index.js', content, encoding: 'utf8' as const }]
  const body = { projectId, functionName, files }
  const { functionId } = (await owner.ok(functionsIde, 'createFunctionWithCode', { body })).function
  await owner.ok(functionTriggers, 'createTrigger', {
    params: { functionId },
    body: { typeCode, qualifier: '$latest', name: 'circle', config },
  })
  return { functionId, functionName }
}

async function calls(functionId: string): Promise<number> {
  await stage.settle()
  await stage.booted.worker.sweep()
  const { list } = await owner.ok(functionQueue, 'listAsyncCalls', { params: { functionId }, query: { pageSize: 100 } })
  return list.every(one => one.state === 'SUCCESS') ? list.length : -1
}

/** What the server would have given a function that so many led to. */
const marked = (hops: number, project = projectId, lastsMs = 60_000) => ({
  [chainHeader]: chainMark(stage.booted.server, { projectId: project, hops }, stage.clock.now() + lastsMs),
})
const forged = () => ({ [chainHeader]: `8.${projectId}.${stage.clock.now() + 60_000}.AAAA` })
const put = (id: string, headers: Record<string, string> = {}) =>
  db.asServer('POST', '/v3/syncObjects', { ...at('Step'), objects: [{ id, n: 0 }], operationType: 0 }, headers)

describe('a function that writes what it waits for', () => {
  it('is called eight times in a row, and not again', async () => {
    const content = `exports.handler = async ({ data }) => {
      const reply = await fetch('${door.url}/api/clouddb/clouddbservice/v3/syncObjects', {
        method: 'POST',
        headers: ${JSON.stringify({ ...db.serverHeaders, 'content-type': 'application/json' })},
        body: JSON.stringify({ ...${JSON.stringify(at('Step'))}, operationType: 0,
          objects: [{ id: data.id.split(':')[0] + ':' + (data.n + 1), n: data.n + 1 }] }),
      })
      if (!reply.ok) throw new Error(await reply.text())
    }`
    const { functionId } = await waiting('CLOUDDB', { objectType: 'Step', events: ['INSERT'] }, content)
    await putAll(db, 'Step', [{ id: 'first:0', n: 0 }])
    await until(
      () => calls(functionId),
      count => count === limits.hops,
      90_000,
    )
    const { body } = await queryAll(db, 'Step')
    expect(body.data.map(row => row['n']).sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
    await putAll(db, 'Step', [{ id: 'second:0', n: 0 }])
    await until(
      () => calls(functionId),
      count => count === 2 * limits.hops,
      90_000,
    )
    await owner.ok(functionsIde, 'deleteFunction', { params: { functionId }, query: { force: 'true' } })
  })
})

describe('how many functions led to a write', () => {
  it('is told by the server alone: nobody writes past a trigger by saying it', async () => {
    const { functionId } = await waiting('CLOUDDB', { objectType: 'Step', events: ['INSERT', 'UPDATE'] })
    await put('plain', { [chainHeader]: '8' })
    await put('forged', forged())
    await put('elsewhere', marked(8, '1'))
    await put('late', marked(8, projectId, -60_000))
    await until(
      () => calls(functionId),
      count => count === 4,
      90_000,
    )
    await put('ours', marked(8))
    await put('almost', marked(7))
    await until(
      () => calls(functionId),
      count => count === 5,
      90_000,
    )
    const told = await stage.sql<{ hops: number }>('CN', `SELECT hops FROM cdb_changes WHERE hops > 6 ORDER BY seq`)
    expect(told.slice(-2).map(row => row.hops)).toEqual([8, 7])
  })

  it('goes along with files, also where many are written at once', async () => {
    const { bucketId } = await owner.ok(storage, 'initData', { body: { projectId, bucketName: 'circling-files' } })
    await setLevel(stage, { projectId, bucketId }, 'PAID')
    const { functionId } = await waiting('CLOUDSTORAGE', { events: ['FINALIZE'], prefix: 'in/' })
    const write = (path: string, headers: Record<string, string>) =>
      stage.app.inject({
        method: 'PUT',
        url: `/v0/${bucketId}/${encodeURIComponent(path)}`,
        headers: { ...db.serverHeaders, 'content-type': 'text/plain', ...headers },
        payload: 'hello',
      })
    const replies = await Promise.all([
      ...[0, 1, 2].map(n => write(`in/a${n}`, {})),
      ...[0, 1, 2].map(n => write(`in/b${n}`, marked(8))),
      ...[0, 1, 2].map(n => write(`in/c${n}`, marked(3))),
      write('in/d', forged()),
    ])
    expect(replies.map(reply => reply.statusCode)).toEqual(replies.map(() => 200))
    await until(
      () => calls(functionId),
      count => count === 7,
      90_000,
    )
  })

  it('ends calls, addresses and topics at eight, of whatever project they are', async () => {
    const { functionId, functionName } = await waiting('HTTP', {})
    const { list } = await owner.ok(functionTriggers, 'listTriggers', { params: { functionId }, query: {} })
    const path = new URL(list[0]?.url ?? '').pathname
    const byAddress = (headers: Record<string, string>) => stage.app.inject({ method: 'GET', url: path, headers })
    expect((await byAddress(marked(8))).json().ret.code).toBe(210508001)
    expect((await byAddress(marked(8, '1'))).json().ret.code).toBe(210508001)
    for (const headers of [forged(), marked(7)]) expect((await byAddress(headers)).statusCode).toBe(200)
    const invoke = (headers: Record<string, string>) =>
      owner.call(functionInvoke, 'invokeFunction', {
        params: { functionName },
        query: { projectId },
        body: { mode: 'ASYNC' },
        headers,
      })
    expect([(await invoke(marked(8))).status, (await invoke(marked(7))).status]).toEqual([508, 202])
    const topic = { body: { projectId, topic: 'round', data: 1 }, headers: marked(8) }
    expect((await owner.call(functionTriggers, 'publishEvent', topic)).body.ret.code).toBe(210508001)
  })
})
