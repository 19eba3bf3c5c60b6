import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemContext } from '../../../../server/context.ts'
import { openStage, type Person, type Stage } from '../../../../testkit/stage.ts'
import { projects } from '../contract.ts'
import { isServiceEnabled } from '../public.ts'
import { projectRegion } from '../region/contract.ts'
import { outlookIn } from '../region/outlook.ts'
import { projectServices } from './contract.ts'
import { obstacleOf, serviceCatalogue, serviceNamed, settingProblem } from './rules.ts'

let stage: Stage
let leader: Person
let projectId: string
beforeAll(async () => {
  stage = await openStage({ zones: ['CN', 'DE'] })
  leader = await stage.person()
  projectId = (await leader.ok(projects, 'createProject', { body: { name: 'Cloud' } })).projectId
})
afterAll(() => stage.close())

const order = (serviceId: string, by = leader) =>
  by.call(projectServices, 'orderService', { body: { projectId, serviceId } })
const sign = (agreementId: string) =>
  leader.ok(projectServices, 'signAgreement', { body: { projectId, agreementId, version: 1 } })

describe('the catalogue of services', () => {
  it('names a thing once, and what it stands on is in it', () => {
    const names = serviceCatalogue.map(one => one.serviceId)
    expect(new Set(names).size).toBe(names.length)
    for (const one of serviceCatalogue) {
      expect(one.needs.every(need => names.includes(need))).toBe(true)
      for (const [name, rule] of Object.entries(one.settings)) expect(settingProblem(one, name, rule.usual)).toBeNull()
    }
  })

  it('says what stands in the way, the zone first', () => {
    const location = serviceNamed('location')
    const cloudDb = serviceNamed('cloud-db')
    if (!location || !cloudDb) throw new Error('the catalogue has changed')
    const none = { enabled: new Set<string>(), signed: new Set<string>() }
    const all = new Set(['service-terms', 'data-processing'])
    expect(obstacleOf(location, { zone: 'RU', ...none })).toEqual({ kind: 'zone', missing: ['RU'] })
    expect(obstacleOf(location, { zone: 'DE', ...none })?.kind).toBe('agreement')
    expect(obstacleOf(cloudDb, { zone: 'DE', ...none, signed: all })).toEqual({
      kind: 'service',
      missing: ['app-auth'],
    })
    expect(obstacleOf(cloudDb, { zone: 'DE', enabled: new Set(['app-auth']), signed: all })).toBeNull()
  })
})

describe('a service of a project', () => {
  it('needs agreements and other services first, and tells which', async () => {
    const refused = await order('cloud-db')
    expect([refused.status, refused.body.ret.code]).toEqual([422, 201030012])
    expect(refused.body.missing).toEqual(['service-terms', 'data-processing'])
    await sign('service-terms')
    expect(await sign('data-processing')).toMatchObject({ isSigned: true, signedBy: leader.accountId })
    expect((await order('cloud-db')).body.missing).toEqual(['app-auth'])
    expect((await order('app-auth')).body).toMatchObject({ state: 'ENABLED', revision: 1 })
    expect((await order('cloud-db')).body).toMatchObject({ state: 'ENABLED', config: { quotaMb: 1000 } })
    expect((await order('cloud-db')).body).toMatchObject({ state: 'ENABLED', revision: 1 })
    const ctx = systemContext(stage.booted.server, 'CN', { name: 'test', teamId: leader.teamId })
    await ctx.transact(async inner => {
      expect(await isServiceEnabled(inner, projectId, 'cloud-db')).toBe(true)
      expect(await isServiceEnabled(inner, projectId, 'links')).toBe(false)
    })
  })

  it('does not end while another stands on it, and keeps its settings when it ends', async () => {
    const query = { projectId, serviceId: 'app-auth' }
    const held = await leader.call(projectServices, 'endService', { query })
    expect([held.status, held.body.missing]).toEqual([422, ['cloud-db']])
    const config = { quotaMb: 42 }
    const body = { projectId, serviceId: 'cloud-db', config, revision: 1 }
    expect(await leader.ok(projectServices, 'setServiceConfig', { body })).toMatchObject({ config, revision: 2 })
    expect((await leader.call(projectServices, 'setServiceConfig', { body })).status).toBe(409)
    const ended = await leader.ok(projectServices, 'endService', { query: { projectId, serviceId: 'cloud-db' } })
    expect(ended).toMatchObject({ state: 'DISABLED', config })
    expect((await order('cloud-db')).body).toMatchObject({ state: 'ENABLED', config })
  })

  it.each([
    [{ quotaMb: 1 }, '/config/quotaMb'],
    [{ quotaMb: 'much' }, '/config/quotaMb'],
    [{ other: 1 }, '/config/other'],
  ])('refuses the setting %j with its field', async (config, pointer) => {
    const body = { projectId, serviceId: 'cloud-db', config: config as Record<string, string | number>, revision: 1 }
    const reply = await leader.call(projectServices, 'setServiceConfig', { body })
    expect([reply.status, reply.body.fields?.[0]?.pointer]).toEqual([400, pointer])
  })

  it('is applied for with others at once; what could not be keeps its reason', async () => {
    const body = { projectId, serviceIds: ['api-gateway', 'functions', 'experiments'], purpose: 'a shop' }
    const { list } = await leader.ok(projectServices, 'applyForServices', { body })
    expect(list.map(one => one.state)).toEqual(['ENABLED', 'ENABLED', 'REFUSED'])
    const { list: told } = await leader.ok(projectServices, 'queryApplications', { query: { projectId } })
    expect(told.find(one => one.serviceId === 'experiments')).toMatchObject({
      state: 'REFUSED',
      purpose: 'a shop',
      orderedBy: leader.accountId,
      orderedByName: expect.any(String),
      reason: 'Turn on remote-config, analytics first; experiments stands on it.',
    })
    const all = await leader.ok(projectServices, 'listOrders', { query: { projectId } })
    expect(all.total).toBe(serviceCatalogue.length)
    expect((await leader.ok(projectServices, 'listOrders', { query: { projectId, state: 'ENABLED' } })).total).toBe(4)
    expect(await leader.ok(projectServices, 'getAggregateInfo', { query: { projectId } })).toMatchObject({
      services: { enabled: 4, refused: 1 },
      unsignedAgreements: 0,
    })
  })

  it('is not there for another team, and turned on by who may only', async () => {
    const viewer = await stage.person({ team: leader.teamId, roles: ['analyst'] })
    expect((await order('links', viewer)).status).toBe(403)
    expect((await order('links', await stage.person())).status).toBe(404)
    expect((await order('teleport')).body.ret.code).toBe(201030010)
  })
})

