import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { versions } from '../contract.ts'
import { fillDraft, newApp, putPackage, submitted } from '../versions.testkit.ts'
import { versionTests } from './contract.ts'
import { testLimits } from './rules.ts'
import { day, openTestScene, type TestScene } from './testing.testkit.ts'

let scene: TestScene
beforeAll(async () => {
  scene = await openTestScene()
})
beforeEach(() => scene.newApp())
afterAll(() => scene.stage.close())

const codeOf = (reply: { body: unknown }) => (reply.body as { ret: { code: number } }).ret.code
const { errors } = versionTests

describe('a test for groups', () => {
  it('runs at once when all groups are internal, and tells of it', async () => {
    const team = await scene.group('Team', 'INTERNAL', ['ann@example.org'])
    const test = await scene.running([team])
    expect(test).toMatchObject({
      lane: 'TEST',
      state: 'TESTING',
      releaseState: 0,
      testType: 3,
      groups: [{ name: 'Team', kind: 'INTERNAL' }],
      approvedAt: null,
      startedAt: expect.any(Number),
      allowedActions: ['extend', 'stop'],
    })
    expect(await scene.eventsOf(test.versionId)).toEqual(['test.created', 'test.submitted', 'test.started'])
  })

  it('is reviewed when one group is external, and starts when the store passes it', async () => {
    const both = [
      await scene.group('Team', 'INTERNAL', ['ann@example.org']),
      await scene.group('Friends', 'EXTERNAL', ['bob@example.org']),
    ]
    const test = await scene.running(both)
    expect([test.state, test.releaseState]).toEqual(['IN_REVIEW', 4])
  })

  it('leaves the formal lane alone: the draft stays, is submitted and goes its way', async () => {
    const team = await scene.group('Team', 'INTERNAL', ['ann@example.org'])
    const { versionId } = await fillDraft(scene.stage, scene.owner, scene.appId, 7)
    await scene.running([team])
    const formal = await scene.owner.ok(versions, 'getVersion', { query: { appId: scene.appId } })
    expect(formal.version).toMatchObject({ versionId, state: 'DRAFT' })
    expect((await submitted(scene.stage, scene.owner, versionId)).state).toBe('IN_REVIEW')
    const all = await scene.owner.ok(versions, 'listVersions', { query: { appId: scene.appId } })
    expect(all.total).toBe(1)
  })

  it('may use a package that is for testing only', async () => {
    const team = await scene.group('Team', 'INTERNAL', ['ann@example.org'])
    const draft = await scene.draft(scene.appId, { usage: 'TEST_ONLY' })
    expect((await scene.release(draft.versionId, [team])).state).toBe('TESTING')
  })

  it('waits for its start and ends with its window, by the clock of the server', async () => {
    const team = await scene.group('Team', 'INTERNAL', ['ann@example.org'])
    const now = scene.stage.clock.now()
    const { versionId, state } = await scene.running([team], { startAt: now + day, endAt: now + 3 * day })
    expect(state).toBe('WAITING')
    await scene.turn(day - 60_000)
    expect((await scene.see(versionId)).state).toBe('WAITING')
    await scene.turn(60_000)
    expect((await scene.see(versionId)).state).toBe('TESTING')
    await scene.turn(2 * day)
    const over = await scene.see(versionId)
    expect(over.state).toBe('EXPIRED')
    expect(over.endedAt).toBeGreaterThanOrEqual(now + 3 * day)
    expect(await scene.eventsOf(versionId)).toEqual(['test.created', 'test.submitted', 'test.started', 'test.expired'])
  })

  it('can be given more time, up to 90 days from its start, and stopped', async () => {
    const team = await scene.group('Team', 'INTERNAL', ['ann@example.org'])
    const { versionId, startAt } = await scene.running([team])
    const until = (startAt ?? 0) + testLimits.windowMs
    const more = await scene.owner.ok(versionTests, 'updateTest', { body: { versionId, endAt: until } })
    expect(more).toMatchObject({ endAt: until, state: 'TESTING' })
    const tooLong = await scene.owner.call(versionTests, 'updateTest', { body: { versionId, endAt: until + 1 } })
    expect([tooLong.status, codeOf(tooLong)]).toEqual([422, errors.testWindow[0]])
    const limited = await scene.owner.call(versionTests, 'updateTest', { body: { versionId, installLimit: 5 } })
    expect(limited.status).toBe(400)
    const stopped = await scene.owner.ok(versionTests, 'stopTest', { body: { versionId } })
    expect([stopped.state, stopped.releaseState]).toEqual(['STOPPED', 10])
    expect((await scene.owner.call(versionTests, 'stopTest', { body: { versionId } })).status).toBe(422)
  })

  it('is deleted only when it is over', async () => {
    const team = await scene.group('Team', 'INTERNAL', ['ann@example.org'])
    const { versionId } = await scene.running([team])
    expect((await scene.owner.call(versionTests, 'deleteTestVersion', { query: { versionId } })).status).toBe(422)
    await scene.owner.ok(versionTests, 'stopTest', { body: { versionId } })
    await scene.owner.ok(versionTests, 'deleteTestVersion', { query: { versionId } })
    expect((await scene.owner.call(versionTests, 'getTestVersion', { query: { versionId } })).status).toBe(404)
  })
})

