import { type Finding, finding } from '../apk/findings.ts'
import { sizeBreakdown } from '../apk/size-breakdown.ts'
import type { ZipArchive } from '../apk/zip.ts'
import type { PackageReport } from '../facts.ts'
import type { HarmonyProfile } from '../tables.ts'
import { readArchive } from './archive.ts'
import { type HarmonyModule, iconPathOf, readModule } from './harmony-module.ts'
import { readProfile } from './harmony-profile.ts'
import { type HarmonyProblem, type HarmonySignature, verifyHarmony } from './harmony-signature.ts'
import { readPrivacy } from './pac.ts'
import { encodedChain, signedBy } from './signers.ts'

const RELEASE = 'Release'
const LIBRARY = /^libs\/([^/]+)\/[^/]+\.so$/

/** Reads a single HarmonyOS module package: HAP or HSP. */
export function readHap(path: string): Promise<PackageReport> {
  return readArchive(path, async (archive, findings) => {
    const module = await readModule(archive, findings)
    const signing = await readSigning(archive, module?.bundleName ?? null, findings)
    if (module) findings.push(...moduleFindings(module))
    const libraries = harmonyLibraries(archive)
    const breakdown = sizeBreakdown(archive, libraries)
    return {
      found: {
        ...(module && moduleFacts(module)),
        ...signing.facts,
        modules: module ? [modulePart(module, archive.file.sizeBytes)] : [],
        abis: [...new Set(libraries.map(one => one.abi))],
        folders: breakdown.folders,
        nativeLibraries: breakdown.nativeLibraries,
        privacy: await readPrivacy(archive, findings),
        details: { harmony: harmonyDetails(module, signing.profile) },
        findings,
      },
      rest: { iconPath: iconPathOf(archive, module?.icon ?? null), chains: signing.chains, validity: signing.validity },
    }
  })
}

/** The columns that one module decides. */
export function moduleFacts(module: HarmonyModule) {
  return {
    packageName: module.bundleName,
    versionCode: module.versionCode,
    versionName: module.versionName,
    label: module.label,
    minSdk: module.minApi,
    targetSdk: module.targetApi,
    deviceTypes: module.deviceTypes,
    permissions: module.permissions,
    components: module.components,
    debuggable: module.isDebug,
  }
}

export function modulePart({ name, type, deviceTypes, delivery }: HarmonyModule, sizeBytes: number) {
  return { name, type, sizeBytes, deviceTypes, delivery }
}

export function harmonyDetails(module: HarmonyModule | null, profile: HarmonyProfile | null) {
  const { bundleType = '', apiReleaseType = '', buildVersion = '' } = module ?? {}
  return { bundleType, apiReleaseType, buildVersion, profile }
}

/** What one module can be blamed for. */
export function moduleFindings(module: HarmonyModule): Finding[] {
  const findings: Finding[] = []
  if (module.versionCode === null) findings.push(finding(1106, { versionCode: 'missing' }))
  if (module.isDebug) findings.push(finding(1104))
  if (module.apiReleaseType !== '' && !module.apiReleaseType.startsWith(RELEASE)) {
    findings.push(finding(1127, { found: module.apiReleaseType }))
  }
  return findings
}

export function harmonyLibraries(archive: ZipArchive) {
  return archive.entries.flatMap(entry => {
    const abi = LIBRARY.exec(entry.name)?.[1]
    return abi === undefined ? [] : [{ path: entry.name, abi, sizeBytes: entry.expandedBytes }]
  })
}

/** Verifies signature and profile; what is wrong goes to `findings`. */
export async function readSigning(archive: ZipArchive, bundleName: string | null, findings: Finding[]) {
  const nothing = { facts: signedBy('HAP', []), profile: null, chains: [], validity: [] as PackageReport['validity'] }
  const signature = await verifyHarmony(archive)
  if (isProblem(signature)) {
    findings.push(problemFinding(signature))
    return nothing
  }
  const [signer, ...issuers] = signature.chain
  if (!signer) return nothing
  if (!signature.isRooted) findings.push(finding(1002, { reason: 'it does not lead to a root' }))
  const validity: PackageReport['validity'] = signature.chain.map(one => ({
    code: 1005 as const,
    what: one.x509.subject.split('\n').at(-1) ?? '',
    notBefore: Date.parse(one.x509.validFrom),
    notAfter: Date.parse(one.x509.validTo),
  }))
  const read = signature.profile ? readProfile(signature.profile, signer, bundleName) : null
  if (read) findings.push(...read.findings)
  else findings.push(finding(993, { reason: 'there is none' }))
  return {
    facts: signedBy('HAP', [signer], issuers),
    profile: read?.profile ?? null,
    chains: [signature.chain, signature.profile?.chain ?? []].filter(chain => chain.length > 0).map(encodedChain),
    validity: [...validity, ...(read?.validity ?? [])],
  }
}

const isProblem = (found: HarmonySignature | HarmonyProblem): found is HarmonyProblem => 'part' in found

function problemFinding({ part, reason, detail }: HarmonyProblem): Finding {
  if (part === 'profile') return finding(993, { reason: detail })
  return reason === 'no-signature' ? finding(1101) : finding(1102, { scheme: 'HAP', reason: detail, cause: reason })
}
