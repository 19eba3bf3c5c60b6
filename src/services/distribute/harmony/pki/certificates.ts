import { type KeyObject, randomBytes, X509Certificate } from 'node:crypto'
import {
  bits,
  fromDer,
  instant,
  octets,
  oid,
  sequence,
  small,
  tagged,
  toDer,
  truth,
  type Value,
  whole,
  within,
} from './asn1.ts'
import { ecdsaWithSha384, keyIdOf, type Name, nameOf, signSha384 } from './names.ts'

/** Who issues: its certificate and its key, which is on P-384. */
export interface Issuer {
  certificate: X509Certificate
  privateKey: KeyObject
}

export interface Wish {
  subject: Name
  publicKey: KeyObject
  notBefore: number
  notAfter: number
  /** How many authorities may stand below; null for who is none itself. */
  authoritiesBelow: number | null
  /** Where the list of what was revoked is. */
  revokedAt?: string
}

const extensionIds = {
  subjectKey: '2.5.29.14',
  keyUsage: '2.5.29.15',
  constraints: '2.5.29.19',
  revocations: '2.5.29.31',
  issuerKey: '2.5.29.35',
  extendedUsage: '2.5.29.37',
} as const
const codeSigning = '1.3.6.1.5.5.7.3.3'
/** The bits of a key's use: what an authority may sign, and what a developer may. */
const usages = {
  authority: () => bits(Buffer.from([0b0000_0110]), 1),
  signer: () => bits(Buffer.from([0b1000_0000]), 7),
}

/** A certificate of version 3 that the issuer signs; `null` issues a root, which `ownKey` signs for itself. */
export function issueCertificate(wish: Wish, issuer: Issuer | null, ownKey?: KeyObject): X509Certificate {
  const signer = issuer?.privateKey ?? ownKey
  if (!signer) throw new Error('a root needs its own key')
  const body = sequence(
    tagged(0, [small(2)]),
    whole(newSerial()),
    ecdsaWithSha384(),
    issuer ? subjectOf(issuer.certificate) : nameOf(wish.subject),
    sequence(instant(wish.notBefore), instant(wish.notAfter)),
    nameOf(wish.subject),
    keyInfoOf(wish.publicKey),
    tagged(3, [sequence(...extensionsOf(wish, issuer))]),
  )
  return new X509Certificate(toDer(signed(body, signer)))
}

/** What was signed, with the algorithm and the signature: the frame of certificates and of lists of revoked ones. */
export function signed(body: Value, key: KeyObject): Value {
  return sequence(body, ecdsaWithSha384(), bits(signSha384(toDer(body), key)))
}

/** The name of whom a certificate is, as it stands there. */
export function subjectOf(certificate: X509Certificate): Value {
  return bodyOf(certificate)[5] as Value
}

/** Its number, as it stands there. */
export function serialOf(certificate: X509Certificate): Value {
  return bodyOf(certificate)[1] as Value
}

/** The extension that says whose key signed. */
export function issuerKeyExtension(issuer: X509Certificate): Value {
  return extension('issuerKey', sequence(tagged(0, keyIdOf(issuer.publicKey))))
}

const keyInfoOf = (key: KeyObject) => fromDer(key.export({ type: 'spki', format: 'der' })) as Value

function bodyOf(certificate: X509Certificate): Value[] {
  return within(within(fromDer(certificate.raw) ?? undefined)[0])
}

function extensionsOf(wish: Wish, issuer: Issuer | null): Value[] {
  const { authoritiesBelow: below, revokedAt } = wish
  const isAuthority = below !== null
  const constraints = isAuthority ? [truth(), ...(below === Infinity ? [] : [small(below)])] : []
  return [
    extension('constraints', sequence(...constraints), true),
    extension('keyUsage', isAuthority ? usages.authority() : usages.signer(), true),
    ...(isAuthority ? [] : [extension('extendedUsage', sequence(oid(codeSigning)))]),
    extension('subjectKey', octets(keyIdOf(wish.publicKey))),
    ...(issuer ? [issuerKeyExtension(issuer.certificate)] : []),
    ...(revokedAt === undefined ? [] : [extension('revocations', pointTo(revokedAt))]),
  ]
}

function extension(kind: keyof typeof extensionIds, content: Value, isCritical = false): Value {
  return sequence(oid(extensionIds[kind]), ...(isCritical ? [truth()] : []), octets(toDer(content)))
}

function pointTo(address: string): Value {
  const uri = tagged(6, Buffer.from(address, 'latin1'))
  return sequence(sequence(tagged(0, [tagged(0, [uri])])))
}

/** Positive, of 16 bytes, and none like another (RFC 5280, 4.1.2.2). */
function newSerial(): Buffer {
  const bytes = randomBytes(16)
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40
  return bytes
}
