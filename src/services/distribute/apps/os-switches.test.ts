import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SwitchName } from '../../../kernel/switches.ts'
import { openStage, type Person, type Stage } from '../../../testkit/stage.ts'
import { flip } from '../../ground/menu/switches.testkit.ts'
import { projects } from '../../ground/projects/contract.ts'
import { apps } from './contract.ts'
import { openPackageTypes, type PackageType, packageTypes } from './rules.ts'

const systems: [SwitchName, PackageType[]][] = [
  ['osSwitch1', ['ANDROID']],
  ['osSwitch2', ['HARMONY', 'ATOMIC_SERVICE']],
  ['osSwitch3', ['QUICK_APP', 'H5_QUICK', 'WEB']],
  ['osSwitch4', ['PC_EXE']],
]

let stage: Stage
let operator: Person
let owner: Person
let projectId: string
beforeAll(async () => {
  stage = await openStage({ zones: ['CN', 'DE'] })
  operator = await stage.person({ staff: ['storeAdministrator'] })
  owner = await stage.person()
  projectId = (await owner.ok(projects, 'createProject', { body: { name: 'Systems' } })).projectId
})
afterAll(() => stage.close())

const create = (packageType: PackageType) =>
  owner.call(apps, 'createApp', {
    body: { projectId, name: `One for ${packageType}`, packageType, defaultLang: 'enUS', deviceTypes: [4] },
  })

describe('the systems that apps can be made for', () => {
  it.each(systems)('%s off closes %j and leaves the others open', (name, closed) => {
    expect(openPackageTypes(one => one !== name)).toEqual(packageTypes.filter(type => !closed.includes(type)))
  })

  it('are all open with every switch on; without a package an app can always be made', () => {
    expect(openPackageTypes(() => true)).toEqual(packageTypes)
    expect(openPackageTypes(() => false)).toEqual(['NO_PACKAGE'])
  })

  it.each(systems)(
    '%s off: an app of %j is refused at its type, with what is open, and those that are there go on',
    async (name, closed) => {
      const before = (await create(closed[0] as PackageType)).body
      await flip(operator, name, { isOn: false })
      for (const type of closed) {
        const { status, body } = await create(type)
        expect([status, body.fields?.map(one => one.pointer)]).toEqual([400, ['/packageType']])
        expect(body.fields?.[0]?.message).toContain(packageTypes.filter(one => !closed.includes(one)).join(', '))
      }
      expect((await create('NO_PACKAGE')).status).toBe(200)
      const edit = { appId: before.appId, deviceTypes: [4, 5], revision: before.revision }
      expect((await owner.call(apps, 'updateApp', { body: edit })).status).toBe(200)
      await flip(operator, name, { isOn: true })
      expect((await create(closed[0] as PackageType)).status).toBe(200)
    },
  )

  it('may be closed in some zones only', async () => {
    await flip(operator, 'osSwitch1', { isOn: true, zones: ['DE'] })
    expect((await create('ANDROID')).status).toBe(400)
    await flip(operator, 'osSwitch1', { isOn: true, zones: ['CN'] })
    expect((await create('ANDROID')).status).toBe(200)
  })
})
