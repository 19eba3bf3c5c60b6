import type { XmlElement } from '../apk/binary-xml.ts'
import { VALUE_INT_FIRST, VALUE_REFERENCE, VALUE_STRING } from '../apk/resource-chunk.ts'
import type { ResourceTable, ResourceVariant } from '../apk/resource-table.ts'
import {
  decodeMessage,
  fieldsOf,
  guarded,
  MessageFormatError,
  type ProtoElement,
  type ProtoItem,
  type ProtoNode,
  type ProtoVariant,
} from './aab-messages.ts'

const VALUE_FLAG = 0x12
const DEPTH_LIMIT = 256
const REFERENCE_DEPTH_LIMIT = 8
const VARIANT_LIMIT = 10_000
const ENTRY_LIMIT = 500_000
/** Of a real app with a hundred thousand texts in eighty languages; more would take longer than anybody waits. */
export const FIELD_LIMIT = 6_000_000
const LANGUAGE_LIMIT = 500

/** The elements of a manifest as they are in a bundle, in the form they have in an APK. */
export function elementOf(node: ProtoNode): XmlElement {
  if (!node.element) throw new MessageFormatError('the document has no element')
  return toElement(node.element, 0)
}

function toElement(from: ProtoElement, depth: number): XmlElement {
  if (depth > DEPTH_LIMIT) throw new MessageFormatError('elements are nested too deep')
  return {
    name: from.name ?? '',
    attributes: from.attribute.map(({ name, value, resourceId, compiledItem }) => ({
      name: name ?? '',
      resourceId: resourceId ?? 0,
      ...(compiledValue(compiledItem) ?? { type: VALUE_STRING, data: 0, text: value ?? null }),
    })),
    children: from.child.flatMap(child => (child.element ? [toElement(child.element, depth + 1)] : [])),
  }
}

function compiledValue(item: ProtoItem | undefined): { type: number; data: number; text: string | null } | null {
  if (!item) return null
  if (item.ref) return { type: VALUE_REFERENCE, data: item.ref.id ?? 0, text: null }
  const text = item.str?.value ?? item.rawStr?.value ?? item.styledStr?.value ?? item.file?.value
  if (text !== undefined) return { type: VALUE_STRING, data: 0, text }
  const { prim } = item
  if (prim?.kind === 'flag') return { type: VALUE_FLAG, data: prim.flag ? 1 : 0, text: null }
  if (prim?.kind === undefined) return null
  return { type: VALUE_INT_FIRST, data: (prim.decimal ?? prim.hexadecimal ?? 0) >>> 0, text: null }
}

/** The resources of a bundle in the form that the manifest of an APK is read with, and the languages they are in. */
export type BundleResources = ResourceTable & { languages: string[] }

/** Reads a resources.pb; entries are found now and decoded when asked for. Throws MessageFormatError. */
export function resourcesOf(bytes: Buffer): BundleResources {
  const entries = new Map<number, Buffer>()
  const languages = new Set<string>()
  guarded('ResourceTable', () => collectEntries(bytes, entries, languages))
  const decoded = (id: number): ResourceVariant[] => {
    const entry = entries.get(id >>> 0)
    return entry ? decodeMessage('Entry', entry).configValue.flatMap(variantOf) : []
  }
  const follow = (id: number, depth: number, budget: { left: number }): ResourceVariant[] => {
    const found = decoded(id)
    budget.left -= found.length
    return found.flatMap(variant => {
      if (variant.type !== VALUE_REFERENCE) return [variant]
      return depth === 0 || budget.left < 0 ? [] : follow(variant.data, depth - 1, budget)
    })
  }
  const variants = (id: number) => follow(id, REFERENCE_DEPTH_LIMIT, { left: VARIANT_LIMIT })
  return { variants, languages: [...languages].sort().slice(0, LANGUAGE_LIMIT) }
}

function variantOf({ config = {}, value }: ProtoVariant): ResourceVariant[] {
  const found = compiledValue(value?.item)
  if (!found) return []
  const { locale = '', density = 0, ...others } = config
  const isPlain = density === 0 && Object.values(others).every(one => !one)
  return [{ ...found, config: { locale, density, isPlain } }]
}

/** How many fields may still be looked at. */
export interface Budget {
  left: number
}

function collectEntries(bytes: Buffer, entries: Map<number, Buffer>, languages: Set<string>): void {
  const budget = { left: FIELD_LIMIT }
  for (const pack of bodies(bytes, 2, budget)) {
    const packageId = numberIn(pack, budget)
    for (const type of bodies(pack, 3, budget)) {
      const typeId = numberIn(type, budget)
      for (const entry of bodies(type, 3, budget)) {
        if (entries.size >= ENTRY_LIMIT) throw new MessageFormatError('it has too many entries')
        entries.set(((packageId << 24) | (typeId << 16) | numberIn(entry, budget)) >>> 0, entry)
        for (const variant of bodies(entry, 6, budget)) {
          for (const config of bodies(variant, 1, budget)) {
            for (const locale of bodies(config, 3, budget)) languages.add(locale.toString('utf8'))
          }
        }
      }
    }
  }
}

/** The bodies of the fields of one number. */
export function* bodies(bytes: Uint8Array, wanted: number, budget: Budget): Generator<Buffer> {
  for (const { id, body } of fieldsOf(bytes, budget)) {
    if (id === wanted && body) yield Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  }
}

/** The number in a message of an id: PackageId, TypeId and EntryId have it in their first field. */
function numberIn(bytes: Buffer, budget: Budget): number {
  for (const inner of bodies(bytes, 1, budget)) {
    for (const { id, number } of fieldsOf(inner, budget)) if (id === 1) return number
  }
  return 0
}
