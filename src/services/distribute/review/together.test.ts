import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openStage, type Person, type Stage } from '../../../testkit/stage.ts'
import { versions } from '../versions/contract.ts'
import { versionHistory } from '../versions/history/contract.ts'
import { submissions } from './contract.ts'
import { reviewDesk } from './desk/contract.ts'
import { draftVersion, waitingTask } from './review.testkit.ts'
import { sensitiveApps } from './sensitive/contract.ts'

let stage: Stage
let developer: Person
let reviewer: Person
beforeAll(async () => {
  stage = await openStage()
})
beforeEach(async () => {
  developer = await stage.person()
  reviewer = await stage.person({ staff: ['reviewer'] })
})
afterAll(() => stage.close())

const issue = { policyId: '2.1', severity: 'MUST_FIX' as const, text: 'The icon shows another app.' }
const read = (submissionId: string, who = developer) =>
  who.ok(submissions, 'getSubmission', { query: { submissionId } })

async function taskOf(versionId: string) {
  const { list } = await reviewer.ok(reviewDesk, 'listTasks', { query: { state: 'QUEUED', pageSize: 100 } })
  return list.find(task => task.versionId === versionId)?.taskId ?? ''
}

async function decide(who: Person, taskId: string, verdict: 'APPROVE' | 'REJECT') {
  await who.ok(reviewDesk, 'claimTask', { body: { taskId } })
  const body = { taskId, verdict, ...(verdict === 'REJECT' ? { issues: [issue] } : {}) }
  return who.ok(reviewDesk, 'submitTask', { body })
}

async function together(names: string[], release: 'EACH' | 'TOGETHER' = 'EACH') {
  const drafts = []
  for (const name of names) drafts.push(await draftVersion(stage, developer, name))
  const versionIds = drafts.map(draft => draft.versionId)
  const made = await developer.ok(submissions, 'createSubmission', {
    body: { versionIds, title: 'The suite', release },
  })
  await stage.settle()
  return { drafts, versionIds, submissionId: made.submissionId }
}

const versionNow = async (versionId: string) =>
  (await developer.ok(versionHistory, 'getHistoryVersion', { query: { versionId } })).version

