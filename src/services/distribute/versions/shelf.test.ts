import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apps } from '../apps/contract.ts'
import { appsDesk } from '../apps/desk/contract.ts'
import { versions } from './contract.ts'
import { versionHistory } from './history/contract.ts'
import { versionListings } from './listing/contract.ts'
import { evidenceOf, publishedOf, recordInstalls } from './public.ts'
import { versionShelf } from './shelf/contract.ts'
import { current, fillDraft, newApp, openScene, png, type Scene, submitted, upload } from './versions.testkit.ts'

const day = 86_400_000

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.stage.close())

describe('taking off the shelf', () => {
  const reason = 'We close the service.'

  it('happens at once for an app that few have, and it can come back within 90 days', async () => {
    const { appId } = await newApp(scene.owner)
    const { versionId } = await scene.onShelf(appId)
    expect(
      (await scene.owner.call(versionShelf, 'shelfOffVersion', { body: { versionId, reason: 'short' } })).status,
    ).toBe(400)
    const off = await scene.owner.ok(versionShelf, 'shelfOffVersion', { body: { versionId, reason } })
    expect(off).toMatchObject({ state: 'OFF_BY_DEVELOPER', lastShelfOff: { state: 'DONE', reason } })
    expect(off.allowedActions).toEqual(['submit'])
    expect((await scene.owner.ok(apps, 'getApp', { query: { appId } })).shelf).toBeNull()
    expect((await scene.owner.ok(versions, 'getVersion', { query: { appId } })).releaseState).toBe(10)
    expect(await scene.eventsOf(versionId)).toEqual(expect.arrayContaining(['version.off_shelf']))
    await submitted(scene.stage, scene.owner, versionId)
    await scene.approve(versionId)
    expect(await scene.state(versionId)).toBe('ON_SHELF')
    await scene.owner.ok(versionShelf, 'shelfOffVersion', { body: { versionId, reason } })
    await scene.turn(90 * day)
    const late = await scene.owner.call(versions, 'submitVersion', { body: { versionId } })
    expect([late.status, late.body.ret.code]).toEqual([422, 202030007])
  })

  it('cannot be undone beside a version that is being prepared', async () => {
    const { appId } = await newApp(scene.owner)
    const { versionId } = await scene.onShelf(appId)
    await scene.owner.ok(versionShelf, 'shelfOffVersion', { body: { versionId, reason } })
    await scene.owner.ok(versions, 'createVersion', { body: { appId } })
    const reply = await scene.owner.call(versions, 'submitVersion', { body: { versionId } })
    expect([reply.status, reply.body.ret.code]).toEqual([409, 202030001])
  })

  it('is looked at by the store when many have the app; refused, it stays until acknowledged', async () => {
    const { appId } = await newApp(scene.owner)
    const { versionId } = await scene.onShelf(appId)
    await scene.system().transact(ctx => recordInstalls(ctx, { appId, teamId: scene.owner.teamId }, 10_001))
    const asked = await scene.owner.ok(versionShelf, 'shelfOffVersion', { body: { versionId, reason } })
    expect([asked.state, asked.lastShelfOff?.state]).toEqual(['SHELF_OFF_REVIEW', 'REQUESTED'])
    const code = async () => (await scene.owner.ok(versions, 'getVersion', { query: { appId } })).releaseState
    expect(await code()).toBe(6)
    const back = await scene.owner.ok(versionShelf, 'cancelShelfOff', { body: { versionId } })
    expect([back.state, await code()]).toEqual(['ON_SHELF', 0])
    await scene.owner.ok(versionShelf, 'shelfOffVersion', { body: { versionId, reason } })
    await scene.decide({ versionId, verdict: 'reject', note: 'Purchases run.' })
    expect(await current(scene.owner, versionId)).toMatchObject({
      state: 'ON_SHELF',
      lastShelfOff: { state: 'REJECTED', reason, opinion: 'Purchases run.' },
    })
    expect(await code()).toBe(9)
    await scene.owner.ok(versionShelf, 'cancelShelfOff', { body: { versionId } })
    expect(await code()).toBe(0)
    await scene.owner.ok(versionShelf, 'shelfOffVersion', { body: { versionId, reason } })
    await scene.decide({ versionId, verdict: 'approve' })
    expect([await scene.state(versionId), await code()]).toEqual(['OFF_BY_DEVELOPER', 10])
    expect((await scene.owner.ok(apps, 'getApp', { query: { appId } })).shelf).toBeNull()
  })

  it('by the store needs an operator, and a senior reviewer to undo', async () => {
    const operator = await scene.stage.person({ staff: ['storeOperator'] })
    const senior = await scene.stage.person({ staff: ['seniorReviewer'] })
    const { appId } = await newApp(scene.owner)
    const { versionId } = await scene.onShelf(appId)
    const body = { versionId, reasonCode: 'MALWARE', notice: 'It sends messages unasked.' }
    const off = await operator.ok(versionShelf, 'forceOffVersion', { body })
    expect(off).toMatchObject({ state: 'OFF_BY_STORE', storeNotice: { reasonCode: 'MALWARE' } })
    const seen = await scene.owner.ok(versionHistory, 'getHistoryVersion', { query: { versionId } })
    expect(seen.timeline[0]).toMatchObject({ action: 'forceOff', actor: { kind: 'store', name: null } })
    expect((await scene.owner.ok(versions, 'getVersion', { query: { appId } })).releaseState).toBe(2)
    const undo = { versionId, notice: 'It was a mistake.' }
    expect((await operator.call(versionShelf, 'restoreVersion', { body: undo })).status).toBe(403)
    expect((await scene.owner.call(versionShelf, 'restoreVersion', { body: undo })).status).toBe(403)
    expect((await senior.ok(versionShelf, 'restoreVersion', { body: undo })).state).toBe('ON_SHELF')
    expect((await scene.owner.ok(apps, 'getApp', { query: { appId } })).shelf?.versionId).toBe(versionId)
  })
})

