import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { store } from '../../store/contract.ts'
import { versions } from '../contract.ts'
import { versionShelf } from '../shelf/contract.ts'
import { current, fillDraft, newApp, openScene, type Scene } from '../versions.testkit.ts'
import { versionPhased } from './contract.ts'
import { appOnShelf, dayMs, deviceBetween, offered, phasedOnShelf } from './phased.testkit.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.stage.close())

type Wish = Parameters<typeof change>[1]
async function change(versionId: string, wish: Record<string, unknown>) {
  const answer = await scene.owner.ok(versionPhased, 'updatePhasedRelease', { body: { versionId, ...wish } as never })
  await scene.stage.settle()
  return answer
}
async function refused(versionId: string, wish: Wish) {
  const { status, body } = await scene.owner.call(versionPhased, 'updatePhasedRelease', {
    body: { versionId, ...wish } as never,
  })
  return { status, code: body.ret.code, fields: body.fields?.map(one => one.pointer), detail: body as object }
}
const changesOf = (versionId: string) => scene.owner.ok(versionPhased, 'listPhasedChanges', { query: { versionId } })
const ask = (packageName: string, deviceId: string, code?: string) =>
  offered(scene.stage.anybody, packageName, deviceId, code)
/** The kinds of notices about a version, whoever got them. */
async function toldOf(versionId: string) {
  const text = 'SELECT DISTINCT kind FROM notices WHERE entity_id = $1'
  const rows = await scene.stage.sql<{ kind: string }>('CN', text, [versionId])
  return rows.map(row => row.kind)
}

/** The version codes of a package that the F-Droid repository lists. */
async function indexed(packageName: string) {
  await scene.stage.booted.worker.sweep()
  await scene.stage.settle()
  const reply = await scene.stage.app.inject({ method: 'GET', url: '/fdroid/cn/repo/index-v2.json' })
  const { versions: listed } = reply.json().packages[packageName] as {
    versions: Record<string, { manifest: { versionCode: number } }>
  }
  return Object.values(listed).map(one => one.manifest.versionCode)
}
async function nextDay(days = 1) {
  await scene.turn(days * dayMs)
  await scene.stage.booted.worker.sweep()
  await scene.stage.settle()
}

