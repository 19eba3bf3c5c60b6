import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { armOf } from '../../../../kernel/bucketing.ts'
import type { Person, Stage } from '../../../../testkit/stage.ts'
import { orchestration } from '../../../ground/orchestration/contract.ts'
import { newHarmonyApp } from '../../harmony/harmony.testkit.ts'
import { store } from '../../store/contract.ts'
import { memoryOf } from '../../store/memory.ts'
import { versionListings } from '../../versions/listing/contract.ts'
import { newApp, openScene, png, type Scene, upload } from '../../versions/versions.testkit.ts'
import { harmonyMaterialTests, materialTests } from './contract.ts'
import { materialDesk } from './desk/contract.ts'
import { testCycle, testStates } from './rules.ts'

let scene: Scene
let stage: Stage
let owner: Person
let reviewer: Person
let appId: string
let versionId: string
const packageName = 'org.example.beacon'
const dayMs = 86_400_000

beforeAll(async () => {
  scene = await openScene()
  stage = scene.stage
  owner = scene.owner
  reviewer = await stage.person({ staff: ['reviewer'] })
  ;({ appId } = await newApp(owner))
  ;({ versionId } = await scene.onShelf(appId))
  await stage.sql('CN', 'UPDATE packages SET package_name = $2 WHERE app_id = $1', [appId, packageName])
  await stage.settle()
})
afterAll(() => stage.close())

const icon = () => upload(stage, owner, png(216, 216), 'icon.png', 'app_img')
const wish = { elements: ['icon', 'brief'] as ('icon' | 'brief')[], langs: ['enUS'], trafficPercent: 100 }

async function draft(more: object = {}, variants = ['Bright']) {
  const { testId } = await owner.ok(materialTests, 'createTest', { body: { appId, name: 'Icons', ...wish, ...more } })
  const variantIds: string[] = []
  for (const name of variants) {
    const materials = [{ lang: 'enUS', iconObjectId: await icon(), brief: `${name} and clear` }]
    const { variant } = await owner.ok(materialTests, 'createVariant', { body: { testId, name, materials } })
    variantIds.push(variant.variantId)
  }
  return { testId, variantIds }
}

const submit = (testId: string) => owner.ok(materialTests, 'submitTest', { body: { testId } })
const approve = (testId: string) => reviewer.ok(materialDesk, 'decideTest', { body: { testId, verdict: 'APPROVE' } })
const view = (testId: string) => owner.ok(materialTests, 'getTest', { query: { testId } })

async function running(more: object = {}, variants = ['Bright']) {
  const made = await draft(more, variants)
  await submit(made.testId)
  await approve(made.testId)
  await owner.ok(materialTests, 'startTest', { body: { testId: made.testId } })
  await stage.settle()
  await stage.heard('home')
  return made
}

async function end(testId: string) {
  const { state } = await view(testId)
  if (state === 'RUNNING') await owner.ok(materialTests, 'stopTest', { body: { testId } })
  await stage.settle()
  await stage.heard('home')
}

const page = (deviceId: string) => stage.anybody.ok(store, 'getApp', { params: { packageName }, query: { deviceId } })
const counted = async () => memoryOf(stage.booted.server).viewers.flush.now()
const report = (deviceId: string, type: 'install_ok' | 'open' = 'install_ok', more: object = {}) =>
  stage.anybody.ok(store, 'reportEvents', { body: { deviceId, events: [{ type, versionId, ...more }] } })

