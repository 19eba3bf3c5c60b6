/** Why no package of a set is for a device. */
export type NoFit = 'SDK' | 'ABI'

/** A device, as far as it decides which package it gets; what is left out decides nothing. */
export interface Device {
  /** The one it likes best first. */
  abis: readonly string[]
  sdkVersion: number | null
}

export interface PackageSet {
  minSdk: number | null
  /** Of the processors that the whole package has native libraries for; empty where it has none. */
  abis: readonly string[]
  splits: readonly { abi: string }[]
}

/**
 * Which package of a set a device gets: the one for its processor where there is one, else the whole (null). `reason` says
 * why it gets none.
 */
export function choiceFor(set: PackageSet, device: Device): { abi: string | null; reason: NoFit | null } {
  if (device.sdkVersion !== null && set.minSdk !== null && device.sdkVersion < set.minSdk) {
    return { abi: null, reason: 'SDK' }
  }
  if (device.abis.length === 0 || set.abis.length === 0) return { abi: null, reason: null }
  const abi = device.abis.find(one => set.abis.includes(one))
  if (abi === undefined) return { abi: null, reason: 'ABI' }
  return { abi: set.splits.some(one => one.abi === abi) ? abi : null, reason: null }
}

export const signingStatuses = ['NOT_NEEDED', 'NEEDED', 'RUNNING', 'DONE', 'FAILED'] as const
export type SigningStatus = (typeof signingStatuses)[number]

/** How far the store's signature on a package is. `signer` is the store's certificate now, null where it does not sign. */
export function signingStatusOf(
  found: { kind: string; state: string; signers: readonly string[]; isMade: boolean },
  signer: string | null,
): SigningStatus {
  if (found.kind !== 'APK' && found.kind !== 'AAB') return 'NOT_NEEDED'
  if (found.state === 'FAILED') return 'FAILED'
  if (found.state !== 'READY' && found.state !== 'ARCHIVED') return 'RUNNING'
  if (signer === null) return 'NOT_NEEDED'
  return found.isMade && found.signers[0] === signer ? 'DONE' : 'NEEDED'
}

export const matches = ['UPLOAD_CERT', 'APP_CERT', 'LINEAGE', 'NONE'] as const
export type Match = (typeof matches)[number]
/** A certificate that counts for an app, and as what. */
export interface Expected {
  match: Exclude<Match, 'NONE'>
  certSha256: string
}

/** As what a file's signer counts: the upload certificate before the app's, the app's before those of its lineage. */
export function matchOf(
  found: { signers: readonly string[]; lineage: readonly string[] },
  expected: readonly Expected[],
): { match: Match; certSha256: string | null } {
  const [signer] = found.signers
  if (signer === undefined || found.signers.length > 1) return { match: 'NONE', certSha256: signer ?? null }
  const as = (match: Match) => expected.some(one => one.match === match && one.certSha256 === signer)
  if (as('UPLOAD_CERT')) return { match: 'UPLOAD_CERT', certSha256: signer }
  if (as('APP_CERT')) return { match: 'APP_CERT', certSha256: signer }
  const isDescended = expected.some(one => one.match === 'APP_CERT' && found.lineage.includes(one.certSha256))
  return { match: as('LINEAGE') || isDescended ? 'LINEAGE' : 'NONE', certSha256: signer }
}
