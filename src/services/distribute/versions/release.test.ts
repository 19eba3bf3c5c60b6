import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Refusal } from '../../../kernel/errors.ts'
import { apps } from '../apps/contract.ts'
import { versions } from './contract.ts'
import { versionHistory } from './history/contract.ts'
import { versionListings } from './listing/contract.ts'
import { decideVersion } from './public.ts'
import { current, fillDraft, newApp, openScene, putPackage, type Scene, submitted } from './versions.testkit.ts'

const minute = 60_000
const day = 86_400_000

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.stage.close())

describe('approval', () => {
  it('puts an automatic release on shelf, and the app knows', async () => {
    const { appId } = await newApp(scene.owner)
    const version = await scene.onShelf(appId)
    expect(version).toMatchObject({ state: 'ON_SHELF', versionCode: '10' })
    const app = await scene.owner.ok(apps, 'getApp', { query: { appId } })
    expect(app).toMatchObject({ developStatus: 'ON_SHELF', openVersionId: null, everOnShelf: true })
    expect(app.shelf).toMatchObject({ versionId: version.versionId, versionCode: '10', versionName: '1.10' })
    const found = await scene.owner.ok(versions, 'getVersion', { query: { appId } })
    expect(found).toMatchObject({ releaseState: 0, open: null, onShelf: { versionId: version.versionId } })
    const types = await scene.eventsOf(version.versionId)
    expect(types.slice(-2)).toEqual(['version.approved', 'version.on_shelf'])
  })

  it('leaves a manual release waiting until somebody releases it', async () => {
    const { appId } = await newApp(scene.owner)
    const { versionId } = await scene.inReview(appId, 10, { releaseMode: 'MANUAL' })
    await scene.approve(versionId)
    expect(await current(scene.owner, versionId)).toMatchObject({ state: 'PENDING_RELEASE' })
    const released = await scene.owner.ok(versions, 'updateReleaseTime', { body: { versionId, changeType: 1 } })
    expect(released).toMatchObject({ state: 'ON_SHELF', releaseMode: 'MANUAL' })
  })

  it('releases at once and says so when the chosen time has passed', async () => {
    const { appId } = await newApp(scene.owner)
    const { versionId } = await scene.inReview(appId, 10, {
      releaseMode: 'TIMED',
      onShelfTime: scene.stage.clock.now() + 20 * minute,
    })
    await scene.turn(21 * minute)
    await scene.approve(versionId)
    const history = await scene.owner.ok(versionHistory, 'getHistoryVersion', { query: { versionId } })
    expect(history.version.state).toBe('ON_SHELF')
    const entry = history.timeline.find(one => one.action === 'approve')
    expect(entry).toMatchObject({ from: 'IN_REVIEW', to: 'ON_SHELF', actor: { kind: 'store', name: null } })
    expect(entry?.note).toMatchObject({ timeHadPassed: true })
  })

  it('keeps the rejection with the version until the next submit, and edits make it a draft', async () => {
    const { appId } = await newApp(scene.owner)
    const { versionId } = await scene.inReview(appId, 10)
    await scene.decide({ versionId, verdict: 'reject', note: 'It does not start.' })
    const rejected = await current(scene.owner, versionId)
    expect(rejected).toMatchObject({ state: 'REJECTED', rejection: { note: 'It does not start.' } })
    expect((await scene.owner.ok(versions, 'getVersion', { query: { appId } })).releaseState).toBe(1)
    const edited = await scene.owner.ok(versions, 'updateVersion', {
      body: { versionId, remark: 'fixed', revision: rejected.revision },
    })
    expect([edited.state, edited.rejection?.note]).toEqual(['DRAFT', 'It does not start.'])
    expect((await submitted(scene.stage, scene.owner, versionId)).rejection).toBeNull()
  })

  it('needs the right to decide', async () => {
    const { appId } = await newApp(scene.owner)
    const { versionId } = await scene.inReview(appId, 10)
    const ctx = scene.system()
    const place = {
      ...ctx.place,
      caller: { ...ctx.place.caller, kind: 'user' as const, permissions: new Set<string>() },
    }
    const powerless = new (ctx.constructor as new (...from: unknown[]) => typeof ctx)(ctx.server, place)
    await expect(powerless.transact(inner => decideVersion(inner, { versionId, verdict: 'approve' }))).rejects.toThrow(
      'review.decide',
    )
  })

  it('and withdrawal at the same time: exactly one wins', async () => {
    for (let round = 0; round < 3; round++) {
      const { appId } = await newApp(scene.owner)
      const { versionId } = await scene.inReview(appId, 10)
      const [withdrawn, approved] = await Promise.all([
        scene.owner.call(versions, 'withdrawVersion', { body: { versionId } }),
        scene.approve(versionId).catch((error: unknown) => error),
      ])
      const isApproved = !(approved instanceof Refusal)
      expect([withdrawn.status === 200, isApproved].filter(Boolean)).toHaveLength(1)
      expect(await scene.state(versionId)).toBe(isApproved ? 'ON_SHELF' : 'WITHDRAWN')
    }
  })
})

