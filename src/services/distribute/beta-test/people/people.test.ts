import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { mailedAddress, openTestScene, type TestScene } from '../../versions/testing/testing.testkit.ts'
import { betaPeople, betaPeopleV2 } from './contract.ts'

let scene: TestScene
beforeAll(async () => {
  scene = await openTestScene()
})
beforeEach(() => scene.newApp())
afterAll(() => scene.stage.close())

const codeOf = (reply: { body: unknown }) => (reply.body as { ret: { code: number } }).ret.code
const { errors } = betaPeople
const add = (groupId: string, ...accounts: string[]) =>
  scene.owner.ok(betaPeople, 'addGroupUsers', {
    params: { groupId },
    body: { users: accounts.map(account => ({ account })) },
  })
const people = async (groupId: string, query = {}) =>
  (await scene.owner.ok(betaPeople, 'listGroupUsers', { params: { groupId }, query })).list

describe('people of a group', () => {
  it('are known by their mail address, once, however it is spelt', async () => {
    const groupId = await scene.group('Team', 'INTERNAL', ['ann@example.org'])
    expect(await add(groupId, ' ANN@example.org', 'ｂob@example.org')).toMatchObject({
      known: 1,
      added: [{ account: 'bob@example.org', state: 'ADDED', groupName: 'Team' }],
    })
    const users = [{ account: 'nobody' }]
    const params = { groupId }
    expect((await scene.owner.call(betaPeople, 'addGroupUsers', { params, body: { users } })).status).toBe(400)
    expect((await people(groupId, { search: 'BOB' })).map(user => user.account)).toEqual(['bob@example.org'])
  })

  it('are known by their phone number as well, and who may invite sees the page to pass on', async () => {
    const groupId = await scene.group('Phones', 'INTERNAL', ['ann@example.org'])
    const { added } = await add(groupId, '+49 (30) 123-4567', '0049 30 1234567', '+49301234567')
    expect(added.map(user => user.account)).toEqual(['+49301234567'])
    expect(added[0]?.page).toContain('/#/app/openTest?')
    const reader = await scene.stage.person({ team: scene.owner.teamId, roles: ['analyst'] })
    const seen = await reader.ok(betaPeople, 'listGroupUsers', { params: { groupId } })
    expect(seen.list.map(user => [user.account, user.page])).toEqual([
      ['+49301234567', null],
      ['ann@example.org', null],
    ])
    const wrong = [{ account: '030 1234567' }]
    const reply = await scene.owner.call(betaPeople, 'addGroupUsers', { params: { groupId }, body: { users: wrong } })
    expect([reply.status, reply.body.fields?.[0]?.pointer]).toEqual([400, '/users/0/account'])
  })

  it('come page by page and are filtered by state and words, in a group and in the app', async () => {
    const one = await scene.group('One', 'INTERNAL', ['a@example.org', 'b@example.org', 'c@example.org'])
    const two = await scene.group('Two', 'EXTERNAL', ['a@example.org'])
    const first = await scene.owner.ok(betaPeopleV2, 'listUsers', { query: { appId: scene.appId, pageSize: 3 } })
    expect([first.total, first.list.map(user => user.groupName)]).toEqual([4, ['Two', 'One', 'One']])
    const rest = await scene.owner.ok(betaPeople, 'listUsers', {
      query: { appId: scene.appId, cursor: first.nextCursor ?? '' },
    })
    expect(rest.list.map(user => user.account)).toEqual(['a@example.org'])
    const ofTwo = await scene.owner.ok(betaPeople, 'listUsers', { query: { appId: scene.appId, groupId: two } })
    expect(ofTwo.total).toBe(1)
    expect(await people(one, { state: 'ACCEPTED' })).toEqual([])
  })

  it('are put into several groups at once, and a foreign group among them refuses the whole', async () => {
    const groupIds = [await scene.group('One', 'INTERNAL', []), await scene.group('Two', 'EXTERNAL', [])]
    const { appId } = scene
    const users = [{ account: 'ann@example.org', nickname: 'Ann' }]
    await scene.owner.ok(betaPeople, 'addUsers', { body: { appId, groupIds, users } })
    await scene.newApp()
    const other = await scene.group('Other', 'EXTERNAL', [])
    const mixed = { appId, groupIds: [groupIds[0]!, other], users: [{ account: 'eve@example.org' }] }
    expect((await scene.owner.call(betaPeople, 'addUsers', { body: mixed })).status).toBe(404)
    expect(await people(groupIds[0]!, { search: 'eve' })).toEqual([])
    const [ann] = await people(groupIds[1]!)
    const body = { userId: ann?.userId ?? '', nickname: 'Annie', revision: ann?.revision ?? 0 }
    expect((await scene.owner.ok(betaPeople, 'updateUser', { body })).nickname).toBe('Annie')
    expect((await scene.owner.call(betaPeople, 'updateUser', { body })).status).toBe(409)
    const gone = await scene.owner.ok(betaPeople, 'removeUser', { query: { userId: ann?.userId ?? '' } })
    expect(gone.removed).toBe(2)
    expect(await people(groupIds[0]!)).toEqual([])
  })

  it('are at most ten thousand in an app, also when many are added at once', async () => {
    const groupId = await scene.group('Team', 'INTERNAL', [])
    await scene.stage.sql(
      'CN',
      `INSERT INTO version_test_users
        (user_id, team_id, app_id, group_id, account, nickname, state, created_at, updated_at)
      SELECT $4::bigint + n, $1, $2, $3, 'p' || n || '@example.org', '', 'ADDED', 1, 1 FROM generate_series(1, 9998) n`,
      [scene.owner.teamId, scene.appId, groupId, scene.stage.booted.server.ids.next()],
    )
    const one = (account: string) =>
      scene.owner.call(betaPeople, 'addGroupUsers', { params: { groupId }, body: { users: [{ account }] } })
    const replies = await Promise.all(Array.from({ length: 8 }, (_, at) => one(`q${at}@example.org`)))
    expect(replies.filter(reply => reply.status === 200)).toHaveLength(2)
    expect(replies.filter(reply => codeOf(reply) === errors.userLimit[0])).toHaveLength(6)
  })

  it('who are taken out lose the test within a second on every process', async () => {
    const groupId = await scene.group('Team', 'INTERNAL', ['ann@example.org'])
    await scene.running([groupId], { notify: true })
    await scene.stage.settle()
    const address = await mailedAddress(scene.stage, 'ann@example.org')
    const other = await scene.stage.another()
    const url = `${new URL(address).pathname}/index-v2.json`
    const seen = async () => [
      (await scene.stage.app.inject({ url })).statusCode,
      (await other.app.inject({ url })).statusCode,
    ]
    expect(await seen()).toEqual([200, 200])
    const [ann] = await people(groupId)
    const query = { userId: ann?.userId ?? '' }
    await scene.owner.ok(betaPeople, 'removeGroupUser', { params: { groupId }, query })
    expect(await seen()).toEqual([404, 404])
  })
})

