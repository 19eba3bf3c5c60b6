import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemContext } from '../../../../server/context.ts'
import { openStage, type Person, type Stage } from '../../../../testkit/stage.ts'
import { projectConfigFiles } from '../config-files/contract.ts'
import { projects } from '../contract.ts'
import { projectOfKey } from '../public.ts'
import { cpmsProjectApis, dgsProjectApis, projectApiService } from './contract.ts'
import { keyProblem } from './rules.ts'

const appId = '900000000000000055'
let stage: Stage
let leader: Person
let projectId: string
beforeAll(async () => {
  stage = await openStage({ zones: ['CN', 'DE'] })
  leader = await stage.person()
  projectId = (await leader.ok(projects, 'createProject', { body: { name: 'Keys', zone: 'DE' } })).projectId
  await systemContext(stage.booted.server, 'DE', { name: 'test', teamId: leader.teamId }).transact(async ctx => {
    ctx.emit({ type: 'app.created', entity: 'app', entityId: appId, data: { projectId, name: 'Notes' } })
  })
  await stage.settle()
})
afterAll(() => stage.close())

function knows(apiKey: string | null, use = { apiId: 'publishing' } as { apiId: string; packageName?: string }) {
  const ctx = systemContext(stage.booted.server, 'DE', { name: 'test' })
  return ctx.transact(async inner => (await projectOfKey(inner, apiKey ?? '', use))?.projectId ?? null)
}
const open = (...apiIds: string[]) =>
  leader.ok(dgsProjectApis, 'openProjectApis', { body: { projectId, apiIds: apiIds as ['publishing'] } })
const make = async (name: string, more = {}) =>
  leader.ok(dgsProjectApis, 'createApiKey', { body: { projectId, name, ...more } })

describe('interfaces of a project', () => {
  it('are opened and closed, the same through every door', async () => {
    await open('publishing', 'functions')
    const { list } = await leader.ok(cpmsProjectApis, 'listProjectApis', { query: { projectId } })
    expect(list.filter(one => one.isEnabled).map(one => [one.apiId, one.isWaiting])).toEqual([
      ['publishing', false],
      ['functions', true],
    ])
    const apis = [
      { apiId: 'functions' as const, isEnabled: false },
      { apiId: 'reports' as const, isEnabled: true },
    ]
    await leader.ok(projectApiService, 'setApiService', { body: { projectId, apis } })
    const after = await leader.ok(projectApiService, 'getApiService', { query: { projectId } })
    expect(after.list.filter(one => one.isEnabled).map(one => one.apiId)).toEqual(['publishing', 'reports'])
    await leader.ok(cpmsProjectApis, 'closeProjectApi', { query: { projectId, apiId: 'reports' } })
    const status = await leader.ok(dgsProjectApis, 'getServiceStatus', { query: { projectId } })
    expect(status.list.find(one => one.serviceId === 'functions')).toEqual({
      serviceId: 'functions',
      isEnabled: false,
      isOffered: true,
      openApis: 0,
      apis: 1,
    })
  })
})

describe('a key', () => {
  it('is shown once, kept as a digest, and opens what it may', async () => {
    const made = await make('build server')
    expect(made.apiKey).toMatch(/^lgk_[\w-]{43}$/)
    const { list } = await leader.ok(cpmsProjectApis, 'listApiKeys', { query: { projectId } })
    expect(JSON.stringify(list)).not.toContain(made.apiKey)
    const rows = await stage.sql('home', 'SELECT row_to_json(k)::text AS row FROM project_api_keys k')
    const left = await stage.sql(
      'home',
      `SELECT (SELECT string_agg(after::text, '') FROM audit) AS a, (SELECT string_agg(data::text, '') FROM outbox) AS o`,
    )
    expect(JSON.stringify([rows, left])).not.toContain(made.apiKey)
    expect([await knows(made.apiKey), await knows(made.apiKey, { apiId: 'reports' }), await knows('lgk_x')]).toEqual([
      projectId,
      null,
      null,
    ])
  })

  it('can be held to interfaces and packages', async () => {
    const made = await make('narrow', { apis: ['publishing'], packageNames: ['com.example.notes'] })
    expect(await knows(made.apiKey)).toBeNull()
    expect(await knows(made.apiKey, { apiId: 'publishing', packageName: 'com.example.notes' })).toBe(projectId)
    expect(keyProblem({ apis: ['a'], packageNames: [] }, { apiId: 'b' })).toBe('api')
  })

  it('is rotated: the new one works at once, the old one for a day', async () => {
    const old = await make('rotating')
    const body = { projectId, keyId: old.keyId, action: 'rotate' as const, revision: 1 }
    const fresh = await leader.ok(cpmsProjectApis, 'changeApiKey', { body })
    expect([await knows(old.apiKey), await knows(fresh.apiKey)]).toEqual([projectId, projectId])
    expect((await leader.call(cpmsProjectApis, 'changeApiKey', { body })).status).toBe(409)
    stage.clock.turn(25 * 3_600_000)
    expect([await knows(old.apiKey), await knows(fresh.apiKey)]).toEqual([null, projectId])
    leader = await stage.person({ team: leader.teamId, roles: ['leader'] })
  })

  it('is switched off and on, ends with its life, and a revoked one is gone for good', async () => {
    const made = await make('short', { lifeDays: 1 })
    const change = (action: 'enable' | 'disable' | 'revoke', revision: number) =>
      leader.call(dgsProjectApis, 'changeApiKey', { body: { projectId, keyId: made.keyId, action, revision } })
    await change('disable', 1)
    expect(await knows(made.apiKey)).toBeNull()
    await change('enable', 2)
    expect(await knows(made.apiKey)).toBe(projectId)
    await change('revoke', 3)
    expect(await knows(made.apiKey)).toBeNull()
    expect((await change('enable', 4)).body.ret.code).toBe(201030051)
    const brief = await make('brief', { lifeDays: 1 })
    stage.clock.turn(25 * 3_600_000)
    leader = await stage.person({ team: leader.teamId, roles: ['leader'] })
    expect(await knows(brief.apiKey)).toBeNull()
    const { list } = await leader.ok(dgsProjectApis, 'listApiKeys', { query: { projectId } })
    expect(list.find(one => one.keyId === brief.keyId)?.state).toBe('EXPIRED')
  })

  it('is made by administrators only, with a name of its own, and never for another team', async () => {
    expect((await leader.call(dgsProjectApis, 'createApiKey', { body: { projectId, name: 'narrow' } })).status).toBe(
      409,
    )
    const builder = await stage.person({ team: leader.teamId, roles: ['developer'] })
    expect((await builder.call(dgsProjectApis, 'createApiKey', { body: { projectId, name: 'x' } })).status).toBe(403)
    const stranger = await stage.person()
    const replies = await Promise.all([
      stranger.call(dgsProjectApis, 'createApiKey', { body: { projectId, name: 'x' } }),
      stranger.call(dgsProjectApis, 'listApiKeys', { query: { projectId } }),
      stranger.call(cpmsProjectApis, 'setAllianceAttr', {
        body: { projectId, isMember: true, allianceName: '', contact: '', revision: 1 },
      }),
    ])
    expect(replies.map(reply => reply.status)).toEqual([404, 404, 404])
  })

  it('ends with its project', async () => {
    const short = await leader.ok(projects, 'createProject', { body: { name: 'Short lived' } })
    const body = { projectId: short.projectId, name: 'k' }
    await leader.ok(dgsProjectApis, 'openProjectApis', { body: { projectId: short.projectId, apiIds: ['publishing'] } })
    const { apiKey } = await leader.ok(dgsProjectApis, 'createApiKey', { body })
    expect(await knows(apiKey)).toBe(short.projectId)
    await leader.ok(projects, 'deleteProject', { query: { projectId: short.projectId } })
    expect(await knows(apiKey)).toBeNull()
  })
})

