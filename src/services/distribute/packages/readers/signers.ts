import { type Certificate, type CertificateFacts, certificateFacts } from '../apk/signature/certificate.ts'
import type { SignatureReport } from '../apk/signature/verify.ts'
import type { PackageFacts } from '../facts.ts'

type SigningFacts = Pick<PackageFacts, 'signers' | 'lineage' | 'certificates' | 'signatureSchemes'>

/** What a signature check of an APK came to, as columns. */
export function signingFacts(signature: SignatureReport | null): SigningFacts {
  const signers = signature?.signers ?? []
  const lineages = signers.map(signer => signer.lineage).sort((a, b) => b.length - a.length)
  const all = [...signers, ...(signature?.olderSigners ?? [])]
  return {
    signers: [...new Set(signers.map(signer => signer.certSha256))],
    lineage: lineages[0] ?? [],
    certificates: all.map(({ minSdk: _min, maxSdk: _max, lineage: _lineage, ...facts }) => facts),
    signatureSchemes: signature?.schemes ?? [],
  }
}

/** The certificates of a signature that has one scheme, the signer's first. */
export function signedBy(
  scheme: string,
  certificates: readonly Certificate[],
  chain: readonly Certificate[] = [],
): SigningFacts {
  const facts = (one: Certificate): CertificateFacts & { scheme: string } => ({ scheme, ...certificateFacts(one) })
  const signers = certificates.map(facts)
  const others = chain.filter(one => !certificates.some(signer => signer.raw.equals(one.raw))).map(facts)
  return {
    signers: [...new Set(signers.map(one => one.certSha256))],
    lineage: [],
    certificates: [...signers, ...others],
    signatureSchemes: certificates.length > 0 ? [scheme] : [],
  }
}

/** A chain as it is kept. */
export const encodedChain = (chain: readonly Certificate[]): string[] => chain.map(one => one.raw.toString('base64'))