describe('an import', () => {
  const start = async (groupId: string, csv: string) => {
    const { bulkId } = await scene.owner.ok(betaPeople, 'importGroupUsers', { params: { groupId }, body: { csv } })
    await scene.stage.settle()
    return scene.owner.ok(betaPeople, 'getImport', { query: { bulkId } })
  }

  it('says of each line what became of it', async () => {
    const groupId = await scene.group('Team', 'INTERNAL', ['known@example.org'])
    const csv = 'account,nickname\nann@example.org,Ann\nnobody,Nobody\nANN@example.org,Again\nknown@example.org,Known'
    const report = await start(groupId, csv)
    expect(report).toMatchObject({ state: 'done', total: 4, done: 1, refused: 3, groupId })
    expect(report.list.map(item => [item.line, item.result, item.code])).toEqual([
      [2, 'DONE', null],
      [3, 'REFUSED', 200000001],
      [4, 'REFUSED', errors.sameLine[0]],
      [5, 'REFUSED', errors.userKnown[0]],
    ])
    expect((await people(groupId)).map(user => [user.account, user.nickname])).toEqual([
      ['ann@example.org', 'Ann'],
      ['known@example.org', ''],
    ])
    const all = await scene.owner.ok(betaPeople, 'listImports', { query: { appId: scene.appId } })
    expect(all.list.map(one => one.bulkId)).toEqual([report.bulkId])
  })

  it('puts each line into the group it names', async () => {
    const groupId = await scene.group('Crew', 'INTERNAL', [])
    const csv = 'account;nickname;group\nann@example.org;Ann;CREW\nbob@example.org;Bob;Nobodies'
    const { bulkId } = await scene.owner.ok(betaPeople, 'importUsers', { body: { appId: scene.appId, csv } })
    await scene.stage.settle()
    const report = await scene.owner.ok(betaPeople, 'getImport', { query: { bulkId } })
    expect(report.list.map(item => [item.result, item.code])).toEqual([
      ['DONE', null],
      ['REFUSED', errors.noSuchGroup[0]],
    ])
    expect(await people(groupId)).toHaveLength(1)
  })

  it.each([
    ['without the columns', 'mail\nann@example.org', errors.badFile[0]],
    ['that is empty', 'account,nickname\n', errors.badFile[0]],
    ['of too many lines', `account\n${'ann@example.org\n'.repeat(1001)}`, errors.fileTooLong[0]],
  ])('of a file %s is refused', async (_, csv, code) => {
    const groupId = await scene.group('Team', 'INTERNAL', [])
    const reply = await scene.owner.call(betaPeople, 'importGroupUsers', { params: { groupId }, body: { csv } })
    expect([reply.status, codeOf(reply)]).toEqual([422, code])
  })

  it('keeps the addresses of its report for thirty days', async () => {
    const groupId = await scene.group('Team', 'INTERNAL', [])
    const { bulkId } = await start(groupId, 'account\nann@example.org')
    await scene.turn(31 * 86_400_000)
    const rows = await scene.stage.sql('CN', 'SELECT 1 FROM beta_import_items WHERE bulk_id = $1', [bulkId])
    expect(rows).toEqual([])
    expect((await scene.owner.call(betaPeople, 'getImport', { query: { bulkId } })).status).toBe(404)
  })
})

