import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { versionTests } from '../versions/testing/contract.ts'
import { openTestScene, type TestScene } from '../versions/testing/testing.testkit.ts'
import { betaGroups, betaGroupsV2 } from './contract.ts'
import { betaInvitations } from './invitations/contract.ts'
import { betaPeople } from './people/contract.ts'

let scene: TestScene
beforeAll(async () => {
  scene = await openTestScene()
})
beforeEach(() => scene.newApp())
afterAll(() => scene.stage.close())

const codeOf = (reply: { body: unknown }) => (reply.body as { ret: { code: number } }).ret.code
const { errors } = betaGroups
const see = (groupId: string) => scene.owner.ok(betaGroups, 'getGroup', { params: { groupId } })

describe('test groups', () => {
  it('are called differently in one app, and are not deleted while a test goes to them', async () => {
    const groupId = await scene.group('Team', 'INTERNAL', ['ann@example.org'])
    const body = { appId: scene.appId, name: 'team', kind: 'EXTERNAL' as const }
    const twice = await scene.owner.call(betaGroups, 'createGroup', { body })
    expect([twice.status, codeOf(twice)]).toEqual([409, errors.groupNameTaken[0]])
    const { versionId } = await scene.running([groupId])
    expect(await see(groupId)).toMatchObject({ count: 1, accepted: 0, inUseByVersionIds: [versionId] })
    const used = await scene.owner.call(betaGroups, 'deleteGroup', { params: { groupId } })
    expect([used.status, codeOf(used)]).toEqual([422, errors.groupInUse[0]])
    await scene.owner.ok(versionTests, 'stopTest', { body: { versionId } })
    await scene.owner.ok(betaGroups, 'deleteGroup', { params: { groupId } })
    expect((await scene.owner.call(betaGroups, 'getGroup', { params: { groupId } })).status).toBe(404)
  })

  it('are renamed, and one whose name another has is not', async () => {
    const groupId = await scene.group('Team', 'INTERNAL', [])
    await scene.group('Friends', 'EXTERNAL', [])
    const params = { groupId }
    const after = await scene.owner.ok(betaGroups, 'updateGroup', { params, body: { name: 'Crew', revision: 1 } })
    expect([after.name, after.revision]).toEqual(['Crew', 2])
    const stale = await scene.owner.call(betaGroups, 'updateGroup', { params, body: { name: 'Old', revision: 1 } })
    expect(stale.status).toBe(409)
    const taken = await scene.owner.call(betaGroups, 'updateGroup', { params, body: { name: 'FRIENDS', revision: 2 } })
    expect(codeOf(taken)).toBe(errors.groupNameTaken[0])
  })

  it('do not become internal with strangers inside: that would pass by the review', async () => {
    const groupId = await scene.group('Friends', 'EXTERNAL', ['fay@example.org'])
    const params = { groupId }
    const body = { kind: 'INTERNAL' as const, revision: 1 }
    const withPeople = await scene.owner.call(betaGroups, 'updateGroup', { params, body })
    expect([withPeople.status, codeOf(withPeople)]).toEqual([422, errors.groupKindFixed[0]])
    const empty = { groupId: await scene.group('Empty', 'EXTERNAL', []) }
    await scene.owner.ok(betaInvitations, 'createLink', { params: empty, body: { limit: 5 } })
    expect(codeOf(await scene.owner.call(betaGroups, 'updateGroup', { params: empty, body }))).toBe(
      errors.groupKindFixed[0],
    )
    const fresh = { groupId: await scene.group('Fresh', 'EXTERNAL', []) }
    expect((await scene.owner.ok(betaGroups, 'updateGroup', { params: fresh, body })).kind).toBe('INTERNAL')
  })

  it('are at most a hundred internal ones in an app', async () => {
    await scene.stage.sql(
      'CN',
      `INSERT INTO version_test_groups (group_id, team_id, app_id, name, kind, created_by, created_at, updated_at)
      SELECT $3::bigint + n, $1, $2, 'group ' || n, 'INTERNAL', 1, 1, 1 FROM generate_series(1, 100) n`,
      [scene.owner.teamId, scene.appId, scene.stage.booted.server.ids.next()],
    )
    const body = { appId: scene.appId, name: 'One more', kind: 'INTERNAL' as const }
    const full = await scene.owner.call(betaGroups, 'createGroup', { body })
    expect([full.status, codeOf(full)]).toEqual([422, errors.groupLimit[0]])
    await scene.owner.ok(betaGroups, 'createGroup', { body: { ...body, kind: 'EXTERNAL' } })
  })

  it('are one set, whichever generation of the calls asks', async () => {
    const { appId } = scene
    const made = await scene.owner.ok(betaGroupsV2, 'createGroup', { body: { appId, name: 'Two', kind: 'EXTERNAL' } })
    expect((await see(made.groupId)).name).toBe('Two')
    const { list, total } = await scene.owner.ok(betaGroups, 'listGroups', { query: { appId, search: 'tw' } })
    expect([total, list[0]?.groupId]).toEqual([1, made.groupId])
    const internal = await scene.owner.ok(betaGroups, 'listGroups', { query: { appId, kind: 'INTERNAL' } })
    expect(internal.total).toBe(0)
  })

  it('another team sees none of, by any call, and who only reads changes none', async () => {
    const groupId = await scene.group('Team', 'INTERNAL', ['ann@example.org'])
    const stranger = await scene.stage.person()
    const { list } = await scene.owner.ok(betaPeople, 'listGroupUsers', { params: { groupId } })
    const userId = list[0]?.userId ?? ''
    const params = { groupId }
    const own = (await newGroupOf(stranger)).groupId
    const statuses = await Promise.all([
      stranger.call(betaGroups, 'getGroup', { params }),
      stranger.call(betaGroups, 'updateGroup', { params, body: { name: 'Mine', revision: 1 } }),
      stranger.call(betaGroups, 'deleteGroup', { params }),
      stranger.call(betaPeople, 'addGroupUsers', { params, body: { users: [{ account: 'eve@example.org' }] } }),
      stranger.call(betaPeople, 'removeGroupUser', { params: { groupId: own }, query: { userId } }),
      stranger.call(betaPeople, 'removeUser', { query: { userId } }),
      stranger.call(betaPeople, 'updateUser', { body: { userId, nickname: 'Eve', revision: 1 } }),
      stranger.call(betaPeople, 'importGroupUsers', { params, body: { csv: 'account\neve@example.org' } }),
      stranger.call(betaPeople, 'exportUsers', { query: { appId: scene.appId, format: 'csv' } }),
      stranger.call(betaInvitations, 'inviteGroup', { params }),
      stranger.call(betaInvitations, 'inviteUsers', { body: { userIds: [userId] } }),
      stranger.call(betaInvitations, 'createLink', { params, body: { limit: 1 } }),
    ])
    expect(statuses.map(one => one.status)).toEqual(statuses.map(() => 404))
    const reader = await scene.stage.person({ team: scene.owner.teamId, roles: ['analyst'] })
    expect((await reader.call(betaGroups, 'getGroup', { params })).status).toBe(200)
    expect((await reader.call(betaGroups, 'deleteGroup', { params })).status).toBe(403)
    expect((await reader.call(betaInvitations, 'listLinks', { params })).status).toBe(403)
  })
})

async function newGroupOf(person: TestScene['owner']) {
  const mine = scene.owner
  scene.owner = person
  const { appId } = scene
  await scene.newApp()
  const body = { appId: scene.appId, name: 'Own', kind: 'EXTERNAL' as const }
  const made = await person.ok(betaGroups, 'createGroup', { body })
  Object.assign(scene, { owner: mine, appId })
  return made
}
