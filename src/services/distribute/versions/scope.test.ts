import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Person } from '../../../testkit/stage.ts'
import { type Asked, refusesOutOfReach, scopedMember } from '../apps/scope.testkit.ts'
import { versionBulks } from './bulk/contract.ts'
import { versions } from './contract.ts'
import { versionDeclarations } from './declarations/contract.ts'
import { versionHistory } from './history/contract.ts'
import { versionListings } from './listing/contract.ts'
import { versionShelf } from './shelf/contract.ts'
import { fillDraft, newApp, openScene, type Scene } from './versions.testkit.ts'

let scene: Scene
let limited: Person
let mine: { appId: string; versionId: string }
let other: { appId: string; versionId: string }
let bulkId: string
let bothId: string
beforeAll(async () => {
  scene = await openScene()
  const make = async () => {
    const { appId } = await newApp(scene.owner)
    return { appId, versionId: (await fillDraft(scene.stage, scene.owner, appId, 10)).versionId }
  }
  mine = await make()
  other = await make()
  limited = await scopedMember(scene.stage, scene.owner, [mine.appId])
  const submit = async (versionIds: string[]) =>
    (await scene.owner.ok(versionBulks, 'submitVersions', { body: { versionIds } })).bulkId
  bulkId = await submit([other.versionId])
  bothId = await submit([mine.versionId, other.versionId])
  await scene.stage.settle()
})
afterAll(() => scene.stage.close())

function calls(): Asked {
  const { appId, versionId } = other
  const versionIds = [mine.versionId, versionId]
  const reason = 'A reason that is long enough.'
  return {
    getVersion: { query: { appId } },
    createVersion: { body: { appId } },
    updateVersion: { body: { versionId, remark: 'x', revision: 1 } },
    deleteVersion: { query: { versionId } },
    submitVersion: { body: { versionId } },
    withdrawVersion: { body: { versionId } },
    updateReleaseTime: { body: { versionId, changeType: 1 } },
    setMinimumVersion: { body: { versionId, minVersionCode: null, reason } },
    urgeReview: { body: { versionId, reason } },
    listVersions: { query: { appId } },
    listListings: { query: { versionId } },
    updateListing: { body: { versionId, lang: 'enUS', appName: 'x', revision: 1 } },
    deleteListing: { query: { versionId, lang: 'enUS' } },
    checkName: { body: { appName: 'x', appId } },
    listVersionCodes: { query: { appId } },
    getLastOnShelf: { query: { appId } },
    listHistoryVersions: { query: { appId } },
    getHistoryVersion: { query: { versionId } },
    getAiContent: { query: { appId } },
    updateAiContent: { body: { appId, involved: false, types: [] } },
    getFormModel: { query: { appId } },
    validateContact: { body: { appId, address: 'dev@example.com' } },
    checkAgreements: { body: { appId } },
    shelfOffVersion: { body: { versionId, reason } },
    cancelShelfOff: { body: { versionId } },
    submitVersions: { body: { versionIds } },
    withdrawVersions: { body: { versionIds } },
    shelfOffVersions: { body: { versionIds, reason } },
    getBulk: { query: { bulkId } },
  }
}

describe('who reaches one app of the team is told of the versions of another that they are not there', () => {
  const asked = () => ({ person: limited, calls: calls() })
  for (const contract of [versions, versionListings, versionHistory, versionDeclarations, versionShelf]) {
    refusesOutOfReach(contract, asked, [])
  }
  refusesOutOfReach(versionBulks, asked, ['listBulks'])

  it('sees of actions on many versions those on his own, and nothing of the others', async () => {
    const { list, total } = await limited.ok(versionBulks, 'listBulks', {})
    expect([total, list.map(one => one.bulkId), list[0]?.total, list[0]?.percent]).toEqual([1, [bothId], 1, 100])
    const seen = await limited.ok(versionBulks, 'getBulk', { query: { bulkId: bothId } })
    expect(seen.list.map(item => item.versionId)).toEqual([mine.versionId])
    expect((await scene.owner.ok(versionBulks, 'listBulks', {})).total).toBe(2)
  })

  it('changed nothing by asking', async () => {
    expect(await scene.state(other.versionId)).toBe('IN_REVIEW')
  })
})
