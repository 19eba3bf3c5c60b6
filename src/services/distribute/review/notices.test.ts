import { afterAll, beforeAll, expect, it } from 'vitest'
import { openStage, type Person, type Stage } from '../../../testkit/stage.ts'
import { notices } from '../../ground/notices/contract.ts'
import { reviewDesk } from './contract.ts'
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
