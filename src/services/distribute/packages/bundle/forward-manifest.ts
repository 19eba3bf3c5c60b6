import { fieldsOf, guarded, MessageFormatError } from '../readers/aab-messages.ts'
import { change, message, text, whole, without } from './message-writing.ts'

/** Numbers of fields in Android's Resources.proto, and of the two attributes in the framework's table. */
const ELEMENT = 1
const ATTRIBUTE = 4
const attribute = { value: 3, resourceId: 5, compiledItem: 6 } as const
const item = { str: 2, prim: 7 } as const
const TEXT_VALUE = 1
const PRIM_DECIMAL = 6
const VERSION_CODE = 0x0101021b
const VERSION_NAME = 0x0101021c
/** What Android takes; beyond it a code needs its major half, which such a manifest does not have. */
const highestCode = 2_100_000_000n

export interface VersionWords {
  /** Decimal. */
  versionCode: string
  versionName: string
}

/**
 * The manifest of a bundle's module under another version: code and name are written where the tools keep them, the text and
 * the compiled value; every other byte stays. Throws MessageFormatError where there is none, or the code is too high.
 */
export function underVersion(manifest: Buffer, { versionCode, versionName }: VersionWords): Buffer {
  if (BigInt(versionCode) > highestCode) throw new MessageFormatError(`version code ${versionCode} is too high`)
  const compiled = {
    [VERSION_CODE]: message(item.prim, whole(PRIM_DECIMAL, Number(versionCode))),
    [VERSION_NAME]: message(item.str, text(TEXT_VALUE, versionName)),
  }
  const words = { [VERSION_CODE]: versionCode, [VERSION_NAME]: versionName }
  const written = new Set<number>()
  return guarded('XmlNode', () => {
    const changed = change(manifest, ELEMENT, element =>
      change(element, ATTRIBUTE, one => {
        const id = [...fieldsOf(one)].find(field => field.id === attribute.resourceId)?.number ?? 0
        if (id !== VERSION_CODE && id !== VERSION_NAME) return one
        written.add(id)
        const rest = without(one, [attribute.value, attribute.compiledItem])
        return Buffer.concat([rest, text(attribute.value, words[id]), message(attribute.compiledItem, compiled[id])])
      }),
    )
    if (written.size < 2) throw new MessageFormatError('the manifest names no version code or no version name')
    return changed
  })
}
