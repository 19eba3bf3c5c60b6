import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { createInflateRaw, inflateRaw, inflateRawSync, constants as zlibConstants } from 'node:zlib'
import type { PositionalFile } from './positional-file.ts'
import { ZipRefusal } from './zip-anomaly.ts'
import { STORED, type ZipEntry } from './zip-directory.ts'

const inflateRawAsync = promisify(inflateRaw)

export const LOCAL_HEADER_BYTES = 30
const STREAM_CHUNK_BYTES = 1 << 20
/** A deflate block starts with its code tables, and nothing comes out before they are read. */
const DEFLATE_HEAD_BYTES = 1024
/** Deflate cannot expand further than this. */
export const DEFLATE_MAX_RATIO = 1032

/** Where the bytes of an entry begin: its local header has name and extra lengths of its own. */
export async function dataOffsetOf(file: PositionalFile, entry: ZipEntry): Promise<number> {
  if (entry.headerOffset + LOCAL_HEADER_BYTES > file.sizeBytes) throw corrupt(entry)
  const header = await file.read(entry.headerOffset, LOCAL_HEADER_BYTES)
  const offset = entry.headerOffset + LOCAL_HEADER_BYTES + header.readUInt16LE(26) + header.readUInt16LE(28)
  if (offset + entry.compressedBytes > file.sizeBytes) throw corrupt(entry)
  return offset
}

/** Expands one entry; throws ZipRefusal when it grows beyond `limitBytes` or cannot be expanded. */
export async function readEntry(file: PositionalFile, entry: ZipEntry, limitBytes: number): Promise<Buffer> {
  if (entry.compressedBytes > limitBytes) throw new ZipRefusal('expanded-size', { entry: entry.name })
  const bytes = await file.read(await dataOffsetOf(file, entry), entry.compressedBytes)
  // Android takes every method but "stored" as deflate; the odd ones are an anomaly, not a reading error.
  if (entry.method === STORED) return bytes
  try {
    return await inflateRawAsync(bytes, { maxOutputLength: limitBytes })
  } catch (error) {
    throw isTooLarge(error) ? new ZipRefusal('expanded-size', { entry: entry.name }) : corrupt(entry)
  }
}

/** The first bytes of an entry, at most `lengthBytes`, fewer when it is shorter. */
export async function readEntryHead(file: PositionalFile, entry: ZipEntry, lengthBytes: number): Promise<Buffer> {
  const offset = await dataOffsetOf(file, entry)
  const isStored = entry.method === STORED
  const inputBytes = Math.min(entry.compressedBytes, isStored ? lengthBytes : Math.max(lengthBytes, DEFLATE_HEAD_BYTES))
  const bytes = await file.read(offset, inputBytes)
  if (isStored) return bytes
  try {
    const maxOutputLength = inputBytes * DEFLATE_MAX_RATIO
    return inflateRawSync(bytes, { finishFlush: zlibConstants.Z_SYNC_FLUSH, maxOutputLength }).subarray(0, lengthBytes)
  } catch {
    throw corrupt(entry)
  }
}

/** Streams the expanded bytes of one entry; memory stays flat however large it is. */
export async function* streamEntry(file: PositionalFile, entry: ZipEntry): AsyncGenerator<Buffer> {
  if (entry.method === STORED) return yield* streamCompressed(file, entry)
  const inflate = createInflateRaw({ chunkSize: 256 << 10 })
  const feeding = pipeline(Readable.from(streamCompressed(file, entry)), inflate).catch(() => undefined)
  try {
    for await (const chunk of inflate) yield chunk as Buffer
  } catch {
    throw corrupt(entry)
  } finally {
    inflate.destroy()
    await feeding
  }
}

async function* streamCompressed(file: PositionalFile, entry: ZipEntry): AsyncGenerator<Buffer> {
  const start = await dataOffsetOf(file, entry)
  for (let at = 0; at < entry.compressedBytes; at += STREAM_CHUNK_BYTES) {
    yield await file.read(start + at, Math.min(STREAM_CHUNK_BYTES, entry.compressedBytes - at))
  }
}

const corrupt = (entry: ZipEntry) => new ZipRefusal('corrupt-entry', { entry: entry.name })

/** Whether zlib stopped because the output limit was reached. */
export function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
}
