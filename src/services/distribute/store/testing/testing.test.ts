import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Person } from '../../../../testkit/stage.ts'
import { betaPeople } from '../../beta-test/people/contract.ts'
import { submissions } from '../../review/contract.ts'
import { reviewDesk } from '../../review/desk/contract.ts'
import { reviewPolicies } from '../../review/policies/contract.ts'
import { versions } from '../../versions/contract.ts'
import { versionListings } from '../../versions/listing/contract.ts'
import { versionPhased } from '../../versions/phased/contract.ts'
import { versionTests } from '../../versions/testing/contract.ts'
import { day, mailedAddress, openTestScene, type TestScene } from '../../versions/testing/testing.testkit.ts'
import { current, fillDraft } from '../../versions/versions.testkit.ts'
import { store } from '../contract.ts'

let scene: TestScene
let reviewer: Person
beforeAll(async () => {
  scene = await openTestScene()
})
beforeEach(async () => {
  await scene.newApp()
  reviewer = await scene.stage.person({ staff: ['reviewer'] })
})
afterAll(() => scene.stage.close())

const codeOf = (reply: { body: unknown }) => (reply.body as { ret: { code: number } }).ret.code
const pathOf = (address: string) => new URL(address).pathname
const secretOf = (address: string) => /test\/([^/]+)\//.exec(address)?.[1] ?? ''
const fetchFile = (address: string, name: string) =>
  scene.stage.app.inject({ method: 'GET', url: `${pathOf(address)}/${name}` })
const packageName = () => `com.example.a${scene.appId}`

/** What an F-Droid client sees: the names of the packages below an address. */
async function filesBelow(address: string): Promise<string[]> {
  const reply = await fetchFile(address, 'index-v2.json')
  if (reply.statusCode !== 200) return [`status ${reply.statusCode}`]
  const index = reply.json() as { packages: Record<string, { versions: Record<string, { file: { name: string } }> }> }
  return Object.values(index.packages).flatMap(one => Object.values(one.versions).map(version => version.file.name))
}

/** What a device learns that asks for a newer version. */
async function asked(secret: string, deviceId = 'one', country?: string) {
  const packages = [{ packageName: packageName(), versionCode: 1, ...(country === undefined ? {} : { country }) }]
  const url = '/cn/store/testing/v1/updates'
  const reply = await scene.stage.app.inject({ method: 'POST', url, payload: { token: secret, deviceId, packages } })
  return reply.statusCode === 200 ? reply.json().packages[0] : { result: `status ${reply.statusCode}` }
}

async function judge(verdict: 'APPROVE' | 'REJECT'): Promise<void> {
  const { list } = await reviewer.ok(reviewDesk, 'listTasks', { query: { search: scene.appId, state: 'QUEUED' } })
  const taskId = list[0]?.taskId ?? ''
  await reviewer.ok(reviewDesk, 'claimTask', { body: { taskId } })
  const { list: policies } = await reviewer.ok(reviewPolicies, 'listPolicies', {})
  const issue = { policyId: policies[0]?.policyId ?? '', severity: 'MUST_FIX' as const, text: 'It crashes.' }
  const body = { taskId, verdict, ...(verdict === 'REJECT' && { issues: [issue] }) }
  await reviewer.ok(reviewDesk, 'submitTask', { body })
  await scene.stage.settle()
}

async function openTest(wish: Record<string, unknown> = {}) {
  const { versionId } = await scene.draft()
  const body = { versionId, endAt: scene.stage.clock.now() + 7 * day, ...wish }
  const { test } = await scene.owner.ok(versionTests, 'openTest', { body })
  await scene.stage.settle()
  return test
}

async function runningOpenTest(wish: Record<string, unknown> = {}) {
  const { versionId } = await openTest(wish)
  await judge('APPROVE')
  return scene.see(versionId)
}