describe('several versions in one submission', () => {
  it('are each decided, and the whole is answered when the last one is', async () => {
    const { submissionId, drafts, versionIds } = await together(['Writer', 'Reader'])
    const [one, two] = versionIds as [string, string]
    const begun = await read(submissionId)
    expect(begun).toMatchObject({ state: 'WAITING', title: 'The suite', items: [{ refId: one }, { refId: two }] })
    expect(begun.items.map(item => item.appName)).toEqual(['Writer', 'Reader'])
    expect(begun.positions).toHaveLength(2)
    await decide(reviewer, await taskOf(one), 'APPROVE')
    const half = await read(submissionId)
    expect([half.state, half.items.map(item => item.state)]).toEqual(['IN_REVIEW', ['ACCEPTED', 'PENDING']])
    expect(half.messages.map(message => message.kind)).toEqual(['APPROVAL'])
    await decide(reviewer, await taskOf(two), 'REJECT')
    const answered = await read(submissionId)
    expect([answered.state, answered.waitingFor]).toEqual(['UNRESOLVED', 'developer'])
    expect(answered.messages.at(-1)).toMatchObject({
      kind: 'SUMMARY',
      results: [
        { appName: 'Writer', state: 'ACCEPTED' },
        { appName: 'Reader', state: 'REJECTED' },
      ],
    })
    // The next draft of the one that is on shelf changes nothing of what the app's page finds.
    await developer.ok(versions, 'createVersion', { body: { appId: drafts[0]!.appId } })
    const ofApp = await developer.ok(submissions, 'getSubmission', { query: { appId: drafts[0]!.appId } })
    expect(ofApp.submissionId).toBe(submissionId)
    await developer.ok(versions, 'submitVersion', { body: { versionId: two } })
    await stage.settle()
    expect((await read(submissionId)).state).toBe('WAITING')
    await decide(reviewer, await taskOf(two), 'APPROVE')
    const over = await read(submissionId)
    expect([over.state, over.items.map(item => item.state)]).toEqual(['COMPLETE', ['ACCEPTED', 'ACCEPTED']])
    expect(over.medianWaitMs).toBeGreaterThanOrEqual(0)
  })

  it('are submitted all or not at all, and the refusal names the one that is not ready', async () => {
    const ready = await draftVersion(stage, developer, 'Ready')
    const other = await draftVersion(stage, developer, 'Bare', 'ANDROID')
    const versionIds = [ready.versionId, other.versionId]
    const reply = await developer.call(submissions, 'createSubmission', { body: { versionIds } })
    expect([reply.status, reply.body.ret.code, reply.body['versionId']]).toEqual([422, 204160003, other.versionId])
    const { version } = await developer.ok(versions, 'getVersion', { query: { appId: ready.appId } })
    expect(version?.state).toBe('DRAFT')
    const query = { versionId: ready.versionId }
    expect((await developer.call(submissions, 'getSubmission', { query })).status).toBe(404)
    const stranger = await stage.person()
    const foreign = await stranger.call(submissions, 'createSubmission', { body: { versionIds: [ready.versionId] } })
    expect(foreign.status).toBe(404)
  })

  it('go on shelf together where that was chosen: the last acceptance lets all of them go at once', async () => {
    const { submissionId, versionIds } = await together(['Left hand', 'Right hand'], 'TOGETHER')
    const [one, two] = versionIds as [string, string]
    await decide(reviewer, await taskOf(one), 'APPROVE')
    await stage.settle()
    await stage.booted.worker.sweep()
    const half = await read(submissionId)
    expect(half).toMatchObject({ release: 'TOGETHER', items: [{ isHeldBack: true }, { isHeldBack: false }] })
    const held = await versionNow(one)
    expect(held).toMatchObject({ state: 'PENDING_RELEASE', heldBy: submissionId, releaseMode: 'AUTO' })
    expect(held.allowedActions).not.toContain('release')
    const alone = await developer.call(versions, 'updateReleaseTime', { body: { versionId: one, changeType: 1 } })
    expect([alone.status, alone.body.ret.code]).toEqual([422, 202030016])
    await decide(reviewer, await taskOf(two), 'APPROVE')
    await stage.settle()
    expect((await read(submissionId)).state).toBe('COMPLETE')
    const both = await Promise.all([one, two].map(versionNow))
    expect(both.map(version => [version.state, version.heldBy])).toEqual([
      ['ON_SHELF', null],
      ['ON_SHELF', null],
    ])
    const moves = await stage.sql<{ transactions: string }>(
      'CN',
      "SELECT count(DISTINCT xmin::text) AS transactions FROM audit WHERE action = 'version.releaseTogether' AND entity_id = ANY($1)",
      [[one, two]],
    )
    expect(moves).toEqual([{ transactions: '1' }])
  })

  it('are held back by one that is refused until it is accepted after a change', async () => {
    const { submissionId, versionIds } = await together(['Lock', 'Key'], 'TOGETHER')
    const [one, two] = versionIds as [string, string]
    await decide(reviewer, await taskOf(one), 'APPROVE')
    await decide(reviewer, await taskOf(two), 'REJECT')
    await stage.settle()
    const answered = await read(submissionId)
    expect([answered.state, answered.items.map(item => [item.isHeldBack, item.allowedActions])]).toEqual([
      'UNRESOLVED',
      [
        [true, []],
        [false, ['remove', 'appeal']],
      ],
    ])
    await developer.ok(versions, 'submitVersion', { body: { versionId: two } })
    await stage.settle()
    expect((await versionNow(one)).state).toBe('PENDING_RELEASE')
    await decide(reviewer, await taskOf(two), 'APPROVE')
    await stage.settle()
    expect([(await versionNow(one)).state, (await versionNow(two)).state]).toEqual(['ON_SHELF', 'ON_SHELF'])
  })

  it('go on shelf without the refused one when it is taken out, which can be handed in alone then', async () => {
    const { submissionId, versionIds } = await together(['Cup', 'Saucer'], 'TOGETHER')
    const [one, two] = versionIds as [string, string]
    await decide(reviewer, await taskOf(one), 'APPROVE')
    await decide(reviewer, await taskOf(two), 'REJECT')
    await stage.settle()
    const { items } = await read(submissionId)
    const [accepted, refused] = items as [(typeof items)[0], (typeof items)[0]]
    const early = { submissionId, itemId: accepted.itemId }
    const not = await developer.call(submissions, 'removeItem', { body: early })
    expect([not.status, not.body.ret.code]).toEqual([422, 202040010])
    const body = { submissionId, itemId: refused.itemId }
    const operations = await stage.person({ team: developer.teamId, roles: ['operations'] })
    expect((await operations.call(submissions, 'removeItem', { body })).status).toBe(403)
    const stranger = await stage.person()
    expect((await stranger.call(submissions, 'removeItem', { body })).status).toBe(404)
    expect(await developer.ok(submissions, 'removeItem', { body })).toMatchObject({
      state: 'COMPLETE',
      items: [{ state: 'ACCEPTED' }, { state: 'REMOVED' }],
    })
    await stage.settle()
    expect((await versionNow(one)).state).toBe('ON_SHELF')
    expect(await versionNow(two)).toMatchObject({ state: 'REJECTED', heldBy: null })
    await developer.ok(versions, 'submitVersion', { body: { versionId: two } })
    await stage.settle()
    const anew = await developer.ok(submissions, 'getSubmission', { query: { versionId: two } })
    expect([anew.submissionId === submissionId, anew.release, anew.items.length]).toEqual([false, 'EACH', 1])
  })

  it('let go of an accepted one that is withdrawn while it waits, and of the rest when nothing is open', async () => {
    const { submissionId, versionIds } = await together(['Sun', 'Moon', 'Star'], 'TOGETHER')
    const [one, two, three] = versionIds as [string, string, string]
    await decide(reviewer, await taskOf(one), 'APPROVE')
    await decide(reviewer, await taskOf(two), 'APPROVE')
    await developer.ok(versions, 'withdrawVersion', { body: { versionId: one } })
    await stage.settle()
    expect((await read(submissionId)).items.map(item => item.state)).toEqual(['REMOVED', 'ACCEPTED', 'PENDING'])
    expect(await versionNow(one)).toMatchObject({ state: 'WITHDRAWN', heldBy: null })
    await developer.ok(versions, 'withdrawVersion', { body: { versionId: three } })
    await stage.settle()
    expect([(await read(submissionId)).state, (await versionNow(two)).state]).toEqual(['COMPLETE', 'ON_SHELF'])
  })

  it('take no other release than the common one', async () => {
    const { versionIds } = await together(['Salt', 'Pepper'], 'TOGETHER')
    const [one] = versionIds as [string, string]
    await decide(reviewer, await taskOf(one), 'REJECT')
    const body = { versionId: one, releaseMode: 'MANUAL' as const }
    const other = await developer.call(versions, 'submitVersion', { body })
    expect([other.status, other.body.ret.code]).toEqual([422, 202030016])
    const late = { versionId: versionIds[1]!, changeType: 3, releaseTime: stage.clock.now() + 3_600_000 }
    expect((await developer.call(versions, 'updateReleaseTime', { body: late })).body.ret.code).toBe(202030016)
  })

  it('go on without one that is taken back, and end when nothing is left', async () => {
    const { submissionId, versionIds } = await together(['Left', 'Right'])
    const [one, two] = versionIds as [string, string]
    await developer.ok(versions, 'withdrawVersion', { body: { versionId: one } })
    await stage.settle()
    const half = await read(submissionId)
    expect([half.state, half.items.map(item => item.state)]).toEqual(['WAITING', ['REMOVED', 'PENDING']])
    await developer.ok(versions, 'withdrawVersion', { body: { versionId: two } })
    await stage.settle()
    expect((await read(submissionId)).state).toBe('CANCELED')
    const { list, total } = await developer.ok(submissions, 'listSubmissions', { query: {} })
    expect([total, list[0]?.itemCount, list[0]?.title]).toEqual([1, 2, 'The suite'])
  })
})

