import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { commonErrors } from '../../../../kernel/errors.ts'
import { systemContext } from '../../../../server/context.ts'
import { openStage, type Person, type Stage } from '../../../../testkit/stage.ts'
import { localObject } from '../../../ground/files/public.ts'
import { signing } from '../../signing/contract.ts'
import { encryptedFor } from '../../signing/signing.testkit.ts'
import { badging } from '../apk/android-oracle.testkit.ts'
import { suiteWhen } from '../apk/android-suite.testkit.ts'
import { buildApk, type SigningKey, signingKey } from '../apk/build-apk.testkit.ts'
import { channelOf, writeChannel } from '../apk/channel.ts'
import { temporaryFolder } from '../apk/temporary-folder.testkit.ts'
import { buildAab, bundleToolsHint, hasBundleTools } from '../bundle/build-aab.testkit.ts'
import { packages } from '../contract.ts'
import { newApp, processed, uploadBytes } from '../packages.testkit.ts'
import { holdPackage, packageOf, releasePackage } from '../public.ts'
import { packageTasks } from '../tasks/contract.ts'
import { madePackages, signChecks } from './contract.ts'

const run = promisify(execFile)
const folder = temporaryFolder()
const usualFolder = process.env['TMPDIR']

/** What apksigner says of the signature of each scheme, for devices of each age. */
async function certificatesOf(path: string, maxSdk?: number): Promise<string[]> {
  const range = maxSdk === undefined ? [] : ['--min-sdk-version', '24', '--max-sdk-version', String(maxSdk)]
  const { stdout } = await run('apksigner', ['verify', '--print-certs', ...range, path])
  return [...stdout.matchAll(/certificate SHA-256 digest: (\w+)/g)].map(([, digest = '']) => digest)
}

async function lineageOf(path: string): Promise<string[]> {
  const { stdout } = await run('apksigner', ['lineage', '--print-certs', '-in', path])
  return [...stdout.matchAll(/certificate SHA-256 digest: (\w+)/g)].map(([, digest = '']) => digest)
}