describe('urging', () => {
  it('waits for the review to be overdue, then once a day and three times', async () => {
    const { appId } = await newApp(scene.owner)
    const { versionId } = await scene.inReview(appId, 10)
    const urge = () =>
      scene.owner.call(versions, 'urgeReview', { body: { versionId, reason: 'We announced it for today.' } })
    const early = await urge()
    expect([early.status, early.body.ret.code]).toEqual([422, 202030005])
    const availableAt = Number(early.body['availableAt'])
    await scene.turn(availableAt - scene.stage.clock.now() + 1000)
    expect((await urge()).body).toMatchObject({ urgeCount: 1, state: 'IN_REVIEW' })
    expect((await urge()).body.ret.code).toBe(202030005)
    for (let count = 2; count <= 3; count++) {
      await scene.turn(day)
      expect((await urge()).body).toMatchObject({ urgeCount: count })
    }
    await scene.turn(day)
    expect((await urge()).body.ret.code).toBe(202030006)
  })
})

describe('names on shelf', () => {
  it('are taken for others in a common country, in any writing', async () => {
    const name = `Loggia Garden ${scene.stage.clock.now()}`
    const { appId } = await newApp(scene.owner, { name })
    await scene.onShelf(appId)
    await scene.stage.settle()
    const stranger = await scene.stage.person()
    const check = (appName: string, countries = ['CN']) =>
      stranger.ok(versionListings, 'checkName', { body: { appName, countries } })
    expect(await check(`  ${name.toUpperCase()}`)).toMatchObject({
      available: false,
      reason: 'TAKEN',
      conflictAppName: name,
    })
    expect(await check(name, ['FR'])).toMatchObject({ available: true, renamesLeft: 2 })
    expect(await check('Loggia Pay')).toMatchObject({ available: false, reason: 'BLOCKED' })
    const other = await newApp(stranger, { name })
    const { versionId } = await fillDraft(scene.stage, stranger, other.appId, 1)
    const reply = await stranger.call(versions, 'submitVersion', { body: { versionId } })
    expect(reply.body['readiness']).toMatchObject([{ rule: 'name.taken', values: { appName: name, lang: 'enUS' } }])
  })

  it('change twice a year in mainland China', async () => {
    const { appId } = await newApp(scene.owner)
    await scene.onShelf(appId, 1)
    for (let times = 1; times <= 3; times++) {
      const draft = await fillDraft(scene.stage, scene.owner, appId, times + 1)
      await scene.owner.ok(versionListings, 'updateListing', {
        body: {
          versionId: draft.versionId,
          lang: 'enUS',
          appName: `Name ${times} of ${appId}`,
          revision: draft.revision,
        },
      })
      if (times === 3) {
        const reply = await scene.owner.call(versions, 'submitVersion', { body: { versionId: draft.versionId } })
        expect(reply.body['readiness']).toMatchObject([{ rule: 'name.renames' }])
        return
      }
      await submitted(scene.stage, scene.owner, draft.versionId)
      await scene.approve(draft.versionId)
      expect((await scene.owner.ok(apps, 'getApp', { query: { appId } })).name).toBe(`Name ${times} of ${appId}`)
    }
  })
})

