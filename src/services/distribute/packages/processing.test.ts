import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemContext } from '../../../server/context.ts'
import type { JobRun } from '../../../server/work.ts'
import { openStage, type Person, type Stage } from '../../../testkit/stage.ts'
import { androidSuite } from './apk/android-suite.testkit.ts'
import { type ApkOptions, buildApk, signingKey } from './apk/build-apk.testkit.ts'
import { temporaryFolder } from './apk/temporary-folder.testkit.ts'
import { packages } from './contract.ts'
import jobs from './jobs.ts'
import { newApp, processed, uploadBytes } from './packages.testkit.ts'
import { packageTasks } from './tasks/contract.ts'

const folder = temporaryFolder()
let stage: Stage
let developer: Person
beforeAll(async () => {
  stage = await openStage()
  developer = await stage.person()
})
afterAll(() => stage.close())

let built = 0
const build = (options: ApkOptions = {}) =>
  buildApk(folder.path(`${++built}.apk`), { package: `org.example.app${built}`, ...options })

const blockCodes = (pkg: { findings: { code: number; severity: string }[] }) =>
  pkg.findings.filter(one => one.severity === 'BLOCK').map(one => one.code)

const countOf = async (pkgId: string, type: string) =>
  (await stage.sql('CN', 'SELECT 1 FROM outbox WHERE entity_id = $1 AND type = $2', [pkgId, type])).length

/** A package whose job nobody has run yet, and the job to run by hand as often as wanted. */
async function unprocessed(file: string) {
  const { appId } = await newApp(developer)
  const objectId = await uploadBytes(stage, developer, await readFile(file))
  const { pkgId, taskId } = await developer.ok(packages, 'createPackage', { body: { appId, objectId } })
  await stage.settle()
  await stage.sql('CN', `UPDATE packages SET state = 'UPLOADED', icon_object_id = NULL WHERE pkg_id = $1`, [pkgId])
  await stage.sql('CN', 'DELETE FROM outbox WHERE entity_id = $1', [pkgId])
  const steps: string[] = []
  const run = async (stopAt?: string) => {
    const job: JobRun = {
      jobId: taskId,
      input: { pkgId },
      teamId: developer.teamId,
      zone: 'CN',
      attempt: 1,
      signal: new AbortController().signal,
      progress: async step => {
        steps.push(step)
        if (step === stopAt) throw new Error('the process was killed')
      },
    }
    const ctx = systemContext(stage.booted.server, 'CN', { name: 'packages.process', teamId: developer.teamId })
    await jobs.jobs[0]!.run(ctx, job)
  }
  const state = async () => (await developer.ok(packages, 'getPackage', { query: { pkgId } })).state
  return { appId, pkgId, taskId, run, state, steps }
}

androidSuite('a package that is right', () => {
  it('is read whole and told of once', async () => {
    const { appId } = await newApp(developer)
    const file = await build({
      package: 'org.example.whole',
      versionCode: 12,
      versionName: '1.2',
      label: 'Whole',
      labels: { 'zh-rCN': '完整' },
      permissions: ['android.permission.INTERNET'],
    })
    const pkg = await processed(stage, developer, { appId, file })
    expect(pkg).toMatchObject({
      state: 'READY',
      usage: 'TEST_AND_FORMAL',
      packageName: 'org.example.whole',
      versionCode: '12',
      versionName: '1.2',
      label: 'Whole',
      labels: { 'zh-CN': '完整' },
      minSdk: 24,
      targetSdk: 34,
      debuggable: false,
      permissions: [{ name: 'android.permission.INTERNET' }],
      allowedActions: ['archive', 'delete'],
    })
    expect(blockCodes(pkg)).toEqual([])
    expect(pkg.certificates[0]).toMatchObject({ certSha256: pkg.signers[0], keyAlgorithm: 'RSA' })
    expect(pkg.iconObjectId).toMatch(/\.png$/)
    const [icon] = await stage.sql('CN', 'SELECT state, mime FROM file_objects WHERE object_id = $1', [
      pkg.iconObjectId,
    ])
    expect(icon).toEqual({ state: 'NORMAL', mime: 'image/png' })
    expect([await countOf(pkg.pkgId, 'package.uploaded'), await countOf(pkg.pkgId, 'package.ready')]).toEqual([1, 1])
    const task = await developer.ok(packageTasks, 'getPackageTask', { query: { taskId: pkg.taskId } })
    expect(task).toMatchObject({ state: 'done', percent: 100, step: 'checks', error: null, processState: 'READY' })

    const other = await processed(stage, developer, { appId, file: await build({ package: 'org.example.other' }) })
    expect([other.state, blockCodes(other)]).toEqual(['FAILED', [992]])
  })

  it('follows another only with its key or a lineage from it', async () => {
    const { appId } = await newApp(developer)
    const first = await processed(stage, developer, { appId, file: await build({ package: 'org.example.keys' }) })
    await stage.sql('CN', 'UPDATE apps SET last_shelf = $2 WHERE app_id = $1', [
      appId,
      { versionId: '1', pkgId: first.pkgId, versionCode: '1', versionName: '1.0', signers: first.signers, at: 1 },
    ])
    const key = await signingKey(folder.path('stranger.p12'), 'CN=Stranger')
    const file = await build({ package: 'org.example.keys', versionCode: 2, key })
    const strange = await processed(stage, developer, { appId, file })
    expect([strange.state, blockCodes(strange)]).toEqual(['FAILED', [1103]])
    expect(strange.findings[0]?.detail).toContain(first.signers[0])
    const same = await processed(stage, developer, {
      appId,
      file: await build({ package: 'org.example.keys', versionCode: 2 }),
    })
    expect(same.state).toBe('READY')
  })
})

