/** What two packages are compared by: columns of both. */
export interface Compared {
  pkgId: string
  fileName: string
  versionCode: string | null
  versionName: string | null
  sizeBytes: number
  minSdk: number | null
  targetSdk: number | null
  debuggable: boolean
  signers: readonly string[]
  lineage: readonly string[]
  permissions: readonly { name: string }[]
  features: readonly { name: string }[]
  abis: readonly string[]
  languages: readonly string[]
  deviceTypes: readonly string[]
  components: readonly { kind: string; name: string; isExported: boolean }[]
  sdks: readonly { name: string; version: string | null }[]
  modules: readonly { name: string; sizeBytes: number }[]
  nativeLibraries: readonly { path: string; sizeBytes: number }[]
  folders: readonly { folder: string; compressedBytes: number }[]
}

export interface AddedRemoved {
  added: string[]
  removed: string[]
}

export interface Grown {
  name: string
  fromBytes: number
  toBytes: number
}

export interface PackageDifference {
  from: ComparedFacts
  to: ComparedFacts
  permissions: AddedRemoved
  features: AddedRemoved
  abis: AddedRemoved
  languages: AddedRemoved
  deviceTypes: AddedRemoved
  /** As `activity name`; what other apps can newly reach stands in `exported`. */
  components: AddedRemoved
  exported: AddedRemoved
  sdks: SdkChanges
  modules: Grown[]
  nativeLibraries: Grown[]
  /** Compressed bytes by top folder, the largest change first, those that stay as they are last. */
  folders: { folder: string; fromBytes: number; toBytes: number }[]
  signer: { isSame: boolean; isProven: boolean; from: string[]; to: string[] }
}

export interface SdkChanges extends AddedRemoved {
  changed: { name: string; from: string; to: string }[]
}

interface ComparedFacts {
  pkgId: string
  fileName: string
  versionCode: string | null
  versionName: string | null
  sizeBytes: number
  minSdk: number | null
  targetSdk: number | null
  debuggable: boolean
}

/** Lists of a page: who changes more than this reads the first. */
const shown = 500

/** What changes when `to` takes the place of `from`; `isProven` says whether devices take it as an update. */
export function differenceBetween(
  from: Compared,
  to: Compared,
  signer: { isSame: boolean; isProven: boolean },
): PackageDifference {
  const names = (list: readonly { name: string }[]) => list.map(one => one.name)
  const components = (one: Compared, only: (component: Compared['components'][number]) => boolean) =>
    one.components.filter(only).map(({ kind, name }) => `${kind} ${name}`)
  return {
    from: factsOf(from),
    to: factsOf(to),
    permissions: addedRemoved(names(from.permissions), names(to.permissions)),
    features: addedRemoved(names(from.features), names(to.features)),
    abis: addedRemoved(from.abis, to.abis),
    languages: addedRemoved(from.languages, to.languages),
    deviceTypes: addedRemoved(from.deviceTypes, to.deviceTypes),
    components: addedRemoved(
      components(from, () => true),
      components(to, () => true),
    ),
    exported: addedRemoved(
      components(from, one => one.isExported),
      components(to, one => one.isExported),
    ),
    sdks: sdkChanges(from.sdks, to.sdks),
    modules: grown(from.modules, to.modules),
    nativeLibraries: grown(
      from.nativeLibraries.map(({ path, sizeBytes }) => ({ name: path, sizeBytes })),
      to.nativeLibraries.map(({ path, sizeBytes }) => ({ name: path, sizeBytes })),
    ),
    folders: grown(
      from.folders.map(one => ({ name: one.folder, sizeBytes: one.compressedBytes })),
      to.folders.map(one => ({ name: one.folder, sizeBytes: one.compressedBytes })),
      true,
    ).map(({ name, fromBytes, toBytes }) => ({ folder: name, fromBytes, toBytes })),
    signer: { ...signer, from: [...from.signers], to: [...to.signers] },
  }
}

function factsOf(one: Compared): ComparedFacts {
  const { pkgId, fileName, versionCode, versionName, sizeBytes, minSdk, targetSdk, debuggable } = one
  return { pkgId, fileName, versionCode, versionName, sizeBytes, minSdk, targetSdk, debuggable }
}

function addedRemoved(from: readonly string[], to: readonly string[]): AddedRemoved {
  const [before, after] = [new Set(from), new Set(to)]
  return {
    added: [...after].filter(one => !before.has(one)).slice(0, shown),
    removed: [...before].filter(one => !after.has(one)).slice(0, shown),
  }
}

function sdkChanges(from: Compared['sdks'], to: Compared['sdks']): SdkChanges {
  const before = new Map(from.map(one => [one.name, one.version]))
  const changed = to.flatMap(({ name, version }) => {
    const old = before.get(name)
    return old != null && version !== null && old !== version ? [{ name, from: old, to: version }] : []
  })
  const names = (list: Compared['sdks']) => list.map(one => one.name)
  return { ...addedRemoved(names(from), names(to)), changed }
}

/** The largest change first; equal ones are left out unless all are wanted, as the picture of a whole needs them. */
function grown(
  from: readonly { name: string; sizeBytes: number }[],
  to: readonly { name: string; sizeBytes: number }[],
  isWhole = false,
): Grown[] {
  const bytesOf = (list: typeof from) => new Map(list.map(one => [one.name, one.sizeBytes]))
  const [before, after] = [bytesOf(from), bytesOf(to)]
  return [...new Set([...before.keys(), ...after.keys()])]
    .map(name => ({ name, fromBytes: before.get(name) ?? 0, toBytes: after.get(name) ?? 0 }))
    .filter(one => isWhole || one.fromBytes !== one.toBytes)
    .sort((a, b) => Math.abs(b.toBytes - b.fromBytes) - Math.abs(a.toBytes - a.fromBytes))
    .slice(0, shown)
}
