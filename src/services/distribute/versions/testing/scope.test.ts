import { afterAll, beforeAll, describe } from 'vitest'
import type { Person } from '../../../../testkit/stage.ts'
import { refusesOutOfReach, scopedMember } from '../../apps/scope.testkit.ts'
import { versionTests } from './contract.ts'
import { openTestScene, type TestScene } from './testing.testkit.ts'

let scene: TestScene
let limited: Person
let other: { appId: string; versionId: string; pkgId: string; groupId: string }
beforeAll(async () => {
  scene = await openTestScene()
  await scene.newApp()
  const mine = scene.appId
  await scene.newApp()
  const { appId } = scene
  const groupId = await scene.group('Crew', 'INTERNAL', ['ann@example.org'])
  const { versionId, pkgId } = await scene.running([groupId])
  other = { appId, versionId, pkgId, groupId }
  limited = await scopedMember(scene.stage, scene.owner, [mine])
})
afterAll(() => scene.stage.close())

describe('who reaches one app of the team learns nothing of the tests of another', () => {
  const asked = () => {
    const { appId, versionId, pkgId, groupId } = other
    const endAt = scene.stage.clock.now() + 86_400_000
    return {
      person: limited,
      calls: {
        createTestVersion: { body: { appId, pkgId, testDesc: 'Look' } },
        getTestVersion: { query: { versionId } },
        listTestVersions: { body: { appId } },
        releaseTest: { body: { versionId, groupIds: [groupId], endAt } },
        openTest: { body: { versionId, endAt } },
        updateTest: { body: { versionId, endAt } },
        stopTest: { body: { versionId } },
        deleteTestVersion: { query: { versionId } },
        checkTestGroup: { query: { appId, groupId } },
      },
    }
  }
  refusesOutOfReach(versionTests, asked, [])
})