suiteWhen(hasBundleTools(), bundleToolsHint, 'an app that the store signs', () => {
  let stage: Stage
  let leader: Person
  let upload: SigningKey
  let stranger: SigningKey
  beforeAll(async () => {
    stage = await openStage()
    leader = await stage.person()
    await mkdir(folder.path('work'))
    process.env['TMPDIR'] = folder.path('work')
    upload = await signingKey(folder.path('upload.p12'), 'CN=Upload')
    stranger = await signingKey(folder.path('stranger.p12'), 'CN=Stranger')
  })
  afterAll(() => {
    if (usualFolder === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = usualFolder
    return stage.close()
  })

  const asTeam = () => systemContext(stage.booted.server, 'CN', { name: 'test', teamId: leader.teamId })
  const info = (appId: string, pkgId: string) => leader.ok(madePackages, 'getResignInfo', { query: { appId, pkgId } })
  const check = (body: { appId: string; pkgId?: string; objectId?: string }) =>
    leader.ok(signChecks, 'checkSignature', { body })
  /** A copy of what devices get. */
  const delivered = async (pkgId: string) => {
    const row = await asTeam().transact(inner => packageOf(inner, pkgId))
    const file = await asTeam().transact(inner => localObject(inner, row.objectId))
    const path = folder.path(`delivered-${pkgId}.apk`)
    await writeFile(path, await readFile(file.path))
    await file.release()
    return { row, path }
  }
  const generate = (appId: string) =>
    leader.ok(signing, 'putSigningKey', { body: { appId, action: 'GENERATE', algorithm: 'EC_P256' } })
  const send = async (appId: string, name: string, options: Parameters<typeof buildApk>[1]) => {
    const file = await buildApk(folder.path(`${name}.apk`), {
      package: `org.example.${name.replace(/\d/g, '')}`,
      ...options,
    })
    return processed(stage, leader, { appId, file, fileName: `${name}.apk` })
  }

  it('takes uploads of the upload certificate only, and devices get its own signature', async () => {
    const { appId } = await newApp(leader, 'Signed')
    const { appKey } = await generate(appId)
    const pkg = await send(appId, 'signed1', { key: upload })
    expect([pkg.state, pkg.findings, pkg.signers]).toEqual(['READY', [], [appKey?.certificate.certSha256]])
    const { row, path } = await delivered(pkg.pkgId)
    expect([row.sha256, row.objectId]).toEqual([pkg.installable?.sha256, pkg.installable?.objectId])
    expect(row.sha256).not.toBe(pkg.sha256)
    expect(await certificatesOf(path)).toEqual([appKey?.certificate.certSha256])
    expect((await badging(path)).package).toBe('org.example.signed')
    const told = await info(appId, pkg.pkgId)
    expect([told.status, told.upload.sha256, told.resigned?.sha256]).toEqual(['DONE', pkg.sha256, row.sha256])

    const other = await send(appId, 'signed2', { key: stranger, versionCode: 2 })
    expect([other.state, other.findings.map(one => one.code)]).toEqual(['FAILED', [1119]])
    const key = await leader.ok(signing, 'getSigningKey', { query: { appId } })
    expect([key.uploadCertSha256, key.isUsed]).toEqual([pkg.uploadSigners[0], true])
    expect((await check({ appId, pkgId: pkg.pkgId })).match).toBe('UPLOAD_CERT')
    const file = await readFile(path)
    expect((await check({ appId, objectId: await uploadBytes(stage, leader, file) })).match).toBe('APP_CERT')
    const strange = await check({ appId, pkgId: other.pkgId })
    expect([strange.match, strange.certMd5?.length, strange.expected.map(one => one.match)]).toEqual([
      'NONE',
      32,
      ['UPLOAD_CERT', 'APP_CERT'],
    ])
  })

  it('after a rotation: devices before Android 9 see the old key, others the new one with its lineage', async () => {
    const { appId } = await newApp(leader, 'Rotated')
    const first = (await generate(appId)).appKey?.certificate.certSha256
    const before = await send(appId, 'rotated1', { key: upload })
    const rotated = await leader.ok(signing, 'putSigningKey', {
      body: { appId, action: 'ROTATE', algorithm: 'EC_P256' },
    })
    const second = rotated.appKey?.certificate.certSha256
    const pkg = await send(appId, 'rotated2', { key: upload, versionCode: 2 })
    expect([pkg.findings, pkg.signers, pkg.lineage]).toEqual([[], [second], [first, second]])
    const { path } = await delivered(pkg.pkgId)
    expect(await certificatesOf(path)).toEqual([second])
    expect(await certificatesOf(path, 27)).toEqual([first])
    expect(await lineageOf(path)).toEqual([first, second])

    expect((await info(appId, before.pkgId)).status).toBe('NEEDED')
    await stage.sql('CN', 'UPDATE app_signing_keys SET rotated_at = 1 WHERE app_id = $1', [appId])
    const third = (
      await leader.ok(signing, 'putSigningKey', { body: { appId, action: 'ROTATE', algorithm: 'EC_P256' } })
    ).appKey?.certificate.certSha256
    const last = await send(appId, 'rotated3', { key: upload, versionCode: 3 })
    const { path: newest } = await delivered(last.pkgId)
    expect([await certificatesOf(newest), await certificatesOf(newest, 27)]).toEqual([[third], [first]])
    expect(await lineageOf(newest)).toEqual([first, second, third])
    expect((await check({ appId, objectId: await uploadBytes(stage, leader, await readFile(path)) })).match).toBe(
      'LINEAGE',
    )
  })

  it('signs again what was accepted before it signed, keeps the channel mark and the comment, and lets go of the old file', async () => {
    const { appId } = await newApp(leader, 'Again')
    const plain = await buildApk(folder.path('plain.apk'), { package: 'org.example.again', key: upload })
    const bytes = await readFile(plain)
    bytes.writeUInt16LE(5, bytes.length - 2)
    const commented = folder.path('commented.apk')
    await writeFile(commented, Buffer.concat([bytes, Buffer.from('hello')]))
    const key = ['--ks', upload.path, '--ks-pass', `pass:${upload.password}`, '--min-sdk-version', '24']
    await run('apksigner', ['sign', ...key, '--v4-signing-enabled', 'false', commented])
    const marked = folder.path('marked.apk')
    await writeChannel(commented, marked, Buffer.from('{"channel":"north"}'))
    const pkg = await processed(stage, leader, { appId, file: marked, fileName: 'again.apk' })
    expect([pkg.state, pkg.findings, pkg.installable]).toEqual(['READY', [], null])
    const pinned = await leader.ok(signing, 'getSigningKey', { query: { appId } })
    expect([pinned.mode, pinned.developerCert?.certSha256]).toEqual(['DEVELOPER', pkg.signers[0]])
    const refused = await leader.call(madePackages, 'resign', { body: { appId, pkgId: pkg.pkgId } })
    expect([refused.status, refused.body.ret.code]).toEqual([422, madePackages.errors.nothingToSign[0]])

    const { appKey, uploadCertSha256 } = await generate(appId)
    expect(uploadCertSha256).toBe(pkg.signers[0])
    const unsigned = await leader.ok(packages, 'getPackage', { query: { pkgId: pkg.pkgId } })
    expect(unsigned.findings.map(one => [one.code, one.severity])).toEqual([[1133, 'BLOCK']])
    await asTeam().transact(inner => holdPackage(inner, pkg.pkgId))
    const held = await leader.call(madePackages, 'resign', { body: { appId, pkgId: pkg.pkgId } })
    expect(held.body.ret.code).toBe(madePackages.errors.inUse[0])
    await asTeam().transact(inner => releasePackage(inner, pkg.pkgId))
    const begun = await leader.ok(madePackages, 'resign', { body: { appId, pkgId: pkg.pkgId } })
    expect(begun.status).toBe('RUNNING')
    await leader.ok(packageTasks, 'getPackageTask', { query: { taskId: begun.taskId, wait: 20 } })
    const told = await info(appId, pkg.pkgId)
    expect([told.status, told.resigned?.signers, told.resigned?.hasChannel]).toEqual([
      'DONE',
      [appKey?.certificate.certSha256],
      true,
    ])
    const { path } = await delivered(pkg.pkgId)
    expect(await certificatesOf(path)).toEqual([appKey?.certificate.certSha256])
    expect((await channelOf(path))?.toString()).toBe('{"channel":"north"}')
    expect((await readFile(path)).subarray(-5).toString()).toBe('hello')
    const again = await leader.call(madePackages, 'resign', { body: { appId, pkgId: pkg.pkgId } })
    expect(again.body.ret.code).toBe(madePackages.errors.nothingToSign[0])
  })

  it('gives each device of a bundle the package for its processor, signed like the whole', async () => {
    const { appId } = await newApp(leader, 'Split')
    const library = (abi: string) => ({ [`base/lib/${abi}/liba.so`]: Buffer.alloc(2000, abi) })
    const file = await buildAab(folder.path('split.aab'), {
      package: 'org.example.split',
      files: { ...library('arm64-v8a'), ...library('x86_64') },
      key: upload,
    })
    const pkg = await processed(stage, leader, { appId, file, fileName: 'split.aab' })
    expect([pkg.state, pkg.findings.filter(one => one.severity === 'BLOCK')]).toEqual(['READY', []])
    const ask = (query: { abis?: string; sdkVersion?: number }) =>
      leader.ok(madePackages, 'getApks', { query: { appId, pkgId: pkg.pkgId, ...query } })
    const set = await ask({ abis: 'armeabi-v7a,arm64-v8a' })
    expect(set.apks.map(one => [one.kind, one.abi, one.isChosen])).toEqual([
      ['UNIVERSAL', null, false],
      ['ABI', 'arm64-v8a', true],
      ['ABI', 'x86_64', false],
    ])
    expect([(await ask({ abis: 'mips' })).reason, (await ask({ sdkVersion: 23 })).reason]).toEqual(['ABI', 'SDK'])
    const mode = await leader.ok(signing, 'getSigningKey', { query: { appId } })
    expect([mode.mode, mode.isUsed]).toEqual(['STORE', true])
    for (const apk of set.apks) {
      const local = await asTeam().transact(inner => localObject(inner, apk.objectId))
      const path = folder.path(`split-${apk.abi}.apk`)
      await writeFile(path, await readFile(local.path))
      await local.release()
      expect(await certificatesOf(path)).toEqual([mode.appKey?.certificate.certSha256])
      const { abis } = await badging(path)
      expect(abis).toEqual(apk.abi === null ? ['arm64-v8a', 'x86_64'] : [apk.abi])
    }
  })

  it('hands over from a developer’s key to the same one in the store: devices see no change', async () => {
    const { appId } = await newApp(leader, 'Moved')
    const own = await signingKey(folder.path('own.p12'), 'CN=Own')
    const pkg = await send(appId, 'moved1', { key: own })
    const content = {
      format: 'PKCS12',
      data: (await readFile(own.path)).toString('base64'),
      password: own.password,
      alias: own.alias,
    }
    const encryptedKey = await encryptedFor(leader, appId, content)
    const taken = await leader.ok(signing, 'putSigningKey', { body: { appId, action: 'IMPORT', encryptedKey } })
    expect(taken.appKey?.certificate.certSha256).toBe(pkg.signers[0])
    const next = await send(appId, 'moved2', { key: own, versionCode: 2 })
    expect([next.state, next.signers, next.installable === null]).toEqual(['READY', pkg.signers, false])
  })

  it('knows nothing of another team’s app or package, nor of a package of another app', async () => {
    const [{ appId }, other] = [await newApp(leader, 'One'), await newApp(leader, 'Other')]
    const pkg = await send(appId, 'foreign1', { key: upload })
    const someone = await stage.person()
    const named = { appId, pkgId: pkg.pkgId }
    const replies = [
      await someone.call(madePackages, 'getResignInfo', { query: named }),
      await someone.call(madePackages, 'resign', { body: named }),
      await someone.call(signChecks, 'checkSignature', { body: named }),
      await leader.call(signChecks, 'checkSignature', { body: { ...named, appId: other.appId } }),
      await leader.call(madePackages, 'getApks', { query: { ...named, appId: other.appId } }),
    ]
    expect(replies.map(one => one.body.ret.code)).toEqual(replies.map(() => commonErrors.notFound[0]))
    const both = await leader.call(signChecks, 'checkSignature', { body: { appId } })
    expect(both.body.ret.code).toBe(signChecks.errors.oneOfTwo[0])
  })

  it('leaves no folder of its work behind', async () => {
    const left = (await readdir(tmpdir())).filter(name => /^loggia-(signing|made)-/.test(name))
    expect(left).toEqual([])
  })
})
