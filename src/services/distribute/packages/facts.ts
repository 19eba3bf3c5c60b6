import type { PackageFinding, packages } from './tables.ts'

const shownCharacters = 500
const shownItems = 2000

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
  | 'deviceTypes'
  | 'languages'
  | 'modules'
  | 'components'
  | 'sdks'
  | 'nativeLibraries'
  | 'details'
  | 'privacy'
  | 'uploadSigners'
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
  deviceTypes: [],
  languages: [],
  modules: [],
  components: [],
  sdks: [],
  nativeLibraries: [],
  details: {},
  privacy: null,
  uploadSigners: [],
  findings: [],
}

/** Everything the bytes of a package say, whatever its kind; it can be kept as JSON. */
export interface PackageReport {
  facts: PackageFacts
  /** Path inside the archive of the icon, where it has one. */
  iconPath: string | null
  /** Certificate chains that roots are to vouch for, base64 of DER, each with the signer first. */
  chains: string[][]
  /** Instants that the rules hold against the clock: certificates, profiles. */
  validity: { code: 1000 | 1005; what: string; notBefore: number; notAfter: number }[]
}

/** What a reader found, made fit for a row. Texts come from strangers: what PostgreSQL cannot hold is cut out. */
export function reportOf(
  found: Partial<Omit<PackageFacts, 'findings'>> & { findings: unknown[] },
  rest: Partial<Omit<PackageReport, 'facts'>> = {},
): PackageReport {
  const facts = storable({ ...noFacts, ...found, findings: found.findings as PackageFinding[] })
  return { facts, iconPath: null, chains: [], validity: [], ...rest }
}

/** PostgreSQL holds neither NUL nor half a surrogate pair; nobody reads a label of a megabyte or a list of a million. */
function storable<T>(value: T): T {
  const kept = (text: string, limit: number) => text.replaceAll('\0', '').toWellFormed().slice(0, limit).toWellFormed()
  return JSON.parse(JSON.stringify(value), (key, part) => {
    if (Array.isArray(part) && part.length > shownItems) return part.slice(0, shownItems)
    return typeof part === 'string' ? kept(part, key === 'modulusHex' ? 5000 : shownCharacters) : part
  })
}
