import { afterAll, beforeAll, expect, it } from 'vitest'
import { openStage, type Person, type Stage } from '../../../testkit/stage.ts'
import { notices } from '../../ground/notices/contract.ts'
import { noticeTools } from '../../ground/notices/notices.testkit.ts'
import { reviewDesk } from './desk/contract.ts'
import { waitingTask } from './review.testkit.ts'

let stage: Stage
let owner: Person
let reviewer: Person
beforeAll(async () => {
  stage = await openStage()
  owner = await stage.person()
  reviewer = await stage.person({ staff: ['reviewer'] })
})
afterAll(() => stage.close())

it('what the desk decides, and that it is on shelf, is told to those who may submit, with the page it is about', async () => {
  const analyst = await stage.person({ team: owner.teamId, roles: ['analyst'] })
  const { taskId, appId, versionId } = await waitingTask(stage, owner, reviewer, 'Beacon')
  await reviewer.ok(reviewDesk, 'claimTask', { body: { taskId } })
  await reviewer.ok(reviewDesk, 'submitTask', { body: { taskId, verdict: 'APPROVE' } })
  await stage.settle()
  const { list } = await owner.ok(notices, 'listNotices', { query: { pageSize: 100 } })
  const told = list.filter(one => one.entityId === versionId).map(one => [one.kind, one.category, one.href])
  expect(told).toEqual(
    expect.arrayContaining([
      ['version.approved', 'review', `/apps/${appId}/submission`],
      ['version.on_shelf', 'operations', `/apps/${appId}/version/${versionId}`],
    ]),
  )
  expect(list.find(one => one.kind === 'version.approved')?.title.ru).toContain('Beacon')
  const { list: others } = await analyst.ok(notices, 'listNotices', { query: { category: 'review' } })
  expect(others).toEqual([])
})

it('a rejection and a question are told in the inbox and by mail, in the person’s language, with the thread', async () => {
  const mails = noticeTools(stage)
  const russian = await mails.mailPerson('ru')
  const { taskId, appId, versionId } = await waitingTask(stage, russian, reviewer, 'Buoy')
  await reviewer.ok(reviewDesk, 'claimTask', { body: { taskId } })
  await reviewer.ok(reviewDesk, 'submitTask', { body: { taskId, verdict: 'ASK', text: 'Who may sign in?' } })
  await stage.settle()
  await reviewer.ok(reviewDesk, 'claimTask', { body: { taskId } })
  const issues = [{ policyId: '2.1', severity: 'MUST_FIX' as const, text: 'The icon shows another app.' }]
  await reviewer.ok(reviewDesk, 'submitTask', { body: { taskId, verdict: 'REJECT', issues } })
  await stage.settle()
  const { list } = await russian.ok(notices, 'listNotices', { query: { category: 'review' } })
  const told = list.filter(one => one.entityId === versionId).map(one => [one.kind, one.href, one.title.ru])
  expect(told).toEqual([
    ['version.rejected', `/apps/${appId}/submission`, 'Buoy: проверка не пройдена'],
    ['review.task.asked', `/apps/${appId}/submission`, 'Вопрос проверяющего: Buoy'],
  ])
  const sent = await mails.mailsTo(russian)
  expect(sent.map(mail => mail.subject)).toEqual(
    expect.arrayContaining(['Buoy: проверка не пройдена', 'Вопрос проверяющего: Buoy']),
  )
  expect(sent.every(mail => !mail.text.includes('Who may sign in?'))).toBe(true)
  expect(sent.find(mail => mail.subject.startsWith('Вопрос'))?.text).toContain(`/#/apps/${appId}/submission`)
})

it('who reaches only another app of the team is told nothing of it', async () => {
  const team = await stage.person()
  const here = await stage.person({ team: team.teamId, roles: ['developer', 'operations'] })
  const elsewhere = await stage.person({ team: team.teamId, roles: ['developer', 'operations'] })
  const { taskId, appId, versionId } = await waitingTask(stage, team, reviewer, 'Mast')
  const reach = async (person: Person, apps: string[]) =>
    stage.sql('home', 'UPDATE members SET scope = $2 WHERE account_id = $1', [
      person.accountId,
      JSON.stringify({ projects: [], apps }),
    ])
  await reach(here, [appId])
  await reach(elsewhere, ['77'])
  await reviewer.ok(reviewDesk, 'claimTask', { body: { taskId } })
  await reviewer.ok(reviewDesk, 'submitTask', { body: { taskId, verdict: 'APPROVE' } })
  await stage.settle()
  const heard = async (person: Person) =>
    (
      await stage.sql<{ kind: string }>('CN', 'SELECT kind FROM notices WHERE account_id = $1 AND entity_id = $2', [
        person.accountId,
        versionId,
      ])
    )
      .map(row => row.kind)
      .sort()
  expect(await heard(here)).toEqual(['version.approved', 'version.on_shelf'])
  expect(await heard(elsewhere)).toEqual([])
})
