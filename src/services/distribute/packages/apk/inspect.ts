import { stat } from 'node:fs/promises'
import { type Finding, finding } from './findings.ts'
import { resolveIcon } from './icon.ts'
import {
  abiFindings,
  absenceFinding,
  alignmentFindings,
  anomalyFinding,
  manifestFindings,
  refusalFinding,
  signatureFindings,
} from './inspect-findings.ts'
import { knownSdks, type Sdk } from './known-sdks.ts'
import { type Manifest, parseManifest } from './manifest.ts'
import { misalignedLibraries, nativeLibraries } from './native-libraries.ts'
import { ResourceFormatError } from './resource-chunk.ts'
import { parseResourceTable, type ResourceTable } from './resource-table.ts'
import { type SignatureReport, verifySignatures } from './signature/verify.ts'
import { type SizeBreakdown, sizeBreakdown } from './size-breakdown.ts'
import { openArchive, type ZipArchive } from './zip.ts'
import { ZipRefusal } from './zip-anomaly.ts'
import { scanEntries } from './zip-scan.ts'

/** Everything the bytes of an APK say. Parts that could not be read are null; `findings` says why. */
export type ApkReport = {
  sizeBytes: number
  manifest: Manifest | null
  /** Path inside the package of the largest icon bitmap (PNG or WEBP). */
  iconPath: string | null
  abis: string[]
  sdks: Sdk[]
  signature: SignatureReport | null
  breakdown: SizeBreakdown | null
  /** By code; the same code may come more than once. */
  findings: Finding[]
}

export type InspectOptions = {
  /** API level below which `targetSdk` earns a warning; without it none does. */
  targetSdkFloor?: number
}

const MANIFEST = 'AndroidManifest.xml'
const RESOURCES = 'resources.arsc'
const MANIFEST_LIMIT_BYTES = 16 << 20
const RESOURCES_LIMIT_BYTES = 256 << 20

/** Reads and verifies the APK at `path`. Broken and hostile files become findings; throws only when reading fails. */
export async function inspectApk(path: string, options: InspectOptions = {}): Promise<ApkReport> {
  let archive: ZipArchive
  try {
    archive = await openArchive(path)
  } catch (error) {
    if (!(error instanceof ZipRefusal)) throw error
    return emptyReport((await stat(path)).size, [refusalFinding(error.anomaly)])
  }
  try {
    const absence = absenceFinding(archive)
    if (!absence) return await inspectArchive(archive, options)
    return emptyReport(archive.file.sizeBytes, [absence, ...archive.anomalies.map(anomalyFinding)])
  } finally {
    await archive.close()
  }
}

function emptyReport(sizeBytes: number, findings: Finding[]): ApkReport {
  return { sizeBytes, manifest: null, iconPath: null, abis: [], sdks: [], signature: null, breakdown: null, findings }
}

async function inspectArchive(archive: ZipArchive, options: InspectOptions): Promise<ApkReport> {
  const findings: Finding[] = []
  // The scan keeps the second core busy with expanding while this one parses and hashes.
  const [anomalies, read] = await Promise.all([scanEntries(archive), readAndVerify(archive, findings)])
  const { manifest, resources, signature } = read
  const libraries = nativeLibraries(archive)
  const abis = [...new Set(libraries.map(({ abi }) => abi))]
  if (manifest) findings.push(...manifestFindings(manifest, options.targetSdkFloor ?? null))
  findings.push(...signatureFindings(signature), ...abiFindings(abis))
  findings.push(...[...archive.anomalies, ...anomalies].map(anomalyFinding))
  // In an archive that lies about its entries, a library may not be where it is said to be.
  if (anomalies.length === 0) findings.push(...alignmentFindings(await misalignedLibraries(archive, libraries)))
  return {
    sizeBytes: archive.file.sizeBytes,
    manifest,
    iconPath: manifest && (await resolveIcon(archive, resources, manifest.iconReference)),
    abis,
    sdks: await knownSdks(archive, manifest?.components ?? []),
    signature,
    breakdown: sizeBreakdown(archive, libraries),
    findings: findings.sort((a, b) => a.code - b.code),
  }
}

async function readAndVerify(archive: ZipArchive, findings: Finding[]) {
  const resources = tolerant(await attempt(findings, 1116, () => readResources(archive)), findings)
  const manifest = await attempt(findings, 996, () => readManifest(archive, resources))
  const { minSdk = 1, targetSdk = 1, targetSandboxVersion = 1 } = manifest ?? {}
  const signature = await verifySignatures(archive, { minSdk, targetSdk, targetSandboxVersion })
  return { resources, manifest, signature }
}

async function readResources(archive: ZipArchive): Promise<ResourceTable | null> {
  const entry = archive.byName.get(RESOURCES)
  return entry ? parseResourceTable(await archive.readEntry(entry, RESOURCES_LIMIT_BYTES)) : null
}

async function readManifest(archive: ZipArchive, resources: ResourceTable | null): Promise<Manifest | null> {
  const entry = archive.byName.get(MANIFEST)
  return entry ? parseManifest(await archive.readEntry(entry, MANIFEST_LIMIT_BYTES), resources) : null
}

/** Null and a finding when the content is malformed; anything else that fails is thrown. */
async function attempt<T>(findings: Finding[], code: 996 | 1116, read: () => Promise<T | null>): Promise<T | null> {
  try {
    return await read()
  } catch (error) {
    if (!isMalformed(error)) throw error
    findings.push(finding(code, { file: code === 996 ? MANIFEST : RESOURCES, reason: error.message }))
    return null
  }
}

/** RangeError is what a Buffer throws when a length inside the file points outside of it. */
const isMalformed = (error: unknown): error is Error =>
  error instanceof ResourceFormatError || error instanceof ZipRefusal || error instanceof RangeError

/** A table is decoded when asked, so its faults show late: they cost the text that was asked for and one warning. */
function tolerant(resources: ResourceTable | null, findings: Finding[]): ResourceTable | null {
  if (!resources) return null
  const variants = (resourceId: number) => {
    try {
      return resources.variants(resourceId)
    } catch (error) {
      if (!isMalformed(error)) throw error
      if (!findings.some(({ code }) => code === 1116)) findings.push(finding(1116, { reason: error.message }))
      return []
    }
  }
  return { variants }
}
