import { lifeCycle } from '../../../kernel/life-cycle.ts'

export const packageStates = ['UPLOADED', 'PARSING', 'CHECKING', 'READY', 'FAILED'] as const
export type PackageState = (typeof packageStates)[number]

export const packageUsages = ['TEST_ONLY', 'TEST_AND_FORMAL'] as const
export type PackageUsage = (typeof packageUsages)[number]

export const packageCycle = lifeCycle({
  entity: 'package',
  states: packageStates,
  moves: [
    { from: ['UPLOADED'], action: 'parse', to: 'PARSING', may: 'system', event: 'package.processing' },
    { from: ['PARSING'], action: 'check', to: 'CHECKING', may: 'system', event: 'package.processing' },
    { from: ['CHECKING'], action: 'accept', to: 'READY', may: 'system', event: 'package.ready' },
    { from: ['UPLOADED', 'PARSING', 'CHECKING'], action: 'fail', to: 'FAILED', may: 'system', event: 'package.failed' },
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
} as const

const kindByExtension: Readonly<Record<string, string>> = {
  apk: 'APK',
  aab: 'AAB',
  hap: 'HAP',
  hsp: 'HSP',
  app: 'APP',
  rpk: 'RPK',
  zip: 'H5',
  wpk: 'WPK',
  exe: 'EXE',
  obb: 'OBB',
}

const extensionsOfType: Readonly<Record<string, readonly string[]>> = {
  ANDROID: ['apk', 'aab'],
  HARMONY: ['app', 'hap', 'hsp'],
  ATOMIC_SERVICE: ['app', 'hap', 'hsp'],
  QUICK_APP: ['rpk'],
  H5_QUICK: ['rpk', 'zip'],
  WEB: [],
  PC_EXE: ['exe', 'wpk'],
  NO_PACKAGE: [],
}

/** The kind of package a file name says, or why it is none for an app of this type. */
export function kindOf(fileName: string, packageType: string): { kind: string } | { expected: string } {
  const extension = /\.([A-Za-z0-9]+)$/.exec(fileName)?.[1]?.toLowerCase() ?? ''
  const allowed = extensionsOfType[packageType] ?? []
  const kind = kindByExtension[extension]
  if (kind !== undefined && allowed.includes(extension)) return { kind }
  return { expected: allowed.length === 0 ? 'nothing' : allowed.map(one => `.${one}`).join(' or ') }
}

/** AppGallery Connect's public status: 0 ok, 1 processing, 2 failed. */
export function successStatusOf(state: PackageState): 0 | 1 | 2 {
  if (state === 'READY') return 0
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
}

/** What stands against a package beside its own bytes; parts that could not be read are not blamed twice. */
export function relationFindings({ found, expectedName, onShelf, sameCode }: Relations): Finding[] {
  const findings: Finding[] = []
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

interface Compared extends Signing {
  pkgId: string
  versionCode: string | null
  versionName: string | null
  sizeBytes: number
  minSdk: number | null
  targetSdk: number | null
  debuggable: boolean
  permissions: readonly { name: string }[]
  features: readonly { name: string }[]
  abis: readonly string[]
  folders: readonly { folder: string; compressedBytes: number }[]
}

export interface AddedRemoved {
  added: string[]
  removed: string[]
}

export interface PackageDifference {
  from: ComparedFacts
  to: ComparedFacts
  permissions: AddedRemoved
  features: AddedRemoved
  abis: AddedRemoved
  /** Compressed bytes by top folder where they changed, the largest change first. */
  folders: { folder: string; fromBytes: number; toBytes: number }[]
  signer: { isSame: boolean; isProven: boolean; from: string[]; to: string[] }
}

interface ComparedFacts {
  pkgId: string
  versionCode: string | null
  versionName: string | null
  sizeBytes: number
  minSdk: number | null
  targetSdk: number | null
  debuggable: boolean
}

/** What changes when `to` takes the place of `from`. */
export function differenceBetween(from: Compared, to: Compared): PackageDifference {
  const names = (list: readonly { name: string }[]) => list.map(one => one.name)
  return {
    from: factsOf(from),
    to: factsOf(to),
    permissions: addedRemoved(names(from.permissions), names(to.permissions)),
    features: addedRemoved(names(from.features), names(to.features)),
    abis: addedRemoved(from.abis, to.abis),
    folders: folderChanges(from.folders, to.folders),
    signer: {
      isSame: isSignerProven(from, { signers: to.signers, lineage: [] }),
      isProven: isSignerProven(from, to),
      from: [...from.signers],
      to: [...to.signers],
    },
  }
}

function factsOf(one: Compared): ComparedFacts {
  const { pkgId, versionCode, versionName, sizeBytes, minSdk, targetSdk, debuggable } = one
  return { pkgId, versionCode, versionName, sizeBytes, minSdk, targetSdk, debuggable }
}

function addedRemoved(from: readonly string[], to: readonly string[]): AddedRemoved {
  return { added: to.filter(one => !from.includes(one)), removed: from.filter(one => !to.includes(one)) }
}

function folderChanges(from: Compared['folders'], to: Compared['folders']): PackageDifference['folders'] {
  const bytesOf = (list: Compared['folders']) => new Map(list.map(one => [one.folder, one.compressedBytes]))
  const before = bytesOf(from)
  const after = bytesOf(to)
  return [...new Set([...before.keys(), ...after.keys()])]
    .map(folder => ({ folder, fromBytes: before.get(folder) ?? 0, toBytes: after.get(folder) ?? 0 }))
    .filter(one => one.fromBytes !== one.toBytes)
    .sort((a, b) => Math.abs(b.toBytes - b.fromBytes) - Math.abs(a.toBytes - a.fromBytes))
}
