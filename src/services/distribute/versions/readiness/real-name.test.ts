import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Person } from '../../../../testkit/stage.ts'
import { flip } from '../../../ground/menu/switches.testkit.ts'
import { realNameCalls } from '../../../ground/session/real-names/contract.ts'
import { betaGroups } from '../../beta-test/contract.ts'
import { betaPeople } from '../../beta-test/people/contract.ts'
import { submissions } from '../../review/contract.ts'
import { versionBulks } from '../bulk/contract.ts'
import { versions } from '../contract.ts'
import { versionTests } from '../testing/contract.ts'
import { fillDraft, newApp, openScene, putPackage, type Scene } from '../versions.testkit.ts'

let scene: Scene
let operator: Person
let reviewer: Person
beforeAll(async () => {
  scene = await openScene()
  operator = await scene.stage.person({ staff: ['storeAdministrator'] })
  reviewer = await scene.stage.person({ staff: ['seniorReviewer'] })
})
afterAll(() => scene.stage.close())

const { realNameNeeded } = versions.errors
const draft = async () => {
  const { appId } = await newApp(scene.owner)
  return { appId, versionId: (await fillDraft(scene.stage, scene.owner, appId, 10)).versionId }
}

async function verify(who: Person) {
  const individual = { fullName: 'Mira', country: 'DE', documentType: 'passport' as const, documentNumber: 'C01X00T47' }
  const { revision } = await who.ok(realNameCalls, 'submitRealName', {
    body: { kind: 'individual', individual, revision: 0 },
  })
  await reviewer.ok(realNameCalls, 'decideRealName', {
    params: { accountId: who.accountId },
    body: { verdict: 'pass', revision },
  })
}

describe('unrealNameSwitch', () => {
  it('on, as the console comes: people whose real name was not verified submit versions', async () => {
    const { appId, versionId } = await draft()
    const { readiness } = await scene.owner.ok(versions, 'getVersion', { query: { appId, include: 'readiness' } })
    expect(readiness).toEqual([])
    expect((await scene.owner.call(versions, 'submitVersion', { body: { versionId } })).status).toBe(200)
  })

  it('off: they submit in no way, alone, many or together, and are told where to verify, before as well', async () => {
    const { appId, versionId } = await draft()
    const other = await draft()
    await flip(operator, 'unrealNameSwitch', { isOn: false })
    const { readiness } = await scene.owner.ok(versions, 'getVersion', { query: { appId, include: 'readiness' } })
    expect(readiness).toMatchObject([{ rule: 'person.realName', severity: 'BLOCK', fixHref: '/real-name' }])

    const alone = await scene.owner.call(versions, 'submitVersion', { body: { versionId } })
    expect([alone.status, alone.body.ret.code]).toEqual([403, realNameNeeded[0]])
    expect(alone.body.ret.msg).toContain('#/real-name')
    const waiting = await scene.owner.call(versions, 'submitVersion', { body: { versionId, submitWhenReady: true } })
    expect(waiting.body.ret.code).toBe(realNameNeeded[0])

    const versionIds = [versionId, other.versionId]
    const { bulkId } = await scene.owner.ok(versionBulks, 'submitVersions', { body: { versionIds } })
    await scene.stage.settle()
    const { list } = await scene.owner.ok(versionBulks, 'getBulk', { query: { bulkId } })
    expect(list.map(item => [item.result, item.code])).toEqual(versionIds.map(() => ['REFUSED', realNameNeeded[0]]))

    const together = await scene.owner.call(submissions, 'createSubmission', { body: { versionIds } })
    expect([together.status, together.body.ret.code]).toEqual([403, realNameNeeded[0]])
    expect(await Promise.all(versionIds.map(scene.state))).toEqual(['DRAFT', 'DRAFT'])
  })

  it('off: a test that the store looks at first is not handed in either; one inside the team goes on', async () => {
    const { appId } = await newApp(scene.owner)
    const pkgId = await putPackage(scene.stage, scene.owner, { appId, versionCode: 7 })
    await scene.stage.sql('CN', 'UPDATE packages SET package_name = $2 WHERE pkg_id = $1', [pkgId, 'com.example.seven'])
    const { versionId } = await scene.owner.ok(versionTests, 'createTestVersion', {
      body: { appId, pkgId, testDesc: 'Look at the start page' },
    })
    const endAt = scene.stage.clock.now() + 7 * 86_400_000
    const open = await scene.owner.call(versionTests, 'openTest', { body: { versionId, endAt } })
    expect([open.status, open.body.ret.code]).toEqual([403, realNameNeeded[0]])
    const { groupId } = await scene.owner.ok(betaGroups, 'createGroup', {
      body: { appId, name: 'Inside', kind: 'INTERNAL' },
    })
    const users = [{ account: 'mira@example.com' }]
    await scene.owner.ok(betaPeople, 'addGroupUsers', { params: { groupId }, body: { users } })
    const body = { versionId, groupIds: [groupId], endAt }
    expect((await scene.owner.call(versionTests, 'releaseTest', { body })).status).toBe(200)
  })

  it('off: who was verified submits, and the checks of the store ask nobody’s name', async () => {
    const { appId, versionId } = await draft()
    await flip(operator, 'unrealNameSwitch', { isOn: false })
    await verify(scene.owner)
    const { readiness } = await scene.owner.ok(versions, 'getVersion', { query: { appId, include: 'readiness' } })
    expect(readiness).toEqual([])
    await scene.owner.ok(versions, 'submitVersion', { body: { versionId } })
    await scene.stage.settle()
    expect(await scene.state(versionId)).toBe('IN_REVIEW')
  })
})
