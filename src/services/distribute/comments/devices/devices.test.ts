import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Person, type Stage } from '../../../../testkit/stage.ts'
import { store } from '../../store/contract.ts'
import { memoryOf } from '../../store/memory.ts'
import { installed, newDevice, type Shelved, said, shelvedApp, write } from '../comments.testkit.ts'
import { comments } from '../contract.ts'
import { limits } from '../rules.ts'
import { deviceComments } from './contract.ts'

let stage: Stage
let owner: Person
let app: Shelved
beforeAll(async () => {
  stage = await openStage({ zones: ['CN', 'DE'] })
  owner = await stage.person()
  app = await shelvedApp(stage, owner)
})
afterAll(() => stage.close())

const summary = async (one: Shelved) => {
  stage.clock.turn(20_000)
  return stage.anybody.ok(deviceComments, 'getSummary', { params: { packageName: one.packageName } })
}
const read = (one: Shelved, query: object = {}) =>
  stage.anybody.ok(deviceComments, 'listComments', { params: { packageName: one.packageName }, query })
const own = (one: Shelved, body: { deviceId: string; deviceSecret: string }) =>
  stage.anybody.call(deviceComments, 'getOwnComment', { params: { packageName: one.packageName }, body })
const rate = (one: Shelved, body: { deviceId: string; deviceSecret?: string }, stars: number) =>
  stage.anybody.ok(store, 'reportEvents', {
    body: { ...body, events: [{ type: 'rate', versionId: one.versionId, stars }] },
  })
const flushed = async () => {
  await memoryOf(stage.booted.server).installations.flush.now()
  await stage.settle()
}

describe('a device that has an app', () => {
  it('writes one comment, which everybody reads with its version, changes it and takes it back', async () => {
    const one = await shelvedApp(stage, owner)
    const device = await installed(stage, one)
    const first = await write(stage, one, device, { stars: 2, title: 'Slow', language: 'zh-Hans-CN', country: 'CN' })
    expect([first.status, first.body.revision, first.body.isHidden]).toEqual([200, 1, false])
    expect((await read(one)).list).toEqual([
      {
        ...{ commentId: first.body.commentId, nickname: '', stars: 2, title: 'Slow', text: 'It does what it says.' },
        ...{ language: 'zh', country: 'CN', versionName: '1.7', helpful: 0, createdAt: first.body.createdAt },
        ...{ isEdited: false, reply: null },
      },
    ])
    const twice = await write(stage, one, device, { stars: 3 })
    expect([twice.status, twice.body['revision']]).toEqual([409, 1])
    stage.clock.turn(1000)
    const next = await write(stage, one, device, { stars: 4, text: 'Better now', revision: 1 })
    expect([next.status, next.body.commentId, next.body.revision]).toEqual([200, first.body.commentId, 2])
    expect((await read(one)).list.map(row => [row.stars, row.text, row.isEdited])).toEqual([[4, 'Better now', true]])
    expect(await summary(one)).toMatchObject({ count: 1, average: 4, display: 3.5, histogram: [0, 1, 0, 0, 0] })
    const params = { packageName: one.packageName }
    const stale = await stage.anybody.call(deviceComments, 'deleteComment', {
      params,
      body: { ...device, revision: 1 },
    })
    expect(stale.status).toBe(409)
    await stage.anybody.ok(deviceComments, 'deleteComment', { params, body: { ...device, revision: 2 } })
    expect((await read(one)).total).toBe(0)
    expect(await summary(one)).toMatchObject({ count: 0, average: null, display: null })
    const left = await stage.sql('CN', 'SELECT title, text, nickname, country FROM comments WHERE app_id = $1', [
      one.appId,
    ])
    expect(left).toEqual([{ title: '', text: '', nickname: '', country: null }])
    expect((await write(stage, one, device)).status).toBe(200)
  })

  it('has one opinion: stars of a report and stars of a comment are the same row', async () => {
    const one = await shelvedApp(stage, owner)
    const device = await installed(stage, one)
    await rate(one, device, 1)
    await flushed()
    expect(await summary(one)).toMatchObject({ count: 1, withText: 0, histogram: [0, 0, 0, 0, 1] })
    expect((await read(one)).total).toBe(0)
    stage.clock.turn(1000)
    expect((await write(stage, one, device, { stars: 3, text: 'With words' })).status).toBe(200)
    expect(await summary(one)).toMatchObject({ count: 1, withText: 1, histogram: [0, 0, 1, 0, 0] })
    await rate(one, device, 5)
    await flushed()
    expect(await summary(one)).toMatchObject({ count: 1, withText: 1, histogram: [1, 0, 0, 0, 0] })
    expect((await read(one)).list.map(row => [row.stars, row.text])).toEqual([[5, 'With words']])
  })

  it('counts with the stars of its comment for the phased release that it has', async () => {
    const one = await shelvedApp(stage, owner)
    const phase = { isRunning: true, salt: one.appId, percentBp: 10_000, newInstalls: 'ALWAYS_NEW', countries: [] }
    await stage.sql('home', 'UPDATE store_records SET phase = $2 WHERE version_id = $1', [
      one.versionId,
      JSON.stringify({ ...phase, startedAt: stage.clock.now() - 1000 }),
    ])
    await said(stage, one, { stars: 1, text: 'Crashes at once' })
    await memoryOf(stage.booted.server).health.flush.now()
    const rows = await stage.sql(
      'CN',
      `SELECT kind, devices::int FROM store_health WHERE release_id = $1 ORDER BY kind`,
      [one.versionId],
    )
    expect(rows).toContainEqual({ kind: 'stars1', devices: 1 })
  })

  it('finds another comment helpful once, and no longer; not its own', async () => {
    const one = await shelvedApp(stage, owner)
    const [first, second] = [await said(stage, one, { text: 'First' }), await said(stage, one, { text: 'Second' })]
    const voter = await installed(stage, one)
    const vote = (device: typeof voter, commentId: string, helpful: boolean) =>
      stage.anybody.call(deviceComments, 'voteHelpful', {
        params: { packageName: one.packageName, commentId },
        body: { ...device, helpful },
      })
    const all = await Promise.all([1, 2, 3].map(() => vote(voter, first.commentId, true)))
    expect(all.map(reply => reply.status)).toEqual([200, 200, 200])
    expect((await read(one, { sort: 'helpful' })).list.map(row => [row.text, row.helpful])).toEqual([
      ['First', 1],
      ['Second', 0],
    ])
    expect((await vote(voter, first.commentId, false)).body.helpful).toBe(0)
    expect((await vote(second.device, second.commentId, true)).status).toBe(404)
    expect((await vote(newDevice(), first.commentId, true)).status).toBe(403)
  })
})

