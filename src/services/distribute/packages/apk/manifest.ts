import { parseBinaryXml, type XmlElement } from './binary-xml.ts'
import type { ManifestReader } from './manifest-values.ts'
import { androidAttribute, defaultVariant, isReference, manifestReader, plainText } from './manifest-values.ts'
import { ResourceFormatError } from './resource-chunk.ts'
import type { ResourceTable } from './resource-table.ts'

export type Permission = { name: string; maxSdk?: number }
export type Feature = { name: string; isRequired: boolean }
/** Something that other apps or the system can start. */
export type Component = { kind: 'activity' | 'service' | 'receiver' | 'provider'; name: string; isExported: boolean }

/** What an AndroidManifest.xml says, with references resolved where the resources allow. */
export type Manifest = {
  package: string
  /** Decimal string of the 64-bit code (major and minor), null when there is none. */
  versionCode: string | null
  versionName: string | null
  /** The default label; "@0x7f0b0001" when the resources cannot be read. */
  label: string | null
  /** Label by BCP 47 language, the default one not among them. */
  labels: Record<string, string>
  /** Resource id of the icon, or the path a manifest without resources names. */
  iconReference: number | string | null
  /** 1 when not declared, as on a device. */
  minSdk: number
  /** `minSdk` when not declared, as on a device. */
  targetSdk: number
  compileSdk: number | null
  permissions: Permission[]
  features: Feature[]
  components: Component[]
  isDebuggable: boolean
  isTestOnly: boolean
  /** Name of the split this package is, null for a base. */
  split: string | null
  /** A base that devices refuse to install without its splits. */
  isSplitRequired: boolean
  targetSandboxVersion: number
}

/** Parses a binary manifest; throws ResourceFormatError when it is malformed or names no package. */
export function parseManifest(bytes: Buffer, resources: ResourceTable | null): Manifest {
  return manifestOf(parseBinaryXml(bytes), resources)
}

/** What the elements of a manifest say, however they were encoded. */
export function manifestOf(root: XmlElement, resources: ResourceTable | null): Manifest {
  const read = manifestReader(resources)
  const application = root.children.find(child => child.name === 'application')
  const usesSdk = root.children.find(child => child.name === 'uses-sdk')
  const name = plainText(root, 'package')
  if (root.name !== 'manifest' || !name) throw new ResourceFormatError('it names no package')
  const minSdk = (usesSdk && read.integer(usesSdk, 'minSdkVersion')) ?? 1
  return {
    package: name,
    versionCode: versionCodeOf(root, read),
    versionName: read.text(root, 'versionName'),
    ...labelsOf(application, resources),
    iconReference: iconOf(application),
    minSdk,
    targetSdk: (usesSdk && read.integer(usesSdk, 'targetSdkVersion')) ?? minSdk,
    compileSdk: read.integer(root, 'compileSdkVersion'),
    permissions: permissionsOf(root, read),
    features: featuresOf(root, read),
    components: application ? componentsOf(application, name, read) : [],
    isDebuggable: (application && read.flag(application, 'debuggable')) ?? false,
    isTestOnly: (application && read.flag(application, 'testOnly')) ?? false,
    split: plainText(root, 'split'),
    isSplitRequired: read.flag(root, 'isSplitRequired') ?? false,
    targetSandboxVersion: read.integer(root, 'targetSandboxVersion') ?? 1,
  }
}

function versionCodeOf(root: XmlElement, read: ManifestReader): string | null {
  const minor = read.integer(root, 'versionCode')
  if (minor === null) return null
  const major = read.integer(root, 'versionCodeMajor') ?? 0
  if (major === 0) return String(minor)
  return String(BigInt.asIntN(64, (BigInt(major) << 32n) | BigInt(minor >>> 0)))
}

function permissionsOf(root: XmlElement, read: ManifestReader): Permission[] {
  const byName = new Map<string, Permission>()
  for (const child of root.children) {
    if (child.name !== 'uses-permission' && child.name !== 'uses-permission-sdk-23') continue
    const name = read.text(child, 'name')
    if (!name) continue
    const maxSdk = widest(byName.get(name), read.integer(child, 'maxSdkVersion'))
    byName.set(name, maxSdk === null ? { name } : { name, maxSdk })
  }
  return [...byName.values()]
}

/** A permission asked for twice is asked for on the devices of both. */
function widest(known: Permission | undefined, maxSdk: number | null): number | null {
  if (!known) return maxSdk
  return known.maxSdk === undefined || maxSdk === null ? null : Math.max(known.maxSdk, maxSdk)
}

function featuresOf(root: XmlElement, read: ManifestReader): Feature[] {
  const byName = new Map<string, Feature>()
  for (const child of root.children) {
    const name = child.name === 'uses-feature' ? read.text(child, 'name') : null
    if (name) byName.set(name, { name, isRequired: read.flag(child, 'required') ?? true })
  }
  return [...byName.values()]
}

const componentKinds = ['activity', 'service', 'receiver', 'provider'] as const

function componentsOf(application: XmlElement, packageName: string, read: ManifestReader): Component[] {
  return application.children.flatMap((child): Component[] => {
    const kind = child.name === 'activity-alias' ? 'activity' : componentKinds.find(one => one === child.name)
    const name = kind && read.text(child, 'name')
    if (!kind || !name) return []
    const isFiltered = child.children.some(inner => inner.name === 'intent-filter')
    const isExported = read.flag(child, 'exported') ?? (isFiltered && kind !== 'provider')
    return [{ kind, name: fullName(packageName, name), isExported }]
  })
}

/** `.Main` and `Main` are short for names within the package. */
export function fullName(packageName: string, name: string): string {
  if (name.startsWith('.')) return packageName + name
  return name.includes('.') ? name : `${packageName}.${name}`
}

function labelsOf(application: XmlElement | undefined, resources: ResourceTable | null) {
  const labels: Record<string, string> = {}
  const source = [application, launcherOf(application)].find(element => element && androidAttribute(element, 'label'))
  const attribute = source && androidAttribute(source, 'label')
  if (!attribute) return { label: null, labels }
  if (!isReference(attribute)) return { label: attribute.text, labels }
  const variants = resources?.variants(attribute.data) ?? []
  for (const { config, text } of variants) {
    if (config.locale !== '' && text !== null && (config.isPlain || !(config.locale in labels))) {
      labels[config.locale] = text
    }
  }
  const label = defaultVariant(variants)?.text ?? `@0x${attribute.data.toString(16).padStart(8, '0')}`
  return { label, labels }
}

/** The activity a launcher shows, whose label and icon stand in for the application's. */
function launcherOf(application: XmlElement | undefined): XmlElement | undefined {
  return application?.children.find(child => {
    if (child.name !== 'activity' && child.name !== 'activity-alias') return false
    const named = child.children.flatMap(filter => filter.children).map(item => androidAttribute(item, 'name')?.text)
    return named.includes('android.intent.action.MAIN') && named.includes('android.intent.category.LAUNCHER')
  })
}

function iconOf(application: XmlElement | undefined): number | string | null {
  const attributes = [application, launcherOf(application)].flatMap(element =>
    element ? [androidAttribute(element, 'icon'), androidAttribute(element, 'roundIcon')] : [],
  )
  const attribute = attributes.find(found => found !== undefined)
  if (!attribute) return null
  return isReference(attribute) ? attribute.data : attribute.text
}
