import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Person, type Stage } from '../../../../testkit/stage.ts'
import { newApp, processed } from '../packages.testkit.ts'
import { atomicPhones, phoneDesk, phones } from './contract.ts'
import { apiLevel, misfitOf } from './rules.ts'

let stage: Stage
let developer: Person
beforeAll(async () => {
  stage = await openStage()
  developer = await stage.person()
})
afterAll(() => stage.close())

describe('whether a device takes a package', () => {
  const phone = { os: 'ANDROID' as const, deviceType: 'phone', sdk: 30, abis: ['arm64-v8a', 'armeabi-v7a'] }
  const tablet = { os: 'HARMONY' as const, deviceType: 'tablet', sdk: 13, abis: ['arm64-v8a'] }
  const apk = { kind: 'APK', minSdk: 24, abis: [] as string[], deviceTypes: [] as string[] }
  it.each([
    ['an APK on Android', apk, phone, null],
    ['an APK on HarmonyOS', apk, tablet, 'SYSTEM'],
    ['an APK for newer devices', { ...apk, minSdk: 31 }, phone, 'SDK'],
    ['an APK for other processors', { ...apk, abis: ['x86_64'] }, phone, 'ABI'],
    [
      'a HAP for phones on a tablet',
      { ...apk, kind: 'HAP', minSdk: 12, deviceTypes: ['phone'] },
      tablet,
      'DEVICE_TYPE',
    ],
    ['a HAP with a level in the long form', { ...apk, kind: 'HAP', minSdk: 50_002_014 }, tablet, 'SDK'],
    ['a quick app', { ...apk, kind: 'RPK', minSdk: 1070 }, phone, null],
  ])('%s', (_says, needs, device, wanted) => {
    expect(misfitOf(needs, device)).toBe(wanted)
  })

  it('reads the long form of API levels', () => {
    expect([apiLevel(12), apiLevel(50_001_013)]).toEqual([12, 13])
  })
})

describe('the list of phones', () => {
  it('is filtered, paged, and judged by a package', async () => {
    const all = await developer.ok(phones, 'listPhones', { query: { pageSize: 5 } })
    expect([all.list.length, all.total > 30, all.fitting]).toEqual([5, true, null])
    const next = await developer.ok(phones, 'listPhones', { query: { pageSize: 5, cursor: all.nextCursor ?? '' } })
    expect(next.list.some(one => all.list.some(before => before.model === one.model))).toBe(false)
    expect(all.brands).toContain('Huawei')
    const huawei = await developer.ok(phones, 'listPhones', {
      query: { brand: 'Huawei', os: 'HARMONY', pageSize: 100 },
    })
    expect(huawei.list.every(one => one.brand === 'Huawei' && one.os === 'HARMONY')).toBe(true)

    const { appId } = await newApp(developer)
    const { pkgId } = await processed(stage, developer, { appId, file: Buffer.from('x') })
    await stage.sql('CN', `UPDATE packages SET min_sdk = 33, abis = '{arm64-v8a}' WHERE pkg_id = $1`, [pkgId])
    const judged = await developer.ok(phones, 'listPhones', { query: { pkgId, pageSize: 100 } })
    expect(judged.fitting).toBe(judged.list.filter(one => one.fits).length)
    const old = judged.list.find(one => one.model === 'ELE-L29')
    expect([old?.fits, old?.misfit]).toEqual([false, 'SDK'])
    const fits = await developer.ok(phones, 'listPhones', { query: { pkgId, fits: 'YES', pageSize: 100 } })
    expect(fits.total).toBe(judged.fitting)
    const stranger = await stage.person()
    expect((await stranger.call(phones, 'listPhones', { query: { pkgId } })).status).toBe(404)
  })

  it('for atomic services has HarmonyOS only', async () => {
    const { list } = await developer.ok(atomicPhones, 'listPhones', { query: { pageSize: 100 } })
    expect(new Set(list.map(one => one.os))).toEqual(new Set(['HARMONY']))
  })

  it('is kept by the staff of the store, one after another', async () => {
    const operator = await stage.person({ staff: ['storeOperator'] })
    const facts = {
      model: 'NEW-1',
      brand: 'New',
      name: 'New one',
      deviceType: 'phone',
      os: 'ANDROID' as const,
      sdk: 36,
      abis: ['arm64-v8a'],
      width: 1080,
      height: 2400,
      density: 400,
      ramMegabytes: 8192,
    }
    const saved = await operator.ok(phoneDesk, 'savePhone', { body: facts })
    const changed = await operator.ok(phoneDesk, 'savePhone', { body: { ...facts, sdk: 37, revision: saved.revision } })
    expect([changed.sdk, changed.revision]).toEqual([37, saved.revision + 1])
    expect((await operator.call(phoneDesk, 'savePhone', { body: { ...facts, revision: saved.revision } })).status).toBe(
      409,
    )
    const { list } = await developer.ok(phones, 'listPhones', { query: { search: 'NEW-1' } })
    expect(list.map(one => one.sdk)).toEqual([37])
  })
})
