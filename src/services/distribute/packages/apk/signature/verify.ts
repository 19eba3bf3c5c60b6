import type { ZipArchive } from '../zip.ts'
import { checkRanges, type SchemeResult, verifyContent, verifySigners } from './block-scheme.ts'
import type { BlockSigner } from './block-signer.ts'
import { type CertificateFacts, certificateFacts } from './certificate.ts'
import { checkSameSigners, checkSchemeForTarget } from './consistency.ts'
import { type JarResult, verifyJar } from './jar.ts'
import type { Scheme, SignatureProblem } from './problem.ts'
import { findSigningBlock } from './signing-block.ts'

/** One signer; `lineage` is the chain of certificate SHA-256 digests, oldest first, empty without rotation. */
export type Signer = CertificateFacts & { scheme: Scheme; minSdk: number; maxSdk: number | null; lineage: string[] }

export type SignatureReport = {
  verified: boolean
  /** The newest scheme that verified, which is what the newest devices look at; null when nothing verified. */
  scheme: Scheme | null
  /** Every scheme that verified, newest first. */
  schemes: Scheme[]
  /** The signers of `scheme`, newest API levels first. */
  signers: Signer[]
  /** The signers of the other schemes, for older devices. */
  olderSigners: Signer[]
  errors: SignatureProblem[]
  warnings: SignatureProblem[]
}

/** What the manifest says that decides which schemes count. */
export type SignatureContext = { minSdk: number; targetSdk: number; targetSandboxVersion: number }

const SDK_N = 24
const SDK_MAX = 0x7fffffff

/**
 * Verifies the signatures of a package for every device from `minSdk` on: v3.1, v3 and v2 from the signing block, v1
 * where devices older than API level 24 are supported or where there is no block. Throws only when reading fails.
 */
export async function verifySignatures(archive: ZipArchive, context: SignatureContext): Promise<SignatureReport> {
  const { block, absence } = await findSigningBlock(archive)
  const results = block ? verifySigners(block, context.minSdk) : []
  if (block) {
    checkClaims(results)
    checkRanges(results, context.minSdk)
    if (results.every(({ errors }) => errors.length === 0)) await verifyContent(archive, block, results)
  }
  const errors = results.flatMap(result => result.errors)
  const warnings = results.flatMap(warningsOf)
  if (absence !== null) warnings.push({ scheme: 'v2', reason: 'no-signature', detail: absence })
  let jar: JarResult | null = null
  if (errors.length === 0 && (results.length === 0 || context.minSdk < SDK_N)) {
    jar = await verifyJar(archive, { minSdk: context.minSdk, foundSchemes: foundSchemes(results) })
    errors.push(...jar.errors.map(error => (results.length > 0 ? forOldDevices(error) : error)))
    warnings.push(...jar.warnings)
  }
  if (errors.length === 0) errors.push(...checkSchemeForTarget(results, context), ...checkSameSigners(results, jar))
  return report(results, jar, errors, warnings)
}

function foundSchemes(results: SchemeResult[]): Set<number> {
  return new Set(results.map(({ scheme }) => (scheme === 'v2' ? 2 : 3)))
}

/** Says why a package with newer signatures needs the missing v1 signature at all. */
function forOldDevices(error: SignatureProblem): SignatureProblem {
  if (error.reason !== 'no-signature') return error
  const detail = 'devices below API level 24 are supported and need a v1 signature, which is missing'
  return { ...error, reason: 'scheme-required', detail }
}

/** A v2 signature that names a newer scheme which is not there was stripped of it. */
function checkClaims(results: SchemeResult[]): void {
  const found = foundSchemes(results)
  for (const { scheme, signers, errors } of results) {
    const missing = signers
      .flatMap(({ claimedSchemes }) => claimedSchemes)
      .find(claim => claim === 3 && !found.has(claim))
    if (missing === undefined) continue
    const detail = `the ${scheme} signature says that a v${missing} signature was there; it is gone`
    errors.push({ scheme, reason: 'stripped', detail })
  }
}

function warningsOf({ scheme, signers }: SchemeResult): SignatureProblem[] {
  const details = signers.flatMap(({ warnings }) => warnings)
  return details.map(detail => ({ scheme, reason: 'unknown-content', detail }))
}

function report(
  results: SchemeResult[],
  jar: JarResult | null,
  errors: SignatureProblem[],
  warnings: SignatureProblem[],
): SignatureReport {
  if (errors.length > 0) {
    return { verified: false, scheme: null, schemes: [], signers: [], olderSigners: [], errors, warnings }
  }
  const signers = results.flatMap(({ scheme, signers }) =>
    signers.toSorted((a, b) => b.maxSdk - a.maxSdk).map(signer => blockSigner(scheme, signer)),
  )
  for (const certificate of jar?.certificates ?? []) {
    signers.push({ ...certificateFacts(certificate), scheme: 'v1', minSdk: 1, maxSdk: null, lineage: [] })
  }
  const schemes = [...new Set(signers.map(({ scheme }) => scheme))]
  const scheme = schemes[0] ?? null
  return {
    verified: true,
    scheme,
    schemes,
    signers: signers.filter(signer => signer.scheme === scheme),
    olderSigners: signers.filter(signer => signer.scheme !== scheme),
    errors,
    warnings,
  }
}

function blockSigner(scheme: Scheme, { certificate, minSdk, maxSdk, lineage }: BlockSigner): Signer {
  return {
    ...certificateFacts(certificate),
    scheme,
    minSdk,
    maxSdk: maxSdk === SDK_MAX ? null : maxSdk,
    lineage: lineage.map(link => certificateFacts(link).certSha256),
  }
}
