import { beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../apk/temporary-folder.testkit.ts'
import { makeZip, type TestEntry } from '../apk/zip.testkit.ts'
import { makeHolder } from './authority.testkit.ts'
import {
  type HapWish,
  type HarmonyKeys,
  makeHap,
  makeHarmonyKeys,
  moduleJson,
  type ProfileWish,
  signHap,
} from './hap.testkit.ts'
import { readPackage } from './read-package.ts'

const folder = temporaryFolder()
const context = { fileName: 'test.hap', targetSdkFloor: 30 }
let keys: HarmonyKeys
beforeAll(() => {
  keys = makeHarmonyKeys()
})

let written = 0
async function read(bytes: Buffer, kind: 'HAP' | 'APP' = 'HAP') {
  const report = await readPackage(kind, await folder.write(`${++written}.hap`, bytes), context)
  return { ...report, codes: report.facts.findings.map(one => one.code) }
}

describe('a HAP that is right', () => {
  it('is read whole, signature, chain and profile among it', async () => {
    const { facts, codes, iconPath, validity } = await read(
      signHap(makeHap({ files: [{ name: 'resources/base/media/icon.png', data: 'x' }] }), keys),
    )
    expect(codes).toEqual([])
    expect(facts).toMatchObject({
      packageName: 'com.example.harmony',
      versionCode: '1000000',
      versionName: '1.0.0',
      label: 'Harmony demo',
      minSdk: 12,
      targetSdk: 14,
      deviceTypes: ['phone', 'tablet'],
      permissions: [{ name: 'ohos.permission.INTERNET' }],
      components: [{ kind: 'ability', name: 'EntryAbility', isExported: true }],
      abis: ['arm64-v8a'],
      debuggable: false,
      signatureSchemes: ['HAP'],
      modules: [{ name: 'entry', type: 'entry' }],
      details: {
        harmony: {
          apiReleaseType: 'Release',
          profile: {
            type: 'release',
            bundleName: 'com.example.harmony',
            developerId: '100123',
            distribution: 'app_gallery',
          },
        },
      },
    })
    expect(facts.certificates.map(one => one.subject)).toEqual([
      expect.stringContaining('CN=Team 42'),
      'CN=Test Application CA',
      'CN=Test Root CA',
    ])
    expect(iconPath).toBe('resources/base/media/icon.png')
    expect(validity.map(one => one.code)).toEqual([1005, 1005, 1005, 1000])
  })

  it('may be of the older FA model', async () => {
    const config = {
      app: {
        bundleName: 'com.example.old',
        version: { code: 7, name: '0.7' },
        apiVersion: { compatible: 7, target: 8, releaseType: 'Release' },
      },
      module: {
        deviceType: ['phone'],
        distro: { moduleName: 'entry', moduleType: 'entry', deliveryWithInstall: true },
        abilities: [{ name: '.MainAbility', visible: true }],
        reqPermissions: [{ name: 'ohos.permission.CAMERA' }],
      },
    }
    const zip = makeZip([{ name: 'config.json', data: JSON.stringify(config) }])
    const { facts, codes } = await read(signHap(zip, keys, { bundleName: 'com.example.old' }))
    expect([codes, facts.packageName, facts.versionCode, facts.minSdk]).toEqual([[], 'com.example.old', '7', 7])
  })
})

describe('a HAP that is wrong', () => {
  const zip = (wish: HapWish = {}) => makeHap(wish)
  const signed =
    (wish: HapWish, profile: ProfileWish = {}) =>
    () =>
      signHap(zip(wish), keys, profile)
  it.each<[string, () => Buffer, number[]]>([
    ['unsigned', () => zip(), [1101]],
    ['a debug build', signed({ debug: true }), [1104]],
    ['without version code', signed({ versionCode: null }), [1106]],
    ['of a beta SDK', signed({ apiReleaseType: 'Beta1' }), [1127]],
    ['with a debug profile', signed({}, { type: 'debug' }), [999]],
    ['with the profile of another bundle', signed({}, { bundleName: 'com.example.other' }), [997]],
    ['signed by another than its profile names', () => signHap(zip(), keys, { signer: keys.other }), [1001]],
    [
      'without the chain of its certificate',
      () => signHap(zip(), keys, { chain: [keys.developer.certificate] }),
      [1002],
    ],
    ['signed by nobody known', () => signHap(zip(), keys, { signer: makeHolder({ commonName: 'Self' }) }), [1001]],
    ['no HAP at all', () => makeZip([{ name: 'a.txt', data: 'a' }]), [994, 1101]],
  ])('%s', async (_says, make, wanted) => {
    expect((await read(make())).codes).toEqual(wanted)
  })

  it('changed after it was signed: every part of the file is covered', async () => {
    const good = signHap(makeHap(), keys)
    const at = (needle: string) => good.indexOf(needle)
    for (const place of [at('PANDA'), at('module.json') + 2, good.lastIndexOf('pack.info')]) {
      const bad = Buffer.from(good)
      bad[place] = (bad[place] ?? 0) ^ 1
      expect((await read(bad)).codes.filter(code => code !== 1113 && code !== 994)).toEqual([1102])
    }
  })

  it('with JSON nested without end is refused without a deep stack', async () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000)
    const { codes } = await read(signHap(makeZip([{ name: 'module.json', data: deep }]), keys))
    expect(codes).toContain(996)
  })
})

