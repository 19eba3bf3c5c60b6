import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { store } from '../../store/contract.ts'
import { storeHealth } from '../../store/health/contract.ts'
import { memoryOf } from '../../store/memory.ts'
import { versions } from '../contract.ts'
import { versionPhased } from '../phased/contract.ts'
import { appOnShelf, dayMs, deviceBetween, offered, phasedOnShelf } from '../phased/phased.testkit.ts'
import { current, fillDraft, openScene, type Scene } from '../versions.testkit.ts'
import type { Gate } from './rules.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.stage.close())

const gate = (more: Partial<Gate> = {}): Gate => ({
  metric: 'crashRate',
  op: '>',
  value: 10,
  minUsers: 20,
  action: 'PAUSE',
  ...more,
})
type Kind = 'install_ok' | 'install_fail' | 'open' | 'uninstall' | 'crash' | 'anr'

/** So many devices tell the same of a version, each as often as it likes. */
async function tell(versionId: string, count: number, kinds: Kind[], name = 'device') {
  for (let at = 0; at < count; at++) {
    const events = kinds.map(type => ({ type, versionId }))
    await scene.stage.anybody.ok(store, 'reportEvents', { body: { deviceId: `${name}-${at}`, events } })
  }
  await memoryOf(scene.stage.booted.server).health.flush.now()
}
/** Devices rate a version, each with its stars. */
async function rate(versionId: string, stars: number[], name = 'device') {
  for (const [at, given] of stars.entries()) {
    const events = [{ type: 'rate' as const, versionId, stars: given }]
    await scene.stage.anybody.ok(store, 'reportEvents', { body: { deviceId: `${name}-${at}`, events } })
  }
  await memoryOf(scene.stage.booted.server).health.flush.now()
}
/** What the clock does within a minute: the store tells, and the gates are looked at. */
async function minute() {
  scene.stage.clock.turn(60_000)
  for (let times = 0; times < 2; times++) {
    await scene.stage.booted.worker.sweep()
    await scene.stage.settle()
  }
}
const set = (versionId: string, gates: unknown, more: object = {}) =>
  scene.owner.call(versionPhased, 'updatePhasedRelease', { body: { versionId, gates, ...more } as never })
const changesOf = (versionId: string) => scene.owner.ok(versionPhased, 'listPhasedChanges', { query: { versionId } })
const change = (versionId: string, wish: object) =>
  scene.owner.ok(versionPhased, 'updatePhasedRelease', { body: { versionId, ...wish } as never })
const healthOf = (versionId: string) => scene.owner.ok(storeHealth, 'getReleaseHealth', { query: { versionId } })