describe('the place in an alliance', () => {
  it('is written down with the project', async () => {
    const { revision } = await leader.ok(dgsProjectApis, 'getAllianceAttr', { query: { projectId } })
    const body = { projectId, isMember: true, allianceName: 'Open stores', contact: 'a@example.com', revision }
    await leader.ok(cpmsProjectApis, 'setAllianceAttr', { body })
    expect((await leader.call(cpmsProjectApis, 'setAllianceAttr', { body })).status).toBe(409)
    expect(await leader.ok(dgsProjectApis, 'getAllianceAttr', { query: { projectId } })).toMatchObject({
      allianceName: 'Open stores',
      revision: revision + 1,
    })
  })
})

describe('the configuration file of an app', () => {
  const make = (by: Person, body: { projectId: string; appId: string; packageName?: string }) =>
    by.call(projectConfigFiles, 'makeConfigFile', { body })

  it('has what the public SDKs read, with a key that works', async () => {
    expect((await make(leader, { projectId, appId })).body.ret.code).toBe(201030061)
    const made = await make(leader, { projectId, appId, packageName: 'com.example.notes' })
    expect(made.body).toMatchObject({
      appName: 'Notes',
      zone: 'DE',
      isStale: false,
      fileName: 'agconnect-services.json',
    })
    const query = { projectId, configFileId: made.body.configFileId }
    const reply = await leader.call(projectConfigFiles, 'downloadConfigFile', { query })
    expect(reply.headers['content-disposition']).toContain('agconnect-services.json')
    const file = JSON.parse(reply.text)
    expect(file).toMatchObject({
      agcgw: { url: 'localhost:8080/de' },
      client: { cp_id: leader.teamId, product_id: projectId, app_id: appId, package_name: 'com.example.notes' },
      oauth_client: { client_id: made.body.clientId, client_type: 1 },
      app_info: { app_id: appId, package_name: 'com.example.notes' },
      region: 'DE',
      configuration_version: '3.0',
    })
    expect(file.appInfos[0].client).toEqual(file.client)
    expect(await knows(file.client.api_key, { apiId: 'publishing', packageName: 'com.example.notes' })).toBe(projectId)
    const again = await make(leader, { projectId, appId })
    expect(again.body.configFileId).toBe(made.body.configFileId)
    const same = JSON.parse((await leader.call(projectConfigFiles, 'downloadConfigFile', { query })).text)
    expect(same.client).toEqual(file.client)
    await leader.ok(projectConfigFiles, 'deleteConfigFile', { query })
    expect(await knows(file.client.api_key, { apiId: 'publishing', packageName: 'com.example.notes' })).toBeNull()
    expect((await leader.ok(projectConfigFiles, 'listConfigFiles', { query: { projectId } })).total).toBe(0)
  })

  it('is of the project’s own apps, and of the team’s own projects', async () => {
    expect((await make(leader, { projectId, appId: '5', packageName: 'a.b' })).body.ret.code).toBe(201030060)
    const stranger = await stage.person()
    expect((await make(stranger, { projectId, appId, packageName: 'a.b' })).status).toBe(404)
    const viewer = await stage.person({ team: leader.teamId, roles: ['analyst'] })
    const query = { projectId, configFileId: '5' }
    expect((await viewer.call(projectConfigFiles, 'downloadConfigFile', { query })).status).toBe(403)
  })
})
