import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemContext } from '../../../server/context.ts'
import { openStage, type Person, type Stage } from '../../../testkit/stage.ts'
import { recordShelf } from '../apps/public.ts'
import { suiteWhen } from './apk/android-suite.testkit.ts'
import { packages } from './contract.ts'
import { differences } from './difference/contract.ts'
import { manyPackages } from './many/contract.ts'
import { newApp, processed, realPackages, uploadBytes } from './packages.testkit.ts'
import { holdPackage, releasePackage } from './public.ts'
import { packageTasks } from './tasks/contract.ts'

let stage: Stage
let developer: Person
beforeAll(async () => {
  stage = await openStage()
  developer = await stage.person()
})
afterAll(() => stage.close())

const codesOf = (pkg: { findings: { code: number; severity: string }[] }, severity = 'BLOCK') =>
  pkg.findings.filter(one => one.severity === severity).map(one => one.code)

const eventsOf = (pkgId: string) =>
  stage
    .sql<{ type: string }>('CN', 'SELECT type FROM outbox WHERE entity_id = $1 ORDER BY event_id', [pkgId])
    .then(rows => rows.map(row => row.type))

/** Works for a team without a session, as other services do. */
const asSystem = <T>(team: string, work: Parameters<ReturnType<typeof systemContext>['transact']>[0]) =>
  systemContext(stage.booted.server, 'CN', { name: 'test', teamId: team }).transact(work) as Promise<T>

describe('a file that is no package', () => {
  it.each([
    ['an empty archive', Buffer.from(`504b0506${'00'.repeat(18)}`, 'hex'), [994]],
    ['text', Buffer.from('this is no archive, however it is called'), [991]],
  ])('ends failed and says so: %s', async (_says, file, wanted) => {
    const { appId } = await newApp(developer)
    const pkg = await processed(stage, developer, { appId, file })
    expect([pkg.state, pkg.successStatus, codesOf(pkg)]).toEqual(['FAILED', 2, wanted])
    expect([pkg.packageName, pkg.versionCode, pkg.iconObjectId, pkg.signers]).toEqual([null, null, null, []])
    expect((await eventsOf(pkg.pkgId)).at(-1)).toBe('package.failed')
  })

  it('is refused at the door by its ending', async () => {
    const { appId } = await newApp(developer)
    const send = async (fileName: string) => {
      const objectId = await uploadBytes(stage, developer, Buffer.from('x'), fileName)
      const reply = await developer.call(packages, 'createPackage', { body: { appId, objectId } })
      return [reply.status, reply.body.ret.code]
    }
    expect(await send('readme.txt')).toEqual([422, 204144693])
    expect(await send('bundle.hap')).toEqual([422, 204144693])
  })
})

describe('who may', () => {
  it('another team has neither the app, the file, the package nor its task', async () => {
    const { appId } = await newApp(developer)
    const stranger = await stage.person()
    const own = await newApp(stranger)
    const objectId = await uploadBytes(stage, developer, Buffer.from('mine'))
    const pkg = await processed(stage, developer, { appId, file: Buffer.from('x') })
    const { pkgId, taskId, revision } = pkg
    const replies = [
      await stranger.call(packages, 'createPackage', { body: { appId, objectId } }),
      await stranger.call(packages, 'createPackage', { body: { appId: own.appId, objectId } }),
      await stranger.call(packages, 'getPackage', { query: { pkgId } }),
      await stranger.call(packages, 'listPackages', { query: { appId } }),
      await stranger.call(packages, 'updatePackage', { body: { pkgId, remark: 'x', revision } }),
      await stranger.call(packages, 'deletePackage', { query: { pkgId } }),
      await stranger.call(packageTasks, 'getPackageTask', { query: { taskId } }),
      await stranger.call(packageTasks, 'processPackageAgain', { body: { pkgId } }),
      await stranger.call(manyPackages, 'getPackageStates', { query: { pkgIds: pkgId } }),
      await stranger.call(differences, 'comparePackages', { query: { pkgId, otherPkgId: pkgId } }),
    ]
    expect(replies.map(reply => reply.status)).toEqual(replies.map(() => 404))
  })

  it('operations may look but not upload', async () => {
    const { appId } = await newApp(developer)
    const operator = await stage.person({ team: developer.teamId, roles: ['operations'] })
    const pkg = await processed(stage, developer, { appId, file: Buffer.from('x') })
    const seen = await operator.ok(packages, 'getPackage', { query: { pkgId: pkg.pkgId } })
    expect(seen.allowedActions).toEqual([])
    expect((await operator.call(packages, 'deletePackage', { query: { pkgId: pkg.pkgId } })).status).toBe(403)
  })
})