androidSuite('a package that is wrong', () => {
  const bomb = Buffer.alloc(64 << 20)
  it.each<[string, ApkOptions, number[]]>([
    ['unsigned', { key: null }, [1101]],
    ['debuggable', { isDebuggable: true }, [1104]],
    ['for testing only', { isTestOnly: true }, [1112]],
    ['without a version code', { versionCode: null }, [1106]],
    ['a bomb', { files: { 'assets/bomb': bomb } }, [1113]],
  ])('fails by its number and stores no icon: %s', async (_says, options, wanted) => {
    const { appId } = await newApp(developer)
    const pkg = await processed(stage, developer, { appId, file: await build(options) })
    expect([pkg.state, [...new Set(blockCodes(pkg))], pkg.iconObjectId]).toEqual(['FAILED', wanted, null])
    expect([await countOf(pkg.pkgId, 'package.failed'), await countOf(pkg.pkgId, 'package.ready')]).toEqual([1, 0])
    const [event] = await stage.sql<{ data: { findings: { code: number }[] } }>(
      'CN',
      `SELECT data FROM outbox WHERE entity_id = $1 AND type = 'package.failed'`,
      [pkg.pkgId],
    )
    expect(event?.data.findings[0]?.code).toBe(wanted[0])
  })

  it('is taken when what was wrong with the app is put right', async () => {
    const { appId } = await newApp(developer)
    await stage.sql('CN', `UPDATE apps SET package_name = 'org.example.before' WHERE app_id = $1`, [appId])
    const pkg = await processed(stage, developer, { appId, file: await build({ package: 'org.example.after' }) })
    expect([pkg.state, blockCodes(pkg), pkg.allowedActions]).toEqual(['FAILED', [992], ['processAgain', 'delete']])
    await stage.sql('CN', `UPDATE apps SET package_name = 'org.example.after' WHERE app_id = $1`, [appId])
    const { taskId } = await developer.ok(packageTasks, 'processPackageAgain', { body: { pkgId: pkg.pkgId } })
    const task = await developer.ok(packageTasks, 'getPackageTask', { query: { taskId, wait: 20 } })
    expect(task.processState).toBe('READY')
    expect((await developer.call(packageTasks, 'processPackageAgain', { body: { pkgId: pkg.pkgId } })).status).toBe(422)
  })
})

androidSuite('a job that is killed', () => {
  it.each(['archive', 'manifest', 'signature', 'icon', 'checks'])(
    'at the step %s goes on with the next run and tells of the package once',
    async step => {
      const { pkgId, run, state, steps } = await unprocessed(await build())
      await expect(run(step)).rejects.toThrow('killed')
      expect(await state()).toBe(step === 'checks' ? 'CHECKING' : 'PARSING')
      await run()
      await run()
      expect(await state()).toBe('READY')
      expect([await countOf(pkgId, 'package.ready'), await countOf(pkgId, 'package.failed')]).toEqual([1, 0])
      expect(steps.slice(-5)).toEqual(['archive', 'manifest', 'signature', 'icon', 'checks'])
    },
  )

  it('and another that runs at the same time tell of the package once, and leave one icon', async () => {
    const { pkgId, run, state } = await unprocessed(await build({ label: 'Twice' }))
    await Promise.allSettled([run(), run()])
    await run()
    expect(await state()).toBe('READY')
    expect(await countOf(pkgId, 'package.ready')).toBe(1)
    const kept = await stage.sql(
      'CN',
      `SELECT 1 FROM file_objects f JOIN packages p ON p.icon_object_id = f.object_id WHERE p.pkg_id = $1 AND f.ref_count = 1`,
      [pkgId],
    )
    expect(kept.length).toBe(1)
  })

  it('for good leaves the package failed, ready to be processed again', async () => {
    const { pkgId, taskId, state } = await unprocessed(await build())
    const ctx = systemContext(stage.booted.server, 'CN', { name: 'packages.process', teamId: developer.teamId })
    await jobs.jobs[0]!.giveUp!(ctx, { jobId: taskId, input: { pkgId } } as unknown as JobRun)
    expect(await state()).toBe('FAILED')
    const pkg = await developer.ok(packages, 'getPackage', { query: { pkgId } })
    expect(blockCodes(pkg)).toEqual([1199])
  })

  it('of a deleted package has nothing left to do', async () => {
    const { pkgId, run } = await unprocessed(await build())
    await developer.ok(packages, 'deletePackage', { query: { pkgId } })
    await run()
    expect(await countOf(pkgId, 'package.ready')).toBe(0)
  })
})

androidSuite('two packages with one version code', () => {
  it('are not both taken', async () => {
    const file = await build({ package: 'org.example.race', versionCode: 5 })
    const { appId } = await newApp(developer)
    const two = await Promise.all([1, 2].map(() => processed(stage, developer, { appId, file })))
    expect(two.map(pkg => pkg.state).sort()).toEqual(['FAILED', 'READY'])
    expect(two.flatMap(blockCodes)).toEqual([1107])
  })
})
