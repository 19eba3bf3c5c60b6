import { X509Certificate } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Context } from '../../../../server/context.ts'
import { type HeldFor, storeObject } from '../../../ground/files/public.ts'
import { certificateFacts, parseCertificate } from '../apk/signature/certificate.ts'
import type { PackageReport } from '../facts.ts'
import type { PackageRecord } from '../queries.ts'
import { type Finding, limits, relationFinding } from '../rules.ts'
import type { InstallablePackage } from '../tables.ts'
import { appKeyOf } from './app-key.ts'
import { BundleFailure, makeUniversalApk, missingPrograms } from './universal-apk.ts'

/** Devices see the store's signature on what is made of a bundle, not the uploader's. */
export async function signedByStore(ctx: Context, row: PackageRecord, report: PackageReport): Promise<PackageReport> {
  if (report.facts.uploadSigners.length === 0) return report
  const { certificate, certSha256 } = await appKeyOf(ctx, row)
  const own = { scheme: 'v2', ...certificateFacts(parseCertificate(new X509Certificate(certificate).raw)) }
  const certificates = [own, ...report.facts.certificates]
  return { ...report, facts: { ...report.facts, signers: [certSha256], certificates } }
}

/** The APK of a bundle, stored; or the finding that says why there is none. */
export async function compileBundle(
  ctx: Context,
  row: PackageRecord & HeldFor,
  path: string,
  signal: AbortSignal,
): Promise<{ installable: InstallablePackage | null; findings: Finding[] }> {
  const lacking = await missingPrograms()
  if (lacking) return { installable: null, findings: [relationFinding(1117, lacking)] }
  const folder = await mkdtemp(join(tmpdir(), 'loggia-bundle-'))
  try {
    const key = await appKeyOf(ctx, row)
    const apk = await makeUniversalApk(path, folder, key, { minSdk: row.minSdk ?? 1, signal })
    const fileName = row.fileName.replace(/\.aab$/i, '.apk')
    const { objectId, sizeBytes, sha256 } = await storeObject(ctx, {
      stream: createReadStream(apk),
      fileName,
      bizTag: 'app_pkg',
      limitBytes: limits.sizeBytes,
      heldFor: row,
    })
    return { installable: { objectId, fileName, sizeBytes, sha256 }, findings: [] }
  } catch (error) {
    if (!(error instanceof BundleFailure)) throw error
    return { installable: null, findings: [relationFinding(1120, { reason: error.message })] }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
