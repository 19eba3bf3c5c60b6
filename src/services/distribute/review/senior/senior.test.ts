import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { systemContext } from '../../../../server/context.ts'
import { openStage, type Person, type Stage } from '../../../../testkit/stage.ts'
import { versions } from '../../versions/contract.ts'
import { recordInstalls } from '../../versions/public.ts'
import { submissions } from '../contract.ts'
import { reviewDesk } from '../desk/contract.ts'
import { reviewPolicies } from '../policies/contract.ts'
import { decideTask, waitingTask } from '../review.testkit.ts'
import { reviewStatistics } from '../statistics/contract.ts'
import { deskMoves } from './contract.ts'

let stage: Stage
let developer: Person
let reviewer: Person
let senior: Person
beforeAll(async () => {
  stage = await openStage()
})
beforeEach(async () => {
  developer = await stage.person()
  reviewer = await stage.person({ staff: ['reviewer'] })
  senior = await stage.person({ staff: ['seniorReviewer'] })
})
afterAll(() => stage.close())

const issue = { policyId: '2.1', severity: 'MUST_FIX' as const, text: 'The icon shows another app.' }

describe('what only a senior reviewer decides', () => {
  it('is what a reviewer holds to be risky, with what he saw', async () => {
    const { taskId } = await waitingTask(stage, developer, reviewer, 'Risky')
    const body = { taskId, note: 'It reads messages of other apps.' }
    const early = await reviewer.call(deskMoves, 'escalateTask', { body })
    expect(early.status).toBe(422)
    await reviewer.ok(reviewDesk, 'claimTask', { body: { taskId } })
    const moved = await reviewer.ok(deskMoves, 'escalateTask', { body })
    expect(moved).toMatchObject({ queue: 'RISK', state: 'QUEUED', seniorBecause: 'RISK', seniorNote: body.note })
    expect(moved.allowedActions).toEqual([])
    const plain = await reviewer.call(reviewDesk, 'claimTask', { body: { taskId } })
    expect([plain.status, plain.body.ret.code]).toEqual([403, 202040008])
    await decideTask(senior, taskId, 'APPROVE')
    expect((await senior.ok(reviewDesk, 'getTask', { query: { taskId } })).task.state).toBe('DECIDED')
  })

  it('is the rejection of an app that more than 100,000 devices have', async () => {
    const { taskId, appId, versionId } = await waitingTask(stage, developer, reviewer, 'Everybody')
    const app = { appId, teamId: developer.teamId }
    const system = systemContext(stage.booted.server, 'CN', { name: 'test' })
    await system.transact(ctx => recordInstalls(ctx, app, 100_001))
    await decideTask(reviewer, taskId, 'REJECT')
    const { task, evidence } = await senior.ok(reviewDesk, 'getTask', { query: { taskId } })
    expect([task.state, task.seniorBecause, evidence.activeInstalls]).toEqual(['QUEUED', 'INSTALLS', 100_001])
    expect((await developer.ok(submissions, 'getSubmission', { query: { versionId } })).messages).toEqual([])
    await decideTask(senior, taskId, 'REJECT')
    expect((await senior.ok(reviewDesk, 'getTask', { query: { taskId } })).task.verdict).toBe('REJECT')
  })

  it('the priority of a task is set by a senior reviewer, while it is open', async () => {
    const { taskId } = await waitingTask(stage, developer, reviewer, 'Urgent')
    const body = { taskId, priority: 900 }
    expect((await reviewer.call(deskMoves, 'updatePriority', { body })).status).toBe(403)
    expect((await senior.ok(deskMoves, 'updatePriority', { body })).queuePosition).toBe(1)
    expect((await senior.call(deskMoves, 'updatePriority', { body: { taskId, priority: 1001 } })).status).toBe(400)
    await decideTask(reviewer, taskId, 'APPROVE')
    const late = await senior.call(deskMoves, 'updatePriority', { body })
    expect([late.status, late.body.ret.code]).toEqual([422, 202040018])
  })
})

