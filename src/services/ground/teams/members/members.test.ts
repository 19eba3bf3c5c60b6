import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { xlsxCell } from '../../../../kernel/cells.ts'
import { hasPython, readSheet } from '../../../../testkit/sheet.ts'
import { openStage, type Person, type Stage } from '../../../../testkit/stage.ts'
import { projects } from '../../projects/contract.ts'
import { session } from '../../session/contract.ts'
import { roles } from '../roles/contract.ts'
import { members, membersV2 } from './contract.ts'

let stage: Stage
let leader: Person
beforeAll(async () => {
  stage = await openStage()
  leader = await stage.person()
})
afterAll(() => stage.close())

async function rowOf(accountId: string, query: { status?: 'removed' } = {}) {
  const { list } = await leader.ok(members, 'listMembers', { query: { pageSize: 100, ...query } })
  const row = list.find(one => one.accountId === accountId)
  if (!row) throw new Error('no such member')
  return row
}

describe('a new member', () => {
  it('has a first password that is told once and works', async () => {
    const body = { loginName: 'new.member@team.example', name: 'New member', roles: ['operations'] }
    const added = await leader.ok(members, 'addMember', { body })
    expect(added.member).toMatchObject({ loginName: body.loginName, roles: ['operations'], scope: { all: true } })
    const password = added.firstPassword ?? ''
    const signedIn = await stage.anybody.ok(session, 'login', {
      body: { account: body.loginName.toUpperCase(), password },
    })
    expect(signedIn.teamId).toBe(leader.teamId)
    const again = await leader.call(members, 'addMember', { body })
    expect([again.status, again.body.ret.code]).toEqual([409, 204111004])
  })

  it('who has an account is not pulled in without being asked', async () => {
    const other = await stage.person()
    const body = { loginName: other.loginName, name: 'x', roles: ['developer'] }
    const reply = await leader.call(members, 'addMember', { body })
    expect([reply.status, reply.body.ret.code]).toEqual([409, 204111007])
  })

  it('gets no role that the team does not have, and not the lead', async () => {
    for (const role of ['emperor', '736430079244000001', 'leader']) {
      const body = { loginName: `nobody.${role}`, name: 'x', roles: [role] }
      const reply = await leader.call(members, 'addMember', { body })
      expect([role, reply.status, reply.body.fields?.[0]?.pointer.slice(0, 6)]).toEqual([role, 400, '/roles'])
    }
  })
})

describe('nobody', () => {
  it('grants what he does not hold', async () => {
    const administrator = await stage.person({ team: leader.teamId, roles: ['administrator'] })
    const body = { loginName: 'second.leader', name: 'x', roles: ['leader'] }
    const reply = await administrator.call(members, 'addMember', { body })
    expect([reply.status, reply.body.ret.code]).toEqual([403, 204111002])
  })

  it('takes from who holds more than he does', async () => {
    const hr = await leader.ok(roles, 'createRole', {
      body: { name: 'People', permissions: ['teams.read', 'teams.members'] },
    })
    const clerk = await stage.person({ team: leader.teamId, roles: ['developer'] })
    const administrator = await stage.person({ team: leader.teamId, roles: ['administrator'] })
    const clerkRow = await rowOf(clerk.accountId)
    await leader.ok(members, 'updateMember', {
      body: { accountId: clerk.accountId, roles: [hr.role], revision: clerkRow.revision },
    })
    const { accountId } = administrator
    const removed = await clerk.call(members, 'removeMember', { query: { accountId } })
    expect([removed.status, removed.body.ret.code]).toEqual([403, 204111002])
    const { revision } = await rowOf(accountId)
    const demoted = await clerk.call(members, 'updateMember', { body: { accountId, roles: [hr.role], revision } })
    expect(demoted.body.ret.code).toBe(204111002)
    const widened = await clerk.call(members, 'updateMember', {
      body: { accountId: clerk.accountId, roles: ['administrator'], revision: clerkRow.revision + 1 },
    })
    expect(widened.body.ret.code).toBe(204111002)
  })

  it('who reaches one project gives or changes what is beyond it', async () => {
    const { projectId } = await leader.ok(projects, 'createProject', { body: { name: 'Inside' } })
    const outside = await leader.ok(projects, 'createProject', { body: { name: 'Outside' } })
    await stage.settle()
    const limited = await stage.person({ team: leader.teamId, roles: ['administrator'] })
    const whole = await stage.person({ team: leader.teamId, roles: ['developer'] })
    const { revision } = await rowOf(limited.accountId)
    await leader.ok(members, 'setUserPermission', {
      body: { accountId: limited.accountId, roles: ['administrator'], scope: { projects: [projectId] }, revision },
    })
    const invite = { loginName: 'someone.new', name: 'x', roles: ['developer'] }
    expect((await limited.call(members, 'addMember', { body: invite })).status).toBe(403)
    const beyond = { ...invite, scope: { projects: [outside.projectId] } }
    expect((await limited.call(members, 'addMember', { body: beyond })).status).toBe(404)
    const removed = await limited.call(members, 'removeMember', { query: { accountId: whole.accountId } })
    expect(removed.body.ret.code).toBe(204111002)
    expect((await limited.call(roles, 'createRole', { body: { name: 'n', permissions: ['apps.read'] } })).status).toBe(
      403,
    )
    const fitting = { ...invite, scope: { projects: [projectId] } }
    const { member } = await limited.ok(members, 'addMember', { body: fitting })
    expect(member.scope).toEqual({ projects: [projectId], apps: [] })
  })
})

