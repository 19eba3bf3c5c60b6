import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apps } from '../../apps/contract.ts'
import { store } from '../../store/contract.ts'
import { versions } from '../contract.ts'
import { versionPhased } from '../phased/contract.ts'
import { appOnShelf, dayMs, deviceBetween, offered, phasedOnShelf } from '../phased/phased.testkit.ts'
import { current, fillDraft, openScene, type Scene, submitted } from '../versions.testkit.ts'
import { versionRollback } from './contract.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.stage.close())

const reason = 'It loses what people wrote.'
async function rollBack(versionId: string, wish: Record<string, unknown> = {}) {
  const reply = await scene.owner.call(versionRollback, 'rollBackVersion', {
    body: { versionId, mode: 'STOP', reason, ...wish } as never,
  })
  await scene.stage.settle()
  return reply
}
const ask = (packageName: string, deviceId = 'any', code?: string) =>
  offered(scene.stage.anybody, packageName, deviceId, code)

describe('rolling back', () => {
  it('a phased version leaves the full one to everybody', async () => {
    const { appId, packageName, full } = await appOnShelf(scene)
    const { versionId } = await phasedOnShelf(scene, appId, 20)
    const device = deviceBetween(appId, 0, 100)
    expect(await ask(packageName, device)).toBe('20 phased')
    const { packages } = await scene.stage.anybody.ok(store, 'queryUpdates', {
      body: { deviceId: device, packages: [{ packageName, versionCode: '1' }] },
    })
    const { pathname: url } = new URL(packages[0]?.url ?? '')
    const fetchFrom = (address: string) => scene.stage.app.inject({ method: 'GET', url: address })
    const before = await fetchFrom(url)
    const stale = await rollBack(versionId, { revision: 1 })
    expect(stale.status).toBe(409)
    const { revision } = await current(scene.owner, versionId)
    const { body } = await rollBack(versionId, { revision })
    expect(body.version).toMatchObject({ state: 'ROLLED_BACK', allowedActions: [] })
    expect(body.onShelf).toMatchObject({ versionId: full.versionId, state: 'ON_SHELF' })
    expect([await ask(packageName, device), await ask(packageName, device, '20')]).toEqual(['10', 'LATEST'])
    // Offered a moment ago and not fetched yet: the address is gone.
    expect([before.statusCode, (await fetchFrom(url)).statusCode]).toEqual([200, 404])
    const { list, phased } = await scene.owner.ok(versionPhased, 'listPhasedChanges', { query: { versionId } })
    expect(phased?.state).toBe('ROLLED_BACK')
    expect(list[0]).toMatchObject({ action: 'rollBack', reason, actor: expect.any(String) })
    const types = await scene.eventsOf(versionId)
    expect(types.slice(-2)).toEqual(['phased.rolled_back', 'version.rolled_back'])
  })

  it('by the call of the phased release does the same', async () => {
    const { appId, packageName } = await appOnShelf(scene)
    const { versionId } = await phasedOnShelf(scene, appId, 20)
    const body = { versionId, state: 'ROLLBACK' as const, reason }
    expect(await scene.owner.ok(versionPhased, 'updatePhasedRelease', { body })).toMatchObject({ state: 'ROLLED_BACK' })
    await scene.stage.settle()
    expect(await ask(packageName, deviceBetween(appId, 0, 100))).toBe('10')
    expect(await scene.state(versionId)).toBe('ROLLED_BACK')
  })

  it('a full version puts the one before back without a review', async () => {
    const { appId, packageName, full } = await appOnShelf(scene)
    const bad = await scene.onShelf(appId, 20)
    await scene.stage.settle()
    expect(await ask(packageName)).toBe('20')
    expect((await rollBack(bad.versionId)).body.onShelf).toMatchObject({
      versionId: full.versionId,
      state: 'ON_SHELF',
      supersededBy: null,
    })
    expect([await ask(packageName), await ask(packageName, 'any', '20')]).toEqual(['10', 'LATEST'])
    const app = await scene.owner.ok(apps, 'getApp', { query: { appId } })
    expect(app.shelf).toMatchObject({ versionId: full.versionId, versionCode: '10' })
    expect((await scene.eventsOf(full.versionId)).slice(-2)).toEqual(['version.restored', 'version.on_shelf'])
    // A later version has to be above the bad one, which devices have.
    const next = await fillDraft(scene.stage, scene.owner, appId, 15)
    const stuck = await scene.owner.call(versions, 'submitVersion', { body: { versionId: next.versionId } })
    expect(stuck.status).toBe(422)
  })

  it('goes to the version that is named, and not to one that was never full', async () => {
    const { appId, packageName, full } = await appOnShelf(scene)
    const phased = await phasedOnShelf(scene, appId, 15)
    await scene.onShelf(appId, 20)
    const bad = await scene.onShelf(appId, 30)
    await scene.stage.settle()
    const refused = await rollBack(bad.versionId, { mode: 'RESTORE', targetVersionId: phased.versionId })
    expect(refused.body.ret.code).toBe(202030023)
    const done = await rollBack(bad.versionId, { mode: 'RESTORE', targetVersionId: full.versionId })
    expect(done.body.onShelf).toMatchObject({ versionId: full.versionId })
    expect(await ask(packageName)).toBe('10')
  })

  it('from a phased version to an older full one supersedes the one between', async () => {
    const { appId, packageName, full } = await appOnShelf(scene)
    const between = await scene.onShelf(appId, 20)
    const { versionId } = await phasedOnShelf(scene, appId, 30)
    const done = await rollBack(versionId, { mode: 'RESTORE', targetVersionId: full.versionId })
    expect(done.body.onShelf).toMatchObject({ versionId: full.versionId })
    expect(await scene.state(between.versionId)).toBe('SUPERSEDED')
    expect(await ask(packageName)).toBe('10')
  })

  it('is shown before: what each way would do with each group of devices, and what is in the way', async () => {
    const { appId, full } = await appOnShelf(scene)
    const preview = (versionId: string) => scene.owner.ok(versionRollback, 'previewRollback', { query: { versionId } })
    const alone = await preview(full.versionId)
    expect(alone.modes.map(one => [one.mode, one.isPossible, one.obstacle])).toEqual([
      ['STOP', false, 'noTarget'],
      ['RESTORE', false, 'noTarget'],
      ['ROLL_FORWARD', false, 'noTarget'],
    ])
    const bad = await scene.onShelf(appId, 20)
    const { versionId } = await phasedOnShelf(scene, appId, 30)
    const ofPhased = await preview(versionId)
    expect(ofPhased.modes.map(one => one.targets.map(target => target.versionId))).toEqual([
      [bad.versionId],
      [full.versionId],
      [],
    ])
    expect(ofPhased.forward).toEqual({ versionCode: '31', versionName: '1.20+rb1', signers: ['aa'.repeat(32)] })
    expect(ofPhased.modes.map(one => one.groups.map(({ group, effect }) => `${group} ${effect}`))).toEqual([
      ['updated stuck', 'offered target', 'old target'],
      ['updated stuck', 'offered target', 'old target'],
      ['updated forward', 'offered target', 'old target'],
    ])
    const { body } = await rollBack(versionId, { mode: 'ROLL_FORWARD' })
    expect(body).toMatchObject({ versionCode: '31', kind: 'APK', ret: { code: 202030025 } })
    const stranger = await scene.stage.person()
    const other = await stranger.call(versionRollback, 'previewRollback', { query: { versionId } })
    expect(other.status).toBe(404)
  })

  it('refuses without something to go back to, and changes nothing', async () => {
    const { full } = await appOnShelf(scene)
    expect((await rollBack(full.versionId)).body.ret.code).toBe(202030023)
    expect(await scene.state(full.versionId)).toBe('ON_SHELF')
  })

  it('refuses after ninety days', async () => {
    const { appId } = await appOnShelf(scene)
    const bad = await scene.onShelf(appId, 20)
    await scene.turn(91 * dayMs)
    expect((await rollBack(bad.versionId)).body.ret.code).toBe(202030023)
    expect(await scene.state(bad.versionId)).toBe('ON_SHELF')
  })

  it('refuses a version with another signer', async () => {
    const { appId } = await appOnShelf(scene)
    const lineage = ['aa'.repeat(32)]
    const draft = await fillDraft(scene.stage, scene.owner, appId, 20, { signers: ['bb'.repeat(32)], lineage })
    await submitted(scene.stage, scene.owner, draft.versionId)
    await scene.approve(draft.versionId)
    const reply = await rollBack(draft.versionId)
    expect([reply.status, reply.body.ret.code]).toEqual([422, 202030024])
    expect(await scene.state(draft.versionId)).toBe('ON_SHELF')
  })

  it('leads nobody back from what no older build can read, and may still stop it while it is phased', async () => {
    const { appId, full } = await appOnShelf(scene)
    const draft = await fillDraft(scene.stage, scene.owner, appId, 20)
    const body = { versionId: draft.versionId, noDowngrade: true, revision: draft.revision }
    await scene.owner.ok(versions, 'updateVersion', { body })
    await submitted(scene.stage, scene.owner, draft.versionId, {
      releasePhase: 3,
      phased: { kind: 'PERCENT', percent: '5' },
    })
    await scene.approve(draft.versionId)
    await scene.stage.settle()
    const { modes } = await scene.owner.ok(versionRollback, 'previewRollback', {
      query: { versionId: draft.versionId },
    })
    expect(modes.map(one => [one.mode, one.isPossible, one.obstacle])).toEqual([
      ['STOP', true, null],
      ['RESTORE', false, 'noDowngrade'],
      ['ROLL_FORWARD', false, 'noDowngrade'],
    ])
    const restore = await rollBack(draft.versionId, { mode: 'RESTORE', targetVersionId: full.versionId })
    expect([restore.status, restore.body.ret.code]).toEqual([422, 202030050])
    await scene.owner.ok(versionPhased, 'updatePhasedRelease', {
      body: { versionId: draft.versionId, releasePhase: 4 },
    })
    expect((await rollBack(draft.versionId)).body.ret.code).toBe(202030050)
    expect(await scene.state(draft.versionId)).toBe('ON_SHELF')
  })

  it('refuses to roll forward what is no bundle, another state, a short reason, and whoever may not', async () => {
    const { appId, full } = await appOnShelf(scene)
    const bad = await scene.onShelf(appId, 20)
    const { versionId } = bad
    expect((await rollBack(versionId, { mode: 'ROLL_FORWARD' })).body.ret.code).toBe(202030025)
    expect((await rollBack(full.versionId)).body).toMatchObject({ state: 'SUPERSEDED', status: 422 })
    expect((await rollBack(versionId, { reason: 'too short' })).body.fields?.[0]?.pointer).toBe('/reason')
    const named = await rollBack(versionId, { targetVersionId: full.versionId })
    expect(named.body.fields?.[0]?.pointer).toBe('/targetVersionId')
    expect((await rollBack(versionId, { revision: 1 })).status).toBe(409)
    const foreign = await appOnShelf(scene)
    const away = await rollBack(versionId, { mode: 'RESTORE', targetVersionId: foreign.full.versionId })
    expect(away.status).toBe(404)
    const developer = await scene.stage.person({ team: scene.owner.teamId, roles: ['developer'] })
    const body = { versionId, mode: 'STOP' as const, reason }
    expect((await developer.call(versionRollback, 'rollBackVersion', { body })).status).toBe(403)
    const stranger = await scene.stage.person()
    expect((await stranger.call(versionRollback, 'rollBackVersion', { body })).status).toBe(404)
    expect(await current(scene.owner, versionId)).toMatchObject({ state: 'ON_SHELF' })
  })
})