describe('a test is refused', () => {
  const refused = async (versionId: string, groupIds: string[], wish: Record<string, unknown> = {}) => {
    const body = { versionId, groupIds, endAt: scene.stage.clock.now() + day, ...wish }
    const reply = await scene.owner.call(versionTests, 'releaseTest', { body })
    return [reply.status, codeOf(reply)]
  }

  it('with a group that nobody is in', async () => {
    const groups = [
      await scene.group('Team', 'INTERNAL', ['ann@example.org']),
      await scene.group('Empty', 'EXTERNAL', []),
    ]
    const { versionId } = await scene.draft()
    expect(await refused(versionId, groups)).toEqual([422, errors.testGroupEmpty[0]])
    expect((await scene.see(versionId)).state).toBe('DRAFT')
  })

  it.each([
    ['that is over before it begins', { startAt: 2 * day, endAt: day }],
    ['that has passed', { endAt: -day }],
    ['of more than 90 days', { endAt: testLimits.windowMs + 1000 }],
    ['that begins in more than 90 days', { startAt: 91 * day, endAt: 92 * day }],
  ])('with a window %s', async (_, wish) => {
    const team = await scene.group('Team', 'INTERNAL', ['ann@example.org'])
    const { versionId } = await scene.draft()
    const now = scene.stage.clock.now()
    const at = Object.fromEntries(Object.entries(wish).map(([name, ms]) => [name, now + ms]))
    expect(await refused(versionId, [team], at)).toEqual([422, errors.testWindow[0]])
  })

  it('for a version of the formal lane, and for a code that was on shelf', async () => {
    const team = await scene.group('Team', 'INTERNAL', ['ann@example.org'])
    const { versionId, pkgId } = await fillDraft(scene.stage, scene.owner, scene.appId, 7)
    expect(await refused(versionId, [team])).toEqual([422, errors.alreadyFormal[0]])
    const open = { versionId, endAt: scene.stage.clock.now() + day }
    const opened = await scene.owner.call(versionTests, 'openTest', { body: open })
    expect(codeOf(opened)).toBe(errors.alreadyFormal[0])
    await scene.stage.sql('CN', "UPDATE versions SET state = 'ON_SHELF', on_shelf_at = 1 WHERE version_id = $1", [
      versionId,
    ])
    const body = { appId: scene.appId, pkgId: pkgId ?? '', testDesc: 'Again' }
    const made = await scene.owner.call(versionTests, 'createTestVersion', { body })
    expect([made.status, codeOf(made)]).toEqual([422, errors.alreadyFormal[0]])
  })

  it('when the app has twenty of them', async () => {
    const team = await scene.group('Team', 'INTERNAL', ['ann@example.org'])
    const tests: string[] = []
    for (let one = 0; one < testLimits.live; one++) tests.push((await scene.running([team])).versionId)
    const { versionId } = await scene.draft()
    expect(await refused(versionId, [team])).toEqual([422, errors.testLimit[0]])
    await scene.owner.ok(versionTests, 'stopTest', { body: { versionId: tests[0]! } })
    expect((await scene.release(versionId, [team])).state).toBe('TESTING')
  })

  it('with a package that is not processed, or another app has', async () => {
    const wish = { appId: scene.appId, testDesc: 'Look' }
    const fresh = await putPackage(scene.stage, scene.owner, { appId: scene.appId, versionCode: 3, state: 'PARSING' })
    const early = await scene.owner.call(versionTests, 'createTestVersion', { body: { ...wish, pkgId: fresh } })
    expect([early.status, codeOf(early)]).toEqual([422, errors.packageNotReady[0]])
    const other = await newApp(scene.owner)
    const foreign = await putPackage(scene.stage, scene.owner, { appId: other.appId, versionCode: 3 })
    const wrong = await scene.owner.call(versionTests, 'createTestVersion', { body: { ...wish, pkgId: foreign } })
    expect([wrong.status, codeOf(wrong)]).toEqual([422, errors.packageOfOtherApp[0]])
  })

  it('with a group of another app, and to whoever may not test or is of another team', async () => {
    const elsewhere = await scene.group('Theirs', 'INTERNAL', ['ann@example.org'], (await newApp(scene.owner)).appId)
    const { versionId } = await scene.draft()
    expect((await refused(versionId, [elsewhere]))[0]).toBe(404)
    const body = { versionId, groupIds: [elsewhere], endAt: scene.stage.clock.now() + day }
    const stranger = await scene.stage.person()
    expect((await stranger.call(versionTests, 'releaseTest', { body })).status).toBe(404)
    expect((await stranger.call(versionTests, 'getTestVersion', { query: { versionId } })).status).toBe(404)
    const reader = await scene.stage.person({ team: scene.owner.teamId, roles: ['analyst'] })
    expect((await reader.call(versionTests, 'releaseTest', { body })).status).toBe(403)
    expect((await reader.ok(versionTests, 'getTestVersion', { query: { versionId } })).allowedActions).toEqual([])
  })

  it('when somebody else changed it meanwhile', async () => {
    const team = await scene.group('Team', 'INTERNAL', ['ann@example.org'])
    const { versionId, revision } = await scene.draft()
    await scene.release(versionId, [team], { revision })
    const stale = await scene.owner.call(versionTests, 'stopTest', { body: { versionId, revision } })
    expect(stale.status).toBe(409)
  })
})

