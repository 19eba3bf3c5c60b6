import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemContext } from '../../../../server/context.ts'
import { localObject } from '../../../ground/files/public.ts'
import { badging } from '../../packages/apk/android-oracle.testkit.ts'
import { suiteWhen } from '../../packages/apk/android-suite.testkit.ts'
import { temporaryFolder } from '../../packages/apk/temporary-folder.testkit.ts'
import { buildAab, bundleToolsHint, hasBundleTools } from '../../packages/bundle/build-aab.testkit.ts'
import { processed } from '../../packages/packages.testkit.ts'
import { packageOf } from '../../packages/public.ts'
import { versions } from '../contract.ts'
import { versionPhased } from '../phased/contract.ts'
import { dayMs, offered } from '../phased/phased.testkit.ts'
import { current, fillDraft, newApp, openScene, type Scene, submitted } from '../versions.testkit.ts'
import { versionRollback } from './contract.ts'
import { forwardName } from './rules.ts'

const run = promisify(execFile)
const folder = temporaryFolder()
const reason = 'It loses what people wrote.'

it.each([
  ['1.10', '1.10+rb1'],
  ['1.10+rb1', '1.10+rb2'],
  ['1+rb9', '1+rb10'],
  ['+rb', '+rb+rb1'],
  ['', '+rb1'],
])('a build called %s comes again as %s', (name, wanted) => expect(forwardName(name)).toBe(wanted))

