import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Person, type Stage } from '../../../testkit/stage.ts'
import { catalogue } from './catalogue.data.ts'
import { menu } from './contract.ts'
import { menuOperations } from './operations/contract.ts'
import { categories } from './rules.ts'

let stage: Stage
let person: Person
let operator: Person
beforeAll(async () => {
  stage = await openStage({ zones: ['CN', 'DE'] })
  person = await stage.person()
  operator = await stage.person({ staff: ['storeAdministrator', 'storeOperator'] })
})
afterAll(() => stage.close())

const ids = (answer: { list: { serviceId: string }[] }) => answer.list.map(one => one.serviceId)
const flip = async (feature: string, values: { isOn: boolean; percent?: number; zones?: ('CN' | 'DE')[] }) => {
  const { list } = await operator.ok(menuOperations, 'listSwitches')
  const revision = list.find(one => one.feature === feature)?.revision ?? 0
  return operator.ok(menuOperations, 'setSwitch', {
    body: { feature, percent: 100, zones: [], note: '', ...values, revision },
  })
}
const menuOf = async (who: Person) =>
  (await who.ok(menu, 'getMenu')).list.flatMap(group => group.items.map(item => item.serviceId))

describe('the menu', () => {
  it('is the catalogue for the leader of a team', async () => {
    expect((await menuOf(person)).toSorted()).toEqual(catalogue.map(one => one.serviceId).toSorted())
  })

  it('leaves out what somebody has no permission for, and the catalogue says so', async () => {
    const powerless = await stage.person({ team: person.teamId, roles: [] })
    expect((await menuOf(powerless)).toSorted()).toEqual(
      catalogue
        .filter(one => one.may === null)
        .map(one => one.serviceId)
        .toSorted(),
    )
    const { list } = await powerless.ok(menu, 'getServiceCatalog', { query: { search: 'projects' } })
    expect(list[0]).toMatchObject({ serviceId: 'projects', closedBy: 'permission', permission: 'projects.read' })
  })

  it('leaves out what is switched off, at once and for everybody, or for a zone', async () => {
    await flip('service.apps', { isOn: false })
    expect(await menuOf(person)).not.toContain('apps')
    await flip('service.apps', { isOn: true, zones: ['DE'] })
    const european = await stage.person({ zone: 'DE' })
    expect(await menuOf(person)).not.toContain('apps')
    expect(await menuOf(european)).toContain('apps')
    await flip('service.apps', { isOn: true })
    expect(await menuOf(person)).toContain('apps')
  })
})

describe('the catalogue', () => {
  it.each([
    ['应用', 'apps'],
    ['ПРИЛОЖЕНИЯ', 'apps'],
    ['who  LEADER', ''],
    ['leader name', 'team'],
  ])('is searched in every language: %s finds %s', async (search, serviceId) => {
    const found = ids(await person.ok(menu, 'getServiceCatalog', { query: { search } }))
    if (serviceId) expect(found).toContain(serviceId)
    else expect(found).toEqual([])
  })

  it('numbers the service categories as the specification does, with label keys of the form agc.home.*', async () => {
    const { list } = await person.ok(menu, 'getMenu')
    expect(list.map(one => [one.category, one.categoryId, one.labelKey])).toEqual(
      expect.arrayContaining([
        ['distribute', 8, 'agc.home.distribute'],
        ['ground', 7, 'agc.home.tools'],
      ]),
    )
    const found = await person.ok(menu, 'getServiceCatalog', { query: { category: 'distribute', pageSize: 1 } })
    expect(found.list[0]).toMatchObject({ categoryId: 8, labelKey: 'agc.home.distribute' })
    const specified = {
      build: 1,
      quality: 2,
      increase: 3,
      gain: 4,
      analysis: 5,
      cloudApp: 6,
      tools: 7,
      distribute: 8,
      capability: 9,
    }
    expect(Object.fromEntries(Object.values(categories).map(one => [one.labelKey, one.id]))).toEqual(
      Object.fromEntries(Object.entries(specified).map(([name, id]) => [`agc.home.${name}`, id])),
    )
  })

  it('turns pages without a gap', async () => {
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page: { list: { serviceId: string }[]; nextCursor: string | null } = await person.ok(
        menu,
        'getServiceCatalog',
        {
          query: { pageSize: 2, ...(cursor ? { cursor } : {}) },
        },
      )
      seen.push(...ids(page))
      cursor = page.nextCursor ?? undefined
    } while (cursor)
    expect(seen).toEqual(catalogue.map(one => one.serviceId))
  })
})

