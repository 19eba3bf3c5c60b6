import { Readable } from 'node:stream'
import { eq } from 'drizzle-orm'
import { Refusal } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import { transition } from '../../../server/life-cycle.ts'
import type { JobRun } from '../../../server/work.ts'
import { type HeldFor, releaseObjects, storeObject } from '../../ground/files/public.ts'
import { apps } from '../apps/contract.ts'
import { appOf, lockApp, settlePackageName } from '../apps/public.ts'
import { recordAccepted } from '../signing/public.ts'
import { openArchive } from './apk/zip.ts'
import { type Installables, isMade, makeInstallables, signedByStore } from './bundle/installable.ts'
import { asUploaded, checkMadeAnew, madeAnew } from './bundle/made-anew.ts'
import { noFacts, type PackageReport } from './facts.ts'
import { madeBefore, type PackageRecord, relationsOf } from './queries.ts'
import { reportFor } from './reading.ts'
import {
  blocking,
  type Finding,
  limits,
  packageCycle,
  relationFinding,
  relationFindings,
  softenForKnownApp,
  validityFindings,
} from './rules.ts'
import { packages } from './tables.ts'

export const processingKind = 'packages.process'

/** Why a package is not taken; thrown to leave a transaction without a trace. */
class Blocked extends Error {
  readonly findings: Finding[]
  constructor(findings: Finding[]) {
    super('blocked')
    this.findings = findings
  }
}

/**
 * Reads a package and judges it. Every step may run again after a crash: the state moves by conditional updates, so that
 * `package.ready` and `package.failed` come from exactly one of them.
 */
export async function processPackage(ctx: Context, job: JobRun): Promise<void> {
  const found = await ctx.transact(inner => begin(inner, job))
  if (!found) return
  const begun = await madeAnew(ctx, found, job.signal)
  await job.progress('archive', 5)
  const file = await ctx.server.bytes(ctx.zone).localFile(begun.sha256)
  try {
    await job.progress('manifest', 10)
    const [said] = await Promise.all([reportFor(ctx, begun, file.path), job.progress('signature', 30)])
    const read = await asUploaded(ctx, begun, said)
    const report = begun.kind === 'AAB' || begun.kind === 'APK' ? await signedByStore(ctx, begun, read) : read
    await job.progress('icon', 75)
    const icon = await readIcon(file.path, report)
    if (!(await ctx.transact(inner => recordFacts(inner, job, report)))) return
    await job.progress('checks', 85)
    await judge(ctx, job, { report, icon, path: file.path })
  } finally {
    await file.release()
  }
}

/** After the last attempt failed: the package says so, and can be processed again. */
export async function giveUpPackage(ctx: Context, job: JobRun): Promise<void> {
  await ctx.transact(inner => fail(inner, job, [relationFinding(1199)]))
}

async function begin(ctx: Context, job: JobRun): Promise<PackageRecord | null> {
  const row = await openPackage(ctx, job)
  if (row?.state === 'UPLOADED') await move(ctx, row, 'parse')
  return row
}

/** The package while this job has it to process, locked; null when it is deleted, decided or another job's. */
async function openPackage(ctx: Context, job: JobRun): Promise<PackageRecord | null> {
  const pkgId = String(job.input['pkgId'])
  const [row] = await ctx.db.select().from(packages).where(eq(packages.pkgId, pkgId)).for('update')
  if (!row || row.taskId !== job.jobId || isDecided(row.state)) return null
  return row
}

const isDecided = (state: PackageRecord['state']) => state === 'READY' || state === 'FAILED' || state === 'ARCHIVED'

async function recordFacts(ctx: Context, job: JobRun, report: PackageReport): Promise<boolean> {
  const row = await openPackage(ctx, job)
  if (!row) return false
  await ctx.db
    .update(packages)
    .set({ ...report.facts, chains: report.chains })
    .where(eq(packages.pkgId, row.pkgId))
  if (row.state === 'PARSING') await move(ctx, row, 'check')
  return true
}

interface Read {
  report: PackageReport
  icon: Icon | null
  path: string
}

async function judge(ctx: Context, job: JobRun, { report, icon, path }: Read): Promise<void> {
  const made: string[] = []
  try {
    const checked = await ctx.transact(inner => check(inner, job, report))
    if (!checked) return
    // On its own, before the package is accepted: settling again after a crash does no harm, missing it would.
    if (checked.packageName !== null) await settleName(ctx, checked.appId, checked.packageName)
    const compiled = isMade(checked) ? await compile(ctx, job, checked, path) : null
    if (compiled?.made) made.push(...objectsIn(compiled.made))
    const iconObjectId = await storeIcon(ctx, icon, checked)
    if (iconObjectId !== null) made.push(iconObjectId)
    const results = { iconObjectId, made: compiled?.made ?? null, findings: compiled?.findings ?? [] }
    if (await ctx.transact(inner => accept(inner, job, report, results))) made.length = 0
  } catch (error) {
    if (!(error instanceof Blocked)) throw error
    await ctx.transact(inner => fail(inner, job, error.findings))
  } finally {
    if (made.length > 0) await ctx.transact(inner => releaseObjects(inner, made))
  }
}

const objectsIn = ({ installable, splits, splitSet }: Installables) =>
  [installable, ...splits, ...splitSet].map(one => one.objectId)

/** Makes what devices get instead of the upload; what keeps it from being made is a finding like any other. */
async function compile(ctx: Context, job: JobRun, row: PackageRecord & HeldFor, path: string) {
  await job.progress('compile', 90)
  const begun = await ctx.transact(async inner => {
    const open = await openPackage(inner, job)
    if (open?.state === 'CHECKING') await move(inner, open, 'compile')
    return open !== null
  })
  if (!begun) return null
  const { made, findings } = await makeInstallables(ctx, row, path, job.signal)
  return { made, findings: [...findings, ...(made ? await checkMadeAnew(ctx, row, made) : [])] }
}