describe('the way of a test', () => {
  it('goes from draft through review into the store and out of it', async () => {
    const { testId } = await draft()
    expect((await view(testId)).allowedActions).toEqual(['edit', 'submit', 'delete'])
    expect((await submit(testId)).state).toBe('AUDITING')
    const waiting = await reviewer.ok(materialDesk, 'listWaiting', {})
    expect(waiting.list.find(one => one.testId === testId)).toMatchObject({ allowedActions: ['approve', 'reject'] })
    const seen = await reviewer.ok(materialDesk, 'viewWaiting', { query: { testId } })
    expect(seen.variants[0]?.materials[0]).toMatchObject({ lang: 'enUS', brief: 'Bright and clear' })
    expect(seen.control[0]).toMatchObject({ lang: 'enUS', brief: 'A sample', name: null })
    const silent = await reviewer.call(materialDesk, 'decideTest', { body: { testId, verdict: 'REJECT' } })
    expect(silent.body.ret.code).toBe(202190020)
    const note = 'The icon is not yours'
    await reviewer.ok(materialDesk, 'decideTest', { body: { testId, verdict: 'REJECT', note } })
    expect(await view(testId)).toMatchObject({ state: 'AUDIT_REJECTED', note })
    await submit(testId)
    expect((await owner.ok(materialTests, 'cancelTest', { body: { testId } })).state).toBe('DRAFT')
    await submit(testId)
    expect((await approve(testId)).state).toBe('READY')
    expect((await owner.ok(materialTests, 'startTest', { body: { testId } })).state).toBe('RUNNING')
    const second = await draft()
    await submit(second.testId)
    await approve(second.testId)
    const refused = await owner.call(materialTests, 'startTest', { body: { testId: second.testId } })
    expect(refused.body.ret.code).toBe(202190012)
    await owner.ok(materialTests, 'stopTest', { body: { testId } })
    await owner.ok(materialTests, 'deleteTest', { query: { testId } })
    const { list } = await owner.ok(materialTests, 'listTests', { query: { appId, state: 'DELETED' } })
    expect(list.map(one => one.testId)).toEqual([testId])
    await owner.ok(materialTests, 'deleteTest', { query: { testId: second.testId } })
  })

  it('a reviewer of the owning team may not decide', async () => {
    const { testId } = await draft()
    await submit(testId)
    const own = await stage.person({ staff: ['reviewer'], team: owner.teamId, roles: ['developer'] })
    const refused = await own.call(materialDesk, 'decideTest', { body: { testId, verdict: 'APPROVE' } })
    expect([refused.status, refused.body.ret.code]).toEqual([403, 202040004])
    await owner.ok(materialTests, 'cancelTest', { body: { testId } })
  })

  it('an action that its state does not allow is refused, in every state', async () => {
    const { testId, variantIds } = await draft()
    const calls = {
      edit: () => owner.call(materialTests, 'updateTest', { body: { testId, name: 'Again' } }),
      submit: () => owner.call(materialTests, 'submitTest', { body: { testId } }),
      cancel: () => owner.call(materialTests, 'cancelTest', { body: { testId } }),
      start: () => owner.call(materialTests, 'startTest', { body: { testId } }),
      stop: () => owner.call(materialTests, 'stopTest', { body: { testId } }),
      apply: () => owner.call(materialTests, 'applyVariant', { body: { testId, variantId: variantIds[0]! } }),
      delete: () => owner.call(materialTests, 'deleteTest', { query: { testId } }),
      approve: () => reviewer.call(materialDesk, 'decideTest', { body: { testId, verdict: 'APPROVE' } }),
      reject: () => reviewer.call(materialDesk, 'decideTest', { body: { testId, verdict: 'REJECT', note: 'No' } }),
    }
    for (const state of testStates) {
      for (const [action, call] of Object.entries(calls)) {
        if (testCycle.moves.some(move => move.action === action && move.from.includes(state))) continue
        await stage.sql('CN', 'UPDATE material_tests SET state = $2 WHERE test_id = $1', [testId, state])
        const { status, body } = await call()
        expect([state, action, status, body['state']]).toEqual([state, action, 422, state])
      }
    }
    await stage.sql('CN', "UPDATE material_tests SET state = 'DRAFT' WHERE test_id = $1", [testId])
  })
})

