import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Person, type Stage } from '../../../../testkit/stage.ts'
import { menu, menuErrors } from '../contract.ts'
import { getsIt, switchReason } from '../rules.ts'
import { menuOperations } from './contract.ts'

let stage: Stage
let operator: Person
let chinese: Person
let european: Person
beforeAll(async () => {
  stage = await openStage({ zones: ['CN', 'DE'] })
  operator = await stage.person({ staff: ['storeAdministrator'] })
  chinese = await stage.person()
  european = await stage.person({ zone: 'DE' })
})
afterAll(() => stage.close())

interface Wanted {
  isOn: boolean
  percent: number
  groups?: string[]
}
const set = async (feature: string, wanted: Wanted) => {
  const { list } = await operator.ok(menuOperations, 'listSwitches', { query: { search: feature } })
  const revision = list[0]?.revision ?? 0
  return operator.call(menuOperations, 'setSwitch', { body: { feature, zones: [], note: '', ...wanted, revision } })
}
const change = (groupCode: string, join: string[], leave: string[] = [], zone: 'CN' | 'DE' = 'CN') =>
  operator.ok(menuOperations, 'changeGroup', { zone, body: { groupCode, name: groupCode, join, leave } })
const isOn = async (who: Person, feature: string) => (await who.ok(menu, 'checkGrayFlag', { query: { feature } })).isOn

describe('a switch that names groups', () => {
  it('is on for their teams whatever the percentage, and for nobody while it is off', async () => {
    await change('early', [chinese.teamId])
    await set('grouped', { isOn: true, percent: 0, groups: ['early'] })
    expect([await isOn(chinese, 'grouped'), await isOn(european, 'grouped')]).toEqual([true, false])
    await set('grouped', { isOn: false, percent: 0 })
    expect(await isOn(chinese, 'grouped')).toBe(false)
    await set('grouped', { isOn: true, percent: 0 })
    expect(await isOn(chinese, 'grouped')).toBe(true)
    await change('early', [], [chinese.teamId])
    expect(await isOn(chinese, 'grouped')).toBe(false)
    await set('grouped', { isOn: true, percent: 0, groups: [] })
  })

  it('reads groups in China, and in the team’s zone once the overseas switch is on', async () => {
    await set('abroad', { isOn: true, percent: 0, groups: ['berlin'] })
    await change('berlin', [european.teamId], [], 'DE')
    expect(await isOn(european, 'abroad')).toBe(false)
    await set('overseasSwitch', { isOn: true, percent: 100 })
    expect(await isOn(european, 'abroad')).toBe(true)
    const circle = await set('overseasSwitch', { isOn: true, percent: 100, groups: ['berlin'] })
    expect([circle.status, circle.body.ret.code]).toEqual([422, menuErrors.groupsUnread[0]])
  })

  it('closes and opens a service of the menu', async () => {
    const services = async () =>
      (await chinese.ok(menu, 'getMenu')).list.flatMap(one => one.items.map(it => it.serviceId))
    await change('writers', [chinese.teamId])
    await set('service.webhooks', { isOn: true, percent: 0, groups: ['writers'] })
    expect(await services()).toContain('webhooks')
    await set('service.webhooks', { isOn: true, percent: 0, groups: [] })
    expect(await services()).not.toContain('webhooks')
  })
})

describe('who would get a feature', () => {
  it('is told by the seed and the rule as the server tells each team', async () => {
    const people = [chinese, european, ...(await Promise.all(Array.from({ length: 6 }, () => stage.person())))]
    const { body: row } = await set('half', { isOn: true, percent: 50 })
    const { list } = await operator.ok(menuOperations, 'listTeams', { query: { pageSize: 100 } })
    for (const who of people) {
      const team = list.find(one => one.teamId === who.teamId)
      expect(team && getsIt(switchReason(row, row.seed, team))).toBe(await isOn(who, 'half'))
    }
  })

  it('can be asked of teams by name or id, page by page, with their groups', async () => {
    await change('named', [chinese.teamId])
    const byId = await operator.ok(menuOperations, 'listTeams', { query: { search: chinese.teamId } })
    expect(byId).toMatchObject({ total: 1, list: [{ teamId: chinese.teamId, zone: 'CN' }] })
    expect(byId.list[0]?.groups).toContain('named')
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const query: { pageSize: number; cursor?: string } = { pageSize: 3, ...(cursor ? { cursor } : {}) }
      const page: { list: { teamId: string }[]; nextCursor: string | null } = await operator.ok(
        menuOperations,
        'listTeams',
        { query },
      )
      seen.push(...page.list.map(one => one.teamId))
      cursor = page.nextCursor
    } while (cursor)
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen).toEqual(expect.arrayContaining([chinese.teamId, european.teamId]))
  })

  it('is no business of a team', async () => {
    const leader = await chinese.call(menuOperations, 'listTeams')
    expect(leader.status).toBe(403)
  })
})

