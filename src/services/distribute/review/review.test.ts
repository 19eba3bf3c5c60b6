import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { workingBetween, workingCalendars } from '../../../kernel/working-time.ts'
import { openStage, type Person, type Stage } from '../../../testkit/stage.ts'
import { uploadBytes } from '../packages/packages.testkit.ts'
import { versions } from '../versions/contract.ts'
import { submissions } from './contract.ts'
import { reviewDesk } from './desk/contract.ts'
import { handIn, waitingTask } from './review.testkit.ts'

let stage: Stage
let developer: Person
let reviewer: Person
beforeAll(async () => {
  stage = await openStage()
})
// Sessions end when the clock is turned far enough, so every test has people of its own.
beforeEach(async () => {
  developer = await stage.person()
  reviewer = await stage.person({ staff: ['reviewer'] })
})
afterAll(() => stage.close())

const issue = { policyId: '2.1', severity: 'MUST_FIX' as const, text: 'The icon shows another app.' }
const hour = 3_600_000

const submissionOf = (person: Person, versionId: string) =>
  person.ok(submissions, 'getSubmission', { query: { versionId } })

const stateOf = async (versionId: string) => {
  const [row] = await stage.sql<{ state: string }>('CN', 'SELECT state FROM versions WHERE version_id = $1', [
    versionId,
  ])
  return row?.state
}

const eventsOf = async (id: string) =>
  (await stage.sql<{ type: string }>('CN', 'SELECT type FROM outbox WHERE entity_id = $1 ORDER BY event_id', [id])).map(
    row => row.type,
  )

