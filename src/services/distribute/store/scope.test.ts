import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Person, type Stage } from '../../../testkit/stage.ts'
import { type Asked, refusesOutOfReach, scopedMember } from '../apps/scope.testkit.ts'
import { draftVersion } from '../review/review.testkit.ts'
import { store } from './contract.ts'
import { storeDecision } from './decision/contract.ts'
import { storeField } from './field/contract.ts'
import { storeGroups } from './repository/groups/contract.ts'

let stage: Stage
let leader: Person
let limited: Person
let mine: string
let other: string
let group: { repositoryId: string; revision: number }
let own: { repositoryId: string }
beforeAll(async () => {
  stage = await openStage()
  leader = await stage.person()
  mine = (await draftVersion(stage, leader, 'Reached')).appId
  other = (await draftVersion(stage, leader, 'Elsewhere')).appId
  limited = await scopedMember(stage, leader, [mine])
  const make = (name: string, appIds: string[]) => leader.ok(storeGroups, 'createGroup', { body: { name, appIds } })
  group = await make('Both', [mine, other])
  own = await make('Own', [mine])
})
afterAll(() => stage.close())

describe('who reaches one app of the team learns nothing from the store of another', () => {
  const calls = (): Asked => {
    const { repositoryId, revision } = group
    const body = { repositoryId, revision }
    return {
      getLicenceKey: { query: { appId: other } },
      getVersionReach: { query: { appId: other } },
      listInstallDays: { query: { appId: other } },
      exportInstallDays: { query: { appId: other, format: 'csv' } },
      listFieldVersions: { query: { appId: other } },
      previewUpdate: { body: { appId: other, versionCode: '1' } },
      listInstallShares: { query: { appId: other, by: 'country' } },
      createGroup: { body: { name: 'New', appIds: [mine, other] } },
      updateGroup: { body: { ...body, name: 'Taken', appIds: [mine] } },
      rotateGroupToken: { body },
      revokeGroup: { body },
    }
  }
  const asked = () => ({ person: limited, calls: calls() })
  refusesOutOfReach(store, asked, [])
  refusesOutOfReach(storeField, asked, [])
  refusesOutOfReach(storeDecision, asked, [])
  refusesOutOfReach(storeGroups, asked, ['listGroups'])

  it('lists the repositories that share his app alone, and may change those', async () => {
    const { list, total } = await limited.ok(storeGroups, 'listGroups', {})
    expect([total, list.map(one => one.name)]).toEqual([1, ['Own']])
    expect((await leader.ok(storeGroups, 'listGroups', {})).total).toBe(2)
    const body = { repositoryId: own.repositoryId, revision: list[0]?.revision ?? 0, name: 'Mine', appIds: [mine] }
    expect((await limited.ok(storeGroups, 'updateGroup', { body })).name).toBe('Mine')
    expect((await limited.ok(store, 'getVersionReach', { query: { appId: mine } })).list).toEqual([])
  })
})
