import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Person, type Stage } from '../../../testkit/stage.ts'
import { apps } from '../apps/contract.ts'
import { solidPng } from './apk/png.testkit.ts'
import { makeSigner } from './apk/signature/sign-block.testkit.ts'
import { makeZip } from './apk/zip.testkit.ts'
import { atomicPackages, packages } from './contract.ts'
import { atomicMany, manyPackages } from './many/contract.ts'
import { newApp, processed, uploadBytes } from './packages.testkit.ts'
import { type HarmonyKeys, makeHap, makeHarmonyKeys, signHap } from './readers/hap.testkit.ts'
import { makePe } from './readers/pe.testkit.ts'
import { rpkManifest, signRpk } from './readers/rpk.testkit.ts'
import { atomicTasks, packageTasks } from './tasks/contract.ts'
import { atomicWrapped, wrapped } from './wrapped/contract.ts'

let stage: Stage
let developer: Person
let keys: HarmonyKeys
beforeAll(async () => {
  stage = await openStage()
  developer = await stage.person()
  keys = makeHarmonyKeys()
})
afterAll(() => stage.close())

const codesOf = (pkg: { findings: { code: number }[] }) => pkg.findings.map(one => one.code)
const hap = (bundleName: string, versionCode = 1, files: Parameters<typeof makeZip>[0] = []) =>
  signHap(makeHap({ bundleName, versionCode, files, deviceTypes: ['phone'] }), keys, { bundleName })

describe('packages of every kind', () => {
  it('a HarmonyOS package is taken, names its app, and tells its profile', async () => {
    const { appId } = await newApp(developer, 'Harmony', 'HARMONY')
    const pkg = await processed(stage, developer, { appId, file: hap('com.example.taken'), fileName: 'entry.hap' })
    expect([pkg.state, codesOf(pkg)]).toEqual(['READY', []])
    expect(pkg.details.harmony?.profile).toMatchObject({ type: 'release', developerId: '100123' })
    expect((await developer.ok(apps, 'getApp', { query: { appId } })).packageName).toBe('com.example.taken')
    const other = await processed(stage, developer, { appId, file: hap('com.example.another', 2), fileName: 'b.hap' })
    expect([other.state, codesOf(other)]).toEqual(['FAILED', [992]])
  })

  it('a profile that ran out is judged by the clock of the day, though the bytes were read before', async () => {
    const { appId } = await newApp(developer, 'Clock', 'HARMONY')
    const notAfter = Math.floor(stage.clock.now() / 1000) + 86_400
    const file = signHap(makeHap({ bundleName: 'com.example.clock' }), keys, {
      bundleName: 'com.example.clock',
      notAfter,
    })
    const first = await processed(stage, developer, { appId, file, fileName: 'a.hap' })
    expect(first.state).toBe('READY')
    await developer.ok(packages, 'deletePackage', { query: { pkgId: first.pkgId } })
    stage.clock.turn(2 * 86_400_000)
    const again = await stage.person()
    const { appId: next } = await newApp(again, 'Clock too', 'HARMONY')
    const late = await processed(stage, again, { appId: next, file, fileName: 'a.hap' })
    expect([late.state, codesOf(late)[0]]).toEqual(['FAILED', 1000])
    developer = await stage.person()
  })

  it('a program is taken by an app for computers, a site by an app for the web', async () => {
    const { appId } = await newApp(developer, 'Program', 'PC_EXE')
    const program = await processed(stage, developer, { appId, file: makePe(), fileName: 'setup.exe' })
    expect([program.state, program.kind, codesOf(program)]).toEqual(['READY', 'EXE', [1129]])
    const web = await newApp(developer, 'Site', 'WEB')
    const site = makeZip([
      { name: 'index.html', data: '<p>' },
      { name: 'manifest.json', data: '{"version":"1.0.0","name":"Site"}' },
    ])
    const wpk = await processed(stage, developer, { appId: web.appId, file: site, fileName: 'site.zip' })
    expect([wpk.state, wpk.kind, wpk.versionCode]).toEqual(['READY', 'WPK', '1000000'])
  })

  it('an expansion file waits for its APK, and each place is taken once', async () => {
    const { appId } = await newApp(developer, 'Game')
    const send = (slot: string) =>
      processed(stage, developer, {
        appId,
        file: Buffer.from(`data ${slot}`),
        fileName: `${slot}.7.org.example.game.obb`,
      })
    const early = await send('main')
    expect([early.state, codesOf(early)]).toEqual(['FAILED', [1124]])
    const apk = await processed(stage, developer, { appId, file: Buffer.from('x') })
    await stage.sql(
      'CN',
      `UPDATE packages SET state = 'READY', version_code = 7, package_name = 'org.example.game' WHERE pkg_id = $1`,
      [apk.pkgId],
    )
    const main = await send('main')
    expect([main.state, main.details.expansion?.versionCode]).toEqual(['READY', '7'])
    expect(codesOf(await send('main'))).toEqual([1125])
    expect((await send('patch')).state).toBe('READY')
  })
})