describe('a health gate', () => {
  it('pauses the release within a minute, once, and says what it saw', async () => {
    const { appId, packageName, full } = await appOnShelf(scene)
    const { versionId } = await phasedOnShelf(scene, appId, 20, { gates: [gate()] })
    const device = deviceBetween(appId, 0, 100)
    await tell(full.versionId, 30, ['open'], 'old')
    await tell(full.versionId, 3, ['crash', 'crash'], 'old')
    await tell(versionId, 19, ['install_ok', 'crash'])
    await minute()
    expect((await changesOf(versionId)).phased).toMatchObject({ state: 'RELEASE' })
    expect(await offered(scene.stage.anybody, packageName, device)).toBe('20 phased')

    await tell(versionId, 20, ['open', 'crash'])
    await minute()
    const { phased, list } = await changesOf(versionId)
    expect(phased).toMatchObject({ state: 'SUSPEND', gates: [gate()] })
    expect(phased?.readings[0]).toEqual({
      metric: 'crashRate',
      value: 100,
      devices: 20,
      baseline: 10,
      baselineDevices: 30,
    })
    const trip = { metric: 'crashRate', op: '>', limit: 10, value: 100, devices: 20, action: 'PAUSE' }
    expect(list[0]).toMatchObject({ action: 'pause', actor: null, reason: 'gate', trip, users: 20, crashRate: 100 })
    expect(await offered(scene.stage.anybody, packageName, device)).toBe('10')

    await minute()
    expect((await scene.eventsOf(versionId)).filter(type => type.startsWith('phased.'))).toEqual([
      'phased.started',
      'phased.paused',
      'phased.gate_tripped',
    ])
    const audit = await scene.stage.sql<{ actor: string; after: { gate: object } }>(
      'CN',
      "SELECT actor, after FROM audit WHERE entity_id = $1 AND action = 'phased.pause'",
      [versionId],
    )
    expect(audit).toEqual([{ actor: expect.stringMatching(/^system/), after: expect.objectContaining({ gate: trip }) }])
    const told = await scene.stage.sql<{ text: Record<string, string> }>(
      'CN',
      "SELECT text FROM notices WHERE entity_id = $1 AND kind = 'phased.gate_tripped'",
      [versionId],
    )
    expect(told).toHaveLength(1)
    expect(Object.keys(told[0]?.text ?? {}).sort()).toEqual(['en', 'ru', 'zh'])
    expect(told[0]?.text['en']).toContain('Crash rate: 100 % (limit: > 10 %), 20 devices')
  })

  it('looks, after somebody resumed, at what is told since then', async () => {
    const { appId } = await appOnShelf(scene)
    const { versionId } = await phasedOnShelf(scene, appId, 20, { gates: [gate()] })
    await tell(versionId, 20, ['open', 'crash'])
    await minute()
    await change(versionId, { state: 'RELEASE' })
    await minute()
    expect((await changesOf(versionId)).phased?.state).toBe('RELEASE')
    await tell(versionId, 25, ['open'], 'later')
    await minute()
    expect((await changesOf(versionId)).phased?.state).toBe('RELEASE')
    await tell(versionId, 5, ['crash'], 'later')
    await minute()
    const { phased, list } = await changesOf(versionId)
    expect(phased?.state).toBe('SUSPEND')
    expect(list[0]?.trip).toMatchObject({ value: 20, devices: 25 })
  })

  it('rolls back by itself where it was told to, and the full version stays', async () => {
    const { appId, packageName, full } = await appOnShelf(scene)
    const gates = [gate({ metric: 'installFailRate', value: 50, action: 'ROLLBACK' })]
    const { versionId } = await phasedOnShelf(scene, appId, 20, { gates })
    await tell(versionId, 20, ['install_fail'])
    await minute()
    expect(await scene.state(versionId)).toBe('ROLLED_BACK')
    expect(await scene.state(full.versionId)).toBe('ON_SHELF')
    expect((await changesOf(versionId)).list[0]).toMatchObject({
      action: 'rollBack',
      actor: null,
      trip: { metric: 'installFailRate', value: 100, devices: 20 },
    })
    expect(await offered(scene.stage.anybody, packageName, deviceBetween(appId, 0, 100))).toBe('10')
    expect((await scene.eventsOf(versionId)).slice(-3)).toEqual([
      'phased.rolled_back',
      'version.rolled_back',
      'phased.gate_tripped',
    ])
    await tell(versionId, 30, ['install_fail'], 'late')
    expect((await healthOf(versionId)).own).toMatchObject({ tried: 20, failed: 20 })
  })

  it('pauses when people rate the version low on average, once', async () => {
    const { appId, full } = await appOnShelf(scene)
    const gates = [gate({ metric: 'ratingAvg', op: '<', value: 3.5 })]
    const { versionId } = await phasedOnShelf(scene, appId, 20, { gates })
    await rate(full.versionId, [5, 4, 5, 5], 'old')
    await rate(versionId, [...Array<number>(10).fill(4), ...Array<number>(9).fill(1)])
    await minute()
    expect((await changesOf(versionId)).phased).toMatchObject({ state: 'RELEASE' })
    // Who has rated already does not make up for the twentieth.
    await rate(versionId, [5])
    await minute()
    expect((await changesOf(versionId)).phased).toMatchObject({ state: 'RELEASE' })

    await rate(versionId, [2], 'last')
    await minute()
    const { phased, list } = await changesOf(versionId)
    expect(phased?.state).toBe('SUSPEND')
    expect(phased?.readings.find(one => one.metric === 'ratingAvg')).toEqual({
      metric: 'ratingAvg',
      value: 2.55,
      devices: 20,
      baseline: 4.75,
      baselineDevices: 4,
    })
    const trip = { metric: 'ratingAvg', op: '<', limit: 3.5, value: 2.55, devices: 20, action: 'PAUSE' }
    expect(list[0]).toMatchObject({ action: 'pause', reason: 'gate', trip, crashRate: 0 })
    await minute()
    expect((await scene.eventsOf(versionId)).filter(type => type === 'phased.gate_tripped')).toHaveLength(1)
    const told = await scene.stage.sql<{ text: Record<string, string> }>(
      'CN',
      "SELECT text FROM notices WHERE entity_id = $1 AND kind = 'phased.gate_tripped'",
      [versionId],
    )
    expect(told).toHaveLength(1)
    expect(told[0]?.text['en']).toContain('Average rating: 2.55 (limit: < 3.5), 20 devices')
    expect(told[0]?.text['zh']).toContain('平均评分：2.55（限值：< 3.5）')
    expect(told[0]?.text['ru']).toContain('Средняя оценка: 2,55 (предел: < 3,5)')
  })

  it('rolls back when people rate the version low on average, where it was told to', async () => {
    const { appId, full } = await appOnShelf(scene)
    const gates = [
      gate({ metric: 'ratingAvg', op: '<', value: 3 }),
      gate({ metric: 'ratingAvg', op: '<=', value: 2, action: 'ROLLBACK' }),
    ]
    const { versionId } = await phasedOnShelf(scene, appId, 20, { gates })
    await rate(versionId, Array<number>(20).fill(2))
    await minute()
    expect(await scene.state(versionId)).toBe('ROLLED_BACK')
    expect(await scene.state(full.versionId)).toBe('ON_SHELF')
    expect((await changesOf(versionId)).list[0]).toMatchObject({
      action: 'rollBack',
      trip: { metric: 'ratingAvg', value: 2, devices: 20, action: 'ROLLBACK' },
    })
    await minute()
    expect((await scene.eventsOf(versionId)).filter(type => type === 'phased.gate_tripped')).toHaveLength(1)
  })

  it('reads what was told before devices could rate', async () => {
    const { appId } = await appOnShelf(scene)
    const gates = [gate({ metric: 'ratingAvg', op: '<', value: 3 }), gate()]
    const { versionId } = await phasedOnShelf(scene, appId, 20, { gates })
    const own = { users: 40, tried: 0, failed: 0, uninstalled: 0, crashed: 8, frozen: 0 }
    await scene.stage.sql('CN', 'UPDATE phased_releases SET health = $2, health_before = $3 WHERE version_id = $1', [
      versionId,
      JSON.stringify({ at: scene.stage.clock.now(), own, base: own }),
      JSON.stringify({ ...own, users: 20, crashed: 8 }),
    ])
    await minute()
    expect((await changesOf(versionId)).phased).toMatchObject({
      state: 'RELEASE',
      readings: expect.arrayContaining([
        { metric: 'crashRate', value: 20, devices: 40, baseline: 20, baselineDevices: 40 },
        { metric: 'ratingAvg', value: null, devices: 0, baseline: null, baselineDevices: 0 },
      ]),
    })
    await rate(versionId, Array<number>(20).fill(1))
    await minute()
    expect((await changesOf(versionId)).list[0]).toMatchObject({ action: 'pause', trip: { metric: 'ratingAvg' } })
  })

  it('cancels where no pause is left', async () => {
    const { appId } = await appOnShelf(scene)
    const { versionId } = await phasedOnShelf(scene, appId, 20, { gates: [gate()] })
    await scene.stage.sql('CN', 'UPDATE phased_releases SET total_paused_ms = $2 WHERE version_id = $1', [
      versionId,
      30 * dayMs,
    ])
    await tell(versionId, 20, ['crash'])
    await minute()
    expect((await changesOf(versionId)).list[0]).toMatchObject({
      action: 'cancel',
      reason: 'gate',
      trip: { value: 100 },
    })
    expect(await scene.state(versionId)).toBe('OFF_BY_DEVELOPER')
  })

  it('counts a device once for a version, however often it tells, and never without a phased release', async () => {
    const { appId, full } = await appOnShelf(scene)
    await tell(full.versionId, 3, ['open', 'crash'])
    const { versionId } = await phasedOnShelf(scene, appId, 20)
    for (let times = 0; times < 3; times++) {
      await tell(versionId, 2, ['install_fail', 'install_ok', 'open', 'crash', 'anr', 'crash'])
    }
    await tell(full.versionId, 1, ['uninstall'])
    expect(await healthOf(versionId)).toMatchObject({
      own: { users: 2, tried: 2, failed: 2, uninstalled: 0, crashed: 2, frozen: 2 },
      base: { users: 1, tried: 0, uninstalled: 1, crashed: 0 },
      steps: [{ own: { users: 2 }, base: { users: 1 } }],
    })
    await rate(versionId, [4, 3])
    await rate(versionId, [1, 1, 5])
    await rate('1', [1])
    expect((await healthOf(versionId)).own).toMatchObject({ users: 3, rated: 3, stars: 12 })
    expect((await healthOf(versionId)).base).toMatchObject({ rated: 0, stars: 0 })
    const twice = [5, 1].map(stars => ({ type: 'rate' as const, versionId, stars }))
    await scene.stage.anybody.ok(store, 'reportEvents', { body: { deviceId: 'undecided', events: twice } })
    await memoryOf(scene.stage.booted.server).health.flush.now()
    expect((await healthOf(versionId)).own).toMatchObject({ rated: 4, stars: 17 })
    const rows = await scene.stage.sql<{ device: string }>('CN', 'SELECT device FROM store_health_devices')
    expect(JSON.stringify(rows)).not.toContain('device-0')
    const stranger = await scene.stage.person()
    expect((await stranger.call(storeHealth, 'getReleaseHealth', { query: { versionId } })).status).toBe(404)
  })

  it('begins anew when the version is released in phases again', async () => {
    const { appId } = await appOnShelf(scene)
    const { versionId } = await phasedOnShelf(scene, appId, 20)
    await tell(versionId, 5, ['open', 'crash'])
    await change(versionId, { state: 'CANCEL' })
    await scene.stage.settle()
    scene.stage.clock.turn(60_000)
    await scene.owner.ok(versions, 'submitVersion', { body: { versionId, releasePhase: 3 } })
    await scene.stage.settle()
    await scene.approve(versionId)
    await scene.stage.settle()
    await tell(versionId, 2, ['open'])
    expect((await healthOf(versionId)).own).toMatchObject({ users: 2, crashed: 0 })
  })

  it('can be changed while the release is planned, runs or is paused, with its revision, by who may release', async () => {
    const { appId } = await appOnShelf(scene)
    const { versionId } = await scene.inReview(appId, 20, { releasePhase: 3 })
    expect((await set(versionId, [gate()])).body).toMatchObject({ state: 'DRAFT', gates: [gate()] })
    await scene.approve(versionId)
    await scene.stage.settle()
    expect((await changesOf(versionId)).phased).toMatchObject({ state: 'RELEASE', gates: [gate()] })
    const { body } = await set(versionId, [gate({ value: 12.5 })])
    expect(body).toMatchObject({ state: 'RELEASE', gates: [{ value: 12.5 }] })
    expect((await set(versionId, [], { revision: body.revision - 1 })).status).toBe(409)
    await change(versionId, { state: 'SUSPEND' })
    expect((await set(versionId, [])).body).toMatchObject({ state: 'SUSPEND', gates: [] })
    expect((await changesOf(versionId)).list.map(one => one.action)).toEqual([
      'setGates',
      'pause',
      'setGates',
      'start',
      'setGates',
    ])
    const developer = await scene.stage.person({ team: scene.owner.teamId, roles: ['developer'] })
    const refused = await developer.call(versionPhased, 'updatePhasedRelease', { body: { versionId, gates: [] } })
    expect(refused.status).toBe(403)
    await change(versionId, { state: 'CANCEL' })
    expect((await set(versionId, [gate()])).body).toMatchObject({ state: 'CANCEL', allowedActions: [] })
    expect((await set(versionId, [gate()])).body.ret.code).toBe(204144715)
  })

  it('that makes no sense is refused at its field, when it is planned and when it is changed', async () => {
    const { appId } = await appOnShelf(scene)
    const draft = await fillDraft(scene.stage, scene.owner, appId, 20)
    const wrong: [unknown, string][] = [
      [[gate(), gate({ metric: 'ratingAvg', op: '>', value: 3 })], '/1/op'],
      [[gate({ metric: 'ratingAvg', op: '<', value: 0.5 })], '/0/value'],
      [[gate({ op: '<' })], '/0/op'],
      [[gate({ value: 0.125 })], '/0/value'],
      [[gate({ value: 101 })], '/0/value'],
      [[gate({ value: -1 })], '/0/value'],
      [[gate({ minUsers: 1 })], '/0/minUsers'],
      [[gate(), gate()], '/1/metric'],
      [[{ ...gate(), action: 'CELEBRATE' }], '/0/action'],
      [Array.from({ length: 6 }, () => gate()), ''],
      ['many', ''],
    ]
    for (const [gates, field] of wrong) {
      const body = { versionId: draft.versionId, releasePhase: 3 as const, phased: { gates } as never }
      const { status, body: said } = await scene.owner.call(versions, 'submitVersion', { query: {}, body })
      expect([status, said.fields?.[0]?.pointer]).toEqual([400, `/phased/gates${field}`])
    }
    const { versionId } = await phasedOnShelf(scene, appId, 21)
    for (const [gates, field] of wrong) {
      const { status, body: said } = await set(versionId, gates)
      expect([status, said.fields?.[0]?.pointer]).toEqual([400, `/gates${field}`])
    }
    const { body: ratings } = await set(versionId, wrong[0]?.[0])
    expect(ratings.fields?.[0]?.message).toContain('bad when it is low')
    expect((await current(scene.owner, versionId)).state).toBe('PHASED')
  })
})
