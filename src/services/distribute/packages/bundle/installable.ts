import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Context } from '../../../../server/context.ts'
import { ProgramFailure } from '../../../../server/programs.ts'
import { type HeldFor, releaseObjects, storeObject } from '../../../ground/files/public.ts'
import { bundleSignerOf, missingForSigning, signForDevices, storeSignerOf } from '../../signing/public.ts'
import { keepChannel } from '../apk/channel.ts'
import { parseManifest } from '../apk/manifest.ts'
import { openArchive } from '../apk/zip.ts'
import type { PackageReport } from '../facts.ts'
import type { PackageRecord } from '../queries.ts'
import { type Finding, limits, relationFinding } from '../rules.ts'
import type { InstallablePackage, PackageSplit, SplitPart } from '../tables.ts'
import { makeApks, missingForBundles } from './bundle-apks.ts'
import { makeParts } from './split-apks.ts'
import { setProblem } from './split-plan.ts'

const MANIFEST_LIMIT_BYTES = 8 << 20

type Row = PackageRecord & HeldFor

/** What devices get instead of an upload. */
export interface Installables {
  installable: InstallablePackage
  splits: PackageSplit[]
  /** The base first; empty where there is nothing to choose from. */
  splitSet: SplitPart[]
  /** The store's certificate on them. */
  signedWith: string
}

const isBundle = (row: PackageRecord) => row.kind === 'AAB'

/** Devices see the store's signature on what is made of a bundle, and on every APK of an app that the store signs. */
export async function signedByStore(ctx: Context, row: PackageRecord, report: PackageReport): Promise<PackageReport> {
  const { facts } = report
  const uploadSigners = isBundle(row) ? facts.uploadSigners : facts.signers
  if (uploadSigners.length === 0) return report
  const signer = isBundle(row) ? await bundleSignerOf(ctx, row) : await ctx.transact(inner => storeSignerOf(inner, row))
  if (!signer) return report
  const own = signer.certificates.map(one => ({ scheme: 'v2', serial: '', ...one }))
  const certificates = [...own, ...facts.certificates]
  return {
    ...report,
    facts: { ...facts, uploadSigners, signers: [signer.certSha256], lineage: signer.lineage, certificates },
  }
}

/** Whether devices get something else than what was uploaded. */
export const isMade = (row: PackageRecord): boolean =>
  row.uploadSigners.length > 0 && (row.kind === 'AAB' || row.kind === 'APK')

/** What devices get of an upload, stored; or the finding that says why there is none. */
export async function makeInstallables(
  ctx: Context,
  row: Row,
  path: string,
  signal: AbortSignal,
): Promise<{ made: Installables | null; findings: Finding[] }> {
  const lacking = await (isBundle(row) ? missingForBundles() : missingForSigning())
  if (lacking) return { made: null, findings: [relationFinding(1117, lacking)] }
  const folder = await mkdtemp(join(tmpdir(), 'loggia-made-'))
  const stored: string[] = []
  try {
    const made = isBundle(row)
      ? await fromBundle(ctx, row, path, { folder, signal, stored })
      : await fromApk(ctx, row, path, { folder, signal, stored })
    stored.length = 0
    return { made, findings: [] }
  } catch (error) {
    if (!(error instanceof ProgramFailure)) throw error
    return { made: null, findings: [relationFinding(1120, { reason: error.message })] }
  } finally {
    await rm(folder, { recursive: true, force: true })
    if (stored.length > 0) await ctx.transact(inner => releaseObjects(inner, stored))
  }
}

interface Work {
  folder: string
  signal: AbortSignal
  /** What is in the store already, to be let go of when the rest fails. */
  stored: string[]
}

async function fromBundle(ctx: Context, row: Row, path: string, work: Work): Promise<Installables> {
  const { folder, signal, stored } = work
  const apks = await makeApks(path, folder, { abis: row.abis, signal })
  const name = row.fileName.replace(/\.aab$/i, '')
  let installable: InstallablePackage | null = null
  let signedWith = ''
  const splits: PackageSplit[] = []
  for (const { abi, path: input } of apks) {
    const output = join(folder, `signed-${abi ?? 'universal'}.apk`)
    signedWith = await signForDevices(ctx, row, { input, output, minSdk: row.minSdk ?? 1, signal })
    const kept = await keep(ctx, row, output, abi === null ? `${name}.apk` : `${name}-${abi}.apk`)
    stored.push(kept.objectId)
    if (abi === null) installable = kept
    else splits.push({ abi, ...kept })
  }
  if (!installable) throw new Error('a bundle gave no universal package')
  return { installable, splits, splitSet: await fromParts(ctx, row, path, work), signedWith }
}

/** Throws ProgramFailure when what came out would not be installed together. */
async function fromParts(ctx: Context, row: Row, path: string, work: Work): Promise<SplitPart[]> {
  const { packageName, versionCode, abis } = row
  const { folder, signal, stored } = work
  if (packageName === null || versionCode === null) return []
  const parts = await makeParts(path, folder, { packageName, versionCode, abis, signal })
  const set: SplitPart[] = []
  const manifests = []
  for (const { path: input, ...target } of parts) {
    const output = `${input}.signed`
    await signForDevices(ctx, row, { input, output, minSdk: row.minSdk ?? 1, signal })
    manifests.push(await manifestIn(output))
    const name = row.fileName.replace(/\.aab$/i, '')
    const kept = await keep(ctx, row, output, `${name}-${target.split ?? 'base'}.apk`)
    stored.push(kept.objectId)
    set.push({ ...target, ...kept })
  }
  const problem = manifests.length === 0 ? null : setProblem(manifests)
  if (problem !== null) throw new ProgramFailure(`the splits do not fit together: ${problem}`)
  return set
}

async function manifestIn(path: string) {
  const archive = await openArchive(path)
  try {
    const entry = archive.byName.get('AndroidManifest.xml')
    if (!entry) throw new ProgramFailure('a split came out without a manifest')
    return parseManifest(await archive.readEntry(entry, MANIFEST_LIMIT_BYTES), null)
  } finally {
    await archive.close()
  }
}

async function fromApk(ctx: Context, row: Row, path: string, work: Work): Promise<Installables> {
  const { folder, signal, stored } = work
  const output = join(folder, 'signed.apk')
  const signedWith = await signForDevices(ctx, row, { input: path, output, minSdk: row.minSdk ?? 1, signal })
  const installable = await keep(ctx, row, await keepChannel(path, output, join(folder, 'channel.apk')), row.fileName)
  stored.push(installable.objectId)
  return { installable, splits: [], splitSet: [], signedWith }
}

async function keep(ctx: Context, row: Row, path: string, fileName: string): Promise<InstallablePackage> {
  const { objectId, sizeBytes, sha256 } = await storeObject(ctx, {
    stream: createReadStream(path),
    fileName,
    bizTag: 'app_pkg',
    limitBytes: limits.sizeBytes,
    heldFor: row,
  })
  return { objectId, fileName, sizeBytes, sha256 }
}