describe('a scope', () => {
  it.each([
    [{}, 400],
    [{ all: true, projects: ['736430079244000001'] }, 400],
    [{ projects: ['736430079244000001'] }, 404],
    [{ apps: ['736430079244000001'] }, 404],
  ])('%j is answered with %i', async (scope, status) => {
    const body = { loginName: 'scoped.member', name: 'x', roles: ['developer'], scope }
    expect((await leader.call(members, 'addMember', { body })).status).toBe(status)
  })

  it('names nothing of another team', async () => {
    const stranger = await stage.person()
    const { projectId } = await stranger.ok(projects, 'createProject', { body: { name: 'Theirs' } })
    await stage.settle()
    const body = { loginName: 'scoped.member', name: 'x', roles: ['developer'], scope: { projects: [projectId] } }
    expect((await leader.call(members, 'addMember', { body })).status).toBe(404)
  })
})

describe('the leader', () => {
  it('can be neither removed nor suspended nor changed, and cannot leave', async () => {
    const administrator = await stage.person({ team: leader.teamId, roles: ['administrator'] })
    const { accountId } = leader
    const { revision } = await rowOf(accountId)
    for (const who of [leader, administrator]) {
      const removed = await who.call(members, 'removeMember', { query: { accountId } })
      expect([removed.status, removed.body.ret.code]).toEqual([422, 204111001])
      const suspended = await who.call(members, 'updateMember', { body: { accountId, status: 'suspended', revision } })
      expect(suspended.body.ret.code).toBe(204111001)
    }
    const left = await leader.call(members, 'leaveTeam')
    expect(left.body.ret.code).toBe(204111001)
  })
})

describe('a member', () => {
  it('loses every right at once when suspended, and has it back when restored', async () => {
    const member = await stage.person({ team: leader.teamId, roles: ['administrator'] })
    await member.ok(members, 'listMembers')
    const { accountId } = member
    const row = await rowOf(accountId)
    const suspended = await leader.ok(members, 'updateMember', {
      body: { accountId, status: 'suspended', revision: row.revision },
    })
    expect(suspended.allowedActions).toEqual(['change', 'restore', 'remove'])
    expect((await member.call(members, 'listMembers')).status).toBe(403)
    await leader.ok(members, 'updateMember', { body: { accountId, status: 'active', revision: suspended.revision } })
    expect((await member.call(members, 'listMembers')).status).toBe(200)
  })

  it('who was removed stays in the list of the removed, and nothing but joining again is possible', async () => {
    const member = await stage.person({ team: leader.teamId })
    const { accountId } = member
    await leader.ok(members, 'removeMember', { query: { accountId } })
    const row = await rowOf(accountId, { status: 'removed' })
    expect(row).toMatchObject({ status: 'removed', allowedActions: [] })
    for (const change of [{ status: 'active' as const }, { roles: ['developer'] }]) {
      const reply = await leader.call(members, 'updateMember', {
        body: { accountId, ...change, revision: row.revision },
      })
      expect([reply.status, reply.body.ret.code]).toEqual([422, 204160001])
    }
    expect((await leader.ok(members, 'listMembers', { query: { pageSize: 100 } })).list).not.toContainEqual(row)
  })

  it('leaves', async () => {
    const member = await stage.person({ team: leader.teamId })
    await member.ok(members, 'leaveTeam')
    expect((await member.call(members, 'listMembers')).status).toBe(403)
  })

  it('is changed once by two who read the same revision', async () => {
    const member = await stage.person({ team: leader.teamId })
    const { revision, accountId } = await rowOf(member.accountId)
    const replies = await Promise.all(
      ['developer', 'analyst', 'finance'].map(role =>
        leader.call(members, 'updateMember', { body: { accountId, roles: [role], revision } }),
      ),
    )
    expect(replies.map(reply => reply.status).sort()).toEqual([200, 409, 409])
  })
})

