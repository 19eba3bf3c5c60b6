import {
  CHUNK_PACKAGE,
  CHUNK_STRING_POOL,
  CHUNK_TABLE,
  CHUNK_TYPE,
  type Chunk,
  ResourceFormatError,
  type ResourceValue,
  readChunk,
  readChunks,
  VALUE_DYNAMIC_REFERENCE,
  VALUE_REFERENCE,
  VALUE_STRING,
} from './resource-chunk.ts'
import { type ResourceConfig, resourceConfig } from './resource-config.ts'
import { type StringPool, stringPool } from './string-pool.ts'

/** One value of a resource, for one configuration; `text` only for strings and files. */
export type ResourceVariant = ResourceValue & { config: ResourceConfig; text: string | null }

/** The resources of a package; nothing is decoded until it is asked for. */
export type ResourceTable = {
  /** Every variant of a resource, references followed; empty when there is none. */
  variants(resourceId: number): ResourceVariant[]
}

const REFERENCE_DEPTH_LIMIT = 8
/** References that fan out at every step would otherwise take hours. */
const VARIANT_LIMIT = 10_000
const TYPE_HEADER_MIN_BYTES = 20
const FLAG_SPARSE = 1
const FLAG_OFFSET16 = 2
const ENTRY_COMPLEX = 1
const ENTRY_COMPACT = 8
const NO_ENTRY_32 = 0xffffffff
const NO_ENTRY_16 = 0xffff

type TypeChunk = { chunk: Chunk; config: ResourceConfig | undefined }

/** Reads a resources.arsc; throws ResourceFormatError when it is malformed. */
export function parseResourceTable(bytes: Buffer): ResourceTable {
  const table = readChunk(bytes, 0)
  if (table.type !== CHUNK_TABLE) throw new ResourceFormatError('resource table expected')
  let strings: StringPool | undefined
  const types = new Map<number, TypeChunk[]>()
  for (const chunk of readChunks(table.body)) {
    if (chunk.type === CHUNK_STRING_POOL) strings ??= stringPool(chunk)
    else if (chunk.type === CHUNK_PACKAGE) collectTypes(chunk, types)
  }
  const follow = (resourceId: number, depth: number, budget: { left: number }): ResourceVariant[] => {
    const found = (types.get(resourceId >>> 16) ?? []).flatMap(type => variantOf(type, resourceId & 0xffff, strings))
    budget.left -= found.length
    return found.flatMap(variant => {
      if (variant.type !== VALUE_REFERENCE && variant.type !== VALUE_DYNAMIC_REFERENCE) return [variant]
      if (depth === 0 || budget.left < 0) return []
      return follow(variant.data, depth - 1, budget).map(target => merge(variant, target))
    })
  }
  return { variants: resourceId => follow(resourceId, REFERENCE_DEPTH_LIMIT, { left: VARIANT_LIMIT }) }
}

/** A localised reference to a default text is a text of that locale. */
function merge(reference: ResourceVariant, target: ResourceVariant): ResourceVariant {
  if (reference.config.locale === '' || target.config.locale !== '') return target
  return { ...target, config: { ...target.config, locale: reference.config.locale } }
}

function collectTypes(chunk: Chunk, types: Map<number, TypeChunk[]>): void {
  if (chunk.header.length < 12) throw new ResourceFormatError('a package header is too short')
  const packageId = chunk.header.readUInt32LE(8) & 0xff
  for (const child of readChunks(chunk.body)) {
    if (child.type !== CHUNK_TYPE || child.header.length < TYPE_HEADER_MIN_BYTES) continue
    const key = (packageId << 8) | child.header.readUInt8(8)
    const list = types.get(key)
    if (list) list.push({ chunk: child, config: undefined })
    else types.set(key, [{ chunk: child, config: undefined }])
  }
}

function variantOf(type: TypeChunk, index: number, strings: StringPool | undefined): ResourceVariant[] {
  const { chunk } = type
  const offset = entryOffset(chunk, index)
  if (offset === null) return []
  const value = readValue(chunk.bytes, chunk.header.readUInt32LE(16) + offset)
  if (!value) return []
  type.config ??= resourceConfig(chunk.header.subarray(TYPE_HEADER_MIN_BYTES))
  return [
    { ...value, config: type.config, text: value.type === VALUE_STRING ? (strings?.get(value.data) ?? null) : null },
  ]
}

function entryOffset(chunk: Chunk, index: number): number | null {
  const flags = chunk.header.readUInt8(9)
  const count = chunk.header.readUInt32LE(12)
  const { body } = chunk
  if (flags & FLAG_SPARSE) {
    for (let i = 0; i < count && i * 4 + 4 <= body.length; i++) {
      if (body.readUInt16LE(i * 4) === index) return body.readUInt16LE(i * 4 + 2) * 4
    }
    return null
  }
  if (index >= count) return null
  if (flags & FLAG_OFFSET16) {
    const offset = index * 2 + 2 <= body.length ? body.readUInt16LE(index * 2) : NO_ENTRY_16
    return offset === NO_ENTRY_16 ? null : offset * 4
  }
  const offset = index * 4 + 4 <= body.length ? body.readUInt32LE(index * 4) : NO_ENTRY_32
  return offset === NO_ENTRY_32 ? null : offset
}

function readValue(bytes: Buffer, at: number): ResourceValue | null {
  if (at + 8 > bytes.length) throw new ResourceFormatError('a resource entry does not fit')
  const flags = bytes.readUInt16LE(at + 2)
  if (flags & ENTRY_COMPACT) return { type: flags >>> 8, data: bytes.readUInt32LE(at + 4) }
  if (flags & ENTRY_COMPLEX) return null
  const valueAt = at + bytes.readUInt16LE(at)
  if (valueAt + 8 > bytes.length) throw new ResourceFormatError('a resource value does not fit')
  return { type: bytes.readUInt8(valueAt + 3), data: bytes.readUInt32LE(valueAt + 4) }
}
