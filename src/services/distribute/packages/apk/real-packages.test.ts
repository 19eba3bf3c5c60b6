import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { apksignerVerdict, badging } from './android-oracle.testkit.ts'
import { androidSuite } from './android-suite.testkit.ts'
import { inspectApk } from './inspect.ts'
import { temporaryFolder } from './temporary-folder.testkit.ts'

const folder = temporaryFolder()

const MODULES = new URL('../../../../../node_modules/', import.meta.url).pathname
const packages = [
  'apk-settings-9/apks/settings_apk-debug.apk',
  'apk-settings-10/apks/settings_apk-debug.apk',
  'apk-uiautomator-9/apks/appium-uiautomator2-server-v9.0.0.apk',
  'apk-uiautomator-9/apks/appium-uiautomator2-server-debug-androidTest.apk',
  'apk-uiautomator-10/apks/appium-uiautomator2-server-v10.6.6.apk',
  'apk-uiautomator-10/apks/appium-uiautomator2-server-debug-androidTest.apk',
].map(path => MODULES + path)

test('the packages from npm are there', () => {
  expect(packages.filter(path => !existsSync(path))).toEqual([])
})

androidSuite('packages that other people built', () => {
  test.each(packages)('%s is read and verified as aapt and apksigner do', async path => {
    const [report, wanted, verdict] = [await inspectApk(path), await badging(path), await apksignerVerdict(path)]
    const { manifest, signature } = report
    expect(manifest).toMatchObject({
      package: wanted.package,
      versionCode: wanted.versionCode || null,
      versionName: wanted.versionName || null,
      label: wanted.label,
      minSdk: wanted.minSdk,
      targetSdk: wanted.targetSdk,
      permissions: wanted.permissions,
      isDebuggable: wanted.isDebuggable,
      isTestOnly: wanted.isTestOnly,
    })
    // aapt prints every language of the package; ours has those with a text of their own.
    for (const [language, text] of Object.entries(wanted.labels)) {
      expect(manifest?.labels[language] ?? manifest?.label).toBe(text)
    }
    expect(manifest?.features.every(({ name }) => wanted.features.includes(name))).toBe(true)
    expect(report.abis).toEqual(wanted.abis)
    expect(signature?.verified).toBe(verdict.verified)
    expect(signature?.signers.map(({ certSha256 }) => certSha256)).toEqual(verdict.signers)
  })
})

test('the upgrade pair has one signer and the settings pair two', async () => {
  const signers = await Promise.all(
    [packages[2], packages[4], packages[0], packages[1]].map(
      async path => (await inspectApk(path ?? '')).signature?.signers[0]?.certSha256,
    ),
  )
  expect(signers[0]).toBe(signers[1])
  expect(signers[2]).not.toBe(signers[3])
})

test('damaged packages are reported and never throw', { timeout: 120_000 }, async () => {
  const original = await readFile(packages[3] ?? '')
  let seed = 20_261_121
  const random = (limit: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    return seed % limit
  }
  for (let round = 0; round < 150; round++) {
    const damaged = Buffer.from(original)
    // Every second round aims at the signing block and the directory, which are the last 16 KiB.
    const floor = round % 2 === 0 ? 0 : damaged.length - 16_384
    for (let hits = 0; hits < 4; hits++) damaged.writeUInt8(random(256), floor + random(damaged.length - floor))
    const { findings } = await inspectApk(await folder.write('damaged.apk', damaged))
    expect(findings.length).toBeGreaterThan(0)
  }
})
