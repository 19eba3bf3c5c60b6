import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemContext } from '../../../server/context.ts'
import type { Person, Stage } from '../../../testkit/stage.ts'
import { joinTeam } from '../../ground/teams/public.ts'
import { apps } from '../apps/contract.ts'
import { versions } from '../versions/contract.ts'
import { versionHistory } from '../versions/history/contract.ts'
import { fillDraft, newApp, openScene, png, type Scene, upload } from '../versions/versions.testkit.ts'
import { qualification } from './contract.ts'
import { qualificationDesk } from './desk/contract.ts'
import { notRequired, qualificationMeta } from './meta/contract.ts'
import { limits } from './rules.ts'

const day = 86_400_000
const payments = 10602
let scene: Scene
let stage: Stage
let reviewer: Person

beforeAll(async () => {
  scene = await openScene()
  stage = scene.stage
  reviewer = await stage.person({ staff: ['reviewer'] })
})
afterAll(() => stage.close())

const scan = (who = scene.owner, name = 'licence.png') => upload(stage, who, png(60, 60), name, 'app_qual')

async function paper(days = 180, objectId?: string) {
  const now = stage.clock.now()
  return {
    qualificationCode: 'PAYMENT_LICENCE',
    files: [{ objectId: objectId ?? (await scan()) }],
    validityType: 0,
    startTime: now - day,
    expireTime: now + days * day,
  }
}

async function bankingApp(kindMainTag = payments) {
  const app = await newApp(scene.owner)
  const { appId, revision } = app
  await scene.owner.ok(apps, 'updateApp', { body: { appId, kindMainTag, revision } })
  return appId
}

async function handedIn(appId: string, days = 180) {
  const tags = [{ tagId: payments, qualificationInfos: [await paper(days)] }]
  const { list } = await scene.owner.ok(qualification, 'createTasks', { body: { appId, tags, submit: true } })
  return list[0]!
}

const decide = (taskId: string, verdict: 'pass' | 'refuse' | 'ask' | 'revoke', revision: number, note?: string) =>
  reviewer.call(qualificationDesk, 'decideDeskTask', {
    body: { taskId, verdict, revision, ...(note === undefined ? {} : { note }) },
  })
const read = (taskId: string) => scene.owner.ok(qualification, 'getTask', { query: { taskId } })
const gaps = async (versionId: string) => {
  const { readiness } = await scene.owner.ok(versions, 'submitVersion', { query: { dryRun: '1' }, body: { versionId } })
  return readiness.map(one => one.rule).filter(rule => rule.startsWith('qualification.'))
}

/** Time goes on: sweeps run, sessions are new. */
async function turn(ms: number) {
  await scene.turn(ms)
  await stage.booted.worker.sweep()
  await stage.settle()
  reviewer = await stage.person({ staff: ['reviewer'] })
}

describe('definitions', () => {
  it('tell what a tag needs where, and where nothing is needed', async () => {
    const { list } = await scene.owner.ok(qualificationMeta, 'listTagQuals', {
      query: { tagId: payments, country: 'cn' },
    })
    expect(list).toMatchObject([
      { tagId: payments, requirements: [{ countries: ['CN'], sets: [['PAYMENT_LICENCE']] }] },
    ])
    const defs = await scene.owner.ok(qualificationMeta, 'listQualDefs', {
      query: { qualificationCode: 'PAYMENT_LICENCE' },
    })
    expect(defs.list).toMatchObject([{ needsValidity: true, countries: ['CN'], fileTypes: ['IMAGE', 'PDF'] }])
    const free = await scene.owner.ok(notRequired, 'listNotRequired', { query: {} })
    expect(free.list.some(one => one.tagId === payments)).toBe(false)
    expect(free.list.some(one => one.tagId === 10101)).toBe(true)
    const abroad = await scene.owner.ok(notRequired, 'listNotRequired', { query: { tagId: payments, country: 'BR' } })
    expect(abroad.list[0]?.neededIn).toContain('CN')
  })

  it('of an app name its tags, also those that need nothing', async () => {
    const appId = await bankingApp(10101)
    const { list } = await scene.owner.ok(qualificationMeta, 'listTagQuals', { query: { appId } })
    expect(list).toMatchObject([{ tagId: 10101, isMainTag: true, requirements: [] }])
  })
})

