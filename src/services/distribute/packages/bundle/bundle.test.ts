import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemContext } from '../../../../server/context.ts'
import { openStage, type Person, type Stage } from '../../../../testkit/stage.ts'
import { localObject } from '../../../ground/files/public.ts'
import { badging } from '../apk/android-oracle.testkit.ts'
import { suiteWhen } from '../apk/android-suite.testkit.ts'
import { signingKey } from '../apk/build-apk.testkit.ts'
import { inspectApk } from '../apk/inspect.ts'
import { temporaryFolder } from '../apk/temporary-folder.testkit.ts'
import { newApp, processed } from '../packages.testkit.ts'
import { packageOf } from '../public.ts'
import { readPackage } from '../readers/read-package.ts'
import { buildAab, bundleToolsHint, hasBundleTools } from './build-aab.testkit.ts'
import { missingForBundles, placeInApk } from './bundle-apks.ts'

const run = promisify(execFile)
const folder = temporaryFolder()
const read = (path: string) => readPackage('AAB', path, { fileName: 'a.aab', targetSdkFloor: 30 })

it('every file of the base module has its place in an APK, and nothing else has', () => {
  expect(
    ['base/res/a.png', 'base/dex/classes.dex', 'base/root/META-INF/x', 'base/manifest/AndroidManifest.xml'].map(name =>
      placeInApk(name),
    ),
  ).toEqual(['res/a.png', 'classes.dex', 'META-INF/x', 'AndroidManifest.xml'])
  expect(
    ['BundleConfig.pb', 'base/native.pb', 'feature/dex/classes.dex', 'base/res/', 'META-INF/A.RSA'].map(name =>
      placeInApk(name),
    ),
  ).toEqual([null, null, null, null, null])
})

it('a machine without the programs says which, and the line that installs them', async () => {
  expect(await missingForBundles('/nonexistent')).toEqual({
    missing: 'aapt2, zipalign, apksigner',
    install: 'apt-get install aapt zipalign apksigner',
  })
})

