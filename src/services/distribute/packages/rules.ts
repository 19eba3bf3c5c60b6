import { lifeCycle } from '../../../kernel/life-cycle.ts'

export const packageStates = ['UPLOADED', 'PARSING', 'CHECKING', 'COMPILING', 'READY', 'FAILED', 'ARCHIVED'] as const
export type PackageState = (typeof packageStates)[number]

export const packageUsages = ['TEST_ONLY', 'TEST_AND_FORMAL'] as const
export type PackageUsage = (typeof packageUsages)[number]

export const packageCycle = lifeCycle({
  entity: 'package',
  states: packageStates,
  moves: [
    { from: ['UPLOADED'], action: 'parse', to: 'PARSING', may: 'system', event: 'package.processing' },
    { from: ['PARSING'], action: 'check', to: 'CHECKING', may: 'system', event: 'package.processing' },
    { from: ['CHECKING'], action: 'compile', to: 'COMPILING', may: 'system', event: 'package.processing' },
    { from: ['CHECKING', 'COMPILING'], action: 'accept', to: 'READY', may: 'system', event: 'package.ready' },
    {
      from: ['UPLOADED', 'PARSING', 'CHECKING', 'COMPILING'],
      action: 'fail',
      to: 'FAILED',
      may: 'system',
      event: 'package.failed',
    },
    {
      from: ['READY'],
      action: 'archive',
      to: 'ARCHIVED',
      may: 'packages.upload',
      needs: ['isFree'],
      event: 'package.archived',
    },
    {
      from: ['READY'],
      action: 'signAgain',
      to: 'UPLOADED',
      may: 'signing.manage',
      needs: ['needsSigning', 'isFree'],
      event: 'package.processing',
    },
    { from: ['ARCHIVED'], action: 'restore', to: 'READY', may: 'packages.upload', event: 'package.restored' },
    { from: ['FAILED'], action: 'processAgain', to: 'UPLOADED', may: 'packages.upload', event: 'package.processing' },
    {
      from: packageStates,
      action: 'delete',
      to: null,
      may: 'packages.upload',
      needs: ['isFree'],
      event: 'package.deleted',
    },
  ],
})

export const limits = {
  sizeBytes: 4 * 1024 ** 3,
  remarkLength: 300,
  iconBytes: 4 * 1024 ** 2,
  processingMs: 30 * 60_000,
  waitSeconds: 30,
  /** Below this API level a package earns a warning. */
  targetSdkFloor: 30,
  /** How many packages one call changes. */
  atOnce: 100,
  /** A package that no version referred to for so long is archived. */
  archiveAfterMs: 180 * 86_400_000,
  expansionsOfApk: 2,
} as const

export const packageKinds = ['APK', 'AAB', 'HAP', 'HSP', 'APP', 'RPK', 'H5', 'WPK', 'EXE', 'OBB'] as const
export type PackageKind = (typeof packageKinds)[number]

/** The kind by the ending, for each type of app that has packages. */
const kindsOfType: Readonly<Record<string, Readonly<Record<string, PackageKind>>>> = {
  ANDROID: { apk: 'APK', aab: 'AAB', obb: 'OBB' },
  HARMONY: { app: 'APP', hap: 'HAP', hsp: 'HSP' },
  ATOMIC_SERVICE: { app: 'APP', hap: 'HAP', hsp: 'HSP' },
  QUICK_APP: { rpk: 'RPK' },
  H5_QUICK: { rpk: 'RPK', zip: 'H5' },
  WEB: { wpk: 'WPK', zip: 'WPK' },
  PC_EXE: { exe: 'EXE', wpk: 'WPK' },
}

/** Endings of the files that an app of this type takes. */
export function endingsOf(packageType: string): string[] {
  return Object.keys(kindsOfType[packageType] ?? {})
}

/** Whether an app of this type may be a page of the web with a quick app around it. */
export function isWrapped(packageType: string): boolean {
  return Object.values(kindsOfType[packageType] ?? {}).includes('RPK')
}

/** The kind of package a file name says, or why it is none for an app of this type. */
export function kindOf(fileName: string, packageType: string): { kind: PackageKind } | { expected: string } {
  const extension = /\.([A-Za-z0-9]+)$/.exec(fileName)?.[1]?.toLowerCase() ?? ''
  const kinds = kindsOfType[packageType] ?? {}
  const kind = Object.hasOwn(kinds, extension) ? kinds[extension] : undefined
  if (kind !== undefined) return { kind }
  const endings = endingsOf(packageType)
  return { expected: endings.length === 0 ? 'nothing' : endings.map(one => `.${one}`).join(' or ') }
}

