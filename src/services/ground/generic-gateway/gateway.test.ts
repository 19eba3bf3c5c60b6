import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { idsOf } from '../../../testkit/ids.ts'
import { openStage, type Person, type Stage } from '../../../testkit/stage.ts'
import { announcements } from '../menu/announcements/contract.ts'
import { billboard } from '../menu/billboard/contract.ts'
import { gateway } from './contract.ts'
import { developerService } from './developer/contract.ts'
import { namedApis } from './registry.ts'
import { chinaLookups, chinaPrefixes, zoneOfInvocation, zonePolicyOf } from './rules.ts'

let stage: Stage
let owner: Person
let ids: Record<string, unknown>
beforeAll(async () => {
  stage = await openStage({ zones: ['CN', 'DE'] })
  owner = await stage.person()
  ids = await idsOf(stage, owner)
})
afterAll(() => stage.close())

const invoke = (who: Person, apiName: string, params: unknown = {}, more: object = {}) =>
  who.call(gateway, 'invoke', {
    body: { apiName, params: typeof params === 'string' ? params : JSON.stringify(params), ...more },
  })

describe('the zone of a named API', () => {
  it.each([
    ['the zone that the caller names, before the China rule', 'AppGallery.queryAppList', { zoneId: 'DE' }, 'DE'],
    ['EU for Europe', 'Menu.queryMenu', { zoneId: 'EU' }, 'DE'],
    ['a site id', 'Menu.queryMenu', { zoneId: 7 }, 'DE'],
    ['any other site id falls back to China', 'Menu.queryMenu', { zoneId: 99 }, 'CN'],
    ['the default region identifier chinaZoneID', 'Menu.queryMenu', { zoneId: 'chinaZoneID' }, 'CN'],
    ['China for the named API groups', 'OpenPlatform.anything', {}, 'CN'],
    ['China for merchant info', 'Developer.queryMerchantInfo', {}, 'CN'],
    ['China for the white list', 'Developer.queryWhiteList', {}, 'CN'],
    ['the own zone for what is left', 'Developer.queryOther', {}, undefined],
  ])('is %s', (_rule, apiName, named, zone) => {
    expect(zoneOfInvocation(apiName, named)).toBe(zone)
  })

  it.each([[undefined], [null], [''], ['undefined'], ['XX'], ['__proto__'], [0], [1.5], [{}]])(
    'undefined raises the zone Id is invalid: %j',
    zoneId => {
      expect(() => zoneOfInvocation('Menu.queryMenu', { zoneId })).toThrow('the zone Id is invalid')
    },
  )

  it('China rule holds for every prefix and lookup', () => {
    for (const name of [...chinaPrefixes.map(prefix => `${prefix}x`), ...chinaLookups]) {
      expect(zonePolicyOf(name)).toBe('china')
    }
  })

  it('is where the rows are read: a team of Germany sees its own apps there and none in China', async () => {
    const german = await stage.person({ zone: 'DE' })
    await idsOf(stage, german)
    expect((await invoke(german, 'AppGallery.queryAppNumbers')).body['total']).toBe(0)
    expect((await invoke(german, 'AppGallery.queryAppNumbers', {}, { zoneId: 'DE' })).body['total']).toBe(1)
  })

  it('that is invalid is 400 204290001, also one that nobody serves here', async () => {
    for (const zoneId of [null, 'XX', 'SG']) {
      const { status, body } = await invoke(owner, 'AppGallery.queryAppNumbers', {}, { zoneId })
      expect([status, body.ret]).toEqual([400, { code: 204290001, msg: 'the zone Id is invalid' }])
    }
  })
})

