import protobuf from 'protobufjs/light.js'

const LENGTH_DELIMITED = 2

/** The message with each field of that number changed, in the same order. */
export function change(bytes: Uint8Array, id: number, work: (body: Uint8Array) => Uint8Array): Buffer {
  return Buffer.concat(
    spansOf(bytes).map(span => (span.id === id && span.body ? message(id, work(span.body)) : span.whole)),
  )
}

/** The message but for the fields of those numbers. */
export function without(bytes: Uint8Array, ids: readonly number[]): Buffer {
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
/** A field that is a message. */
export const message = (id: number, body: Uint8Array) =>
  protobuf.Writer.create().uint32(tagOf(id, LENGTH_DELIMITED)).bytes(body).finish()
/** A field that is text. */
export const text = (id: number, value: string) =>
  protobuf.Writer.create().uint32(tagOf(id, LENGTH_DELIMITED)).string(value).finish()
/** A field that is a number, or a flag. */
export const whole = (id: number, value: number) => protobuf.Writer.create().uint32(tagOf(id, 0)).int32(value).finish()