describe('the list', () => {
  it('goes page by page in each order, and gives nobody twice', async () => {
    const one = await shelvedApp(stage, owner)
    for (const stars of [3, 5, 1, 5, 3]) await said(stage, one, { stars, text: `${stars} stars` })
    for (const [sort, wanted] of [
      ['newest', [3, 5, 1, 5, 3]],
      ['starsHigh', [5, 5, 3, 3, 1]],
      ['starsLow', [1, 3, 3, 5, 5]],
    ] as const) {
      const seen: { commentId: string; stars: number }[] = []
      let cursor: string | null = null
      do {
        const page: Awaited<ReturnType<typeof read>> = await read(one, { sort, pageSize: 2, ...(cursor && { cursor }) })
        seen.push(...page.list)
        cursor = page.nextCursor
      } while (cursor !== null)
      expect(seen.map(row => row.stars)).toEqual(wanted)
      expect(new Set(seen.map(row => row.commentId)).size).toBe(5)
    }
    expect((await read(one, { stars: 5 })).total).toBe(2)
    const wrong = await stage.anybody.call(deviceComments, 'listComments', {
      params: { packageName: one.packageName },
      query: { cursor: "1' OR '1" },
    })
    expect([wrong.status, wrong.body.fields?.[0]?.pointer]).toEqual([400, '/cursor'])
  })

  it('has plain text alone', async () => {
    const one = await shelvedApp(stage, owner)
    await said(stage, one, {
      nickname: '<b>Mallory</b>',
      text: 'Good <scr<b>ipt>alert(1)</script> app, a < b and c > d\u202e!',
    })
    const reply = await stage.anybody.call(deviceComments, 'listComments', { params: { packageName: one.packageName } })
    expect(reply.body.list[0]).toMatchObject({ nickname: 'Mallory', text: 'Good alert(1) app, a < b and c > d!' })
  })
})

