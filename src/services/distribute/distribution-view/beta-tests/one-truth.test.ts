import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Person, Stage } from '../../../../testkit/stage.ts'
import { versionTests } from '../../versions/testing/contract.ts'
import { fillDraft, newApp, openScene, putPackage, type Scene } from '../../versions/versions.testkit.ts'
import { testViews } from '../beta-tests/contract.ts'

/** What either face changes, the other shows at once: there is one row behind both. */
let scene: Scene
let stage: Stage
let owner: Person

beforeAll(async () => {
  scene = await openScene()
  stage = scene.stage
  owner = scene.owner
})
afterAll(() => stage.close())

it('a test is released, extended, stopped and made formal by either face', async () => {
  const { appId } = await newApp(owner)
  await fillDraft(stage, owner, appId, 10)
  const pkgId = await putPackage(stage, owner, { appId, versionCode: 30 })
  const made = await owner.ok(testViews, 'createTest', { body: { appId, pkgId, testDesc: 'Look at it' } })
  const { versionId } = made
  const here = () => owner.ok(versionTests, 'getTestVersion', { query: { versionId } })
  expect(made.test).toEqual({ ...(await here()), ret: undefined })
  const endAt = stage.clock.now() + 86_400_000
  const open = { versionId, action: 'RELEASE' as const, testType: 4, endAt, installLimit: 50 }
  await owner.ok(testViews, 'updateTest', { body: open })
  expect(await here()).toMatchObject({ state: 'IN_REVIEW', testType: 4, installLimit: 50 })
  await stage.settle()
  await scene.approve(versionId)
  const more = { versionId, action: 'EXTEND' as const, installLimit: 80 }
  expect((await owner.ok(testViews, 'updateTest', { body: more })).test.installLimit).toBe(80)
  await owner.ok(versionTests, 'stopTest', { body: { versionId } })
  const { list } = await owner.ok(testViews, 'listTests', { query: { appId } })
  expect(list).toMatchObject([{ versionId, releaseState: 10, versionCode: '30', test: { state: 'STOPPED' } }])
  const other = await newApp(owner)
  const crossed = await owner.call(testViews, 'listTests', { query: { appId: other.appId, versionId } })
  expect(crossed.status).toBe(400)
  const noGroups = await owner.call(testViews, 'updateTest', { body: { versionId, action: 'RELEASE', endAt } })
  expect([noGroups.status, noGroups.body.fields?.[0]?.pointer]).toEqual([400, '/groupIds'])
})
