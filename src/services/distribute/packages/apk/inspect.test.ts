import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { apksignerVerdict, badging } from './android-oracle.testkit.ts'
import { androidSuite } from './android-suite.testkit.ts'
import { type ApkOptions, buildApk, signingKey } from './build-apk.testkit.ts'
import { elfLibrary } from './elf.testkit.ts'
import { resolveIcon } from './icon.ts'
import { inspectApk } from './inspect.ts'
import { solidPng } from './png.testkit.ts'
import { parseResourceTable } from './resource-table.ts'
import { temporaryFolder } from './temporary-folder.testkit.ts'
import { openArchive } from './zip.ts'

const folder = temporaryFolder()
let built = 0

async function build(options: ApkOptions = {}): Promise<string> {
  built += 1
  return buildApk(folder.path(`${built}.apk`), options)
}

async function codesOf(options: ApkOptions, targetSdkFloor?: number): Promise<number[]> {
  const { findings } = await inspectApk(await build(options), targetSdkFloor === undefined ? {} : { targetSdkFloor })
  return findings.map(({ code }) => code)
}

const ADAPTIVE = `<adaptive-icon xmlns:android="http://schemas.android.com/apk/res/android">
  <background android:drawable="@mipmap/back"/><foreground android:drawable="@mipmap/front"/></adaptive-icon>`

androidSuite('a package built with the Android tools', () => {
  test('is read as aapt reads it and verified as apksigner verifies it', async () => {
    const path = await build({
      package: 'org.example.full',
      versionCode: 2_000_000_001,
      versionName: '3.2.1-beta (ключ)',
      label: 'Clock',
      labels: { 'zh-rCN': '时钟', ru: 'Часы', fil: 'Orasan', 'b+sr+Latn': 'Sat' },
      minSdk: 21,
      targetSdk: 33,
      permissions: ['android.permission.INTERNET', 'android.permission.CAMERA'],
      manifestElements: `<uses-permission android:name="android.permission.BLUETOOTH" android:maxSdkVersion="30"/>
        <uses-feature android:name="android.hardware.camera" android:required="false"/>`,
      files: { 'lib/arm64-v8a/liba.so': elfLibrary(16384), 'lib/armeabi-v7a/liba.so': Buffer.alloc(9) },
    })
    const [report, wanted, verdict] = [await inspectApk(path), await badging(path), await apksignerVerdict(path)]
    expect(report.findings).toEqual([])
    expect(report.manifest).toMatchObject({
      package: wanted.package,
      versionCode: wanted.versionCode,
      versionName: wanted.versionName,
      label: wanted.label,
      minSdk: wanted.minSdk,
      targetSdk: wanted.targetSdk,
      permissions: wanted.permissions,
      features: [{ name: 'android.hardware.camera', isRequired: false }],
      isDebuggable: false,
      isTestOnly: false,
    })
    expect(report.manifest?.labels).toEqual(wanted.labels)
    expect(report.abis.toSorted()).toEqual(wanted.abis.toSorted())
    expect(report.signature).toMatchObject({ verified: verdict.verified, scheme: 'v3', schemes: ['v3', 'v2', 'v1'] })
    expect(report.signature?.signers.map(({ certSha256 }) => certSha256)).toEqual(verdict.signers)
  })

  test('has its largest bitmap as icon', async () => {
    const resources = { 'mipmap-xxhdpi/ic.png': solidPng(144), 'mipmap-hdpi/ic.png': solidPng(72) }
    expect((await inspectApk(await build({ resources }))).iconPath).toMatch(/^res\/mipmap-xxhdpi.*\/ic\.png$/)
  })

  test('shows the foreground of an adaptive icon that has no bitmap of its own', async () => {
    const resources = {
      'mipmap-mdpi/front.png': solidPng(48),
      'mipmap-xhdpi/front.png': solidPng(96),
      'mipmap-mdpi/back.png': solidPng(48),
      'mipmap-mdpi/ic.png': solidPng(48),
      'mipmap-anydpi-v26/ic.xml': ADAPTIVE,
      'drawable/only.xml': ADAPTIVE,
    }
    const path = await build({ resources, minSdk: 26 })
    expect((await inspectApk(path)).iconPath).toMatch(/\/ic\.png$/)
    const archive = await openArchive(path)
    const xml = archive.entries.find(({ name }) => name.endsWith('only.xml'))?.name ?? ''
    const table = archive.byName.get('resources.arsc')
    const resourceTable = table ? parseResourceTable(await archive.readEntry(table, 1 << 20)) : null
    expect(await resolveIcon(archive, resourceTable, xml)).toMatch(/xhdpi.*\/front\.png$/)
    expect(await resolveIcon(archive, null, xml)).toBeNull()
    await archive.close()
  })

  test('of each signing scheme verifies like apksigner says', async () => {
    for (const schemes of [
      { v1: true, v2: false, v3: false },
      { v1: false, v2: true, v3: false },
      { v1: true, v2: true, v3: true },
    ]) {
      const path = await build({ schemes, minSdk: 23, targetSdk: 29 })
      const [{ signature }, verdict] = [await inspectApk(path), await apksignerVerdict(path)]
      expect(signature?.verified).toBe(verdict.verified)
      expect(signature?.signers.map(({ certSha256 }) => certSha256)).toEqual(verdict.signers)
    }
  })

  test('signed with verity digests verifies like apksigner says', async () => {
    const path = await build({
      minSdk: 28,
      signerArguments: ['--verity-enabled', 'true'],
      files: { 'assets/big': Buffer.alloc(2_500_000, 'loggia') },
    })
    expect((await apksignerVerdict(path)).verified).toBe(true)
    expect((await inspectApk(path)).signature).toMatchObject({ verified: true, scheme: 'v3' })
    const changed = await readFile(path)
    changed.writeUInt8(changed.readUInt8(1200) ^ 1, 1200)
    expect((await inspectApk(await folder.write('verity.apk', changed))).signature?.verified).toBe(false)
  })

  test('that asks for a permission twice asks for the wider one', async () => {
    const ask = (max: string) => `<uses-permission android:name="org.example.P" ${max}/>`
    const manifestElements = ask('android:maxSdkVersion="28"') + ask('android:maxSdkVersion="30"')
    expect((await inspectApk(await build({ manifestElements }))).manifest?.permissions).toEqual([
      { name: 'org.example.P', maxSdk: 30 },
    ])
    const path = await build({ manifestElements: manifestElements + ask('') })
    expect((await inspectApk(path)).manifest?.permissions).toEqual([{ name: 'org.example.P' }])
  })

  test('has a 64-bit version code when it has a major one', async () => {
    const path = await build({ versionCode: 7, manifestAttributes: 'android:versionCodeMajor="3"' })
    expect((await inspectApk(path)).manifest?.versionCode).toBe(String(3n * 2n ** 32n + 7n))
  })
})