suiteWhen(hasBundleTools(), bundleToolsHint, 'rolling forward', () => {
  let scene: Scene
  beforeAll(async () => {
    scene = await openScene()
  })
  afterAll(() => scene.stage.close())

  /** An app whose bundle 10 was replaced by bundle 20, both whole on shelf and signed by the store. */
  async function badOnShelf() {
    const { appId } = await newApp(scene.owner)
    const name = `org.example.forward${appId}`
    const release = async (versionCode: number) => {
      const file = await buildAab(folder.path(`${appId}-${versionCode}.aab`), { package: name, versionCode })
      const pkg = await processed(scene.stage, scene.owner, { appId, file, fileName: 'app.aab' })
      expect([pkg.state, pkg.findings]).toEqual(['READY', []])
      const draft = await fillDraft(scene.stage, scene.owner, appId, versionCode, { pkgId: pkg.pkgId })
      // An app with a network needs its filing to go to China.
      const body = { versionId: draft.versionId, countries: ['DE'], revision: draft.revision }
      await scene.owner.ok(versions, 'updateVersion', { body })
      await submitted(scene.stage, scene.owner, draft.versionId)
      await scene.approve(draft.versionId)
      await scene.stage.settle()
      return current(scene.owner, draft.versionId)
    }
    return { appId, name, good: await release(10), bad: await release(20) }
  }
  const rollForward = (versionId: string, more: object = {}) =>
    scene.owner.call(versionRollback, 'rollBackVersion', { body: { versionId, mode: 'ROLL_FORWARD', reason, ...more } })
  const forwardOf = async (versionId: string) =>
    (await scene.owner.ok(versionRollback, 'getForward', { query: { versionId } })).forward
  const ask = (name: string, code: string) => offered(scene.stage.anybody, name, 'any', code)

  it('offers the old build under a higher code to whoever has the bad one, and the old one to all others', async () => {
    const { name, good, bad } = await badOnShelf()
    const preview = await scene.owner.ok(versionRollback, 'previewRollback', { query: { versionId: bad.versionId } })
    expect(preview.modes.find(one => one.mode === 'ROLL_FORWARD')).toMatchObject({
      isPossible: true,
      obstacle: null,
      targets: [{ versionId: good.versionId }],
    })
    const reply = await rollForward(bad.versionId)
    expect([reply.status, reply.body.onShelf]).toMatchObject([200, { versionId: good.versionId }])
    expect(await forwardOf(bad.versionId)).toMatchObject({ state: 'BUILDING', versionCode: '21', versionId: null })
    await scene.stage.settle()

    const forward = await forwardOf(bad.versionId)
    expect(forward).toMatchObject({ state: 'DONE', versionName: '10.0+rb1' })
    expect([await ask(name, '20'), await ask(name, '10'), await ask(name, '5'), await ask(name, '0')]).toEqual([
      '21 phased',
      'LATEST',
      '10',
      '10',
    ])
    const version = await current(scene.owner, String(forward?.versionId))
    expect(version).toMatchObject({ state: 'PHASED', versionCode: '21', versionName: '10.0+rb1' })

    const ctx = systemContext(scene.stage.booted.server, 'CN', { name: 'test', teamId: scene.owner.teamId })
    const filesOf = async (pkgId: string) => {
      const row = await ctx.transact(inner => packageOf(inner, pkgId))
      return { row, apk: await ctx.transact(inner => localObject(inner, row.objectId)) }
    }
    const made = await filesOf(String(forward?.pkgId))
    const before = await filesOf(String(good.pkgId))
    expect(await badging(made.apk.path)).toMatchObject({ package: name, versionCode: '21', versionName: '10.0+rb1' })
    const { stdout } = await run('apksigner', ['verify', '--print-certs', made.apk.path])
    expect(stdout).toContain(before.row.signers[0])
    // But for the version and the signature it is what was there before.
    const contents = async (path: string) =>
      (
        await run('sh', [
          '-c',
          `unzip -v "${path}" | awk '$8 !~ /^META-INF|^AndroidManifest/ { print $7, $8 }' | grep -E '^[0-9a-f]{8} '`,
        ])
      ).stdout
    expect(await contents(made.apk.path)).toBe(await contents(before.apk.path))
    await Promise.all([made.apk.release(), before.apk.release()])

    // Made whole it goes to everybody, and the next version has to be above it.
    await scene.owner.ok(versionPhased, 'updatePhasedRelease', {
      body: { versionId: version.versionId, releasePhase: 4 },
    })
    await scene.stage.settle()
    expect([await ask(name, '20'), await ask(name, '10')]).toEqual(['21', '21'])
    const stuck = await fillDraft(scene.stage, scene.owner, good.appId, 15)
    const low = await scene.owner.call(versions, 'submitVersion', { body: { versionId: stuck.versionId } })
    expect(low.status).toBe(422)
  })

  it('begins once, also for two who ask at a time', async () => {
    const { bad } = await badOnShelf()
    const replies = await Promise.all([rollForward(bad.versionId), rollForward(bad.versionId)])
    expect(replies.map(one => one.status).sort()).toEqual([200, 422])
    const rows = await scene.stage.sql('CN', 'SELECT 1 FROM roll_forwards WHERE bad_version_id = $1', [bad.versionId])
    expect(rows).toHaveLength(1)
    await scene.stage.settle()
  })

  it.each([
    ['FAILED', 'the package cannot be made', 'FAILED'],
    ['DROPPED', 'something else comes out in phases by the time it is made', 'READY'],
  ])('ends as %s when %s, and says so once', async (wanted, _when, packageState) => {
    const { bad } = await badOnShelf()
    await rollForward(bad.versionId)
    await scene.stage.settle()
    const { pkgId } = (await forwardOf(bad.versionId)) ?? { pkgId: '' }
    await scene.stage.sql('CN', `UPDATE roll_forwards SET state = 'BUILDING', version_id = NULL WHERE pkg_id = $1`, [
      pkgId,
    ])
    await scene.stage.sql('CN', 'UPDATE packages SET state = $2 WHERE pkg_id = $1', [pkgId, packageState])
    const tell = (type: string) =>
      systemContext(scene.stage.booted.server, 'CN', { name: 'test', teamId: scene.owner.teamId }).transact(async ctx =>
        ctx.emit({ type, entity: 'package', entityId: pkgId }),
      )
    for (let time = 0; time < 2; time++) await tell(wanted === 'FAILED' ? 'package.failed' : 'package.ready')
    await scene.stage.settle()
    expect(await forwardOf(bad.versionId)).toMatchObject({ state: wanted, versionId: null })
    const told = (await scene.eventsOf(bad.versionId)).filter(type => type === 'version.forward.failed')
    expect(told).toHaveLength(1)
  })

  it('is not for another team, nor after ninety days', async () => {
    const { bad } = await badOnShelf()
    const stranger = await scene.stage.person()
    const seen = await stranger.call(versionRollback, 'getForward', { query: { versionId: bad.versionId } })
    expect(seen.status).toBe(404)
    await scene.turn(91 * dayMs)
    const late = await rollForward(bad.versionId)
    expect([late.status, late.body.ret.code]).toEqual([422, 202030023])
  })
})
