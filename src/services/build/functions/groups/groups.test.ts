import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { projects } from '../../../ground/projects/contract.ts'
import { functionAliases } from '../aliases/contract.ts'
import { functionCanary } from '../canary/contract.ts'
import { functionsIde } from '../contract.ts'
import { type FunctionStage, openFunctions, publish } from '../functions.testkit.ts'
import { functionGroups } from './contract.ts'

let app: FunctionStage
const says = (what: string) => `exports.handler = async () => '${what}'`
/** Functions of the group by name, each with version 1 and 2. */
const ids: Record<string, string> = {}
let serviceId = ''

beforeAll(async () => {
  app = await openFunctions()
  for (const name of ['orders', 'stock', 'mails']) {
    const { functionId } = await app.create(says(`${name} 1`), { functionName: name })
    ids[name] = functionId
    await publish(app.owner, functionId)
    await publish(app.owner, functionId, says(`${name} 2`))
  }
})
afterAll(() => app.close())

const shown = async () => (await app.owner.ok(functionGroups, 'getService', { query: { serviceId } })).service
const aliasesNow = async () => Object.fromEntries((await shown()).functions.map(one => [one.functionName, one.version]))
const wish = async (body: object) => ({ body: { serviceId, revision: (await shown()).revision, ...body } })
const release = async (body: object) => app.owner.ok(functionGroups, 'releaseService', await wish(body))
const tried = async (body: object) => app.owner.call(functionGroups, 'releaseService', await wish(body))
const heard = async (name: string) => (await app.run(name, {}, 'live')).result

