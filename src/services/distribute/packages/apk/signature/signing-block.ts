import type { ZipArchive } from '../zip.ts'

/** The APK Signing Block: pairs of id and value between the entries and the central directory. */
export type SigningBlock = { startOffset: number; pairs: Map<number, Buffer> }

export const BLOCK_ID_V2 = 0x7109871a
export const BLOCK_ID_V3 = 0xf05368c0
export const BLOCK_ID_V31 = 0x1b93ad61

const MAGIC = 'APK Sig Block 42'
const FOOTER_BYTES = 24
const SIZE_FIELD_BYTES = 8
const BLOCK_LIMIT_BYTES = 64 << 20

/** The block, or why there is none; a device that sees no block looks for a v1 signature. */
export type FoundBlock = { block: SigningBlock; absence: null } | { block: null; absence: string }

const absent = (absence: string): FoundBlock => ({ block: null, absence })

/** Reads the signing block before the central directory; quick apps have one of the same form under another name. */
export async function findSigningBlock(archive: ZipArchive, magic = MAGIC): Promise<FoundBlock> {
  const { directoryOffset, gapBytes, isZip64 } = archive.end
  if (isZip64) return absent('zip64 archives carry no signing block')
  if (gapBytes !== 0) return absent('the central directory is not followed by the end record')
  if (directoryOffset < FOOTER_BYTES + SIZE_FIELD_BYTES) return absent('there is no room for a signing block')
  const footer = await archive.file.read(directoryOffset - FOOTER_BYTES, FOOTER_BYTES)
  if (footer.toString('latin1', SIZE_FIELD_BYTES) !== magic) return absent('no signing block before the directory')
  const sizeBytes = Number(footer.readBigUInt64LE(0))
  const startOffset = directoryOffset - sizeBytes - SIZE_FIELD_BYTES
  if (sizeBytes < FOOTER_BYTES || startOffset < 0) return absent('the size of the signing block is impossible')
  if (sizeBytes > BLOCK_LIMIT_BYTES) return absent('the signing block is larger than 64 MiB')
  const bytes = await archive.file.read(startOffset, sizeBytes + SIZE_FIELD_BYTES - FOOTER_BYTES)
  if (Number(bytes.readBigUInt64LE(0)) !== sizeBytes) return absent('the two sizes of the signing block differ')
  return { block: { startOffset, pairs: readPairs(bytes.subarray(SIZE_FIELD_BYTES)) }, absence: null }
}

/** The first pair of each id, up to the first pair that does not fit. */
function readPairs(bytes: Buffer): Map<number, Buffer> {
  const pairs = new Map<number, Buffer>()
  for (let at = 0; at + 12 <= bytes.length; ) {
    const lengthBytes = Number(bytes.readBigUInt64LE(at))
    const end = at + SIZE_FIELD_BYTES + lengthBytes
    if (lengthBytes < 4 || end > bytes.length) break
    const id = bytes.readUInt32LE(at + SIZE_FIELD_BYTES)
    if (!pairs.has(id)) pairs.set(id, bytes.subarray(at + SIZE_FIELD_BYTES + 4, end))
    at = end
  }
  return pairs
}
