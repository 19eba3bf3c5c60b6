import forge from 'node-forge'

const { asn1 } = forge
const { Class, Type } = asn1

/** A value of ASN.1, as forge holds it. */
export type Value = forge.asn1.Asn1

const plain = (type: forge.asn1.Type, value: string) => asn1.create(Class.UNIVERSAL, type, false, value)
const binary = (bytes: Buffer) => bytes.toString('latin1')

/** The first instant that a UTCTime cannot say (RFC 5280, 4.1.2.5). */
const longTimesFrom = Date.UTC(2050, 0, 1)

export const sequence = (...values: Value[]): Value => asn1.create(Class.UNIVERSAL, Type.SEQUENCE, true, values)
export const oid = (dotted: string): Value => plain(Type.OID, asn1.oidToDer(dotted).getBytes())
export const nothing = (): Value => plain(Type.NULL, '')
export const utf8 = (text: string): Value => plain(Type.UTF8, binary(Buffer.from(text, 'utf8')))
export const octets = (bytes: Buffer): Value => plain(Type.OCTETSTRING, binary(bytes))
/** A string of bits with `unused` ones at its end. */
export const bits = (bytes: Buffer, unused = 0): Value =>
  plain(Type.BITSTRING, binary(Buffer.concat([Buffer.from([unused]), bytes])))
export const truth = (): Value => plain(Type.BOOLEAN, '\u00ff')

/** A positive whole number from its bytes, the highest first. */
export function whole(bytes: Buffer): Value {
  const from = bytes.findIndex(byte => byte !== 0)
  const shortest = from < 0 ? Buffer.from([0]) : bytes.subarray(from)
  return plain(Type.INTEGER, binary((shortest[0] ?? 0) > 0x7f ? Buffer.concat([Buffer.alloc(1), shortest]) : shortest))
}

export const small = (value: number): Value => whole(Buffer.from([value]))

/** To the second, as X.509 writes it. */
export function instant(at: number): Value {
  const date = new Date(at)
  if (at < longTimesFrom) return plain(Type.UTCTIME, asn1.dateToUtcTime(date))
  return plain(Type.GENERALIZEDTIME, asn1.dateToGeneralizedTime(date))
}

/** A set in the order that DER asks for. */
export function setOf(...values: Value[]): Value {
  return asn1.create(Class.UNIVERSAL, Type.SET, true, inOrder(values))
}

/** What stands under a number: several values, or the bytes of one. */
export function tagged(tag: number, content: Value[] | Buffer): Value {
  const isValues = Array.isArray(content)
  return asn1.create(Class.CONTEXT_SPECIFIC, tag as forge.asn1.Type, isValues, isValues ? content : binary(content))
}

/** A set under a number in the place of its own tag. */
export const taggedSet = (tag: number, values: Value[]): Value => tagged(tag, inOrder(values))

export const toDer = (value: Value): Buffer => Buffer.from(asn1.toDer(value).getBytes(), 'latin1')

/** The one value that the bytes are, in DER; null when they are anything else. */
export function fromDer(bytes: Buffer): Value | null {
  try {
    // What stands in strings of bits is none of the reader's business.
    const options = { strict: true, parseAllBytes: true, decodeBitStrings: false }
    const value = asn1.fromDer(binary(bytes), options as unknown as boolean)
    return toDer(value).equals(bytes) ? value : null
  } catch {
    return null
  }
}

/** Whether a value is of the universal type. */
export const isA = (value: Value | undefined, type: 'SEQUENCE' | 'INTEGER' | 'OID' | 'BITSTRING' | 'NULL'): boolean =>
  value?.tagClass === Class.UNIVERSAL && value.type === Type[type]

/** The values within one; none within a plain one. */
export const within = (value: Value | undefined): Value[] => (Array.isArray(value?.value) ? value.value : [])

/** The bytes of a plain value. */
export const bytesOf = (value: Value | undefined): Buffer =>
  typeof value?.value === 'string' ? Buffer.from(value.value, 'latin1') : Buffer.alloc(0)

/** An object identifier with dots; empty where the value is none. */
export const oidOf = (value: Value | undefined): string =>
  isA(value, 'OID') ? asn1.derToOid(forge.util.createBuffer(String(value?.value))) : ''

function inOrder(values: Value[]): Value[] {
  return values
    .map(value => ({ value, der: toDer(value) }))
    .sort((one, other) => Buffer.compare(one.der, other.der))
    .map(one => one.value)
}
