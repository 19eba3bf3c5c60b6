import type { XmlAttribute, XmlElement } from './binary-xml.ts'
import {
  type ResourceValue,
  VALUE_DYNAMIC_REFERENCE,
  VALUE_INT_FIRST,
  VALUE_INT_LAST,
  VALUE_REFERENCE,
} from './resource-chunk.ts'
import type { ResourceTable, ResourceVariant } from './resource-table.ts'

/** android: attributes by resource id; names may be stripped from a package, ids may not. */
export const attributeIds = {
  label: 0x01010001,
  icon: 0x01010002,
  name: 0x01010003,
  permission: 0x01010006,
  readPermission: 0x01010007,
  writePermission: 0x01010008,
  protectionLevel: 0x01010009,
  debuggable: 0x0101000f,
  exported: 0x01010010,
  src: 0x01010119,
  drawable: 0x01010199,
  minSdkVersion: 0x0101020c,
  versionCode: 0x0101021b,
  versionName: 0x0101021c,
  targetSdkVersion: 0x01010270,
  maxSdkVersion: 0x01010271,
  testOnly: 0x01010272,
  allowBackup: 0x01010280,
  required: 0x0101028e,
  usesCleartextTraffic: 0x010104ec,
  networkSecurityConfig: 0x01010527,
  roundIcon: 0x0101052c,
  targetSandboxVersion: 0x0101054c,
  compileSdkVersion: 0x01010572,
  versionCodeMajor: 0x01010576,
  isSplitRequired: 0x01010591,
} as const

export type AndroidAttribute = keyof typeof attributeIds

/** The android: attribute of an element, by id, or by name where the file has no ids. */
export function androidAttribute(element: XmlElement, name: AndroidAttribute): XmlAttribute | undefined {
  const id = attributeIds[name]
  return (
    element.attributes.find(attribute => attribute.resourceId === id) ??
    element.attributes.find(attribute => attribute.resourceId === 0 && attribute.name === name)
  )
}

/** An attribute without namespace, such as `package` and `split`. */
export function plainText(element: XmlElement, name: string): string | null {
  return element.attributes.find(attribute => attribute.resourceId === 0 && attribute.name === name)?.text ?? null
}

export const isReference = (value: ResourceValue) =>
  value.type === VALUE_REFERENCE || value.type === VALUE_DYNAMIC_REFERENCE

/** The variant a device with no special properties would use. */
export function defaultVariant(variants: ResourceVariant[]): ResourceVariant | undefined {
  return (
    variants.find(variant => variant.config.locale === '' && variant.config.isPlain) ??
    variants.find(variant => variant.config.locale === '') ??
    variants[0]
  )
}

/** Reads typed values of attributes, following references into the resource table when there is one. */
export function manifestReader(resources: ResourceTable | null) {
  const resolve = (attribute: XmlAttribute | undefined): (ResourceValue & { text: string | null }) | undefined => {
    if (!attribute || !isReference(attribute)) return attribute
    return defaultVariant(resources?.variants(attribute.data) ?? [])
  }
  const text = (element: XmlElement, name: AndroidAttribute): string | null => {
    const value = resolve(androidAttribute(element, name))
    if (!value) return null
    return isInteger(value) ? String(value.data | 0) : value.text
  }
  const integer = (element: XmlElement, name: AndroidAttribute): number | null => {
    const value = resolve(androidAttribute(element, name))
    if (!value) return null
    if (isInteger(value)) return value.data | 0
    return value.text !== null && /^-?\d{1,10}$/.test(value.text) ? Number(value.text) : null
  }
  const flag = (element: XmlElement, name: AndroidAttribute): boolean | null => {
    const value = resolve(androidAttribute(element, name))
    if (!value) return null
    return isInteger(value) ? value.data !== 0 : value.text === 'true'
  }
  return { text, integer, flag }
}

export type ManifestReader = ReturnType<typeof manifestReader>

const isInteger = (value: ResourceValue) => value.type >= VALUE_INT_FIRST && value.type <= VALUE_INT_LAST