describe('what others get', () => {
  it('is a whole store record, and for the desk the predecessor and the test account', async () => {
    const { appId } = await newApp(scene.owner)
    const first = await scene.onShelf(appId, 10)
    const draft = await fillDraft(scene.stage, scene.owner, appId, 11)
    const icon = await upload(scene.stage, scene.owner, png(1024, 1024), 'icon.png', 'app_img')
    const { version } = await scene.owner.ok(versionListings, 'updateListing', {
      body: {
        versionId: draft.versionId,
        lang: 'deDE',
        appName: `Notizen ${appId}`,
        iconObjectId: icon,
        revision: draft.revision,
      },
    })
    await scene.owner.ok(versions, 'updateVersion', {
      body: {
        versionId: draft.versionId,
        loginRequired: true,
        testAccount: 'tester',
        testPassword: 'sesame',
        revision: version.revision,
      },
    })
    const published = await scene.system().transact(ctx => publishedOf(ctx, draft.versionId))
    expect(published.listings.map(one => [one.lang, one.icon?.width])).toEqual([
      ['deDE', 1024],
      ['enUS', 216],
    ])
    expect([published.app.appId, published.package?.versionCode, published.countries]).toEqual([
      appId,
      '11',
      ['DE', 'CN'],
    ])
    const evidence = await scene.system().transact(ctx => evidenceOf(ctx, draft.versionId))
    expect(evidence.predecessor?.version.versionId).toBe(first.versionId)
    expect(evidence.testAccount).toEqual({ isNeeded: true, account: 'tester', password: 'sesame' })
    await submitted(scene.stage, scene.owner, draft.versionId)
    await scene.approve(draft.versionId)
    const next = await scene.owner.ok(versions, 'createVersion', { body: { appId } })
    const again = await scene.system().transact(ctx => evidenceOf(ctx, next.versionId))
    expect(again.testAccount.password).toBe('sesame')
  })

  it('is a list with everything that happened', async () => {
    const { appId } = await newApp(scene.owner)
    const { versionId } = await scene.inReview(appId, 10)
    await scene.owner.ok(versions, 'withdrawVersion', { body: { versionId } })
    const { list } = await scene.owner.ok(versions, 'listVersions', { query: { appId } })
    expect(list[0]?.timeline.map(one => [one.action, one.from, one.to, one.actor.kind])).toEqual([
      ['withdraw', 'IN_REVIEW', 'WITHDRAWN', 'developer'],
      ['passPrecheck', 'PRECHECK', 'IN_REVIEW', 'system'],
      ['submit', 'DRAFT', 'PRECHECK', 'developer'],
      ['create', null, 'DRAFT', 'developer'],
    ])
    expect(list[0]?.timeline[0]?.actor.name).toBe(scene.owner.loginName)
  })
})

describe('another default language', () => {
  it('gives the app the name its draft has in that language', async () => {
    const { appId, revision } = await newApp(scene.owner)
    const draft = await fillDraft(scene.stage, scene.owner, appId, 1)
    await scene.owner.ok(versionListings, 'updateListing', {
      body: { versionId: draft.versionId, lang: 'deDE', appName: 'Garten', revision: draft.revision },
    })
    await scene.owner.ok(apps, 'updateApp', { body: { appId, defaultLang: 'deDE', revision } })
    await scene.stage.settle()
    expect((await scene.owner.ok(apps, 'getApp', { query: { appId } })).name).toBe('Garten')
  })
})

describe('a frozen app', () => {
  it('can only be looked at, and what was approved waits for the end of the freeze', async () => {
    const operator = await scene.stage.person({ staff: ['storeOperator'] })
    const { appId } = await newApp(scene.owner)
    const { versionId, revision } = await scene.inReview(appId, 10)
    await operator.ok(appsDesk, 'freezeApp', { body: { appId, reason: 'A complaint is looked into.' } })
    const edit = await scene.owner.call(versions, 'withdrawVersion', { body: { versionId, revision } })
    expect([edit.status, edit.body.ret.code]).toEqual([422, 202010006])
    await scene.approve(versionId)
    await scene.stage.booted.worker.sweep()
    expect(await scene.state(versionId)).toBe('PENDING_RELEASE')
    await operator.ok(appsDesk, 'unfreezeApp', { body: { appId } })
    await scene.stage.booted.worker.sweep()
    expect(await scene.state(versionId)).toBe('ON_SHELF')
  })
})