describe('groups', () => {
  const check = (query: { groupId?: string; name?: string }) =>
    scene.owner.ok(versionTests, 'checkTestGroup', { query: { appId: scene.appId, ...query } })

  it('are checked: there or not, what uses them, how many people there may still be', async () => {
    expect(await check({ name: 'Team' })).toMatchObject({
      exists: false,
      groupId: null,
      inUseByVersionIds: [],
      remainingUsers: 10_000,
    })
    const team = await scene.group('Team', 'INTERNAL', ['ann@example.org', 'bob@example.org'])
    await scene.group('More', 'EXTERNAL', ['ann@example.org'])
    const { versionId } = await scene.running([team])
    const found = { exists: true, groupId: team, inUseByVersionIds: [versionId], remainingUsers: 9998 }
    expect(await check({ name: 'TEAM' })).toMatchObject(found)
    expect(await check({ groupId: team })).toMatchObject(found)
    const nothing = await scene.owner.call(versionTests, 'checkTestGroup', { query: { appId: scene.appId } })
    expect(nothing.status).toBe(400)
  })
})

describe('the list of tests', () => {
  it('comes page by page and is filtered by state, type, group and words', async () => {
    const team = await scene.group('Team', 'INTERNAL', ['ann@example.org'])
    const friends = await scene.group('Friends', 'EXTERNAL', ['bob@example.org'])
    const first = await scene.running([team])
    const second = await scene.running([friends])
    const third = await scene.draft()
    const { appId } = scene
    const ids = async (wish: Record<string, unknown>) => {
      const page = await scene.owner.ok(versionTests, 'listTestVersions', { body: { appId, ...wish } })
      return { ...page, list: page.list.map(test => test.versionId) }
    }
    const page = await ids({ pageSize: 2 })
    expect([page.total, page.list]).toEqual([3, [third.versionId, second.versionId]])
    expect((await ids({ pageSize: 2, cursor: page.nextCursor ?? '' })).list).toEqual([first.versionId])
    expect((await ids({ states: ['TESTING', 'DRAFT'] })).list).toEqual([third.versionId, first.versionId])
    expect((await ids({ testType: 3 })).list).toEqual([second.versionId, first.versionId])
    expect((await ids({ groupId: friends })).list).toEqual([second.versionId])
    expect((await ids({ search: third.versionCode })).list).toEqual([third.versionId])
    expect((await ids({ search: 'start page' })).total).toBe(3)
    const stranger = await scene.stage.person()
    expect((await stranger.call(versionTests, 'listTestVersions', { body: { appId } })).status).toBe(404)
  })
})
