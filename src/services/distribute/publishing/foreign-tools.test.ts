import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { androidToolsHint, hasAndroidTools } from '../packages/apk/build-apk.testkit.ts'
import { versions } from '../versions/contract.ts'
import { versionPhased } from '../versions/phased/contract.ts'
import { builtApk, openScene, packageName, releasing, type Scene, sayWhatIsNew } from './publishing.testkit.ts'
import { fastlaneObjectRelease, fastlaneRelease, gradleRelease, nodeRelease } from './tools.testkit.ts'

const dayMs = 86_400_000
const canRun = hasAndroidTools()
const why = canRun ? '' : ` (skipped: ${androidToolsHint})`
let scene: Scene
let folder: string
let first: string
let second: string
beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'loggia-tools-'))
  if (!canRun) return
  first = await builtApk(folder, 225)
  second = await builtApk(folder, 278)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const written = (instant: number) => new Date(instant).toISOString().replace(/\.\d{3}Z$/, '+0000')

describe.skipIf(!canRun)(`the Gradle plug-in, with another host${why}`, () => {
  beforeAll(async () => {
    scene = await openScene()
  })
  afterAll(() => scene.stage.close())

  it('releases a real package: token, app, address, upload, file, submit; a reviewer passes it; releaseState is 0', async () => {
    const made = await gradleRelease(await scene.tool(), { apk: first, packageName })
    expect(made.seen).toEqual([
      'POST /oauth2/v1/token',
      'GET /publish/v2/appid-list',
      'GET /publish/v2/upload-url',
      'POST uploadUrl',
      'PUT /publish/v2/app-file-info',
      'POST /publish/v2/app-submit',
    ])
    expect(made).toMatchObject({ appId: scene.appId, submitted: { ret: { code: 0 } } })
    expect(made.pkgVersion).toHaveLength(1)
    await scene.stage.settle()
    expect((await scene.info()).appInfo.releaseState).toBe(4)
    await scene.decide('APPROVE')
    expect((await scene.info()).appInfo).toMatchObject({ releaseState: 0, versionCode: '225', packageName })
  })

  it('brings the next one to a share of devices, from start to end, with two decimals', async () => {
    await sayWhatIsNew(scene.owner, scene.appId, 'Faster')
    const now = scene.stage.clock.now()
    const phase = { start: written(now - 60_000), end: written(now + 20 * dayMs), percent: 5 }
    const made = await gradleRelease(await scene.tool(), { apk: second, packageName, phase })
    expect(made.submitted.ret).toEqual({ code: 0, msg: 'success' })
    await scene.decide('APPROVE')
    const { phased } = await scene.owner.ok(versions, 'getVersion', { query: { appId: scene.appId } })
    const { phased: release } = await scene.owner.ok(versionPhased, 'listPhasedChanges', {
      query: { versionId: phased?.versionId ?? '' },
    })
    expect(release).toMatchObject({ kind: 'PERCENT', percent: '5.00', state: 'RELEASE', description: 'Release on 5%' })
    expect((await scene.info()).appInfo.releaseState).toBe(0)
  })

  it('is told in ret what stands in the way of a submit, with HTTP 200', async () => {
    const { submit } = await gradleRelease(await scene.tool(), { apk: first, packageName })
    const refused = await submit()
    expect(refused.ret?.code).toBe(204160003)
    expect(refused.ret?.msg).toMatch(/version code/i)
    expect(refused['readiness']).toMatchObject(expect.arrayContaining([expect.objectContaining({ severity: 'BLOCK' })]))
  })
})

