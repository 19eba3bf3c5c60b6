import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Finding, finding } from '../apk/findings.ts'
import { anomalyFinding, refusalFinding } from '../apk/inspect-findings.ts'
import { sizeBreakdown } from '../apk/size-breakdown.ts'
import { openArchive, type ZipArchive } from '../apk/zip.ts'
import { ZipRefusal } from '../apk/zip-anomaly.ts'
import type { ZipEntry } from '../apk/zip-directory.ts'
import { scanEntries } from '../apk/zip-scan.ts'
import type { PackageReport } from '../facts.ts'
import type { PackageLibrary, PrivacyManifest } from '../tables.ts'
import { readArchive } from './archive.ts'
import { harmonyDetails, harmonyLibraries, moduleFacts, moduleFindings, modulePart, readSigning } from './hap.ts'
import { type HarmonyModule, readModule } from './harmony-module.ts'
import { hasHarmonyBlock } from './harmony-signature.ts'
import { readPrivacy } from './pac.ts'

const PART_LIMIT = 64
const PART = /^[^/]+\.(hap|hsp)$/i

interface Part {
  file: string
  sizeBytes: number
  module: HarmonyModule
  libraries: PackageLibrary[]
  privacy: PrivacyManifest | null
  signing: Awaited<ReturnType<typeof readSigning>> | null
}

/** Reads a HarmonyOS app: the HAPs and HSPs inside, which must agree with one another, and who signed. */
export function readHarmonyApp(path: string): Promise<PackageReport> {
  return readArchive(path, async (archive, findings) => {
    const files = archive.entries.filter(entry => PART.test(entry.name))
    if (!archive.byName.has('pack.info')) findings.push(finding(994, { file: 'pack.info' }))
    if (files.length === 0) findings.push(finding(994, { file: 'a HAP' }))
    if (files.length === 0 || files.length > PART_LIMIT || findings.some(one => one.code === 1113)) return null
    const isSigned = await hasHarmonyBlock(archive)
    const parts = await readParts(archive, files, !isSigned, findings)
    const main = (parts.find(one => one.module.type === 'entry') ?? parts[0])?.module ?? null
    const own = isSigned ? await readSigning(archive, main?.bundleName ?? null, findings) : null
    const signing = own ?? parts.find(one => one.signing !== null)?.signing ?? null
    findings.push(...agreementFindings(parts))
    const libraries = parts.flatMap(one => one.libraries)
    return {
      found: {
        ...(main && moduleFacts(main)),
        ...signing?.facts,
        deviceTypes: unique(parts.flatMap(one => one.module.deviceTypes)),
        permissions: unique(parts.flatMap(one => one.module.permissions.map(asked => asked.name))).map(name => ({
          name,
        })),
        components: parts.flatMap(one => one.module.components),
        debuggable: parts.some(one => one.module.isDebug),
        modules: parts.map(one => modulePart(one.module, one.sizeBytes)),
        abis: unique(libraries.map(one => one.abi)),
        nativeLibraries: libraries,
        folders: sizeBreakdown(archive, []).folders,
        privacy: parts.find(one => one.privacy)?.privacy ?? null,
        details: { harmony: harmonyDetails(main, signing?.profile ?? null) },
        findings,
      },
      rest: { chains: signing?.chains ?? [], validity: signing?.validity ?? [] },
    }
  })
}

const unique = <T>(list: readonly T[]): T[] => [...new Set(list)]

async function readParts(
  archive: ZipArchive,
  files: readonly ZipEntry[],
  needsSignature: boolean,
  findings: Finding[],
): Promise<Part[]> {
  const folder = await mkdtemp(join(tmpdir(), 'loggia-app-'))
  const parts: Part[] = []
  try {
    for (const [index, entry] of files.entries()) {
      const path = join(folder, `${index}.hap`)
      await pipeline(Readable.from(archive.streamEntry(entry)), createWriteStream(path))
      const part = await readPart(path, entry, needsSignature, findings)
      if (part) parts.push(part)
      await rm(path)
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  return parts
}

async function readPart(path: string, entry: ZipEntry, needsSignature: boolean, all: Finding[]): Promise<Part | null> {
  const findings: Finding[] = []
  const within = (one: Finding): Finding => ({
    ...one,
    detail: `${entry.name}: ${one.detail}`,
    params: { ...one.params, part: entry.name },
  })
  let inner: ZipArchive
  try {
    inner = await openArchive(path)
  } catch (error) {
    if (!(error instanceof ZipRefusal)) throw error
    all.push(within(refusalFinding(error.anomaly)))
    return null
  }
  try {
    findings.push(...[...inner.anomalies, ...(await scanEntries(inner))].map(anomalyFinding))
    const module = await readModule(inner, findings)
    if (!module) return null
    findings.push(...moduleFindings(module))
    const signing = needsSignature ? await readSigning(inner, module.bundleName, findings) : null
    const privacy = await readPrivacy(inner, findings)
    const libraries = harmonyLibraries(inner)
    return { file: entry.name, sizeBytes: entry.compressedBytes, module, libraries, privacy, signing }
  } finally {
    all.push(...findings.map(within))
    await inner.close()
  }
}

/** All modules are of one bundle and version, names come once, and each kind of device has one entry. */
function agreementFindings(parts: readonly Part[]): Finding[] {
  const [first] = parts
  if (!first) return []
  const findings: Finding[] = []
  for (const { file, module, signing } of parts.slice(1)) {
    for (const field of ['bundleName', 'versionCode', 'versionName'] as const) {
      if (module[field] === first.module[field]) continue
      const [found, expected] = [module[field] ?? 'none', first.module[field] ?? 'none']
      findings.push(finding(1126, { part: file, field, found, expected }))
    }
    const [mine, others] = [signing?.facts.signers.join(', ') ?? '', first.signing?.facts.signers.join(', ') ?? '']
    if (mine !== others) findings.push(finding(1126, { part: file, field: 'signer', found: mine, expected: others }))
  }
  const taken = new Map<string, string>()
  for (const { file, module } of parts) {
    const places = [`module ${module.name}`]
    if (module.type === 'entry') places.push(...module.deviceTypes.map(type => `entry for ${type}`))
    for (const place of places) {
      const before = taken.get(place)
      if (before === undefined) taken.set(place, file)
      else findings.push(finding(1126, { part: file, field: place, found: 'a second one', expected: `only ${before}` }))
    }
  }
  return findings
}