describe('papers', () => {
  it('are handed in, taken back, refused with the reason, mended and passed', async () => {
    const appId = await bankingApp()
    const task = await handedIn(appId)
    expect(task).toMatchObject({ status: 1, state: 'WAITING', isMainTag: 1, allowedActions: ['cancel'] })
    const back = await scene.owner.ok(qualification, 'cancelTask', { body: { taskId: task.taskId } })
    expect([back.status, back.allowedActions]).toEqual([0, ['edit', 'submit', 'delete']])
    const again = await scene.owner.ok(qualification, 'updateTaskStatus', { body: { taskId: task.taskId, status: 1 } })
    const silent = await decide(task.taskId, 'refuse', again.revision)
    expect([silent.status, silent.body.fields?.[0]?.pointer]).toEqual([400, '/note'])
    const no = await decide(task.taskId, 'refuse', again.revision, 'The seal cannot be read.')
    expect([no.status, no.body.status]).toEqual([200, 3])
    const refused = await read(task.taskId)
    expect([refused.status, refused.lastAuditResult]).toEqual([3, 'The seal cannot be read.'])
    const mended = await scene.owner.ok(qualification, 'updateTask', {
      body: { taskId: task.taskId, qualificationInfos: [await paper()], submit: true, revision: refused.revision },
    })
    expect(mended.status).toBe(1)
    expect((await decide(task.taskId, 'pass', mended.revision)).body.status).toBe(2)
    const passed = await read(task.taskId)
    expect(passed.qualificationInfos[0]?.files[0]?.url).toMatch(/^http/)
    const stays = await scene.owner.call(qualification, 'cancelTask', { body: { taskId: task.taskId } })
    expect([stays.status, stays.body.ret.code]).toEqual([422, 204144781])
  })

  it('are asked about, answered, and judged then', async () => {
    const task = await handedIn(await bankingApp())
    const asked = await decide(task.taskId, 'ask', task.revision, 'Whose name is on the licence?')
    expect([asked.body.status, asked.body.isAsked]).toEqual([1, true])
    const body = { taskId: task.taskId, text: 'Ours, as it was before.', revision: asked.body.revision }
    const answered = await scene.owner.ok(qualification, 'answerQuestion', { body })
    expect(answered.messages.map(one => one.kind)).toEqual(['QUESTION', 'ANSWER'])
    const twice = await scene.owner.call(qualification, 'answerQuestion', {
      body: { ...body, revision: answered.revision },
    })
    expect([twice.status, twice.body.ret.code]).toEqual([422, 202090003])
    expect((await decide(task.taskId, 'pass', answered.revision)).status).toBe(200)
  })

  it('that cannot be are refused with what to change', async () => {
    const appId = await bankingApp()
    const good = await paper()
    const zip = await upload(stage, scene.owner, Buffer.from('PK\x03\x04 no scan'), 'a.zip', 'app_qual')
    const ofListing = await upload(stage, scene.owner, png(60, 60), 'a.png', 'app_img')
    const pdf = Buffer.concat([Buffer.from('%PDF-1.4\n'), Buffer.alloc(limits.pdfBytes)])
    const large = await upload(stage, scene.owner, pdf, 'large.pdf', 'app_qual')
    const tries: [number, Record<string, unknown>][] = [
      [204144791, { ...good, qualificationCode: 'NO_SUCH_PAPER' }],
      [204144791, { ...good, qualificationCode: 'NEWS_SERVICE_PERMIT' }],
      [204144786, { ...good, validityType: 1 }],
      [204144786, { ...good, expireTime: good.startTime }],
      [204144788, { ...good, files: [{ objectId: zip }] }],
      [204144788, { ...good, files: [{ objectId: ofListing }] }],
      [204144787, { ...good, files: [{ objectId: large }] }],
      [204144789, { ...good, files: [{ objectId: 'cn/2026010100/none.png' }] }],
    ]
    for (const [code, info] of tries) {
      const body = { appId, tags: [{ tagId: payments, qualificationInfos: [info] }] }
      const reply = await scene.owner.call(qualification, 'createTasks', { body } as never)
      expect([reply.status, reply.body.ret.code]).toEqual([422, code])
    }
    const tagless = await scene.owner.call(qualification, 'createTasks', {
      body: { appId, tags: [{ tagId: 10401, qualificationInfos: [] }] },
    })
    expect(tagless.body.ret.code).toBe(202090001)
    const empty = await scene.owner.call(qualification, 'createTasks', {
      body: { appId, tags: [{ tagId: payments, qualificationInfos: [] }], submit: true },
    })
    expect([empty.status, empty.body.ret.code]).toEqual([422, 204144789])
    expect((await scene.owner.ok(qualification, 'listTasks', { query: { appId } })).total).toBe(0)
  })

  it('of one tag are one task, however many hand them in at once', async () => {
    const appId = await bankingApp()
    const tags = [{ tagId: payments, qualificationInfos: [await paper()] }]
    const replies = await Promise.all(
      [1, 2, 3].map(() => scene.owner.call(qualification, 'createTasks', { body: { appId, tags } })),
    )
    expect(replies.map(reply => reply.status).sort()).toEqual([200, 409, 409])
    expect(replies.find(reply => reply.status === 409)?.body.ret.code).toBe(204144828)
  })

  it('hold their files until they are deleted', async () => {
    const appId = await bankingApp()
    const objectId = await scan()
    const tags = [{ tagId: payments, qualificationInfos: [await paper(180, objectId)] }]
    const { list } = await scene.owner.ok(qualification, 'createTasks', { body: { appId, tags } })
    const held = () => stage.sql('CN', 'SELECT state, ref_count FROM file_objects WHERE object_id = $1', [objectId])
    expect(await held()).toEqual([{ state: 'NORMAL', ref_count: 1 }])
    await scene.owner.ok(qualification, 'deleteTask', { query: { taskId: list[0]!.taskId } })
    expect(await held()).toEqual([{ state: 'TEMP', ref_count: 0 }])
  })
})

