import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Person, type Stage } from '../../../testkit/stage.ts'
import { type Asked, refusesOutOfReach, scopedMember } from '../apps/scope.testkit.ts'
import { submissions } from './contract.ts'
import { reviewDesk } from './desk/contract.ts'
import { draftVersion, handIn } from './review.testkit.ts'

let stage: Stage
let leader: Person
let limited: Person
let mine: { appId: string; versionId: string }
let beside: { appId: string; versionId: string }
let other: { appId: string; versionId: string }
let otherId: string
let bothId: string
let itemId: string
beforeAll(async () => {
  stage = await openStage()
  leader = await stage.person()
  beside = await draftVersion(stage, leader, 'Beside')
  mine = await draftVersion(stage, leader, 'Reached')
  other = await draftVersion(stage, leader, 'Elsewhere')
  limited = await scopedMember(stage, leader, [mine.appId])
  await handIn(stage, leader, other.versionId)
  const alone = await leader.ok(submissions, 'getSubmission', { query: { versionId: other.versionId } })
  otherId = alone.submissionId
  itemId = alone.items[0]?.itemId ?? ''
  const versionIds = [beside.versionId, mine.versionId]
  bothId = (await leader.ok(submissions, 'createSubmission', { body: { versionIds } })).submissionId
  await stage.settle()
})
afterAll(() => stage.close())

describe('who reaches one app of the team is told of the review of another that it is not there', () => {
  const calls = (): Asked => ({
    getSubmission: { query: { versionId: other.versionId } },
    sendMessage: { body: { submissionId: otherId, text: 'Hello' } },
    createSubmission: { body: { versionIds: [mine.versionId, other.versionId] } },
    removeItem: { body: { submissionId: otherId, itemId } },
  })
  refusesOutOfReach(submissions, () => ({ person: limited, calls: calls() }), ['listSubmissions', 'listPolicyTitles'])

  it.each([
    ['submission', () => ({ submissionId: otherId })],
    ['app', () => ({ appId: other.appId })],
  ])('getSubmission by its %s', async (_by, query) => {
    expect((await limited.call(submissions, 'getSubmission', { query: query() })).status).toBe(404)
  })

  it('listSubmissions of its app', async () => {
    const reply = await limited.call(submissions, 'listSubmissions', { query: { appId: other.appId } })
    expect(reply.status).toBe(404)
  })
})

describe('a submission that holds an app within reach and one that is not', () => {
  it('shows the one, its place and what was said of it, and neither name nor place of the other', async () => {
    const reviewer = await stage.person({ staff: ['reviewer'] })
    const { list } = await reviewer.ok(reviewDesk, 'listTasks', { query: { pageSize: 100 } })
    const taskId = list.find(task => task.versionId === beside.versionId)?.taskId ?? ''
    await reviewer.ok(reviewDesk, 'claimTask', { body: { taskId } })
    const issues = [{ policyId: '2.1', severity: 'MUST_FIX' as const, text: 'The icon of Beside is another’s.' }]
    await reviewer.ok(reviewDesk, 'submitTask', { body: { taskId, verdict: 'REJECT', issues } })
    await stage.settle()
    const seen = await limited.ok(submissions, 'getSubmission', { query: { submissionId: bothId } })
    expect(seen).toMatchObject({ appId: mine.appId, versionId: mine.versionId, messages: [] })
    expect([seen.items.map(item => item.refId), seen.positions.length]).toEqual([[mine.versionId], 1])
    expect(JSON.stringify(seen)).not.toContain('Beside')
    const byVersion = await limited.ok(submissions, 'getSubmission', { query: { versionId: mine.versionId } })
    expect(byVersion.submissionId).toBe(bothId)
    const whole = await leader.ok(submissions, 'getSubmission', { query: { submissionId: bothId } })
    expect([whole.items.length, whole.messages.length]).toEqual([2, 1])
    const refused = whole.items.find(item => item.refId === beside.versionId)?.itemId ?? ''
    const body = { submissionId: bothId, itemId: refused }
    expect((await limited.call(submissions, 'removeItem', { body })).status).toBe(404)
  })

  it('stands in his list under the name he knows, with the number he sees', async () => {
    const { list, total } = await limited.ok(submissions, 'listSubmissions', {})
    expect([total, list.map(row => [row.submissionId, row.appName, row.itemCount])]).toEqual([
      1,
      [[bothId, 'Reached', 1]],
    ])
    expect((await leader.ok(submissions, 'listSubmissions', {})).total).toBe(2)
  })
})