describe('favourites', () => {
  it('keep the order of adding until one is dragged', async () => {
    for (const serviceId of ['apps', 'team', 'projects']) await person.ok(menu, 'addFavorite', { body: { serviceId } })
    expect(ids(await person.ok(menu, 'listFavorites'))).toEqual(['apps', 'team', 'projects'])
    const order = (serviceId: string, after: string | null) =>
      person.ok(menu, 'orderFavorites', { body: { serviceId, after } })
    expect(ids(await order('projects', null))).toEqual(['projects', 'apps', 'team'])
    expect(ids(await order('projects', 'apps'))).toEqual(['apps', 'projects', 'team'])
    expect(ids(await order('apps', 'team'))).toEqual(['projects', 'team', 'apps'])
  })

  it('write one row for one move', async () => {
    const before = await person.ok(menu, 'listFavorites')
    const after = await person.ok(menu, 'orderFavorites', { body: { serviceId: 'apps', after: null } })
    const keys = new Map(before.list.map(one => [one.serviceId, one.orderKey]))
    expect(after.list.filter(one => one.orderKey !== keys.get(one.serviceId)).map(one => one.serviceId)).toEqual([
      'apps',
    ])
  })

  it('added twice are there once, and stay where they were', async () => {
    const before = await person.ok(menu, 'listFavorites')
    expect(await person.ok(menu, 'addFavorite', { body: { serviceId: 'team' } })).toMatchObject({ total: before.total })
  })

  it('are a person’s own, in every team', async () => {
    const colleague = await stage.person({ team: person.teamId, roles: ['developer'] })
    expect((await colleague.ok(menu, 'listFavorites')).total).toBe(0)
  })

  it('go away', async () => {
    expect(ids(await person.ok(menu, 'removeFavorite', { query: { serviceId: 'team' } }))).not.toContain('team')
  })

  it.each([
    ['addFavorite', { serviceId: 'nothing' }],
    ['addFavorite', { serviceId: 'desk' }],
    ['orderFavorites', { serviceId: 'members', after: null }],
    ['orderFavorites', { serviceId: 'apps', after: 'members' }],
  ] as const)('%s of %j is 404', async (name, body) => {
    expect((await person.call(menu, name, { body: body as never })).status).toBe(404)
  })

  it('of nearly everything are all listed', async () => {
    const collector = await stage.person()
    await stage.sql(
      'home',
      `INSERT INTO menu_favorites (account_id, service_id, order_key, created_at)
        SELECT $1, service, lpad(row_number() OVER ()::text, 3, '0') || 'V', 0 FROM unnest($2::text[]) AS service`,
      [collector.accountId, catalogue.slice(1).map(one => one.serviceId)],
    )
    const { total } = await collector.ok(menu, 'listFavorites')
    expect(total).toBe(catalogue.length - 1)
  })

  it('that two windows drag at once are all still there', async () => {
    const hasty = await stage.person()
    const names = ['apps', 'team', 'projects', 'members', 'roles']
    await Promise.all(names.map(serviceId => hasty.ok(menu, 'addFavorite', { body: { serviceId } })))
    await Promise.all(
      names.map((serviceId, at) =>
        hasty.ok(menu, 'orderFavorites', { body: { serviceId, after: at % 2 ? 'apps' : null } }),
      ),
    )
    const { list } = await hasty.ok(menu, 'listFavorites')
    expect(ids({ list }).toSorted()).toEqual(names.toSorted())
    expect(new Set(list.map(one => one.orderKey)).size).toBe(names.length)
  })
})

