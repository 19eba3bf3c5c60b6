import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Person, type Stage } from '../../../../testkit/stage.ts'
import { testUsers, testUsersV2 } from './contract.ts'

let stage: Stage
let leader: Person
beforeAll(async () => {
  stage = await openStage()
  leader = await stage.person()
})
afterAll(() => stage.close())

describe('test users', () => {
  it('are added, found, changed and deleted', async () => {
    const body = { name: 'Tess Tester', address: 'Tess@Test.example', note: 'Has a tablet' }
    const made = await leader.ok(testUsers, 'createTestUser', { body })
    expect(made).toMatchObject({ ...body, revision: 1 })
    const { testUserId } = made
    expect(await leader.ok(testUsersV2, 'getTestUser', { query: { testUserId } })).toMatchObject(body)
    expect((await leader.ok(testUsers, 'listTestUsers', { query: { search: 'tess@te' } })).total).toBe(1)
    const changed = await leader.ok(testUsers, 'updateTestUser', { body: { testUserId, name: 'Tessa', revision: 1 } })
    expect(changed).toMatchObject({ name: 'Tessa', address: body.address, revision: 2 })
    const stale = await leader.call(testUsers, 'updateTestUser', { body: { testUserId, name: 'T', revision: 1 } })
    expect([stale.status, stale.body['revision']]).toEqual([409, 2])
    await leader.ok(testUsers, 'deleteTestUser', { query: { testUserId } })
    expect((await leader.call(testUsers, 'getTestUser', { query: { testUserId } })).status).toBe(404)
  })

  it('have an address that one of them has once', async () => {
    await leader.ok(testUsers, 'createTestUser', { body: { name: 'A', address: 'same@test.example' } })
    const taken = await leader.call(testUsers, 'createTestUser', { body: { name: 'B', address: 'SAME@test.example' } })
    expect([taken.status, taken.body.ret.code]).toEqual([409, 204111017])
    const wrong = await leader.call(testUsers, 'createTestUser', { body: { name: 'B', address: 'no address' } })
    expect([wrong.status, wrong.body.fields?.[0]?.pointer]).toEqual([400, '/address'])
  })

  it('page from the newest, and are of one team', async () => {
    const owner = await stage.person()
    for (const at of [1, 2, 3]) {
      await owner.ok(testUsers, 'createTestUser', { body: { name: `U${at}`, address: `u${at}@test.example` } })
    }
    const first = await owner.ok(testUsers, 'listTestUsers', { query: { pageSize: 2 } })
    expect([first.total, first.list.map(one => one.name)]).toEqual([3, ['U3', 'U2']])
    const rest = await owner.ok(testUsers, 'listTestUsers', { query: { pageSize: 2, cursor: first.nextCursor ?? '' } })
    expect([rest.list.map(one => one.name), rest.nextCursor]).toEqual([['U1'], null])
    const testUserId = first.list[0]?.testUserId ?? ''
    expect((await leader.call(testUsers, 'getTestUser', { query: { testUserId } })).status).toBe(404)
    expect((await leader.call(testUsers, 'deleteTestUser', { query: { testUserId } })).status).toBe(404)
  })

  it('are for who tests: a reader of figures sees none of them', async () => {
    const analyst = await stage.person({ team: leader.teamId, roles: ['analyst'] })
    expect((await analyst.call(testUsers, 'listTestUsers')).status).toBe(403)
  })

  it('leave nothing of themselves in what cannot be erased', async () => {
    await leader.ok(testUsers, 'createTestUser', { body: { name: 'Secretive', address: 'secretive@test.example' } })
    const rows = await stage.sql(
      'home',
      'SELECT to_jsonb(a)::text AS text FROM audit a UNION SELECT to_jsonb(o)::text FROM outbox o',
    )
    expect(rows.some(row => /secretive/i.test(row['text']))).toBe(false)
  })
})