describe('the list of members', () => {
  it('begins with the leader, pages, filters and searches', async () => {
    const page = await leader.ok(members, 'listMembers', { query: { pageSize: 1 } })
    expect(page.list[0]).toMatchObject({ accountId: leader.accountId, isLeader: true })
    const seen = new Set([leader.accountId])
    for (let cursor = page.nextCursor; cursor !== null; ) {
      const next = await leader.ok(membersV2, 'listMembers', { query: { pageSize: 2, cursor } })
      for (const one of next.list) {
        expect(seen.has(one.accountId)).toBe(false)
        seen.add(one.accountId)
      }
      cursor = next.nextCursor
    }
    expect(seen.size).toBe(page.total)
    expect((await leader.ok(members, 'listMembers', { query: { search: 'NEW.MEM' } })).total).toBe(1)
    expect((await leader.ok(members, 'listMembers', { query: { search: "'; DROP & | ! :*" } })).total).toBe(0)
    const { list } = await leader.ok(members, 'listMembers', { query: { role: 'operations' } })
    expect(list.map(one => one.loginName)).toEqual(['new.member@team.example'])
    expect((await leader.call(members, 'listMembers', { query: { cursor: 'x' } })).status).toBe(400)
  })

  it('of another team cannot be read or changed', async () => {
    const stranger = await stage.person()
    const asLeader = { headers: { teamid: leader.teamId } }
    expect((await stranger.call(members, 'listMembers', asLeader)).status).toBe(403)
    const touched = await stranger.call(members, 'removeMember', { query: { accountId: leader.accountId } })
    expect(touched.status).toBe(404)
  })
})

describe.skipIf(!hasPython)('an export of members', () => {
  const asked = (query: Record<string, unknown>, who = leader) =>
    who.call(members, 'exportMembers', { query: query as never })

  it.each(['csv', 'xlsx'] as const)(
    'is the list as another program reads it, with no formula in it: %s',
    async format => {
      const own = await stage.person()
      for (const [loginName, name] of [
        [`=${format}@team.example`, '=HYPERLINK("http://evil.example")'],
        [`${format}.olga@team.example`, 'Ольга'],
      ] as const) {
        await own.ok(members, 'addMember', { body: { loginName, name, roles: ['developer', 'analyst'] } })
      }
      const { role } = await own.ok(roles, 'createRole', {
        body: { name: '+press', basedOn: 'analyst', permissions: ['teams.read'] },
      })
      const { projectId } = await own.ok(projects, 'createProject', { body: { name: 'Beacon' } })
      await stage.settle()
      const third = {
        loginName: `${format}@team.example`,
        name: '@third',
        roles: [role],
        scope: { projects: [projectId], apps: [] },
      }
      await own.ok(members, 'addMember', { body: third })
      const reply = await asked({ format, language: 'ru' }, own)
      expect([reply.status, reply.headers['content-disposition']]).toEqual([
        200,
        `attachment; filename="members-${new Date(stage.clock.now()).toISOString().slice(0, 10)}.${format}"`,
      ])
      const [head, ...rows] = readSheet(format, reply.bytes)
      const cell = (text: string) => (format === 'xlsx' ? xlsxCell(text) : /[=+\-@]/.test(text) ? `\t${text}` : text)
      expect(head?.slice(0, 4)).toEqual(['ID учётной записи', 'Имя', 'Учётная запись', 'Роли'])
      expect(rows.map(row => row.slice(1, 5))).toEqual([
        [expect.anything(), expect.anything(), 'Руководитель', 'Вся команда'],
        [
          cell('=HYPERLINK("http://evil.example")'),
          cell(`=${format}@team.example`),
          'Разработчик, Аналитик',
          'Вся команда',
        ],
        ['Ольга', cell(`${format}.olga@team.example`), 'Разработчик, Аналитик', 'Вся команда'],
        [cell('@third'), cell(`${format}@team.example`), cell('+press'), 'Часть проектов и приложений'],
      ])
      expect(rows[3]).toContain(projectId)
      expect(rows[0]?.at(-1)).toMatch(/^\t?\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    },
  )

  it('goes by the filters of the list, in the language of the reader', async () => {
    const query = { format: 'csv', role: 'operations', language: 'zh' }
    const { total } = await leader.ok(members, 'listMembers', { query: { role: 'operations' } })
    const [head, ...rows] = readSheet('csv', (await asked(query)).bytes)
    expect([head?.[1], rows.length]).toEqual(['姓名', total])
  })

  it('is refused before anything is sent, and written down', async () => {
    const powerless = await stage.person({ team: leader.teamId, roles: [] })
    expect((await asked({ format: 'csv' }, powerless)).status).toBe(403)
    expect((await asked({ format: 'pdf' })).body.fields?.[0]?.pointer).toBe('/format')
    const [row] = await stage.sql<{ n: number }>(
      'home',
      `SELECT count(*)::int AS n FROM audit WHERE action = 'member.export' AND team_id = $1`,
      [leader.teamId],
    )
    expect(row?.n).toBeGreaterThan(0)
  })
})