describe('use', () => {
  it('of services is told latest first, and counted', async () => {
    for (const serviceId of ['apps', 'team', 'apps']) {
      stage.clock.turn(1000)
      await person.ok(menu, 'recordServiceUsage', { body: { serviceId } })
    }
    const { list } = await person.ok(menu, 'listServiceUsage')
    expect(list.map(one => [one.serviceId, one.uses])).toEqual([
      ['apps', 2],
      ['team', 1],
    ])
  })

  it('of configuration keeps the last value and counts', async () => {
    const record = (value: string) =>
      person.ok(menu, 'recordConfigUsage', { body: { configKey: 'guide.first', value } })
    await record('step 1')
    expect(await record('step 2')).toMatchObject({ value: 'step 2', uses: 2 })
    expect((await person.ok(menu, 'getConfigUsage', { query: { configKey: 'guide.first' } })).list).toHaveLength(1)
    expect((await person.ok(menu, 'getConfigUsage', { query: { configKey: 'other' } })).list).toEqual([])
  })

  it('of the info center is changed by who read it last only', async () => {
    const body = { showsBanners: false, panels: ['recent' as const], revision: 0 }
    expect(await person.ok(menu, 'getInfoCenterConfig')).toMatchObject({ revision: 0, showsBanners: true })
    expect(await person.ok(menu, 'updateInfoCenterConfig', { body })).toMatchObject({ ...body, revision: 1 })
    const stale = await person.call(menu, 'updateInfoCenterConfig', { body })
    expect([stale.status, stale.body.revision]).toEqual([409, 1])
    expect(await person.ok(menu, 'getInfoCenterConfig')).toMatchObject({ ...body, revision: 1 })
    const unread = await (await stage.person()).call(menu, 'updateInfoCenterConfig', { body: { ...body, revision: 4 } })
    expect([unread.status, unread.body.revision]).toEqual([409, 0])
  })
})

describe('a group', () => {
  it('is asked in China, or in the team’s zone where the overseas switch is on', async () => {
    const european = await stage.person({ zone: 'DE' })
    const join = (zone: 'CN' | 'DE', groupCode: string) =>
      operator.ok(menuOperations, 'changeGroup', {
        zone,
        body: { groupCode, name: groupCode, join: [european.teamId], leave: [] },
      })
    await join('CN', 'chinese')
    await join('DE', 'german')
    const check = () => european.ok(menu, 'checkGroups', { body: { groups: ['chinese', 'german', 'none'] } })
    expect(await check()).toMatchObject({ zone: 'CN', groups: { chinese: true, german: false, none: false } })
    await flip('overseasSwitch', { isOn: true, zones: ['DE'] })
    expect(await check()).toMatchObject({ zone: 'DE', groups: { chinese: false, german: true, none: false } })
    expect(await person.ok(menu, 'checkGroup', { body: { groupCode: 'chinese' } })).toMatchObject({
      zone: 'CN',
      isMember: false,
    })
    await operator.ok(menuOperations, 'changeGroup', {
      zone: 'DE',
      body: { groupCode: 'german', name: 'German', join: [], leave: [european.teamId] },
    })
    expect((await european.ok(menu, 'checkGroup', { body: { groupCode: 'german' } })).isMember).toBe(false)
  })

  it('is one of at most fifty in a question', async () => {
    const groups = Array.from({ length: 51 }, (_, at) => `g${at}`)
    const reply = await person.call(menu, 'checkGroups', { body: { groups } })
    expect([reply.status, reply.body.fields?.[0]?.pointer]).toEqual([400, '/groups'])
  })
})