suiteWhen(Object.values(realPackages).every(existsSync), 'npm install', 'packages of other people', () => {
  it('are read, and a public test key keeps them from release but not from testers', async () => {
    const { appId } = await newApp(developer, 'Automator')
    const first = await processed(stage, developer, { appId, file: realPackages.uiautomator9, usage: 'TEST_ONLY' })
    expect(first).toMatchObject({
      state: 'READY',
      successStatus: 0,
      packageName: 'io.appium.uiautomator2.server',
      versionCode: '225',
      versionName: '9.0.0',
      signers: ['a40da80a59d170caa950cf15c18c454d47a39b26989d8b640ecd745ba71bf5dc'],
    })
    const formal = await processed(stage, developer, { appId, file: realPackages.uiautomator10 })
    expect([formal.state, codesOf(formal)]).toEqual(['FAILED', [1104, 1105]])
    const next = await processed(stage, developer, { appId, file: realPackages.uiautomator10, usage: 'TEST_ONLY' })
    expect([next.state, next.versionCode]).toEqual(['READY', '278'])

    const { pkgId, revision } = next
    const raised = await developer.call(packages, 'updatePackage', {
      body: { pkgId, usage: 'TEST_AND_FORMAL', revision },
    })
    expect([raised.status, raised.body.ret.code]).toEqual([422, 202020002])
    expect(raised.body.ret.msg).toContain('public test key')

    const difference = await developer.ok(differences, 'comparePackages', { query: { pkgId, otherPkgId: first.pkgId } })
    expect(difference).toMatchObject({
      from: { versionCode: '225' },
      to: { versionCode: '278' },
      signer: { isSame: true, isProven: true },
    })
    expect(difference.folders.length).toBeGreaterThan(0)

    const again = await processed(stage, developer, { appId, file: realPackages.uiautomator10, usage: 'TEST_ONLY' })
    expect([again.state, codesOf(again)]).toEqual(['FAILED', [1104, 1105, 1107]])
  })

  it('with another signer than the one on shelf are refused, and so is the name of another app', async () => {
    const { appId } = await newApp(developer, 'Settings')
    const before = await processed(stage, developer, { appId, file: realPackages.settings9, usage: 'TEST_ONLY' })
    expect(before.state).toBe('READY')
    await asSystem(developer.teamId, ctx =>
      recordShelf(ctx, appId, {
        versionId: '1',
        pkgId: before.pkgId,
        versionCode: before.versionCode ?? '',
        versionName: '9',
        signers: before.signers,
        at: ctx.now(),
      }),
    )
    const next = await processed(stage, developer, { appId, file: realPackages.settings10, usage: 'TEST_ONLY' })
    expect(next.state).toBe('FAILED')
    expect(codesOf(next)).toContain(1103)

    const stranger = await stage.person()
    const { appId: other } = await newApp(stranger, 'Settings too')
    const taken = await processed(stage, stranger, { appId: other, file: realPackages.settings9, usage: 'TEST_ONLY' })
    expect([taken.state, codesOf(taken), taken.iconObjectId]).toEqual(['FAILED', [1004], null])
  })

  it('cut short end failed with nothing half-written', async () => {
    const { appId } = await newApp(developer)
    const whole = await readFile(realPackages.settings10)
    const file = whole.subarray(0, Math.floor(whole.length / 2))
    const pkg = await processed(stage, developer, { appId, file })
    expect([pkg.state, codesOf(pkg)]).toEqual(['FAILED', [991]])
    expect([pkg.packageName, pkg.iconObjectId, pkg.folders]).toEqual([null, null, []])
    const again = await developer.ok(packageTasks, 'processPackageAgain', { body: { pkgId: pkg.pkgId } })
    expect([again.state, again.findings, again.taskId === pkg.taskId]).toEqual(['UPLOADED', [], false])
    const { state, percent, processState } = await developer.ok(packageTasks, 'getPackageTask', {
      query: { taskId: again.taskId, wait: 20 },
    })
    expect([state, percent, processState]).toEqual(['done', 100, 'FAILED'])
  })
})

