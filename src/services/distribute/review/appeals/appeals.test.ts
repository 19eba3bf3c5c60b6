import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openStage, type Person, type Stage } from '../../../../testkit/stage.ts'
import { versions } from '../../versions/contract.ts'
import { submissions } from '../contract.ts'
import { reviewDesk } from '../desk/contract.ts'
import { decideTask, handIn, waitingTask } from '../review.testkit.ts'
import { type ItemState, itemStates, type TaskState, taskStates } from '../rules.ts'
import { appeals } from './contract.ts'
import { canAppeal, canExpedite } from './possible.ts'
import { appealLimits } from './rules.ts'

const reason = 'The icon is our own since 2019; see the registration.'
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

const threadOf = (versionId: string) => developer.ok(submissions, 'getSubmission', { query: { versionId } })
const taskOf = async (appId: string, state: TaskState = 'QUEUED') => {
  const { list } = await senior.ok(reviewDesk, 'listTasks', { query: { search: appId, state } })
  return list[0]!
}

async function rejected(name: string, by = reviewer) {
  const found = await waitingTask(stage, developer, by, name)
  await decideTask(by, found.taskId, 'REJECT')
  await stage.settle()
  const thread = await threadOf(found.versionId)
  return {
    ...found,
    body: { submissionId: thread.submissionId, itemId: thread.items[0]?.itemId ?? '', reason },
    thread,
  }
}

const stateOf = async (appId: string) =>
  (await developer.ok(versions, 'getVersion', { query: { appId } })).version?.state

describe('an appeal', () => {
  it('is decided by a senior reviewer who did not reject it, about the version as it is', async () => {
    const { appId, versionId, taskId, body, thread } = await rejected('Appealed', senior)
    expect(thread.items[0]?.allowedActions).toContain('appeal')
    const after = await developer.ok(appeals, 'appealRejection', { body })
    expect([after.state, after.items[0]?.state, after.items[0]?.allowedActions]).toEqual(['WAITING', 'PENDING', []])
    expect([await stateOf(appId), after.messages.at(-1)?.kind]).toEqual(['IN_REVIEW', 'APPEAL'])
    const task = await taskOf(appId)
    expect(task).toMatchObject({ queue: 'APPEAL', seniorBecause: 'APPEAL', needsSenior: true })
    const own = await senior.call(reviewDesk, 'claimTask', { body: { taskId: task.taskId } })
    expect([own.status, own.body.ret.code]).toEqual([403, 202040011])
    const plain = await reviewer.call(reviewDesk, 'claimTask', { body: { taskId: task.taskId } })
    expect([plain.status, plain.body.ret.code]).toEqual([403, 202040008])
    const other = await stage.person({ staff: ['seniorReviewer'] })
    await decideTask(other, task.taskId, 'APPROVE')
    await stage.settle()
    expect([(await threadOf(versionId)).state, await stateOf(appId)]).toEqual(['COMPLETE', 'ON_SHELF'])
    const rows = await stage.sql('CN', 'SELECT app_id FROM review_appeals WHERE task_id = $1', [taskId])
    expect(rows).toHaveLength(1)
  })

  it('can be made once: what was refused twice is changed and handed in anew', async () => {
    const { appId, versionId, body } = await rejected('Twice')
    await developer.ok(appeals, 'appealRejection', { body })
    await decideTask(senior, (await taskOf(appId)).taskId, 'REJECT')
    await stage.settle()
    expect((await threadOf(versionId)).items[0]?.allowedActions).toEqual(['remove'])
    const again = await developer.call(appeals, 'appealRejection', { body })
    expect([again.status, again.body.ret.code]).toEqual([422, 202040014])
    await handIn(stage, developer, versionId)
    expect((await taskOf(appId)).queue).toBe('FIRST')
  })

  it('is not possible of a version that was changed since, of one in review, by who may not submit, or of a stranger', async () => {
    const { appId, versionId, body } = await rejected('Changed')
    const analyst = await stage.person({ team: developer.teamId, roles: ['analyst'] })
    expect((await analyst.call(appeals, 'appealRejection', { body })).status).toBe(403)
    const stranger = await stage.person()
    expect((await stranger.call(appeals, 'appealRejection', { body })).status).toBe(404)
    const bare = await developer.call(appeals, 'appealRejection', { body: { ...body, reason: 'No!' } })
    expect(bare.status).toBe(400)
    const { version } = await developer.ok(versions, 'getVersion', { query: { appId } })
    const { revision } = version!
    await developer.ok(versions, 'updateVersion', { body: { versionId, remark: 'Another icon', revision } })
    const late = await developer.call(appeals, 'appealRejection', { body })
    expect([late.status, late.body.ret.code]).toEqual([422, 202040014])
    const waiting = await waitingTask(stage, developer, reviewer, 'Waiting')
    const { submissionId, items } = await threadOf(waiting.versionId)
    const early = { submissionId, itemId: items[0]?.itemId ?? '', reason }
    expect((await developer.call(appeals, 'appealRejection', { body: early })).body.ret.code).toBe(202040014)
  })

  it('made twice at once is one appeal, and ends when the version is withdrawn', async () => {
    const { appId, versionId, body } = await rejected('Racing')
    const replies = await Promise.all([1, 2, 3].map(() => developer.call(appeals, 'appealRejection', { body })))
    expect(replies.map(reply => reply.status).sort()).toEqual([200, 422, 422])
    await developer.ok(versions, 'withdrawVersion', { body: { versionId } })
    await stage.settle()
    expect([await stateOf(appId), (await taskOf(appId, 'CANCELED'))?.queue]).toEqual(['WITHDRAWN', 'APPEAL'])
  })

  it.each(itemStates.flatMap(item => taskStates.map(task => [item, task] as [ItemState, TaskState])))(
    'from an item that is %s with its task %s is possible only after a rejection',
    (item, state) => {
      const task = { state, queue: 'UPDATE' as const, verdict: 'REJECT' as const }
      const wanted = item === 'REJECTED' && state === 'DECIDED'
      expect(canAppeal({ kind: 'VERSION', state: item }, 'UNRESOLVED', task, 'REJECTED')).toBe(wanted)
      expect(canAppeal({ kind: 'TEST', state: item }, 'UNRESOLVED', task, 'REJECTED')).toBe(false)
      expect(canExpedite(task)).toBe(state === 'QUEUED')
    },
  )
})

