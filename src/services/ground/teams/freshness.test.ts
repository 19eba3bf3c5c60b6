import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Person, type Stage } from '../../../testkit/stage.ts'
import { teams } from './contract.ts'
import { members } from './members/contract.ts'
import { roles } from './roles/contract.ts'

let stage: Stage
let leader: Person
let elsewhere: (person: Person) => Person
beforeAll(async () => {
  stage = await openStage()
  leader = await stage.person()
  const other = await stage.another()
  elsewhere = person => stage.at(other, person)
})
afterAll(() => stage.close())

/** Calls on the other server in a loop; answers how long after the change the first call was refused. */
async function msUntilRefused(member: Person, take: () => Promise<unknown>): Promise<number> {
  const there = elsewhere(member)
  for (let round = 0; round < 20; round++) expect((await there.call(members, 'listMembers')).status).toBe(200)
  let takenAt = Number.POSITIVE_INFINITY
  const taken = take().then(() => {
    takenAt = performance.now()
  })
  for (;;) {
    const { status } = await there.call(members, 'listMembers')
    if (status !== 200) {
      await taken
      return Math.max(0, performance.now() - takenAt)
    }
    if (performance.now() - takenAt > 5_000) throw new Error('the right still holds after five seconds')
  }
}

async function revisionOf(accountId: string): Promise<number> {
  const { list } = await leader.ok(members, 'listMembers', { query: { pageSize: 100 } })
  return list.find(one => one.accountId === accountId)?.revision ?? 0
}

describe('a right taken on one server is gone within a second on the other, when', () => {
  it('the member is suspended', async () => {
    const { accountId, ...member } = await stage.person({ team: leader.teamId, roles: ['developer'] })
    const revision = await revisionOf(accountId)
    const body = { accountId, status: 'suspended' as const, revision }
    expect(
      await msUntilRefused({ accountId, ...member }, () => leader.ok(members, 'updateMember', { body })),
    ).toBeLessThan(1_000)
  })

  it('the member is removed', async () => {
    const member = await stage.person({ team: leader.teamId, roles: ['developer'] })
    const query = { accountId: member.accountId }
    expect(await msUntilRefused(member, () => leader.ok(members, 'removeMember', { query }))).toBeLessThan(1_000)
  })

  it('the role loses the permission', async () => {
    const role = await leader.ok(roles, 'createRole', { body: { name: 'Reader', permissions: ['teams.read'] } })
    const member = await stage.person({ team: leader.teamId, roles: ['analyst'] })
    const { accountId } = member
    await leader.ok(members, 'updateMember', {
      body: { accountId, roles: [role.role], revision: await revisionOf(accountId) },
    })
    const body = { roleId: role.role, permissions: ['apps.read'], revision: role.revision }
    expect(await msUntilRefused(member, () => leader.ok(roles, 'updateRole', { body }))).toBeLessThan(1_000)
  })

  it('the team is deleted', async () => {
    const owner = await stage.person()
    const member = await stage.person({ team: owner.teamId, roles: ['developer'] })
    expect(await msUntilRefused(member, () => owner.ok(teams, 'deleteTeam'))).toBeLessThan(1_000)
  })
})

describe('what a server remembers of rights', () => {
  it('is dropped when its signals were cut, for a change may have been missed', async () => {
    const member = await stage.person({ team: leader.teamId, roles: ['developer'] })
    expect((await member.call(members, 'listMembers')).status).toBe(200)
    await stage.sql(
      'home',
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE application_name = 'loggia signals' AND datname = current_database()`,
    )
    await stage.sql('home', "UPDATE members SET status = 'suspended' WHERE account_id = $1", [member.accountId])
    await expect
      .poll(async () => (await member.call(members, 'listMembers')).status, { timeout: 1_500, interval: 50 })
      .toBe(403)
  })
})
