import type { PackageFacts } from '../facts.ts'
import { type Expected, matchOf } from './rules.ts'

/** As what a package counts: by who signed the upload, whatever devices get of it. */
export function matchFor(
  found: Pick<PackageFacts, 'signers' | 'uploadSigners' | 'lineage' | 'certificates'>,
  expected: readonly Expected[],
) {
  const isMade = found.uploadSigners.length > 0
  const lineage = isMade ? [] : found.lineage
  const { match, certSha256 } = matchOf({ signers: isMade ? found.uploadSigners : found.signers, lineage }, expected)
  const certificate = found.certificates.find(one => one.certSha256 === certSha256)
  const { certSha1 = null, certMd5 = null } = certificate ?? {}
  return { match, certSha256, certSha1, certMd5, lineage }
}
