import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Person, Stage } from '../../../../testkit/stage.ts'
import { projectApiService } from '../../../ground/projects/api/contract.ts'
import { projectServices } from '../../../ground/projects/services/contract.ts'
import { apps } from '../../apps/contract.ts'
import { newApp as newAppOf } from '../../packages/packages.testkit.ts'
import { series } from '../../series/contract.ts'
import { cutovers } from '../../series/cutover/contract.ts'
import { openScene, type Scene } from '../../versions/versions.testkit.ts'
import { serviceViews } from '../services/contract.ts'

/** What either face changes, the other shows at once: there is one row behind both. */
let scene: Scene
let stage: Stage
let owner: Person

beforeAll(async () => {
  scene = await openScene()
  stage = scene.stage
  owner = scene.owner
})
afterAll(() => stage.close())

describe('the services of a project', () => {
  it('are turned on and off by either face, by the app or the project', async () => {
    const { appId, projectId } = await newAppOf(owner, 'Served')
    const serviceId = 'remote-config'
    const early = await owner.call(serviceViews, 'addService', { body: { appId, serviceId } })
    expect([early.status, early.body.ret.code]).toEqual([422, 201030012])
    await owner.ok(projectServices, 'signAgreement', {
      body: { projectId, agreementId: 'service-terms', version: 1 },
    })
    await owner.ok(serviceViews, 'addService', { body: { appId, serviceId } })
    const order = await owner.ok(projectServices, 'getOrder', { query: { projectId, serviceId } })
    expect(await owner.ok(serviceViews, 'getService', { query: { projectId, serviceId } })).toEqual(order)
    const { services } = await owner.ok(serviceViews, 'getAppServices', { query: { appId } })
    expect(services.map(one => one.serviceId)).toEqual([serviceId])
    await owner.ok(projectServices, 'endService', { query: { projectId, serviceId } })
    expect((await owner.ok(serviceViews, 'getAppServices', { query: { appId } })).services).toEqual([])
    const other = await newAppOf(owner, 'Other')
    const crossed = { appId, projectId: other.projectId, serviceId }
    expect((await owner.call(serviceViews, 'getService', { query: crossed })).status).toBe(404)
    const nobody = await owner.call(serviceViews, 'listServices', { query: {} })
    expect([nobody.status, nobody.body.ret.code]).toEqual([400, 202140002])
  })

  it('have their interfaces opened by either face', async () => {
    const { appId, projectId } = await newAppOf(owner, 'Open')
    await owner.ok(serviceViews, 'setApiService', { body: { appId, apis: [{ apiId: 'reports', isEnabled: true }] } })
    const here = await owner.ok(projectApiService, 'getApiService', { query: { projectId } })
    expect(here.list.filter(one => one.isEnabled).map(one => one.apiId)).toEqual(['reports'])
    expect(await owner.ok(serviceViews, 'getApiService', { query: { appId } })).toEqual(here)
  })

  it('an app is cut over to the alliance its project names, and not before it names one', async () => {
    const { appId } = await newAppOf(owner, 'Allied')
    const early = await owner.call(serviceViews, 'cutOver', { body: { appId } })
    expect([early.status, early.body.ret.code]).toEqual([422, 202140003])
    await owner.ok(serviceViews, 'setAlliance', { body: { appId, allianceName: 'Open stores' } })
    expect(await owner.ok(serviceViews, 'cutOver', { body: { appId } })).toMatchObject({ isMember: true })
    await owner.ok(serviceViews, 'setAlliance', { body: { appId, contact: 'a@example.org' } })
    const found = await owner.ok(serviceViews, 'getAlliance', { query: { appId } })
    expect(found).toMatchObject({ isMember: true, allianceName: 'Open stores', contact: 'a@example.org' })
    expect(await owner.ok(serviceViews, 'cutOver', { body: { appId, isMember: false } })).toMatchObject({
      isMember: false,
      allianceName: 'Open stores',
    })
  })

  it('an app’s users are moved to its edition for HarmonyOS from a date, in the one place where that is kept', async () => {
    const { appId, projectId } = await newAppOf(owner, 'Moved')
    const startAt = stage.booted.server.clock.now() + 60_000
    const alone = await owner.call(serviceViews, 'cutOver', { body: { appId, startAt } })
    expect([alone.status, alone.body.ret.code]).toEqual([422, 202140004])
    const edition = { projectId, name: 'Moved', packageType: 'HARMONY', defaultLang: 'enUS', deviceTypes: [4] } as const
    const harmony = await owner.ok(apps, 'createApp', { body: { ...edition, deviceTypes: [4] } })
    const members = [
      { appId, role: 'MAIN' as const },
      { appId: harmony.appId, role: 'SUB' as const },
    ]
    const { seriesId } = await owner.ok(series, 'createSeries', { body: { name: 'Moved', apps: members } })
    const early = await owner.call(serviceViews, 'cutOver', { body: { appId, startAt } })
    expect([early.status, early.body.ret.code]).toEqual([422, 202110007])
    await stage.sql(
      'CN',
      `INSERT INTO versions (version_id, team_id, app_id, state, release_mode, countries, is_first, findings, created_by, created_at, updated_at)
        SELECT $1, team_id, app_id, 'ON_SHELF', 'AUTO', '{CN}', true, '[]', $3, 0, 0 FROM apps WHERE app_id = $2`,
      [stage.booted.server.ids.next(), harmony.appId, owner.accountId],
    )
    const { cutover } = await owner.ok(serviceViews, 'cutOver', { body: { appId, startAt, countries: ['CN'] } })
    expect(cutover).toMatchObject({ seriesId, startAt, countries: ['CN'], state: 'PLANNED' })
    const kept = async () => (await owner.ok(cutovers, 'queryCutovers', { body: { seriesId } })).list
    expect(await kept()).toEqual([cutover])
    const given = await owner.ok(serviceViews, 'cutOver', { body: { appId, startAt: null } })
    expect(await kept()).toEqual([given.cutover])
    expect(given.cutover).toMatchObject({ state: 'CANCELED', reason: 'BY_TEAM' })
  })
})