describe('testers', () => {
  it('are mailed an address of their own, and it gives them the test', async () => {
    const team = await scene.group('Team', 'INTERNAL', ['ann@example.org', 'bob@example.org'])
    const { versionId, versionCode } = await scene.running([team], { notify: true })
    await scene.stage.settle()
    const [ann, bob] = [
      await mailedAddress(scene.stage, 'ann@example.org'),
      await mailedAddress(scene.stage, 'bob@example.org'),
    ]
    expect(ann).not.toBe(bob)
    const [file] = await filesBelow(ann)
    expect(file).toContain(`${packageName()}_${versionCode}_`)
    const bytes = await fetchFile(ann, (file ?? '').slice(1))
    expect(bytes.statusCode).toBe(200)
    expect(bytes.body).toContain(`package ${scene.appId}`)
    const people = await scene.owner.ok(betaPeople, 'listGroupUsers', { params: { groupId: team } })
    expect(people.list.map(one => [one.account, one.state, one.lastInstall !== null])).toEqual([
      ['bob@example.org', 'INVITED', false],
      ['ann@example.org', 'ACCEPTED', true],
    ])
    expect((await scene.see(versionId)).installCount).toBe(1)
    await fetchFile(ann, (file ?? '').slice(1))
    expect((await scene.see(versionId)).installCount).toBe(1)
  })

  it('are not mailed where the developer does not want it, and twice about nothing', async () => {
    const team = await scene.group('Team', 'INTERNAL', ['quiet@example.org'])
    await scene.running([team])
    await scene.stage.settle()
    const of = async (account: string) => (await scene.stage.mails()).filter(mail => mail.to === account).length
    expect(await of('quiet@example.org')).toBe(0)
    const { versionId } = await scene.running([team], { notify: true })
    await scene.stage.settle()
    expect(await of('quiet@example.org')).toBe(1)
    const users = [{ account: 'late@example.org' }]
    await scene.owner.ok(betaPeople, 'addGroupUsers', { params: { groupId: team }, body: { users } })
    await scene.stage.settle()
    expect([await of('quiet@example.org'), await of('late@example.org')]).toEqual([1, 1])
    expect((await scene.see(versionId)).state).toBe('TESTING')
  })

  it('learn from the update call, each what his groups test, the newest first', async () => {
    const team = await scene.group('Team', 'INTERNAL', ['ann@example.org'])
    const other = await scene.group('Other', 'INTERNAL', ['cora@example.org'])
    const first = await scene.running([team], { notify: true })
    await scene.running([other], { notify: true })
    await scene.stage.settle()
    const ann = secretOf(await mailedAddress(scene.stage, 'ann@example.org'))
    const offer = await asked(ann)
    expect(offer).toMatchObject({
      result: 'UPDATE',
      versionId: first.versionId,
      releaseNotes: 'Look at the start page',
    })
    expect((await scene.stage.app.inject({ method: 'GET', url: new URL(offer.url).pathname })).statusCode).toBe(200)
    const next = await scene.running([team, other])
    expect((await asked(ann)).versionId).toBe(next.versionId)
    expect(await filesBelow(await mailedAddress(scene.stage, 'ann@example.org'))).toHaveLength(2)
  })

  it('are the only ones: the store shows a test to nobody else', async () => {
    const team = await scene.group('Team', 'INTERNAL', ['ann@example.org'])
    await scene.running([team], { notify: true })
    await scene.stage.settle()
    const body = { deviceId: 'one', packages: [{ packageName: packageName(), versionCode: 1 }] }
    const { packages } = await scene.owner.ok(store, 'queryUpdates', { body })
    expect(packages[0]?.result).toBe('NOT_FOUND')
    const [file] = await filesBelow(await mailedAddress(scene.stage, 'ann@example.org'))
    const open = await scene.stage.app.inject({ method: 'GET', url: `/store/download${file}` })
    expect(open.statusCode).toBe(404)
    const secret = secretOf(await mailedAddress(scene.stage, 'ann@example.org'))
    const forged = `${secret.slice(0, -1)}${secret.endsWith('A') ? 'B' : 'A'}`
    expect((await asked(forged)).result).toBe('status 404')
    expect((await asked(secret.replace(/^u\d+/, 'u1'))).result).toBe('status 404')
  })

  it('who are removed, or leave, get nothing from that moment on', async () => {
    const team = await scene.group('Team', 'INTERNAL', ['ann@example.org', 'bob@example.org'])
    await scene.running([team], { notify: true })
    await scene.stage.settle()
    const ann = await mailedAddress(scene.stage, 'ann@example.org')
    const bob = await mailedAddress(scene.stage, 'bob@example.org')
    const params = { groupId: team }
    const { list } = await scene.owner.ok(betaPeople, 'listGroupUsers', { params, query: { search: 'ann' } })
    await scene.owner.ok(betaPeople, 'removeGroupUser', { params, query: { userId: list[0]?.userId ?? '' } })
    expect(await filesBelow(ann)).toEqual(['status 404'])
    const url = '/cn/bts/tester/v1/leave'
    const leave = () => scene.stage.app.inject({ method: 'POST', url, payload: { token: secretOf(bob) } })
    expect((await leave()).json().hasLeft).toBe(true)
    expect((await leave()).json().hasLeft).toBe(false)
    expect(await filesBelow(bob)).toEqual(['status 404'])
    const body = { users: [{ account: 'bob@example.org' }] }
    const early = await scene.owner.call(betaPeople, 'addGroupUsers', { params, body })
    expect([early.status, codeOf(early)]).toEqual([422, betaPeople.errors.userLeft[0]])
    await scene.turn(30 * day)
    await scene.owner.ok(betaPeople, 'addGroupUsers', { params, body })
    // Who comes back gets another address; the one he had stays dead.
    expect(await filesBelow(bob)).toEqual(['status 404'])
  })

  it('lose it when the window ends, also before anybody has swept', async () => {
    const team = await scene.group('Team', 'INTERNAL', ['ann@example.org'])
    await scene.running([team], { notify: true, endAt: scene.stage.clock.now() + day })
    await scene.stage.settle()
    const address = await mailedAddress(scene.stage, 'ann@example.org')
    expect(await filesBelow(address)).toHaveLength(1)
    scene.stage.clock.turn(day)
    expect(await filesBelow(address)).toEqual([])
    await scene.turn(0)
  })

  it('find no secret of theirs in a log', async () => {
    const team = await scene.group('Team', 'INTERNAL', ['ann@example.org'])
    await scene.running([team], { notify: true })
    await scene.stage.settle()
    const address = await mailedAddress(scene.stage, 'ann@example.org')
    const lines: string[] = []
    const { log } = scene.stage.booted.server
    const [debug, isLevelEnabled] = [log.debug, log.isLevelEnabled]
    log.debug = ((detail: unknown) => lines.push(JSON.stringify(detail))) as typeof log.debug
    log.isLevelEnabled = () => true
    try {
      for (const name of ['entry.jar', 'nothing.apk']) await fetchFile(address, name)
    } finally {
      log.debug = debug
      log.isLevelEnabled = isLevelEnabled
    }
    expect(lines.length).toBeGreaterThan(0)
    expect(lines.join('\n')).not.toContain(secretOf(address))
  })
})

