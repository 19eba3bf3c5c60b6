import type { ContentDigestKind } from '../apk/signature/algorithms.ts'
import type { Certificate } from '../apk/signature/certificate.ts'
import { type SignedContent, verifyAttached } from '../apk/signature/cms.ts'
import { contentDigests, signedSections } from '../apk/signature/content-digest.ts'
import { problemOf, SignatureFailure, type SignatureReason } from '../apk/signature/problem.ts'
import type { ZipArchive } from '../apk/zip.ts'

/** What the signature of a HarmonyOS package came to. */
export interface HarmonySignature {
  /** The signer first. */
  chain: Certificate[]
  isRooted: boolean
  /** The signed profile, itself signed data; null where there is none. */
  profile: SignedContent | null
}

/** Why a package has no good signature; `part` says of what. */
export interface HarmonyProblem {
  part: 'signature' | 'profile'
  reason: SignatureReason
  detail: string
}

const FOOTER_BYTES = 32
const HEADER_BYTES = 12
const BLOCK_LIMIT_BYTES = 16 << 20
const BLOCK_LIMIT = 32
const MAGICS: readonly string[] = ['<hap sign block>', 'HAP Sig Block 42']
const BLOCK_SIGNATURE = 0x20000000
const BLOCK_PROFILE = 0x20000002
/** version, count, length of what follows, algorithm, length of the digest. */
const CONTENT_HEADER_BYTES = 20
const digestKinds: Readonly<Record<number, ContentDigestKind>> = {
  1: 'sha256',
  2: 'sha384',
  3: 'sha512',
  4: 'sha256',
  5: 'sha384',
  6: 'sha512',
}

/** Whether there is a signing block at all; what is in it is another matter. */
export async function hasHarmonyBlock(archive: ZipArchive): Promise<boolean> {
  return (await readFooter(archive)) !== null
}

/** Verifies the signing block before the central directory against the content of the package. */
export async function verifyHarmony(archive: ZipArchive): Promise<HarmonySignature | HarmonyProblem> {
  try {
    const footer = await readFooter(archive)
    if (!footer) throw new SignatureFailure('no-signature', 'there is no signing block')
    const blocks = await readBlocks(archive, footer)
    const signature = blocks.find(one => one.type === BLOCK_SIGNATURE)
    if (!signature) throw new SignatureFailure('no-signatures', 'the signing block has no signature')
    const signed = verifyAttached(signature.body)
    const others = blocks.filter(one => one !== signature).map(one => one.body)
    await checkContent(archive, footer.startOffset, signed.content, others)
    const profile = blocks.find(one => one.type === BLOCK_PROFILE)
    return { chain: signed.chain, isRooted: signed.isRooted, profile: profile ? verifyProfile(profile.body) : null }
  } catch (error) {
    if (error instanceof ProfileFailure) return { part: 'profile', reason: error.reason, detail: error.message }
    const { reason, detail } = problemOf('v1', error)
    return { part: 'signature', reason, detail }
  }
}

class ProfileFailure extends SignatureFailure {}

function verifyProfile(bytes: Buffer): SignedContent {
  try {
    return verifyAttached(bytes)
  } catch (error) {
    const { reason, detail } = problemOf('v1', error)
    throw new ProfileFailure(reason, detail)
  }
}

interface Footer {
  count: number
  startOffset: number
  sizeBytes: number
}

async function readFooter(archive: ZipArchive): Promise<Footer | null> {
  const { directoryOffset } = archive.end
  if (directoryOffset < FOOTER_BYTES) return null
  const bytes = await archive.file.read(directoryOffset - FOOTER_BYTES, FOOTER_BYTES)
  if (!MAGICS.includes(bytes.toString('latin1', 12, 28))) return null
  const sizeBytes = Number(bytes.readBigUInt64LE(4))
  return { count: bytes.readUInt32LE(0), sizeBytes, startOffset: directoryOffset - sizeBytes }
}

async function readBlocks(archive: ZipArchive, { count, startOffset, sizeBytes }: Footer) {
  const bodyBytes = sizeBytes - FOOTER_BYTES
  if (startOffset < 0 || sizeBytes > BLOCK_LIMIT_BYTES || count > BLOCK_LIMIT || count * HEADER_BYTES > bodyBytes) {
    throw new SignatureFailure('malformed', 'the size of the signing block is impossible')
  }
  const bytes = await archive.file.read(startOffset, bodyBytes)
  const seen = new Set<number>()
  return Array.from({ length: count }, (_, i) => {
    const at = i * HEADER_BYTES
    const type = bytes.readUInt32LE(at)
    const lengthBytes = bytes.readUInt32LE(at + 4)
    const offset = bytes.readUInt32LE(at + 8)
    if (offset < count * HEADER_BYTES || offset + lengthBytes > bytes.length || seen.has(type)) {
      throw new SignatureFailure('malformed', 'a part of the signing block lies outside of it or comes twice')
    }
    seen.add(type)
    return { type, body: bytes.subarray(offset, offset + lengthBytes) }
  })
}

async function checkContent(
  archive: ZipArchive,
  startOffset: number,
  content: Buffer,
  others: Buffer[],
): Promise<void> {
  if (content.length < CONTENT_HEADER_BYTES) throw new SignatureFailure('malformed', 'the signed digest is too short')
  const algorithm = content.readUInt32LE(12)
  const kind = digestKinds[algorithm & 0xf]
  if (!kind) throw new SignatureFailure('unsupported-algorithm', `algorithm 0x${algorithm.toString(16)} is not known`)
  const lengthBytes = content.readUInt32LE(16)
  if (CONTENT_HEADER_BYTES + lengthBytes !== content.length) {
    throw new SignatureFailure('malformed', 'the signed digest has another length than it says')
  }
  const actual = await contentDigests(await signedSections(archive, startOffset), new Set([kind]), others)
  if (actual.get(kind)?.equals(content.subarray(CONTENT_HEADER_BYTES))) return
  throw new SignatureFailure('digest-mismatch', 'the package was changed after it was signed')
}
