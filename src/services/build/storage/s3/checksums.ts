import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'

export const algorithms = ['crc32', 'crc32c', 'crc64nvme', 'sha1', 'sha256'] as const
export type Algorithm = (typeof algorithms)[number]

/** A checksum that grows; `digest` is base64 of its bytes, the highest first. */
export interface Checksum {
  update(chunk: Uint8Array): void
  digest(): string
}

export function newChecksum(algorithm: Algorithm): Checksum {
  if (algorithm === 'sha1' || algorithm === 'sha256') {
    const hash = createHash(algorithm)
    return { update: chunk => void hash.update(chunk), digest: () => hash.digest('base64') }
  }
  if (algorithm === 'crc64nvme') return crc64()
  return algorithm === 'crc32' ? crc32Of((chunk, value) => crc32(chunk, value)) : crc32Of(crc32c)
}

function crc32Of(next: (chunk: Uint8Array, value: number) => number): Checksum {
  let value = 0
  return {
    update: chunk => {
      value = next(chunk, value)
    },
    digest: () => {
      const bytes = Buffer.alloc(4)
      bytes.writeUInt32BE(value >>> 0)
      return bytes.toString('base64')
    },
  }
}

/** Castagnoli's polynomial, the bits turned round. */
const tableOf32 = Uint32Array.from({ length: 256 }, (_none, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0x82f63b78 : value >>> 1
  return value
})

function crc32c(chunk: Uint8Array, before: number): number {
  let value = ~before
  for (const byte of chunk) value = (tableOf32[(value ^ byte) & 255] as number) ^ (value >>> 8)
  return ~value >>> 0
}

/** The polynomial of NVMe, the bits turned round; in halves, as whole numbers of 64 bits are slow. */
const polynomial = [0x9a6c9329, 0xac4bc9b5] as const
const high = new Uint32Array(256)
const low = new Uint32Array(256)
for (let byte = 0; byte < 256; byte++) {
  let [above, below] = [0, byte]
  for (let bit = 0; bit < 8; bit++) {
    const isOdd = below & 1
    below = ((below >>> 1) | (above << 31)) >>> 0
    above >>>= 1
    if (isOdd) [above, below] = [(above ^ polynomial[0]) >>> 0, (below ^ polynomial[1]) >>> 0]
  }
  high[byte] = above
  low[byte] = below
}

function crc64(): Checksum {
  let [above, below] = [0xffffffff, 0xffffffff]
  return {
    update: chunk => {
      for (const byte of chunk) {
        const at = (below ^ byte) & 255
        below = (((below >>> 8) | (above << 24)) ^ (low[at] as number)) >>> 0
        above = ((above >>> 8) ^ (high[at] as number)) >>> 0
      }
    },
    digest: () => {
      const bytes = Buffer.alloc(8)
      bytes.writeUInt32BE(~above >>> 0, 0)
      bytes.writeUInt32BE(~below >>> 0, 4)
      return bytes.toString('base64')
    },
  }
}
