import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Person, Stage } from '../../../../testkit/stage.ts'
import { versions } from '../../versions/contract.ts'
import { versionPhased } from '../../versions/phased/contract.ts'
import { versionRollback } from '../../versions/rollback/contract.ts'
import { versionShelf } from '../../versions/shelf/contract.ts'
import { fillDraft, newApp, openScene, type Scene } from '../../versions/versions.testkit.ts'
import { appViews } from '../apps/contract.ts'
import { releaseViews } from '../releases/contract.ts'
import { versionViews } from '../versions/contract.ts'

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

const appThere = (appId: string) => owner.ok(appViews, 'getApp', { params: { appId } })

describe('a release', () => {
  const standing = (appId: string) => owner.ok(versions, 'getVersion', { query: { appId } })
  const stateThere = async (appId: string) => (await appThere(appId)).appInfo.releaseState
  /** Jobs go on by themselves: what one face shows counts when the other showed the same before and after. */
  const versionOfBoth = async (appId: string) => {
    for (;;) {
      const { version: here } = await standing(appId)
      const { version: there } = await appThere(appId)
      const { version: after } = await standing(appId)
      // What review tells of its clock changes no revision.
      if (isDeepStrictEqual(here, after)) return { here, there }
    }
  }

  it('goes its whole way with each face in turn, and both say the same at every step', async () => {
    const { appId } = await newApp(owner)
    const { versionId } = await fillDraft(stage, owner, appId, 10)
    const steps: [number | null, () => Promise<unknown>][] = [
      [7, async () => {}],
      [12, () => owner.ok(releaseViews, 'submitAudit', { body: { appId } })],
      [4, () => stage.settle()],
      [11, () => owner.ok(versions, 'withdrawVersion', { body: { versionId } })],
      [12, () => owner.ok(releaseViews, 'submitAudit', { body: { versionId } })],
      [4, () => stage.settle()],
      [11, () => owner.ok(releaseViews, 'cancelAudit', { body: { appId } })],
      [12, () => owner.ok(versions, 'submitVersion', { body: { versionId } })],
      [4, () => stage.settle()],
      [0, () => scene.approve(versionId)],
      [10, () => owner.ok(releaseViews, 'shelfOff', { body: { appId, reason: 'Out of season' } })],
    ]
    for (const [expected, step] of steps) {
      await step()
      const here = await standing(appId)
      expect([here.releaseState, await stateThere(appId)]).toEqual([expected, expected])
      const seen = await versionOfBoth(appId)
      expect(seen.there).toEqual(seen.here)
    }
  })

  it('to a share is enlarged, paused and completed by either face', async () => {
    const { appId } = await newApp(owner)
    await scene.onShelf(appId, 10)
    const { versionId } = await fillDraft(stage, owner, appId, 20)
    const phased = { kind: 'PERCENT' as const, percent: '5.00' }
    await owner.ok(releaseViews, 'submitAudit', { body: { appId, releasePhase: 3, phased } })
    await stage.settle()
    await scene.approve(versionId)
    const here = () => owner.ok(versionPhased, 'listPhasedChanges', { query: { versionId } })
    const change = (body: object) => owner.ok(releaseViews, 'updatePhased', { body: { appId, ...body } })
    await change({ phasedReleasePercent: 12.5 })
    expect((await here()).phased).toMatchObject({ percent: '12.50', state: 'RELEASE' })
    await owner.ok(versionPhased, 'updatePhasedRelease', { body: { versionId, state: 'SUSPEND' } })
    const there = await owner.ok(releaseViews, 'getPhased', { query: { appId } })
    expect(there.list).toEqual((await here()).list)
    expect(there.phased?.state).toBe('SUSPEND')
    const unknown = await owner.call(releaseViews, 'updatePhased', { body: { appId, state: 'STOP' } })
    expect([unknown.status, unknown.body.fields?.[0]?.pointer]).toEqual([400, '/state'])
    await change({ state: 'RELEASE' })
    const less = await owner.call(releaseViews, 'updatePhased', { body: { appId, percent: '1.00' } })
    expect([less.status, less.body.ret.code]).toEqual([422, 202030021])
    await change({ releasePhase: 4 })
    expect((await standing(appId)).onShelf?.versionId).toBe(versionId)
    const back = { appId, mode: 'STOP' as const, reason: 'It crashes at the start' }
    const { version, onShelf } = await owner.ok(releaseViews, 'rollBack', { body: back })
    expect([version.versionId, version.state, onShelf?.versionCode]).toEqual([versionId, 'ROLLED_BACK', '10'])
    const { modes } = await owner.ok(versionRollback, 'previewRollback', {
      query: { versionId: onShelf?.versionId ?? '' },
    })
    expect(modes.length).toBe(3)
    const history = await owner.ok(versionViews, 'listHistory', { query: { appId } })
    expect(history.list.map(one => [one.versionCode, one.releaseState])).toEqual([
      ['20', null],
      ['10', 0],
    ])
  })

  it('that ended by GRAY_TERMINATED is cancelled', async () => {
    const { appId } = await newApp(owner)
    await scene.onShelf(appId, 10)
    const { versionId } = await fillDraft(stage, owner, appId, 20)
    await owner.ok(versions, 'submitVersion', { body: { versionId, releasePhase: 3 } })
    await stage.settle()
    await scene.approve(versionId)
    await owner.ok(releaseViews, 'updatePhased', { body: { versionId, state: 'GRAY_TERMINATED' } })
    const { phased } = await owner.ok(versionPhased, 'listPhasedChanges', { query: { versionId } })
    expect(phased?.state).toBe('CANCEL')
  })

  it('has a shelf-off that waits for the store taken back by /audit/cancel', async () => {
    const { appId } = await newApp(owner)
    const { versionId } = await scene.onShelf(appId, 10)
    const many = [appId, owner.teamId]
    await stage.sql('CN', 'INSERT INTO app_installs (app_id, team_id, active, at) VALUES ($1, $2, 20000, 1)', many)
    await owner.ok(versionShelf, 'shelfOffVersion', { body: { versionId, reason: 'Out of season' } })
    expect(await stateThere(appId)).toBe(6)
    const { version } = await owner.ok(releaseViews, 'cancelAudit', { body: { appId } })
    expect([version.versionId, version.state]).toEqual([versionId, 'ON_SHELF'])
    expect((await standing(appId)).releaseState).toBe(0)
  })

  it('is refused with the state and the way on, as the other face refuses it', async () => {
    const { appId } = await newApp(owner)
    const { version } = await standing(appId)
    const { versionId = '' } = version ?? {}
    const [there, here] = [
      await owner.call(releaseViews, 'submitAudit', { body: { appId } }),
      await owner.call(versions, 'submitVersion', { body: { versionId } }),
    ]
    expect([there.status, there.body.ret]).toEqual([here.status, here.body.ret])
    expect(there.body['readiness']).toEqual(here.body['readiness'])
    const nothing = await owner.call(releaseViews, 'shelfOff', { body: { appId, reason: 'Out of season' } })
    expect([nothing.status, nothing.body.ret.code]).toEqual([422, 202070007])
    const nobody = await owner.call(releaseViews, 'shelfOff', { body: { reason: 'Out of season' } as never })
    expect([nobody.status, nobody.body.ret.code]).toEqual([400, 202140001])
    const other = await newApp(owner)
    const crossed = { appId: other.appId, versionId, reason: 'Out of season' }
    expect((await owner.call(releaseViews, 'shelfOff', { body: crossed })).status).toBe(400)
  })

  it('needs for each step the right of that step: operations submit and do not withdraw', async () => {
    const { appId } = await newApp(owner)
    await fillDraft(stage, owner, appId, 10)
    const operations = await stage.person({ team: owner.teamId, roles: ['operations'] })
    await operations.ok(releaseViews, 'submitAudit', { body: { appId } })
    await stage.settle()
    const withdrawn = await operations.call(releaseViews, 'cancelAudit', { body: { appId } })
    expect([withdrawn.status, withdrawn.body.ret.code]).toEqual([403, 204160004])
  })
})

it('of two who submit at once through both faces one wins, and the version is submitted once', async () => {
  const { appId } = await newApp(owner)
  const { versionId, revision } = await fillDraft(stage, owner, appId, 10)
  const replies = await Promise.all([
    owner.call(releaseViews, 'submitAudit', { body: { appId, revision } }),
    owner.call(versions, 'submitVersion', { body: { versionId, revision } }),
  ])
  expect(replies.map(reply => reply.status).filter(status => status === 200)).toEqual([200])
  await stage.settle()
  const submits = (await scene.eventsOf(versionId)).filter(type => type === 'version.submitted')
  expect(submits).toEqual(['version.submitted'])
})