describe('a review', () => {
  it('goes from submit over question, answer, rejection and fix to approval, in one thread', async () => {
    const { appId, versionId, taskId } = await waitingTask(stage, developer, reviewer, 'Whole thread')
    const first = await submissionOf(developer, versionId)
    expect(first).toMatchObject({
      state: 'WAITING',
      appId,
      items: [{ kind: 'VERSION', refId: versionId, state: 'PENDING' }],
      waitingFor: null,
      messages: [],
      allowedActions: ['message'],
    })
    expect(first.queuePosition).toBeGreaterThan(0)

    const claimed = await reviewer.ok(reviewDesk, 'claimTask', { body: { taskId } })
    expect(claimed).toMatchObject({ state: 'CLAIMED', queue: 'FIRST', isMine: true, queuePosition: null })
    expect((await submissionOf(developer, versionId)).state).toBe('IN_REVIEW')

    await reviewer.ok(reviewDesk, 'submitTask', { body: { taskId, verdict: 'ASK', text: 'How does one sign in?' } })
    expect(await submissionOf(developer, versionId)).toMatchObject({
      waitingFor: 'developer',
      allowedActions: ['answer'],
      messages: [{ sender: 'reviewer', kind: 'QUESTION', text: 'How does one sign in?' }],
    })
    expect(await stateOf(versionId)).toBe('IN_REVIEW')

    const picture = await uploadBytes(stage, developer, Buffer.from('%PDF-1.4 how to'), 'how.pdf', 'tmp')
    const answered = await developer.ok(submissions, 'sendMessage', {
      body: { versionId, text: 'With any name.', attachments: [picture] },
    })
    expect(answered).toMatchObject({ waitingFor: null, pausedAt: null, allowedActions: ['message'] })
    expect(answered.messages.at(-1)).toMatchObject({
      kind: 'ANSWER',
      attachments: [{ objectId: picture, fileName: 'how.pdf' }],
    })
    const seen = await reviewer.ok(reviewDesk, 'getTaskObject', { query: { taskId, objectId: picture } })
    expect(seen.url).toMatch(/^http/)

    await reviewer.ok(reviewDesk, 'claimTask', { body: { taskId } })
    const empty = await reviewer.call(reviewDesk, 'submitTask', { body: { taskId, verdict: 'REJECT' } })
    expect([empty.status, empty.body.ret.code]).toEqual([422, 202040003])
    const decided = await reviewer.ok(reviewDesk, 'submitTask', {
      body: { taskId, verdict: 'REJECT', issues: [issue] },
    })
    expect(decided).toMatchObject({ state: 'DECIDED', verdict: 'REJECT', issues: [issue], allowedActions: [] })
    expect(await stateOf(versionId)).toBe('REJECTED')
    expect(await submissionOf(developer, versionId)).toMatchObject({
      state: 'UNRESOLVED',
      items: [{ state: 'REJECTED' }],
      slaDueAt: null,
      queuePosition: null,
    })

    await developer.ok(submissions, 'sendMessage', { body: { versionId, text: 'The icon is new.' } })
    await handIn(stage, developer, versionId)
    const again = await submissionOf(developer, versionId)
    expect([again.submissionId, again.state]).toEqual([first.submissionId, 'WAITING'])
    const { list } = await reviewer.ok(reviewDesk, 'listTasks', { query: { search: appId, state: 'QUEUED' } })
    expect(list).toHaveLength(1)
    const second = list[0]?.taskId ?? ''
    await reviewer.ok(reviewDesk, 'claimTask', { body: { taskId: second } })
    const detail = await reviewer.ok(reviewDesk, 'getTask', { query: { taskId: second } })
    expect(detail).toMatchObject({
      isImpartial: true,
      evidence: { version: { versionId }, app: { appId, name: 'Whole thread' }, package: null, predecessor: null },
      difference: null,
      history: [{ taskId, verdict: 'REJECT', issues: [issue] }],
    })
    expect(detail.evidence.listings[0]?.screenshots[0]?.images).toHaveLength(4)
    await reviewer.ok(reviewDesk, 'submitTask', {
      body: { taskId: second, verdict: 'APPROVE_WITH_NOTES', text: 'Welcome.' },
    })
    expect(await stateOf(versionId)).toBe('ON_SHELF')
    const over = await submissionOf(developer, versionId)
    expect([over.state, over.items[0]?.state, over.allowedActions]).toEqual(['COMPLETE', 'ACCEPTED', []])
    expect(over.messages.map(message => message.kind)).toEqual([
      'QUESTION',
      'ANSWER',
      'REJECTION',
      'MESSAGE',
      'APPROVAL',
    ])
    const late = await developer.call(submissions, 'sendMessage', { body: { versionId, text: 'Thank you' } })
    expect([late.status, late.body.ret.code]).toEqual([422, 202040005])
    expect(await eventsOf(taskId)).toEqual([
      'review.task.queued',
      'review.task.claimed',
      'review.task.asked',
      'review.task.queued',
      'review.task.claimed',
      'review.task.decided',
    ])
    const told = await eventsOf(first.submissionId)
    expect(told.filter(type => type === 'submission.message')).toHaveLength(5)
    expect(told.filter(type => type === 'submission.state')).toHaveLength(6)
    const owners = await stage.sql('CN', `SELECT DISTINCT team_id FROM outbox WHERE entity_id = ANY($1)`, [
      [taskId, second, first.submissionId],
    ])
    expect(owners).toEqual([{ team_id: developer.teamId }])
  })

  it('is cancelled when the developer takes the version back, and begins anew with the next submit', async () => {
    const { versionId, taskId } = await waitingTask(stage, developer, reviewer, 'Taken back')
    const { submissionId } = await submissionOf(developer, versionId)
    await reviewer.ok(reviewDesk, 'claimTask', { body: { taskId } })
    await developer.ok(versions, 'withdrawVersion', { body: { versionId } })
    const early = await reviewer.call(reviewDesk, 'submitTask', { body: { taskId, verdict: 'APPROVE' } })
    expect(early.status).toBe(422)
    await stage.settle()
    expect((await submissionOf(developer, versionId)).state).toBe('CANCELED')
    const { task } = await reviewer.ok(reviewDesk, 'getTask', { query: { taskId } })
    expect([task.state, task.allowedActions]).toEqual(['CANCELED', []])
    await handIn(stage, developer, versionId)
    const next = await submissionOf(developer, versionId)
    expect([next.state, next.submissionId === submissionId]).toEqual(['WAITING', false])
  })

  it('decides task, thread and version together or not at all', async () => {
    const { versionId, taskId } = await waitingTask(stage, developer, reviewer, 'All or nothing')
    await reviewer.ok(reviewDesk, 'claimTask', { body: { taskId } })
    await stage.sql('CN', `UPDATE versions SET state = 'WITHDRAWN' WHERE version_id = $1`, [versionId])
    const reply = await reviewer.call(reviewDesk, 'submitTask', { body: { taskId, verdict: 'APPROVE' } })
    expect(reply.status).toBe(422)
    const { task, submission } = await reviewer.ok(reviewDesk, 'getTask', { query: { taskId } })
    expect([task.state, submission.state, submission.messages]).toEqual(['CLAIMED', 'IN_REVIEW', []])
  })
})

