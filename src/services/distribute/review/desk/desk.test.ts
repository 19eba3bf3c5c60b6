import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { systemContext } from '../../../../server/context.ts'
import { openStage, type Person, type Stage } from '../../../../testkit/stage.ts'
import { androidSuite } from '../../packages/apk/android-suite.testkit.ts'
import { buildApk } from '../../packages/apk/build-apk.testkit.ts'
import { temporaryFolder } from '../../packages/apk/temporary-folder.testkit.ts'
import { processed, uploadBytes } from '../../packages/packages.testkit.ts'
import { versions } from '../../versions/contract.ts'
import { versionListings } from '../../versions/listing/contract.ts'
import { recordInstalls } from '../../versions/public.ts'
import { versionShelf } from '../../versions/shelf/contract.ts'
import { submissions } from '../contract.ts'
import { reviewPolicies } from '../policies/contract.ts'
import { draftVersion, handIn, waitingTask } from '../review.testkit.ts'
import { reviewDesk } from './contract.ts'

const folder = temporaryFolder()
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

const submissionOf = (person: Person, versionId: string) =>
  person.ok(submissions, 'getSubmission', { query: { versionId } })

const stateOf = async (versionId: string) => {
  const [row] = await stage.sql<{ state: string }>('CN', 'SELECT state FROM versions WHERE version_id = $1', [
    versionId,
  ])
  return row?.state
}

describe('who may', () => {
  it('a reviewer who is a member of the owning team may look but neither claim nor decide', async () => {
    const { taskId } = await waitingTask(stage, developer, reviewer, 'Conflict')
    const insider = await stage.person({ staff: ['reviewer'], team: developer.teamId, roles: ['analyst'] })
    const claim = await insider.call(reviewDesk, 'claimTask', { body: { taskId } })
    expect([claim.status, claim.body.ret.code]).toEqual([403, 202040004])
    const seen = await insider.ok(reviewDesk, 'getTask', { query: { taskId } })
    expect([seen.isImpartial, seen.task.allowedActions]).toEqual([false, []])
    const late = await stage.person({ staff: ['reviewer'] })
    await late.ok(reviewDesk, 'claimTask', { body: { taskId } })
    await stage.sql('home', 'INSERT INTO members (team_id, account_id, roles, joined_at) VALUES ($1, $2, $3, 1)', [
      developer.teamId,
      late.accountId,
      ['analyst'],
    ])
    const verdict = await late.call(reviewDesk, 'submitTask', { body: { taskId, verdict: 'APPROVE' } })
    expect([verdict.status, verdict.body.ret.code]).toEqual([403, 202040004])
  })

  it('a developer reaches no call of the desk, and the desk staff who only look decide nothing', async () => {
    const { taskId } = await waitingTask(stage, developer, reviewer, 'Desk')
    const operator = await stage.person({ staff: ['storeOperator'] })
    const body = { taskId, verdict: 'APPROVE' as const }
    const replies = [
      await developer.call(reviewDesk, 'listTasks'),
      await developer.call(reviewDesk, 'getTask', { query: { taskId } }),
      await developer.call(reviewDesk, 'claimTask', { body: { taskId } }),
      await developer.call(reviewDesk, 'submitTask', { body }),
      await operator.call(reviewDesk, 'claimTask', { body: { taskId } }),
      await operator.call(reviewDesk, 'submitTask', { body }),
    ]
    expect(replies.map(reply => reply.status)).toEqual(replies.map(() => 403))
    expect((await operator.ok(reviewDesk, 'getTask', { query: { taskId } })).task.allowedActions).toEqual([])
  })

  it('another team has no submission, no thread and no attachment of ours', async () => {
    const stranger = await stage.person()
    const { versionId, taskId } = await waitingTask(stage, developer, reviewer, 'Ours')
    const theirs = await uploadBytes(stage, stranger, Buffer.from('theirs'), 'note.pdf', 'tmp')
    const replies = [
      await stranger.call(submissions, 'getSubmission', { query: { versionId } }),
      await stranger.call(submissions, 'sendMessage', { body: { versionId, text: 'Hello' } }),
      await developer.call(submissions, 'sendMessage', { body: { versionId, text: 'See', attachments: [theirs] } }),
      await reviewer.call(reviewDesk, 'getTaskObject', { query: { taskId, objectId: theirs } }),
      await reviewer.call(reviewDesk, 'claimTask', { body: { taskId: '12345' } }),
    ]
    expect(replies.map(reply => reply.status)).toEqual(replies.map(() => 404))
    const analyst = await stage.person({ team: developer.teamId, roles: ['analyst'] })
    expect((await submissionOf(analyst, versionId)).allowedActions).toEqual([])
    const reply = await analyst.call(submissions, 'sendMessage', { body: { versionId, text: 'Hello' } })
    expect(reply.status).toBe(403)
  })
})

