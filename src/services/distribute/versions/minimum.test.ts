import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { store } from '../store/contract.ts'
import { versions } from './contract.ts'
import { versionHistory } from './history/contract.ts'
import { current, fillDraft, newApp, openScene, putPackage, type Scene, submitted } from './versions.testkit.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.stage.close())

const reason = 'Older versions lose what people wrote.'
const set = (versionId: string, minVersionCode: string | null, who = scene.owner) =>
  who.call(versions, 'setMinimumVersion', { body: { versionId, minVersionCode, reason } })

/** On shelf with a package name that devices can ask for. */
async function shelved(versionCode: number) {
  const { appId } = await newApp(scene.owner)
  const packageName = `com.example.m${appId}`
  return { appId, packageName, ...(await release(appId, packageName, versionCode)) }
}

async function release(appId: string, packageName: string, versionCode: number) {
  const pkgId = await putPackage(scene.stage, scene.owner, { appId, versionCode })
  await scene.stage.sql('CN', 'UPDATE packages SET package_name = $2 WHERE pkg_id = $1', [pkgId, packageName])
  const { versionId } = await fillDraft(scene.stage, scene.owner, appId, versionCode, { pkgId })
  await submitted(scene.stage, scene.owner, versionId)
  await scene.approve(versionId)
  await scene.stage.settle()
  return { versionId }
}

async function ask(packageName: string, versionCode: string) {
  await scene.stage.heard('home')
  const body = { deviceId: 'device', packages: [{ packageName, versionCode }] }
  return (await scene.stage.anybody.ok(store, 'queryUpdates', { body })).packages[0]
}

describe('the minimum version', () => {
  it('makes devices below it update, until it is taken back', async () => {
    const { versionId, packageName } = await shelved(20)
    expect((await ask(packageName, '9'))?.forced).toBe(false)
    const { body } = await set(versionId, '10')
    expect([body.minVersionCode, body.state]).toEqual(['10', 'ON_SHELF'])
    await scene.stage.settle()
    expect([(await ask(packageName, '9'))?.forced, (await ask(packageName, '10'))?.forced]).toEqual([true, false])
    const { timeline } = await scene.owner.ok(versionHistory, 'getHistoryVersion', { query: { versionId } })
    expect(timeline.find(one => one.action === 'setMinimum')?.note).toMatchObject({
      reason,
      minVersionCode: '10',
    })
    await set(versionId, null)
    await scene.stage.settle()
    expect((await ask(packageName, '9'))?.forced).toBe(false)
  })

  it('is no higher than the version that brings it, and is said with a reason', async () => {
    const { versionId } = await shelved(20)
    const high = await set(versionId, '21')
    expect([high.status, high.body.ret.code]).toEqual([422, 202030018])
    expect((await set(versionId, '20')).status).toBe(200)
    for (const minVersionCode of ['0', '-1', '1.5', '99999999999999999999', ''])
      expect((await set(versionId, minVersionCode)).status).toBe(400)
    const short = { versionId, minVersionCode: '5', reason: 'short' }
    expect((await scene.owner.call(versions, 'setMinimumVersion', { body: short })).status).toBe(400)
    expect((await current(scene.owner, versionId)).minVersionCode).toBe('20')
  })

  it('is said by who may release, of what is on the shelf', async () => {
    const { versionId } = await shelved(20)
    const { teamId } = scene.owner
    const developer = await scene.stage.person({ team: teamId, roles: ['developer'] })
    const operations = await scene.stage.person({ team: teamId, roles: ['operations'] })
    const stranger = await scene.stage.person()
    expect((await set(versionId, '5', developer)).status).toBe(403)
    expect((await set(versionId, '5', stranger)).status).toBe(404)
    expect((await set(versionId, '5', operations)).status).toBe(200)
    expect((await current(scene.owner, versionId)).allowedActions).toContain('setMinimum')
    const { appId } = await newApp(scene.owner)
    const draft = await fillDraft(scene.stage, scene.owner, appId, 3)
    const early = await set(draft.versionId, '2')
    expect([early.status, early.body.ret.code]).toEqual([422, 204160001])
  })

  it('goes on to the next version, where it can be changed before the release', async () => {
    const { appId, packageName, versionId } = await shelved(20)
    await set(versionId, '20')
    const next = await fillDraft(scene.stage, scene.owner, appId, 30)
    expect(next.minVersionCode).toBe('20')
    const change = (minVersionCode: string | null, revision: number) =>
      scene.owner.call(versions, 'updateVersion', { body: { versionId: next.versionId, minVersionCode, revision } })
    expect((await change('31', next.revision)).status).toBe(422)
    const after = await change('25', next.revision)
    expect(after.body.minVersionCode).toBe('25')
    await scene.stage.sql('CN', 'UPDATE packages SET package_name = $2 WHERE pkg_id = $1', [next.pkgId, packageName])
    await submitted(scene.stage, scene.owner, next.versionId)
    await scene.approve(next.versionId)
    await scene.stage.settle()
    expect([(await ask(packageName, '24'))?.forced, (await ask(packageName, '25'))?.forced]).toEqual([true, false])
  })

  it('of a phased version is said to those whose turn it is, and of the full one to the others', async () => {
    const { appId, packageName } = await shelved(20)
    const pkgId = await putPackage(scene.stage, scene.owner, { appId, versionCode: 30 })
    await scene.stage.sql('CN', 'UPDATE packages SET package_name = $2 WHERE pkg_id = $1', [pkgId, packageName])
    const { versionId } = await fillDraft(scene.stage, scene.owner, appId, 30, { pkgId })
    const phased = { kind: 'PERCENT' as const, percent: '50.00' }
    await submitted(scene.stage, scene.owner, versionId, { releasePhase: 3, phased })
    await scene.approve(versionId)
    await scene.stage.settle()
    expect((await current(scene.owner, versionId)).state).toBe('PHASED')
    expect((await set(versionId, '30')).status).toBe(200)
    await scene.stage.settle()
    await scene.stage.heard('home')
    const seen = new Set<string>()
    for (let at = 0; at < 40; at++) {
      const body = { deviceId: `device ${at}`, packages: [{ packageName, versionCode: '5' }] }
      const [answer] = (await scene.stage.anybody.ok(store, 'queryUpdates', { body })).packages
      seen.add(`${answer?.versionCode} ${answer?.forced}`)
    }
    expect([...seen].sort()).toEqual(['20 false', '30 true'])
  })
})
