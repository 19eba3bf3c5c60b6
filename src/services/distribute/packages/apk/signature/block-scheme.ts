import type { ZipArchive } from '../zip.ts'
import type { ContentDigestKind } from './algorithms.ts'
import { type BlockSigner, encodedSigners, SDK_MAX, verifyBlockSigner } from './block-signer.ts'
import { contentDigests, signedSections } from './content-digest.ts'
import { problemOf, type Scheme, SignatureFailure, type SignatureProblem } from './problem.ts'
import { BLOCK_ID_V2, BLOCK_ID_V3, BLOCK_ID_V31, type SigningBlock } from './signing-block.ts'

/** What one scheme of a signing block came to. */
export type SchemeResult = { scheme: Scheme; signers: BlockSigner[]; errors: SignatureProblem[] }

const BLOCK_IDS: [Scheme, number][] = [
  ['v3.1', BLOCK_ID_V31],
  ['v3', BLOCK_ID_V3],
  ['v2', BLOCK_ID_V2],
]
const SDK_P = 28
const SDK_T = 33

/** Verifies the signers of every scheme in the block, newest first, without looking at the content yet. */
export function verifySigners(block: SigningBlock, minSdk: number): SchemeResult[] {
  return BLOCK_IDS.flatMap(([scheme, id]) => {
    const value = block.pairs.get(id)
    // Devices that know v3 never look at v2 when v3 is there.
    if (value === undefined || (scheme === 'v2' && minSdk >= SDK_P && block.pairs.has(BLOCK_ID_V3))) return []
    return [verifyScheme(scheme, value, minSdk)]
  })
}

function verifyScheme(scheme: Scheme, value: Buffer, minSdk: number): SchemeResult {
  const result: SchemeResult = { scheme, signers: [], errors: [] }
  try {
    for (const [index, encoded] of encodedSigners(value).entries()) {
      try {
        result.signers.push(verifyBlockSigner(scheme, encoded, minSdk))
      } catch (error) {
        const problem = problemOf(scheme, error)
        result.errors.push({ ...problem, detail: `signer ${index + 1}: ${problem.detail}` })
      }
    }
  } catch (error) {
    result.errors.push(problemOf(scheme, error))
  }
  return result
}

/** Compares the digests of all signers with the content, read once for all schemes; adds what differs to `errors`. */
export async function verifyContent(archive: ZipArchive, block: SigningBlock, results: SchemeResult[]): Promise<void> {
  const kinds = new Set<ContentDigestKind>()
  for (const { signers } of results)
    for (const { digests } of signers) for (const kind of digests.keys()) kinds.add(kind)
  if (kinds.size === 0) return
  const actual = await contentDigests(await signedSections(archive, block.startOffset), kinds)
  for (const { scheme, signers, errors } of results) {
    for (const [index, { digests }] of signers.entries()) {
      for (const [kind, expected] of digests) {
        if (actual.get(kind)?.equals(expected)) continue
        const detail = `signer ${index + 1}: the package was changed after it was signed (${kind})`
        errors.push({ scheme, reason: 'digest-mismatch', detail })
      }
    }
  }
}

/**
 * Checks how v3 signers share out the API levels: no gap, no overlap, growing lineages, every level from `minSdk` on.
 * With a v3.1 block, v3 covers the levels below it.
 */
export function checkRanges(results: SchemeResult[], minSdk: number): void {
  const v31 = results.find(({ scheme }) => scheme === 'v3.1')
  const v3 = results.find(({ scheme }) => scheme === 'v3')
  const rotationMinSdk = v31 ? Math.min(...v31.signers.map(signer => signer.minSdk)) : null
  if (v31 && v31.errors.length === 0) {
    guard(v31, () => {
      if (!v3) throw new SignatureFailure('scheme-required', 'a v3.1 block needs a v3 block beside it')
      checkCoverage(v31.signers, Math.max(minSdk, SDK_T, rotationMinSdk ?? SDK_T), SDK_MAX)
    })
  }
  if (!v3 || v3.errors.length > 0) return
  guard(v3, () => {
    checkCoverage(v3.signers, Math.max(minSdk, SDK_P), rotationMinSdk === null ? SDK_MAX : rotationMinSdk - 1)
    for (const { rotationMinSdk: claimed } of v3.signers) checkRotationClaim(claimed, rotationMinSdk)
  })
}

function guard(result: SchemeResult, check: () => void): void {
  try {
    check()
  } catch (error) {
    result.errors.push(problemOf(result.scheme, error))
  }
}

function checkRotationClaim(claimed: number | null, actual: number | null): void {
  if (claimed === null || claimed === actual) return
  if (actual === null) throw new SignatureFailure('stripped', 'the v3 signature names a v3.1 block that is not there')
  throw new SignatureFailure('sdk-range', `v3 names API level ${claimed} for the v3.1 block, which starts at ${actual}`)
}

function checkCoverage(signers: BlockSigner[], firstNeeded: number, lastNeeded: number): void {
  const sorted = signers.toSorted((a, b) => a.minSdk - b.minSdk)
  let last: BlockSigner | undefined
  let lineageLength = 0
  for (const signer of sorted) {
    if (last && signer.minSdk !== last.maxSdk + 1) {
      throw new SignatureFailure('sdk-range', 'the signers overlap or leave API levels out')
    }
    if (signer.lineage.length > 0 && signer.lineage.length < lineageLength) {
      throw new SignatureFailure('lineage', 'a newer API level has a shorter proof of rotation')
    }
    lineageLength = signer.lineage.length || lineageLength
    last = signer
  }
  const first = sorted[0]
  // A range that is empty for this package (all its devices are newer) needs no signer.
  if (firstNeeded > lastNeeded) return
  if (!first || !last || first.minSdk > firstNeeded || last.maxSdk < lastNeeded) {
    throw new SignatureFailure('sdk-range', `not every API level from ${firstNeeded} on has a signer`)
  }
}
