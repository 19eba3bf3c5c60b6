import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Person, type Stage } from '../../../testkit/stage.ts'
import { parseManifest } from '../packages/apk/manifest.ts'
import { solidPng } from '../packages/apk/png.testkit.ts'
import { openArchive } from '../packages/apk/zip.ts'
import { buildAab, bundleToolsHint, hasBundleTools } from '../packages/bundle/build-aab.testkit.ts'
import { setProblem } from '../packages/bundle/split-plan.ts'
import { series } from '../series/contract.ts'
import { store } from './contract.ts'
import { newApp, release } from './release.testkit.ts'

const run = promisify(execFile)
let stage: Stage
let owner: Person
let folder: string
beforeAll(async () => {
  stage = await openStage({ zones: ['CN', 'DE'] })
  owner = await stage.person({ zone: 'DE' })
  folder = await mkdtemp(path.join(os.tmpdir(), 'loggia-delivery-'))
})
afterAll(async () => {
  await stage.close()
  await rm(folder, { recursive: true, force: true })
})

async function ask(packageName: string, device: object = {}) {
  const packages = [{ packageName, versionCode: '0', lang: 'en-US', country: 'DE', sdk: 34, ...device }]
  const [answer] = (await stage.anybody.ok(store, 'queryUpdates', { body: { deviceId: 'd', packages } })).packages
  return answer
}

/** Fetches what a device was told to install together, and reads it as Android does. */
async function installed(parts: readonly { url: string; sha256: string; size: number }[]) {
  const manifests = []
  for (const [at, { url, sha256, size }] of parts.entries()) {
    const reply = await stage.app.inject(new URL(url).pathname)
    const bytes = reply.rawPayload
    expect([reply.statusCode, bytes.length, createHash('sha256').update(bytes).digest('hex')]).toEqual([
      200,
      size,
      sha256,
    ])
    const file = path.join(folder, `part-${at}.apk`)
    await writeFile(file, bytes)
    await run('apksigner', ['verify', '--min-sdk-version', '24', file])
    const archive = await openArchive(file)
    const manifest = await archive.readEntry(archive.byName.get('AndroidManifest.xml')!, 1 << 20)
    manifests.push(parseManifest(manifest, null))
    await archive.close()
  }
  return manifests
}