describe('what cannot be handed in', () => {
  it('is a test without variants, without materials, or with shares that are not the whole', async () => {
    const empty = await draft({}, [])
    const none = await owner.call(materialTests, 'submitTest', { body: { testId: empty.testId } })
    expect(none.body.ret.code).toBe(202190007)
    await owner.ok(materialTests, 'createVariant', { body: { testId: empty.testId, name: 'Bare' } })
    const bare = await owner.call(materialTests, 'submitTest', { body: { testId: empty.testId } })
    expect(bare.body).toMatchObject({ ret: { code: 202190008 }, element: 'icon', lang: 'enUS' })
    const { testId, variantIds } = await draft()
    await owner.ok(materialTests, 'updateVariant', { body: { variantId: variantIds[0]!, share: 70 } })
    const sum = await owner.call(materialTests, 'submitTest', { body: { testId } })
    expect(sum.body).toMatchObject({ ret: { code: 202190006 }, sum: 120 })
    expect((await view(testId)).state).toBe('DRAFT')
  })

  it("is another team's picture, one of a wrong size, an element that is not tested, a name twice or a fourth variant", async () => {
    const { testId } = await draft({}, ['One', 'Two', 'Three'])
    const stranger = await stage.person()
    const foreign = await upload(stage, stranger, png(216, 216), 'icon.png', 'app_img')
    const small = await upload(stage, owner, png(100, 100), 'icon.png', 'app_img')
    const { variants } = await view(testId)
    expect(variants.map(one => one.share)).toEqual([25, 25, 25])
    const variantId = variants[0]!.variantId
    const change = (materials: object) =>
      owner.call(materialTests, 'updateVariant', { body: { variantId, materials: [{ lang: 'enUS', ...materials }] } })
    expect((await change({ iconObjectId: foreign })).status).toBe(404)
    expect((await change({ iconObjectId: small })).body.ret.code).toBe(204144754)
    expect((await change({ name: 'Beacon' })).body.ret.code).toBe(202190014)
    const twice = await owner.call(materialTests, 'updateVariant', { body: { variantId, name: 'two' } })
    expect(twice.body.ret.code).toBe(202190005)
    const fourth = await owner.call(materialTests, 'createVariant', { body: { testId, name: 'Four' } })
    expect(fourth.body.ret.code).toBe(202190004)
    for (const reply of await Promise.all([
      stranger.call(materialTests, 'getTest', { query: { testId } }),
      stranger.call(materialTests, 'getVariant', { params: { variantId } }),
      stranger.call(materialTests, 'updateVariant', { body: { variantId, share: 10 } }),
      stranger.call(materialTests, 'submitTest', { body: { testId } }),
    ])) {
      expect(reply.status).toBe(404)
    }
    expect((await view(testId)).variants[0]?.share).toBe(25)
  })

  it('is a test of an app that is not on shelf, and a Harmony address for another app', async () => {
    const other = await newApp(owner)
    const refused = await owner.call(materialTests, 'createTest', { body: { appId: other.appId, name: 'x', ...wish } })
    expect(refused.body.ret.code).toBe(202190001)
    const face = await owner.call(harmonyMaterialTests, 'listTests', { query: { appId } })
    expect(face.body.ret.code).toBe(202190002)
    const harmony = await newHarmonyApp(owner)
    expect((await owner.ok(harmonyMaterialTests, 'listTests', { query: { appId: harmony.appId } })).total).toBe(0)
  })
})

describe('the store', () => {
  it('shows each device its page, the same each time, and counts it once for what it did', async () => {
    const { testId, variantIds } = await running({ trafficPercent: 60 }, ['Bright', 'Dark'])
    const plain = await stage.anybody.ok(store, 'getApp', { params: { packageName } })
    expect(plain.brief).toBe('A sample')
    const divided = { testId, trafficBp: 6000, shares: [34, 33, 33] }
    const expected = [0, 0, 0]
    const devices = Array.from({ length: 60 }, (_, at) => `phone-${at}`)
    for (const device of devices) {
      const arm = armOf(divided, device)
      const { brief, iconUrl } = await page(device)
      expect(brief).toBe(arm === null || arm === 0 ? 'A sample' : arm === 1 ? 'Bright and clear' : 'Dark and clear')
      expect(iconUrl === plain.iconUrl).toBe(arm === null || arm === 0)
      if (arm !== null) expected[arm] = (expected[arm] ?? 0) + 1
      await page(device)
      await report(device)
      await report(device)
    }
    // Who was never shown it, only updates, or says it again later counts no more.
    await counted()
    await report('never-seen')
    await report(devices[0]!)
    await page(devices[1]!)
    await counted()
    const { result } = await owner.ok(materialTests, 'syncTest', { body: { testId } })
    expect(result?.arms.map(arm => [arm.variantId, arm.impressions, arm.installs])).toEqual(
      [null, ...variantIds].map((id, at) => [id, expected[at], expected[at]]),
    )
    const icon = (await page(devices.find(device => armOf(divided, device) === 1)!)).iconUrl
    const picture = await stage.anybody.call(store, 'downloadMedia', {
      params: { fileName: String(icon?.split('/').at(-1)) },
    })
    expect(picture.status).toBe(200)
    const { days, arms } = await owner.ok(materialTests, 'getReport', { query: { testId } })
    expect(arms.map(arm => arm.name)).toEqual([null, 'Bright', 'Dark'])
    expect(days[0]?.arms.map(arm => arm.impressions)).toEqual(expected)
    const file = await owner.call(materialTests, 'exportReport', { query: { testId, format: 'csv', language: 'en' } })
    expect(file.text.split('\r\n')[0] ?? file.text.split('\n')[0]).toContain('Variant')
    expect(file.text).toContain('Bright')
    await end(testId)
    for (const device of devices.slice(0, 10)) expect((await page(device)).brief).toBe('A sample')
  })

  it('takes what the winner has into the listing at once, and the draft of the next version follows', async () => {
    const { testId, variantIds } = await running({}, ['Clear'])
    await end(testId)
    const { state, appliedVariantId } = await owner.ok(materialTests, 'applyVariant', {
      body: { testId, variantId: variantIds[0]! },
    })
    expect([state, appliedVariantId]).toEqual(['APPLIED', variantIds[0]])
    const { list } = await owner.ok(versionListings, 'listListings', { query: { versionId } })
    expect(list[0]).toMatchObject({ briefInfo: 'Clear and clear' })
    await stage.settle()
    await stage.heard('home')
    expect((await stage.anybody.ok(store, 'getApp', { params: { packageName } })).brief).toBe('Clear and clear')
    const foreign = await owner.call(materialTests, 'applyVariant', { body: { testId, variantId: testId } })
    expect(foreign.status).toBe(404)
  })
})