interface Results {
  iconObjectId: string | null
  made: Installables | null
  /** Found while the package was compiled. */
  findings: Finding[]
}

/** Throws `Blocked` with everything that was found when any of it keeps the package from its use. */
async function check(
  ctx: Context,
  job: JobRun,
  { facts, validity }: PackageReport,
  options: { isLocked?: boolean; more?: Finding[] } = {},
) {
  const pkgId = String(job.input['pkgId'])
  const [known] = await ctx.db.select({ appId: packages.appId }).from(packages).where(eq(packages.pkgId, pkgId))
  if (!known) return null
  const app = await (options.isLocked ? lockApp : appOf)(ctx, known.appId)
  const row = await openPackage(ctx, job)
  if (!row) return null
  const own = softenForKnownApp<Finding>(facts.findings, app.lastShelf !== null)
  const related = relationFindings(await relationsOf(ctx, app, row))
  const findings = [...own, ...(options.more ?? []), ...validityFindings(validity, ctx.now()), ...related]
  if (blocking(findings, row.usage).length > 0) throw new Blocked(findings)
  return { ...row, projectId: app.projectId, findings }
}

async function settleName(ctx: Context, appId: string, packageName: string): Promise<void> {
  try {
    await ctx.transact(inner => settlePackageName(inner, appId, packageName))
  } catch (error) {
    const { packageNameTaken, packageNameReserved, packageNameDiffers, packageNameInvalid } = apps.errors
    const number = error instanceof Refusal ? error.number : 0
    if (number === packageNameTaken[0] || number === packageNameReserved[0]) {
      throw new Blocked([relationFinding(1004, { packageName })])
    }
    if (number === packageNameDiffers[0] || number === packageNameInvalid[0]) {
      const { expected } = (error as Refusal).detail
      throw new Blocked([relationFinding(992, { found: packageName, expected: String(expected ?? 'of another form') })])
    }
    throw error
  }
}

/** With the app locked, so that of two packages with one version code one is accepted. */
async function accept(ctx: Context, job: JobRun, report: PackageReport, results: Results): Promise<boolean> {
  const { iconObjectId, made, findings: more } = results
  const row = await check(ctx, job, report, { isLocked: true, more })
  if (!row) return false
  const { installable = null, splits = [], splitSet = [] } = made ?? {}
  await ctx.db
    .update(packages)
    .set({ iconObjectId, installable, splits, splitSet, findings: row.findings, freeSince: ctx.now() })
    .where(eq(packages.pkgId, row.pkgId))
  await releaseObjects(ctx, madeBefore(row))
  await tellSigning(ctx, row, made)
  const { packageName, versionCode, versionName } = row
  await move(ctx, row, 'accept', { packageName, versionCode, versionName })
  return true
}

/** Who signed is noted where it decides something: not of expansion files, nor of what testers only get. */
async function tellSigning(ctx: Context, row: PackageRecord, made: Installables | null): Promise<void> {
  const [signer] = made ? row.uploadSigners : row.signers
  const uploader = row.certificates.find(one => one.certSha256 === signer)
  const isOwn = row.kind === 'APK' && row.usage === 'TEST_AND_FORMAL'
  // What the store made anew nobody uploaded.
  if (!uploader || (!made && !isOwn) || row.rebuiltFrom !== null) return
  await recordAccepted(ctx, row.appId, { isBundle: row.kind === 'AAB', uploader, signedWith: made?.signedWith ?? null })
}

async function fail(ctx: Context, job: JobRun, findings: Finding[]): Promise<void> {
  const row = await openPackage(ctx, job)
  if (!row) return
  const left = findings.some(one => one.code === 1199) ? { ...noFacts, chains: [] } : {}
  await ctx.db
    .update(packages)
    .set({ ...left, findings, iconObjectId: null, installable: null, splits: [], splitSet: [] })
    .where(eq(packages.pkgId, row.pkgId))
  await releaseObjects(ctx, madeBefore(row))
  await move(ctx, row, 'fail', { findings: blocking(findings, row.usage).slice(0, 20) })
}

async function move(
  ctx: Context,
  row: PackageRecord,
  action: 'parse' | 'check' | 'compile' | 'accept' | 'fail',
  data: Record<string, unknown> = {},
): Promise<void> {
  const { pkgId, appId, state, revision } = row
  await transition(ctx, {
    cycle: packageCycle,
    table: 'packages',
    idColumn: 'pkg_id',
    row: { id: pkgId, state, revision },
    action,
    data: { appId, ...data },
  })
}

interface Icon {
  bytes: Buffer
  fileName: string
}

/** The icon of a package that will be looked at; none where it cannot be read, for an icon fails no package. */
async function readIcon(path: string, report: PackageReport): Promise<Icon | null> {
  if (report.iconPath === null) return null
  const archive = await openArchive(path)
  try {
    const entry = archive.byName.get(report.iconPath)
    if (!entry) return null
    const bytes = await archive.readEntry(entry, limits.iconBytes)
    return { bytes, fileName: bytes.toString('latin1', 0, 4) === 'RIFF' ? 'icon.webp' : 'icon.png' }
  } catch {
    return null
  } finally {
    await archive.close()
  }
}

async function storeIcon(ctx: Context, icon: Icon | null, heldFor: HeldFor): Promise<string | null> {
  if (!icon) return null
  const wanted = { stream: Readable.from([icon.bytes]), fileName: icon.fileName, bizTag: 'app_img' as const, heldFor }
  return (await storeObject(ctx, { ...wanted, limitBytes: limits.iconBytes })).objectId
}