describe('a claim', () => {
  it('is won by one of two reviewers', async () => {
    const other = await stage.person({ staff: ['reviewer'] })
    const { taskId } = await waitingTask(stage, developer, reviewer, 'Race')
    const both = await Promise.all(
      [reviewer, other].map(person => person.call(reviewDesk, 'claimTask', { body: { taskId } })),
    )
    expect(both.map(reply => reply.status).sort()).toEqual([200, 409])
    const [winner, loser] = both[0]?.status === 200 ? [reviewer, other] : [other, reviewer]
    expect(both.find(reply => reply.status === 409)?.body.ret.code).toBe(202040001)
    for (const name of ['keepTask', 'releaseTask'] as const) {
      const reply = await loser.call(reviewDesk, name, { body: { taskId } })
      expect(reply.body.ret.code).toBe(202040002)
    }
    const verdict = await loser.call(reviewDesk, 'submitTask', { body: { taskId, verdict: 'APPROVE' } })
    expect(verdict.body.ret.code).toBe(202040002)
    const released = await winner.ok(reviewDesk, 'releaseTask', { body: { taskId } })
    expect([released.state, released.claimedBy]).toEqual(['QUEUED', null])
    expect((await loser.ok(reviewDesk, 'claimTask', { body: { taskId } })).isMine).toBe(true)
  })

  it('is lost after half an hour without a heartbeat, and kept with one', async () => {
    const { taskId } = await waitingTask(stage, developer, reviewer, 'Lease')
    const tired = await stage.person({ staff: ['reviewer'] })
    await tired.ok(reviewDesk, 'claimTask', { body: { taskId } })
    const turn = async (ms: number) => {
      stage.clock.turn(ms)
      await stage.booted.worker.sweep()
    }
    await turn(hour / 3)
    const { claimExpiresAt } = await tired.ok(reviewDesk, 'keepTask', { body: { taskId } })
    expect(Math.abs(claimExpiresAt - stage.clock.now() - hour / 2)).toBeLessThan(5000)
    await turn(hour / 3)
    expect((await tired.ok(reviewDesk, 'getTask', { query: { taskId } })).task.state).toBe('CLAIMED')
    stage.clock.turn(hour / 4)
    const late = await tired.call(reviewDesk, 'submitTask', { body: { taskId, verdict: 'APPROVE' } })
    expect(late.body.ret.code).toBe(202040002)
    const next = await stage.person({ staff: ['reviewer'] })
    expect((await next.ok(reviewDesk, 'claimTask', { body: { taskId } })).isMine).toBe(true)
    await turn(hour / 2)
    const { task } = await next.ok(reviewDesk, 'getTask', { query: { taskId } })
    expect([task.state, task.claimedBy, task.claimExpiresAt]).toEqual(['QUEUED', null, null])
  })
})

describe('the clock of a review', () => {
  it('stands while the developer is asked', async () => {
    const { versionId, taskId } = await waitingTask(stage, developer, reviewer, 'Clock')
    await reviewer.ok(reviewDesk, 'claimTask', { body: { taskId } })
    await reviewer.ok(reviewDesk, 'submitTask', { body: { taskId, verdict: 'ASK', text: 'Which key?' } })
    const { slaDueAt: before, pausedAt } = await submissionOf(developer, versionId)
    const calendar = workingCalendars.CN
    const left = workingBetween(calendar, pausedAt ?? 0, before ?? 0)
    stage.clock.turn(hour / 2)
    await developer.ok(submissions, 'sendMessage', { body: { versionId, text: 'This one.' } })
    const after = await submissionOf(developer, versionId)
    expect(after.pausedAt).toBeNull()
    const leftNow = workingBetween(calendar, stage.clock.now(), after.slaDueAt ?? 0)
    expect(Math.abs(leftNow - left)).toBeLessThan(60_000)
    await stage.settle()
    const { version } = await developer.ok(versions, 'getVersion', { query: { appId: after.appId } })
    expect([version?.slaDueAt, version?.reviewPausedAt]).toEqual([after.slaDueAt, null])
  })

  it('is not stopped by a question without words, and a question is no decision', async () => {
    const { versionId, taskId } = await waitingTask(stage, developer, reviewer, 'Wordless')
    await reviewer.ok(reviewDesk, 'claimTask', { body: { taskId } })
    const reply = await reviewer.call(reviewDesk, 'submitTask', { body: { taskId, verdict: 'ASK', text: ' ' } })
    expect([reply.status, reply.body.fields?.[0]?.pointer]).toEqual([400, '/text'])
    expect((await submissionOf(developer, versionId)).pausedAt).toBeNull()
    const odd = await reviewer.call(reviewDesk, 'submitTask', {
      body: { taskId, verdict: 'REJECT', issues: [{ ...issue, policyId: '77' }] },
    })
    expect([odd.status, odd.body.fields?.[0]?.pointer]).toEqual([400, '/issues/0/policyId'])
  })
})