describe('a group of functions', () => {
  it('is made of functions of its project, and nothing is released with it', async () => {
    const { owner, projectId, stage } = app
    const make = (body: object) =>
      owner.call(functionGroups, 'createService', {
        body: { projectId, functionIds: Object.values(ids), ...body } as never,
      })
    const { body } = await make({ name: 'Shop', description: 'What the shop calls' })
    serviceId = body.serviceId
    expect(body.service).toMatchObject({ aliasName: 'live', releaseNumber: 0 })
    expect(await aliasesNow()).toEqual({ mails: null, orders: null, stock: null })
    expect((await make({ name: 'Shop' })).body.ret.code).toBe(210409002)
    const other = await owner.ok(projects, 'createProject', { body: { name: 'Elsewhere' } })
    const lost = await make({ name: 'Lost', projectId: other.projectId })
    expect([lost.status, lost.body.ret.code]).toEqual([404, 210404001])
    expect((await make({ name: 'Twice', functionIds: [ids['orders'], ids['orders']] })).status).toBe(400)
    const { total } = await owner.ok(functionGroups, 'listServices', { query: { projectId } })
    expect(total).toBe(1)
    const stranger = await stage.person()
    expect((await stranger.call(functionGroups, 'getService', { query: { serviceId } })).status).toBe(404)
  })

  it('is released together, and every member answers with its version', async () => {
    const { release: first } = await release({ versions: { orders: '1', stock: '1', mails: '1' } })
    expect(first).toMatchObject({ number: 1, ofNumber: null })
    expect([await heard('orders'), await heard('stock'), await heard('mails')]).toEqual([
      'orders 1',
      'stock 1',
      'mails 1',
    ])
    const { service } = await release({ description: 'All that is new' })
    expect(service.releaseNumber).toBe(2)
    expect(await aliasesNow()).toEqual({ mails: '2', orders: '2', stock: '2' })
    await release({ versions: { stock: '1' } })
    expect(await aliasesNow()).toEqual({ mails: '2', orders: '2', stock: '1' })
  })

  it('comes back to an older release as a whole', async () => {
    const { release: back } = await release({ releaseNumber: 1, description: 'Orders failed' })
    expect(back).toMatchObject({ number: 4, ofNumber: 1 })
    expect(await aliasesNow()).toEqual({ mails: '1', orders: '1', stock: '1' })
    expect(await heard('orders')).toBe('orders 1')
    const { releases } = await app.owner.ok(functionGroups, 'getService', { query: { serviceId } })
    expect(releases.map(one => [one.number, one.ofNumber])).toEqual([
      [4, 1],
      [3, null],
      [2, null],
      [1, null],
    ])
  })

  it('moves nobody when one of them cannot be moved', async () => {
    const before = await shown()
    const gone = await tried({ versions: { mails: '2', orders: '2', stock: '9' } })
    expect([gone.status, gone.body.ret.code, gone.body.ret.msg]).toEqual([
      412,
      210412007,
      'The function stock has no version 9; choose one that is published.',
    ])
    const stranger = await tried({ versions: { orders: '2', nobody: '1' } })
    expect([stranger.status, stranger.body.fields?.[0]?.pointer]).toEqual([400, '/versions/nobody'])
    expect((await tried({ releaseNumber: 77 })).body.ret.code).toBe(210404006)
    expect((await tried({ releaseNumber: 1, versions: { orders: '2' } })).status).toBe(400)
    const params = { functionId: ids['stock'] as string, name: 'live' }
    const steps = [{ weight: 10, holdMinutes: 60 }]
    const { canary } = await app.owner.ok(functionCanary, 'startCanary', {
      params,
      body: { version: '2', steps, limits: { errorPercent: 5, p95Ms: null, minimumCalls: 20 } },
    })
    const held = await tried({})
    expect([held.status, held.body.ret.code]).toEqual([412, 210412004])
    const action = { params: { functionId: params.functionId, canaryId: canary.canaryId, action: 'rollBack' as const } }
    await app.owner.ok(functionCanary, 'moveCanary', { ...action, body: { revision: canary.revision } })
    const after = await shown()
    expect([after.releaseNumber, after.revision]).toEqual([before.releaseNumber, before.revision])
    expect(await aliasesNow()).toEqual({ mails: '1', orders: '1', stock: '1' })
  })

  it('is never seen half released, and of two at once one is told that it is late', async () => {
    const seen = new Set<string>()
    let isOver = false
    const looking = (async () => {
      while (!isOver) seen.add(JSON.stringify(Object.values(await aliasesNow())))
    })()
    for (const version of ['2', '1', '2'])
      await release({ versions: { orders: version, stock: version, mails: version } })
    const one = await wish({ versions: { orders: '1' } })
    const two = await wish({ versions: { stock: '1' } })
    const both = await Promise.all([one, two].map(input => app.owner.call(functionGroups, 'releaseService', input)))
    isOver = true
    await looking
    expect(both.map(answer => answer.status).toSorted()).toEqual([200, 409])
    seen.delete(JSON.stringify(Object.values(await aliasesNow())))
    expect([...seen].every(text => ['["1","1","1"]', '["2","2","2"]'].includes(text))).toBe(true)
  })

  it('says which of its functions was led elsewhere since', async () => {
    await release({ versions: { orders: '1', stock: '1', mails: '1' } })
    const params = { functionId: ids['mails'] as string, name: 'live' }
    const { alias } = await app.owner.ok(functionAliases, 'getAlias', { params })
    await app.owner.ok(functionAliases, 'updateAlias', { params, body: { revision: alias.revision, version: '2' } })
    const { functions } = await shown()
    expect(functions.filter(one => one.isMoved).map(one => one.functionName)).toEqual(['mails'])
  })

  it('takes functions in and leaves them, and one that was deleted is no member', async () => {
    const { owner, projectId } = app
    const bare = await app.create(says('bare'), { functionName: 'bare' })
    const change = async (functionIds: string[]) =>
      owner.ok(functionGroups, 'updateService', await wish({ functionIds, name: 'Shop and more' }))
    await change([...Object.values(ids), bare.functionId])
    const never = await tried({})
    expect([never.status, never.body.ret.code, never.body.ret.msg]).toEqual([
      412,
      210412008,
      'Nothing of the function bare is published; publish it first.',
    ])
    expect(await aliasesNow()).toMatchObject({ orders: '1', bare: null })
    await owner.ok(functionsIde, 'deleteFunction', { params: { functionId: bare.functionId } })
    expect((await shown()).functions.map(one => one.functionName)).toEqual(['mails', 'orders', 'stock'])
    await owner.ok(functionGroups, 'deleteService', { query: { serviceId } })
    expect((await owner.call(functionGroups, 'getService', { query: { serviceId } })).status).toBe(404)
    expect(await heard('orders')).toBe('orders 1')
    expect(
      await app.stage.sql(
        'CN',
        'SELECT * FROM fn_group_members UNION ALL SELECT service_id, number, team_id FROM fn_group_releases',
        [],
      ),
    ).toEqual([])
    expect((await owner.ok(functionGroups, 'listServices', { query: { projectId } })).total).toBe(0)
  })
})