describe('a gray flag', () => {
  it('is off until it is set, follows the rollout, and never leaves who was in', async () => {
    expect(await person.ok(menu, 'checkGrayFlag', { query: { feature: 'new' } })).toMatchObject({
      isOn: false,
      greyFlag: 0,
    })
    const people = [person, ...(await Promise.all(Array.from({ length: 12 }, () => stage.person())))]
    const inside = async () =>
      (await Promise.all(people.map(one => one.ok(menu, 'checkGrayFlag', { query: { feature: 'new' } })))).map(
        one => one.isOn,
      )
    let before = people.map(() => false)
    for (const percent of [0, 20, 60, 100]) {
      await flip('new', { isOn: true, percent })
      const now = await inside()
      expect(before.every((was, at) => !was || now[at])).toBe(true)
      before = now
    }
    expect(before.every(Boolean)).toBe(true)
    await flip('new', { isOn: false })
    expect((await inside()).some(Boolean)).toBe(false)
  })

  it('of the console itself is set as the cookie the specification names', async () => {
    await flip('agcGreyFlag', { isOn: true })
    const reply = await person.call(menu, 'checkGrayFlag')
    expect(String(reply.headers['set-cookie'])).toContain('x-hd-grey=agcGreyFlag-1')
    expect(reply.body.greyFlag).toBe(1)
  })

  it('is set by who read it last only, and by the operator alone', async () => {
    const body = { feature: 'late', isOn: true, percent: 5, zones: [], note: '', revision: 7 }
    expect((await operator.call(menuOperations, 'setSwitch', { body })).status).toBe(409)
    const reviewer = await stage.person({ staff: ['reviewer'] })
    expect((await reviewer.call(menuOperations, 'setSwitch', { body })).status).toBe(403)
  })
})

describe('tag sets', () => {
  const tags = [{ name: 'Beta', colour: 'blue' as const }]

  it('are made, changed by who read them last, and deleted', async () => {
    const made = await person.ok(menu, 'createTagSet', { body: { name: 'Channels', tags } })
    const changed = { tagSetId: made.tagSetId, name: 'Channels', tags: [], revision: made.revision }
    expect(await person.ok(menu, 'updateTagSet', { body: changed })).toMatchObject({ tags: [], revision: 2 })
    expect((await person.call(menu, 'updateTagSet', { body: changed })).status).toBe(409)
    const query = { tagSetId: made.tagSetId }
    const stale = await person.call(menu, 'deleteTagSet', { query, headers: { 'if-match': '"1"' } })
    expect(stale.status).toBe(409)
    await person.ok(menu, 'deleteTagSet', { query })
    expect((await person.call(menu, 'listTagSets', { query })).status).toBe(404)
  })

  it('have a name once in a team, and a tag once in a set', async () => {
    await person.ok(menu, 'createTagSet', { body: { name: 'Once', tags } })
    expect((await person.call(menu, 'createTagSet', { body: { name: 'Once', tags } })).status).toBe(409)
    const twice = await person.call(menu, 'createTagSet', {
      body: { name: 'Twice', tags: [...tags, { name: ' ｂeta', colour: 'red' }] },
    })
    expect([twice.status, twice.body.fields?.[0]?.pointer]).toEqual([400, '/tags/1/name'])
  })

  it('of another team are not there', async () => {
    const { tagSetId } = await person.ok(menu, 'createTagSet', { body: { name: 'Ours', tags } })
    const stranger = await stage.person()
    const replies = await Promise.all([
      stranger.call(menu, 'listTagSets', { query: { tagSetId } }),
      stranger.call(menu, 'updateTagSet', { body: { tagSetId, name: 'Theirs', tags, revision: 1 } }),
      stranger.call(menu, 'deleteTagSet', { query: { tagSetId } }),
    ])
    expect(replies.map(reply => reply.status)).toEqual([404, 404, 404])
  })
})

describe('what the catalogue of permissions says', () => {
  it('are scenarios in three languages', async () => {
    const { list } = await person.ok(menu, 'listSensitiveScenarios', {
      query: { permission: 'android.permission.READ_SMS' },
    })
    expect(list[0]?.scenarios.map(one => one.scenarioId)).toContain('default-messaging')
    expect((await person.ok(menu, 'listSensitiveScenarios', { query: { permission: 'none' } })).list).toEqual([])
    expect((await person.ok(menu, 'listSensitiveScenarios')).list.length).toBeGreaterThan(20)
  })

  it('is reading for a demo visitor, and members where the operator allows it', async () => {
    const role = await person.ok(menu, 'getDemoUserRole')
    expect(role.isReadOnly).toBe(true)
    expect(Object.keys(role.userPermission).every(one => one.endsWith('.read'))).toBe(true)
    await flip('demoMemberEditing', { isOn: true })
    expect((await person.ok(menu, 'getDemoUserRole')).userPermission).toHaveProperty('teams.members', 'Y')
  })
})
