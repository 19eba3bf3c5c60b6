export interface DeviceFacts {
  os: 'ANDROID' | 'HARMONY'
  deviceType: string
  sdk: number
  abis: readonly string[]
}

export interface PackageNeeds {
  kind: string
  minSdk: number | null
  abis: readonly string[]
  deviceTypes: readonly string[]
}

export const misfits = ['SYSTEM', 'SDK', 'ABI', 'DEVICE_TYPE'] as const
export type Misfit = (typeof misfits)[number]

const harmonyKinds: readonly string[] = ['HAP', 'HSP', 'APP']
const androidKinds: readonly string[] = ['APK', 'AAB']

/** Why a device cannot install a package; null when it can. A device with Android also runs quick apps and pages. */
export function misfitOf(needs: PackageNeeds, device: DeviceFacts): Misfit | null {
  if (harmonyKinds.includes(needs.kind) && device.os !== 'HARMONY') return 'SYSTEM'
  if (androidKinds.includes(needs.kind) && device.os !== 'ANDROID') return 'SYSTEM'
  if (needs.kind === 'EXE') return 'SYSTEM'
  const isNative = harmonyKinds.includes(needs.kind) || androidKinds.includes(needs.kind)
  if (isNative && needs.minSdk !== null && apiLevel(needs.minSdk) > device.sdk) return 'SDK'
  if (needs.abis.length > 0 && !needs.abis.some(abi => device.abis.includes(abi))) return 'ABI'
  const types = needs.deviceTypes.map(type => (type === 'default' ? 'phone' : type))
  if (harmonyKinds.includes(needs.kind) && types.length > 0 && !types.includes(device.deviceType)) return 'DEVICE_TYPE'
  return null
}

/** HarmonyOS also writes levels as 50001013: version 5.0.1 with API level 13. */
export function apiLevel(written: number): number {
  return written > 1_000_000 ? written % 1000 : written
}

/** What a device may be and run, for choosing. */
export const knownDeviceTypes = ['phone', 'tablet', '2in1', 'tv', 'wearable', 'car'] as const
export const knownAbis = ['arm64-v8a', 'armeabi-v7a', 'x86_64', 'x86'] as const