describe('what happens to a version elsewhere', () => {
  const tell = async (type: string, versionId: string) => {
    const system = systemContext(stage.booted.server, 'CN', { name: 'test', teamId: developer.teamId })
    await system.transact(async ctx => ctx.emit({ type, entity: 'version', entityId: versionId }))
    await stage.settle()
  }

  it('an urged review moves up', async () => {
    const one = await waitingTask(stage, developer, reviewer, 'Patient')
    const two = await waitingTask(stage, developer, reviewer, 'Impatient')
    const positions = async () =>
      Promise.all([one, two].map(async task => (await submissionOf(developer, task.versionId)).queuePosition ?? 0))
    const [first, second] = await positions()
    expect(first).toBeLessThan(second ?? 0)
    await tell('review.urged', two.versionId)
    const [later, sooner] = await positions()
    expect(sooner).toBeLessThan(later ?? 0)
    expect((await submissionOf(developer, two.versionId)).urgeCount).toBe(1)
  })

  it('a failed pre-check leaves the submission unresolved, and the next submit goes on with it', async () => {
    const { versionId } = await draftVersion(stage, developer, 'Checked')
    await tell('version.submitted', versionId)
    const { submissionId } = await submissionOf(developer, versionId)
    await tell('version.precheck.failed', versionId)
    expect((await submissionOf(developer, versionId)).state).toBe('UNRESOLVED')
    await handIn(stage, developer, versionId)
    expect(await submissionOf(developer, versionId)).toMatchObject({ submissionId, state: 'WAITING' })
  })

  it('what is queued twice has one task, and what is no longer in review has none', async () => {
    const { appId, versionId } = await waitingTask(stage, developer, reviewer, 'Twice')
    await tell('version.review.queued', versionId)
    const { total } = await reviewer.ok(reviewDesk, 'listTasks', { query: { search: appId } })
    expect(total).toBe(1)
    const draft = await draftVersion(stage, developer, 'Never')
    await tell('version.review.queued', draft.versionId)
    const query = { versionId: draft.versionId }
    expect((await developer.call(submissions, 'getSubmission', { query })).status).toBe(404)
  })

  it('a widely installed app leaves the shelf only after the desk has looked', async () => {
    const { appId, versionId, taskId } = await waitingTask(stage, developer, reviewer, 'Loved')
    await reviewer.ok(reviewDesk, 'claimTask', { body: { taskId } })
    await reviewer.ok(reviewDesk, 'submitTask', { body: { taskId, verdict: 'APPROVE' } })
    const { teamId } = developer
    const system = systemContext(stage.booted.server, 'CN', { name: 'test', teamId })
    await system.transact(ctx => recordInstalls(ctx, { appId, teamId }, 20_000))
    await developer.ok(versionShelf, 'shelfOffVersion', {
      body: { versionId, reason: 'It is replaced by another app.' },
    })
    await stage.settle()
    const { list } = await reviewer.ok(reviewDesk, 'listTasks', { query: { search: appId, state: 'QUEUED' } })
    expect(list.map(task => [task.itemKind, task.queue])).toEqual([['SHELF_OFF', 'UPDATE']])
    const next = list[0]?.taskId ?? ''
    await reviewer.ok(reviewDesk, 'claimTask', { body: { taskId: next } })
    await reviewer.ok(reviewDesk, 'submitTask', { body: { taskId: next, verdict: 'APPROVE' } })
    expect(await stateOf(versionId)).toBe('OFF_BY_DEVELOPER')
  })
})

