import { afterAll, beforeAll, expect, it } from 'vitest'
import { openStage, type Stage } from '../../../testkit/stage.ts'
import { notices } from '../../ground/notices/contract.ts'
import { noticeTools } from '../../ground/notices/notices.testkit.ts'
import { draftVersion } from '../review/review.testkit.ts'
import { appsDesk } from './desk/contract.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

it('a freeze and its end are told to those who look after the app, in the inbox and by mail', async () => {
  const tools = noticeTools(stage)
  const owner = await tools.mailPerson('zh')
  const operator = await stage.person({ staff: ['storeOperator'] })
  const { appId } = await draftVersion(stage, owner, 'Anchor')
  await operator.ok(appsDesk, 'freezeApp', { body: { appId, reason: 'A complaint is looked into.' } })
  await operator.ok(appsDesk, 'unfreezeApp', { body: { appId } })
  await stage.settle()
  const { list } = await owner.ok(notices, 'listNotices', { query: { pageSize: 100 } })
  const told = list.filter(one => one.entityId === appId)
  expect(told.map(one => [one.kind, one.href]).sort()).toEqual([
    ['app.frozen', `/apps/${appId}`],
    ['app.unfrozen', `/apps/${appId}`],
  ])
  const subjects = (await tools.mailsTo(owner)).map(mail => mail.subject)
  expect(subjects).toEqual(expect.arrayContaining(['Anchor 已被商店冻结', 'Anchor 已解冻']))
})
