import { createHash } from 'node:crypto'
import type { PositionalFile } from '../apk/positional-file.ts'
import { type SignedContent, verifyAttached } from '../apk/signature/cms.ts'
import { derChildren, expectTag, octets, oid, readDer, TAG_SEQUENCE } from '../apk/signature/der.ts'
import { hashOf } from '../apk/signature/pkcs7-algorithms.ts'
import { problemOf, SignatureFailure, type SignatureProblem } from '../apk/signature/problem.ts'
import type { PeFile } from './pe.ts'

const SPC_INDIRECT_DATA = '1.3.6.1.4.1.311.2.1.4'
const PKCS7_SIGNED_DATA = 2
const SIGNATURE_LIMIT_BYTES = 8 << 20
const PIECE_BYTES = 1 << 20
const DIRECTORY_ENTRY_BYTES = 8
const CHECKSUM_BYTES = 4
/** Object ids of the unsigned attributes that hold a time stamp. That it is there is told, not that its clock is right. */
const TIMESTAMPS = ['060b2a864886f70d010910020e', '06092a864886f70d010906', '060a2b060104018237030301']

export interface Authenticode {
  signed: SignedContent | null
  isTimestamped: boolean
  problem: SignatureProblem | null
}

/** Verifies the signature embedded in a program as far as CMS goes: digest, signature, chain inside. */
export async function verifyAuthenticode(file: PositionalFile, pe: PeFile): Promise<Authenticode> {
  try {
    if (pe.signatures.sizeBytes === 0) throw new SignatureFailure('no-signature', 'the program is not signed')
    const encoded = await readCertificateTable(file, pe)
    const signed = verifyAttached(encoded)
    if (signed.contentType !== SPC_INDIRECT_DATA)
      throw new SignatureFailure('malformed', 'it is no Authenticode signature')
    await checkDigest(file, pe, signed)
    const hex = encoded.toString('hex')
    return { signed, isTimestamped: TIMESTAMPS.some(one => hex.includes(one)), problem: null }
  } catch (error) {
    return { signed: null, isTimestamped: false, problem: problemOf('v1', error) }
  }
}

async function readCertificateTable(file: PositionalFile, { signatures }: PeFile): Promise<Buffer> {
  if (signatures.sizeBytes < 8 || signatures.sizeBytes > SIGNATURE_LIMIT_BYTES) {
    throw new SignatureFailure('malformed', 'the table of signatures has an impossible size')
  }
  const table = await file.read(signatures.offset, signatures.sizeBytes)
  const lengthBytes = table.readUInt32LE(0)
  if (table.readUInt16LE(6) !== PKCS7_SIGNED_DATA || lengthBytes < 8 || lengthBytes > table.length) {
    throw new SignatureFailure('malformed', 'the table of signatures holds none that Windows knows')
  }
  return table.subarray(8, lengthBytes)
}

async function checkDigest(file: PositionalFile, pe: PeFile, signed: SignedContent): Promise<void> {
  const [, digestInfo] = derChildren(signed.value)
  const [algorithm, digest] = derChildren(expectTag(digestInfo, TAG_SEQUENCE))
  const hash = hashOf(oid(derChildren(expectTag(algorithm, TAG_SEQUENCE))[0]))
  if (hash === undefined) throw new SignatureFailure('unsupported-algorithm', 'the digest is of an unknown kind')
  const expected = octets(digest && readDer(digest.raw))
  if (!(await imageDigest(file, pe, hash)).equals(expected)) {
    throw new SignatureFailure('digest-mismatch', 'the program was changed after it was signed')
  }
}

/** Everything but the checksum, the entry that tells of the signature, and the signature. */
async function imageDigest(file: PositionalFile, pe: PeFile, algorithm: string): Promise<Buffer> {
  const hash = createHash(algorithm)
  const { checksumAt, securityEntryAt, signatures } = pe
  const signatureEnd = signatures.offset + signatures.sizeBytes
  const spans = [
    [0, checksumAt],
    [checksumAt + CHECKSUM_BYTES, securityEntryAt],
    [securityEntryAt + DIRECTORY_ENTRY_BYTES, signatures.offset],
    [signatureEnd, file.sizeBytes],
  ] as const
  for (const [start, end] of spans) {
    for (let at = start; at < end; at += PIECE_BYTES) hash.update(await file.read(at, Math.min(PIECE_BYTES, end - at)))
  }
  return hash.digest()
}
