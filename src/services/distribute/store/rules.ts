import { phaseBucket } from '../../../kernel/bucketing.ts'

/** What a device says about the copy it has installed. */
export interface Installed {
  /** Decimal. */
  versionCode: string
  /** SHA-256 of the signing certificate, lower-case hex. */
  certSha256?: string | undefined
  /** The ABIs the device runs. */
  abis?: readonly string[] | undefined
  /** Its API level. */
  sdk?: number | undefined
  /** ISO 3166 alpha-2. */
  country?: string | undefined
}

/** Who gets a version that stands on shelf beside a full one. */
export interface Phase {
  /** Paused, nobody new is offered it. */
  isRunning: boolean
  salt: string
  percentBp: number
  newInstalls: 'FOLLOW' | 'ALWAYS_NEW' | 'ALWAYS_OLD'
  /** Empty: wherever the version is offered. */
  countries: readonly string[]
  /** Who looks for updates by hand gets it before his turn. */
  manualPull?: boolean
  /** Whoever has this version code gets it besides. */
  onlyOver?: string | null
}

/** What the decision needs to know of a version on shelf. */
export interface Offer {
  versionCode: string
  /** SHA-256 of every certificate that may be installed below it, those of its lineage too. */
  signers: readonly string[]
  minSdk: number | null
  /** Empty: runs anywhere. */
  abis: readonly string[]
  /** Empty: everywhere. */
  countries: readonly string[]
  /** Null or none: a full version. */
  phase?: Phase | null
}

export const updateResults = ['LATEST', 'UPDATE', 'SIGNER_MISMATCH', 'OFF_SHELF', 'NOT_FOUND', 'INCOMPATIBLE'] as const
export type UpdateResult = (typeof updateResults)[number]

/**
 * Answers one installed package: the offer to install, or why there is none. `offers` is what is on shelf, the highest
 * code first; undefined for a package the store does not know. The first offer that fits wins, so that a device too old
 * for the newest still gets the one before; when none fits, the highest one says why. A phased one is as if it were not
 * there for a device whose bucket is out.
 */
export function decideUpdate<O extends Offer>(
  offers: readonly O[] | undefined,
  device: Installed,
  deviceId = '',
  isByHand = false,
): O | Exclude<UpdateResult, 'UPDATE'> {
  if (offers === undefined) return 'NOT_FOUND'
  let verdict: Exclude<UpdateResult, 'UPDATE'> = 'OFF_SHELF'
  for (const offer of offers) {
    const standing = standingOf(offer, device, deviceId, isByHand)
    if (standing === 'OFFERED') return offer
    if (verdict === 'OFF_SHELF' && standing !== 'COUNTRY' && standing !== 'PHASE') verdict = standing
  }
  return verdict
}

/** What an offer is for a device: that which it is offered, or why not; after the first that fits none is looked at. */
export const standings = [
  'OFFERED',
  'COUNTRY',
  'PHASE',
  'SIGNER_MISMATCH',
  'LATEST',
  'INCOMPATIBLE',
  'NOT_REACHED',
] as const
export type Standing = (typeof standings)[number]

/** Why `decideUpdate` answers what it does: how each offer stands, in their order. */
export function explainUpdate(
  offers: readonly Offer[],
  device: Installed,
  deviceId = '',
  isByHand = false,
): Standing[] {
  const all = offers.map(offer => standingOf(offer, device, deviceId, isByHand))
  const first = all.indexOf('OFFERED')
  return all.map((one, at) => (first >= 0 && at > first ? 'NOT_REACHED' : one))
}

function standingOf(offer: Offer, device: Installed, deviceId: string, isByHand: boolean) {
  if (!isSoldIn(offer, device.country)) return 'COUNTRY'
  if (offer.phase && !isInPhase(offer.phase, device, deviceId, isByHand)) return 'PHASE'
  return refusalOf(offer, device) ?? 'OFFERED'
}

/** Whether a phased version is for this device. One without a copy of the app says version code 0 and is a new install. */
export function isInPhase(
  phase: Phase,
  device: Pick<Installed, 'versionCode' | 'country'>,
  deviceId: string,
  isByHand = false,
): boolean {
  if (!phase.isRunning) return false
  if (phase.countries.length > 0 && !phase.countries.includes(device.country ?? '')) return false
  if (isByHand && phase.manualPull) return true
  if (phase.onlyOver != null && device.versionCode === phase.onlyOver) return true
  if (device.versionCode === '0' && phase.newInstalls !== 'FOLLOW') return phase.newInstalls === 'ALWAYS_NEW'
  return phaseBucket(phase.salt, deviceId) < phase.percentBp
}

