import { createHash, createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { refuse } from '../../../kernel/errors.ts'
import { badField } from '../../../server/http/problem.ts'
import { signing } from './contract.ts'
import type { KnownCertificate } from './tables.ts'

const curveBits: Readonly<Record<string, number>> = { prime256v1: 256, secp384r1: 384, secp521r1: 521 }

/** What is shown and compared of a certificate. */
export function knownCertificate(certificate: X509Certificate): KnownCertificate {
  const { raw, publicKey, subject, validFrom, validTo } = certificate
  const digest = (algorithm: string) => createHash(algorithm).update(raw).digest('hex')
  const { modulusLength, namedCurve = '' } = publicKey.asymmetricKeyDetails ?? {}
  return {
    certSha256: digest('sha256'),
    certSha1: digest('sha1'),
    certMd5: digest('md5'),
    subject: subject.split('\n').join(', '),
    notBefore: Date.parse(validFrom),
    notAfter: Date.parse(validTo),
    keyAlgorithm: (publicKey.asymmetricKeyType ?? 'unknown').toUpperCase(),
    keyBits: modulusLength ?? curveBits[namedCurve] ?? null,
  }
}

export const knownOfPem = (pem: string): KnownCertificate => knownCertificate(new X509Certificate(pem))

/** A key by its public half, whatever certificate it is in. */
export function keyDigest(key: KeyObject): string {
  return createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('hex')
}

/** The one certificate in a text that people sent. A private key in its place is refused and kept nowhere. */
export function readCertificate(pem: string, pointer = '/certPem'): X509Certificate {
  if (/PRIVATE KEY-----/.test(pem)) refuse(signing.errors.privateKeySent)
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  const [block] = blocks
  if (block === undefined || blocks.length > 1) {
    throw badField(pointer, 'pem', 'must be one certificate in PEM form: -----BEGIN CERTIFICATE----- and what follows')
  }
  try {
    const certificate = new X509Certificate(block)
    knownCertificate(certificate)
    return certificate
  } catch {
    throw badField(pointer, 'pem', 'cannot be read as a certificate')
  }
}

/** A private key of any of the forms that tools write; null when it is none, or the password is another. */
export function readPrivateKey(bytes: Buffer, password: string | undefined): KeyObject | null {
  const withPassword = password === undefined ? {} : { passphrase: password }
  const isText = bytes.includes('-----BEGIN')
  try {
    if (isText) return createPrivateKey({ key: bytes, format: 'pem', ...withPassword })
    return createPrivateKey({ key: bytes, format: 'der', type: 'pkcs8', ...withPassword })
  } catch {
    return null
  }
}