describe('the same bytes', () => {
  it('are read once for a team, whatever it makes of them', async () => {
    const file = signRpk(
      makeZip([{ name: 'manifest.json', data: rpkManifest({ package: 'com.example.shared' }) }]),
      makeSigner('Shared'),
    )
    const { appId } = await newApp(developer, 'Shared', 'QUICK_APP')
    await processed(stage, developer, { appId, file, fileName: 'a.rpk' })
    const marked = `UPDATE package_reports SET report = jsonb_set(report, '{facts,label}', '"from memory"') WHERE team_id = $1`
    await stage.sql('CN', marked, [developer.teamId])
    const again = await processed(stage, developer, { appId, file, fileName: 'b.rpk' })
    expect([again.label, codesOf(again)]).toEqual(['from memory', [1107]])
    const stranger = await stage.person()
    const own = await newApp(stranger, 'Shared too', 'QUICK_APP')
    expect((await processed(stage, stranger, { appId: own.appId, file, fileName: 'a.rpk' })).label).toBe('Quick')
  })
})

describe('a quick app around a page', () => {
  it('is made, accepted, and tells its address', async () => {
    const { appId } = await newApp(developer, 'Page', 'H5_QUICK')
    const iconObjectId = await uploadBytes(stage, developer, solidPng(64), 'icon.png', 'app_img')
    const body = {
      appId,
      url: 'https://example.com/app',
      name: 'Page',
      packageName: 'com.example.page',
      versionCode: 1,
      versionName: '1.0',
      iconObjectId,
    }
    const made = await developer.ok(wrapped, 'wrapPage', { body })
    await developer.ok(packageTasks, 'getPackageTask', { query: { taskId: made.taskId, wait: 20 } })
    const pkg = await developer.ok(packages, 'getPackage', { query: { pkgId: made.pkgId } })
    expect([pkg.state, pkg.kind, pkg.packageName, codesOf(pkg)]).toEqual(['READY', 'RPK', 'com.example.page', []])
    const page = await developer.ok(wrapped, 'getPage', { query: { pkgId: pkg.pkgId } })
    expect([page.url, page.iconObjectId === null]).toEqual([body.url, false])
    const [object] = await stage.sql('CN', 'SELECT ref_count, state FROM file_objects WHERE object_id = $1', [
      pkg.objectId,
    ])
    expect(object).toEqual({ ref_count: 1, state: 'NORMAL' })
    const bad = await developer.call(wrapped, 'wrapPage', { body: { ...body, url: 'https://user@example.com/' } })
    expect([bad.status, bad.body.fields?.[0]?.pointer]).toEqual([400, '/url'])
  })

  it('lists sub-packages of quick apps only', async () => {
    const { appId } = await newApp(developer, 'Parts', 'QUICK_APP')
    const manifest = rpkManifest({ package: 'com.example.parts', subpackages: [{ name: 'shop', resource: 'shop' }] })
    const file = signRpk(
      makeZip([
        { name: 'manifest.json', data: manifest },
        { name: 'shop/a.js', data: 'abc' },
      ]),
      makeSigner('Parts'),
    )
    const { pkgId } = await processed(stage, developer, { appId, file, fileName: 'a.rpk' })
    const { list } = await developer.ok(wrapped, 'listSubpackages', { query: { pkgId } })
    expect(list).toEqual([{ name: 'shop', sizeBytes: 3, isStandalone: false }])
  })
})

describe('a privacy manifest', () => {
  it('is told, and taken over into the label of the app', async () => {
    const pac = {
      dataProcess: [
        {
          dataType: 'LOCATION',
          dataLabels: [{ label: 'PRECISE', purposes: ['MAPS'], userLinked: true, tracking: false }],
        },
      ],
      specialAPIs: [{ apiType: 'CLIPBOARD', reasons: ['PASTE'] }],
    }
    const { appId } = await newApp(developer, 'Private', 'HARMONY')
    const file = hap('com.example.private', 1, [{ name: 'pac.json', data: JSON.stringify(pac) }])
    const { pkgId } = await processed(stage, developer, { appId, file, fileName: 'a.hap' })
    const before = await developer.ok(wrapped, 'getPrivacyManifest', { query: { pkgId } })
    expect(before.imported).toBeNull()
    expect(before.manifest?.dataProcess).toEqual([
      { dataType: 'LOCATION', labels: ['PRECISE'], purposes: ['MAPS'], isLinked: true, isTracking: false },
    ])
    const taken = await developer.ok(wrapped, 'importPrivacyManifest', { body: { pkgId } })
    expect([taken.appId, taken.revision]).toEqual([appId, 1])
    const after = await developer.ok(wrapped, 'getPrivacyManifest', { query: { pkgId } })
    expect(after.imported).toMatchObject({ pkgId, isSame: true })
    const plain = await processed(stage, developer, { appId, file: hap('com.example.private', 2), fileName: 'b.hap' })
    const refused = await developer.call(wrapped, 'importPrivacyManifest', { body: { pkgId: plain.pkgId } })
    expect([refused.status, refused.body.ret.code]).toEqual([422, 202020012])
  })
})

