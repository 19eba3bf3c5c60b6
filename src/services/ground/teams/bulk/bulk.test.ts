import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commonErrors } from '../../../../kernel/errors.ts'
import { systemContext } from '../../../../server/context.ts'
import type { JobRun } from '../../../../server/work.ts'
import { openStage, type Person, type Stage } from '../../../../testkit/stage.ts'
import { members } from '../members/contract.ts'
import type { TeamRole } from '../rules.ts'
import { memberBulks } from './contract.ts'
import { runBulk } from './run.ts'

let stage: Stage
let leader: Person
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

const join = (roles: TeamRole[] = ['developer']) => stage.person({ team: leader.teamId, roles })
const start = (who: Person, body: object, headers: Record<string, string> = {}) =>
  who.call(memberBulks, 'changeMembers', { body: body as never, headers })
const report = (who: Person, bulkId: string) => who.ok(memberBulks, 'getMemberBulk', { query: { bulkId } })
const rolesOf = async (accountId: string) =>
  (await leader.ok(members, 'listMembers', { query: { pageSize: 100 } })).list.find(one => one.accountId === accountId)
    ?.roles

describe('an action on many members', () => {
  beforeAll(async () => {
    leader = await stage.person()
  })

  it('gives each the roles, in one call, with progress and a row for each', async () => {
    const [one, two] = [await join(), await join(['analyst'])]
    const accountIds = [one.accountId, two.accountId]
    const { body } = await start(leader, { action: 'roles', accountIds, roles: ['operations', 'finance'] })
    const waiting = await report(leader, body.bulkId)
    expect(waiting).toMatchObject({ action: 'roles', roles: ['operations', 'finance'], total: 2 })
    await stage.settle()
    const over = await report(leader, body.bulkId)
    expect(over).toMatchObject({ state: 'done', percent: 100, done: 2, refused: 0, createdBy: leader.loginName })
    expect(over.list.map(item => [item.accountId, item.name, item.result])).toEqual(
      [one, two].map(who => [who.accountId, who.loginName, 'DONE']),
    )
    for (const id of accountIds) expect(await rolesOf(id)).toEqual(['operations', 'finance'])
    const actors = await stage.sql(
      'home',
      `SELECT actor FROM audit WHERE action = 'member.change' AND entity_id = $1`,
      [one.accountId],
    )
    expect(actors).toEqual([{ actor: `user:${leader.accountId}` }])
  })

  it('starts one job, however often it is sent with the same key', async () => {
    const member = await join()
    const body = { action: 'suspend', accountIds: [member.accountId] }
    const send = () => start(leader, body, { 'idempotency-key': 'suspend-once' })
    const sent = await Promise.all([send(), send(), send()])
    expect(new Set(sent.map(one => one.body.bulkId)).size).toBe(1)
    const other = await start(leader, { ...body, action: 'remove' }, { 'idempotency-key': 'suspend-once' })
    expect(other.status).toBe(409)
    await stage.settle()
    expect(await report(leader, sent[0]?.body.bulkId ?? '')).toMatchObject({ state: 'done', done: 1 })
    const { total, list } = await leader.ok(memberBulks, 'listMemberBulks')
    expect([list.filter(one => one.action === 'suspend').length, list.length]).toEqual([1, total])
  })

  it('tells for each why it was refused, and does the others', async () => {
    const [developer, other] = [await join(), await join()]
    const accountIds = [developer.accountId, leader.accountId, other.accountId]
    const { body } = await start(leader, { action: 'remove', accountIds })
    await stage.settle()
    const { list, done, refused } = await report(leader, body.bulkId)
    expect([done, refused]).toEqual([2, 1])
    expect(list[1]).toMatchObject({ result: 'REFUSED', code: 204111001, message: expect.stringContaining('hand') })
    const again = await start(leader, { action: 'restore', accountIds: [developer.accountId] })
    await stage.settle()
    expect((await report(leader, again.body.bulkId)).list[0]).toMatchObject({ result: 'REFUSED' })
  })

  it('reaches nobody above who asked', async () => {
    const [administrator, developer] = [await join(['administrator']), await join()]
    await stage.sql('home', `UPDATE members SET roles = '{"leader"}' WHERE account_id = $1`, [developer.accountId])
    const { body } = await start(administrator, { action: 'suspend', accountIds: [developer.accountId] })
    await stage.settle()
    expect((await report(administrator, body.bulkId)).list[0]).toMatchObject({ result: 'REFUSED', code: 204111002 })
  })

  it('goes on where a process died, with the rights that who asked has then', async () => {
    const [administrator, first, second] = [await join(['administrator']), await join(), await join()]
    const bulkId = stage.booted.server.ids.next()
    await stage.sql(
      'home',
      `INSERT INTO member_bulks (bulk_id, team_id, action, roles, total, created_by, created_at)
        VALUES ($1, $2, 'suspend', '{}', 2, $3, 0)`,
      [bulkId, leader.teamId, administrator.accountId],
    )
    await stage.sql(
      'home',
      `INSERT INTO member_bulk_items (bulk_id, position, team_id, account_id, result)
        VALUES ($1, 0, $2, $3, 'DONE'), ($1, 1, $2, $4, 'WAITING')`,
      [bulkId, leader.teamId, first.accountId, second.accountId],
    )
    const ctx = systemContext(stage.booted.server, 'CN', { name: 'teams.bulk', teamId: leader.teamId })
    const input = { action: 'suspend', roles: [], accountId: administrator.accountId, accountName: 'A' }
    const seen: string[] = []
    const job = { jobId: bulkId, input, progress: async (step: string) => void seen.push(step) } as unknown as JobRun
    const set = (roles: string) =>
      stage.sql('home', `UPDATE members SET roles = $2 WHERE account_id = $1`, [administrator.accountId, roles])
    await set('{developer}')
    await runBulk(ctx, job)
    const over = await report(leader, bulkId)
    expect(over.list.map(item => [item.result, item.code])).toEqual([
      ['DONE', null],
      ['REFUSED', commonErrors.notAllowed[0]],
    ])
    expect([over.state, seen]).toEqual(['done', ['2/2']])
    await set('{administrator}')
    await runBulk(ctx, job)
    expect(seen).toHaveLength(1)
    expect((await first.call(members, 'listMembers')).status).toBe(200)
  })

  it('run by two processes at once, as when one only seemed dead, reaches each member once', async () => {
    const people = [await join(), await join(), await join()]
    const bulkId = '77002'
    await stage.sql(
      'home',
      `INSERT INTO member_bulks (bulk_id, team_id, action, roles, total, created_by, created_at)
        VALUES ($1, $2, 'suspend', '{}', 3, $3, 1)`,
      [bulkId, leader.teamId, leader.accountId],
    )
    await stage.sql(
      'home',
      `INSERT INTO member_bulk_items (bulk_id, position, team_id, account_id, result)
        SELECT $1, at - 1, $2, account_id, 'WAITING' FROM unnest($3::bigint[]) WITH ORDINALITY AS one (account_id, at)`,
      [bulkId, leader.teamId, people.map(one => one.accountId)],
    )
    const ctx = systemContext(stage.booted.server, 'CN', { name: 'teams.bulk', teamId: leader.teamId })
    const input = { action: 'suspend', roles: [], accountId: leader.accountId, accountName: 'L' }
    const job = { jobId: bulkId, input, progress: async () => undefined } as unknown as JobRun
    await Promise.all([runBulk(ctx, job), runBulk(ctx, job)])
    const both = await report(leader, bulkId)
    expect(both.list.map(item => [item.result, item.code])).toEqual(people.map(() => ['DONE', null]))
  })

  it.each([
    ['without roles', { action: 'roles' }, '/roles'],
    ['with the lead', { action: 'roles', roles: ['leader'] }, '/roles'],
    ['with a role the team does not have', { action: 'roles', roles: ['nobody'] }, '/roles/0'],
    ['with roles for another action', { action: 'remove', roles: ['developer'] }, '/roles'],
  ])('is refused %s, and nothing is started', async (_name, wish, pointer) => {
    const member = await join()
    const before = await leader.ok(memberBulks, 'listMemberBulks')
    const reply = await start(leader, { ...wish, accountIds: [member.accountId] })
    expect([reply.status, reply.body.fields?.[0]?.pointer]).toEqual([400, pointer])
    expect((await leader.ok(memberBulks, 'listMemberBulks')).total).toBe(before.total)
  })

  it('is refused whole for a member of another team, for too many, and for who may not', async () => {
    const [member, stranger] = [await join(), await stage.person()]
    const mixed = await start(leader, { action: 'remove', accountIds: [member.accountId, stranger.accountId] })
    expect(mixed.status).toBe(404)
    const many = Array.from({ length: 101 }, (_, at) => String(1000 + at))
    expect((await start(leader, { action: 'remove', accountIds: many })).status).toBe(400)
    expect((await start(leader, { action: 'remove', accountIds: [] })).status).toBe(400)
    expect((await start(member, { action: 'remove', accountIds: [member.accountId] })).status).toBe(403)
    const { body } = await start(leader, { action: 'suspend', accountIds: [member.accountId] })
    const spied = await stranger.call(memberBulks, 'getMemberBulk', { query: { bulkId: body.bulkId } })
    expect(spied.status).toBe(404)
    await stage.settle()
  })
})
