import { createHash, type X509Certificate } from 'node:crypto'
import {
  fromDer,
  instant,
  nothing,
  octets,
  oid,
  sequence,
  setOf,
  small,
  tagged,
  taggedSet,
  toDer,
  type Value,
} from './asn1.ts'
import { type Issuer, serialOf, subjectOf } from './certificates.ts'
import { ecdsaWithSha384, signSha384 } from './names.ts'

const ids = {
  data: '1.2.840.113549.1.7.1',
  signedData: '1.2.840.113549.1.7.2',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingTime: '1.2.840.113549.1.9.5',
  sha384: '2.16.840.1.101.3.4.2.2',
} as const

/** Signed data (RFC 5652, 5) in DER that carries its content and, besides the signer's, the certificates up to the root. */
export function signedData(
  content: Buffer,
  signer: Issuer,
  others: readonly X509Certificate[],
  signedAt: number,
): Buffer {
  const attributes = [
    attribute(ids.contentType, oid(ids.data)),
    attribute(ids.signingTime, instant(signedAt)),
    attribute(ids.messageDigest, octets(createHash('sha384').update(content).digest())),
  ]
  // What is signed is a set of its own; in its place it stands under a number (5.4).
  const signature = signSha384(toDer(setOf(...attributes)), signer.privateKey)
  const [issuer, serial] = [issuerNameOf(signer.certificate, others), serialOf(signer.certificate)]
  const signerInfo = sequence(
    small(1),
    sequence(issuer, serial),
    sha384(),
    taggedSet(0, attributes),
    ecdsaWithSha384(),
    octets(signature),
  )
  const certificates = [signer.certificate, ...others].map(one => fromDer(one.raw) as Value)
  const body = sequence(
    small(1),
    setOf(sha384()),
    sequence(oid(ids.data), tagged(0, [octets(content)])),
    taggedSet(0, certificates),
    setOf(signerInfo),
  )
  return toDer(sequence(oid(ids.signedData), tagged(0, [body])))
}

const sha384 = () => sequence(oid(ids.sha384), nothing())
const attribute = (kind: string, value: Value) => sequence(oid(kind), setOf(value))

function issuerNameOf(certificate: X509Certificate, others: readonly X509Certificate[]): Value {
  const issuer = others.find(one => certificate.checkIssued(one))
  if (!issuer) throw new Error('who issued the signer’s certificate is not among the others')
  return subjectOf(issuer)
}
