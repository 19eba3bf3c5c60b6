import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Person, type Stage } from '../../../testkit/stage.ts'
import { session } from '../session/contract.ts'
import { teams, teamsV2 } from './contract.ts'
import { isLeaderByHints, permissionMatrix, permissionsOf } from './rules.ts'

let stage: Stage
let leader: Person
beforeAll(async () => {
  stage = await openStage()
  leader = await stage.person()
})
afterAll(() => stage.close())

describe('the roles', () => {
  it('let operations submit a version and not withdraw it', () => {
    const operations = permissionsOf(['operations'], permissionMatrix)
    expect([operations.has('versions.submit'), operations.has('versions.withdraw')]).toEqual([true, false])
  })

  it('give the leader everything', () => {
    expect(permissionsOf(['leader'], permissionMatrix).size).toBe(Object.keys(permissionMatrix).length)
  })

  it.each([
    [{ teamId: '5' }, true],
    [{ teamId: '5', uid: '5' }, true],
    [{ teamId: '5', uid: '6' }, false],
    [{ mainUserId: '7', uid: '7' }, true],
    [{ mainUserId: '7', uid: '8' }, false],
    [{ uid: '8' }, true],
  ])('show a leader by the hints of the specification: %j', (hints, isLeader) =>
    expect(isLeaderByHints(hints)).toBe(isLeader),
  )
})

describe('a team', () => {
  it('tells a member what may be done, and only that, as Y', async () => {
    const developer = await stage.person({ team: leader.teamId, roles: ['developer'] })
    const { userPermission, userRoles } = await developer.ok(teams, 'getUserPermission')
    expect(userRoles).toEqual(['developer'])
    expect(new Set(Object.values(userPermission))).toEqual(new Set(['Y']))
    expect([userPermission['packages.upload'], userPermission['versions.submit']]).toEqual(['Y', undefined])
  })

  it('answers the same in both generations', async () => {
    expect(await leader.ok(teamsV2, 'getTeam')).toEqual(await leader.ok(teams, 'getTeam'))
  })

  it('is renamed once by two who read the same revision', async () => {
    const { revision } = await leader.ok(teams, 'getTeam')
    const replies = await Promise.all(
      ['One', 'Two'].map(name => leader.call(teams, 'updateTeam', { body: { name, revision } })),
    )
    expect(replies.map(reply => reply.status).sort()).toEqual([200, 409])
    expect(replies.find(reply => reply.status === 409)?.body['revision']).toBe(revision + 1)
  })

  it('takes a new member, whose first password is told once and works', async () => {
    const body = { loginName: 'new.member@team.example', name: 'New member', roles: ['operations' as const] }
    const added = await leader.ok(teams, 'addMember', { body })
    expect(added.member).toMatchObject({ loginName: body.loginName, roles: ['operations'], isLeader: false })
    const password = added.firstPassword ?? ''
    const signedIn = await stage.anybody.ok(session, 'login', {
      body: { account: body.loginName.toUpperCase(), password },
    })
    expect(signedIn.teamId).toBe(leader.teamId)
    const again = await leader.call(teams, 'addMember', { body })
    expect([again.status, again.body.ret.code]).toEqual([409, 204111004])
  })

  it('lets nobody grant what he does not hold', async () => {
    const administrator = await stage.person({ team: leader.teamId, roles: ['administrator'] })
    const body = { loginName: 'second.leader', name: 'x', roles: ['leader' as const] }
    const reply = await administrator.call(teams, 'addMember', { body })
    expect([reply.status, reply.body.ret.code]).toEqual([403, 204111002])
  })

  it('keeps its leader', async () => {
    const removed = await leader.call(teams, 'removeMember', { query: { accountId: leader.accountId } })
    expect([removed.status, removed.body.ret.code]).toEqual([422, 204111001])
  })

  it('takes a right away at once', async () => {
    const member = await stage.person({ team: leader.teamId, roles: ['administrator'] })
    await member.ok(teams, 'listMembers')
    const list = await leader.ok(teams, 'listMembers', { query: { pageSize: 100 } })
    const { revision = 0 } = list.list.find(one => one.accountId === member.accountId) ?? {}
    await leader.ok(teams, 'updateMember', { body: { accountId: member.accountId, status: 'suspended', revision } })
    expect((await member.call(teams, 'listMembers')).status).toBe(403)
  })

  it('pages and searches its members', async () => {
    const page = await leader.ok(teams, 'listMembers', { query: { pageSize: 1 } })
    expect(page.list[0]).toMatchObject({ accountId: leader.accountId, isLeader: true })
    const next = await leader.ok(teams, 'listMembers', { query: { pageSize: 1, cursor: page.nextCursor ?? '' } })
    expect(next.list[0]?.accountId).not.toBe(leader.accountId)
    const found = await leader.ok(teams, 'listMembers', { query: { search: 'NEW.MEMBER' } })
    expect(found.total).toBe(1)
  })

  it('of others cannot be read or changed', async () => {
    const stranger = await stage.person()
    const asLeader = { headers: { teamid: leader.teamId } }
    expect((await stranger.call(teams, 'listMembers', asLeader)).status).toBe(403)
    const touched = await stranger.call(teams, 'removeMember', { query: { accountId: leader.accountId } })
    expect(touched.status).toBe(404)
  })
})