/** The numbers by which the field knows device types of HarmonyOS; the app says which it is for. */
const deviceNumbers: Readonly<Record<string, number>> = {
  default: 4,
  phone: 4,
  tablet: 5,
  '2in1': 6,
  pc: 6,
  tv: 7,
  wearable: 8,
  liteWearable: 8,
  car: 9,
}

/** Device types that the app is for and the package is not; empty where the package names none that we know. */
export function missingDevices(wanted: readonly number[], inPackage: readonly string[]): number[] {
  const found = inPackage.flatMap(one => deviceNumbers[one] ?? [])
  return found.length === 0 ? [] : wanted.filter(one => !found.includes(one))
}

/** AppGallery Connect's public status: 0 ok, 1 processing, 2 failed. */
export function successStatusOf(state: PackageState): 0 | 1 | 2 {
  if (state === 'READY' || state === 'ARCHIVED') return 0
  return state === 'FAILED' ? 2 : 1
}

export interface Finding {
  code: number
  severity: 'BLOCK' | 'WARN'
  /** FORMAL findings do not matter for a package that is for testing only. */
  appliesTo: 'ANY' | 'FORMAL'
  detail: string
  params: Record<string, string | number>
}

/** What can be found only by looking at other data than the bytes of the package. */
export const relationRows = {
  992: {
    appliesTo: 'ANY',
    sentence: 'The package is {found}, the app is {expected}. Build it as {expected}, or upload it to its own app.',
  },
  1004: {
    appliesTo: 'ANY',
    sentence: 'The package name {packageName} belongs to another app of the store. Choose another name, or claim it.',
  },
  1103: {
    appliesTo: 'ANY',
    sentence:
      'The package is signed by {found}, the one on shelf by {expected}, and no lineage proves the change. Sign it with the same key, or with a lineage from it.',
  },
  1107: {
    appliesTo: 'ANY',
    sentence: 'Version code {versionCode} is taken by package {fileName}. Raise it, or delete that package first.',
  },
  1108: {
    appliesTo: 'FORMAL',
    sentence: 'Version code {versionCode} is not above {highest}, the highest that was on shelf. Raise it.',
  },
  998: {
    appliesTo: 'ANY',
    sentence: 'The app is for device types {missing}, which the package does not name. Add them to its deviceTypes.',
  },
  1000: { appliesTo: 'ANY', sentence: 'The {what} in the package is valid until {until} only. Make a new one.' },
  1003: {
    appliesTo: 'ANY',
    sentence: 'The certificate {what} is valid from {from} on. Look at the clock that made it.',
  },
  1005: {
    appliesTo: 'ANY',
    sentence: 'The certificate {what} ran out on {until}. Sign the package with a valid one.',
  },
  1117: {
    appliesTo: 'FORMAL',
    sentence:
      'No APK can be made of the upload: this server lacks {missing}. Its operator installs them with: {install}. Then process the package again.',
  },
  1119: {
    appliesTo: 'ANY',
    sentence:
      'The upload is signed by {found}, uploads of this app by {expected}. Sign it with the upload key of the app.',
  },
  1120: { appliesTo: 'ANY', sentence: 'No APK can be made of the upload: {reason}. Build it again.' },
  1124: {
    appliesTo: 'ANY',
    sentence:
      'There is no accepted APK {packageName} with version code {versionCode}. Upload the APK first, then its expansion files.',
  },
  1125: {
    appliesTo: 'ANY',
    sentence: 'The APK with version code {versionCode} has a {slot} expansion file, {fileName}. Delete that one first.',
  },
  1133: {
    appliesTo: 'ANY',
    sentence: 'The store signs this app, and this package does not carry its signature. Have it signed again.',
  },
  1199: { appliesTo: 'ANY', sentence: 'Processing stopped before it was done. Process the package again.' },
} as const satisfies Record<number, { appliesTo: Finding['appliesTo']; sentence: string }>

export function relationFinding(code: keyof typeof relationRows, params: Finding['params'] = {}): Finding {
  const { appliesTo, sentence } = relationRows[code]
  const detail = sentence.replace(/\{(\w+)\}/g, (word, name: string) => String(params[name] ?? word))
  return { code, severity: 'BLOCK', appliesTo, detail, params }
}