describe.skipIf(!hasBundleTools())(`what the store delivers (${bundleToolsHint})`, () => {
  it('is of a bundle the base with the parts for the device, which Android installs together; each stands in the log', async () => {
    const packageName = 'org.example.delivered'
    const { appId } = await newApp(stage, owner, 'Delivered app')
    const library = (abi: string) => ({ [`base/lib/${abi}/liba.so`]: Buffer.alloc(2000, abi) })
    const bundle = await buildAab(path.join(folder, 'delivered.aab'), {
      package: packageName,
      versionCode: 4,
      labels: { de: 'Geliefert', ru: 'Доставлено' },
      resources: { 'drawable-mdpi/a.png': solidPng(8), 'drawable-xhdpi/a.png': solidPng(16) },
      files: { ...library('arm64-v8a'), ...library('x86_64') },
    })
    await release(stage, owner, { appId, folder, zone: 'DE', apk: {}, bundle })
    const phone = { abis: ['arm64-v8a'], density: 300, languages: ['de-AT'] }
    const offered = await ask(packageName, phone)
    expect(offered?.splits?.map(one => one.split)).toEqual([null, 'config.xhdpi', 'config.de', 'config.arm64_v8a'])
    const manifests = await installed(offered?.splits ?? [])
    expect(setProblem(manifests)).toBeNull()
    expect(manifests.map(one => [one.package, one.versionCode])).toEqual(manifests.map(() => [packageName, '4']))
    const desk = await ask(packageName, { abis: ['x86_64'], density: 160, lang: 'ru' })
    expect(desk?.splits?.map(one => one.split)).toEqual([null, 'config.mdpi', 'config.ru', 'config.x86_64'])
    const whole = await ask(packageName, { abis: ['arm64-v8a'] })
    expect([whole?.splits, whole?.sha256, whole?.sha256 === offered?.sha256]).toEqual([
      undefined,
      offered?.sha256,
      true,
    ])
    expect(await ask(packageName, { ...phone, abis: ['mips'] })).toMatchObject({ result: 'INCOMPATIBLE' })
    const logged = await stage.sql<{ sha256: string }>(
      'home',
      'SELECT sha256 FROM store_log_entries WHERE package_name = $1',
      [packageName],
    )
    const digests = logged.map(one => one.sha256)
    for (const one of offered?.splits ?? []) expect(digests).toContain(one.sha256)
    expect(new Set(digests).size).toBe(1 + 7)
  })

  it('is for editions of one product one page: devices hear of the others, and are moved where one alone is shown', async () => {
    const [first, second] = ['org.example.atlas', 'org.example.atlas.next']
    const [main, other] = [await newApp(stage, owner, 'Atlas'), await newApp(stage, owner, 'Atlas Next')]
    for (const [{ appId }, name] of [
      [main, first],
      [other, second],
    ] as const) {
      await release(stage, owner, {
        appId,
        folder,
        zone: 'DE',
        apk: { package: name, versionCode: 3, versionName: '3' },
      })
    }
    // What an edition for HarmonyOS is to its series; a package of that kind needs roots that an operator trusts.
    await stage.sql('DE', "UPDATE apps SET package_type = 'HARMONY' WHERE app_id = $1", [other.appId])
    const page = (name: string, country?: string) =>
      stage.anybody.ok(store, 'getApp', { params: { packageName: name }, query: { ...(country && { country }) } })
    const found = async (query: object = {}) =>
      (await stage.anybody.ok(store, 'listApps', { query })).list
        .map(one => one.packageName)
        .filter(name => name.startsWith(first))
    expect((await page(first)).series).toBeNull()
    expect((await found()).sort()).toEqual([first, second])
    const before = await ask(first, { versionCode: '1' })
    expect(before).not.toHaveProperty('editions')

    const members = [
      { appId: main.appId, role: 'MAIN' as const },
      { appId: other.appId, role: 'SUB' as const },
    ]
    const made = await owner.ok(series, 'createSeries', { body: { name: 'Atlas', apps: members } })
    await stage.settle()
    const told = await page(second)
    expect(told.series).toMatchObject({
      name: 'Atlas',
      replacedBy: null,
      editions: [
        { packageName: first, isMain: true, packageType: 'ANDROID', deviceTypes: [4] },
        { packageName: second, isMain: false, packageType: 'HARMONY' },
      ],
    })
    expect([await found(), await found({ search: 'next' })]).toEqual([[first], [second]])
    expect(await ask(first, { versionCode: '1' })).toMatchObject({
      result: 'UPDATE',
      editions: [{ packageName: second, packageType: 'HARMONY' }],
    })

    const mode = { seriesId: made.seriesId, mode: 'SINGLE' as const, singleIn: ['DE'], revision: made.revision }
    const single = await owner.ok(series, 'setDoubleSingle', { body: mode })
    await stage.settle()
    expect(await ask(first)).toEqual({ packageName: first, result: 'OFF_SHELF', replacedBy: second })
    expect(await ask(first, { versionCode: '1' })).toMatchObject({ result: 'UPDATE', replacedBy: second })
    expect(await ask(first, { versionCode: '3' })).toMatchObject({ result: 'LATEST', replacedBy: second })
    expect(await ask(first, { country: 'FR' })).toMatchObject({ result: 'UPDATE' })
    expect(await ask(first, { country: 'FR' })).not.toHaveProperty('replacedBy')
    expect([(await page(first, 'DE')).series?.replacedBy, (await page(first, 'FR')).series?.replacedBy]).toEqual([
      second,
      null,
    ])
    expect([await found({ country: 'DE' }), await found({ country: 'FR' })]).toEqual([[second], [first]])

    await owner.ok(series, 'deleteSeries', { body: { seriesId: made.seriesId, revision: single.revision } })
    await stage.settle()
    expect([(await page(first)).series, (await found()).length]).toEqual([null, 2])
    expect(await ask(first)).not.toHaveProperty('replacedBy')
  })
})