describe('the light review', () => {
  it('shows a test to the desk as what it is, and starts it when it is passed', async () => {
    const friends = await scene.group('Friends', 'EXTERNAL', ['fay@example.org'])
    const { versionId } = await scene.running([friends], { notify: true })
    await scene.stage.settle()
    expect((await scene.stage.mails()).some(mail => mail.to === 'fay@example.org')).toBe(false)
    const { list } = await reviewer.ok(reviewDesk, 'listTasks', { query: { search: scene.appId } })
    expect(list[0]).toMatchObject({ itemKind: 'TEST', queue: 'UPDATE', versionId, state: 'QUEUED' })
    const detail = await reviewer.ok(reviewDesk, 'getTask', { query: { taskId: list[0]?.taskId ?? '' } })
    expect(detail.evidence.version).toMatchObject({ versionId, remark: 'Look at the start page' })
    await judge('APPROVE')
    const test = await scene.see(versionId)
    expect([test.state, test.approvedAt !== null]).toEqual(['TESTING', true])
    expect(await scene.eventsOf(versionId)).toContain('test.started')
    expect(await filesBelow(await mailedAddress(scene.stage, 'fay@example.org'))).toHaveLength(1)
    const { list: threads } = await scene.owner.ok(submissions, 'listSubmissions', { query: { appId: scene.appId } })
    expect(threads.map(one => one.state)).toEqual(['COMPLETE'])
  })

  it('refuses with a note, and the test is released again as it is', async () => {
    const { versionId } = await openTest()
    await judge('REJECT')
    const test = await scene.see(versionId)
    expect(test).toMatchObject({ state: 'REJECTED', releaseState: 1 })
    expect(test.rejection?.note).toContain('It crashes.')
    const body = { versionId, endAt: scene.stage.clock.now() + day }
    await scene.owner.ok(versionTests, 'openTest', { body })
    await scene.stage.settle()
    await judge('APPROVE')
    expect((await scene.see(versionId)).state).toBe('TESTING')
  })

  it('ends when the developer takes the test back', async () => {
    const { versionId } = await openTest()
    await scene.owner.ok(versionTests, 'stopTest', { body: { versionId } })
    await scene.stage.settle()
    const { list } = await reviewer.ok(reviewDesk, 'listTasks', { query: { search: scene.appId } })
    expect(list.map(task => task.state)).toEqual(['CANCELED'])
    expect((await scene.see(versionId)).state).toBe('WITHDRAWN')
  })
})

