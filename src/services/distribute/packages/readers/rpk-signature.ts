import { createHash } from 'node:crypto'
import { encodedSigners, verifyBlockSigner } from '../apk/signature/block-signer.ts'
import type { Certificate } from '../apk/signature/certificate.ts'
import { type Section, signedSections } from '../apk/signature/content-digest.ts'
import { problemOf, SignatureFailure, type SignatureProblem } from '../apk/signature/problem.ts'
import { findSigningBlock } from '../apk/signature/signing-block.ts'
import type { ZipArchive } from '../apk/zip.ts'

const MAGIC = 'RPK Sig Block 42'
const BLOCK_ID = 0x01000101
const NEWEST_SDK = 28
const PIECE_BYTES = 1 << 20

/**
 * Verifies the signature of a quick app. Its block and signers have the form of APK Signature Scheme v2; the digest
 * takes each of entries, directory and end record as one chunk, whatever its size.
 */
export async function verifyRpk(
  archive: ZipArchive,
): Promise<{ signers: Certificate[]; problem: SignatureProblem | null }> {
  try {
    const { block, absence } = await findSigningBlock(archive, MAGIC)
    if (!block) throw new SignatureFailure('no-signature', absence)
    const value = block.pairs.get(BLOCK_ID)
    if (!value) throw new SignatureFailure('no-signatures', 'the signing block has no signature')
    const signers = encodedSigners(value).map(one => verifyBlockSigner('v2', one, NEWEST_SDK))
    const actual = await wholeDigest(await signedSections(archive, block.startOffset))
    for (const { digests } of signers) {
      for (const [kind, expected] of digests) {
        if (kind !== 'sha256') throw new SignatureFailure('unsupported-algorithm', `${kind} is not used by quick apps`)
        if (!actual.equals(expected)) {
          throw new SignatureFailure('digest-mismatch', 'the package was changed after it was signed')
        }
      }
    }
    return { signers: signers.map(one => one.certificate), problem: null }
  } catch (error) {
    return { signers: [], problem: problemOf('v2', error) }
  }
}

async function wholeDigest(sections: readonly Section[]): Promise<Buffer> {
  const head = (prefix: number, length: number) => {
    const bytes = Buffer.alloc(5)
    bytes[0] = prefix
    bytes.writeUInt32LE(length % 2 ** 32, 1)
    return bytes
  }
  const top = createHash('sha256').update(head(0x5a, sections.length))
  const piece = Buffer.allocUnsafe(PIECE_BYTES)
  for (const section of sections) {
    const hash = createHash('sha256').update(head(0xa5, section.lengthBytes))
    for (let at = 0; at < section.lengthBytes; at += PIECE_BYTES) {
      const target = piece.subarray(0, Math.min(PIECE_BYTES, section.lengthBytes - at))
      await section.read(target, at)
      hash.update(target)
    }
    top.update(hash.digest())
  }
  return top.digest()
}
