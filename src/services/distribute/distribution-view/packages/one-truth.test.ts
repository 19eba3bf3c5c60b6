import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Person, Stage } from '../../../../testkit/stage.ts'
import { packages } from '../../packages/contract.ts'
import { newApp as newAppOf, uploadBytes } from '../../packages/packages.testkit.ts'
import { packageTasks } from '../../packages/tasks/contract.ts'
import { openScene, putPackage, type Scene } from '../../versions/versions.testkit.ts'
import { packageViews } from '../packages/contract.ts'

/** What either face changes, the other shows at once: there is one row behind both. */
let scene: Scene
let stage: Stage
let owner: Person

beforeAll(async () => {
  scene = await openScene()
  stage = scene.stage
  owner = scene.owner
})
afterAll(() => stage.close())

describe('a package', () => {
  it('is made, changed and deleted by either face', async () => {
    const { appId } = await newAppOf(owner)
    const objectId = await uploadBytes(stage, owner, Buffer.from('PK no package'), 'a.apk')
    const there = await owner.ok(packageViews, 'addApk', { body: { appId, objectId } })
    const pkgId = there.pkgVersion
    await stage.settle()
    const here = await owner.ok(packages, 'getPackage', { query: { pkgId } })
    const seen = await owner.ok(packageViews, 'getApk', { params: { pkgVersion: pkgId } })
    expect(seen.pkg).toEqual({ ...here, ret: undefined })
    expect(seen).toMatchObject({ successStatus: 2, aabCompileStatus: 3, size: 13, fileName: 'a.apk' })
    const { revision } = here
    await owner.ok(packages, 'updatePackage', { body: { pkgId, remark: 'Mine', revision } })
    const stale = { params: { pkgVersion: pkgId }, body: { remark: 'Yours', revision } }
    expect((await owner.call(packageViews, 'updateApk', stale)).status).toBe(409)
    await owner.ok(packageViews, 'compile', { body: { pkgId } })
    const { taskId } = await owner.ok(packages, 'getPackage', { query: { pkgId } })
    const compiled = await owner.ok(packageViews, 'getCompile', { query: { pkgId, wait: 20 } })
    expect(compiled.task.taskId).toBe(taskId)
    expect(compiled.failReason.length).toBeGreaterThan(0)
    const task = await owner.ok(packageTasks, 'getPackageTask', { query: { taskId } })
    expect(task.state).toBe(compiled.task.state)
    await owner.ok(packageViews, 'removeApk', { params: { pkgVersion: pkgId } })
    expect((await owner.call(packages, 'getPackage', { query: { pkgId } })).status).toBe(404)
  })

  it.each([
    ['ANDROID', 'a.apk', 'addApk', 'listApks', ['addExe', 'addObb', 'addRpk', 'addPkg', 'addWpk']],
    ['ANDROID', 'a.aab', 'addApk', 'listApks', ['addExe']],
    ['ANDROID', 'main.1.org.a.obb', 'addObb', 'listObbs', ['addApk']],
    ['PC_EXE', 'a.exe', 'addExe', 'listExes', ['addApk', 'addWpk']],
    ['QUICK_APP', 'a.rpk', 'addRpk', 'listRpks', ['addApk']],
    ['H5_QUICK', 'a.zip', 'addRpk', 'listRpks', ['addWpk']],
    ['HARMONY', 'a.hap', 'addPkg', 'listPkgs', ['addApk']],
    ['HARMONY', 'a.app', 'addPkg', 'listPkgs', ['addExe']],
    ['WEB', 'a.wpk', 'addWpk', 'listWpks', ['addRpk']],
  ] as const)('of an app for %s called %s goes in by %s only', async (packageType, fileName, add, list, others) => {
    const { appId } = await newAppOf(owner, 'Kinds', packageType)
    const body = { appId, objectId: await uploadBytes(stage, owner, Buffer.from(`PK ${fileName}`), fileName) }
    for (const other of others) {
      const refused = await owner.call(packageViews, other, { body })
      expect([other, refused.status, refused.body.ret.code]).toEqual([other, 422, 202020004])
    }
    const { pkgVersion } = await owner.ok(packageViews, add, { body })
    await stage.settle()
    const listed = await owner.ok(packageViews, list, { query: { appId } })
    expect(listed.list.map(one => one.pkgVersion)).toEqual([pkgVersion])
    const here = await owner.ok(packages, 'listPackages', { query: { appId } })
    expect(listed.list.map(one => one.pkg)).toEqual(here.list)
    const elsewhere = list === 'listExes' ? 'listApks' : 'listExes'
    expect((await owner.ok(packageViews, elsewhere, { query: { appId } })).total).toBe(0)
  })

  it('of another kind is not there: it is neither read, changed nor deleted as what it is not', async () => {
    const { appId } = await newAppOf(owner)
    const pkgId = await putPackage(stage, owner, { appId, versionCode: 3 })
    const replies = await Promise.all([
      owner.call(packageViews, 'getExe', { params: { exeId: pkgId } }),
      owner.call(packageViews, 'updateExe', { params: { exeId: pkgId }, body: { remark: 'x', revision: 1 } }),
      owner.call(packageViews, 'removeExe', { params: { exeId: pkgId } }),
      owner.call(packageViews, 'removeWpk', { query: { pkgId } }),
      owner.call(packageViews, 'removeObb', { query: { pkgId } }),
    ])
    expect(replies.map(reply => reply.status)).toEqual([404, 404, 404, 404, 404])
    expect((await owner.ok(packages, 'getPackage', { query: { pkgId } })).remark).toBe('')
  })
})