describe('rules that a rejection names', () => {
  const words = { zh: '一', en: 'One', ru: 'Раз' }

  it('have versions: a decision keeps the one it named, and who publishes a stale one is told', async () => {
    const { list } = await reviewer.ok(reviewPolicies, 'listPolicies', {})
    const known = list.find(one => one.policyId === '2.2')!
    expect([known.version, known.texts.ru.length > 20]).toEqual([1, true])
    const first = await waitingTask(stage, developer, reviewer, 'First')
    await decideTask(reviewer, first.taskId, 'REJECT', '2.2')
    const body = { policyId: '2.2', titles: { ...words, en: 'Pictures show the app' }, texts: words, after: 1 }
    expect((await reviewer.call(reviewPolicies, 'publishPolicy', { body })).status).toBe(403)
    const published = await senior.ok(reviewPolicies, 'publishPolicy', { body })
    expect([published.version, published.publishedBy]).toEqual([2, senior.loginName])
    const stale = await senior.call(reviewPolicies, 'publishPolicy', { body })
    expect([stale.status, stale.body.ret.code]).toEqual([409, 202040012])
    const second = await waitingTask(stage, developer, reviewer, 'Second')
    await decideTask(reviewer, second.taskId, 'REJECT', '2.2')
    const named = await Promise.all(
      [first, second].map(async ({ versionId }) => {
        const { messages } = await developer.ok(submissions, 'getSubmission', { query: { versionId } })
        const [found] = messages.flatMap(message => message.issues)
        return [found?.policyVersion, found?.clause?.en]
      }),
    )
    expect(named).toEqual([
      [1, known.titles.en],
      [2, 'Pictures show the app'],
    ])
    const { list: all } = await reviewer.ok(reviewPolicies, 'listPolicyVersions', { query: { policyId: '2.2' } })
    expect(all.map(one => one.version)).toEqual([2, 1])
    const { list: told } = await developer.ok(submissions, 'listPolicyTitles', {})
    expect(told.find(one => one.policyId === '2.2')?.titles.en).toBe('Pictures show the app')
  })

  it('are named no more when they are retired, and none is named that is not there', async () => {
    const body = { policyId: '8.8', titles: words, texts: words, after: 0 }
    await senior.ok(reviewPolicies, 'publishPolicy', { body })
    await senior.ok(reviewPolicies, 'publishPolicy', { body: { ...body, isRetired: true, after: 1 } })
    const { taskId } = await waitingTask(stage, developer, reviewer, 'Retired')
    await reviewer.ok(reviewDesk, 'claimTask', { body: { taskId } })
    for (const policyId of ['8.8', '7.7']) {
      const wish = { taskId, verdict: 'REJECT' as const, issues: [{ ...issue, policyId }] }
      const reply = await reviewer.call(reviewDesk, 'submitTask', { body: wish })
      expect([reply.status, JSON.stringify(reply.body)]).toEqual([400, expect.stringContaining('/issues/0/policyId')])
    }
    const ids = async (includeRetired: boolean) =>
      (await reviewer.ok(reviewPolicies, 'listPolicies', { query: { includeRetired } })).list.map(one => one.policyId)
    expect([(await ids(false)).includes('8.8'), (await ids(true)).includes('8.8')]).toEqual([false, true])
    expect((await reviewer.call(reviewPolicies, 'listPolicyVersions', { query: { policyId: '7.7' } })).status).toBe(404)
  })

  it('published twice at once become one version', async () => {
    const body = { policyId: '6.6', titles: words, texts: words, after: 0 }
    const replies = await Promise.all([1, 2, 3].map(() => senior.call(reviewPolicies, 'publishPolicy', { body })))
    expect(replies.map(reply => reply.status).sort()).toEqual([200, 409, 409])
  })
})

describe('statistics', () => {
  it('tell how long developers waited, what passed at once, by whom and in which category', async () => {
    const read = (days = 1) => reviewer.ok(reviewStatistics, 'getStatistics', { query: { days } })
    const before = await read()
    const passed = await waitingTask(stage, developer, reviewer, 'Passed')
    const failed = await waitingTask(stage, developer, reviewer, 'Failed')
    await decideTask(reviewer, passed.taskId, 'APPROVE')
    await decideTask(reviewer, failed.taskId, 'REJECT')
    await stage.settle()
    await developer.ok(versions, 'submitVersion', { body: { versionId: failed.versionId } })
    await stage.settle()
    const { list } = await reviewer.ok(reviewDesk, 'listTasks', { query: { search: failed.appId, state: 'QUEUED' } })
    await decideTask(reviewer, list[0]?.taskId ?? '', 'APPROVE')
    const after = await read()
    expect(after.reviewers.find(one => one.reviewerId === reviewer.accountId)).toMatchObject({
      name: reviewer.loginName,
      decided: 3,
      rejected: 1,
      firstTime: 2,
      firstPassed: 1,
      firstPassRate: 0.5,
      overturned: 0,
    })
    expect(after.total.decided - before.total.decided).toBe(3)
    const category = after.categories.find(one => one.kindMainTag === 10101)!
    expect(category.decided).toBe(after.total.decided)
    const [wait] = after.waits
    expect(wait?.queue).toBe('FIRST')
    expect(wait!.p50Ms! <= wait!.p90Ms! && wait!.p90Ms! <= wait!.p95Ms! && wait!.p95Ms! <= wait!.longestMs!).toBe(true)
    expect(after.days.at(-1)).toMatchObject({ decided: after.total.decided, rejected: after.total.rejected })
    expect((await read(30)).days).toHaveLength(30)
    expect((await developer.call(reviewStatistics, 'getStatistics', {})).status).toBe(403)
  })
})