describe('the calls below /ascf', () => {
  it('are the same ones, for atomic services only', async () => {
    const plain = await newApp(developer, 'Plain', 'HARMONY')
    const atomic = await newApp(developer, 'Atomic', 'ATOMIC_SERVICE')
    const plainPkg = await processed(stage, developer, {
      appId: plain.appId,
      file: hap('com.example.plain'),
      fileName: 'a.hap',
    })
    const objectId = await uploadBytes(stage, developer, hap('com.example.atomic'), 'a.hap')
    const atomicPkg = await developer.ok(atomicPackages, 'createPackage', { body: { appId: atomic.appId, objectId } })
    await developer.ok(atomicTasks, 'getPackageTask', { query: { taskId: atomicPkg.taskId, wait: 20 } })
    const { pkgId } = plainPkg
    const replies = [
      await developer.call(atomicPackages, 'getPackage', { query: { pkgId } }),
      await developer.call(atomicPackages, 'deletePackage', { query: { pkgId } }),
      await developer.call(atomicPackages, 'listPackages', { query: { appId: plain.appId } }),
      await developer.call(atomicTasks, 'getPackageTask', { query: { taskId: plainPkg.taskId } }),
      await developer.call(atomicMany, 'getPackageStates', { query: { pkgIds: pkgId } }),
      await developer.call(atomicPackages, 'createPackage', { body: { appId: plain.appId, objectId } }),
      await developer.call(atomicWrapped, 'getPrivacyManifest', { query: { pkgId } }),
    ]
    expect(replies.map(reply => reply.status)).toEqual(replies.map(() => 404))
    const mine = await developer.ok(atomicPackages, 'listPackages', {})
    expect(mine.list.map(one => [one.pkgId, one.packageType])).toEqual([[atomicPkg.pkgId, 'ATOMIC_SERVICE']])
    expect((await developer.ok(atomicPackages, 'getPackage', { query: { pkgId: atomicPkg.pkgId } })).state).toBe(
      'READY',
    )
  })
})

describe('many packages at once', () => {
  it('are archived, restored and deleted each by itself, and told of one by one', async () => {
    const { appId } = await newApp(developer, 'Many', 'HARMONY')
    const first = await processed(stage, developer, { appId, file: hap('com.example.many', 1), fileName: 'a.hap' })
    const second = await processed(stage, developer, { appId, file: hap('com.example.many', 2), fileName: 'b.hap' })
    const failed = await processed(stage, developer, { appId, file: Buffer.from('x'), fileName: 'c.hap' })
    await stage.sql('CN', 'UPDATE packages SET hold_count = 1 WHERE pkg_id = $1', [second.pkgId])
    const pkgIds = [first.pkgId, second.pkgId, failed.pkgId, '1']
    const archived = await developer.ok(manyPackages, 'changePackageStates', { body: { pkgIds, state: 'ARCHIVED' } })
    expect(archived.results.map(one => [one.isDone, one.code])).toEqual([
      [true, 0],
      [false, 202020001],
      [false, 204160001],
      [false, 204160006],
    ])
    const same = await processed(stage, developer, {
      appId,
      file: hap('com.example.many', 1, [{ name: 'more', data: 'x' }]),
      fileName: 'd.hap',
    })
    expect(same.state).toBe('READY')
    const restored = await developer.ok(manyPackages, 'changePackageStates', {
      body: { pkgIds: [first.pkgId], state: 'READY' },
    })
    expect(restored.results[0]).toMatchObject({ isDone: false, code: 202020003 })
    const gone = await developer.ok(manyPackages, 'deletePackages', { body: { pkgIds } })
    expect(gone.results.map(one => one.isDone)).toEqual([true, false, true, false])
  })

  it('that nobody used for half a year are archived by the clock', async () => {
    const { appId } = await newApp(developer, 'Forgotten', 'HARMONY')
    const { pkgId } = await processed(stage, developer, {
      appId,
      file: hap('com.example.forgotten'),
      fileName: 'a.hap',
    })
    stage.clock.turn(179 * 86_400_000)
    await stage.booted.worker.sweep()
    const owner = await stage.person({ team: developer.teamId })
    expect((await owner.ok(packages, 'getPackage', { query: { pkgId } })).state).toBe('READY')
    stage.clock.turn(2 * 86_400_000)
    await stage.booted.worker.sweep()
    const later = await stage.person({ team: developer.teamId })
    expect((await later.ok(packages, 'getPackage', { query: { pkgId } })).state).toBe('ARCHIVED')
    developer = later
  })
})