/** Whether the developer lets nobody stay with what a device has. Who has no copy yet is asked for nothing. */
export function isForced(minVersionCode: string | null, installedCode: string): boolean {
  return minVersionCode !== null && installedCode !== '0' && compareCodes(installedCode, minVersionCode) < 0
}

/** Whether whoever has no device yet, a visitor of the store's pages, is shown a version. */
export function isShownToAll(phase: Phase | null | undefined): boolean {
  return !phase || (phase.isRunning && phase.newInstalls === 'ALWAYS_NEW' && phase.countries.length === 0)
}

function refusalOf(offer: Offer, device: Installed): 'SIGNER_MISMATCH' | 'LATEST' | 'INCOMPATIBLE' | null {
  if (device.certSha256 !== undefined && !offer.signers.includes(device.certSha256)) return 'SIGNER_MISMATCH'
  if (compareCodes(offer.versionCode, device.versionCode) <= 0) return 'LATEST'
  return isFitFor(offer, device) ? null : 'INCOMPATIBLE'
}

function isSoldIn(offer: Offer, country: string | undefined): boolean {
  return country === undefined || offer.countries.length === 0 || offer.countries.includes(country)
}

function isFitFor(offer: Offer, device: Installed): boolean {
  if (offer.minSdk !== null && device.sdk !== undefined && device.sdk < offer.minSdk) return false
  if (offer.abis.length === 0 || device.abis === undefined) return true
  for (const abi of device.abis) if (offer.abis.includes(abi)) return true
  return false
}

/** Compares two decimal version codes without leading zeros; they may not fit a JavaScript number. */
export function compareCodes(one: string, other: string): number {
  if (one.length !== other.length) return one.length - other.length
  return one < other ? -1 : one > other ? 1 : 0
}

/** Whole days between two instants: how long a device could have had the update. */
export function stalenessDays(onShelfAt: number, now: number): number {
  return Math.max(0, Math.floor((now - onShelfAt) / dayMs))
}

export const dayMs = 86_400_000

/** The UTC day of an instant: `2026-11-21`. */
export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

/** New devices of one app that a network may report on a day; those beyond have no say about it. */
export const newDevicesOfNetwork = 20

/** How long a superseded or withdrawn package may still be fetched, for devices that hold an older index. */
export const keptDays = 7

/** The name under which a package is served; bytes under one name never change. */
export function apkNameOf(packageName: string, versionCode: string, sha256: string): string {
  return `${packageName}_${versionCode}_${sha256.slice(0, 8)}.apk`
}

/** `zhCN`, `zh_CN`, `zh-Hans-CN` and `zh` as BCP 47 without the script: what F-Droid's folders are called. */
export function localeOf(language: string): string {
  const found = /^([a-z]{2,3}?)(?:[-_]?[A-Z][a-z]{3})?(?:[-_]?([A-Za-z]{2}|[0-9]{3}))?$/.exec(language)
  if (!found) return language
  return found[2] ? `${found[1]}-${found[2].toUpperCase()}` : (found[1] as string)
}

/** The best of the languages there are: the same, one of the same tongue, the default, then any. */
export function chooseLocale(there: readonly string[], wanted: string | undefined, fallback: string): string {
  if (wanted !== undefined) {
    const locale = localeOf(wanted)
    if (there.includes(locale)) return locale
    const tongue = locale.split('-')[0]
    const kin = there.find(one => one.split('-')[0] === tongue)
    if (kin !== undefined) return kin
  }
  return there.includes(fallback) ? fallback : (there[0] ?? fallback)
}

const countedReports = [
  'download_start',
  'download_ok',
  'download_fail',
  'install_ok',
  'install_fail',
  'open',
  'uninstall',
  'crash',
  'anr',
] as const
/** What devices report. A rating is counted only for the health of a phased release. */
export const reportTypes = [...countedReports, 'rate'] as const
/** What is counted by version and day. The first two are counted here, the others reported by devices. */
export const countTypes = ['update_offered', 'download', ...countedReports] as const
export type CountType = (typeof countTypes)[number]