describe('the desk', () => {
  it('shows the most urgent first, pages, and finds an app by its name', async () => {
    const made = []
    for (const name of ['Lamp one', 'Lamp two', 'Lamp three']) {
      made.push(await waitingTask(stage, developer, reviewer, name))
      stage.clock.turn(1000)
    }
    await stage.sql('CN', 'UPDATE review_tasks SET priority = 90 WHERE task_id = $1', [made[2]?.taskId])
    const query = { search: 'lamp', state: 'QUEUED' as const, queue: 'FIRST' as const, pageSize: 2 }
    const page = await reviewer.ok(reviewDesk, 'listTasks', { query })
    expect(page.list.map(task => task.appName)).toEqual(['Lamp three', 'Lamp one'])
    expect([page.total, page.list[0]?.queuePosition]).toEqual([3, 1])
    const rest = await reviewer.ok(reviewDesk, 'listTasks', { query: { ...query, cursor: page.nextCursor ?? '' } })
    expect([rest.list.map(task => task.appName), rest.nextCursor]).toEqual([['Lamp two'], null])
    const due = await reviewer.ok(reviewDesk, 'listTasks', { query: { ...query, sort: 'due' } })
    expect(due.list.map(task => task.appName)).toEqual(['Lamp one', 'Lamp two'])
    await reviewer.ok(reviewDesk, 'claimTask', { body: { taskId: made[1]?.taskId ?? '' } })
    const own = await reviewer.ok(reviewDesk, 'listTasks', { query: { mine: true, search: 'Lamp' } })
    expect(own.list.map(task => task.appName)).toEqual(['Lamp two'])
    const { list } = await reviewer.ok(reviewPolicies, 'listPolicies', {})
    expect(list.every(policy => policy.titles.zh && policy.titles.en && policy.titles.ru)).toBe(true)
  })
})

androidSuite('an update', () => {
  it('stands in its own queue and shows what changes against what is on shelf', async () => {
    const { appId, versionId } = await draftVersion(stage, developer, 'Updated', 'ANDROID')
    const submit = async (id: string, versionCode: number, permissions: string[]) => {
      const file = await buildApk(folder.path(`${versionCode}.apk`), {
        package: 'org.example.updated',
        versionCode,
        permissions,
      })
      const { pkgId } = await processed(stage, developer, { appId, file })
      const { version } = await developer.ok(versions, 'getVersion', { query: { appId, versionId: id } })
      await developer.ok(versions, 'updateVersion', {
        body: { versionId: id, pkgId, revision: version?.revision ?? 0 },
      })
      await handIn(stage, developer, id)
      const { list } = await reviewer.ok(reviewDesk, 'listTasks', { query: { search: appId, state: 'QUEUED' } })
      return list[0]!
    }
    const first = await submit(versionId, 1, [])
    expect([first.queue, first.packageName, first.versionCode]).toEqual(['FIRST', 'org.example.updated', '1'])
    await reviewer.ok(reviewDesk, 'claimTask', { body: { taskId: first.taskId } })
    await reviewer.ok(reviewDesk, 'submitTask', { body: { taskId: first.taskId, verdict: 'APPROVE' } })
    await stage.settle()
    const next = await developer.ok(versions, 'createVersion', { body: { appId } })
    await developer.ok(versionListings, 'updateListing', {
      body: { versionId: next.versionId, lang: 'enUS', newFeatures: 'A camera', revision: next.revision },
    })
    const second = await submit(next.versionId, 2, ['android.permission.CAMERA'])
    expect(second.queue).toBe('UPDATE')
    const { evidence, difference } = await reviewer.ok(reviewDesk, 'getTask', { query: { taskId: second.taskId } })
    expect(evidence).toMatchObject({ package: { versionCode: '2' }, predecessor: { version: { versionId } } })
    expect(difference).toMatchObject({
      from: { versionCode: '1' },
      to: { versionCode: '2' },
      permissions: { added: ['android.permission.CAMERA'], removed: [] },
      signer: { isSame: true },
    })
  })
})