androidSuite('the findings of a package', () => {
  test('debuggable, test key, test only', async () => {
    const key = await signingKey(folder.path('debug.p12'), 'CN=Android Debug, O=Android, C=US')
    expect(await codesOf({ isDebuggable: true, key })).toEqual([1104, 1105])
    expect(await codesOf({ isTestOnly: true })).toEqual([1112])
    const { findings } = await inspectApk(await build({ isDebuggable: true }))
    expect(findings).toMatchObject([{ code: 1104, severity: 'BLOCK', appliesTo: 'FORMAL' }])
  })

  test('unsigned and changed after signing', async () => {
    expect(await codesOf({ key: null, targetSdk: 29 })).toEqual([1101])
    expect(await codesOf({ key: null })).toEqual([1101])
    const bytes = await readFile(await build())
    bytes.writeUInt8(bytes.readUInt8(60) ^ 1, 60)
    const { findings } = await inspectApk(await folder.write('changed.apk', bytes))
    expect(findings.map(({ code }) => code)).toContain(1102)
  })

  test('version code missing or zero', async () => {
    expect(await codesOf({ versionCode: null })).toEqual([1106])
    expect(await codesOf({ versionCode: 0 })).toEqual([1106])
  })

  test('a target below the floor warns', async () => {
    expect(await codesOf({ targetSdk: 28 }, 29)).toEqual([1109])
    expect(await codesOf({ targetSdk: 29 }, 29)).toEqual([])
    expect(await codesOf({ targetSdk: 28 })).toEqual([])
  })

  test('32-bit libraries alone', async () => {
    expect(await codesOf({ files: { 'lib/armeabi-v7a/liba.so': Buffer.alloc(9) } })).toEqual([1110])
    expect(await codesOf({ files: { 'lib/x86/liba.so': Buffer.alloc(9) } })).toEqual([1110])
  })

  test('64-bit libraries that 16 KB devices cannot map', async () => {
    const library = (alignment: number) => ({ 'lib/arm64-v8a/liba.so': elfLibrary(alignment) })
    expect(await codesOf({ files: library(4096) })).toEqual([1115])
    expect(await codesOf({ files: library(16384) })).toEqual([])
    const { findings } = await inspectApk(await build({ files: library(16384), isStored: true }))
    expect(findings).toMatchObject([{ code: 1115, severity: 'WARN', params: { reason: 'archive' } }])
  })

  test('a split, and a base that needs its splits', async () => {
    expect(await codesOf({ manifestAttributes: 'split="config.de"' })).toEqual([1114])
    expect(await codesOf({ manifestAttributes: 'android:isSplitRequired="true"' })).toEqual([1114])
  })
})