describe('a package that a version refers to', () => {
  it('is deleted only when it is free again, and its bytes with it', async () => {
    const { appId } = await newApp(developer)
    const { pkgId, objectId } = await processed(stage, developer, { appId, file: Buffer.from('held') })
    await asSystem(developer.teamId, ctx => holdPackage(ctx, pkgId))
    const held = await developer.call(packages, 'deletePackage', { query: { pkgId } })
    expect([held.status, held.body.ret.code]).toEqual([422, 202020001])
    expect((await developer.ok(packages, 'getPackage', { query: { pkgId } })).isHeld).toBe(true)
    await asSystem(developer.teamId, ctx => releasePackage(ctx, pkgId))
    await developer.ok(packages, 'deletePackage', { query: { pkgId } })
    expect((await developer.call(packages, 'getPackage', { query: { pkgId } })).status).toBe(404)
    const objects = await stage.sql('CN', 'SELECT state FROM file_objects WHERE object_id = $1', [objectId])
    expect(objects).toEqual([{ state: 'TEMP' }])
  })
})

describe('the list of packages', () => {
  it('is searched, filtered and paged, the newest first', async () => {
    const { appId } = await newApp(developer)
    const objectId = await uploadBytes(stage, developer, Buffer.from('one of many'), 'release_50%.apk')
    const made: string[] = []
    for (const remark of ['alpha', 'beta', 'gamma']) {
      made.unshift((await developer.ok(packages, 'createPackage', { body: { appId, objectId, remark } })).pkgId)
    }
    await stage.settle()
    const page = await developer.ok(packages, 'listPackages', { query: { appId, pageSize: 2 } })
    expect([page.total, page.list.map(one => one.pkgId)]).toEqual([3, made.slice(0, 2)])
    const rest = await developer.ok(packages, 'listPackages', {
      query: { appId, pageSize: 2, cursor: page.nextCursor ?? '' },
    })
    expect([rest.list.map(one => one.pkgId), rest.nextCursor]).toEqual([made.slice(2), null])
    const totals = async (query: { search?: string; state?: 'FAILED' | 'READY' }) =>
      (await developer.ok(packages, 'listPackages', { query: { appId, ...query } })).total
    expect(await totals({ search: 'beta' })).toBe(1)
    expect(await totals({ search: '50%' })).toBe(3)
    expect(await totals({ search: '5_%' })).toBe(0)
    expect([await totals({ state: 'FAILED' }), await totals({ state: 'READY' })]).toEqual([3, 0])
    const states = await developer.ok(manyPackages, 'getPackageStates', { query: { pkgIds: made.join(',') } })
    expect(states.pkgStateList.map(one => [one.pkgId, one.successStatus])).toEqual(made.map(pkgId => [pkgId, 2]))
  })

  it('a stale write is refused with the current revision', async () => {
    const { appId } = await newApp(developer)
    const { pkgId, revision } = await processed(stage, developer, { appId, file: Buffer.from('x') })
    const first = await developer.ok(packages, 'updatePackage', { body: { pkgId, remark: 'one', revision } })
    expect(first.remark).toBe('one')
    const second = await developer.call(packages, 'updatePackage', { body: { pkgId, remark: 'two', revision } })
    expect([second.status, second.body['revision']]).toEqual([409, first.revision])
  })
})
