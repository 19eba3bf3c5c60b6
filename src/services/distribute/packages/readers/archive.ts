import { stat } from 'node:fs/promises'
import { type Finding, finding } from '../apk/findings.ts'
import { anomalyFinding, refusalFinding } from '../apk/inspect-findings.ts'
import { openArchive, type ZipArchive } from '../apk/zip.ts'
import { ZipRefusal } from '../apk/zip-anomaly.ts'
import { scanEntries } from '../apk/zip-scan.ts'
import { type PackageReport, reportOf } from '../facts.ts'

/** What a reader makes of an archive; what it finds it adds to `findings`. */
export type ReadArchive = (
  archive: ZipArchive,
  findings: Finding[],
) => Promise<{ found: Parameters<typeof reportOf>[0]; rest?: Parameters<typeof reportOf>[1] } | null>

/**
 * Opens an archive, holds it against every rule of safe archives, and only then lets a reader look inside. Broken and
 * hostile files become findings; throws only when reading fails.
 */
export async function readArchive(path: string, read: ReadArchive): Promise<PackageReport> {
  const findings: Finding[] = []
  let archive: ZipArchive
  try {
    archive = await openArchive(path)
  } catch (error) {
    if (!(error instanceof ZipRefusal)) throw error
    return reportOf({ findings: [refusalFinding(error.anomaly)] })
  }
  try {
    const anomalies = [...archive.anomalies, ...(await scanEntries(archive))]
    findings.push(...anomalies.map(anomalyFinding))
    const told = await read(archive, findings)
    const sorted = findings.toSorted((a, b) => a.code - b.code)
    return reportOf({ ...told?.found, findings: sorted }, told?.rest)
  } catch (error) {
    if (!isMalformed(error)) throw error
    const file = error instanceof ZipRefusal ? String(error.anomaly.params['entry'] ?? 'The archive') : 'The archive'
    return reportOf({ findings: [...findings, finding(996, { file, reason: error.message })] })
  } finally {
    await archive.close()
  }
}

/** RangeError is what a Buffer throws when a length inside the file points outside of it. */
export const isMalformed = (error: unknown): error is Error =>
  error instanceof ZipRefusal || error instanceof RangeError

export async function sizeOf(path: string): Promise<number> {
  return (await stat(path)).size
}
