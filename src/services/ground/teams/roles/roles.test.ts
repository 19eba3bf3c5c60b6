import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Person, type Stage } from '../../../../testkit/stage.ts'
import { teams } from '../contract.ts'
import { members } from '../members/contract.ts'
import { permissionMatrix } from '../rules.ts'
import { roles, rolesV2 } from './contract.ts'

let stage: Stage
let leader: Person
beforeAll(async () => {
  stage = await openStage()
  leader = await stage.person()
})
afterAll(() => stage.close())

async function give(person: Person, role: string) {
  const { list } = await leader.ok(members, 'listMembers', { query: { pageSize: 100 } })
  const { revision = 0 } = list.find(one => one.accountId === person.accountId) ?? {}
  return leader.ok(members, 'updateMember', { body: { accountId: person.accountId, roles: [role], revision } })
}

describe('permissions', () => {
  it('stand in groups, and those that cannot be taken back are marked', async () => {
    const { list } = await leader.ok(roles, 'listPermissions')
    expect(list).toHaveLength(Object.keys(permissionMatrix).length)
    expect(list.find(one => one.permission === 'teams.transfer')).toEqual({
      permission: 'teams.transfer',
      group: 'teams',
      dangerous: true,
      roles: ['leader'],
    })
    const dangerous = list.filter(one => one.dangerous).map(one => one.permission)
    expect(dangerous.sort()).toEqual(['apps.move', 'teams.delete', 'teams.transfer'])
  })
})

describe("a team's own role", () => {
  it('gives what it holds to who holds it, from the moment it is changed', async () => {
    const body = { name: 'Release desk', basedOn: 'operations' as const, permissions: ['versions.read', 'teams.read'] }
    const made = await leader.ok(roles, 'createRole', { body })
    expect(made).toMatchObject({
      builtIn: false,
      basedOn: 'operations',
      members: 0,
      allowedActions: ['edit', 'delete'],
    })
    const member = await stage.person({ team: leader.teamId, roles: ['analyst'] })
    await give(member, made.role)
    expect((await member.ok(teams, 'getUserPermission')).userPermission).toEqual({
      'versions.read': 'Y',
      'teams.read': 'Y',
    })
    await leader.ok(rolesV2, 'updateRole', {
      body: { roleId: made.role, permissions: ['versions.read'], revision: made.revision },
    })
    expect((await member.call(teams, 'getTeam')).status).toBe(403)
    expect((await member.ok(teams, 'getUserInfo')).userPermission).toEqual({ 'versions.read': 'Y' })
  })

  it('is not deleted while somebody holds it', async () => {
    const made = await leader.ok(roles, 'createRole', { body: { name: 'Held', permissions: ['teams.read'] } })
    const member = await stage.person({ team: leader.teamId, roles: ['analyst'] })
    await give(member, made.role)
    const refused = await leader.call(roles, 'deleteRole', { query: { roleId: made.role } })
    expect([refused.status, refused.body.ret.code, refused.body['members']]).toEqual([422, 204111011, 1])
    await leader.ok(members, 'removeMember', { query: { accountId: member.accountId } })
    await leader.ok(roles, 'deleteRole', { query: { roleId: made.role } })
    expect((await leader.ok(roles, 'listRoles')).list.map(one => one.role)).not.toContain(made.role)
  })

  it('holds nothing that its maker does not hold', async () => {
    const administrator = await stage.person({ team: leader.teamId, roles: ['administrator'] })
    const body = { name: 'Coup', permissions: ['teams.read', 'teams.transfer'] }
    const refused = await administrator.call(roles, 'createRole', { body })
    expect([refused.status, refused.body.ret.code, refused.body['lacked']]).toEqual([403, 204111002, 'teams.transfer'])
    const above = await leader.ok(roles, 'createRole', { body })
    const emptied = await administrator.call(roles, 'updateRole', {
      body: { roleId: above.role, permissions: ['teams.read'], revision: above.revision },
    })
    expect(emptied.body.ret.code).toBe(204111002)
    const seen = (await administrator.ok(roles, 'listRoles')).list.find(one => one.role === above.role)
    expect(seen?.allowedActions).toEqual([])
  })

  it('takes only permissions that there are, and a name that is free', async () => {
    const wrong = await leader.call(roles, 'createRole', { body: { name: 'x', permissions: ['teams.read', 'a.b'] } })
    expect([wrong.status, wrong.body.fields?.[0]?.pointer]).toEqual([400, '/permissions/1'])
    const staff = await leader.call(roles, 'createRole', { body: { name: 'x', permissions: ['review.decide'] } })
    expect(staff.status).toBe(400)
    await leader.ok(roles, 'createRole', { body: { name: 'Taken', permissions: ['teams.read'] } })
    const taken = await leader.call(roles, 'createRole', { body: { name: ' TAKEN ', permissions: ['teams.read'] } })
    expect([taken.status, taken.body.ret.code]).toEqual([409, 204111010])
  })

  it('with a dangerous permission is made only after a fresh sign-in', async () => {
    const owner = await stage.person()
    stage.clock.turn(6 * 60_000)
    const body = { name: 'Heir', permissions: ['teams.transfer'] }
    expect((await owner.call(roles, 'createRole', { body })).status).toBe(403)
    const harmless = { name: 'Reader', permissions: ['teams.read'] }
    expect((await owner.call(roles, 'createRole', { body: harmless })).status).toBe(200)
  })

  it('is one of at most fifty, however many are made at once', async () => {
    const owner = await stage.person()
    const replies = await Promise.all(
      Array.from({ length: 60 }, (_, at) =>
        owner.call(roles, 'createRole', { body: { name: `Role ${at}`, permissions: ['teams.read'] } }),
      ),
    )
    expect(replies.filter(reply => reply.status === 200)).toHaveLength(50)
    expect(replies.filter(reply => reply.status === 422 && reply.body.ret.code === 204110025)).toHaveLength(10)
  })

  it('of another team is not found, whoever asks', async () => {
    const made = await leader.ok(roles, 'createRole', { body: { name: 'Mine', permissions: ['teams.read'] } })
    const stranger = await stage.person()
    const body = { roleId: made.role, name: 'Yours', revision: made.revision }
    expect((await stranger.call(roles, 'updateRole', { body })).status).toBe(404)
    expect((await stranger.call(roles, 'deleteRole', { query: { roleId: made.role } })).status).toBe(404)
    const granted = { loginName: 'borrowed.role', name: 'x', roles: [made.role] }
    expect((await stranger.call(members, 'addMember', { body: granted })).status).toBe(400)
  })
})