describe('an open test', () => {
  it('is always reviewed, and takes 100,000 installs where nothing is said', async () => {
    expect(await openTest()).toMatchObject({
      state: 'IN_REVIEW',
      testType: 4,
      installLimit: 100_000,
      shareAddress: null,
      countries: [],
    })
  })

  it('goes to whoever has its address, in its countries', async () => {
    const test = await runningOpenTest({ countries: ['DE'] })
    const secret = secretOf(test.shareAddress ?? '')
    expect(await filesBelow(test.shareAddress ?? '')).toHaveLength(1)
    expect((await asked(secret, 'one', 'DE')).result).toBe('UPDATE')
    expect((await asked(secret, 'one', 'FR')).result).toBe('OFF_SHELF')
    await scene.owner.ok(versionTests, 'stopTest', { body: { versionId: test.versionId } })
    expect(await filesBelow(test.shareAddress ?? '')).toEqual([])
  })

  it('is full with its limit, says so once, and has room again when that is raised', async () => {
    const test = await runningOpenTest({ installLimit: 1 })
    const { versionId } = test
    const address = test.shareAddress ?? ''
    const [file = ''] = await filesBelow(address)
    const download = (remoteAddress: string) =>
      scene.stage.app.inject({ method: 'GET', url: `${pathOf(address)}${file}`, remoteAddress })
    expect((await download('10.0.0.1')).statusCode).toBe(200)
    expect((await download('10.0.0.1')).statusCode).toBe(200)
    expect((await download('10.0.0.2')).statusCode).toBe(404)
    expect((await asked(secretOf(address), 'another')).result).toBe('NOT_FOUND')
    const full = await scene.see(versionId)
    expect([full.installCount, full.quotaReachedAt !== null]).toEqual([1, true])
    expect((await scene.eventsOf(versionId)).filter(type => type === 'test.quota.reached')).toHaveLength(1)
    await scene.owner.ok(versionTests, 'updateTest', { body: { versionId, installLimit: 2 } })
    expect((await download('10.0.0.2')).statusCode).toBe(200)
    const below = await scene.owner.call(versionTests, 'updateTest', { body: { versionId, installLimit: 1 } })
    expect([below.status, codeOf(below)]).toEqual([422, versionTests.errors.installsBelow[0]])
  })

  it('takes no more than its limit when many come at once', async () => {
    const test = await runningOpenTest({ installLimit: 3 })
    const address = test.shareAddress ?? ''
    const [file = ''] = await filesBelow(address)
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, one) =>
        scene.stage.app.inject({ method: 'GET', url: `${pathOf(address)}${file}`, remoteAddress: `10.1.0.${one}` }),
      ),
    )
    expect(replies.filter(reply => reply.statusCode === 200)).toHaveLength(3)
    expect((await scene.see(test.versionId)).installCount).toBe(3)
  })

  it('needs an end and known countries', async () => {
    const { versionId } = await scene.draft()
    const endAt = scene.stage.clock.now() + day
    expect((await scene.owner.call(versionTests, 'openTest', { body: { versionId } })).status).toBe(400)
    const wrong = { versionId, endAt, countries: ['XX'] }
    expect((await scene.owner.call(versionTests, 'openTest', { body: wrong })).status).toBe(400)
  })
})

