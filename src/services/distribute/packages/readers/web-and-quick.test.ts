import { buffer } from 'node:stream/consumers'
import { beforeAll, describe, expect, it } from 'vitest'
import { solidPng } from '../apk/png.testkit.ts'
import { makeSigner, type TestSigner } from '../apk/signature/sign-block.testkit.ts'
import { temporaryFolder } from '../apk/temporary-folder.testkit.ts'
import { makeZip, type TestEntry } from '../apk/zip.testkit.ts'
import { pageRpk } from '../wrapped/page-rpk.ts'
import { readPackage } from './read-package.ts'
import { rpkManifest, signRpk } from './rpk.testkit.ts'

const folder = temporaryFolder()
let signer: TestSigner
beforeAll(() => {
  signer = makeSigner('Quick developer')
})

let written = 0
async function read(kind: 'RPK' | 'WPK' | 'OBB', bytes: Buffer, fileName = 'a.bin') {
  const path = await folder.write(`${++written}.bin`, bytes)
  const report = await readPackage(kind, path, { fileName, targetSdkFloor: 30 })
  return { ...report, codes: report.facts.findings.map(one => one.code) }
}

describe('a quick app', () => {
  const zip = (manifest = rpkManifest(), more: TestEntry[] = []) =>
    makeZip([{ name: 'manifest.json', data: manifest }, { name: 'icon.png', data: solidPng(8) }, ...more])

  it('is read with its signer, features and sub-packages', async () => {
    const manifest = rpkManifest({ subpackages: [{ name: 'shop', resource: 'shop', standalone: true }] })
    const { facts, codes, iconPath } = await read(
      'RPK',
      signRpk(zip(manifest, [{ name: 'shop/a.js', data: 'x' }]), signer),
    )
    expect(codes).toEqual([])
    expect(facts).toMatchObject({
      packageName: 'com.example.quick',
      versionCode: '12',
      label: 'Quick',
      minSdk: 1070,
      features: [
        { name: 'system.router', isRequired: true },
        { name: 'system.network', isRequired: true },
      ],
      permissions: [{ name: 'system.geolocation' }],
      signatureSchemes: ['RPK'],
      modules: [{ name: 'shop', type: 'subpackage', sizeBytes: 1, delivery: 'standalone' }],
    })
    expect(facts.certificates[0]?.subject).toBe('CN=Quick developer')
    expect(iconPath).toBe('icon.png')
  })

  it.each<[string, () => Buffer, number[]]>([
    ['unsigned', () => zip(), [1101]],
    ['without manifest', () => makeZip([{ name: 'a', data: 'a' }]), [994]],
    ['whose manifest is no object', () => zip('[]'), [996]],
    ['without version code', () => signRpk(zip(rpkManifest({ versionCode: 0 })), signer), [1106]],
    ['with a name that is none', () => signRpk(zip(rpkManifest({ package: '../evil' })), signer), [996]],
    [
      'without a sub-package it names',
      () => signRpk(zip(rpkManifest({ subpackages: [{ name: 'x', resource: 'x' }] })), signer),
      [994],
    ],
  ])('%s is refused', async (_says, make, wanted) => {
    expect((await read('RPK', make())).codes).toEqual(wanted)
  })

  it('changed after it was signed does not verify', async () => {
    const bytes = signRpk(zip(), signer)
    const at = bytes.indexOf('IHDR') + 6
    bytes[at] = (bytes[at] ?? 0) ^ 1
    expect((await read('RPK', bytes)).codes).toContain(1102)
  })

  it('made around a page needs no signer, and its address is told', async () => {
    const wish = {
      url: 'https://example.com/a?b=</script>',
      name: 'Page',
      packageName: 'com.example.page',
      versionCode: 3,
      versionName: '3',
      icon: null,
    }
    const { facts, codes } = await read('RPK', await buffer(pageRpk(wish)))
    expect(codes).toEqual([])
    expect(facts.details.quickApp?.address).toBe(wish.url)
    expect(Buffer.compare(await buffer(pageRpk(wish)), await buffer(pageRpk(wish)))).toBe(0)
  })
})

describe('a web package', () => {
  const site = (
    more: TestEntry[] = [],
    manifest: Record<string, unknown> = { name: 'Site', version: '1.2.3', start_url: './' },
  ) =>
    makeZip([
      { name: 'index.html', data: '<!doctype html>' },
      { name: 'manifest.json', data: JSON.stringify(manifest) },
      { name: 'js/app.js', data: 'go()', isDeflated: true },
      ...more,
    ])

  it('is read with its index, manifest and size', async () => {
    const { facts, codes } = await read('WPK', site())
    expect(codes).toEqual([])
    expect(facts).toMatchObject({
      versionCode: '1002003',
      versionName: '1.2.3',
      label: 'Site',
      details: { site: { index: 'index.html', startUrl: './', files: 3, manifest: 'manifest.json' } },
    })
  })

  it.each<[string, Buffer, number[]]>([
    ['without an index', makeZip([{ name: 'sub/index.html', data: 'x' }]), [994]],
    ['with a program by name', site([{ name: 'setup.EXE', data: 'x' }]), [1121]],
    ['with a program by its bytes', site([{ name: 'img/a.png', data: Buffer.from('MZ\x90\0') }]), [1121]],
    ['with a script of a shell', site([{ name: 'run', data: '#!/bin/sh' }]), [1121]],
    ['with hidden files', site([{ name: '.git/config', data: 'x' }]), [1121]],
    ['with a way out', site([{ name: '../a.html', data: 'x' }]), [1113]],
    ['with a link', site([{ name: 'a', data: '/etc/passwd', mode: 0o120777 }]), [1113]],
    ['with an encrypted page', site([{ name: 'a.html', data: 'x', flags: 1 }]), [1113]],
    ['with a page twice', site([{ name: 'index.html', data: 'y' }]), [1113]],
    ['with a bomb', site([{ name: 'a.js', data: Buffer.alloc(30 << 20), isDeflated: true }]), [1113]],
    ['that starts elsewhere', site([], { version: '1', start_url: 'https://evil.example/' }), [1130]],
  ])('%s is told so', async (_says, bytes, wanted) => {
    expect((await read('WPK', bytes)).codes).toEqual(wanted)
  })

  it('may have files below .well-known', async () => {
    expect((await read('WPK', site([{ name: '.well-known/assetlinks.json', data: '[]' }]))).codes).toEqual([])
  })
})

describe('an expansion file', () => {
  it('says by its name what it belongs to', async () => {
    const { facts, codes } = await read('OBB', Buffer.from('data'), 'patch.7.org.example.app.obb')
    expect([codes, facts.details.expansion]).toEqual([
      [],
      { slot: 'patch', versionCode: '7', packageName: 'org.example.app' },
    ])
  })

  it.each(['data.obb', 'main.0.org.example.obb', 'main.7.noDots.obb', 'main.7.org..x.obb', 'other.7.org.example.obb'])(
    '%s has no such name',
    async name => {
      expect((await read('OBB', Buffer.from('x'), name)).codes).toEqual([1123])
    },
  )
})
