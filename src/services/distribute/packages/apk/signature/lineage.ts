import { signatureAlgorithm, verifySignature } from './algorithms.ts'
import { BlockCursor, prefixedItems } from './block-cursor.ts'
import { type Certificate, parseCertificate } from './certificate.ts'
import { SignatureFailure } from './problem.ts'

/** Attribute of a v3 signer that holds the proof of rotation. */
export const ATTRIBUTE_ROTATION = 0x3ba06f8c
const VERSION = 1

/**
 * Reads a proof of rotation: certificates from the oldest to the one in use, each signed by the key before it.
 * Throws SignatureFailure when a link does not verify.
 */
export function verifyLineage(attribute: Buffer): Certificate[] {
  const cursor = new BlockCursor(attribute)
  if (cursor.u32() !== VERSION) throw new SignatureFailure('lineage', 'the proof of rotation has an unknown version')
  const chain: Certificate[] = []
  let nextAlgorithmId = 0
  for (const node of prefixedItems(cursor.rest())) {
    const fields = new BlockCursor(node)
    const signedData = fields.prefixed()
    fields.u32() // capability flags of the older certificate, which only concern installed apps
    const algorithmId = fields.u32()
    const signature = fields.prefixed()
    const signed = new BlockCursor(signedData)
    const certificate = parseCertificate(signed.prefixed())
    const previous = chain.at(-1)
    if (previous) verifyLink(previous, nextAlgorithmId, signed.u32(), signedData, signature)
    if (chain.some(known => known.raw.equals(certificate.raw))) {
      throw new SignatureFailure('lineage', 'the proof of rotation names a certificate twice')
    }
    chain.push(certificate)
    nextAlgorithmId = algorithmId
  }
  return chain
}

function verifyLink(
  previous: Certificate,
  expectedId: number,
  id: number,
  signedData: Buffer,
  signature: Buffer,
): void {
  const algorithm = signatureAlgorithm(expectedId)
  if (!algorithm || id !== expectedId) {
    throw new SignatureFailure('lineage', 'a link of the proof of rotation names another algorithm than the one before')
  }
  if (!verifySignature(algorithm, previous.publicKey, signedData, signature)) {
    throw new SignatureFailure('lineage', 'a link of the proof of rotation is not signed by the key before it')
  }
}
