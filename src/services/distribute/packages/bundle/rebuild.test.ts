import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemContext } from '../../../../server/context.ts'
import type { JobRun } from '../../../../server/work.ts'
import { openStage, type Person, type Stage } from '../../../../testkit/stage.ts'
import { suiteWhen } from '../apk/android-suite.testkit.ts'
import { temporaryFolder } from '../apk/temporary-folder.testkit.ts'
import { openArchive } from '../apk/zip.ts'
import { packages } from '../contract.ts'
import { newApp, processed } from '../packages.testkit.ts'
import { processPackage } from '../processing.ts'
import { rebuildPackage } from '../public.ts'
import { MessageFormatError } from '../readers/aab-messages.ts'
import { buildAab, bundleToolsHint, hasBundleTools } from './build-aab.testkit.ts'
import { underVersion } from './forward-manifest.ts'

const folder = temporaryFolder()
const words = { versionCode: '21', versionName: '1.0+rb1' }

it.each<[string, Buffer, string]>([
  ['no bytes at all', Buffer.alloc(0), '21'],
  ['bytes that are no message', Buffer.from('ffffffff', 'hex'), '21'],
  ['an element without attributes', Buffer.from('0a0a1a086d616e6966657374', 'hex'), '21'],
  ['a code that Android does not take', Buffer.alloc(0), '2100000001'],
])('a manifest of %s is refused', (_says, manifest, versionCode) => {
  expect(() => underVersion(manifest, { ...words, versionCode })).toThrow(MessageFormatError)
})

suiteWhen(hasBundleTools(), bundleToolsHint, 'a bundle under another version', () => {
  let stage: Stage
  let developer: Person
  beforeAll(async () => {
    stage = await openStage()
    developer = await stage.person()
  })
  afterAll(() => stage.close())
  const asTeam = () => systemContext(stage.booted.server, 'CN', { name: 'test', teamId: developer.teamId })

  it('has the same manifest but for the two values', async () => {
    const archive = await openArchive(await buildAab(folder.path('plain.aab'), { versionCode: 7 }))
    const entry = archive.byName.get('base/manifest/AndroidManifest.xml')
    const before = await archive.readEntry(entry!, 1 << 20)
    await archive.close()
    const after = underVersion(before, words)
    expect(after.includes('1.0+rb1')).toBe(true)
    const back = { versionCode: '7', versionName: '7.0' }
    expect(underVersion(after, back).equals(underVersion(before, back))).toBe(true)
    expect(underVersion(after, words).equals(after)).toBe(true)
  })

  it('is made once, also when its job is killed at any step, and keeps every file of the upload', async () => {
    const { appId } = await newApp(developer, 'Rebuilt')
    const library = Buffer.alloc(5_000, 7)
    const file = await buildAab(folder.path('killed.aab'), {
      package: 'org.example.killed',
      versionCode: 20,
      files: { 'base/lib/arm64-v8a/liba.so': library },
    })
    const origin = await processed(stage, developer, { appId, file, fileName: 'killed.aab' })
    const made = await asTeam().transact(inner => rebuildPackage(inner, origin.pkgId, words))
    await stage.settle()
    const fresh = `UPDATE packages SET state = 'UPLOADED', installable = NULL, splits = '[]', icon_object_id = NULL,
      object_id = $2, sha256 = $3, rebuilt_from = rebuilt_from || '{"isMade": false}' WHERE pkg_id = $1`
    await stage.sql('CN', fresh, [made.pkgId, origin.objectId, origin.sha256])
    const run = (stopAt?: string) =>
      processPackage(asTeam(), {
        jobId: made.taskId,
        input: { pkgId: made.pkgId },
        teamId: developer.teamId,
        zone: 'CN',
        attempt: 1,
        signal: new AbortController().signal,
        progress: async step => {
          if (step === stopAt) throw new Error('the process was killed')
        },
      } satisfies JobRun)
    for (const step of ['archive', 'signature', 'checks', 'compile']) await expect(run(step)).rejects.toThrow('killed')
    await run()
    await run()
    const pkg = await developer.ok(packages, 'getPackage', { query: { pkgId: made.pkgId } })
    expect(pkg).toMatchObject({ state: 'READY', versionCode: '21', versionName: '1.0+rb1', findings: [] })
    expect(pkg).toMatchObject({ uploadSigners: origin.uploadSigners, signers: origin.signers, abis: origin.abis })
    expect(pkg.sha256).not.toBe(origin.sha256)
    const bytes = await asTeam().server.bytes('CN').localFile(pkg.sha256)
    const archive = await openArchive(bytes.path)
    const names = archive.entries.map(one => one.name)
    expect(names.some(name => name.startsWith('META-INF/'))).toBe(false)
    expect((await archive.readEntry(archive.byName.get('base/lib/arm64-v8a/liba.so')!, 1 << 20)).equals(library)).toBe(
      true,
    )
    await archive.close()
    await bytes.release()
  })
})
