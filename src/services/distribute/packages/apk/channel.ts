import { createReadStream, createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { findSigningBlock, type SigningBlock } from './signature/signing-block.ts'
import { openArchive, type ZipArchive } from './zip.ts'

/** Where channel tools keep their mark, next to the signatures: no signature covers it. */
export const CHANNEL_ID = 0x71777777
const PADDING_ID = 0x42726577
const PAGE_BYTES = 4096
const SIZE_BYTES = 8
const FOOTER_BYTES = 24
const MAGIC = Buffer.from('APK Sig Block 42', 'latin1')

/** The channel mark of a package; null without one. */
export async function channelOf(path: string): Promise<Buffer | null> {
  const archive = await openArchive(path)
  try {
    return (await findSigningBlock(archive)).block?.pairs.get(CHANNEL_ID) ?? null
  } finally {
    await archive.close()
  }
}

/**
 * Signing writes the block anew and drops the channel mark; it is put back. Answers the path of the package to hand out:
 * `signed` itself where `original` has no mark.
 */
export async function keepChannel(original: string, signed: string, target: string): Promise<string> {
  const channel = await channelOf(original)
  if (!channel) return signed
  await writeChannel(signed, target, channel)
  return target
}

/** Copies a signed package with another channel mark. Throws for one without a signing block. */
export async function writeChannel(source: string, target: string, channel: Buffer): Promise<void> {
  const archive = await openArchive(source)
  try {
    const { block } = await findSigningBlock(archive)
    if (!block) throw new Error('the package has no signing block')
    const pairs = new Map([...block.pairs].filter(([id]) => id !== PADDING_ID && id !== CHANNEL_ID))
    const fresh = blockOf(pairs.set(CHANNEL_ID, channel))
    await pipeline(parts(archive, source, block, fresh), createWriteStream(target))
  } finally {
    await archive.close()
  }
}

/** Android 9 refuses a block that is no multiple of a page, so it is filled up. */
function blockOf(pairs: ReadonlyMap<number, Buffer>): Buffer {
  const written = [...pairs].map(([id, value]) => pairOf(id, value))
  const bare = written.reduce((sum, part) => sum + part.length, SIZE_BYTES + FOOTER_BYTES)
  const over = bare % PAGE_BYTES
  if (over !== 0) {
    const lacking = PAGE_BYTES - over
    const head = SIZE_BYTES + 4
    written.push(pairOf(PADDING_ID, Buffer.alloc(lacking < head ? lacking + PAGE_BYTES - head : lacking - head)))
  }
  const size = Buffer.alloc(SIZE_BYTES)
  size.writeBigUInt64LE(BigInt(written.reduce((sum, part) => sum + part.length, FOOTER_BYTES)))
  return Buffer.concat([size, ...written, size, MAGIC])
}

function pairOf(id: number, value: Buffer): Buffer {
  const head = Buffer.alloc(SIZE_BYTES + 4)
  head.writeBigUInt64LE(BigInt(value.length + 4))
  head.writeUInt32LE(id, SIZE_BYTES)
  return Buffer.concat([head, value])
}

async function* parts(archive: ZipArchive, source: string, block: SigningBlock, fresh: Buffer): AsyncGenerator<Buffer> {
  const { directoryOffset, endOffset } = archive.end
  if (block.startOffset > 0) yield* createReadStream(source, { end: block.startOffset - 1 })
  yield fresh
  yield* createReadStream(source, { start: directoryOffset, end: endOffset - 1 })
  const end = await archive.file.read(endOffset, archive.file.sizeBytes - endOffset)
  end.writeUInt32LE(block.startOffset + fresh.length, 16)
  yield end
}
