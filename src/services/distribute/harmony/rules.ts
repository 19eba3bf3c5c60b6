import { lifeCycle } from '../../../kernel/life-cycle.ts'

export const permissions = ['harmony.read', 'harmony.edit', 'harmony.force', 'store.operate'] as const

const day = 86_400_000
const year = 365 * day

export const limits = {
  csrLength: 2048,
  certNameLength: 100,
  certsOfType: 3,
  deviceNameLength: 100,
  devicesAtOnce: 1000,
  devicesOfType: 100,
  devicesOfTypeMost: 4000,
  importBytes: 2 * 1024 ** 2,
  profileNameLength: 256,
  profilesOfApp: 100,
  devicesOfProfile: 4000,
  /** How long a removed device takes its place, and may come back without another. */
  deviceYearMs: year,
} as const

export const certTypes = { debug: 1, release: 2, inHouse: 3, binary: 4 } as const
export const certTypeNumbers: readonly number[] = Object.values(certTypes)
export const profileTypes = { debug: 1, release: 2, inHouse: 3, listed: 6 } as const
export const profileTypeNumbers: readonly number[] = Object.values(profileTypes)
/** As apps name what they are for. */
export const deviceTypes = { phone: 4, tablet: 5, computer: 6, television: 7, watch: 8, car: 9 } as const
export const deviceTypeNumbers: readonly number[] = Object.values(deviceTypes)

/** Of apps that are signed with a certificate and a profile. */
export const harmonyTypes: readonly string[] = ['HARMONY', 'ATOMIC_SERVICE']

/** Days before the end on which people are reminded. */
export const reminderDays = [30, 7, 1] as const

export const certStates = ['VALID', 'EXPIRED', 'REVOKED'] as const
export type CertState = (typeof certStates)[number]
export type CertAction = 'revoke' | 'forceRevoke' | 'expire'
export const certActions = ['revoke', 'forceRevoke'] as const

export const certCycle = lifeCycle<CertState, CertAction, 'isOffShelf'>({
  entity: 'cert',
  states: certStates,
  moves: [
    {
      from: ['VALID'],
      action: 'revoke',
      to: 'REVOKED',
      may: 'harmony.edit',
      needs: ['isOffShelf'],
      event: 'cert.revoked',
    },
    { from: ['VALID'], action: 'forceRevoke', to: 'REVOKED', may: 'harmony.force', event: 'cert.revoked' },
    { from: ['VALID'], action: 'expire', to: 'EXPIRED', may: 'system', event: 'cert.expired' },
  ],
})

export const deviceStates = ['ACTIVE', 'REMOVED'] as const
export type DeviceState = (typeof deviceStates)[number]
export type DeviceAction = 'rename' | 'remove' | 'return'
export const deviceActions = ['rename', 'remove'] as const
/** `isUnlisted`: in no release profile. `isFree`: in no other that is valid, or its invalidity is accepted. */
export type DeviceFact = 'isUnlisted' | 'isFree'

export const deviceCycle = lifeCycle<DeviceState, DeviceAction, DeviceFact>({
  entity: 'device',
  states: deviceStates,
  moves: [
    { from: ['ACTIVE'], action: 'rename', to: 'ACTIVE', may: 'harmony.edit', event: 'device.renamed' },
    {
      from: ['ACTIVE'],
      action: 'remove',
      to: 'REMOVED',
      may: 'harmony.edit',
      needs: ['isUnlisted', 'isFree'],
      event: 'device.removed',
    },
    { from: ['REMOVED'], action: 'return', to: 'ACTIVE', may: 'harmony.edit', event: 'device.added' },
  ],
})

export const profileStates = ['VALID', 'EXPIRED', 'INVALID'] as const
export type ProfileState = (typeof profileStates)[number]
export type ProfileAction = 'edit' | 'refresh' | 'delete' | 'invalidate' | 'expire'
export const profileActions = ['edit', 'refresh', 'delete'] as const
export const invalidReasons = ['CERT_REVOKED', 'DEVICE_REMOVED'] as const
export type InvalidReason = (typeof invalidReasons)[number]

export const profileCycle = lifeCycle<ProfileState, ProfileAction>({
  entity: 'profile',
  states: profileStates,
  moves: [
    { from: profileStates, action: 'edit', to: 'VALID', may: 'harmony.edit', event: 'profile.refreshed' },
    { from: profileStates, action: 'refresh', to: 'VALID', may: 'harmony.edit', event: 'profile.refreshed' },
    { from: profileStates, action: 'delete', to: null, may: 'harmony.edit', event: 'profile.deleted' },
    { from: ['VALID'], action: 'invalidate', to: 'INVALID', may: 'system', event: 'profile.invalidated' },
    { from: ['VALID'], action: 'expire', to: 'EXPIRED', may: 'system', event: 'profile.expired' },
  ],
})

/** How long a certificate holds: for debugging a year, or two weeks until the team's leader has shown who they are. */
export function certLifetime(certType: number, isVerified: boolean): number {
  if (certType !== certTypes.debug) return 3 * year
  return isVerified ? year : 14 * day
}

/** When a profile ends that is issued now: never after its certificate. */
export function profileEnd(profileType: number, certExpireAt: number, now: number): number {
  return Math.min(certExpireAt, now + (profileType === profileTypes.debug ? year : 3 * year))
}

/** The certificate that a profile is made with: for debugging one of these, for release one of those. */
export function isCertFor(certType: number, profileType: number): boolean {
  const wanted: Readonly<Record<number, number>> = {
    [profileTypes.debug]: certTypes.debug,
    [profileTypes.release]: certTypes.release,
    [profileTypes.listed]: certTypes.release,
    [profileTypes.inHouse]: certTypes.inHouse,
  }
  return wanted[profileType] === certType
}

/** Whether a profile says on which devices it holds; the others hold on all. */
export function hasDevices(profileType: number): boolean {
  return profileType === profileTypes.debug || profileType === profileTypes.listed
}

/** How many days before the end a reminder is due now, if it was not given: the tightest, so that a server that slept gives one. */
export function reminderDue(expireAt: number, reminded: number | null, now: number): number | null {
  const left = expireAt - now
  if (left <= 0) return null
  const due = reminderDays.filter(days => left <= days * day).at(-1)
  return due === undefined || (reminded !== null && due >= reminded) ? null : due
}

/** What a device is given as, and as what it is kept: the UDID in upper case. */
export interface DeviceWish {
  deviceName: string
  udid: string
  deviceType: number
}

/** A device as it is kept, or what is wrong with what was given. */
export function readDevice({ deviceName, udid, deviceType }: DeviceWish): DeviceWish | { problem: string } {
  const name = deviceName.trim()
  if (name === '') return { problem: 'deviceName is empty' }
  if (name.length > limits.deviceNameLength)
    return { problem: `deviceName has more than ${limits.deviceNameLength} characters` }
  if (/\p{Cc}/u.test(name)) return { problem: 'deviceName has characters that cannot be seen' }
  const kept = udid.trim().toUpperCase()
  if (!/^[0-9A-F]{64}$/.test(kept))
    return { problem: 'udid is not 64 hexadecimal digits, as bm get --udid prints them' }
  if (!deviceTypeNumbers.includes(deviceType)) {
    return { problem: `deviceType is none of ${deviceTypeNumbers.join(', ')}` }
  }
  return { deviceName: name, udid: kept, deviceType }
}