describe('an app where two must agree', () => {
  async function sensitiveTask(name: string) {
    const senior = await stage.person({ staff: ['seniorReviewer'] })
    const found = await waitingTask(stage, developer, reviewer, name)
    const body = { appId: found.appId, isSensitive: true, reason: 'It handles payments.' }
    expect((await reviewer.call(sensitiveApps, 'updateSensitiveApp', { body })).status).toBe(403)
    await senior.ok(sensitiveApps, 'updateSensitiveApp', { body })
    return { ...found, senior, second: await stage.person({ staff: ['reviewer'] }) }
  }

  it('is decided by the second reviewer, who is not the first and has not seen what he thought', async () => {
    const { taskId, second, versionId } = await sensitiveTask('Bank')
    const passed = await decide(reviewer, taskId, 'APPROVE')
    expect(passed).toMatchObject({ state: 'QUEUED', needsSecond: true, opinionCount: 1, claimedBy: null })
    expect((await developer.ok(submissions, 'getSubmission', { query: { versionId } })).messages).toEqual([])
    const again = await reviewer.call(reviewDesk, 'claimTask', { body: { taskId } })
    expect([again.status, again.body.ret.code]).toEqual([403, 202040007])
    const seen = await second.ok(reviewDesk, 'getTask', { query: { taskId } })
    expect([seen.task.opinions, seen.task.allowedActions]).toEqual([[], ['claim']])
    const decided = await decide(second, taskId, 'APPROVE')
    expect(decided).toMatchObject({ state: 'DECIDED', verdict: 'APPROVE', opinionCount: 2 })
    expect(decided.opinions.map(one => one.reviewerId)).toEqual([reviewer.accountId, second.accountId])
  })

  it('goes to a senior reviewer when the two differ', async () => {
    const { taskId, second, senior, appId } = await sensitiveTask('Wallet')
    await decide(reviewer, taskId, 'APPROVE')
    expect(await decide(second, taskId, 'REJECT')).toMatchObject({ state: 'QUEUED', needsSenior: true })
    const third = await stage.person({ staff: ['reviewer'] })
    const refused = await third.call(reviewDesk, 'claimTask', { body: { taskId } })
    expect([refused.status, refused.body.ret.code]).toEqual([403, 202040008])
    expect(await decide(senior, taskId, 'REJECT')).toMatchObject({ state: 'DECIDED', verdict: 'REJECT' })
    const { list } = await reviewer.ok(sensitiveApps, 'listSensitiveApps', {})
    expect(list.find(one => one.appId === appId)).toMatchObject({ appName: 'Wallet', reason: 'It handles payments.' })
    await senior.ok(sensitiveApps, 'updateSensitiveApp', { body: { appId, isSensitive: false } })
    expect((await reviewer.ok(sensitiveApps, 'listSensitiveApps', {})).list.map(one => one.appId)).not.toContain(appId)
  })

  it('names the issues of a rejection already with the first opinion', async () => {
    const { taskId } = await sensitiveTask('Purse')
    await reviewer.ok(reviewDesk, 'claimTask', { body: { taskId } })
    const reply = await reviewer.call(reviewDesk, 'submitTask', { body: { taskId, verdict: 'REJECT' } })
    expect([reply.status, reply.body.ret.code]).toEqual([422, 202040003])
  })
})

describe('the desk', () => {
  it('gives the addresses of all pictures of a task at once', async () => {
    const { taskId } = await waitingTask(stage, developer, reviewer, 'Gallery')
    const { list } = await reviewer.ok(reviewDesk, 'listTaskObjects', { query: { taskId } })
    expect(list).toHaveLength(5)
    expect(list.every(one => one.url.startsWith('http') && one.fileName.endsWith('.png'))).toBe(true)
  })
})