describe('the zone of a project', () => {
  let empty: string
  const region = (id: string) => leader.ok(projectRegion, 'getRegion', { query: { projectId: id } })
  beforeAll(async () => {
    empty = (await leader.ok(projects, 'createProject', { body: { name: 'Empty' } })).projectId
  })

  it('may be set freely while the project holds nothing', async () => {
    const body = { projectId: empty, zone: 'DE' as const, revision: 1 }
    expect(await leader.ok(projectRegion, 'setRegion', { body })).toMatchObject({ zone: 'DE', siteId: 7, revision: 2 })
    expect((await leader.call(projectRegion, 'setRegion', { body })).body.ret.code).toBe(201030041)
    const far = await leader.call(projectRegion, 'setRegion', { body: { ...body, zone: 'RU', revision: 2 } })
    expect([far.status, far.body.ret.msg]).toEqual([400, 'the zone Id is invalid'])
  })

  it('with services is changed only after a proof and a yes to each consequence', async () => {
    const { revision, choices } = await region(projectId)
    const german = choices.find(one => one.zone === 'DE')
    expect(german).toMatchObject({
      obstacle: null,
      consequences: [
        { kind: 'servicesStartEmpty', count: 4 },
        { kind: 'agreementsEnd', count: 2 },
      ],
    })
    expect(choices.find(one => one.zone === 'RU')?.obstacle).toBe('notServed')
    const to = { projectId, zone: 'DE' as const }
    expect((await leader.call(projectRegion, 'setRegion', { body: { ...to, revision } })).body.ret.code).toBe(201030042)
    const { ticket } = await leader.ok(projectRegion, 'verifyChange', { body: to })
    const change = { ...to, ticket, revision }
    const silent = await leader.call(projectRegion, 'changeRegion', { body: { ...change, acknowledged: [] } })
    expect([silent.status, silent.body.what]).toEqual([422, ['servicesStartEmpty', 'agreementsEnd']])
    const acknowledged: ('servicesStartEmpty' | 'agreementsEnd')[] = ['servicesStartEmpty', 'agreementsEnd']
    const colleague = await stage.person({ team: leader.teamId, roles: ['administrator'] })
    const stolen = await colleague.call(projectRegion, 'changeRegion', { body: { ...change, acknowledged } })
    expect([stolen.status, stolen.body.ret.code]).toEqual([403, 201030043])
    const moved = await leader.ok(projectRegion, 'changeRegion', { body: { ...change, acknowledged } })
    expect(moved).toMatchObject({ zone: 'DE', lastChange: { fromZone: 'CN', toZone: 'DE', by: leader.accountId } })
    const back = { ...change, zone: 'CN' as const, revision: moved.revision }
    const again = await leader.call(projectRegion, 'changeRegion', {
      body: { ...back, acknowledged: ['servicesStartEmpty'] },
    })
    expect(again.body.ret.code).toBe(201030043)
    const { list } = await leader.ok(projectServices, 'listAgreements', { query: { projectId } })
    expect(list.map(one => one.isSigned)).toEqual([false, false])
  })

  it('is not verified by somebody who signed in long ago', async () => {
    stage.clock.turn(6 * 60_000)
    const reply = await leader.call(projectRegion, 'verifyChange', { body: { projectId, zone: 'CN' } })
    expect([reply.status, reply.body.ret.code]).toEqual([403, 201010004])
  })

  it('stays where it is while the project has apps, and the refusal says what to do', async () => {
    await systemContext(stage.booted.server, 'DE', { name: 'test', teamId: leader.teamId }).transact(async ctx => {
      ctx.emit({
        type: 'app.created',
        entity: 'app',
        entityId: '900000000000000077',
        data: { projectId: empty, name: 'A' },
      })
    })
    await stage.settle()
    const held = await leader.call(projectRegion, 'setRegion', { body: { projectId: empty, zone: 'CN', revision: 2 } })
    expect([held.status, held.body.ret.code, held.body.apps]).toEqual([422, 201030040, 1])
    expect((await region(empty)).choices.find(one => one.zone === 'CN')?.obstacle).toBe('apps')
  })

  it.each([
    ['SG', ['location', 'containers'], []],
    ['IR', ['location', 'containers', 'functions'], ['containers', 'location']],
  ] as const)('%s with %j ends %j', (zone, enabled, ended) => {
    const holding = { apps: 0, isChinaOn: true, enabled, configFiles: 0, agreements: 0 }
    expect(outlookIn(zone, [zone], holding).endedServices).toEqual(ended)
  })
})

describe('the strategy of zones', () => {
  it('says which services are offered where', async () => {
    const { list } = await leader.ok(projectServices, 'getStrategy')
    expect(list.map(one => one.zone)).toEqual(['CN', 'DE'])
    expect(list[1]).toMatchObject({ siteId: 7, notOffered: [] })
  })
})
