import { type DerValue, derChildren, oid, readDer, TAG_BMP_STRING } from './der.ts'

/**
 * A key under which two encodings of one X.500 name are equal: signing tools write a PrintableString where the
 * certificate has a UTF8String. Case and repeated spaces do not count (RFC 5280, 7.1).
 */
export function nameKey(encoded: Buffer): string {
  const relative = derChildren(readDer(encoded)).map(set => derChildren(set).map(attributeKey).sort().join('+'))
  return relative.join(',')
}

function attributeKey(attribute: DerValue): string {
  const [type, value] = derChildren(attribute)
  const text =
    value?.tag === TAG_BMP_STRING ? Buffer.from(value.body).swap16().toString('utf16le') : value?.body.toString()
  return `${oid(type)}=${(text ?? '').trim().replace(/\s+/g, ' ').toLowerCase()}`
}
