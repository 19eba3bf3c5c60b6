import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { eq } from 'drizzle-orm'
import { ZipFile } from 'yazl'
import type { Context } from '../../../../server/context.ts'
import { releaseObjects, storeObject } from '../../../ground/files/public.ts'
import { appOf } from '../../apps/public.ts'
import { openArchive, type ZipArchive } from '../apk/zip.ts'
import type { PackageReport } from '../facts.ts'
import { loadPackage, type PackageRecord } from '../queries.ts'
import { readPackage } from '../readers/read-package.ts'
import { limits, relationFinding } from '../rules.ts'
import { packages } from '../tables.ts'
import { underVersion, type VersionWords } from './forward-manifest.ts'
import type { Installables } from './installable.ts'

/** Old enough not to change from run to run. */
const NO_TIME = new Date(1980, 0, 1)
const MANIFEST = /^[^/]+\/manifest\/AndroidManifest\.xml$/
const MANIFEST_LIMIT_BYTES = 8 << 20
/** Whoever signed the upload did not sign what is made of it. */
const SIGNATURE = /^META-INF\/(?:MANIFEST\.MF|[^/]+\.(?:SF|RSA|DSA|EC))$/i
const unsignedCodes = [1101, 1102]

/** Writes the bundle under its new version, where that was not done yet; answers the package with its own bytes. */
export async function madeAnew(ctx: Context, row: PackageRecord, signal: AbortSignal): Promise<PackageRecord> {
  const { rebuiltFrom, pkgId, fileName, sha256, objectId } = row
  if (rebuiltFrom === null || rebuiltFrom.isMade) return row
  const app = await ctx.transact(inner => appOf(inner, row.appId))
  const file = await ctx.server.bytes(ctx.zone).localFile(sha256)
  const folder = await mkdtemp(join(tmpdir(), 'loggia-rebuilt-'))
  try {
    const path = join(folder, 'rebuilt.aab')
    await writeUnder(file.path, path, rebuiltFrom, signal)
    const stream = createReadStream(path)
    const heldFor = { teamId: row.teamId, appId: row.appId, projectId: app.projectId }
    const stored = await storeObject(ctx, {
      stream,
      fileName,
      bizTag: 'app_pkg',
      limitBytes: limits.sizeBytes,
      heldFor,
    })
    const own = { objectId: stored.objectId, sizeBytes: stored.sizeBytes, sha256: stored.sha256 }
    const isOurs = await ctx.transact(async inner => {
      const [open] = await inner.db.select().from(packages).where(eq(packages.pkgId, pkgId)).for('update')
      // A run before this one that was thought dead may have been faster.
      if (open?.objectId !== objectId) return false
      await inner.db
        .update(packages)
        .set({ ...own, rebuiltFrom: { ...rebuiltFrom, isMade: true } })
        .where(eq(packages.pkgId, pkgId))
      await releaseObjects(inner, [objectId])
      return true
    })
    if (isOurs) return { ...row, ...own, rebuiltFrom: { ...rebuiltFrom, isMade: true } }
    await ctx.transact(inner => releaseObjects(inner, [stored.objectId]))
    return ctx.transact(inner => loadPackage(inner, pkgId))
  } finally {
    await file.release()
    await rm(folder, { recursive: true, force: true })
  }
}

async function writeUnder(from: string, to: string, words: VersionWords, signal: AbortSignal): Promise<void> {
  const archive = await openArchive(from)
  try {
    const zip = new ZipFile()
    const written = pipeline(zip.outputStream, createWriteStream(to), { signal })
    for (const entry of archive.entries) {
      if (SIGNATURE.test(entry.name) || entry.name.endsWith('/')) continue
      const options = { mtime: NO_TIME, mode: 0o100644 }
      if (MANIFEST.test(entry.name)) zip.addBuffer(await manifestUnder(archive, entry.name, words), entry.name, options)
      else
        zip.addReadStreamLazy(entry.name, options, callback =>
          callback(null, Readable.from(archive.streamEntry(entry))),
        )
    }
    zip.end()
    await written
  } finally {
    await archive.close()
  }
}

/** Every module carries the version of the whole. */
async function manifestUnder(archive: ZipArchive, name: string, words: VersionWords): Promise<Buffer> {
  const entry = archive.byName.get(name)
  if (!entry) throw new Error(`${name} is not in the archive`)
  return underVersion(await archive.readEntry(entry, MANIFEST_LIMIT_BYTES), words)
}

/** Who uploaded what a bundle was made of answers for it: it was looked at when it came. */
export async function asUploaded(ctx: Context, row: PackageRecord, report: PackageReport): Promise<PackageReport> {
  if (row.rebuiltFrom === null) return report
  const { pkgId } = row.rebuiltFrom
  const { uploadSigners, certificates } = await ctx.transact(inner => loadPackage(inner, pkgId))
  const findings = report.facts.findings.filter(one => !unsignedCodes.includes(one.code))
  const uploaders = certificates.filter(one => uploadSigners.includes(one.certSha256))
  return { ...report, facts: { ...report.facts, uploadSigners, certificates: uploaders, findings } }
}

/** Reads what devices would get with our own reader, and finds what is not as it was to be. */
export async function checkMadeAnew(ctx: Context, row: PackageRecord, { installable, signedWith }: Installables) {
  const wanted = row.rebuiltFrom
  if (wanted === null) return []
  const file = await ctx.server.bytes(ctx.zone).localFile(installable.sha256)
  try {
    const { fileName } = installable
    const { facts } = await readPackage('APK', file.path, { fileName, targetSdkFloor: limits.targetSdkFloor })
    const { packageName, versionCode, versionName, signers } = facts
    const isRight =
      packageName === row.packageName &&
      versionCode === wanted.versionCode &&
      versionName === wanted.versionName &&
      signers.includes(signedWith) &&
      !facts.findings.some(one => unsignedCodes.includes(one.code))
    if (isRight) return []
    const found = `${packageName} ${versionName} (${versionCode}), signed by ${signers.join(', ')}`
    return [relationFinding(1120, { reason: `what came out is ${found}` })]
  } finally {
    await file.release()
  }
}