describe('attacks', () => {
  it('another team neither reads, changes nor uses them, nor its files', async () => {
    const stranger = await stage.person()
    const appId = await bankingApp()
    const task = await handedIn(appId)
    const { taskId, revision } = task
    const replies = await Promise.all([
      stranger.call(qualification, 'getTask', { query: { taskId } }),
      stranger.call(qualification, 'getTaskStatus', { query: { taskId } }),
      stranger.call(qualification, 'cancelTask', { body: { taskId } }),
      stranger.call(qualification, 'updateTaskStatus', { body: { taskId, status: 0 } }),
      stranger.call(qualification, 'updateTask', { body: { taskId, qualificationInfos: [], revision } }),
      stranger.call(qualification, 'deleteTask', { query: { taskId } }),
      stranger.call(qualification, 'listTasks', { query: { appId } }),
      stranger.call(qualification, 'createTasks', {
        body: { appId, tags: [{ tagId: payments, qualificationInfos: [] }] },
      }),
    ])
    expect(replies.map(reply => reply.status)).toEqual(replies.map(() => 404))
    expect((await stranger.ok(qualification, 'listTasks', {})).total).toBe(0)
    const theirs = await upload(stage, stranger, png(60, 60), 'theirs.png', 'app_qual')
    const other = await bankingApp()
    const body = { appId: other, tags: [{ tagId: payments, qualificationInfos: [await paper(180, theirs)] }] }
    expect((await scene.owner.call(qualification, 'createTasks', { body })).body.ret.code).toBe(204144789)
  })

  it('nobody decides for the own team, and of two who decide at once one does', async () => {
    const task = await handedIn(await bankingApp())
    const insider = await stage.person({ staff: ['reviewer'] })
    await systemContext(stage.booted.server, 'CN', { name: 'test' }).transact(ctx =>
      joinTeam(ctx, scene.owner.teamId, insider.accountId, ['developer']),
    )
    const own = await insider.call(qualificationDesk, 'decideDeskTask', {
      body: { taskId: task.taskId, verdict: 'pass', revision: task.revision },
    })
    expect([own.status, own.body.ret.code]).toEqual([422, 202090004])
    const [a, b] = await Promise.all([
      decide(task.taskId, 'pass', task.revision),
      decide(task.taskId, 'refuse', task.revision, 'The seal cannot be read.'),
    ])
    expect([a, b].filter(reply => reply.status === 200)).toHaveLength(1)
    expect([409, 422]).toContain(Math.max(a.status, b.status))
    const stale = await decide(task.taskId, 'revoke', task.revision, 'It was false all the time.')
    expect([409, 422]).toContain(stale.status)
    expect((await scene.owner.call(qualificationDesk, 'listDeskTasks', {})).status).toBe(403)
  })
})