describe('expediting', () => {
  it('puts a task before the others, due within four working hours, twice an app in 180 days', async () => {
    const { appId, versionId, taskId } = await waitingTask(stage, developer, reviewer, 'Hurry')
    const { submissionId, items } = await threadOf(versionId)
    const before = items[0]!
    expect([before.allowedActions, before.expeditesLeft]).toEqual([['expedite'], 2])
    const body = { submissionId, itemId: before.itemId, reason: 'Payments fail for everybody since this morning.' }
    const stranger = await stage.person()
    expect((await stranger.call(appeals, 'expediteReview', { body })).status).toBe(404)
    const after = (await developer.ok(appeals, 'expediteReview', { body })).items[0]!
    expect([after.queue, after.expeditesLeft, after.allowedActions]).toEqual(['EXPEDITE', 1, []])
    expect(after.slaDueAt).toBeLessThan(before.slaDueAt ?? 0)
    const task = await taskOf(appId)
    expect([task.taskId, task.queue, task.priority]).toEqual([taskId, 'EXPEDITE', 60])
    const twice = await developer.call(appeals, 'expediteReview', { body })
    expect([twice.status, twice.body.ret.code]).toEqual([422, 202040015])
    await stage.settle()
    await developer.ok(versions, 'withdrawVersion', { body: { versionId } })
    await stage.settle()
    const again = async () => {
      await handIn(stage, developer, versionId)
      const thread = await threadOf(versionId)
      return { submissionId: thread.submissionId, itemId: thread.items[0]?.itemId ?? '', reason: body.reason }
    }
    await developer.ok(appeals, 'expediteReview', { body: await again() })
    await developer.ok(versions, 'withdrawVersion', { body: { versionId } })
    await stage.settle()
    const third = await developer.call(appeals, 'expediteReview', { body: await again() })
    expect([third.status, third.body.ret.code]).toEqual([422, 202040016])
    expect(third.body).toMatchObject({ limit: appealLimits.expedites, days: appealLimits.expediteDays })
  })
})
