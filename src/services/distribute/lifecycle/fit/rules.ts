/** 4 phone, 5 tablet, 6 computer, 7 television, 8 watch, 9 car. */
export const deviceTypes = [4, 5, 6, 7, 8, 9] as const
export type DeviceType = (typeof deviceTypes)[number]

export interface FitPackage {
  kind: string
  minSdk: number | null
  abis: readonly string[]
  features: readonly { name: string; isRequired: boolean }[]
  permissions: readonly { name: string }[]
  deviceTypes: readonly string[]
  sizeBytes: number
}

export interface FitReason {
  rule: string
  level: 'BLOCK' | 'WARN'
  seen: string
}

const hardware = 'android.hardware.'
const software = 'android.software.'
/** What devices of a kind do not have. */
const missing: Readonly<Record<DeviceType, readonly string[]>> = {
  4: [`${software}leanback_only`, `${hardware}type.watch`, `${hardware}type.automotive`, `${hardware}type.television`],
  5: [`${hardware}telephony`, `${hardware}type.watch`, `${hardware}type.automotive`, `${hardware}type.television`],
  6: [
    ...['telephony', 'sensor.accelerometer', 'camera.flash', 'nfc', 'location.gps', 'fingerprint', 'type.watch'],
    ...['type.automotive', 'type.television'],
  ].map(name => hardware + name),
  7: [
    ...['touchscreen', 'telephony', 'camera', 'camera.any', 'nfc', 'location.gps', 'microphone', 'screen.portrait'],
    ...['sensor.accelerometer', 'fingerprint', 'type.watch', 'type.automotive'],
  ].map(name => hardware + name),
  8: [
    ...[
      'camera',
      'camera.any',
      'camera.flash',
      'telephony',
      'nfc.hce',
      'screen.landscape',
      'usb.host',
      'type.television',
    ],
    ...['type.automotive'],
  ].map(name => hardware + name),
  9: [
    ...['telephony', 'camera', 'camera.any', 'nfc', 'fingerprint', 'screen.portrait', 'type.watch', 'type.television'],
  ].map(name => hardware + name),
}

/** What a permission needs on a device where nothing else is said. */
const implied: Readonly<Record<string, string>> = {
  'android.permission.CAMERA': `${hardware}camera`,
  'android.permission.CALL_PHONE': `${hardware}telephony`,
  'android.permission.SEND_SMS': `${hardware}telephony`,
  'android.permission.READ_SMS': `${hardware}telephony`,
  'android.permission.NFC': `${hardware}nfc`,
}
const harmonyNames: Readonly<Record<DeviceType, readonly string[]>> = {
  4: ['phone', 'default'],
  5: ['tablet'],
  6: ['2in1', 'pc'],
  7: ['tv'],
  8: ['wearable', 'liteWearable'],
  9: ['car'],
}
const watchBytes = 100 << 20

/** Why a package does not fit, or not well, devices of a kind. */
export function misfitsOf(pkg: FitPackage, device: DeviceType): FitReason[] {
  if (pkg.deviceTypes.length > 0) {
    const isNamed = harmonyNames[device].some(name => pkg.deviceTypes.includes(name))
    return isNamed ? [] : [{ rule: 'fit.device', level: 'BLOCK', seen: pkg.deviceTypes.join(', ') }]
  }
  const reasons: FitReason[] = []
  const said = new Map(pkg.features.map(feature => [feature.name, feature.isRequired]))
  for (const [name, isRequired] of said) {
    if (isRequired && missing[device].includes(name)) reasons.push({ rule: 'fit.feature', level: 'BLOCK', seen: name })
  }
  for (const { name } of pkg.permissions) {
    const needed = implied[name]
    if (needed && !said.has(needed) && missing[device].includes(needed)) {
      reasons.push({ rule: 'fit.implied', level: 'BLOCK', seen: `${name} → ${needed}` })
    }
  }
  if (device === 7 && !said.has(`${software}leanback`)) {
    reasons.push({ rule: 'fit.leanback', level: 'WARN', seen: `${software}leanback` })
  }
  if (device === 7 && !said.has(`${hardware}touchscreen`)) {
    reasons.push({ rule: 'fit.touch', level: 'BLOCK', seen: `${hardware}touchscreen` })
  }
  if (device === 8 && !said.has(`${hardware}type.watch`)) {
    reasons.push({ rule: 'fit.watch', level: 'BLOCK', seen: `${hardware}type.watch` })
  }
  if (device === 8 && pkg.sizeBytes > watchBytes) {
    reasons.push({ rule: 'fit.size', level: 'WARN', seen: `${Math.round(pkg.sizeBytes / (1 << 20))} MiB` })
  }
  if (device === 9 && !said.has(`${hardware}type.automotive`)) {
    reasons.push({ rule: 'fit.car', level: 'WARN', seen: `${hardware}type.automotive` })
  }
  if (pkg.abis.length > 0 && !pkg.abis.includes('arm64-v8a') && device !== 6) {
    reasons.push({ rule: 'fit.abi', level: 'BLOCK', seen: pkg.abis.join(', ') })
  }
  if (device === 6 && pkg.abis.length > 0 && !pkg.abis.includes('x86_64') && !pkg.abis.includes('arm64-v8a')) {
    reasons.push({ rule: 'fit.abi', level: 'WARN', seen: pkg.abis.join(', ') })
  }
  return reasons
}