export interface Signing {
  signers: readonly string[]
  /** Oldest first, the signer's own included; empty without rotation. */
  lineage: readonly string[]
}

/**
 * Whether devices that have `before` take `next` as its update: the same signers, or a lineage that leads from the old
 * signer to the new one. Going back to an older key is not proved by a lineage.
 */
export function isSignerProven(before: Pick<Signing, 'signers'>, next: Signing): boolean {
  const isSame = before.signers.length === next.signers.length && before.signers.every(s => next.signers.includes(s))
  const [old, ...others] = before.signers
  return isSame || (old !== undefined && others.length === 0 && next.lineage.includes(old))
}

export interface Relations {
  found: Signing & { packageName: string | null; versionCode: string | null }
  /** The app's package name, where one is fixed. */
  expectedName: string | null
  /** What is or was last on shelf. */
  onShelf: { versionCode: string; signers: readonly string[] } | null
  /** Another accepted package of the app with the same version code. */
  sameCode: { pkgId: string; fileName: string } | null
  /** What the app is for and the package does not name. */
  missingDevices?: readonly number[]
  /** The upload certificate of the app's bundles, where this is one and another was accepted. */
  upload?: { expected: string; found: string } | null
  /** For an expansion file: whether its APK is there, and who has its place. */
  expansion?: { slot: string; versionCode: string; packageName: string; hasApk: boolean; takenBy: string | null } | null
}

/** What the clock says of certificates and profiles. */
export function validityFindings(
  list: readonly { code: 1000 | 1005; what: string; notBefore: number; notAfter: number }[],
  now: number,
): Finding[] {
  const day = (at: number) =>
    Number.isSafeInteger(at) && at > 0 && at < 8.64e15 ? new Date(at).toISOString().slice(0, 10) : '?'
  const found: Finding[] = []
  for (const { code, what, notBefore, notAfter } of list) {
    if (notAfter < now) found.push(relationFinding(code, { what, until: day(notAfter) }))
    else if (notBefore > now) found.push(relationFinding(1003, { what, from: day(notBefore) }))
  }
  return found
}

/** What stands against a package beside its own bytes; parts that could not be read are not blamed twice. */
export function relationFindings(relations: Relations): Finding[] {
  const { found, expectedName, onShelf, sameCode, missingDevices: missing = [], upload, expansion } = relations
  const findings: Finding[] = []
  if (missing.length > 0) findings.push(relationFinding(998, { missing: missing.join(', ') }))
  if (upload) findings.push(relationFinding(1119, upload))
  if (expansion && !expansion.hasApk) {
    const { packageName: name, versionCode: code } = expansion
    findings.push(relationFinding(1124, { packageName: name, versionCode: code }))
  } else if (expansion?.takenBy != null) {
    const { slot, versionCode: code, takenBy } = expansion
    findings.push(relationFinding(1125, { slot, versionCode: code, fileName: takenBy }))
  }
  const { packageName, versionCode } = found
  if (packageName !== null && expectedName !== null && packageName !== expectedName)
    findings.push(relationFinding(992, { found: packageName, expected: expectedName }))
  if (onShelf && found.signers.length > 0 && onShelf.signers.length > 0 && !isSignerProven(onShelf, found)) {
    findings.push(relationFinding(1103, { found: found.signers.join(', '), expected: onShelf.signers.join(', ') }))
  }
  if (versionCode !== null && sameCode) findings.push(relationFinding(1107, { versionCode, ...sameCode }))
  if (versionCode !== null && onShelf && BigInt(versionCode) <= BigInt(onShelf.versionCode)) {
    findings.push(relationFinding(1108, { versionCode, highest: onShelf.versionCode }))
  }
  return findings
}

/** Missing 64-bit libraries (1110) keep only new apps out; who was on shelf before is warned. */
export function softenForKnownApp<F extends Finding>(findings: readonly F[], wasOnShelf: boolean): F[] {
  return findings.map(one => (one.code === 1110 && wasOnShelf ? { ...one, severity: 'WARN' as const } : one))
}

/** The findings that keep a package from this use. Debuggable builds and test keys are no harm where only testers get them. */
export function blocking<F extends Pick<Finding, 'severity' | 'appliesTo'>>(
  findings: readonly F[],
  usage: PackageUsage,
): F[] {
  return findings.filter(one => one.severity === 'BLOCK' && (one.appliesTo === 'ANY' || usage === 'TEST_AND_FORMAL'))
}
