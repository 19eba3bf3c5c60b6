/** Chunk types of Android's ResourceTypes.h. */
export const CHUNK_STRING_POOL = 0x0001
export const CHUNK_TABLE = 0x0002
export const CHUNK_XML_START_ELEMENT = 0x0102
export const CHUNK_XML_END_ELEMENT = 0x0103
export const CHUNK_XML_RESOURCE_MAP = 0x0180
export const CHUNK_PACKAGE = 0x0200
export const CHUNK_TYPE = 0x0201

/** Types of a Res_value. */
export const VALUE_REFERENCE = 0x01
export const VALUE_STRING = 0x03
export const VALUE_DYNAMIC_REFERENCE = 0x07
export const VALUE_INT_FIRST = 0x10
export const VALUE_INT_LAST = 0x1f

/** A typed value: the data is a number, a string index, or a resource id, as `type` says. */
export type ResourceValue = { type: number; data: number }

/** Thrown when binary resources do not hold what their headers promise. */
export class ResourceFormatError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ResourceFormatError'
  }
}

/** One chunk: the header has the chunk's own fields, the body its children. */
export type Chunk = { type: number; header: Buffer; body: Buffer; bytes: Buffer }

const CHUNK_HEADER_BYTES = 8

/** Reads the chunk at `at`; throws ResourceFormatError when it does not fit into `bytes`. */
export function readChunk(bytes: Buffer, at: number): Chunk {
  if (at + CHUNK_HEADER_BYTES > bytes.length) throw new ResourceFormatError(`no chunk at ${at}`)
  const headerBytes = bytes.readUInt16LE(at + 2)
  const totalBytes = bytes.readUInt32LE(at + 4)
  if (headerBytes < CHUNK_HEADER_BYTES || totalBytes < headerBytes || at + totalBytes > bytes.length) {
    throw new ResourceFormatError(`chunk at ${at} has impossible sizes`)
  }
  return {
    type: bytes.readUInt16LE(at),
    header: bytes.subarray(at, at + headerBytes),
    body: bytes.subarray(at + headerBytes, at + totalBytes),
    bytes: bytes.subarray(at, at + totalBytes),
  }
}

/** The chunks that follow each other in `bytes`. */
export function* readChunks(bytes: Buffer): Generator<Chunk> {
  for (let at = 0; at + CHUNK_HEADER_BYTES <= bytes.length; ) {
    const chunk = readChunk(bytes, at)
    yield chunk
    at += chunk.bytes.length
  }
}