describe('a test that becomes a formal version', () => {
  const promote = (versionId: string, wish: Record<string, unknown> = {}) =>
    scene.owner.call(versionTests, 'openTest', { body: { versionId, action: 'PROMOTE', ...wish } })

  it('goes on shelf without another review when bytes and words are the same', async () => {
    await fillDraft(scene.stage, scene.owner, scene.appId, 50)
    const test = await runningOpenTest()
    const reply = await promote(test.versionId)
    expect(reply.status).toBe(200)
    await scene.stage.settle()
    const { promotedTo, state } = await scene.see(test.versionId)
    const version = await current(scene.owner, promotedTo ?? '')
    expect(version).toMatchObject({ state: 'ON_SHELF', pkgId: test.pkgId, versionCode: test.versionCode })
    expect(state).toBe('PROMOTED')
    const { list } = await reviewer.ok(reviewDesk, 'listTasks', { query: { search: scene.appId } })
    expect(list.map(task => task.itemKind)).toEqual(['TEST'])
    const threads = await scene.owner.ok(submissions, 'listSubmissions', { query: { appId: scene.appId } })
    expect(threads.list.map(one => one.state)).toEqual(['COMPLETE', 'COMPLETE'])
    expect(await scene.eventsOf(test.versionId)).toContain('test.promoted')
    const again = await promote(test.versionId)
    expect(again.status).toBe(422)
  })

  it('is reviewed in full when the words are others', async () => {
    await fillDraft(scene.stage, scene.owner, scene.appId, 50)
    const test = await runningOpenTest()
    const { version } = await scene.owner.ok(versions, 'getVersion', { query: { appId: scene.appId } })
    const { versionId, revision } = version!
    const words = { versionId, lang: 'enUS', newFeatures: 'Nobody has read this.', revision }
    await scene.owner.ok(versionListings, 'updateListing', { body: words })
    await promote(test.versionId)
    await scene.stage.settle()
    expect((await current(scene.owner, versionId)).state).toBe('IN_REVIEW')
    const { list } = await reviewer.ok(reviewDesk, 'listTasks', { query: { search: scene.appId, state: 'QUEUED' } })
    expect(list.map(task => [task.itemKind, task.versionId])).toEqual([['VERSION', versionId]])
  })

  it('goes to some devices first where a full version is on shelf', async () => {
    await fillDraft(scene.stage, scene.owner, scene.appId, 50)
    const whole = await runningOpenTest()
    expect(codeOf(await promote(whole.versionId, { releaseType: 2 }))).toBe(versionPhased.errors.notForFirst[0])
    expect((await promote(whole.versionId)).status).toBe(200)
    await scene.stage.settle()
    const next = await runningOpenTest()
    const phasedInfo = { kind: 'PERCENT', percent: '12.50' }
    const phasedDescription = 'An eighth first'
    expect((await promote(next.versionId, { releaseType: 2, phasedInfo, phasedDescription })).status).toBe(200)
    await scene.stage.settle()
    const { promotedTo } = await scene.see(next.versionId)
    const query = { versionId: promotedTo ?? '' }
    const { phased } = await scene.owner.ok(versionPhased, 'listPhasedChanges', { query })
    expect((await current(scene.owner, query.versionId)).state).toBe('PHASED')
    expect(phased).toMatchObject({ percent: '12.50', description: 'An eighth first' })
  })

  it('may wait for a time', async () => {
    await fillDraft(scene.stage, scene.owner, scene.appId, 50)
    const test = await runningOpenTest()
    const reply = await promote(test.versionId, { releaseTime: scene.stage.clock.now() + day })
    expect(reply.status).toBe(200)
    await scene.stage.settle()
    const { promotedTo, state } = await scene.see(test.versionId)
    expect([(await current(scene.owner, promotedTo ?? '')).state, state]).toEqual(['PENDING_RELEASE', 'TESTING'])
  })

  it('is refused while the formal lane is busy, for what nobody reviewed, and for test-only packages', async () => {
    const { versionId } = await fillDraft(scene.stage, scene.owner, scene.appId, 50)
    const test = await runningOpenTest()
    const team = await scene.group('Team', 'INTERNAL', ['ann@example.org'])
    const internal = await scene.running([team])
    expect(codeOf(await promote(internal.versionId))).toBe(versionTests.errors.notReviewed[0])
    const reader = await scene.stage.person({ team: scene.owner.teamId, roles: ['developer'] })
    const body = { versionId: test.versionId, action: 'PROMOTE' as const }
    expect((await reader.call(versionTests, 'openTest', { body })).status).toBe(403)
    await scene.stage.sql('CN', "UPDATE packages SET usage = 'TEST_ONLY' WHERE pkg_id = $1", [test.pkgId])
    expect(codeOf(await promote(test.versionId))).toBe(versions.errors.packageTestOnly[0])
    await scene.stage.sql('CN', "UPDATE packages SET usage = 'TEST_AND_FORMAL' WHERE pkg_id = $1", [test.pkgId])
    await scene.owner.ok(versions, 'submitVersion', { body: { versionId } })
    expect(codeOf(await promote(test.versionId))).toBe(versions.errors.openVersionExists[0])
  })
})
