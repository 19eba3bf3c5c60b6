import { createHash, verify } from 'node:crypto'
import { type Certificate, maySign, parseCertificate } from './certificate.ts'
import {
  type DerValue,
  derChildren,
  expectTag,
  octets,
  oid,
  readDer,
  TAG_CONTEXT_0,
  TAG_INTEGER,
  TAG_SEQUENCE,
  TAG_SET,
} from './der.ts'
import { nameKey } from './distinguished-name.ts'
import { hashOf, isSupportedSince } from './pkcs7-algorithms.ts'
import { SignatureFailure } from './problem.ts'

const OID_SIGNED_DATA = '1.2.840.113549.1.7.2'
const OID_CONTENT_TYPE = '1.2.840.113549.1.9.3'
const OID_MESSAGE_DIGEST = '1.2.840.113549.1.9.4'
const SDK_K = 19
const SDK_N = 24
const SET_TAG_BYTE = Buffer.from([TAG_SET])

type SignerInfo = {
  issuer: string
  serial: Buffer
  digestOid: string
  signatureOid: string
  signedAttributes: DerValue | null
  signature: Buffer
}
export type SignedData = {
  contentType: string
  /** What is signed, where it lies inside; null in a detached signature. */
  content: DerValue | null
  certificates: Certificate[]
  signerInfos: SignerInfo[]
}

/**
 * Verifies a detached PKCS#7 signature (a JAR's .RSA, .DSA or .EC file) over `content` as Android does: the first
 * signer info that verifies counts, and below API level 24 only the first one is tried. Answers the certificate that
 * signed; throws SignatureFailure.
 */
export function verifyPkcs7(encoded: Buffer, content: Buffer, minSdk: number): Certificate {
  return verifySignedData(parseSignedData(encoded), content, minSdk)
}

/** The same for signed data that is parsed already. */
export function verifySignedData(data: SignedData, content: Buffer, minSdk: number): Certificate {
  if (data.signerInfos.length === 0) throw new SignatureFailure('no-signers', 'the signature block has no signer')
  for (const info of minSdk < SDK_N ? data.signerInfos.slice(0, 1) : data.signerInfos) {
    const certificate = verifySignerInfo(data, info, content, minSdk)
    if (certificate) return certificate
  }
  throw new SignatureFailure('signature-mismatch', 'the signature block does not match the signature file')
}

/** Parses PKCS#7 or CMS signed data without judging it; throws SignatureFailure. */
export function parseSignedData(encoded: Buffer): SignedData {
  const [type, wrapper] = derChildren(expectTag(readDer(encoded), TAG_SEQUENCE))
  if (oid(type) !== OID_SIGNED_DATA) throw new SignatureFailure('malformed', 'the signature block is no signed data')
  const [inner] = derChildren(expectTag(wrapper, TAG_CONTEXT_0))
  const fields = derChildren(expectTag(inner, TAG_SEQUENCE))
  const [contentType, wrapped] = derChildren(expectTag(fields[2], TAG_SEQUENCE))
  const certificates = fields.slice(3).find(field => field.tag === TAG_CONTEXT_0)
  return {
    contentType: oid(contentType),
    content: wrapped ? (derChildren(expectTag(wrapped, TAG_CONTEXT_0))[0] ?? null) : null,
    certificates: certificates ? derChildren(certificates).map(({ raw }) => parseCertificate(raw)) : [],
    signerInfos: derChildren(expectTag(fields.at(-1), TAG_SET)).map(parseSignerInfo),
  }
}

function parseSignerInfo(value: DerValue): SignerInfo {
  const fields = derChildren(expectTag(value, TAG_SEQUENCE))
  const [issuer, serial] = derChildren(expectTag(fields[1], TAG_SEQUENCE))
  const hasAttributes = fields[3]?.tag === TAG_CONTEXT_0
  const [signatureAlgorithm, signature] = fields.slice(hasAttributes ? 4 : 3)
  return {
    issuer: nameKey(expectTag(issuer, TAG_SEQUENCE).raw),
    serial: expectTag(serial, TAG_INTEGER).body,
    digestOid: oid(derChildren(expectTag(fields[2], TAG_SEQUENCE))[0]),
    signatureOid: oid(derChildren(expectTag(signatureAlgorithm, TAG_SEQUENCE))[0]),
    signedAttributes: hasAttributes ? (fields[3] ?? null) : null,
    signature: octets(signature),
  }
}

/** Answers null when this signer info does not verify but another one may. */
function verifySignerInfo(data: SignedData, info: SignerInfo, content: Buffer, minSdk: number): Certificate | null {
  const hash = hashOf(info.digestOid)
  if (hash === undefined || !isSupportedSince(info.digestOid, info.signatureOid, minSdk)) {
    const detail = `digest ${info.digestOid} with signature ${info.signatureOid} is not known to all devices`
    throw new SignatureFailure('unsupported-algorithm', detail)
  }
  const certificate = data.certificates.find(
    ({ fields }) => fields.serial.equals(info.serial) && nameKey(fields.issuer) === info.issuer,
  )
  if (!certificate) throw new SignatureFailure('no-certificates', 'the signing certificate is not in the block')
  if (!maySign(certificate)) throw new SignatureFailure('key-mismatch', 'the certificate is not meant for signing')
  if (info.signedAttributes) {
    const isContent = checkAttributes(
      info.signedAttributes,
      data.contentType,
      createHash(hash).update(content).digest(),
      minSdk,
    )
    if (!isContent) return null
  }
  return isSignedBy(certificate, hash, signedBytes(info, content), info.signature) ? certificate : null
}

/** Devices do not encode the attributes again but only swap the tag byte for that of a SET. */
function signedBytes(info: SignerInfo, content: Buffer): Buffer {
  return info.signedAttributes ? Buffer.concat([SET_TAG_BYTE, info.signedAttributes.raw.subarray(1)]) : content
}

function isSignedBy(certificate: Certificate, hash: string, bytes: Buffer, signature: Buffer): boolean {
  try {
    return verify(hash, bytes, certificate.publicKey, signature)
  } catch {
    return false
  }
}

function checkAttributes(encoded: DerValue, contentType: string, digest: Buffer, minSdk: number): boolean {
  if (minSdk < SDK_K) {
    throw new SignatureFailure('unsupported-algorithm', 'signed attributes are not verified below API level 19')
  }
  const attributes = new Map<string, DerValue[]>()
  for (const attribute of derChildren(encoded)) {
    const [type, values] = derChildren(attribute)
    const name = oid(type)
    if (attributes.has(name)) throw new SignatureFailure('malformed', `signed attribute ${name} comes twice`)
    attributes.set(name, derChildren(expectTag(values, TAG_SET)))
  }
  const type = attributes.get(OID_CONTENT_TYPE)?.[0]
  if (!type) throw new SignatureFailure('malformed', 'the signed attributes have no content type')
  if (oid(type) !== contentType) return false
  const expected = attributes.get(OID_MESSAGE_DIGEST)?.[0]
  if (!expected) throw new SignatureFailure('malformed', 'the signed attributes have no digest')
  return octets(expected).equals(digest)
}