describe('a named API', () => {
  it.each(namedApis)('$apiName has an example that round-trips', async ({ apiName, example }) => {
    const known = (_key: string, value: unknown) =>
      typeof value === 'string' ? value.replace(/^\{(\w+)\}$/, (whole, id: string) => String(ids[id] ?? whole)) : value
    const { status, body } = await invoke(owner, apiName, JSON.stringify(example, known))
    expect([status, body.ret]).toEqual([200, { code: 0, msg: 'success' }])
    expect(Object.keys(body).length).toBeGreaterThan(1)
  })

  it('names are unique, and every one is listed with schema, audience and example', async () => {
    expect(new Set(namedApis.map(one => one.apiName)).size).toBe(namedApis.length)
    const { total, list } = await owner.ok(gateway, 'listNamedApis', { query: { pageSize: 100 } })
    expect([total, list.length]).toEqual([namedApis.length, namedApis.length])
    const app = list.find(one => one.apiName === 'AppGallery.queryApp')
    expect(app).toMatchObject({ audience: 'cp', may: 'apps.read', zonePolicy: 'china', example: { appId: '{appId}' } })
    expect(app?.input).toMatchObject({ required: ['appId'] })
  })

  it('answers what its call answers, by both addresses', async () => {
    const { body } = await invoke(owner, 'AppGallery.queryApp', { appId: ids['appId'] })
    expect(body).toMatchObject({ ret: { code: 0 }, appId: ids['appId'], packageType: 'ANDROID' })
    const again = await owner.call(developerService, 'gwService', {
      body: { apiName: 'AppGallery.queryApp', params: JSON.stringify({ appId: ids['appId'] }) },
    })
    expect(again.body).toEqual(body)
  })

  it('that is unknown is 404 204290004', async () => {
    const { status, body } = await invoke(owner, 'Nothing.query')
    expect([status, body.ret.code]).toEqual([404, 204290004])
  })

  it.each(['', '[]', 'null', '5', '{', '{"__proto__":{"a":1}}'])(
    'params %j are no JSON object: 400 at /params',
    async params => {
      const { status, body } = await invoke(owner, 'Menu.queryMenu', params)
      expect([status, body.fields?.map(field => field.pointer)]).toEqual([400, ['/params']])
    },
  )

  it('params as an object instead of a JSON string are refused', async () => {
    const { status, body } = await owner.call(gateway, 'invoke', {
      body: { apiName: 'Menu.queryMenu', params: {} as never },
    })
    expect([status, body.fields?.[0]?.pointer]).toEqual([400, '/params'])
  })

  it('a schema failure lists the JSON pointers within params', async () => {
    const missing = await invoke(owner, 'AppGallery.queryApp')
    expect(missing.body.fields).toEqual([
      { in: 'body', pointer: '/params/appId', rule: 'required', message: 'is missing' },
    ])
    const unknown = await invoke(owner, 'Menu.checkGroup', { groupCode: 'x', other: 1 })
    expect(unknown.body.fields?.map(field => field.pointer)).toEqual(['/params/other'])
  })

  it("goes with the caller's own rights: no permission 403, another team's app 404, a visitor 401", async () => {
    const powerless = await stage.person({ team: owner.teamId, roles: [] })
    expect((await invoke(powerless, 'AppGallery.queryAppList')).body.ret.code).toBe(204160004)
    const stranger = await stage.person()
    expect((await invoke(stranger, 'AppGallery.queryApp', { appId: ids['appId'] })).status).toBe(404)
    expect((await invoke(stage.anybody, 'Store.queryKinds')).status).toBe(401)
  })
})

describe('the preview of an activity', () => {
  const words = (text: string) => ({ zh: text, en: text, ru: text })
  const preview = (who: Person, activityId: string) =>
    who.call(developerService, 'previewActivity', { params: { activityId } })

  it('shows a draft to staff who write them, and to nobody else before it is published', async () => {
    const staff = await stage.person({ staff: ['storeOperator'] })
    const { announcementId, revision } = await staff.ok(announcements, 'writeAnnouncement', {
      body: {
        ...{ kind: 'news', title: words('Soon'), text: words('More soon'), href: null, isBanner: false },
        ...{ zones: [], startAt: null, endAt: null },
      },
    })
    expect((await preview(staff, announcementId)).body).toMatchObject({ kind: 'announcement', isPublished: false })
    expect((await preview(owner, announcementId)).status).toBe(404)
    const reviewer = await stage.person({ staff: ['reviewer'] })
    expect((await preview(reviewer, announcementId)).status).toBe(404)
    await staff.ok(announcements, 'actOnAnnouncement', {
      params: { announcementId },
      body: { action: 'publish', revision },
    })
    expect((await preview(owner, announcementId)).body).toMatchObject({ title: words('Soon'), isPublished: true })
  })

  it('shows a slot of the billboard that is off to staff', async () => {
    const staff = await stage.person({ staff: ['storeAdministrator'] })
    const { slotId } = await staff.ok(billboard, 'createSlot', {
      body: {
        ...{ title: words('Try it'), text: words('Now'), href: '#/apps', tone: 'blue', weight: 1, isOn: false },
        ...{ zones: [], startAt: null, endAt: null },
      },
    })
    expect((await preview(staff, slotId)).body).toMatchObject({ kind: 'billboard', state: 'off' })
    expect((await preview(owner, slotId)).status).toBe(404)
    expect((await preview(staff, '1')).status).toBe(404)
  })
})

it('a named API takes so many calls a minute of one caller', async () => {
  const strict = await openStage({ zones: ['CN', 'DE'], rateFactor: 1 })
  try {
    const person = await strict.person()
    let reply = await invoke(person, 'Menu.queryMenu')
    for (let call = 1; call <= 600 && reply.status === 200; call++) reply = await invoke(person, 'Menu.queryMenu')
    expect([reply.status, Number(reply.headers['retry-after'])]).toEqual([429, expect.any(Number)])
  } finally {
    await strict.close()
  }
}, 60_000)
