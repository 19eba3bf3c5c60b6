import { existsSync } from 'node:fs'
import { expect, it } from 'vitest'
import { androidSuite } from '../apk/android-suite.testkit.ts'
import { buildApk } from '../apk/build-apk.testkit.ts'
import { temporaryFolder } from '../apk/temporary-folder.testkit.ts'
import { realPackages } from '../packages.testkit.ts'
import { hardeningIn } from './hardening.ts'
import { readInside } from './inside.ts'
import { secretsIn } from './secrets.ts'

const folder = temporaryFolder()
const key = `-----BEGIN PRIVATE KEY-----\n${'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC'.repeat(4)}\n-----END PRIVATE KEY-----`

it.each([
  ['a private key', key, ['private-key']],
  ['the name of one, as readers of keys hold it', '-----BEGIN PRIVATE KEY-----\0-----END PRIVATE KEY-----', []],
  ['an access key of AWS', 'id=AKIAIOSFODNN7EXAMPLE;', ['aws-access-key']],
  ['a key of Google', `"${'AIza'}${'x'.repeat(35)}"`, ['google-api-key']],
  ['a password in an address', 'postgres://admin:hunter22@db.example.org/x', ['password-in-address']],
  ['an address without one', 'https://example.org:8080/a@b', []],
  ['words', 'the access key is kept by the server', []],
])('finds %s', (_says, text, kinds) => {
  const found = secretsIn(text)
  expect(found.map(one => one.kind)).toEqual(kinds)
  for (const { sample } of found) expect(sample.includes('hunter22') || sample.includes('MIIE')).toBe(false)
})

it.each([[64], [32]])('reads how a library of %i bits is built', bits => {
  const isWide = bits === 64
  const head = Buffer.alloc(256)
  head.writeUInt32LE(0x464c457f, 0)
  head[4] = isWide ? 2 : 1
  if (isWide) head.writeBigUInt64LE(64n, 32)
  else head.writeUInt32LE(64, 28)
  head.writeUInt16LE(56, isWide ? 54 : 42)
  head.writeUInt16LE(2, isWide ? 56 : 44)
  head.writeUInt32LE(0x6474e551, 64)
  head.writeUInt32LE(6, 64 + (isWide ? 4 : 24))
  head.writeUInt32LE(0x6474e552, 120)
  expect(hardeningIn(head)).toEqual({ hasRelro: true, hasExecutableStack: false })
  head.writeUInt32LE(7, 64 + (isWide ? 4 : 24))
  expect(hardeningIn(head)?.hasExecutableStack).toBe(true)
  expect(hardeningIn(Buffer.from('text'.repeat(40)))).toBeNull()
})

it('reads what other people built', async () => {
  expect(existsSync(realPackages.settings9)).toBe(true)
  const settings = await readInside(realPackages.settings9)
  expect(settings?.application).toMatchObject({ allowBackup: false, usesCleartextTraffic: null, cleartextHosts: [] })
  expect(settings?.icon).toEqual({ path: 'res/drawable-xxxhdpi-v4/ic_launcher.png', width: 192, height: 192 })
  expect(settings?.manifestXml).toMatch(/^<manifest\n[\s\S]*package="io.appium.settings"[\s\S]*<\/manifest>$/)
  const open = settings?.components.filter(one => one.isExported && one.permission === null && !one.isLauncher) ?? []
  expect(open.map(one => one.name)).toContain('io.appium.settings.LocationService')
  const server = await readInside(realPackages.uiautomator10)
  expect([server?.icon, server?.fileCount]).toEqual([null, 3841])
  // A library it is built with brings a key along; everybody has it, which is what the check says.
  expect(server?.secrets.map(one => [one.kind, one.file])).toEqual([['private-key', 'classes.dex']])
})

it('what is no archive is nothing', async () => {
  expect(await readInside(await folder.write('text.apk', Buffer.from('hello')))).toBeNull()
})

androidSuite('a package built for it', () => {
  it('tells who guards what, what it permits, and what was left in it', async () => {
    const path = await buildApk(folder.path('inside.apk'), {
      applicationAttributes: 'android:usesCleartextTraffic="true"',
      applicationElements: `<provider android:name=".Open" android:authorities="a" android:exported="true"/>
        <service android:name=".Guarded" android:exported="true" android:permission="org.example.P"/>
        <receiver android:name=".Unsaid"><intent-filter><action android:name="x"/></intent-filter></receiver>`,
      permissions: ['android.permission.CAMERA'],
      files: {
        'assets/key.pem': Buffer.from(key),
        'assets/a.bin': Buffer.alloc(9000, 7),
        'assets/b.bin': Buffer.alloc(9000, 7),
      },
    })
    const inside = await readInside(path)
    expect(inside?.secrets).toEqual([{ kind: 'private-key', file: 'assets/key.pem', sample: '-----BEGIN PRIVATE KEY' }])
    expect(inside?.duplicates[0]?.names).toEqual(['assets/a.bin', 'assets/b.bin'])
    expect(inside?.manifestXml).toContain('<uses-permission android:name="android.permission.CAMERA"/>')
    expect(inside?.application).toMatchObject({ usesCleartextTraffic: true, allowBackup: null })
    expect(inside?.components).toMatchObject([
      { name: 'org.example.demo.Open', kind: 'provider', isExported: true, permission: null },
      { name: 'org.example.demo.Guarded', isExported: true, permission: 'org.example.P' },
      { name: 'org.example.demo.Unsaid', isExported: true, isUnsaid: true },
    ])
  })
})
