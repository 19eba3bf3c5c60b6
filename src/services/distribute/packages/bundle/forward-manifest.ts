import protobuf from 'protobufjs/light.js'
import { fieldsOf, guarded, MessageFormatError } from '../readers/aab-messages.ts'

/** Numbers of fields in Android's Resources.proto, and of the two attributes in the framework's table. */
const ELEMENT = 1
const ATTRIBUTE = 4
const attribute = { value: 3, resourceId: 5, compiledItem: 6 } as const
const item = { str: 2, prim: 7 } as const
const TEXT_VALUE = 1
const PRIM_DECIMAL = 6
const VERSION_CODE = 0x0101021b
const VERSION_NAME = 0x0101021c
const LENGTH_DELIMITED = 2
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

/** The message with each field of that number changed, in the same order. */
function change(bytes: Uint8Array, id: number, work: (body: Uint8Array) => Uint8Array): Buffer {
  return Buffer.concat(
    spansOf(bytes).map(span => (span.id === id && span.body ? message(id, work(span.body)) : span.whole)),
  )
}

function without(bytes: Uint8Array, ids: readonly number[]): Buffer {
  return Buffer.concat(spansOf(bytes).flatMap(span => (ids.includes(span.id) ? [] : [span.whole])))
}

interface Span {
  id: number
  body: Uint8Array | null
  /** With its tag and length. */
  whole: Uint8Array
}

function spansOf(bytes: Uint8Array): Span[] {
  const reader = protobuf.Reader.create(bytes)
  const spans: Span[] = []
  while (reader.pos < reader.len) {
    const from = reader.pos
    const tag = reader.uint32()
    const isLong = (tag & 7) === LENGTH_DELIMITED
    const body = isLong ? reader.bytes() : null
    if (!isLong) reader.skipType(tag & 7)
    spans.push({ id: tag >>> 3, body, whole: bytes.subarray(from, reader.pos) })
  }
  return spans
}

const tagOf = (id: number, wire: number) => (id << 3) | wire
const message = (id: number, body: Uint8Array) =>
  protobuf.Writer.create().uint32(tagOf(id, LENGTH_DELIMITED)).bytes(body).finish()
const text = (id: number, value: string) =>
  protobuf.Writer.create().uint32(tagOf(id, LENGTH_DELIMITED)).string(value).finish()
const whole = (id: number, value: number) => protobuf.Writer.create().uint32(tagOf(id, 0)).int32(value).finish()