describe('a timed release', () => {
  it('goes on shelf within a sweep of its time', async () => {
    const { appId } = await newApp(scene.owner)
    const onShelfTime = scene.stage.clock.now() + 30 * minute
    const { versionId } = await scene.inReview(appId, 10, { releaseMode: 'TIMED', onShelfTime })
    await scene.approve(versionId)
    await scene.stage.booted.worker.sweep()
    expect(await scene.state(versionId)).toBe('PENDING_RELEASE')
    await scene.turn(31 * minute)
    await scene.stage.booted.worker.sweep()
    expect(await scene.state(versionId)).toBe('ON_SHELF')
    const { timeline } = await scene.owner.ok(versionHistory, 'getHistoryVersion', { query: { versionId } })
    expect(timeline[0]).toMatchObject({ action: 'releaseOnTime', actor: { kind: 'system' } })
  })

  it('can be put off, and refuses a time that is too near or too far', async () => {
    const { appId } = await newApp(scene.owner)
    const { versionId } = await scene.inReview(appId, 10, {
      releaseMode: 'TIMED',
      onShelfTime: scene.stage.clock.now() + 30 * minute,
    })
    await scene.approve(versionId)
    const change = (releaseTime?: number) =>
      scene.owner.call(versions, 'updateReleaseTime', {
        body: { versionId, changeType: 3, ...(releaseTime === undefined ? {} : { releaseTime }) },
      })
    const later = scene.stage.clock.now() + 3 * day
    expect((await change(later)).body).toMatchObject({ state: 'PENDING_RELEASE', onShelfTime: later })
    expect((await change(scene.stage.clock.now() + minute)).body.ret.code).toBe(202030004)
    expect((await change(scene.stage.clock.now() + 181 * day)).body.ret.code).toBe(202030004)
    expect((await change()).body.fields?.[0]?.pointer).toBe('/releaseTime')
    expect((await current(scene.owner, versionId)).onShelfTime).toBe(later)
  })

  it('becomes immediate with change type 2, before and after approval', async () => {
    const [one, two] = [await newApp(scene.owner), await newApp(scene.owner)]
    const timed = () => ({ releaseMode: 'TIMED', onShelfTime: scene.stage.clock.now() + 30 * minute })
    const before = await scene.inReview(one.appId, 10, timed())
    const soon = await scene.owner.ok(versions, 'updateReleaseTime', {
      body: { versionId: before.versionId, changeType: 2 },
    })
    expect(soon).toMatchObject({ state: 'IN_REVIEW', releaseMode: 'AUTO', onShelfTime: null })
    const after = await scene.inReview(two.appId, 10, timed())
    await scene.approve(after.versionId)
    const now = await scene.owner.ok(versions, 'updateReleaseTime', {
      body: { versionId: after.versionId, changeType: 2 },
    })
    expect(now.state).toBe('ON_SHELF')
  })

  it('is refused at submit without a time', async () => {
    const { appId } = await newApp(scene.owner)
    const { versionId } = await fillDraft(scene.stage, scene.owner, appId, 10)
    const reply = await scene.owner.call(versions, 'submitVersion', { body: { versionId, releaseMode: 'TIMED' } })
    expect(reply.body['readiness']).toMatchObject([{ rule: 'release.time', field: '/onShelfTime' }])
  })

  it('that nobody releases for 180 days is withdrawn', async () => {
    const { appId } = await newApp(scene.owner)
    const { versionId } = await scene.inReview(appId, 10, { releaseMode: 'MANUAL' })
    await scene.approve(versionId)
    await scene.turn(180 * day)
    await scene.stage.booted.worker.sweep()
    expect(await scene.state(versionId)).toBe('WITHDRAWN')
    expect(await scene.eventsOf(versionId)).toContain('version.expired')
  })
})

