import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Person, type Stage } from '../../../../testkit/stage.ts'
import { projects } from '../../projects/contract.ts'
import { members } from '../members/contract.ts'
import { permissionCheck, permissionExplain } from './contract.ts'
import { explain } from './rules.ts'

let stage: Stage
let leader: Person
let limited: Person
let inside: string
let outside: string
beforeAll(async () => {
  stage = await openStage()
  leader = await stage.person()
  limited = await stage.person({ team: leader.teamId, roles: ['developer'] })
  inside = (await leader.ok(projects, 'createProject', { body: { name: 'Inside' } })).projectId
  outside = (await leader.ok(projects, 'createProject', { body: { name: 'Outside' } })).projectId
  await stage.settle()
  await leader.ok(members, 'setUserPermission', {
    body: { accountId: limited.accountId, roles: ['developer'], scope: { projects: [inside] }, revision: 1 },
  })
})
afterAll(() => stage.close())

describe('a check of permissions', () => {
  it('says of each whether it is held, and where', async () => {
    const { list } = await limited.ok(permissionCheck, 'checkPermission', {
      body: {
        permissions: [
          { permission: 'apps.create', projectId: inside },
          { permission: 'apps.create', projectId: outside },
          { permission: 'apps.delete', projectId: inside },
          { permission: 'apps.create' },
          { permission: 'y' },
        ],
      },
    })
    expect(list.map(one => one.isAllowed)).toEqual([true, false, false, true, false])
  })

  it('knows nothing of what is of another team', async () => {
    const stranger = await stage.person()
    const permissions = [{ permission: 'apps.read', projectId: inside }]
    expect((await stranger.call(permissionCheck, 'checkPermission', { body: { permissions } })).status).toBe(404)
  })

  it('tells whether what a page remembers is current', async () => {
    const { permVersion } = await limited.ok(permissionCheck, 'syncRelation', { body: { permVersion: 0 } })
    const now = await limited.ok(permissionCheck, 'syncRelation', { body: { permVersion } })
    expect(now).toMatchObject({ isCurrent: true, userRoles: ['developer'], scope: { projects: [inside], apps: [] } })
    expect(now.userPermission['apps.create']).toBe('Y')
  })
})

describe('an explanation', () => {
  const ask = (who: Person, code: string, resource?: string, accountId?: string) =>
    who.call(permissionExplain, 'explainPermission', {
      query: { code, ...(resource && { resource }), ...(accountId && { accountId }) },
    })

  it('names the role that grants, and what covers the thing', async () => {
    const { body } = await ask(limited, 'apps.create', inside)
    expect(body).toMatchObject({
      allowed: true,
      reason: 'granted',
      grantedBy: [{ role: 'developer', name: null }],
      coveredBy: 'project',
      resource: { kind: 'project', id: inside, name: 'Inside' },
    })
  })

  it('names the roles that would grant, and the leader to ask', async () => {
    const { body } = await ask(limited, 'versions.submit')
    expect(body).toMatchObject({ allowed: false, reason: 'noRole', leaderName: leader.loginName })
    expect(body.wouldGrant.map(one => one.role)).toEqual(['leader', 'administrator', 'appAdmin', 'operations'])
  })

  it('says when the scope is what lacks', async () => {
    const { body } = await ask(limited, 'apps.create', outside)
    expect([body.allowed, body.reason, body.coveredBy]).toEqual([false, 'outOfScope', null])
  })

  it('of another member is for who manages members', async () => {
    expect((await ask(limited, 'apps.create', inside, leader.accountId)).status).toBe(403)
    expect((await ask(leader, 'apps.create', outside, limited.accountId)).body.reason).toBe('outOfScope')
    const stranger = await stage.person()
    expect((await ask(stranger, 'apps.create', undefined, limited.accountId)).status).toBe(404)
    expect((await ask(stranger, 'apps.create', inside)).status).toBe(404)
  })
})

describe('the rule of it', () => {
  const roles = [
    { role: 'developer', name: null, permissions: ['apps.edit'] },
    { role: '7', name: 'Own', permissions: ['apps.edit', 'apps.delete'] },
  ]
  const scope = { projects: new Set(['1']), apps: new Set(['20']) }
  it.each([
    [['developer'], true, 'apps.edit', { appId: '20', projectId: '2' }, 'granted', 'app'],
    [['7'], true, 'apps.edit', { appId: '30', projectId: '1' }, 'granted', 'project'],
    [['7'], true, 'apps.edit', { appId: '30', projectId: '2' }, 'outOfScope', null],
    [['developer'], true, 'apps.delete', { appId: '20' }, 'noRole', 'app'],
    [['developer'], false, 'apps.edit', { appId: '20' }, 'suspended', 'app'],
    [['developer'], true, 'apps.fly', null, 'unknownPermission', null],
    [[], true, 'apps.edit', null, 'noRole', null],
  ])('roles %j active %j, %s on %j: %s by %s', (held, isActive, permission, thing, reason, coveredBy) => {
    const told = explain({ roles: held, scope, isActive }, roles, permission, thing, one => one !== 'apps.fly')
    expect([told.reason, told.coveredBy, told.allowed]).toEqual([reason, coveredBy, reason === 'granted'])
  })
})
