import type { Input } from '../../../../kernel/contract.ts'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import { compileStatusOf } from '../../../../kernel/field-words.ts'
import type { Static } from '../../../../kernel/shape.ts'
import { type Ask, asking } from '../../../../server/asking.ts'
import { type Handlers, implement } from '../../../../server/implement.ts'
import { apps } from '../../apps/contract.ts'
import { type Package, type PackageSummary, packages } from '../../packages/contract.ts'
import { packageTasks } from '../../packages/tasks/contract.ts'
import { newApp } from '../apps/rules.ts'
import { whole } from '../apps/whole.ts'
import { packageViews, packageViewsV2 } from './contract.ts'

type Calls = (typeof packageViews)['calls']
type Line = Static<typeof PackageSummary>
type Whole = Static<typeof Package>
type Kinds = readonly Line['kind'][]

/** Which kinds of package each part of the older face is about. */
const kindsOf = {
  exe: ['EXE'],
  apk: ['APK', 'AAB'],
  rpk: ['RPK', 'H5'],
  obb: ['OBB'],
  pkg: ['APP', 'HAP', 'HSP'],
  wpk: ['WPK'],
} as const satisfies Record<string, Kinds>

const listing = (kinds: Kinds) =>
  asking(async (ask, { query }: Pick<Input<Calls['listExes']>, 'query'>) => {
    const page = await ask(packages, 'listPackages', { query: { ...query, kinds: kinds.join(',') } })
    return { ...page, list: page.list.map(pkg => ({ ...said(pkg), pkg })) }
  })

const adding = (kinds: Kinds) =>
  asking(async (ask, { body }: Pick<Input<Calls['addExe']>, 'body'>) =>
    viewOf(await ask(packages, 'createPackage', { body: { ...body, kinds: [...kinds] } })),
  )

const removing = (kinds: Kinds) =>
  asking((ask, { query }: Pick<Input<Calls['removeRpk']>, 'query'>) => removeOf(ask, query.pkgId, kinds))

const handlers: Handlers<typeof packageViews> = {
  listExes: listing(kindsOf.exe),
  addExe: adding(kindsOf.exe),
  getExe: asking(async (ask, { params }) => viewOf(await packageOf(ask, params.exeId, kindsOf.exe))),
  updateExe: asking((ask, { params, body }) => changeOf(ask, params.exeId, kindsOf.exe, body)),
  removeExe: asking((ask, { params }) => removeOf(ask, params.exeId, kindsOf.exe)),

  listApks: listing(kindsOf.apk),
  addApk: adding(kindsOf.apk),
  getApk: asking(async (ask, { params }) => viewOf(await packageOf(ask, params.pkgVersion, kindsOf.apk))),
  updateApk: asking((ask, { params, body }) => changeOf(ask, params.pkgVersion, kindsOf.apk, body)),
  removeApk: asking((ask, { params }) => removeOf(ask, params.pkgVersion, kindsOf.apk)),

  getCompile: asking(async (ask, { query: { pkgId, wait } }) => {
    const { taskId } = await packageOf(ask, pkgId, kindsOf.apk)
    const task = await ask(packageTasks, 'getPackageTask', { query: { taskId, wait } })
    const pkg = await packageOf(ask, pkgId, kindsOf.apk)
    const failReason = pkg.findings.filter(one => one.severity === 'BLOCK').map(one => one.detail)
    return { pkgVersion: pkgId, ...compileStatusOf(pkg.state), failReason, task }
  }),
  compile: asking(async (ask, { body }) => {
    await packageOf(ask, body.pkgId, kindsOf.apk)
    return viewOf(await ask(packageTasks, 'processPackageAgain', { body }))
  }),

  listRpks: listing(kindsOf.rpk),
  addRpk: adding(kindsOf.rpk),
  removeRpk: removing(kindsOf.rpk),
  listObbs: listing(kindsOf.obb),
  addObb: adding(kindsOf.obb),
  removeObb: removing(kindsOf.obb),
  listPkgs: listing(kindsOf.pkg),
  addPkg: adding(kindsOf.pkg),
  removePkg: removing(kindsOf.pkg),
  listWpks: listing(kindsOf.wpk),
  addWpk: adding(kindsOf.wpk),
  removeWpk: removing(kindsOf.wpk),

  addNoApk: asking(async (ask, { body }) => {
    const made = await ask(apps, 'createApp', { body: { ...newApp(body), packageType: 'NO_PACKAGE' } })
    return whole(ask, made.appId)
  }),
  removeNoApk: asking(async (ask, { query }) => {
    const { packageType, appId } = await ask(apps, 'getApp', { query })
    if (packageType !== 'NO_PACKAGE') refuse(commonErrors.notFound, { entity: 'app without a package', id: appId })
    return ask(apps, 'deleteApp', { query })
  }),
}

export default implement(packageViews, handlers)
export const secondGeneration = implement(packageViewsV2, handlers)

/** The package, if it is of these kinds: elsewhere it is as if it were not there. */
async function packageOf(ask: Ask, pkgId: string, kinds: Kinds): Promise<Whole> {
  const pkg = await ask(packages, 'getPackage', { query: { pkgId } })
  if (!kinds.includes(pkg.kind)) refuse(commonErrors.notFound, { entity: 'package', id: pkgId })
  return pkg
}

async function changeOf(ask: Ask, pkgId: string, kinds: Kinds, body: Input<Calls['updateExe']>['body']) {
  await packageOf(ask, pkgId, kinds)
  return viewOf(await ask(packages, 'updatePackage', { body: { ...body, pkgId } }))
}

async function removeOf(ask: Ask, pkgId: string, kinds: Kinds) {
  await packageOf(ask, pkgId, kinds)
  return ask(packages, 'deletePackage', { query: { pkgId } })
}

function said({ pkgId, fileName, sizeBytes, packageName, versionCode, versionName, state }: Line) {
  const names = { packageName, versionCode, versionNumber: versionName }
  return { pkgVersion: pkgId, fileName, size: sizeBytes, ...names, ...compileStatusOf(state) }
}

function viewOf(pkg: Whole) {
  return { ...said(pkg), pkg }
}
