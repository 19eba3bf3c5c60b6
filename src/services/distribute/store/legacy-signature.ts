import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import type { BytesEngine } from '../../../server/engines/bytes/port.ts'

const magic = 'APK Sig Block 42'
/** APK signature schemes 3.1, 3 and 2, the newest first; their signers begin alike. */
const schemes = [0x1b93ad61, 0xf05368c0, 0x7109871a]
const mostTailBytes = 65_557
const mostBlockBytes = 16 << 20

/**
 * MD5 of the signing certificate written in hex: what index clients compared before they knew SHA-256 digests. Null where
 * the package has no signing block, or one whose first certificate is not among `signers`.
 */
export async function legacySignatureOf(
  bytes: BytesEngine,
  sha256: string,
  signers: readonly string[],
): Promise<string | null> {
  const block = await readBlock(bytes, sha256)
  for (const scheme of schemes) {
    const certificate = block && firstCertificate(block, scheme)
    if (certificate && signers.includes(createHash('sha256').update(certificate).digest('hex'))) {
      return createHash('md5').update(certificate.toString('hex')).digest('hex')
    }
  }
  return null
}

/** The pairs of the signing block, which stands just before the zip's directory. */
async function readBlock(bytes: BytesEngine, sha256: string): Promise<Buffer | null> {
  const sizeBytes = (await bytes.stat(sha256))?.sizeBytes ?? 0
  const read = async (start: number, end: number) => buffer(await bytes.read(sha256, { start, end: end - 1 }))
  if (sizeBytes < 22) return null
  const tail = await read(Math.max(0, sizeBytes - mostTailBytes), sizeBytes)
  const endAt = tail.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]))
  if (endAt < 0 || endAt + 22 > tail.length) return null
  const directoryAt = tail.readUInt32LE(endAt + 16)
  if (directoryAt < 32 || directoryAt > sizeBytes) return null
  const footer = await read(directoryAt - 24, directoryAt)
  const blockBytes = Number(footer.readBigUInt64LE(0))
  if (footer.toString('latin1', 8) !== magic || blockBytes > mostBlockBytes || blockBytes > directoryAt - 8) return null
  return blockBytes > 24 ? read(directoryAt - blockBytes, directoryAt - 24) : null
}

function firstCertificate(pairs: Buffer, scheme: number): Buffer | null {
  for (let at = 0; at + 12 <= pairs.length; ) {
    const length = Number(pairs.readBigUInt64LE(at))
    if (pairs.readUInt32LE(at + 8) === scheme) {
      const signer = prefixed(prefixed(pairs.subarray(at + 12, at + 8 + length), 0), 0)
      const signedData = prefixed(signer, 0)
      return prefixed(prefixed(signedData, 4 + prefixed(signedData, 0).length), 0)
    }
    at += 8 + length
  }
  return null
}

/** The part at `at`, whose length stands before it; empty where the bytes end too soon. */
function prefixed(bytes: Buffer, at: number): Buffer {
  return at + 4 <= bytes.length ? bytes.subarray(at + 4, at + 4 + bytes.readUInt32LE(at)) : Buffer.alloc(0)
}