describe('a HarmonyOS app', () => {
  const app = (parts: TestEntry[]) => makeZip([{ name: 'pack.info', data: '{}' }, ...parts])
  const part = (name: string, wish: HapWish, isSigned = false): TestEntry => ({
    name,
    data: isSigned ? signHap(makeHap(wish), keys) : makeHap(wish),
  })

  it('joins its modules, and its own signature covers them', async () => {
    const { facts, codes } = await read(
      signHap(
        app([
          part('entry.hap', {}),
          part('more.hsp', { moduleName: 'more', moduleType: 'shared', deviceTypes: ['2in1'] }),
        ]),
        keys,
      ),
      'APP',
    )
    expect(codes).toEqual([])
    expect(facts.modules.map(one => [one.name, one.type])).toEqual([
      ['entry', 'entry'],
      ['more', 'shared'],
    ])
    expect(facts.deviceTypes).toEqual(['phone', 'tablet', '2in1'])
    expect(facts.packageName).toBe('com.example.harmony')
  })

  it('without a signature of its own needs one on each part', async () => {
    const both = app([part('a.hap', {}, true), part('b.hap', { moduleName: 'b', moduleType: 'feature' }, false)])
    const { facts, codes } = await read(both, 'APP')
    expect(codes).toEqual([1101, 1126])
    expect(facts.findings[0]?.detail).toMatch(/^b\.hap: /)
  })

  it.each<[string, HapWish, number]>([
    ['another bundle', { bundleName: 'com.example.stranger', moduleName: 'x', moduleType: 'feature' }, 1126],
    ['another version code', { versionCode: 2, moduleName: 'x', moduleType: 'feature' }, 1126],
    ['a module name twice', { moduleType: 'feature' }, 1126],
    ['two entries for a phone', { moduleName: 'x', deviceTypes: ['phone'] }, 1126],
  ])('whose parts disagree is refused: %s', async (_says, wish, code) => {
    const { codes } = await read(signHap(app([part('a.hap', {}), part('b.hap', wish)]), keys), 'APP')
    expect(new Set(codes)).toEqual(new Set([code]))
  })

  it('with a bomb in a part is told of the part', async () => {
    const bomb = makeZip([
      { name: 'module.json', data: moduleJson() },
      { name: 'x', data: Buffer.alloc(40 << 20), isDeflated: true },
    ])
    const { codes } = await read(signHap(app([{ name: 'a.hap', data: bomb }]), keys), 'APP')
    expect(codes).toContain(1113)
  })

  it('without parts is none', async () => {
    expect((await read(makeZip([{ name: 'a.txt' }]), 'APP')).codes).toEqual([994, 994])
  })
})
