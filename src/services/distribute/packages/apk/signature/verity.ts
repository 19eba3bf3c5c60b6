import { createHash } from 'node:crypto'

const PAGE_BYTES = 4096
const SALT = Buffer.alloc(8)

const hashPage = (page: Buffer) => createHash('sha256').update(SALT).update(page).digest()

/** fs-verity's Merkle tree over pages of 4 KiB: the digest is its root followed by the length of the content. */
export function verityDigest(): { update(bytes: Buffer): void; digest(): Buffer } {
  const leaves: Buffer[] = []
  const page = Buffer.alloc(PAGE_BYTES)
  let filledBytes = 0
  let totalBytes = 0
  const update = (bytes: Buffer) => {
    totalBytes += bytes.length
    for (let at = 0; at < bytes.length; ) {
      const copied = bytes.copy(page, filledBytes, at)
      at += copied
      filledBytes += copied
      if (filledBytes === PAGE_BYTES) {
        leaves.push(hashPage(page))
        filledBytes = 0
      }
    }
  }
  const digest = () => {
    if (filledBytes > 0) leaves.push(hashPage(page.fill(0, filledBytes)))
    const length = Buffer.alloc(8)
    length.writeBigUInt64LE(BigInt(totalBytes))
    return Buffer.concat([rootOf(leaves), length])
  }
  return { update, digest }
}

function rootOf(leaves: Buffer[]): Buffer {
  let level = padded(Buffer.concat(leaves))
  while (level.length > PAGE_BYTES) {
    const hashes: Buffer[] = []
    for (let at = 0; at < level.length; at += PAGE_BYTES) hashes.push(hashPage(level.subarray(at, at + PAGE_BYTES)))
    level = padded(Buffer.concat(hashes))
  }
  return hashPage(level)
}

function padded(bytes: Buffer): Buffer {
  const rest = bytes.length % PAGE_BYTES
  return rest === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(PAGE_BYTES - rest)])
}