describe('the next version', () => {
  it('starts with the listing, package and settings of the one on shelf, and supersedes it', async () => {
    const { appId } = await newApp(scene.owner)
    const first = await scene.onShelf(appId, 10)
    const draft = await scene.owner.ok(versions, 'createVersion', { body: { appId } })
    expect(draft).toMatchObject({ pkgId: first.pkgId, versionCode: '10', countries: ['DE', 'CN'], isFirst: false })
    const { list } = await scene.owner.ok(versionListings, 'listListings', { query: { versionId: draft.versionId } })
    expect(list[0]).toMatchObject({ briefInfo: 'A sample', newFeatures: '' })
    const second = await scene.onShelf(appId, 11)
    expect(second.versionId).toBe(draft.versionId)
    expect(await current(scene.owner, first.versionId)).toMatchObject({
      state: 'SUPERSEDED',
      supersededBy: second.versionId,
      allowedActions: [],
    })
    const history = await scene.owner.ok(versionHistory, 'listHistoryVersions', { query: { appId, pageSize: 1 } })
    expect([history.total, history.list[0]?.versionId]).toEqual([2, second.versionId])
    const rest = await scene.owner.ok(versionHistory, 'listHistoryVersions', {
      query: { appId, cursor: history.nextCursor! },
    })
    expect(rest.list.map(one => one.versionId)).toEqual([first.versionId])
    expect((await scene.owner.ok(versionHistory, 'getLastOnShelf', { query: { appId } })).version?.versionId).toBe(
      second.versionId,
    )
  })

  it('needs a greater version code', async () => {
    const { appId } = await newApp(scene.owner)
    await scene.onShelf(appId, 10)
    const { versionId } = await fillDraft(scene.stage, scene.owner, appId, 9)
    const reply = await scene.owner.call(versions, 'submitVersion', { body: { versionId } })
    expect(reply.body['readiness']).toMatchObject([
      { rule: 'package.versionCode', values: { actual: '9', highest: '10' }, severity: 'BLOCK' },
    ])
  })

  it('needs the same signer, or one that a lineage from it proves', async () => {
    const { appId } = await newApp(scene.owner)
    await scene.onShelf(appId, 10)
    const [before, other] = ['aa'.repeat(32), 'bb'.repeat(32)]
    const { versionId } = await fillDraft(scene.stage, scene.owner, appId, 11, { signers: [other] })
    const failed = await submitted(scene.stage, scene.owner, versionId)
    expect([failed.state, failed.findings[0]?.rule, failed.findings[0]?.values['code']]).toEqual([
      'PRECHECK_FAILED',
      'package.signer',
      1103,
    ])
    const pkgId = await putPackage(scene.stage, scene.owner, {
      appId,
      versionCode: 12,
      signers: [other],
      lineage: [before, other],
    })
    await scene.owner.ok(versions, 'updateVersion', { body: { versionId, pkgId, revision: failed.revision } })
    const passed = await submitted(scene.stage, scene.owner, versionId)
    expect(passed.state).toBe('IN_REVIEW')
    expect((await scene.owner.ok(versions, 'getVersion', { query: { appId } })).releaseState).toBe(5)
    await scene.approve(versionId)
    const back = await fillDraft(scene.stage, scene.owner, appId, 13, { signers: [before] })
    expect((await submitted(scene.stage, scene.owner, back.versionId)).findings[0]?.rule).toBe('package.signer')
  })

  it('may change the listing only and keep the package', async () => {
    const { appId } = await newApp(scene.owner)
    const first = await scene.onShelf(appId, 10)
    const draft = await scene.owner.ok(versions, 'createVersion', { body: { appId } })
    const { state: end } = await submitted(scene.stage, scene.owner, draft.versionId)
    expect(end).toBe('IN_REVIEW')
    await scene.approve(draft.versionId)
    expect(await scene.state(first.versionId)).toBe('SUPERSEDED')
  })
})