suiteWhen(hasBundleTools(), bundleToolsHint, 'a bundle', () => {
  it('is read as the tools read what is made of it, in every language', async () => {
    const path = await buildAab(folder.path('whole.aab'), {
      label: 'Whole',
      labels: { 'zh-rCN': '完整', ru: 'Целое' },
      files: { 'base/lib/arm64-v8a/liba.so': Buffer.alloc(8), 'base/dex/classes.dex': Buffer.from('dex\n035\0') },
    })
    const { facts, iconPath } = await read(path)
    expect(facts.findings).toEqual([])
    expect(facts).toMatchObject({
      packageName: 'org.example.bundle',
      versionCode: '1',
      label: 'Whole',
      labels: { 'zh-CN': '完整', ru: 'Целое' },
      languages: ['ru', 'zh-CN'],
      abis: ['arm64-v8a'],
      dexCount: 1,
      signatureSchemes: ['JAR'],
      components: [{ kind: 'activity', name: 'org.example.bundle.Main', isExported: true }],
      details: { bundle: { madeBy: '1.15.6' } },
    })
    expect(iconPath).toMatch(/^base\/res\/mipmap-xhdpi/)
    const { stdout } = await run('jarsigner', ['-verify', path])
    expect(stdout).toContain('jar verified')
  })

  it('tells of its modules, and which of them cannot be delivered', async () => {
    const { facts } = await read(
      await buildAab(folder.path('modules.aab'), {
        modules: {
          shop: '<dist:module dist:title="@android:string/ok"><dist:delivery><dist:on-demand/></dist:delivery></dist:module>',
          pack: '<dist:module dist:type="asset-pack"><dist:delivery><dist:fast-follow/></dist:delivery></dist:module>',
        },
      }),
    )
    expect(facts.modules.map(one => [one.name, one.type, one.delivery])).toEqual([
      ['base', 'base', 'install-time'],
      ['shop', 'feature', 'on-demand'],
      ['pack', 'asset-pack', 'fast-follow'],
    ])
    expect(facts.findings.map(one => one.code)).toEqual([1118, 80210101])
  })

  it.each<[string, () => Promise<Buffer>, number[]]>([
    ['unsigned', async () => readFile(await buildAab(folder.path('unsigned.aab'), { key: null })), [1101]],
    ['a debug build', async () => readFile(await buildAab(folder.path('debug.aab'), { isDebuggable: true })), [1104]],
    [
      'changed after it was signed',
      async () => {
        const bytes = await readFile(
          await buildAab(folder.path('changed.aab'), { files: { 'base/assets/a': Buffer.from('aaaaaaaa') } }),
        )
        return Buffer.from(
          bytes.toString('latin1').replace('base/assets/a', 'base/assets/b').replace('base/assets/a', 'base/assets/b'),
          'latin1',
        )
      },
      [1102],
    ],
  ])('%s is told so', async (_says, make, wanted) => {
    const path = folder.path(`wrong-${wanted[0]}.aab`)
    await writeFile(path, await make())
    expect([...new Set((await read(path)).facts.findings.map(one => one.code))]).toEqual(wanted)
  })

  let stage: Stage
  let developer: Person
  beforeAll(async () => {
    stage = await openStage()
    developer = await stage.person()
  })
  afterAll(() => stage.close())

  it('becomes an APK that apksigner accepts, and that is what other services hand out', async () => {
    const { appId } = await newApp(developer, 'Bundled')
    const file = await buildAab(folder.path('accepted.aab'), { package: 'org.example.accepted', versionCode: 3 })
    const pkg = await processed(stage, developer, { appId, file, fileName: 'accepted.aab' })
    expect([pkg.state, pkg.findings, pkg.kind]).toEqual(['READY', [], 'AAB'])
    expect(pkg.installable).toMatchObject({ fileName: 'accepted.apk' })
    expect(pkg.signers).not.toEqual(pkg.uploadSigners)
    const ctx = systemContext(stage.booted.server, 'CN', { name: 'test', teamId: developer.teamId })
    const row = await ctx.transact(inner => packageOf(inner, pkg.pkgId))
    expect([row.objectId, row.sha256]).toEqual([pkg.installable?.objectId, pkg.installable?.sha256])
    const apk = await ctx.transact(inner => localObject(inner, row.objectId))
    const { stdout } = await run('apksigner', ['verify', '--print-certs', apk.path])
    expect(stdout).toContain(pkg.signers[0])
    expect(await badging(apk.path)).toMatchObject({
      package: 'org.example.accepted',
      versionCode: '3',
      label: 'Bundle',
    })
    const own = await inspectApk(apk.path)
    expect(own.findings).toEqual([])
    await apk.release()

    const next = await buildAab(folder.path('next.aab'), { package: 'org.example.accepted', versionCode: 4 })
    expect((await processed(stage, developer, { appId, file: next, fileName: 'next.aab' })).signers).toEqual(
      pkg.signers,
    )
    const key = await signingKey(folder.path('stranger.p12'), 'CN=Stranger')
    const strange = await buildAab(folder.path('strange.aab'), { package: 'org.example.accepted', versionCode: 5, key })
    const refused = await processed(stage, developer, { appId, file: strange, fileName: 'strange.aab' })
    expect([refused.state, refused.findings.map(one => one.code)]).toEqual(['FAILED', [1119]])
  })

  it('that the tools refuse fails with what they said, and leaves no file behind', async () => {
    const { appId } = await newApp(developer, 'Broken')
    const file = await buildAab(folder.path('broken.aab'), {
      package: 'org.example.broken',
      files: { 'base/resources.pb': Buffer.from('no resources') },
    })
    const pkg = await processed(stage, developer, { appId, file, fileName: 'broken.aab' })
    expect([pkg.state, pkg.findings.map(one => one.code), pkg.installable]).toEqual(['FAILED', [1116, 1120], null])
    expect(pkg.findings[1]?.detail).toMatch(/aapt2/)
    const left = await stage.sql('CN', `SELECT 1 FROM file_objects WHERE file_name = 'broken.apk' AND state = 'NORMAL'`)
    expect(left).toEqual([])
  })
})
