import { service } from '../../../../kernel/contract.ts'
import { Id, integer, nullable, pageOf, shape, Type, text } from '../../../../kernel/shape.ts'
import { apps } from '../../apps/contract.ts'
import { Package, PackageSummary, packages } from '../../packages/contract.ts'
import { packageTasks } from '../../packages/tasks/contract.ts'
import { AppView, NewApp } from '../apps/contract.ts'
import { face, places, view } from '../contract.ts'

/** A package in the words of the field; `pkgVersion` and `exeId` are what is a pkgId elsewhere. */
const Said = {
  pkgVersion: Id,
  fileName: text(255),
  size: Type.Integer({ minimum: 0 }),
  packageName: nullable(text(255)),
  versionCode: nullable(text(20)),
  versionNumber: nullable(text(500)),
  /** 0 done, 1 in progress, 2 refused; and as bundles were asked for: 2, 1, 3. */
  successStatus: integer(0, 2),
  aabCompileStatus: integer(1, 3),
}
export const PackageView = shape({ ...Said, pkg: Package })
export const PackageLine = shape({ ...Said, pkg: PackageSummary })

const { kind: _kind, kinds: _kinds, ...asked } = packages.calls.listPackages.query.properties
const { kinds: _mustBe, ...added } = packages.calls.createPackage.body.properties
const { pkgId: _pkgId, ...changed } = packages.calls.updatePackage.body.properties
const onePackage = packages.calls.getPackage.query
const { getPackageTask, processPackageAgain } = packageTasks.calls

const list = <const Path extends string>(path: Path, what: string) =>
  ({
    ...view,
    method: 'GET',
    path,
    may: 'packages.read',
    summary: `${what} of an app, the newest first`,
    query: shape({ ...asked, appId: Id }),
    answer: pageOf(PackageLine),
  }) as const
const add = <const Path extends string>(path: Path, what: string) =>
  ({
    ...view,
    method: 'POST',
    path,
    may: 'packages.upload',
    summary: `Makes a package of an uploaded file and starts to process it: ${what}`,
    body: shape(added),
    answer: PackageView,
  }) as const
const remove = <const Path extends string>(path: Path, what: string) =>
  ({
    ...view,
    method: 'DELETE',
    path,
    may: 'packages.upload',
    summary: `Deletes a package that no version refers to: ${what}`,
    query: onePackage,
  }) as const
const get = { ...view, method: 'GET', may: 'packages.read', answer: PackageView } as const
const update = { ...view, method: 'PUT', may: 'packages.upload', body: shape(changed), answer: PackageView } as const
const removeOne = { ...view, method: 'DELETE', may: 'packages.upload' } as const
const OfApk = shape({ pkgVersion: Id })
const OfExe = shape({ exeId: Id })
const Compiled = shape({
  pkgVersion: Id,
  successStatus: integer(0, 2),
  aabCompileStatus: integer(1, 3),
  failReason: Type.Array(text(2000)),
  task: getPackageTask.answer,
})

const shared = {
  ...face,
  permissions: ['apps.create', 'apps.delete', 'packages.read', 'packages.upload'],
  errors: {},
  calls: {
    listExes: list('/app/exe', 'Programs for computers'),
    addExe: add('/app/exe', 'a program for computers'),
    getExe: { ...get, path: '/app/exe/:exeId', summary: 'A program with everything its bytes say', params: OfExe },
    updateExe: { ...update, path: '/app/exe/:exeId', summary: 'Changes what a program is for', params: OfExe },
    removeExe: { ...removeOne, path: '/app/exe/:exeId', summary: 'Deletes a program no version has', params: OfExe },
    listApks: list('/app/apk', 'APKs and bundles'),
    addApk: add('/app/apk', 'an APK or a bundle'),
    getApk: { ...get, path: '/app/apk/:pkgVersion', summary: 'An APK with everything its bytes say', params: OfApk },
    updateApk: { ...update, path: '/app/apk/:pkgVersion', summary: 'Changes what an APK is for', params: OfApk },
    removeApk: { ...removeOne, path: '/app/apk/:pkgVersion', summary: 'Deletes an APK no version has', params: OfApk },
    getCompile: {
      ...view,
      method: 'GET',
      path: '/app/apk/compile',
      may: 'packages.read',
      summary: 'How far a bundle is that APKs are made of; with wait it answers when that is over',
      query: shape({ pkgId: Id, wait: getPackageTask.query.properties.wait }),
      answer: Compiled,
    },
    compile: {
      ...view,
      method: 'POST',
      path: '/app/apk/compile',
      may: 'packages.upload',
      summary: 'Makes the APKs of a bundle again that had failed',
      body: processPackageAgain.body,
      answer: PackageView,
    },
    listRpks: list('/app/rpk', 'Quick apps'),
    addRpk: add('/app/rpk', 'a quick app'),
    removeRpk: remove('/app/rpk', 'a quick app'),
    listObbs: list('/app/obb', 'Expansion files'),
    addObb: add('/app/obb', 'an expansion file'),
    removeObb: remove('/app/obb', 'an expansion file'),
    listPkgs: list('/app/pkg', 'Packages for HarmonyOS'),
    addPkg: add('/app/pkg', 'a package for HarmonyOS'),
    removePkg: remove('/app/pkg', 'a package for HarmonyOS'),
    listWpks: list('/wpk', 'Packages of web apps'),
    addWpk: add('/wpk', 'a web app'),
    removeWpk: remove('/wpk', 'a web app'),
    addNoApk: {
      ...view,
      method: 'POST',
      path: '/app/no-apk',
      may: 'apps.create',
      summary: 'Adds an app without a package: a page of the store, for what comes later or is elsewhere',
      body: shape(NewApp),
      answer: AppView,
    },
    removeNoApk: {
      ...view,
      method: 'DELETE',
      path: '/app/no-apk',
      may: 'apps.delete',
      summary: 'Deletes an app without a package that was never on shelf',
      query: apps.calls.deleteApp.query,
    },
  },
} as const

export const packageViews = service({ ...shared, prefix: places.first })
export const packageViewsV2 = service({ ...shared, prefix: places.second })
