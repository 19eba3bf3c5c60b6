import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemContext } from '../../../../server/context.ts'
import { openStage, type Person, type Stage } from '../../../../testkit/stage.ts'
import { projects } from '../../../ground/projects/contract.ts'
import { apps } from '../contract.ts'
import { appsDesk } from '../desk/contract.ts'
import { nonAgApps } from '../non-ag/contract.ts'
import { recordShelf } from '../public.ts'
import { appPlaces } from './contract.ts'

let stage: Stage
let owner: Person
let projectId: string
let count = 0
beforeAll(async () => {
  stage = await openStage()
  owner = await stage.person()
  projectId = await newProject(owner)
})
afterAll(() => stage.close())

const newProject = async (who: Person) =>
  (await who.ok(projects, 'createProject', { body: { name: `places ${++count}` } })).projectId
const create = (fields: Record<string, unknown> = {}, who = owner) =>
  who.ok(apps, 'createApp', {
    body: {
      projectId,
      name: 'Notes',
      packageType: 'ANDROID',
      defaultLang: 'enUS',
      deviceTypes: [4],
      ...fields,
    } as never,
  })
const system = () => systemContext(stage.booted.server, 'CN', { name: 'versions' })
const shelf = { versionId: '5', pkgId: null, versionCode: '1', versionName: '1', signers: [], at: 1_700_000_000_000 }

describe('where an app stays', () => {
  it('is settled once, and only where its project is', async () => {
    const { appId, revision } = await create()
    const query = { appId }
    expect(await owner.ok(appPlaces, 'getAppLocation', { query })).toMatchObject({ siteId: 1, lockedAt: null })
    const elsewhere = await owner.call(appPlaces, 'updateAppLocation', { body: { appId, siteId: 7, revision } })
    expect([elsewhere.status, elsewhere.body.ret.code]).toEqual([422, 202010008])
    const settled = await owner.ok(appPlaces, 'updateAppLocation', { body: { appId, siteId: 1, revision } })
    expect(settled.lockedAt).not.toBeNull()
    const again = { appId, siteId: 1, revision: settled.revision }
    const { lockedAt } = await owner.ok(appPlaces, 'updateAppLocation', { body: again })
    expect(lockedAt).toBe(settled.lockedAt)
  })
})

describe('what may belong to an app', () => {
  it('are apps of its name for other platforms', async () => {
    const name = `Atlas ${++count}`
    const android = await create({ name, packageName: `org.atlas.n${count}` })
    const harmony = await create({ name: `  ${name.toUpperCase()} `, packageType: 'HARMONY' })
    const sameId = await create({ name: 'Other', packageType: 'HARMONY', packageName: `org.atlas.n${count}` })
    await create({ name })
    const query = { appId: android.appId }
    const candidates = await owner.ok(appPlaces, 'listSeriesCandidates', { query })
    expect(candidates.list.map(one => one.appId)).toEqual([harmony.appId, sameId.appId])
  })
})

describe('how far an app is', () => {
  it('its developer may say until it is on shelf', async () => {
    const { appId, revision } = await create()
    const said = await owner.ok(appPlaces, 'updateDevelopStatus', {
      body: { appId, developStatus: 'TESTING', revision },
    })
    expect(said.developStatus).toBe('TESTING')
    await system().transact(ctx => recordShelf(ctx, appId, shelf))
    expect((await owner.ok(appPlaces, 'getDevelopStatus', { query: { appId } })).developStatus).toBe('ON_SHELF')
    const late = await owner.call(appPlaces, 'updateDevelopStatus', {
      body: { appId, developStatus: 'DEVELOPING', revision: said.revision },
    })
    expect([late.status, late.body.ret.code]).toEqual([422, 202010009])
  })
})

describe('numbers', () => {
  it('count the apps of the team by where they stand', async () => {
    const lone = await stage.person()
    const own = await newProject(lone)
    const one = await create({ projectId: own, name: 'One' }, lone)
    await create({ projectId: own, name: 'Two', packageType: 'WEB' }, lone)
    await system().transact(ctx => recordShelf(ctx, one.appId, { ...shelf, at: stage.clock.now() }))
    const numbers = await lone.ok(apps, 'getAppNumbers', { query: {} })
    expect(numbers).toMatchObject({
      total: 2,
      byShelf: expect.arrayContaining([{ shelfState: 'ON_SHELF', apps: 1 }]),
      byPackageType: expect.arrayContaining([{ packageType: 'WEB', apps: 1 }]),
    })
    expect(numbers.byMonth).toHaveLength(12)
    expect(numbers.byMonth.at(-1)).toMatchObject({ created: 2, firstOnShelf: 1 })
  })
})

describe('the list of the staff', () => {
  it('reaches apps of all teams, and offers what they may do', async () => {
    const operator = await stage.person({ staff: ['storeOperator'] })
    const { appId } = await create({ name: 'Seen by staff' })
    const query = () => operator.ok(appsDesk, 'queryApps', { body: { search: 'seen by STAFF' } })
    expect((await query()).list).toMatchObject([{ appId, teamId: owner.teamId, allowedActions: ['freeze'] }])
    await operator.ok(appsDesk, 'freezeApp', { body: { appId, reason: 'A complaint is looked into.' } })
    const frozen = await operator.ok(appsDesk, 'queryApps', { body: { state: 'FROZEN', teamId: owner.teamId } })
    expect(frozen.list).toMatchObject([{ appId, allowedActions: ['unfreeze'] }])
    expect((await owner.call(appsDesk, 'queryApps', { body: {} })).status).toBe(403)
  })
})

describe('apps the team has elsewhere', () => {
  const fields = {
    appName: 'Notes for iOS',
    icon: '',
    storeUrl: 'https://example.com/app',
    platform: 'IOS' as const,
    packageName: 'org.example.notes',
  }

  it('are named, changed and listed, each once a platform', async () => {
    const made = await owner.ok(nonAgApps, 'updateNonAgApp', { body: fields })
    const twice = await owner.call(nonAgApps, 'updateNonAgApp', { body: fields })
    expect([twice.status, twice.body.ret.code]).toEqual([409, 202010011])
    const changed = await owner.ok(nonAgApps, 'updateNonAgApp', {
      body: { ...fields, id: made.id, appName: 'Notes', revision: 1 },
    })
    expect(changed).toMatchObject({ appName: 'Notes', revision: 2 })
    const stale = await owner.call(nonAgApps, 'updateNonAgApp', { body: { ...fields, id: made.id, revision: 1 } })
    expect(stale.status).toBe(409)
    const { list, total } = await owner.ok(nonAgApps, 'listNonAgApps', { query: { search: 'notes' } })
    expect([total, list[0]?.id]).toEqual([1, made.id])
    const stranger = await stage.person()
    expect((await stranger.ok(nonAgApps, 'listNonAgApps', { query: {} })).total).toBe(0)
    const foreign = { ...fields, id: made.id }
    expect((await stranger.call(nonAgApps, 'updateNonAgApp', { body: foreign })).status).toBe(404)
  })
})