describe('the clock', () => {
  it('starts a test by itself when its time has come, and ends it after its longest time, once', async () => {
    const startAt = stage.clock.now() + 3 * dayMs
    const { testId } = await draft({ maxDays: 7 }, ['Timed'])
    const past = await owner.call(materialTests, 'setStartMode', { body: { testId, startMode: 'TIMED', startAt: 1 } })
    expect(past.body.ret.code).toBe(202190015)
    await owner.ok(materialTests, 'setStartMode', { body: { testId, startMode: 'TIMED', startAt } })
    await submit(testId)
    await approve(testId)
    await stage.settle()
    expect((await view(testId)).state).toBe('READY')
    await scene.turn(4 * dayMs)
    await stage.booted.worker.sweep()
    owner = scene.owner
    await expect.poll(async () => (await view(testId)).state, { timeout: 30_000 }).toBe('RUNNING')
    await scene.turn(40 * dayMs)
    await stage.booted.worker.sweep()
    owner = scene.owner
    await expect.poll(async () => (await view(testId)).state, { timeout: 30_000 }).toBe('STOPPED')
    expect((await view(testId)).stopReason).toBe('MAX_DAYS')
    reviewer = await stage.person({ staff: ['reviewer'] })
  })

  it('starts it right after the review where that is asked for, and a found winner ends it after the least time', async () => {
    const { testId, variantIds } = await draft({ startMode: 'AUTO_AFTER_AUDIT', autoStop: true }, ['Auto'])
    await submit(testId)
    await approve(testId)
    await stage.settle()
    expect((await view(testId)).state).toBe('RUNNING')
    const day = new Date(stage.clock.now()).toISOString().slice(0, 10)
    const put = (variantId: string, kind: string, devices: number) =>
      stage.sql(
        'CN',
        'INSERT INTO material_counts (test_id, variant_id, day, kind, team_id, app_id, devices) VALUES ($1, $2, $3, $4, $5, $6, $7)',
        [testId, variantId, day, kind, owner.teamId, appId, devices],
      )
    for (const [arm, installs] of [
      ['0', 2000],
      [variantIds[0]!, 2600],
    ] as const) {
      await put(arm, 'impression', 10_000)
      await put(arm, 'install', installs)
    }
    const early = await owner.ok(materialTests, 'syncTest', { body: { testId } })
    expect([early.state, early.result?.arms[1]?.verdict]).toEqual(['RUNNING', 'WINNER'])
    await scene.turn(8 * dayMs)
    owner = scene.owner
    const late = await owner.ok(materialTests, 'syncTest', { body: { testId } })
    expect([late.state, late.stopReason]).toEqual(['STOPPED', 'SIGNIFICANT'])
    reviewer = await stage.person({ staff: ['reviewer'] })
  })
})

it('the process getCompleteMaterialTestListInfo answers the tests of an app, and its Harmony variant those of a Harmony app', async () => {
  const invoke = (definition: string, id: string) =>
    owner.call(orchestration, 'invokeByPath', {
      params: { definition, process: 'getCompleteMaterialTestListInfo' },
      body: { appId: id },
    })
  const { status, body } = await invoke('material', appId)
  const { total } = await owner.ok(materialTests, 'listTests', { query: { appId } })
  expect([status, body.partial]).toEqual([200, []])
  expect(body.data).toMatchObject({ app: { appId }, tests: { total }, onShelf: { versionId } })
  const harmony = await newHarmonyApp(owner)
  const other = await invoke('harmony-material', harmony.appId)
  expect([other.status, other.body.data]).toMatchObject([
    200,
    { app: { appId: harmony.appId }, tests: { total: 0, list: [] } },
  ])
})

it('an app that leaves the shelf ends its test', async () => {
  const { testId } = await running({}, ['Last'])
  await stage.sql('CN', "UPDATE versions SET state = 'OFF_BY_STORE' WHERE version_id = $1", [versionId])
  await stage.sql('CN', 'UPDATE apps SET shelf = NULL WHERE app_id = $1', [appId])
  const after = await owner.ok(materialTests, 'syncTest', { body: { testId } })
  expect([after.state, after.stopReason]).toEqual(['STOPPED', 'OFF_SHELF'])
})