describe('switches', () => {
  it('are found by name and state, in pages', async () => {
    for (const name of ['find.a', 'find.b', 'find.c']) await set(name, { isOn: name !== 'find.b', percent: 10 })
    const query = { search: 'FIND', pageSize: 2 }
    const first = await operator.ok(menuOperations, 'listSwitches', { query })
    expect([first.total, first.nextCursor, first.list.map(one => one.feature)]).toEqual([
      3,
      'find.b',
      ['find.a', 'find.b'],
    ])
    const rest = await operator.ok(menuOperations, 'listSwitches', { query: { ...query, cursor: 'find.b' } })
    expect([rest.nextCursor, rest.list.map(one => one.feature)]).toEqual([null, ['find.c']])
    const off = await operator.ok(menuOperations, 'listSwitches', { query: { search: 'find', state: 'off' } })
    expect(off.list.map(one => one.feature)).toEqual(['find.b'])
  })

  it('name no more than a rule allows, and a percentage is one', async () => {
    const over = await set('over', { isOn: true, percent: 101 })
    expect([over.status, over.body.fields?.[0]?.pointer]).toEqual([400, '/percent'])
    const twice = await set('over', { isOn: true, percent: 1, groups: ['a', 'a'] })
    expect([twice.status, twice.body.fields?.[0]?.pointer]).toEqual([400, '/groups'])
  })
})

describe('a group', () => {
  it('takes in teams that exist and says which ids are none', async () => {
    const made = await change('import', [chinese.teamId, '4242', european.teamId])
    expect(made).toMatchObject({ teams: 2, unknown: ['4242'] })
    expect(await operator.ok(menuOperations, 'getGroup', { params: { groupCode: 'import' } })).toMatchObject({
      teams: 2,
    })
    const { total, list } = await operator.ok(menuOperations, 'listGroupTeams', { params: { groupCode: 'import' } })
    expect([total, list.map(one => one.zone).toSorted()]).toEqual([2, ['CN', 'DE']])
  })

  it('is found by a part of its code or name', async () => {
    const { list } = await operator.ok(menuOperations, 'listGroups', { query: { search: 'IMPO' } })
    expect(list.map(one => one.groupCode)).toEqual(['import'])
    expect((await operator.ok(menuOperations, 'listGroups', { query: { search: 'i%t' } })).total).toBe(0)
  })

  it('is deleted with its memberships, but not while a switch names it', async () => {
    await set('uses', { isOn: false, percent: 0, groups: ['import'] })
    const params = { groupCode: 'import' }
    const held = await operator.call(menuOperations, 'deleteGroup', { params })
    expect([held.status, held.body.ret.code]).toEqual([422, menuErrors.groupInUse[0]])
    await set('uses', { isOn: false, percent: 0, groups: [] })
    await operator.ok(menuOperations, 'deleteGroup', { params })
    expect((await operator.call(menuOperations, 'getGroup', { params })).status).toBe(404)
    expect((await chinese.ok(menu, 'checkGroup', { body: { groupCode: 'import' } })).isMember).toBe(false)
  })
})

describe('tag sets', () => {
  it('are found by a part of the name, only the team’s own', async () => {
    for (const name of ['Regions', 'Channels'])
      await chinese.ok(menu, 'createTagSet', { body: { name, tags: [{ name: 'A', colour: 'red' }] } })
    const find = (who: Person) => who.ok(menu, 'listTagSets', { query: { search: 'chan' } })
    expect((await find(chinese)).list.map(one => one.name)).toEqual(['Channels'])
    expect((await find(european)).total).toBe(0)
  })
})
