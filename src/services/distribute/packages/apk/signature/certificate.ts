import { createHash, createPublicKey, type KeyObject, X509Certificate } from 'node:crypto'
import {
  type DerValue,
  derChildren,
  expectTag,
  octets,
  oid,
  readDer,
  TAG_BIT_STRING,
  TAG_CONTEXT_0,
  TAG_CONTEXT_3,
  TAG_SEQUENCE,
} from './der.ts'
import { SignatureFailure } from './problem.ts'

/** What is shown and compared of a signing certificate. Digests are lower-case hex, instants epoch milliseconds. */
export type CertificateFacts = {
  certSha256: string
  certSha1: string
  certMd5: string
  subject: string
  serial: string
  notBefore: number
  notAfter: number
  keyAlgorithm: string
  keyBits: number | null
  /** RSA modulus in hex, which app recordal asks for. */
  modulusHex?: string
}

/** A certificate with the exact bytes it came in. */
export type Certificate = { raw: Buffer; x509: X509Certificate; publicKey: KeyObject; fields: CertificateFields }

/** Encoded parts that are compared byte by byte. */
type CertificateFields = { serial: Buffer; issuer: Buffer; publicKeyInfo: Buffer; extensions: DerValue[] }

const OID_KEY_USAGE = '2.5.29.15'
const BIT_DIGITAL_SIGNATURE = 0x80
const BIT_NON_REPUDIATION = 0x40

/** Parses an encoded certificate; throws SignatureFailure when it is none. */
export function parseCertificate(encoded: Buffer): Certificate {
  try {
    const x509 = new X509Certificate(encoded)
    return { raw: encoded, x509, publicKey: x509.publicKey, fields: certificateFields(encoded) }
  } catch {
    throw new SignatureFailure('malformed-certificate', 'a certificate cannot be parsed')
  }
}

function certificateFields(encoded: Buffer): CertificateFields {
  const [body] = derChildren(readDer(encoded))
  const fields = derChildren(expectTag(body, TAG_SEQUENCE))
  if (fields[0]?.tag === TAG_CONTEXT_0) fields.shift()
  const [serial, , issuer, , , publicKeyInfo] = fields
  if (!serial || !issuer || !publicKeyInfo) throw new SignatureFailure('malformed-certificate', 'fields are missing')
  const extensions = fields.find(field => field.tag === TAG_CONTEXT_3)
  const list = extensions ? derChildren(extensions)[0] : undefined
  return {
    serial: serial.body,
    issuer: issuer.raw,
    publicKeyInfo: publicKeyInfo.raw,
    extensions: list ? derChildren(list) : [],
  }
}

/** Whether the certificate's key is the encoded one; both the encoding as it came and a canonical one count. */
export function hasPublicKey(certificate: Certificate, encoded: Buffer): boolean {
  if (certificate.fields.publicKeyInfo.equals(encoded)) return true
  return certificate.publicKey.export({ format: 'der', type: 'spki' }).equals(encoded)
}

/** Reads an encoded public key; throws SignatureFailure when it is none. */
export function parsePublicKey(encoded: Buffer): KeyObject {
  try {
    return createPublicKey({ key: encoded, format: 'der', type: 'spki' })
  } catch {
    throw new SignatureFailure('malformed', 'the public key cannot be parsed')
  }
}

/** Whether the key usage extension, when there is one, allows signing. */
export function maySign(certificate: Certificate): boolean {
  for (const extension of certificate.fields.extensions) {
    const parts = derChildren(extension)
    if (oid(parts[0]) !== OID_KEY_USAGE) continue
    const bits = expectTag(readDer(octets(parts.at(-1))), TAG_BIT_STRING).body[1] ?? 0
    return (bits & (BIT_DIGITAL_SIGNATURE | BIT_NON_REPUDIATION)) !== 0
  }
  return true
}

/** Describes a certificate for people and rules. */
export function certificateFacts({ raw, x509, publicKey }: Certificate): CertificateFacts {
  const digest = (algorithm: string) => createHash(algorithm).update(raw).digest('hex')
  const keyType = publicKey.asymmetricKeyType ?? 'unknown'
  const modulusHex = keyType === 'rsa' ? modulusOf(publicKey) : undefined
  return {
    certSha256: digest('sha256'),
    certSha1: digest('sha1'),
    certMd5: digest('md5'),
    subject: x509.subject.split('\n').join(', '),
    serial: x509.serialNumber.toLowerCase(),
    notBefore: Date.parse(x509.validFrom),
    notAfter: Date.parse(x509.validTo),
    keyAlgorithm: keyType.toUpperCase(),
    keyBits: publicKey.asymmetricKeyDetails?.modulusLength ?? null,
    ...(modulusHex === undefined ? {} : { modulusHex }),
  }
}

function modulusOf(publicKey: KeyObject): string | undefined {
  const { n } = publicKey.export({ format: 'jwk' })
  return n === undefined ? undefined : Buffer.from(n, 'base64url').toString('hex')
}
