import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemContext } from '../../../../server/context.ts'
import { explain, slowNodes } from '../../../../testkit/explain.ts'
import { openStage, type Person, type Stage } from '../../../../testkit/stage.ts'
import { members } from './contract.ts'
import { type MemberWish, membersAfter } from './list.ts'

const many = 100_000
let stage: Stage
let leader: Person
beforeAll(async () => {
  stage = await openStage()
  leader = await stage.person()
  await stage.sql(
    'home',
    `INSERT INTO members (team_id, account_id, status, roles, joined_at, name, login_name)
      SELECT $1, 1000000 + n, CASE WHEN n % 50 = 0 THEN 'suspended' ELSE 'active' END,
        ARRAY[CASE WHEN n > 99990 THEN 'analyst' WHEN n % 40 = 0 THEN 'finance' ELSE 'developer' END], 1700000000000 + n * 7919 % 1000003,
        'Member ' || n, 'member' || n || '@many.example'
      FROM generate_series(1, $2) AS n`,
    [leader.teamId, many],
  )
  await stage.sql(
    'home',
    `INSERT INTO member_faces SELECT account_id, lower(name) || ' ' || split_part(login_name, '@', 1) || ' many example'
      FROM members WHERE account_id BETWEEN 1000000 AND 2000000`,
  )
  await stage.booted.worker.sweep()
  await stage.sql('home', 'ANALYZE members')
  await stage.sql('home', 'ANALYZE member_roles')
  await stage.sql('home', 'ANALYZE member_faces')
}, 120_000)
afterAll(() => stage.close())

/** The first page as the application runs it. */
async function explained(wish: MemberWish) {
  const ctx = systemContext(stage.booted.server, 'CN', { name: 'plan', teamId: leader.teamId })
  const page = await explain(ctx, 'home', inner => membersAfter(inner, wish, leader.accountId).limit(21))
  const indexes = page.nodes.flatMap(node => node.split(' ').find(word => word.startsWith('member')) ?? [])
  return { ...page, indexes, slow: slowNodes(page) }
}

describe('of 100,000 members', () => {
  it('the first page is read from its index in the order people see, in less than 20 ms', async () => {
    const { slow, indexes, ms } = await explained({})
    expect(indexes).toEqual(['members_present'])
    expect(slow).toEqual([])
    expect(ms).toBeLessThan(20)
  })

  it('a page in the middle is as near', async () => {
    const { slow, indexes, ms } = await explained({ cursor: '1700000500000.1000000' })
    expect([indexes, slow]).toEqual([['members_present'], []])
    expect(ms).toBeLessThan(20)
  })

  it('those of a status come from its index too', async () => {
    const { slow, indexes, ms } = await explained({ status: 'suspended' })
    expect([indexes, slow]).toEqual([['members_by_status'], []])
    expect(ms).toBeLessThan(20)
  })

  it.each<[string, MemberWish, string]>([
    ['a rare role', { role: 'analyst' }, 'member_roles_present'],
    ['a role that nobody has', { role: 'marketing' }, 'member_roles_present'],
    ['a role that most have', { role: 'developer' }, 'member_roles_present'],
    ['a role and a status', { role: 'finance', status: 'suspended' }, 'member_roles_by_status'],
    ['a role, in the middle', { role: 'finance', cursor: '1700000500000.1000000' }, 'member_roles_present'],
  ])('those with %s are read from the rows of roles in order', async (_name, wish, index) => {
    const { slow, indexes, ms } = await explained(wish)
    expect(indexes[0]).toBe(index)
    expect(indexes.slice(1)).not.toContain('members_present')
    expect(slow).toEqual([])
    expect(ms).toBeLessThan(20)
  })

  it('one is found by a word of the name without a walk over the others', async () => {
    const { slow, indexes, ms } = await explained({ search: 'member77777' })
    expect(indexes).toContain('member_faces_by_word')
    expect(slow.filter(node => node.startsWith('Seq Scan'))).toEqual([])
    expect(ms).toBeLessThan(20)
  })

  it('the call answers a page, and counts as far as people read', async () => {
    const page = await leader.ok(members, 'listMembers')
    expect([page.total, page.list.length, page.list[0]?.isLeader]).toEqual([10_001, 20, true])
    const found = await leader.ok(members, 'listMembers', { query: { search: 'member77777@' } })
    expect(found.list.map(one => one.name)).toEqual(['Member 77777'])
  })

  it('a list by role follows what becomes of a member', async () => {
    const wish = { query: { role: 'analyst' } }
    const before = await leader.ok(members, 'listMembers', wish)
    expect([before.total, before.list.length]).toEqual([10, 10])
    const [first, second] = before.list
    const { accountId = '', revision = 0 } = first ?? {}
    await leader.ok(members, 'updateMember', { body: { accountId, revision, roles: ['analyst', 'marketing'] } })
    await leader.ok(members, 'removeMember', { query: { accountId: second?.accountId ?? '' } })
    const ids = async (role: string, status?: 'removed') =>
      (await leader.ok(members, 'listMembers', { query: { role, ...(status && { status }) } })).list.map(
        one => one.accountId,
      )
    expect((await ids('analyst')).length).toBe(9)
    expect(await ids('marketing')).toEqual([accountId])
    expect(await ids('analyst', 'removed')).toEqual([second?.accountId])
    expect(await ids('leader')).toEqual([leader.accountId])
  })
})
