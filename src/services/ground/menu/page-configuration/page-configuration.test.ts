import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { headers } from '../../../../kernel/wire.ts'
import { openStage, type Person, type Stage } from '../../../../testkit/stage.ts'
import { menu, menuErrors } from '../contract.ts'
import { menuOperations } from '../operations/contract.ts'
import { switchDefaults } from '../rules.ts'
import { flip } from '../switches.testkit.ts'
import { pageConfiguration } from './contract.ts'

const script = 'https://stats.example.com/a.js'
let stage: Stage
let operator: Person
let chinese: Person
let european: Person
beforeAll(async () => {
  stage = await openStage({ zones: ['CN', 'DE'], config: { analyticsScript: script } })
  operator = await stage.person({ staff: ['storeAdministrator'] })
  chinese = await stage.person()
  european = await stage.person({ zone: 'DE' })
})
afterAll(() => stage.close())

const ofVisitor = (zone?: 'CN' | 'DE') =>
  stage.anybody.ok(pageConfiguration, 'getPageConfiguration', zone ? { zone } : {})
const ofTeam = (who: Person) => who.ok(pageConfiguration, 'getTeamConfiguration')

describe('the page configuration', () => {
  it('is answered to anybody, and is as the console comes where nobody set a switch', async () => {
    const { switches, analyticsScript } = await ofVisitor()
    expect([switches, analyticsScript]).toEqual([switchDefaults, null])
    expect((await ofTeam(chinese)).switches).toEqual(switchDefaults)
    expect((await stage.anybody.call(pageConfiguration, 'getTeamConfiguration')).status).toBe(401)
  })

  it('follows zone, share and groups of the team; a visitor has what every team of the zone has', async () => {
    await flip(operator, 'osSwitch4', { isOn: true, zones: ['DE'] })
    const seen = async () =>
      [await ofTeam(chinese), await ofTeam(european), await ofVisitor('CN'), await ofVisitor('DE')].map(
        one => one.switches.osSwitch4,
      )
    expect(await seen()).toEqual([false, true, false, true])
    await operator.ok(menuOperations, 'changeGroup', {
      body: { groupCode: 'makers', name: 'Makers', join: [chinese.teamId], leave: [] },
    })
    await flip(operator, 'osSwitch4', { isOn: true, percent: 0, groups: ['makers'] })
    expect(await seen()).toEqual([true, false, false, false])
    await flip(operator, 'osSwitch4', { isOn: true, percent: 99.9 })
    expect((await seen()).slice(2)).toEqual([false, false])
    await flip(operator, 'osSwitch4', { isOn: true })
    expect(await seen()).toEqual([true, true, true, true])
  })

  it('tells a visitor nothing of a team, whatever he says he is', async () => {
    await flip(operator, 'osSwitch3', { isOn: true, percent: 0, groups: ['makers'] })
    expect((await ofTeam(chinese)).switches.osSwitch3).toBe(true)
    const told = await stage.anybody.ok(pageConfiguration, 'getPageConfiguration', {
      headers: { [headers.team]: chinese.teamId },
    })
    expect(told.switches.osSwitch3).toBe(false)
    const foreign = { headers: { [headers.team]: chinese.teamId } }
    expect((await european.call(pageConfiguration, 'getTeamConfiguration', foreign)).status).not.toBe(200)
  })

  it('says per site whether the newer calls of cloud storage are used', async () => {
    const newer = async () =>
      Object.fromEntries((await ofTeam(chinese)).storage.map(one => [String(one.siteId), one.isNewer]))
    expect(await newer()).toEqual({ null: true, 1: true, 3: true, 5: true, 7: true, 8: true })
    await flip(operator, 'storageSwitch', { isOn: true, zones: ['DE', 'RU'] })
    expect(await newer()).toEqual({ null: true, 1: false, 3: false, 5: false, 7: true, 8: true })
    await flip(operator, 'storageSwitch', { isOn: false })
    expect(await newer()).toEqual({ null: true, 1: false, 3: false, 5: false, 7: false, 8: false })
  })

  it('names the script of the operator’s analytics only while its switch is on', async () => {
    await flip(operator, 'googleAnalyticsSwitch', { isOn: true, zones: ['CN'] })
    expect([(await ofTeam(chinese)).analyticsScript, (await ofTeam(european)).analyticsScript]).toEqual([script, null])
    await flip(operator, 'googleAnalyticsSwitch', { isOn: false })
    expect((await ofTeam(chinese)).analyticsScript).toBeNull()
  })
})

describe('a named switch', () => {
  it('stands in the operator’s list before anybody set it, and is set there like any other', async () => {
    const found = async () =>
      (await operator.ok(menuOperations, 'listSwitches', { query: { search: 'chinaSide' } })).list[0]
    expect(await found()).toMatchObject({ isOn: true, percent: 100, seed: null, updatedAt: null, revision: 0 })
    const feature = 'chinaSideSwitch'
    const body = { feature, isOn: false, percent: 100, zones: [], note: 'until May', revision: 0 }
    await operator.ok(menuOperations, 'setSwitch', { body })
    expect(await found()).toMatchObject({ isOn: false, note: 'until May', revision: 1 })
    expect((await chinese.ok(menu, 'checkGrayFlag', { query: { feature } })).isOn).toBe(false)
    expect((await operator.call(menuOperations, 'setSwitch', { body })).status).toBe(409)
    expect((await chinese.call(menuOperations, 'setSwitch', { body })).status).toBe(403)
  })

  it.each([
    ['a share', { percent: 50 }],
    ['zones', { zones: ['DE' as const] }],
    ['groups', { groups: ['makers'] }],
  ])('of the own sign-in is for all and has no %s', async (_, wanted) => {
    const reply = await flip(operator, 'useAgcLoginSwitch', { isOn: true, ...wanted })
    expect([reply.status, reply.body.ret.code]).toEqual([422, menuErrors.forAllOnly[0]])
  })

  it('of the own sign-in cannot be turned off as the last way in while there is no provider', async () => {
    expect((await flip(operator, 'h5UseAgcLoginSwitch', { isOn: false })).status).toBe(200)
    const last = await flip(operator, 'useAgcLoginSwitch', { isOn: false })
    expect([last.status, last.body.ret.code]).toEqual([422, menuErrors.noWayIn[0]])
    expect(last.body.ret.msg).toContain('#/manage/sign-in-providers')
    expect((await ofVisitor()).switches.useAgcLoginSwitch).toBe(true)
  })
})