describe('who may not', () => {
  it('writes without a report of an installation, whatever it says it is', async () => {
    const before = await summary(app)
    const replies = await Promise.all(Array.from({ length: 5 }, () => write(stage, app, newDevice(), { stars: 1 })))
    expect(replies.map(reply => reply.body.ret.code)).toEqual(Array(5).fill(comments.errors.noInstall[0]))
    for (let at = 0; at < 5; at++) await rate(app, { deviceId: newDevice().deviceId }, 1)
    await flushed()
    expect((await summary(app)).count).toBe(before.count)
  })

  it('writes, reads, rates or deletes as another device whose id it found out', async () => {
    const one = await shelvedApp(stage, owner)
    const { device, revision } = await said(stage, one, { stars: 5, text: 'Mine' })
    const thief = { deviceId: device.deviceId, deviceSecret: newDevice().deviceSecret }
    const params = { packageName: one.packageName }
    const body = { ...thief, revision }
    const replies = [
      await write(stage, one, thief, { stars: 1, revision }),
      await own(one, thief),
      await stage.anybody.call(deviceComments, 'deleteComment', { params, body }),
    ]
    expect(replies.map(reply => [reply.status, reply.body.ret.code])).toEqual(
      Array(3).fill([403, comments.errors.notOwner[0]]),
    )
    await rate(one, thief, 1)
    await rate(one, { deviceId: device.deviceId }, 1)
    await flushed()
    expect(await summary(one)).toMatchObject({ count: 1, average: 5 })
    expect((await own(one, device)).body.comment?.text).toBe('Mine')
  })

  it('two writes at once of one device make one comment', async () => {
    const one = await shelvedApp(stage, owner)
    const device = await installed(stage, one)
    const replies = await Promise.all([1, 2, 3].map(stars => write(stage, one, device, { stars })))
    expect(replies.map(reply => reply.status).sort()).toEqual([200, 409, 409])
    expect((await summary(one)).count).toBe(1)
  })

  it('a comment is written at most so often a day', async () => {
    const one = await shelvedApp(stage, owner)
    const { device } = await said(stage, one)
    let { revision } = (await own(one, device)).body.comment!
    for (let at = 1; at < limits.editsPerDay; at++) {
      revision = (await write(stage, one, device, { text: `Again ${at}`, revision })).body.revision
    }
    const last = await write(stage, one, device, { text: 'Once more', revision })
    expect([last.status, last.body.ret.code]).toEqual([429, comments.errors.editsMany[0]])
  })

  it.each([
    ['control characters', { text: 'a\u0007b' }, '/text'],
    ['a title without words', { title: 'Well', text: '' }, '/text'],
    ['an unknown country', { country: 'XX' }, '/country'],
    ['too many stars', { stars: 6 }, '/stars'],
    ['too long a text', { text: 'x'.repeat(1001) }, '/text'],
  ])('%s are refused by name, and nothing is written', async (_, wish, pointer) => {
    const device = await installed(stage, app)
    const { status, body } = await write(stage, app, device, wish)
    expect([status, body.fields?.[0]?.pointer]).toEqual([400, pointer])
    expect((await own(app, device)).body.comment).toBeNull()
  })

  it('what the store does not publish is refused with the number of the risk dialog', async () => {
    const device = await installed(stage, app)
    const { status, body } = await write(stage, app, device, { text: 'Come to my c.a.s.i.n.o now' })
    expect([status, body.ret.code]).toEqual([400, 205524998])
  })

  it('a network brings in no more devices and comments a day than it may', async () => {
    const one = await shelvedApp(stage, owner)
    const events = [{ type: 'install_ok' as const, versionId: one.versionId }]
    for (let at = 0; at < 30; at++) {
      await stage.anybody.ok(store, 'reportEvents', { body: { deviceId: newDevice().deviceId, events } })
    }
    await flushed()
    const known = await stage.sql('CN', 'SELECT device FROM store_installations WHERE app_id = $1', [one.appId])
    expect(known.length).toBe(20)

    const other = await shelvedApp(stage, owner)
    for (let at = 0; at < limits.commentsOfNetwork; at++) await said(stage, other, { text: `Number ${at}` })
    const more = await write(stage, other, await installed(stage, other), { stars: 1 })
    expect([more.status, more.body.ret.code]).toEqual([429, comments.errors.commentsMany[0]])
    stage.clock.turn(86_400_000)
    expect((await write(stage, other, await installed(stage, other), { stars: 1 })).status).toBe(200)
  })
})
