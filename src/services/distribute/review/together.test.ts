import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openStage, type Person, type Stage } from '../../../testkit/stage.ts'
import { versions } from '../versions/contract.ts'
import { reviewDesk, submissions } from './contract.ts'
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

async function together(...names: string[]) {
  const drafts = []
  for (const name of names) drafts.push(await draftVersion(stage, developer, name))
  const versionIds = drafts.map(draft => draft.versionId)
  const made = await developer.ok(submissions, 'createSubmission', { body: { versionIds, title: 'The suite' } })
  await stage.settle()
  return { drafts, versionIds, submissionId: made.submissionId }
}

describe('several versions in one submission', () => {
  it('are each decided, and the whole is answered when the last one is', async () => {
    const { submissionId, drafts, versionIds } = await together('Writer', 'Reader')
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

  it('go on without one that is taken back, and end when nothing is left', async () => {
    const { submissionId, versionIds } = await together('Left', 'Right')
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
