import { CHUNK_STRING_POOL, type Chunk, ResourceFormatError } from './resource-chunk.ts'

/** The strings of a binary XML file or resource table, decoded when asked for. */
export type StringPool = { count: number; get(index: number): string | null }

const UTF8_FLAG = 1 << 8
const POOL_HEADER_BYTES = 28

/** Reads a string pool chunk; throws ResourceFormatError when its index does not fit. */
export function stringPool(chunk: Chunk): StringPool {
  if (chunk.type !== CHUNK_STRING_POOL || chunk.header.length < POOL_HEADER_BYTES) {
    throw new ResourceFormatError('string pool expected')
  }
  const count = chunk.header.readUInt32LE(8)
  const isUtf8 = (chunk.header.readUInt32LE(16) & UTF8_FLAG) !== 0
  const stringsStart = chunk.header.readUInt32LE(20)
  if (count * 4 > chunk.body.length || stringsStart > chunk.bytes.length) {
    throw new ResourceFormatError('string pool index does not fit')
  }
  const strings = chunk.bytes.subarray(stringsStart)
  const decoded = new Map<number, string>()
  const get = (index: number): string | null => {
    if (index < 0 || index >= count) return null
    let text = decoded.get(index)
    if (text === undefined) {
      const at = chunk.body.readUInt32LE(index * 4)
      text = isUtf8 ? readUtf8(strings, at) : readUtf16(strings, at)
      decoded.set(index, text)
    }
    return text
  }
  return { count, get }
}

function readUtf8(strings: Buffer, start: number): string {
  let at = start
  // Two lengths precede the text, in UTF-16 units and in bytes; each takes a second byte when its top bit is set.
  at += (byteAt(strings, at) & 0x80) === 0 ? 1 : 2
  let lengthBytes = byteAt(strings, at++)
  if (lengthBytes & 0x80) lengthBytes = ((lengthBytes & 0x7f) << 8) | byteAt(strings, at++)
  return slice(strings, at, lengthBytes).toString('utf8')
}

function readUtf16(strings: Buffer, start: number): string {
  let at = start
  let units = unitAt(strings, at)
  at += 2
  if (units & 0x8000) {
    units = ((units & 0x7fff) << 16) | unitAt(strings, at)
    at += 2
  }
  return slice(strings, at, units * 2).toString('utf16le')
}

function byteAt(strings: Buffer, at: number): number {
  const byte = strings[at]
  if (byte === undefined) throw new ResourceFormatError('string outside its pool')
  return byte
}

const unitAt = (strings: Buffer, at: number) => byteAt(strings, at) | (byteAt(strings, at + 1) << 8)

function slice(strings: Buffer, at: number, lengthBytes: number): Buffer {
  if (at + lengthBytes > strings.length) throw new ResourceFormatError('string outside its pool')
  return strings.subarray(at, at + lengthBytes)
}
