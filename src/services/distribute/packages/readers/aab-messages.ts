import protobuf from 'protobufjs/light.js'

/**
 * The parts that we read of Android's Resources.proto, Configuration.proto and of bundletool's config.proto. Fields that
 * are not named here are skipped by the decoder.
 */
const messages = protobuf.Root.fromJSON({
  nested: {
    XmlNode: { fields: { element: { type: 'XmlElement', id: 1 } } },
    XmlElement: {
      fields: {
        namespaceUri: { type: 'string', id: 2 },
        name: { type: 'string', id: 3 },
        attribute: { rule: 'repeated', type: 'XmlAttribute', id: 4 },
        child: { rule: 'repeated', type: 'XmlNode', id: 5 },
      },
    },
    XmlAttribute: {
      fields: {
        name: { type: 'string', id: 2 },
        value: { type: 'string', id: 3 },
        resourceId: { type: 'uint32', id: 5 },
        compiledItem: { type: 'Item', id: 6 },
      },
    },
    Item: {
      fields: {
        ref: { type: 'Reference', id: 1 },
        str: { type: 'Text', id: 2 },
        rawStr: { type: 'Text', id: 3 },
        styledStr: { type: 'Text', id: 4 },
        file: { type: 'Text', id: 5 },
        prim: { type: 'Primitive', id: 7 },
      },
    },
    Reference: { fields: { id: { type: 'uint32', id: 2 } } },
    /** String, RawString, StyledString and FileReference all begin with their text. */
    Text: { fields: { value: { type: 'string', id: 1 } } },
    Primitive: {
      oneofs: { kind: { oneof: ['decimal', 'hexadecimal', 'flag'] } },
      fields: {
        decimal: { type: 'int32', id: 6 },
        hexadecimal: { type: 'uint32', id: 7 },
        flag: { type: 'bool', id: 8 },
      },
    },
    Entry: { fields: { configValue: { rule: 'repeated', type: 'ConfigValue', id: 6 } } },
    ConfigValue: { fields: { config: { type: 'Configuration', id: 1 }, value: { type: 'Value', id: 2 } } },
    Configuration: {
      fields: {
        mcc: { type: 'uint32', id: 1 },
        mnc: { type: 'uint32', id: 2 },
        locale: { type: 'string', id: 3 },
        density: { type: 'uint32', id: 18 },
        sdkVersion: { type: 'uint32', id: 24 },
        product: { type: 'string', id: 25 },
      },
    },
    Value: { fields: { item: { type: 'Item', id: 4 } } },
    BundleConfig: { fields: { bundletool: { type: 'Bundletool', id: 1 } } },
    Bundletool: { fields: { version: { type: 'string', id: 2 } } },
  },
})

export interface ProtoItem {
  ref?: { id?: number }
  str?: { value?: string }
  rawStr?: { value?: string }
  styledStr?: { value?: string }
  file?: { value?: string }
  prim?: { kind?: 'decimal' | 'hexadecimal' | 'flag'; decimal?: number; hexadecimal?: number; flag?: boolean }
}

export interface ProtoNode {
  element?: ProtoElement
}

export interface ProtoElement {
  namespaceUri?: string
  name?: string
  attribute: { name?: string; value?: string; resourceId?: number; compiledItem?: ProtoItem }[]
  child: ProtoNode[]
}

export interface ProtoVariant {
  config?: { mcc?: number; mnc?: number; locale?: string; density?: number; sdkVersion?: number; product?: string }
  value?: { item?: ProtoItem }
}

interface Messages {
  XmlNode: ProtoNode
  Entry: { configValue: ProtoVariant[] }
  BundleConfig: { bundletool?: { version?: string } }
}

/** Thrown when bytes are no message of that type. */
export class MessageFormatError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'MessageFormatError'
  }
}

/** A message of two bytes becomes an object of a hundred: what a hostile file would multiply is counted first. */
const MESSAGE_LIMIT = 200_000
const DEPTH_LIMIT = 600
const LENGTH_DELIMITED = 2

/** Decodes one message; throws MessageFormatError for bytes that are none, or too many of them in one. */
export function decodeMessage<Name extends keyof Messages>(name: Name, bytes: Buffer): Messages[Name] {
  return guarded(name, () => {
    const type = messages.lookupType(name).setup()
    countMessages(type, bytes, { left: MESSAGE_LIMIT }, 0)
    return type.decode(bytes) as unknown as Messages[Name]
  })
}

function countMessages(type: protobuf.Type, bytes: Uint8Array, budget: { left: number }, depth: number): void {
  if (depth > DEPTH_LIMIT) throw new MessageFormatError('messages are nested too deep')
  for (const { id, body } of fieldsOf(bytes)) {
    if (budget.left-- === 0) throw new MessageFormatError('it has too many parts')
    const inner = type.fieldsById[id]?.resolve().resolvedType
    if (body && inner instanceof protobuf.Type) countMessages(inner, body, budget, depth + 1)
  }
}

/** The fields of an encoded message as they come; `body` of those that have a length, else `number`. */
export function* fieldsOf(
  bytes: Uint8Array,
  budget = { left: Number.POSITIVE_INFINITY },
): Generator<{ id: number; body: Uint8Array | null; number: number }> {
  const reader = protobuf.Reader.create(bytes)
  while (reader.pos < reader.len) {
    if (budget.left-- <= 0) throw new MessageFormatError('it has too many parts')
    const tag = reader.uint32()
    const wire = tag & 7
    if (wire === LENGTH_DELIMITED) {
      const end = reader.uint32() + reader.pos
      if (end > reader.len) throw new RangeError('a field ends outside of its message')
      const body = bytes.subarray(reader.pos, end)
      reader.pos = end
      yield { id: tag >>> 3, body, number: 0 }
    } else if (wire === 0) yield { id: tag >>> 3, body: null, number: reader.uint32() }
    else {
      reader.skipType(wire)
      yield { id: tag >>> 3, body: null, number: 0 }
    }
  }
}

/** What the decoder throws for broken bytes, in our word for it. */
export function guarded<T>(name: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof MessageFormatError) throw error
    throw new MessageFormatError(`it is no ${name} message: ${(error as Error).message.slice(0, 200)}`)
  }
}