describe('a version that comes in phases', () => {
  it('needs a full version on shelf for the others', async () => {
    const { appId } = await newApp(scene.owner)
    const { versionId } = await fillDraft(scene.stage, scene.owner, appId, 10)
    for (const dryRun of ['1', '0'] as const) {
      const reply = await scene.owner.call(versions, 'submitVersion', {
        query: { dryRun },
        body: { versionId, releasePhase: 3 },
      })
      expect([reply.status, reply.body.ret.code]).toEqual([422, 202030020])
    }
  })

  it('goes its whole way by the curve, and devices are offered what their turn is', async () => {
    const { appId, packageName, full } = await appOnShelf(scene)
    const first = deviceBetween(appId, 0, 100)
    const second = deviceBetween(appId, 100, 200)
    const last = deviceBetween(appId, 5000, 10_000)
    expect(await ask(packageName, first)).toBe('10')

    const version = await phasedOnShelf(scene, appId, 20)
    const { versionId } = version
    expect(version).toMatchObject({ state: 'PHASED', releasePhase: 3 })
    expect((await current(scene.owner, full.versionId)).state).toBe('ON_SHELF')
    const found = await scene.owner.ok(versions, 'getVersion', { query: { appId } })
    expect(found).toMatchObject({
      releaseState: 0,
      onShelf: { versionId: full.versionId },
      phased: { versionId },
      version: { versionId },
    })
    expect([await ask(packageName, first), await ask(packageName, second)]).toEqual(['20 phased', '10'])
    const page = await scene.stage.anybody.ok(store, 'getApp', { params: { packageName }, query: {} })
    expect([page.versionCode, page.versions.map(one => one.versionCode)]).toEqual(['10', ['10']])

    expect(await indexed(packageName)).toEqual([10])
    await nextDay()
    expect([await ask(packageName, second), await ask(packageName, last)]).toEqual(['20 phased', '10'])
    const paused = await change(versionId, { state: 'SUSPEND', reason: 'Crashes at the start.' })
    expect(paused).toMatchObject({ state: 'SUSPEND', percent: '2.00', day: 2, allowedActions: expect.any(Array) })
    expect(paused.allowedActions).toEqual(['setGates', 'resume', 'complete', 'cancel', 'rollBack'])
    expect([await ask(packageName, first), await ask(packageName, first, '20')]).toEqual(['10', 'LATEST'])

    await nextDay(3)
    expect((await changesOf(versionId)).phased).toMatchObject({ state: 'SUSPEND', day: 2 })
    const resumed = await change(versionId, { state: 'RELEASE' })
    expect(resumed).toMatchObject({ state: 'RELEASE', day: 2 })
    expect(Math.abs(resumed.pauseLeftMs - 27 * dayMs)).toBeLessThan(60_000)
    expect(await ask(packageName, first)).toBe('20 phased')

    expect(await change(versionId, { phaseDay: 5 })).toMatchObject({ percent: '20.00', day: 5 })
    await nextDay()
    expect((await changesOf(versionId)).phased).toMatchObject({ percent: '50.00', day: 6 })
    expect(await ask(packageName, last)).toBe('10')
    await nextDay()
    expect(await current(scene.owner, versionId)).toMatchObject({ state: 'ON_SHELF', releasePhase: 4 })
    expect(await current(scene.owner, full.versionId)).toMatchObject({ state: 'SUPERSEDED', supersededBy: versionId })
    expect([await ask(packageName, last), await ask(packageName, first)]).toEqual(['20', '20'])
    expect(await indexed(packageName)).toEqual([20])

    const { list, total, phased } = await changesOf(versionId)
    expect(phased).toMatchObject({ state: 'COMPLETE', percent: '100.00', allowedActions: [] })
    expect(total).toBe(list.length)
    expect(list.map(one => [one.action, one.percent, one.actor === null])).toEqual([
      ['complete', '100.00', true],
      ['advance', '50.00', true],
      ['raise', '20.00', false],
      ['resume', '2.00', false],
      ['pause', '2.00', false],
      ['advance', '2.00', true],
      ['start', '1.00', true],
    ])
    expect(list[4]).toMatchObject({ reason: 'Crashes at the start.', reachedDevices: 0, installs: 0 })
    expect((await scene.eventsOf(versionId)).filter(type => type.startsWith('phased.'))).toEqual([
      'phased.started',
      'phased.advanced',
      'phased.paused',
      'phased.resumed',
      'phased.advanced',
      'phased.advanced',
      'phased.completed',
    ])
    const kinds = await toldOf(versionId)
    expect(kinds).toEqual(expect.arrayContaining(['phased.started', 'phased.completed']))
    expect(kinds).not.toContain('version.on_shelf')
  })

  it('takes a week by the curve, a larger share each day, and is out to everybody on the seventh', async () => {
    const { appId, packageName } = await appOnShelf(scene)
    const { versionId } = await phasedOnShelf(scene, appId, 20)
    const seen: string[] = []
    for (const [day, share] of [100, 200, 500, 1000, 2000, 5000].entries()) {
      if (day > 0) await nextDay()
      const { phased } = await changesOf(versionId)
      const inside = await ask(packageName, deviceBetween(appId, share - 100, share))
      const outside = await ask(packageName, deviceBetween(appId, share, share + 100))
      seen.push(`${phased?.day} ${phased?.percent} ${inside} ${outside}`)
    }
    expect(seen).toEqual([
      '1 1.00 20 phased 10',
      '2 2.00 20 phased 10',
      '3 5.00 20 phased 10',
      '4 10.00 20 phased 10',
      '5 20.00 20 phased 10',
      '6 50.00 20 phased 10',
    ])
    await nextDay()
    expect((await changesOf(versionId)).phased).toMatchObject({ state: 'COMPLETE', day: 7, percent: '100.00' })
    expect(await ask(packageName, deviceBetween(appId, 9900, 10_000))).toBe('20')
  })

  it('advances once after an outage of days, and not in a burst', async () => {
    const { appId } = await appOnShelf(scene)
    const { versionId } = await phasedOnShelf(scene, appId, 20)
    await nextDay(3.5)
    await scene.stage.booted.worker.sweep()
    const { phased } = await changesOf(versionId)
    expect(phased).toMatchObject({ day: 2, nextDayAt: expect.any(Number) })
    expect(phased?.nextDayAt).toBeGreaterThan(scene.stage.clock.now() + dayMs - 60_000)
  })

  it('grows by percent where it was planned so, and everybody completes it', async () => {
    const { appId, packageName } = await appOnShelf(scene)
    const { versionId } = await phasedOnShelf(scene, appId, 20, { kind: 'PERCENT', percent: '5' })
    const device = deviceBetween(appId, 500, 1000)
    expect(await ask(packageName, device)).toBe('10')
    await nextDay(2)
    expect((await changesOf(versionId)).phased).toMatchObject({ percent: '5.00', day: null, nextDayAt: null })
    expect(await change(versionId, { percent: '10.00' })).toMatchObject({ percent: '10.00' })
    expect(await ask(packageName, device)).toBe('20 phased')
    expect(await refused(versionId, { percent: '9.99' })).toMatchObject({ status: 422, code: 202030021 })
    expect(await change(versionId, { percent: '100' })).toMatchObject({ state: 'COMPLETE', percent: '100.00' })
    expect((await current(scene.owner, versionId)).state).toBe('ON_SHELF')
  })

  it('offers a fresh draw, and newcomers as they were planned', async () => {
    const { appId, packageName } = await appOnShelf(scene)
    const { versionId } = await phasedOnShelf(scene, appId, 20, { sampling: 'FRESH', newInstalls: 'ALWAYS_NEW' })
    expect(await ask(packageName, deviceBetween(versionId, 0, 100))).toBe('20 phased')
    const out = deviceBetween(versionId, 5000, 10_000)
    expect([await ask(packageName, out), await ask(packageName, out, '0')]).toEqual(['10', '20 phased'])
    const page = await scene.stage.anybody.ok(store, 'getApp', { params: { packageName }, query: {} })
    expect(page.versionCode).toBe('20')
  })

  it('can be cancelled: the full version stays, and the same version can be submitted again', async () => {
    const { appId, packageName } = await appOnShelf(scene)
    const { versionId } = await phasedOnShelf(scene, appId, 20)
    const device = deviceBetween(appId, 0, 100)
    expect(await change(versionId, { state: 'CANCEL' })).toMatchObject({ state: 'CANCEL' })
    expect(await ask(packageName, device)).toBe('10')
    expect(await current(scene.owner, versionId)).toMatchObject({ state: 'OFF_BY_DEVELOPER', releasePhase: 0 })
    expect(await refused(versionId, { state: 'SUSPEND' })).toMatchObject({
      status: 422,
      code: 204144715,
      detail: { state: 'CANCEL', allowedActions: [] },
    })
    await scene.owner.ok(versions, 'submitVersion', { body: { versionId, releasePhase: 3 } })
    expect((await changesOf(versionId)).phased).toMatchObject({ state: 'DRAFT', percent: '1.00' })
  })

  it('gives way to a newer version', async () => {
    const { appId, packageName, full } = await appOnShelf(scene)
    const { versionId } = await phasedOnShelf(scene, appId, 20)
    const newer = await phasedOnShelf(scene, appId, 30)
    expect(await current(scene.owner, versionId)).toMatchObject({ state: 'SUPERSEDED', supersededBy: newer.versionId })
    expect((await changesOf(versionId)).list[0]).toMatchObject({ action: 'cancel', reason: 'newer', actor: null })
    expect((await current(scene.owner, full.versionId)).state).toBe('ON_SHELF')
    expect(await ask(packageName, deviceBetween(appId, 0, 100))).toBe('30 phased')
    const whole = await scene.onShelf(appId, 40)
    await scene.stage.settle()
    expect(whole).toMatchObject({ state: 'ON_SHELF', releasePhase: 0 })
    expect(await ask(packageName, deviceBetween(appId, 0, 100))).toBe('40')
  })

  it('ends by itself when it stood still for thirty days, and somebody hears of it', async () => {
    const { appId, packageName } = await appOnShelf(scene)
    const { versionId } = await phasedOnShelf(scene, appId, 20)
    await change(versionId, { state: 'SUSPEND' })
    await nextDay(29)
    expect((await current(scene.owner, versionId)).state).toBe('PHASED')
    await scene.turn(dayMs)
    expect(await refused(versionId, { state: 'RELEASE' })).toMatchObject({ status: 422, code: 202030022 })
    await nextDay(0)
    expect((await current(scene.owner, versionId)).state).toBe('OFF_BY_DEVELOPER')
    expect((await changesOf(versionId)).list[0]).toMatchObject({ action: 'cancel', reason: 'pauseBudget' })
    expect(await ask(packageName, deviceBetween(appId, 0, 100))).toBe('10')
    expect(await toldOf(versionId)).toContain('phased.cancelled')
  })

  it('ends at its end where it is not complete by then, running or paused, and somebody hears of it', async () => {
    const { appId, packageName } = await appOnShelf(scene)
    const endAt = scene.stage.clock.now() + 2 * dayMs
    const { versionId } = await phasedOnShelf(scene, appId, 20, { kind: 'PERCENT', percent: '5', endAt })
    expect((await changesOf(versionId)).phased).toMatchObject({ endAt, percent: '5.00' })
    for (const wrong of [scene.stage.clock.now() - 1, scene.stage.clock.now() + 181 * dayMs]) {
      expect(await refused(versionId, { endAt: wrong })).toMatchObject({ status: 400, fields: ['/endAt'] })
    }
    expect(await change(versionId, { endAt: endAt + dayMs })).toMatchObject({ endAt: endAt + dayMs })
    await nextDay(2)
    expect((await current(scene.owner, versionId)).state).toBe('PHASED')
    await change(versionId, { state: 'SUSPEND' })
    await nextDay(1)
    expect((await changesOf(versionId)).list[0]).toMatchObject({ action: 'cancel', reason: 'endTime', actor: null })
    expect(await ask(packageName, deviceBetween(appId, 0, 100))).toBe('10')
    expect(await toldOf(versionId)).toContain('phased.cancelled')
    expect(await refused(versionId, { endAt: null })).toMatchObject({ code: 204144715 })
  })

  it('is given to who looks by hand before his turn, where that was planned', async () => {
    const { appId, packageName } = await appOnShelf(scene)
    await phasedOnShelf(scene, appId, 20, { manualPull: true })
    const deviceId = deviceBetween(appId, 5000, 10_000)
    const look = async (isByHand: boolean) => {
      const body = { deviceId, isByHand, packages: [{ packageName, versionCode: '1' }] }
      return (await scene.stage.anybody.ok(store, 'queryUpdates', { body })).packages[0]?.versionCode
    }
    expect([await look(false), await look(true)]).toEqual(['10', '20'])
  })

  it('leaves with the full version, for nothing is left for the others', async () => {
    const { appId, packageName, full } = await appOnShelf(scene)
    const { versionId } = await phasedOnShelf(scene, appId, 20)
    await scene.owner.ok(versionShelf, 'shelfOffVersion', {
      body: { versionId: full.versionId, reason: 'The service behind it ends.' },
    })
    await scene.stage.settle()
    expect((await current(scene.owner, versionId)).state).toBe('OFF_BY_DEVELOPER')
    expect((await changesOf(versionId)).list[0]).toMatchObject({ action: 'cancel', reason: 'offShelf' })
    expect(await ask(packageName, deviceBetween(appId, 0, 100))).toBe('OFF_SHELF')
  })

  it('can be taken off by the store, and the full one stays', async () => {
    const { appId, packageName, full } = await appOnShelf(scene)
    const { versionId } = await phasedOnShelf(scene, appId, 20)
    const operator = await scene.stage.person({ staff: ['storeOperator'] })
    await operator.ok(versionShelf, 'forceOffVersion', {
      body: { versionId, reasonCode: 'MALWARE', notice: 'It reads what it should not.' },
    })
    await scene.stage.settle()
    expect((await current(scene.owner, versionId)).state).toBe('OFF_BY_STORE')
    expect((await current(scene.owner, full.versionId)).state).toBe('ON_SHELF')
    expect((await changesOf(versionId)).phased).toMatchObject({ state: 'CANCEL' })
    expect(await ask(packageName, deviceBetween(appId, 0, 100))).toBe('10')
  })

  it('waits for a full version that left while it was reviewed, and can be made whole', async () => {
    const { appId, full } = await appOnShelf(scene)
    const { versionId } = await scene.inReview(appId, 20, { releasePhase: 3 })
    await scene.owner.ok(versionShelf, 'shelfOffVersion', {
      body: { versionId: full.versionId, reason: 'The service behind it ends.' },
    })
    await scene.approve(versionId)
    await scene.stage.booted.worker.sweep()
    expect(await scene.state(versionId)).toBe('PENDING_RELEASE')
    const reply = await scene.owner.call(versions, 'updateReleaseTime', { body: { versionId, changeType: 1 } })
    expect(reply.body.ret.code).toBe(202030020)
    expect(await change(versionId, { releasePhase: 4 })).toMatchObject({ state: 'CANCEL' })
    await scene.stage.booted.worker.sweep()
    expect(await current(scene.owner, versionId)).toMatchObject({ state: 'ON_SHELF', releasePhase: 0 })
  })

  it('refuses what makes no sense, and says where', async () => {
    const { appId } = await appOnShelf(scene)
    const draft = await fillDraft(scene.stage, scene.owner, appId, 20)
    const submit = async (phased: object) => {
      const body = { versionId: draft.versionId, releasePhase: 3 as const, phased }
      const reply = await scene.owner.call(versions, 'submitVersion', { query: {}, body })
      return [reply.status, reply.body.fields?.[0]?.pointer]
    }
    expect(await submit({ kind: 'PERCENT' })).toEqual([400, '/phased/percent'])
    expect(await submit({ kind: 'PERCENT', percent: '100' })).toEqual([400, '/phased/percent'])
    expect(await submit({ percent: '5' })).toEqual([400, '/phased/percent'])
    for (const percent of ['-1', '0', '100.01', '101', '5.123']) {
      expect(await submit({ kind: 'PERCENT', percent })).toEqual([400, '/phased/percent'])
    }
    expect(await submit({ endAt: scene.stage.clock.now() + dayMs })).toEqual([400, '/phased/endAt'])
    expect(await submit({ countries: ['DE', 'FR'] })).toEqual([400, '/phased/countries/1'])
    expect(await refused(draft.versionId, { state: 'SUSPEND' })).toMatchObject({ code: 204144715 })
    const { versionId } = await phasedOnShelf(scene, appId, 21)
    expect(await refused(versionId, {})).toMatchObject({ status: 400, fields: ['/state'] })
    expect(await refused(versionId, { state: 'SUSPEND', phaseDay: 3 })).toMatchObject({ fields: ['/phaseDay'] })
    expect(await refused(versionId, { percent: '5' })).toMatchObject({ status: 400, fields: ['/percent'] })
    expect(await refused(versionId, { percent: '101' })).toMatchObject({ status: 400, fields: ['/percent'] })
    expect(await refused(versionId, { state: 'ROLLBACK' })).toMatchObject({ status: 400, fields: ['/reason'] })
    expect(await refused(versionId, { state: 'RELEASE' })).toMatchObject({ code: 204144715 })
    expect(await refused(versionId, { state: 'SUSPEND', revision: 1 })).toMatchObject({ status: 409 })
    await change(versionId, { phaseDay: 4 })
    expect(await refused(versionId, { phaseDay: 3 })).toMatchObject({ code: 202030021 })
    const { phased } = await changesOf(versionId)
    expect(await change(versionId, { phaseDay: 4 })).toMatchObject({ revision: phased?.revision })
    expect(await change(versionId, { description: 'First the brave.' })).toMatchObject({
      description: 'First the brave.',
    })
    const developer = await scene.stage.person({ team: scene.owner.teamId, roles: ['developer'] })
    const may = await developer.call(versionPhased, 'updatePhasedRelease', { body: { versionId, state: 'SUSPEND' } })
    expect(may.status).toBe(403)
    const stranger = await scene.stage.person()
    const other = await stranger.call(versionPhased, 'updatePhasedRelease', { body: { versionId, state: 'SUSPEND' } })
    expect(other.status).toBe(404)
  })

  it('paused on one server is paused on the other within a second, and so is what goes on', async () => {
    const { appId, packageName } = await appOnShelf(scene)
    const { versionId } = await phasedOnShelf(scene, appId, 20)
    const device = deviceBetween(appId, 0, 100)
    const other = await scene.stage.another()
    const there = scene.stage.at(other, scene.stage.anybody)
    const isSeen = async (code: string) => {
      for (let tries = 0; tries < 500 && (await offered(there, packageName, device)) !== code; tries++) {
        await new Promise(resolve => setTimeout(resolve, 20))
      }
      return offered(there, packageName, device)
    }
    expect(await isSeen('20 phased')).toBe('20 phased')
    const took: number[] = []
    for (const [state, code] of [
      ['SUSPEND', '10'],
      ['RELEASE', '20 phased'],
      ['SUSPEND', '10'],
      ['RELEASE', '20 phased'],
    ]) {
      await scene.owner.ok(versionPhased, 'updatePhasedRelease', { body: { versionId, state } as never })
      const began = performance.now()
      expect(await isSeen(code ?? '')).toBe(code)
      took.push(performance.now() - began)
      await scene.stage.settle()
      expect(await ask(packageName, device)).toBe(code)
    }
    // The least of four: a busy machine holds one up, and what looks again every few seconds would be late each time.
    expect(Math.min(...took)).toBeLessThan(1000)
  })
})