describe('an export', () => {
  it('has no formula in it, and goes back in as it was', async () => {
    const groupId = await scene.group('Team', 'INTERNAL', [])
    const users = ['=1+1', '+1', '-1', '@SUM(A1)', 'plain', 'with, comma'].map((nickname, at) => ({
      account: `p${at}@example.org`,
      nickname,
    }))
    await scene.owner.ok(betaPeople, 'addGroupUsers', { params: { groupId }, body: { users } })
    const query = { appId: scene.appId, groupId, format: 'csv' as const, language: 'en' as const }
    const file = await scene.owner.call(betaPeople, 'exportUsers', { query })
    expect(file.headers['content-disposition']).toMatch(/^attachment; filename="testers-.*\.csv"$/)
    for (const cell of file.text.replace(/^\uFEFF/, '').split(/,|\r\n/)) expect(cell).not.toMatch(/^"?[=+\-@]/)
    const back = await scene.group('Back', 'INTERNAL', [])
    const body = { csv: file.text }
    await scene.owner.ok(betaPeople, 'importGroupUsers', { params: { groupId: back }, body })
    await scene.stage.settle()
    const facts = async (id: string) => (await people(id)).map(user => [user.account, user.nickname]).sort()
    expect(await facts(back)).toEqual(await facts(groupId))
  })

  it('takes the filters of the list, and comes as a spreadsheet too', async () => {
    const groupId = await scene.group('Team', 'INTERNAL', ['ann@example.org', 'bob@example.org'])
    const wish = { appId: scene.appId, groupId, search: 'ann' }
    const csv = await scene.owner.call(betaPeople, 'exportUsers', { query: { ...wish, format: 'csv' } })
    expect([csv.text.includes('ann@'), csv.text.includes('bob@')]).toEqual([true, false])
    const xlsx = await scene.owner.call(betaPeople, 'exportUsers', { query: { ...wish, format: 'xlsx' } })
    expect(xlsx.bytes.subarray(0, 2).toString()).toBe('PK')
  })
})