describe.skipIf(!canRun)(`the fastlane plug-in, with another host${why}`, () => {
  beforeAll(async () => {
    scene = await openScene()
  })
  afterAll(() => scene.stage.close())

  const release = async (apk: string, changelog?: string) =>
    fastlaneRelease(await scene.tool(), {
      appId: scene.appId,
      apk,
      privacy: 'https://example.org/how-we-keep-data',
      texts: { lang: 'en-US', appName: 'Automator\n', newFeatures: 'More of everything\n' },
      ...(changelog === undefined ? {} : { changelog }),
    })

  it('writes texts, uploads, asks for the compile status by its misspelt address, and submits with a remark', async () => {
    const made = await release(first, 'Please look at the first screen')
    expect(made.status).toMatchObject({ pkgStateList: [{ pkgId: made.pkgVersion }] })
    await scene.stage.settle()
    const { version } = await scene.owner.ok(versions, 'getVersion', { query: { appId: scene.appId } })
    expect(version).toMatchObject({
      state: 'IN_REVIEW',
      pkgId: made.pkgVersion,
      remark: 'Please look at the first screen',
      privacyPolicyUrl: 'https://example.org/how-we-keep-data',
    })
    await scene.decide('APPROVE')
    const info = await scene.info()
    expect(info).toMatchObject({ appInfo: { releaseState: 0, versionCode: '225', defaultLang: 'en-US' } })
    expect(info['languages']).toMatchObject([
      { lang: 'en-US', appName: 'Automator', newFeatures: 'More of everything' },
    ])
  })

  it('releases the next version the same way, and sees 8 when the store refuses it', async () => {
    await release(second)
    await scene.decide('REJECT')
    const info = await scene.info()
    expect(info.appInfo.releaseState).toBe(8)
    expect(String((info['auditInfo'] as { auditOpinion: string }).auditOpinion)).not.toBe('')
  })

  it.each(releasing)('is told that the client lacks %s', async lacked => {
    const tool = await scene.tool(releasing.filter(one => one !== lacked))
    const texts = { lang: 'en-US', newFeatures: 'Again' }
    const stopped = fastlaneRelease(tool, { appId: scene.appId, apk: second, texts })
    await expect(stopped).rejects.toThrow(new RegExp(`status code: 403 .*${lacked}`))
  })
})

describe.skipIf(!canRun)(`the publisher for Node, with another host${why}`, () => {
  beforeAll(async () => {
    scene = await openScene()
  })
  afterAll(() => scene.stage.close())

  it('releases a real package with its one file outside a list and a submit without a body', async () => {
    const made = await nodeRelease(await scene.tool(), { appId: scene.appId, apk: first })
    expect(made.packageVersion).toMatch(/^[1-9][0-9]+$/)
    expect(made.submitted.ret).toEqual({ code: 0, msg: 'success' })
    await scene.stage.settle()
    expect((await scene.info()).appInfo).toMatchObject({ releaseState: 4, versionCode: '225' })
  })
})

describe.skipIf(!canRun)(`the fastlane plug-in as it is today, with another host${why}`, () => {
  beforeAll(async () => {
    scene = await openScene()
  })
  afterAll(() => scene.stage.close())

  it('finds the app by its name, sends a PUT where it is told, gives the object for an address, and reaches a share of devices', async () => {
    await nodeRelease(await scene.tool(), { appId: scene.appId, apk: first })
    await scene.decide('APPROVE')
    await sayWhatIsNew(scene.owner, scene.appId, 'A map')
    const now = scene.stage.clock.now()
    const made = await fastlaneObjectRelease(await scene.tool([...releasing, 'files.upload']), {
      packageName,
      apk: second,
      phase: { start: written(now + 3_600_000), end: written(now + 7 * dayMs), percent: '20.00', description: 'A map' },
    })
    expect(made.seen).toEqual([
      'POST /oauth2/v1/token',
      'GET /publish/v2/appid-list',
      'GET /publish/v2/upload-url/for-obs',
      'PUT urlInfo.url',
      'PUT /publish/v2/app-file-info',
      'GET /publish/v2/aab/complile/status',
      'POST /publish/v2/app-submit',
    ])
    expect(made.status).toMatchObject({ pkgStateList: [{ pkgId: made.pkgVersion }] })
    await scene.decide('APPROVE')
    expect((await scene.info()).appInfo.releaseState).toBe(3)
    scene.stage.clock.turn(3_700_000)
    await scene.stage.booted.worker.sweep()
    await scene.stage.settle()
    const later = await scene.stage.person({ team: scene.owner.teamId, roles: ['leader'] })
    const { phased } = await later.ok(versions, 'getVersion', { query: { appId: scene.appId } })
    const query = { versionId: phased?.versionId ?? '' }
    const { phased: release } = await later.ok(versionPhased, 'listPhasedChanges', { query })
    expect(release).toMatchObject({ percent: '20.00', state: 'RELEASE', description: 'A map' })
  })
})
