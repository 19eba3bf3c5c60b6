import type { ApkReport } from './apk/inspect.ts'
import type { PackageFinding, packages } from './tables.ts'

const shownCharacters = 500

/** The columns that the bytes of a package decide. */
export type PackageFacts = Pick<
  typeof packages.$inferSelect,
  | 'packageName'
  | 'versionCode'
  | 'versionName'
  | 'label'
  | 'labels'
  | 'minSdk'
  | 'targetSdk'
  | 'compileSdk'
  | 'abis'
  | 'permissions'
  | 'features'
  | 'signers'
  | 'lineage'
  | 'certificates'
  | 'signatureSchemes'
  | 'debuggable'
  | 'dexCount'
  | 'folders'
  | 'findings'
>

/** Nothing is known of the bytes. */
export const noFacts: PackageFacts = {
  packageName: null,
  versionCode: null,
  versionName: null,
  label: null,
  labels: {},
  minSdk: null,
  targetSdk: null,
  compileSdk: null,
  abis: [],
  permissions: [],
  features: [],
  signers: [],
  lineage: [],
  certificates: [],
  signatureSchemes: [],
  debuggable: false,
  dexCount: 0,
  folders: [],
  findings: [],
}

/** What a report says, as it is stored. Texts come from strangers: what PostgreSQL cannot hold is cut out. */
export function factsOf(report: ApkReport): PackageFacts {
  const { manifest, signature, breakdown } = report
  const signers = signature?.signers ?? []
  const lineages = signers.map(signer => signer.lineage).sort((a, b) => b.length - a.length)
  const certificates = [...signers, ...(signature?.olderSigners ?? [])]
  return storable({
    ...noFacts,
    ...(manifest && {
      packageName: manifest.package,
      versionCode: manifest.versionCode,
      versionName: manifest.versionName,
      label: manifest.label,
      labels: manifest.labels,
      minSdk: manifest.minSdk,
      targetSdk: manifest.targetSdk,
      compileSdk: manifest.compileSdk,
      permissions: manifest.permissions,
      features: manifest.features,
      debuggable: manifest.isDebuggable,
    }),
    abis: report.abis,
    signers: [...new Set(signers.map(signer => signer.certSha256))],
    lineage: lineages[0] ?? [],
    certificates: certificates.map(({ minSdk: _min, maxSdk: _max, lineage: _lineage, ...facts }) => facts),
    signatureSchemes: signature?.schemes ?? [],
    dexCount: breakdown?.dexCount ?? 0,
    folders: breakdown?.folders ?? [],
    findings: report.findings as PackageFinding[],
  })
}

/** PostgreSQL holds neither NUL nor half a surrogate pair; nobody reads a label of a megabyte. */
function storable<T>(value: T): T {
  const kept = (text: string, limit: number) => text.replaceAll('\0', '').toWellFormed().slice(0, limit).toWellFormed()
  return JSON.parse(JSON.stringify(value), (key, part) =>
    typeof part === 'string' ? kept(part, key === 'modulusHex' ? 5000 : shownCharacters) : part,
  )
}
