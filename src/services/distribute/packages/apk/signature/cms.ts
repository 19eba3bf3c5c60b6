import type { Certificate } from './certificate.ts'
import { type DerValue, octets, TAG_OCTET_STRING } from './der.ts'
import { parseSignedData, verifySignedData } from './pkcs7.ts'
import { SignatureFailure } from './problem.ts'

/** Signed data with what it signs inside, verified. */
export type SignedContent = {
  content: Buffer
  value: DerValue
  contentType: string
  /** The signer first, then who vouches for whom, as far as the certificates inside lead. */
  chain: Certificate[]
  /** Whether the chain ends with a certificate that vouches for itself. */
  isRooted: boolean
}

const CHAIN_LIMIT = 10
const NEWEST_SDK = 10_000

/** Verifies signed data that carries its content; throws SignatureFailure. Whether the root is trusted is not judged. */
export function verifyAttached(encoded: Buffer): SignedContent {
  const data = parseSignedData(encoded)
  const { content: value, contentType } = data
  if (!value) throw new SignatureFailure('malformed', 'the signed content is missing')
  // Of anything but plain octets, what is signed leaves tag and length out.
  const content = (value.tag & 0x1f) === TAG_OCTET_STRING ? octets(value) : value.body
  const signer = verifySignedData(data, content, NEWEST_SDK)
  return { content, value, contentType, ...chainOf(signer, data.certificates) }
}

function chainOf(signer: Certificate, certificates: readonly Certificate[]): Pick<SignedContent, 'chain' | 'isRooted'> {
  const chain = [signer]
  for (let at = signer; chain.length < CHAIN_LIMIT; ) {
    if (isIssuedBy(at, at)) return { chain, isRooted: true }
    const next = certificates.find(one => !chain.includes(one) && isIssuedBy(at, one))
    if (!next) break
    chain.push(next)
    at = next
  }
  return { chain, isRooted: false }
}

function isIssuedBy(one: Certificate, issuer: Certificate): boolean {
  try {
    return one.x509.checkIssued(issuer.x509) && one.x509.verify(issuer.publicKey)
  } catch {
    return false
  }
}
