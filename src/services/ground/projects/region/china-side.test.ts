import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Person, type Stage } from '../../../../testkit/stage.ts'
import { flip } from '../../menu/switches.testkit.ts'
import { projects } from '../contract.ts'
import { devProjects } from '../members/contract.ts'
import { isZoneOpen } from '../rules.ts'
import { projectRegion } from './contract.ts'

let stage: Stage
let operator: Person
let leader: Person
beforeAll(async () => {
  stage = await openStage({ zones: ['CN', 'DE'] })
  operator = await stage.person({ staff: ['storeAdministrator'] })
  leader = await stage.person()
})
afterAll(() => stage.close())

it.each([
  ['CN', true, true],
  ['CN', false, false],
  ['SG', false, true],
  ['DE', false, true],
  ['RU', false, true],
  ['IR', false, true],
] as const)('a project in %s, with chinaSideSwitch on: %s, can be made: %s', (zone, isOn, isOpen) => {
  expect(isZoneOpen(zone, isOn)).toBe(isOpen)
})

describe('chinaSideSwitch', () => {
  it('off: no project is created in China or moved there; those that are there go on', async () => {
    const old = await leader.ok(projects, 'createProject', { body: { name: 'Old' } })
    const abroad = await leader.ok(projects, 'createProject', { body: { name: 'Abroad', zone: 'DE' } })
    await flip(operator, 'chinaSideSwitch', { isOn: false })
    const pointers = ({ status, body }: { status: number; body: { fields?: { pointer: string }[] } }) => [
      status,
      body.fields?.map(one => one.pointer),
    ]
    const closed = [400, ['/zone']]
    expect(pointers(await leader.call(projects, 'createProject', { body: { name: 'New' } }))).toEqual(closed)
    expect(pointers(await leader.call(projects, 'createProject', { body: { name: 'New', zone: 'CN' } }))).toEqual(
      closed,
    )
    expect(pointers(await leader.call(devProjects, 'createDevProject', { body: { name: 'New' } }))).toEqual(closed)
    const { projectId, revision } = abroad
    const to = { projectId, zone: 'CN' as const }
    expect(pointers(await leader.call(projectRegion, 'setRegion', { body: { ...to, revision } }))).toEqual(closed)
    expect(pointers(await leader.call(projectRegion, 'verifyChange', { body: to }))).toEqual(closed)
    const body = { ...to, revision, ticket: '1', acknowledged: [] }
    expect(pointers(await leader.call(projectRegion, 'changeRegion', { body }))).toEqual(closed)
    const { choices } = await leader.ok(projectRegion, 'getRegion', { query: { projectId } })
    expect(choices.find(one => one.zone === 'CN')?.obstacle).toBe('closed')

    expect((await leader.call(projects, 'createProject', { body: { name: 'New', zone: 'DE' } })).status).toBe(200)
    const renamed = { projectId: old.projectId, name: 'Older', revision: old.revision }
    expect((await leader.ok(projects, 'updateProject', { body: renamed })).zone).toBe('CN')
    await flip(operator, 'chinaSideSwitch', { isOn: true })
    expect((await leader.ok(projectRegion, 'setRegion', { body: { ...to, revision } })).zone).toBe('CN')
  })
})
