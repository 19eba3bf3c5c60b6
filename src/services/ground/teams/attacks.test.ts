import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Person, type Stage } from '../../../testkit/stage.ts'
import { teams } from './contract.ts'
import { invitations } from './invitations/contract.ts'
import { members } from './members/contract.ts'
import { permissionExplain } from './permission-check/contract.ts'
import { roles } from './roles/contract.ts'
import { scopes } from './scopes/contract.ts'
import { serviceProviders } from './service-providers/contract.ts'
import { testUsers } from './test-users/contract.ts'
import { transfer } from './transfer/contract.ts'

let stage: Stage
let leader: Person
let stranger: Person
beforeAll(async () => {
  stage = await openStage()
  leader = await stage.person()
  stranger = await stage.person()
})
afterAll(() => stage.close())

describe('the team header', () => {
  const list = (teamId: string | string[] | undefined, more: Record<string, string> = {}) =>
    stage.app.inject({
      method: 'GET',
      url: '/ups/v1/sub-user',
      headers: { cookie: stranger.cookie, ...(teamId !== undefined && { teamid: teamId }), ...more },
    })

  it.each(['0', '-1', '1e3', '%00', 'null', ' ', '[]', '1,2', '9223372036854775808', "1' OR '1'='1"])(
    'of %j names no team',
    async teamId => expect([400, 403]).toContain((await list(teamId)).statusCode),
  )

  it('that is missing falls back to no team', async () => expect((await list(undefined)).statusCode).toBe(400))

  it('of another team, alone, doubled, listed or in other letters, opens nothing', async () => {
    const replies = await Promise.all([
      list(leader.teamId),
      list([stranger.teamId, leader.teamId]),
      list(`${stranger.teamId},${leader.teamId}`),
      list(` ${leader.teamId}`, { 'x-teamid': stranger.teamId }),
    ])
    for (const reply of replies) {
      expect([400, 403]).toContain(reply.statusCode)
      expect(reply.body).not.toContain(leader.loginName)
    }
  })

  it('decides, whatever cookies and other headers say', async () => {
    const hints = `agc_team_id=${leader.teamId}; userPermission=Y; userRoles=leader`
    const reply = await list(leader.teamId, {
      cookie: `${stranger.cookie}; ${hints}`,
      'x-teamid': leader.teamId,
      userpermission: '{"teams.read":"Y"}',
    })
    expect(reply.statusCode).toBe(403)
  })
})

describe('a reader', () => {
  it('changes nothing by any other verb', async () => {
    const reader = await stage.person({ team: leader.teamId, roles: ['analyst'] })
    const { accountId } = leader
    const revision = 1
    const replies = await Promise.all([
      reader.call(teams, 'updateTeam', { body: { name: 'x', revision } }),
      reader.call(teams, 'updateTeamInfo', { body: { description: 'x', revision } }),
      reader.call(teams, 'deleteTeam'),
      reader.call(members, 'addMember', { body: { loginName: 'new.one', name: 'x', roles: ['analyst'] } }),
      reader.call(members, 'updateMember', { body: { accountId, status: 'suspended', revision } }),
      reader.call(members, 'removeMember', { query: { accountId } }),
      reader.call(members, 'setUserPermission', {
        body: { accountId: reader.accountId, roles: ['administrator'], scope: { all: true }, revision },
      }),
      reader.call(roles, 'createRole', { body: { name: 'x', permissions: ['teams.read'] } }),
      reader.call(roles, 'updateRole', { body: { roleId: '1', revision } }),
      reader.call(roles, 'deleteRole', { query: { roleId: '1' } }),
      reader.call(scopes, 'setAppPermission', { body: { appId: '1', accountId, isReached: true, revision } }),
      reader.call(invitations, 'createInvitation', { body: { address: 'a@b.example', roles: ['analyst'] } }),
      reader.call(invitations, 'resendInvitation', { body: { invitationId: '1' } }),
      reader.call(invitations, 'cancelInvitation', { query: { invitationId: '1' } }),
      reader.call(transfer, 'changeMainUser', { body: { action: 'offer', accountId: reader.accountId } }),
      reader.call(serviceProviders, 'inviteServiceProvider', { body: { spId: stranger.teamId } }),
      reader.call(serviceProviders, 'changeServiceProvider', { body: { bindingId: '1', action: 'end', revision } }),
      reader.call(testUsers, 'createTestUser', { body: { name: 'x', address: 'a@b.example' } }),
      reader.call(permissionExplain, 'explainPermission', { query: { code: 'teams.read', accountId } }),
    ])
    expect(replies.map(reply => reply.status)).toEqual(replies.map(() => 403))
  })
})

describe('fields that a body does not have', () => {
  const foreign = {
    teamId: '1',
    status: 'active',
    isLeader: true,
    isAdmin: true,
    permVersion: 9,
    createdAt: 1,
    id: '1',
  }
  it.each(Object.entries(foreign))('%s is refused and not stored', async (field, value) => {
    const bodies = [
      leader.call(teams, 'updateTeamInfo', { body: { description: 'x', revision: 1, [field]: value } as never }),
      leader.call(teams, 'createTeam', { body: { name: 'x', countryCode: 'CN', siteId: 1, [field]: value } as never }),
      leader.call(roles, 'createRole', { body: { name: 'x', permissions: ['teams.read'], [field]: value } as never }),
      leader.call(members, 'addMember', {
        body: { loginName: 'mass.assigned', name: 'x', roles: ['analyst'], [field]: value } as never,
      }),
      leader.call(invitations, 'createInvitation', {
        body: { address: 'mass@assigned.example', roles: ['analyst'], [field]: value } as never,
      }),
      leader.call(testUsers, 'createTestUser', {
        body: { name: 'x', address: 'mass@assigned.example', [field]: value } as never,
      }),
    ]
    expect((await Promise.all(bodies)).map(reply => reply.status)).toEqual(bodies.map(() => 400))
  })
})

describe('staff of the store', () => {
  it('have no rights in a team by being staff', async () => {
    const reviewer = await stage.person({ staff: ['storeAdministrator', 'seniorReviewer'] })
    const asTeam = { headers: { teamid: leader.teamId } }
    expect((await reviewer.call(members, 'listMembers', asTeam)).status).toBe(403)
  })
})
