import { type Finding, finding } from './findings.ts'
import type { Manifest } from './manifest.ts'
import { type MisalignedLibrary, missingCounterparts } from './native-libraries.ts'
import type { SignatureReport, Signer } from './signature/verify.ts'
import type { ZipArchive } from './zip.ts'
import { type ZipAnomaly, zipReasonTexts } from './zip-anomaly.ts'

/** Certificates whose private key is public: the AOSP test key. */
const PUBLIC_KEY_SHA256 = new Set(['a40da80a59d170caa950cf15c18c454d47a39b26989d8b640ecd745ba71bf5dc'])
/** Names that build tools give to keys they make or ship: Android Studio's debug key, the keys of the AOSP tree. */
const TEST_SUBJECTS = [/\bCN=Android Debug\b/i, /\bO=Android\b.*\bemailAddress=android@android\.com\b/i]

/** What a package of another kind holds at its root. */
const OTHER_KINDS: [RegExp, string][] = [
  [/^BundleConfig\.pb$/, 'an Android App Bundle (AAB)'],
  [/^(module|config)\.json$/, 'a HarmonyOS package (HAP)'],
  [/^[^/]+\.(hap|hsp)$/, 'a HarmonyOS app (.app)'],
  [/^[^/]+\.apk$/, 'a set of APKs'],
  [/^manifest\.json$/, 'a quick app (RPK)'],
]

/** An archive that cannot be read at all. */
export const refusalFinding = ({ reason, params }: ZipAnomaly): Finding =>
  finding(991, { ...params, reason: zipReasonTexts[reason], anomaly: reason })

/** An archive that can be read and not trusted. */
export const anomalyFinding = ({ reason, params }: ZipAnomaly): Finding =>
  finding(1113, { entry: 'whole archive', ...params, reason: zipReasonTexts[reason], anomaly: reason })

/** Why an archive is no APK, or null when it is one. */
export function absenceFinding(archive: ZipArchive): Finding | null {
  if (archive.byName.has('AndroidManifest.xml')) return null
  const other = OTHER_KINDS.find(([pattern]) => archive.entries.some(({ name }) => pattern.test(name)))
  return other ? finding(995, { kind: other[1] }) : finding(994, { file: 'AndroidManifest.xml' })
}

/** Unsigned, not verifying, or signed with a key that everybody has. */
export function signatureFindings({
  verified,
  signers,
  errors,
}: Pick<SignatureReport, 'verified' | 'signers' | 'errors'>): Finding[] {
  if (verified)
    return signers.filter(isPublicKey).map(({ subject, certSha256 }) => finding(1105, { subject, certSha256 }))
  if (errors.every(({ reason }) => reason === 'no-signature')) return [finding(1101)]
  return errors.map(({ scheme, reason, detail }) => finding(1102, { scheme, reason: detail, cause: reason }))
}

const isPublicKey = ({ certSha256, subject }: Signer) =>
  PUBLIC_KEY_SHA256.has(certSha256) || TEST_SUBJECTS.some(pattern => pattern.test(subject))

/** What the manifest alone can be blamed for; without a floor, no target is too old. */
export function manifestFindings(manifest: Manifest, targetSdkFloor: number | null): Finding[] {
  const { versionCode, targetSdk, split } = manifest
  const findings: Finding[] = []
  if (manifest.isDebuggable) findings.push(finding(1104))
  if (versionCode === null || BigInt(versionCode) <= 0n) {
    findings.push(finding(1106, { versionCode: versionCode ?? 'missing' }))
  }
  if (targetSdkFloor !== null && targetSdk < targetSdkFloor) {
    findings.push(finding(1109, { targetSdk, floor: targetSdkFloor }))
  }
  if (manifest.isTestOnly) findings.push(finding(1112))
  if (split !== null && split !== '') findings.push(finding(1114, { reason: `it is the split ${split}`, split }))
  else if (manifest.isSplitRequired) findings.push(finding(1114, { reason: 'it requires its splits' }))
  return findings
}

/** 32-bit libraries without their 64-bit counterpart. */
export function abiFindings(abis: string[]): Finding[] {
  const missing = missingCounterparts(abis)
  if (missing.length === 0) return []
  const counterparts = new Set(missing.map(({ counterpart }) => counterpart))
  return [finding(1110, { abis: missing.map(({ abi }) => abi).join(', '), missing: [...counterparts].join(', ') })]
}

/** One finding for all libraries that 16 KB devices cannot map. */
export function alignmentFindings(misaligned: MisalignedLibrary[]): Finding[] {
  const [first] = misaligned
  return first ? [finding(1115, { count: misaligned.length, library: first.path, reason: first.reason })] : []
}