describe('an approval', () => {
  it('is what a version needs to be submitted', async () => {
    const appId = await bankingApp()
    const { versionId } = await fillDraft(stage, scene.owner, appId, 1)
    expect(await gaps(versionId)).toEqual(['qualification.missing', 'qualification.missing'])
    const task = await handedIn(appId)
    expect(await gaps(versionId)).toEqual(['qualification.waiting', 'qualification.waiting'])
    await decide(task.taskId, 'pass', task.revision)
    expect(await gaps(versionId)).toEqual(['qualification.missing'])
    const { revision } = (await scene.owner.ok(versions, 'getVersion', { query: { appId } })).version!
    await scene.owner.ok(versions, 'updateVersion', { body: { versionId, countries: ['CN'], revision } })
    expect(await gaps(versionId)).toEqual([])
  })

  it('of 180 days is reminded of, ends, and after 14 days takes the app off the shelf', async () => {
    const appId = await bankingApp()
    const task = await handedIn(appId, 180)
    await decide(task.taskId, 'pass', task.revision)
    const { versionId, revision } = await fillDraft(stage, scene.owner, appId, 1)
    await scene.owner.ok(versions, 'updateVersion', { body: { versionId, countries: ['CN'], revision } })
    await scene.owner.ok(versions, 'submitVersion', { body: { versionId } })
    await stage.settle()
    await scene.approve(versionId)
    expect(await scene.state(versionId)).toBe('ON_SHELF')
    const told = () => scene.eventsOf(task.taskId)
    await turn(119 * day)
    expect(await told()).not.toContain('qualification.expiring')
    for (const days of [1.1, 30, 23, 6]) await turn(days * day)
    expect((await told()).filter(type => type === 'qualification.expiring')).toHaveLength(4)
    expect((await scene.owner.ok(qualification, 'getTaskStatus', { query: { taskId: task.taskId } })).daysLeft).toBe(1)
    await turn(day)
    const status = await scene.owner.ok(qualification, 'getTaskStatus', { query: { taskId: task.taskId } })
    expect([status.status, status.graceUntil]).toEqual([4, (task.expireAt ?? 0) + limits.graceMs])
    await turn(13 * day)
    expect(await scene.state(versionId)).toBe('ON_SHELF')
    await turn(1.5 * day)
    expect(await scene.state(versionId)).toBe('OFF_BY_STORE')
    const { version } = await scene.owner.ok(versionHistory, 'getHistoryVersion', { query: { versionId } })
    expect(version.storeNotice).toMatchObject({ reasonCode: 'QUALIFICATION_ENDED' })
  })

  it('that was renewed in time keeps the app on shelf, and the older one is void', async () => {
    const appId = await bankingApp()
    const first = await handedIn(appId, 90)
    await decide(first.taskId, 'pass', first.revision)
    const early = await scene.owner.call(qualification, 'createTasks', {
      body: { appId, tags: [{ tagId: payments, qualificationInfos: [await paper()] }] },
    })
    expect(early.body.ret.code).toBe(204144828)
    await turn(31 * day)
    const second = await handedIn(appId, 365)
    expect((await decide(second.taskId, 'pass', second.revision)).status).toBe(200)
    expect([(await read(first.taskId)).status, (await read(second.taskId)).status]).toEqual([5, 2])
    await turn(80 * day)
    expect(await scene.eventsOf(first.taskId)).not.toContain('qualification.lapsed')
  })

  it('stands beside another one for other countries, and neither takes the other’s place', async () => {
    const appId = await bankingApp()
    const china = await handedIn(appId, 300)
    await decide(china.taskId, 'pass', china.revision)
    const european = {
      qualificationCode: 'PAYMENT_INSTITUTION_EU',
      files: [{ objectId: await scan() }],
      validityType: 1,
    }
    const { list } = await scene.owner.ok(qualification, 'createTasks', {
      body: { appId, tags: [{ tagId: payments, qualificationInfos: [european] }], submit: true },
    })
    const { versionId } = await fillDraft(stage, scene.owner, appId, 1)
    expect(await gaps(versionId)).toEqual(['qualification.waiting'])
    await decide(list[0]!.taskId, 'pass', list[0]!.revision)
    expect([(await read(china.taskId)).status, (await read(list[0]!.taskId)).status]).toEqual([2, 2])
    expect(await gaps(versionId)).toEqual([])
  })

  it('that is revoked says why, and counts no more', async () => {
    const appId = await bankingApp()
    const task = await handedIn(appId)
    const passed = await decide(task.taskId, 'pass', task.revision)
    const reason = 'The licence was withdrawn by who gave it.'
    expect((await decide(task.taskId, 'revoke', passed.body.revision, reason)).body.status).toBe(5)
    const { versionId } = await fillDraft(stage, scene.owner, appId, 1)
    expect(await gaps(versionId)).toContain('qualification.missing')
    const again = await handedIn(appId)
    expect(again.status).toBe(1)
  })
})
