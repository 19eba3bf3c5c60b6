import { SignatureFailure } from './problem.ts'

/**
 * One value of ASN.1 BER/DER. `raw` is the exact encoding: digests of certificates and signed attributes are over
 * these bytes, so a library that decodes and encodes again would not do.
 */
export type DerValue = { tag: number; raw: Buffer; body: Buffer }

export const TAG_INTEGER = 0x02
export const TAG_BIT_STRING = 0x03
export const TAG_OCTET_STRING = 0x04
export const TAG_OID = 0x06
export const TAG_BMP_STRING = 0x1e
export const TAG_SEQUENCE = 0x30
export const TAG_SET = 0x31
export const TAG_CONTEXT_0 = 0xa0
export const TAG_CONTEXT_3 = 0xa3
const CONSTRUCTED = 0x20
const DEPTH_LIMIT = 64

const malformed = () => new SignatureFailure('malformed', 'the ASN.1 encoding is malformed')

/** Reads the value that starts at `at`; throws SignatureFailure when it does not fit. */
export function readDer(bytes: Buffer, at = 0, depth = 0): DerValue {
  const tag = bytes[at]
  const first = bytes[at + 1]
  if (tag === undefined || first === undefined || (tag & 0x1f) === 0x1f || depth > DEPTH_LIMIT) throw malformed()
  if (first === 0x80) return readIndefinite(bytes, at, tag, depth)
  let bodyAt = at + 2
  let lengthBytes = first
  if (first > 0x80) {
    const count = first & 0x7f
    if (count > 4 || bodyAt + count > bytes.length) throw malformed()
    lengthBytes = bytes.readUIntBE(bodyAt, count)
    bodyAt += count
  }
  const end = bodyAt + lengthBytes
  if (end > bytes.length) throw malformed()
  return { tag, raw: bytes.subarray(at, end), body: bytes.subarray(bodyAt, end) }
}

function readIndefinite(bytes: Buffer, at: number, tag: number, depth: number): DerValue {
  let end = at + 2
  while (bytes[end] !== 0 || bytes[end + 1] !== 0) {
    if (end >= bytes.length) throw malformed()
    end += readDer(bytes, end, depth + 1).raw.length
  }
  return { tag, raw: bytes.subarray(at, end + 2), body: bytes.subarray(at + 2, end) }
}

/** The values inside a constructed value. */
export function derChildren(value: DerValue): DerValue[] {
  const children: DerValue[] = []
  for (let at = 0; at < value.body.length; ) {
    const child = readDer(value.body, at)
    children.push(child)
    at += child.raw.length
  }
  return children
}

/** The value if it has the tag; throws SignatureFailure otherwise. */
export function expectTag(value: DerValue | undefined, tag: number): DerValue {
  if (value?.tag !== tag) throw malformed()
  return value
}

/** The bytes of an OCTET STRING, joined when it is encoded in pieces. */
export function octets(value: DerValue | undefined): Buffer {
  if (value?.tag === (TAG_OCTET_STRING | CONSTRUCTED)) return Buffer.concat(derChildren(value).map(octets))
  return expectTag(value, TAG_OCTET_STRING).body
}

/** The dotted form of an OBJECT IDENTIFIER. */
export function oid(value: DerValue | undefined): string {
  const { body } = expectTag(value, TAG_OID)
  const parts: number[] = []
  let part = 0
  for (const byte of body) {
    part = part * 128 + (byte & 0x7f)
    if (byte & 0x80) continue
    parts.push(part)
    part = 0
  }
  const [first = 0, ...rest] = parts
  const root = Math.min(Math.floor(first / 40), 2)
  return [root, first - root * 40, ...rest].join('.')
}
