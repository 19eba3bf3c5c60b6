import { checkLimits } from '../rules.ts'
import type { Subject } from '../subject.ts'
import { type Finder, notRead } from './finder.ts'
import { restricted, sensitive, unfit } from './permissions.ts'

const MiB = 1 << 20
const largeBytes = 200 * MiB
const notedBytes = 100 * MiB
const wastedBytes = 256 << 10
const smallestIcon = 144
const trackerNames = new Set([
  ...['Firebase', 'Google Ads', 'Facebook SDK', 'Bugly', 'UMeng', 'JPush', 'GeTui', 'Yandex AppMetrica', 'Adjust'],
  ...['AppsFlyer', 'AppLovin', 'Sentry'],
])

const shortName = (permission: string) => permission.replace(/^android\.permission\./, '')
const trackersOf = ({ pkg }: Subject) => pkg.sdks.filter(sdk => trackerNames.has(sdk.name))
const findingsOf = ({ pkg }: Subject, code: number) =>
  pkg.findings.filter(finding => finding.code === code).map(finding => finding.detail)
const isAndroid = ({ pkg }: Subject) => pkg.kind === 'APK' || pkg.kind === 'AAB'

export const permissions: Finder = ({ pkg }) => {
  const asked = pkg.permissions.map(one => one.name)
  const rare = asked.filter(name => restricted.includes(name))
  if (rare.length > 0) return { result: 'WARN', evidence: rare.map(shortName) }
  const common = asked.filter(name => sensitive.includes(name))
  return common.length > 0 ? { result: 'INFO', evidence: common.map(shortName) } : { evidence: [] }
}

export const permissionsForTarget: Finder = ({ pkg }) => {
  if (pkg.targetSdk === null) return notRead
  const evidence = unfit(pkg.permissions, pkg.targetSdk)
  return evidence.length > 0 ? { result: 'WARN', evidence } : { evidence: [`API ${pkg.targetSdk}`] }
}

export const trackers: Finder = subject => {
  const found = trackersOf(subject).map(({ name, provider, version }) =>
    [name, version, provider].filter(Boolean).join(' · '),
  )
  if (found.length === 0) return { evidence: [] }
  return { result: subject.privacy.state === 'answered' ? 'INFO' : 'WARN', evidence: found }
}

/** Whoever asks for people's data says what becomes of it. */
export const privacyStatement: Finder = subject => {
  const { privacy, pkg } = subject
  const needsOne = pkg.permissions.some(one => sensitive.includes(one.name)) || trackersOf(subject).length > 0
  if (privacy.state === 'none') return needsOne ? { result: 'BLOCK', evidence: [] } : { result: 'INFO', evidence: [] }
  if (privacy.state === 'failed') return { result: 'WARN', evidence: [privacy.reason] }
  const { status, letters } = privacy
  const isRight = status === 200 && letters >= checkLimits.privacyLetters
  return { ...(!isRight && { result: 'WARN' }), evidence: [`HTTP ${status}`, `${letters}`] }
}

export const targetSdk: Finder = subject => {
  const old = findingsOf(subject, 1109)
  return old.length > 0 ? { result: 'WARN', evidence: old } : { evidence: [`API ${subject.pkg.targetSdk ?? '–'}`] }
}

export const abi64: Finder = subject => {
  const missing = findingsOf(subject, 1110)
  return missing.length > 0 ? { result: 'BLOCK', evidence: missing } : { evidence: subject.pkg.abis }
}

export const pageSize: Finder = subject => {
  const found = findingsOf(subject, 1115)
  return found.length > 0 ? { result: 'WARN', evidence: found } : { evidence: [] }
}

/** From API level 31 the system refuses to install a package that does not say. */
export const exportedSaid: Finder = ({ inside, pkg }) => {
  if (!inside) return notRead
  const unsaid = inside.components.filter(one => one.isUnsaid).map(one => `${one.kind} ${one.name}`)
  if (unsaid.length === 0) return { evidence: [] }
  return { result: (pkg.targetSdk ?? 1) >= 31 ? 'BLOCK' : 'INFO', evidence: unsaid }
}

export const installable: Finder = subject => {
  const found = [1106, 1112, 1114].flatMap(code => findingsOf(subject, code))
  return found.length > 0 ? { result: 'BLOCK', evidence: found } : { evidence: [] }
}

export const size: Finder = ({ pkg }) => {
  const top = pkg.folders.slice(0, 3).map(({ folder, compressedBytes }) => `${folder}: ${megabytes(compressedBytes)}`)
  const evidence = [megabytes(pkg.sizeBytes), ...top]
  if (pkg.sizeBytes >= largeBytes) return { result: 'WARN', evidence }
  return pkg.sizeBytes >= notedBytes ? { result: 'INFO', evidence } : { evidence }
}

const megabytes = (bytes: number) => `${(bytes / MiB).toFixed(1)} MiB`

export const duplicates: Finder = ({ inside }) => {
  if (!inside) return notRead
  const wasted = inside.duplicates.reduce((sum, one) => sum + one.wastedBytes, 0)
  const evidence = inside.duplicates.map(one => `${one.names.join(' = ')} (${megabytes(one.wastedBytes)})`)
  if (wasted >= wastedBytes) return { result: 'WARN', evidence }
  return inside.duplicates.length > 0 ? { result: 'INFO', evidence } : { evidence: [] }
}

export const icon: Finder = ({ inside }) => {
  if (!inside) return notRead
  if (!inside.icon) return { result: 'WARN', evidence: [] }
  const { path, width, height } = inside.icon
  const isSmall = width > 0 && Math.min(width, height) < smallestIcon
  return { ...(isSmall && { result: 'INFO' }), evidence: [width > 0 ? `${path} ${width}×${height}` : path] }
}

export const label: Finder = subject => {
  if (!isAndroid(subject)) return notRead
  const name = subject.pkg.label ?? ''
  const isReadable = name.trim() !== '' && !name.startsWith('@0x')
  return { ...(!isReadable && { result: 'WARN' }), evidence: [name, ...subject.pkg.languages].filter(Boolean) }
}

/** What only a device can tell; none is connected to this server. */
export const onDevice: Finder = () => ({ result: 'NOT_RUN', evidence: ['device'] })
