import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openStage, type Stage } from '../../../../testkit/stage.ts'
import { openApp } from '../../../build/app-auth/app-auth.testkit.ts'
import { dgsProjectApis } from '../../../ground/projects/api/contract.ts'
import { projects } from '../../../ground/projects/contract.ts'
import { audiences } from '../../targeting/audiences/contract.ts'
import { type ConfigStage, condition, inCountry, openConfig, parameter } from '../config.testkit.ts'
import { remoteConfig } from '../contract.ts'
import { remoteConfigReleases } from '../releases/contract.ts'
import { remoteConfigSettings } from '../settings/contract.ts'
import { fetchConfigOf } from './fetch.testkit.ts'
import { configMemoryOf } from './memory.ts'

let stage: Stage
let config: ConfigStage
beforeAll(async () => {
  stage = await openStage()
})
beforeEach(async () => {
  config = await openConfig(stage)
})
afterAll(() => stage.close())

const chinese = { conditions: [condition('cn', inCountry('CN'))] }
const fetchConfig = (
  body: object,
  headers: Record<string, string> = {},
  app: Pick<Stage['app'], 'inject'> = stage.app,
) => fetchConfigOf(config, app, body, headers)

describe('an app asks', () => {
  it('and gets for each parameter what the first condition that holds says, else the default', async () => {
    const conditions = [condition('cn', inCountry('CN')), condition('all', { op: 'and', args: [] })]
    const conditional = { all: { value: 'all' }, cn: { value: 'cn' } }
    await config.publish({
      conditions,
      parameters: {
        text: parameter('none', { conditional }),
        own: parameter('x', { conditional: { cn: { useInAppDefault: true } } }),
        plain: parameter('1', { valueType: 'NUMBER' }),
      },
    })
    const { body } = await fetchConfig({ context: { device: { country: 'CN' } } })
    expect(body).toMatchObject({ templateVersion: '1', minFetchIntervalSec: 43_200, ret: { code: 0 } })
    expect(body.entries).toEqual({
      text: { v: 'cn', src: 'condition', rule: 'cn', variant: 'cn' },
      plain: { v: '1', src: 'default', variant: 'default' },
    })
    const other = await fetchConfig({ context: { 'device.country': 'DE' } })
    expect(other.body.entries.text).toEqual({ v: 'all', src: 'condition', rule: 'all', variant: 'all' })
    expect(other.body.entries.own.v).toBe('x')
  })

  it('and conditions with one rule hold together, each with its own value and its own lots', async () => {
    const half = { ns: 'rollout', unitAttr: 'targetingKey', lo: 0, hi: 50 }
    const lot = (seed: string) => ({ attr: 'targetingKey', op: 'percent', value: { ...half, seed } })
    await config.publish({
      conditions: [
        condition('one', inCountry('CN')),
        condition('same', inCountry('CN')),
        ...['x', 'y'].map(seed => condition(seed, lot(seed))),
      ],
      parameters: {
        a: parameter('none', { conditional: { one: { value: 'one' } } }),
        b: parameter('none', { conditional: { same: { value: 'same' } } }),
        ...Object.fromEntries(
          ['x', 'y'].map(seed => [seed, parameter('no', { conditional: { [seed]: { value: 'yes' } } })]),
        ),
      },
    })
    const said = new Set<string>()
    for (let at = 0; at < 40; at++) {
      const { entries } = (await fetchConfig({ context: { targetingKey: `u${at}`, 'device.country': 'CN' } })).body
      expect([entries.a.v, entries.b.v]).toEqual(['one', 'same'])
      said.add(`${entries.x.v} ${entries.y.v}`)
    }
    expect([...said].sort()).toEqual(['no no', 'no yes', 'yes no', 'yes yes'])
    const { entries } = (await fetchConfig({ context: { targetingKey: 'u', 'device.country': 'DE' } })).body
    expect([entries.a.v, entries.b.v]).toEqual(['none', 'none'])
  })

  it('by its query as well, and a build that is debugged asks as often as it likes', async () => {
    await config.publish({ ...chinese, parameters: { a: parameter('1', { conditional: { cn: { value: '2' } } }) } })
    const reply = await stage.app.inject({
      url: '/rcs/v1/config?device.country=CN&debug=1&appId=7',
      headers: { 'x-api-key': config.apiKey },
    })
    expect([reply.json().entries.a.v, reply.json().minFetchIntervalSec]).toEqual(['2', 0])
  })

  it('an answer that it has is not sent again, but one for another context is', async () => {
    await config.publish({ ...chinese, parameters: { a: parameter('1', { conditional: { cn: { value: '2' } } }) } })
    const first = await fetchConfig({ context: { 'device.country': 'CN', noise: '1' } })
    const etag = String(first.headers.etag)
    const again = (context: object) => fetchConfig({ context }, { 'if-none-match': etag })
    expect((await again({ 'device.country': 'CN', noise: '2' })).status).toBe(304)
    expect((await again({ 'device.country': 'DE', noise: '1' })).status).toBe(200)
    await config.publish({ ...chinese, parameters: { a: parameter('1', { conditional: { cn: { value: '3' } } }) } })
    expect((await again({ 'device.country': 'CN' })).body.entries.a.v).toBe('3')
  })

  it('and is told by what the audiences of the project say of its unit', async () => {
    const { owner, projectId } = config
    const testers = { attr: 'device.model', op: 'eq', value: 'P1' } as const
    const { audienceId } = await owner.ok(audiences, 'createAudience', {
      body: { projectId, name: 'Testers', rule: testers, refreshEvery: 'realtime' },
    })
    const conditions = [condition('testers', { attr: 'targetingKey', op: 'inAudience', value: audienceId })]
    await config.publish({
      conditions,
      parameters: { a: parameter('1', { conditional: { testers: { value: '2' } } }) },
    })
    const valueFor = async (model: string) => {
      const { headers, body } = await fetchConfig({ context: { targetingKey: 'u', 'device.model': model } })
      return { etag: headers.etag, v: body.entries.a.v }
    }
    const [inside, outside] = [await valueFor('P1'), await valueFor('P2')]
    expect([inside.v, outside.v]).toEqual(['2', '1'])
    expect(inside.etag).not.toBe(outside.etag)
    const { list, conditions: why } = await owner.ok(remoteConfigSettings, 'evaluate', {
      body: { ...config.where, context: { targetingKey: 'u', 'device.model': 'P1' }, of: 'published' },
    })
    expect([list[0]?.value, why[0]?.isTrue]).toEqual(['2', true])
  })

  it('and by what its unit did, once the audience was made anew', async () => {
    const { owner, projectId, apiKey } = config
    const rule = { op: 'did', event: 'buy', times: 2, days: 7 } as const
    const made = await owner.ok(audiences, 'createAudience', { body: { projectId, name: 'Buyers', rule } })
    const params = { audienceId: made.audienceId }
    const conditions = [condition('buyers', { attr: 'targetingKey', op: 'inAudience', value: made.audienceId })]
    const conditional = { buyers: { value: '2' } }
    await config.publish({ conditions, parameters: { a: parameter('1', { conditional }) } })
    const events = ['u', 'u', 'v'].map(unit => ({ name: 'buy', unit }))
    const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' }
    await stage.app.inject({ method: 'POST', url: '/app-events/v1/events', headers, payload: { events } })
    const valueFor = async (targetingKey: string) => (await fetchConfig({ context: { targetingKey } })).body.entries.a.v
    expect(await valueFor('u')).toBe('1')
    await owner.ok(audiences, 'refreshAudience', { params })
    await stage.settle()
    expect([await valueFor('u'), await valueFor('v')]).toEqual(['2', '1'])
    const { conditions: why } = await owner.ok(remoteConfigSettings, 'evaluate', {
      body: { ...config.where, context: { targetingKey: 'u' }, of: 'published' },
    })
    expect(why[0]?.isTrue).toBe(true)
  })

  it('from a page of any origin', async () => {
    const { statusCode, headers } = await stage.app.inject({ method: 'OPTIONS', url: '/rcs/v1/config' })
    const [origin, methods] = ['origin', 'methods'].map(what => headers[`access-control-allow-${what}`])
    expect([statusCode, origin, methods]).toEqual([204, '*', 'GET, POST, OPTIONS'])
    expect(headers['access-control-allow-headers']).toContain('authorization')
  })

  it('for no audience that is not there: a template that does cannot be published', async () => {
    const conditions = [condition('testers', { attr: 'targetingKey', op: 'inAudience', value: '77' })]
    await expect(config.publish({ conditions })).rejects.toThrow('the audience 77 is not there')
  })

  it('and an audience that a condition asks for is not deleted before that is out of draft, schedule and version', async () => {
    const { owner, projectId } = config
    const { audienceId } = await owner.ok(audiences, 'createAudience', { body: { projectId, name: 'Friends' } })
    const deleted = () => owner.call(audiences, 'deleteAudience', { params: { audienceId } })
    const conditions = [condition('friends', { attr: 'targetingKey', op: 'inAudience', value: audienceId })]
    await config.publish({ conditions })
    await config.publish({ conditions, parameters: { a: parameter('1') } }, 'server')
    const { body } = await deleted()
    expect(body.ret.code).toBe(audiences.errors.isInUse[0])
    expect(body['askers']).toEqual(expect.arrayContaining(['client: friends', 'server: friends']))
    await config.publish({}, 'server')
    expect((await deleted()).body['askers']).toEqual(['client: friends'])
    const { etag } = await owner.ok(remoteConfig, 'getHead', { query: config.where })
    const dueAt = stage.clock.now() + 3_600_000
    const later = { name: 'later', rule: conditions[0]?.rule }
    await owner.ok(remoteConfig, 'createCondition', { body: { ...config.where, ...later } as never })
    const { scheduleId } = await owner.ok(remoteConfigReleases, 'scheduleDraft', {
      body: { ...config.where, dueAt },
      headers: { 'if-match': etag },
    })
    await config.publish({})
    await owner.ok(remoteConfig, 'discardDraft', { query: config.where })
    expect((await deleted()).body['askers']).toEqual(['client: friends', 'client: later'])
    await owner.ok(remoteConfigReleases, 'cancelSchedule', { params: { scheduleId }, query: config.where })
    expect((await deleted()).body.ret.code).toBe(0)
  })

  it('and of a project that was deleted gets nothing more, and nothing of it is kept', async () => {
    await config.publish({ parameters: { a: parameter('1') } })
    expect((await fetchConfig({})).body.entries.a.v).toBe('1')
    const { owner, projectId } = config
    await owner.ok(projects, 'deleteProject', { query: { projectId } })
    await stage.settle()
    expect((await fetchConfig({})).status).toBe(401)
    for (const table of ['rcs_templates', 'rcs_versions'])
      expect(await stage.sql('CN', `SELECT 1 FROM ${table} WHERE project_id = $1`, [projectId])).toEqual([])
    await stage.heard('CN')
    const remembered = await configMemoryOf(stage.booted.server).get('CN', projectId, 'client')
    expect(remembered.version).toBe(0)
  })

  it('lots are drawn by its key, more of them as the share grows, and none where it has no key', async () => {
    const publish = (hi: number) => {
      const value = { ns: 'rollout', seed: 'abc', unitAttr: 'targetingKey', lo: 0, hi }
      const rule = { attr: 'targetingKey', op: 'percent', value }
      const parameters = { a: parameter('no', { conditional: { some: { value: 'yes' } } }) }
      return config.publish({ conditions: [condition('some', rule)], parameters })
    }
    const inIt = async () => {
      const found = new Set<number>()
      for (let at = 0; at < 60; at++) {
        const { body } = await fetchConfig({ context: { installId: `device ${at}` } })
        if (body.entries.a.v === 'yes') found.add(at)
      }
      return found
    }
    await publish(30)
    const few = await inIt()
    await publish(70)
    const many = await inIt()
    expect([few.size > 5 && few.size < 35, [...few].every(one => many.has(one)), many.size > few.size]).toEqual([
      true,
      true,
      true,
    ])
    expect((await fetchConfig({ context: {} })).body.entries.a.v).toBe('no')
  })

  it('nothing with what is no key, a key that was taken back, and too much to say', async () => {
    await config.publish({ parameters: { a: parameter('1') } })
    expect((await fetchConfig({}, { authorization: '' })).status).toBe(401)
    expect((await fetchConfig({}, { authorization: 'Bearer lgk_not-one-of-ours-at-all-0000000' })).status).toBe(401)
    expect((await fetchConfig({ kind: 'server' })).status).toBe(403)
    for (const context of [
      [],
      'text',
      { long: 'x'.repeat(501) },
      Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`a${at}`, 1])),
      { a: { a: { a: { a: { a: { a: 1 } } } } } },
    ])
      expect((await fetchConfig({ context })).status).toBe(400)
    expect((await fetchConfig({ minVersion: 'soon' })).status).toBe(400)
    expect((await fetchConfig({})).status).toBe(200)
    const { list } = await config.owner.ok(dgsProjectApis, 'listApiKeys', { query: { projectId: config.projectId } })
    const { keyId, revision } = list[0]!
    await config.owner.ok(dgsProjectApis, 'changeApiKey', {
      body: { projectId: config.projectId, keyId, action: 'revoke', revision },
    } as never)
    await stage.settle()
    await stage.heard('home')
    expect((await fetchConfig({})).status).toBe(401)
  })

  it('with the token of its configuration file, and its id is known without it saying so', async () => {
    const app = await openApp(stage)
    const own = await openConfig(stage, app.owner).then(() => app)
    const device = await own.install()
    config = { ...config, owner: app.owner, projectId: app.projectId, apiKey: device.clientToken }
    const { remoteConfigReleases } = await import('../releases/contract.ts')
    const mine = condition('mine', { attr: 'app.id', op: 'eq', value: app.appId })
    await app.owner.ok(remoteConfigReleases, 'publishTemplate', {
      params: { projectId: app.projectId },
      body: {
        ...{ conditions: [mine], groups: {} },
        parameters: { a: parameter('no', { conditional: { mine: { value: 'yes' } } }) },
      } as never,
      headers: { 'if-match': '*' },
    })
    expect((await fetchConfig({ context: { 'app.id': '1' } })).body.entries.a.v).toBe('yes')
  })

  it('as often as the project says', async () => {
    await config.publish({ parameters: {} })
    await fetchConfig({})
    const { projectId } = config
    await config.owner.ok(remoteConfigSettings, 'putSettings', {
      body: { projectId, minFetchIntervalSec: 60 } as never,
    })
    await stage.heard('CN')
    await expect.poll(async () => (await fetchConfig({})).body.minFetchIntervalSec).toBe(60)
  })
})
