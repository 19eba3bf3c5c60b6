import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Person, type Stage } from '../../../testkit/stage.ts'
import { projects } from '../projects/contract.ts'
import { teams, teamsV2 } from './contract.ts'
import { members } from './members/contract.ts'
import { permissionMatrix, permissionsOf } from './rules.ts'

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

  it('tells how much of its limits is used, and takes a description', async () => {
    const before = await leader.ok(teams, 'getTeamInfo')
    expect(before).toMatchObject({ leaderName: leader.loginName, limits: { members: 500, roles: 50 } })
    const body = { description: 'We make games.', contactEmail: 'team@example.com', revision: before.revision }
    const after = await leader.ok(teams, 'updateTeamInfo', { body })
    expect(after).toMatchObject({ description: 'We make games.', contactEmail: 'team@example.com', name: before.name })
    expect((await leader.call(teams, 'updateTeamInfo', { body })).status).toBe(409)
    const wrong = { contactEmail: 'no address', revision: after.revision }
    const refused = await leader.call(teams, 'updateTeamInfo', { body: wrong })
    expect([refused.status, refused.body.fields?.[0]?.pointer]).toEqual([400, '/contactEmail'])
  })

  it('gives another CSRF token to who switches to it, and that token is for it alone', async () => {
    const other = await stage.person()
    const second = await other.ok(teams, 'createTeam', { body: { name: 'Second', countryCode: 'SG', siteId: 5 } })
    const switched = await other.ok(teams, 'switchTeam', { body: { teamId: second.teamId } })
    expect(switched).toMatchObject({ teamId: second.teamId, siteID: 5 })
    const rename = (teamId: string) =>
      stage.app.inject({
        method: 'PUT',
        url: '/ups/v1/team',
        headers: { cookie: other.cookie, teamid: teamId, 'x-hd-team-csrf': switched.teamCsrfToken },
        payload: { name: 'Renamed', revision: 1 },
      })
    expect((await rename(other.teamId)).statusCode).toBe(403)
    expect((await rename(second.teamId)).statusCode).toBe(200)
    expect((await other.ok(teams, 'getUserInfo')).teamId).toBe(second.teamId)
  })

  it('of others cannot be switched to', async () => {
    const reply = await (await stage.person()).call(teams, 'switchTeam', { body: { teamId: leader.teamId } })
    expect(reply.status).toBe(404)
  })

  it('is made at most twenty times by one account, however many ask at once', async () => {
    const founder = await stage.person()
    const body = { name: 'One of many', countryCode: 'CN', siteId: 1 }
    const replies = await Promise.all(Array.from({ length: 40 }, () => founder.call(teams, 'createTeam', { body })))
    expect(replies.filter(reply => reply.status === 200)).toHaveLength(19)
    expect(new Set(replies.filter(reply => reply.status !== 200).map(reply => reply.body.ret.code))).toEqual(
      new Set([204110023]),
    )
  })

  it('shows the name a person gives himself, everywhere', async () => {
    const member = await stage.person({ team: leader.teamId })
    await member.ok(teams, 'updateUserInfo', { body: { name: 'Ada 艾达' } })
    expect((await member.ok(teams, 'getUserInfo')).account.name).toBe('Ada 艾达')
    const found = await leader.ok(members, 'listMembers', { query: { search: '艾' } })
    expect(found.list.map(one => one.accountId)).toEqual([member.accountId])
  })
})

describe('the end of a team', () => {
  it('comes only when it has no projects, and ends every right in it', async () => {
    const owner = await stage.person()
    const member = await stage.person({ team: owner.teamId, roles: ['administrator'] })
    const { projectId } = await owner.ok(projects, 'createProject', { body: { name: 'In the way' } })
    await stage.settle()
    const inUse = await owner.call(teams, 'deleteTeam')
    expect([inUse.status, inUse.body.ret.code, inUse.body['projects']]).toEqual([422, 204111005, 1])
    await owner.ok(projects, 'deleteProject', { query: { projectId } })
    await stage.settle()
    expect((await member.call(teams, 'deleteTeam')).status).toBe(403)
    await owner.ok(teams, 'deleteTeam')
    expect((await owner.call(teams, 'getTeam')).status).toBe(403)
    expect((await member.call(members, 'listMembers')).status).toBe(403)
    expect((await owner.ok(teams, 'getUserInfo')).teams).toEqual([])
  })

  it('needs a sign-in of the last five minutes', async () => {
    const owner = await stage.person()
    stage.clock.turn(6 * 60_000)
    const reply = await owner.call(teams, 'deleteTeam')
    expect(reply.status).toBe(403)
    expect((await owner.ok(teams, 'getTeam')).teamId).toBe(owner.teamId)
  })
})
