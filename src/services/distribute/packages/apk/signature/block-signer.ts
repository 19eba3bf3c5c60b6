import {
  type ContentDigestKind,
  type SignatureAlgorithm,
  signatureAlgorithm,
  strongestSignatures,
  verifySignature,
} from './algorithms.ts'
import { BlockCursor, prefixedItems } from './block-cursor.ts'
import { type Certificate, hasPublicKey, parseCertificate, parsePublicKey } from './certificate.ts'
import { ATTRIBUTE_ROTATION, verifyLineage } from './lineage.ts'
import { type Scheme, SignatureFailure } from './problem.ts'

/** A signer whose signature over its own data verifies; the digests in that data are still to be compared. */
export type BlockSigner = {
  certificate: Certificate
  minSdk: number
  maxSdk: number
  /** Oldest first, ending with `certificate`; empty when the key was never rotated. */
  lineage: Certificate[]
  /** Content digests a verified signature stands for, by kind. */
  digests: Map<ContentDigestKind, Buffer>
  /** Schemes (2, 3) this signature says were used as well. */
  claimedSchemes: number[]
  /** API level from which a v3.1 block says it takes over, as a v3 signer has it signed. */
  rotationMinSdk: number | null
  warnings: string[]
}

export const SDK_MAX = 0x7fffffff
const SDK_N = 24
const ATTRIBUTE_STRIPPING = 0xbeeff00d
const ATTRIBUTE_ROTATION_MIN_SDK = 0x559f8b02
const ATTRIBUTE_ROTATION_ON_DEV_RELEASE = 0xc2a6b3ba

type Signed = { algorithm: SignatureAlgorithm; signature: Buffer }
type Record = { id: number; value: Buffer }

/** Verifies one signer of a v2, v3 or v3.1 block; throws SignatureFailure with the first thing wrong. */
export function verifyBlockSigner(scheme: Scheme, encoded: Buffer, minSdk: number): BlockSigner {
  const cursor = new BlockCursor(encoded)
  const signedData = cursor.prefixed()
  const range = scheme === 'v2' ? { minSdk: Math.max(minSdk, SDK_N), maxSdk: SDK_MAX } : readRange(cursor)
  const signatures = cursor.prefixedList().map(readRecord)
  const publicKey = cursor.prefixed()
  const verified = verifySignatures(signatures, publicKey, signedData, range)
  const data = new BlockCursor(signedData)
  const digests = data.prefixedList().map(readRecord)
  const [certificate] = data.prefixedList().map(parseCertificate)
  if (!certificate) throw new SignatureFailure('no-certificates', 'the signer has no certificate')
  if (!hasPublicKey(certificate, publicKey)) {
    throw new SignatureFailure('key-mismatch', 'the key of the certificate is not the key of the signature')
  }
  if (scheme !== 'v2') checkSignedRange(readRange(data), range)
  checkSameAlgorithms(signatures, digests)
  const signer: BlockSigner = {
    certificate,
    ...range,
    lineage: [],
    digests: coveredDigests(verified, digests),
    claimedSchemes: [],
    rotationMinSdk: null,
    warnings: signatures.filter(({ id }) => !signatureAlgorithm(id)).map(({ id }) => `unknown algorithm ${hex(id)}`),
  }
  for (const attribute of data.isAtEnd ? [] : data.prefixedList()) applyAttribute(scheme, signer, attribute)
  return signer
}

const hex = (id: number) => `0x${id.toString(16)}`

function readRange(cursor: BlockCursor): { minSdk: number; maxSdk: number } {
  const range = { minSdk: cursor.u32(), maxSdk: cursor.u32() }
  if (range.minSdk > range.maxSdk) throw new SignatureFailure('sdk-range', 'the API level range is empty')
  return range
}

function checkSignedRange(signed: { minSdk: number; maxSdk: number }, outer: { minSdk: number; maxSdk: number }): void {
  if (signed.minSdk !== outer.minSdk || signed.maxSdk !== outer.maxSdk) {
    throw new SignatureFailure('sdk-range', 'the signed API level range differs from the one beside it')
  }
}

function readRecord(encoded: Buffer): Record {
  const cursor = new BlockCursor(encoded)
  return { id: cursor.u32(), value: cursor.prefixed() }
}

function verifySignatures(
  records: Record[],
  publicKey: Buffer,
  signedData: Buffer,
  range: { minSdk: number; maxSdk: number },
): Signed[] {
  if (records.length === 0) throw new SignatureFailure('no-signatures', 'the signer has no signature')
  const supported = records.flatMap(({ id, value }): Signed[] => {
    const algorithm = signatureAlgorithm(id)
    return algorithm ? [{ algorithm, signature: value }] : []
  })
  const strongest = strongestSignatures(supported, range.minSdk, range.maxSdk)
  if (strongest.length === 0) {
    throw new SignatureFailure('no-supported-signatures', 'no signature uses an algorithm that all devices know')
  }
  const key = parsePublicKey(publicKey)
  for (const { algorithm, signature } of strongest) {
    if (!verifySignature(algorithm, key, signedData, signature)) {
      throw new SignatureFailure('signature-mismatch', `the signature (${hex(algorithm.id)}) is not by this key`)
    }
  }
  return strongest
}

function checkSameAlgorithms(signatures: Record[], digests: Record[]): void {
  const ids = (records: Record[]) => records.map(({ id }) => hex(id)).join(', ')
  if (ids(signatures) !== ids(digests)) {
    const detail = `signatures use ${ids(signatures)}, digests use ${ids(digests)}`
    throw new SignatureFailure('algorithms-mismatch', detail)
  }
}

function coveredDigests(verified: Signed[], digests: Record[]): Map<ContentDigestKind, Buffer> {
  return new Map(
    verified.flatMap(({ algorithm }) => {
      const record = digests.find(({ id }) => id === algorithm.id)
      return record ? [[algorithm.contentDigest, record.value] as const] : []
    }),
  )
}

function applyAttribute(scheme: Scheme, signer: BlockSigner, encoded: Buffer): void {
  const cursor = new BlockCursor(encoded)
  const id = cursor.u32()
  if (id === ATTRIBUTE_STRIPPING && scheme === 'v2') signer.claimedSchemes.push(cursor.u32())
  else if (id === ATTRIBUTE_ROTATION && scheme !== 'v2') signer.lineage = lineageOf(signer.certificate, cursor.rest())
  else if (id === ATTRIBUTE_ROTATION_MIN_SDK && scheme === 'v3') signer.rotationMinSdk = cursor.u32()
  else if (id !== ATTRIBUTE_ROTATION_ON_DEV_RELEASE) signer.warnings.push(`unknown attribute ${hex(id)}`)
}

function lineageOf(certificate: Certificate, attribute: Buffer): Certificate[] {
  const chain = verifyLineage(attribute)
  if (!chain.at(-1)?.raw.equals(certificate.raw)) {
    throw new SignatureFailure('lineage', 'the proof of rotation does not end with the certificate of the signer')
  }
  return chain
}

/** The signers of a block; throws SignatureFailure when their list is malformed or empty. */
export function encodedSigners(block: Buffer): Buffer[] {
  const signers = prefixedItems(new BlockCursor(block).prefixed())
  if (signers.length === 0) throw new SignatureFailure('no-signers', 'the block has no signer')
  return signers
}
