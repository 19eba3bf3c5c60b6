import type { SchemeResult } from './block-scheme.ts'
import type { Certificate } from './certificate.ts'
import type { JarResult } from './jar.ts'
import type { Scheme, SignatureProblem } from './problem.ts'

const SDK_R = 30
const SANDBOX_NEEDS_V2 = 2

/** Packages that target newer platforms must use newer schemes: API level 30, and security sandbox 2, need v2. */
export function checkSchemeForTarget(
  results: SchemeResult[],
  { targetSdk, targetSandboxVersion }: { targetSdk: number; targetSandboxVersion: number },
): SignatureProblem[] {
  if (results.length > 0) return []
  const why =
    targetSandboxVersion >= SANDBOX_NEEDS_V2
      ? `sandbox version ${targetSandboxVersion}`
      : targetSdk >= SDK_R
        ? `API level ${targetSdk}`
        : null
  if (why === null) return []
  const detail = `a package that targets ${why} needs a v2 or newer signature`
  return [{ scheme: 'v2', reason: 'scheme-required', detail }]
}

/** Old and new devices must see one owner: the schemes agree on the certificate, or a lineage starts with the old one. */
export function checkSameSigners(results: SchemeResult[], jar: JarResult | null): SignatureProblem[] {
  const v2 = certificatesOf(results, 'v2')
  const v1 = jar?.certificates ?? []
  const problems: SignatureProblem[] = []
  if (v1.length > 0 && v2.length > 0 && v1.some(certificate => !includes(v2, certificate))) {
    problems.push(mismatch('v1', 'a v1 signer is not among the v2 signers'))
  }
  const older = v1.length > 0 ? v1 : v2
  const v3 = rootOf(results, 'v3')
  const v31 = rootOf(results, 'v3.1')
  if (v3 && older.length > 1) problems.push(mismatch('v3', 'v3 allows one signer; the older scheme has more'))
  else if (v3 && older.length === 1 && !includes(older, v3)) {
    problems.push(
      mismatch('v3', 'the v3 signer is not the older signer, and no proof of rotation starts with that one'),
    )
  }
  if (v31 && !(v3 && includes([v3], v31))) {
    problems.push(mismatch('v3.1', 'the v3 and v3.1 signers have no common origin'))
  }
  return problems
}

/** The certificate a scheme's longest lineage starts with, or its only certificate. */
function rootOf(results: SchemeResult[], scheme: Scheme): Certificate | undefined {
  const signers = results.find(result => result.scheme === scheme)?.signers ?? []
  const longest = signers.toSorted((a, b) => b.lineage.length - a.lineage.length)[0]
  return longest?.lineage[0] ?? longest?.certificate
}

const certificatesOf = (results: SchemeResult[], scheme: Scheme): Certificate[] =>
  results.filter(result => result.scheme === scheme).flatMap(({ signers }) => signers.map(signer => signer.certificate))

const includes = (list: Certificate[], certificate: Certificate) => list.some(({ raw }) => raw.equals(certificate.raw))

const mismatch = (scheme: Scheme, detail: string): SignatureProblem => ({ scheme, reason: 'signer-mismatch', detail })
