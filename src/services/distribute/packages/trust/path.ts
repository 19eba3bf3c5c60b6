import { X509Certificate } from 'node:crypto'
import { parseCertificate } from '../apk/signature/certificate.ts'
import { derChildren, octets, oid, readDer } from '../apk/signature/der.ts'
import type { TrustVerdict } from './rules.ts'

const CODE_SIGNING = '1.3.6.1.5.5.7.3.3'
const OID_BASIC_CONSTRAINTS = '2.5.29.19'
const TAG_INTEGER = 2

export interface TrustPath {
  verdict: TrustVerdict
  /** Who signed. */
  subject: string
  /** The root that vouches for it. */
  root: string | null
  /** The first moment when one of the path ends. */
  notAfter: number
}

/**
 * Whether a chain leads to one of the roots (RFC 5280, 6.1, without revocation and policies): each is signed by the next,
 * who may issue certificates and so many below him, and the signer may sign code. Time stamps are not asked: the clock
 * of who made them is nobody's we know.
 */
export function judgeChain(chain: readonly string[], roots: readonly X509Certificate[], now: number): TrustPath {
  const found = chain.map(one => new X509Certificate(Buffer.from(one, 'base64')))
  const subject = plainName(found[0]?.subject ?? '')
  const path = pathTo(roots, found)
  if (!path) return { verdict: 'UNKNOWN_ROOT', subject, root: null, notAfter: 0 }
  const notAfter = Math.min(...path.map(one => one.validToDate.getTime()))
  const isValid = notAfter >= now && path.every(one => one.validFromDate.getTime() <= now)
  return { verdict: isValid ? 'TRUSTED' : 'EXPIRED', subject, root: plainName(path.at(-1)?.subject ?? ''), notAfter }
}

export const plainName = (name: string) => name.split('\n').join(', ')

/** The signer first, a root last; undefined where no root is reached. */
function pathTo(roots: readonly X509Certificate[], chain: readonly X509Certificate[]): X509Certificate[] | undefined {
  const [signer] = chain
  const usages = signer?.keyUsage ?? []
  if (!signer || (usages.length > 0 && !usages.includes(CODE_SIGNING))) return undefined
  for (const [at, one] of chain.entries()) {
    if (at > 0 && !vouches(one, chain[at - 1] as X509Certificate, at - 1)) return undefined
    const same = roots.find(root => root.raw.equals(one.raw))
    // Whoever is trusted as a root is one, but nobody signs packages with it.
    if (same && at > 0) return chain.slice(0, at + 1)
    const above = roots.find(root => vouches(root, one, at))
    if (above) return [...chain.slice(0, at + 1), above]
  }
  return undefined
}

/** `below` is how many issuers stand between the issuer and the signer. */
function vouches(issuer: X509Certificate, one: X509Certificate, below: number): boolean {
  try {
    return issuer.ca && below <= mostBelow(issuer) && one.checkIssued(issuer) && one.verify(issuer.publicKey)
  } catch {
    return false
  }
}

function mostBelow(issuer: X509Certificate): number {
  for (const extension of parseCertificate(issuer.raw).fields.extensions) {
    const parts = derChildren(extension)
    if (oid(parts[0]) !== OID_BASIC_CONSTRAINTS) continue
    const length = derChildren(readDer(octets(parts.at(-1)))).find(part => part.tag === TAG_INTEGER)
    if (length) return length.body.length > 2 ? 0 : Number.parseInt(length.body.toString('hex'), 16)
  }
  return Number.POSITIVE_INFINITY
}
