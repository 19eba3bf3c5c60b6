import {
  CHUNK_STRING_POOL,
  CHUNK_XML_END_ELEMENT,
  CHUNK_XML_RESOURCE_MAP,
  CHUNK_XML_START_ELEMENT,
  type Chunk,
  ResourceFormatError,
  type ResourceValue,
  readChunk,
  readChunks,
  VALUE_STRING,
} from './resource-chunk.ts'
import { type StringPool, stringPool } from './string-pool.ts'

/** An attribute; `resourceId` is the android: attribute it stands for, 0 when it has none. */
export type XmlAttribute = ResourceValue & { name: string; resourceId: number; text: string | null }

export type XmlElement = { name: string; attributes: XmlAttribute[]; children: XmlElement[] }

const ELEMENT_FIELDS_BYTES = 20
const ATTRIBUTE_BYTES = 20
const DEPTH_LIMIT = 256

/** Parses Android's binary XML and answers its root element; throws ResourceFormatError on anything malformed. */
export function parseBinaryXml(bytes: Buffer): XmlElement {
  const document = readChunk(bytes, 0)
  let strings: StringPool | undefined
  let resourceIds: Buffer = Buffer.alloc(0)
  const root: XmlElement = { name: '', attributes: [], children: [] }
  const open = [root]
  for (const chunk of readChunks(document.body)) {
    if (chunk.type === CHUNK_STRING_POOL) strings ??= stringPool(chunk)
    else if (chunk.type === CHUNK_XML_RESOURCE_MAP) resourceIds = chunk.body
    else if (chunk.type === CHUNK_XML_END_ELEMENT) open.pop()
    else if (chunk.type === CHUNK_XML_START_ELEMENT) {
      if (!strings) throw new ResourceFormatError('an element comes before the strings')
      const element = readElement(chunk, strings, resourceIds)
      if (open.length > DEPTH_LIMIT) throw new ResourceFormatError('elements are nested too deep')
      open.at(-1)?.children.push(element)
      open.push(element)
    }
  }
  const first = root.children[0]
  if (!first) throw new ResourceFormatError('the document has no element')
  return first
}

function readElement(chunk: Chunk, strings: StringPool, resourceIds: Buffer): XmlElement {
  const { body } = chunk
  if (body.length < ELEMENT_FIELDS_BYTES) throw new ResourceFormatError('an element is too short')
  const start = body.readUInt16LE(8)
  const strideBytes = body.readUInt16LE(10)
  const count = body.readUInt16LE(12)
  if (count > 0 && (strideBytes < ATTRIBUTE_BYTES || start + count * strideBytes > body.length)) {
    throw new ResourceFormatError('the attributes of an element do not fit')
  }
  const attributes: XmlAttribute[] = []
  for (let i = 0; i < count; i++) attributes.push(readAttribute(body, start + i * strideBytes, strings, resourceIds))
  return { name: strings.get(body.readInt32LE(4)) ?? '', attributes, children: [] }
}

function readAttribute(body: Buffer, at: number, strings: StringPool, resourceIds: Buffer): XmlAttribute {
  const nameIndex = body.readInt32LE(at + 4)
  const type = body.readUInt8(at + 15)
  const data = body.readUInt32LE(at + 16)
  const hasId = nameIndex >= 0 && nameIndex * 4 + 4 <= resourceIds.length
  return {
    name: strings.get(nameIndex) ?? '',
    resourceId: hasId ? resourceIds.readUInt32LE(nameIndex * 4) : 0,
    type,
    data,
    text: type === VALUE_STRING ? strings.get(data) : strings.get(body.readInt32LE(at + 8)),
  }
}
