import { parseBinaryXml, type XmlElement } from '../apk/binary-xml.ts'
import { fullName } from '../apk/manifest.ts'
import { androidAttribute, defaultVariant, isReference, manifestReader, plainText } from '../apk/manifest-values.ts'
import type { ResourceTable } from '../apk/resource-table.ts'
import type { ZipArchive } from '../apk/zip.ts'

/** What an application says of itself; null is: it says nothing, and the system's rule counts. */
export interface Application {
  usesCleartextTraffic: boolean | null
  allowBackup: boolean | null
  /** What its network security configuration permits for all hosts; null where it has none, or that says nothing. */
  configPermitsCleartext: boolean | null
  /** Hosts for which its configuration permits it. */
  cleartextHosts: string[]
}

/** A component with who may start it. */
export interface GuardedComponent {
  kind: 'activity' | 'service' | 'receiver' | 'provider'
  name: string
  isExported: boolean
  /** From API level 31 a component with a filter has to say whether it is exported. */
  isUnsaid: boolean
  /** What a caller must hold; null: nothing. */
  permission: string | null
  /** What the launcher starts, which everybody must be able to. */
  isLauncher: boolean
}

const kinds = ['activity', 'service', 'receiver', 'provider'] as const
const configLimitBytes = 1 << 20
const hostLimit = 50
const shownCharacters = 500

const applicationElement = (root: XmlElement) => root.children.find(child => child.name === 'application')

export async function applicationOf(
  archive: ZipArchive,
  root: XmlElement,
  resources: ResourceTable | null,
): Promise<Application | null> {
  const element = applicationElement(root)
  if (!element) return null
  const read = manifestReader(resources)
  const config = await configOf(archive, element, resources).catch(() => null)
  return {
    usesCleartextTraffic: read.flag(element, 'usesCleartextTraffic'),
    allowBackup: read.flag(element, 'allowBackup'),
    configPermitsCleartext: config && permits(config.children.find(child => child.name === 'base-config')),
    cleartextHosts: config ? hostsIn(config).slice(0, hostLimit) : [],
  }
}

async function configOf(archive: ZipArchive, element: XmlElement, resources: ResourceTable | null) {
  const attribute = androidAttribute(element, 'networkSecurityConfig')
  if (!attribute || !isReference(attribute)) return null
  const path = defaultVariant(resources?.variants(attribute.data) ?? [])?.text ?? ''
  const entry = archive.byName.get(path)
  return entry ? parseBinaryXml(await archive.readEntry(entry, configLimitBytes)) : null
}

function permits(element: XmlElement | undefined): boolean | null {
  const attribute = element?.attributes.find(one => one.name === 'cleartextTrafficPermitted')
  if (!attribute) return null
  return attribute.text === null ? attribute.data !== 0 : attribute.text === 'true'
}

function hostsIn(config: XmlElement): string[] {
  return config.children.flatMap(child => {
    if (child.name !== 'domain-config' || permits(child) !== true) return []
    return child.children.flatMap(inner => (inner.name === 'domain' ? (plainText(inner, 'domain') ?? 'a host') : []))
  })
}

export function guardedComponents(root: XmlElement, resources: ResourceTable | null): GuardedComponent[] {
  const read = manifestReader(resources)
  const application = applicationElement(root)
  if (!application) return []
  const guard = read.text(application, 'permission')
  const packageName = plainText(root, 'package') ?? ''
  return application.children.flatMap((child): GuardedComponent[] => {
    const kind = child.name === 'activity-alias' ? 'activity' : kinds.find(one => one === child.name)
    const name = kind && read.text(child, 'name')
    if (!kind || !name) return []
    const isFiltered = child.children.some(inner => inner.name === 'intent-filter')
    const said = read.flag(child, 'exported')
    const both = read.text(child, 'readPermission') && read.text(child, 'writePermission')
    const permission = read.text(child, 'permission') ?? both ?? guard
    return [
      {
        kind,
        name: fullName(packageName, name).toWellFormed().slice(0, shownCharacters),
        isExported: said ?? (isFiltered && kind !== 'provider'),
        isUnsaid: isFiltered && said === null,
        permission: permission === null ? null : permission.toWellFormed().slice(0, shownCharacters),
        isLauncher: namesIn(child).includes('android.intent.category.LAUNCHER'),
      },
    ]
  })
}

function namesIn(element: XmlElement): string[] {
  return element.children.flatMap(filter => filter.children).flatMap(item => androidAttribute(item, 'name')?.text ?? [])
}
