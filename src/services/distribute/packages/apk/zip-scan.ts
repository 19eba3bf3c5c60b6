import { promisify } from 'node:util'
import { inflateRaw, inflateRawSync } from 'node:zlib'
import { windowReader } from './positional-file.ts'
import type { ZipArchive } from './zip.ts'
import { type ZipAnomaly, type ZipReason, ZipRefusal } from './zip-anomaly.ts'
import { DEFLATED, FLAG_DATA_DESCRIPTOR, FLAG_ENCRYPTED, STORED, type ZipEntry } from './zip-directory.ts'
import { DEFLATE_MAX_RATIO, isTooLarge, LOCAL_HEADER_BYTES, streamEntry } from './zip-read.ts'

const inflateRawAsync = promisify(inflateRaw)

const LOCAL_SIGNATURE = 0x04034b50
/** Entries below this size may compress as well as they like: they cannot hurt. */
const RATIO_FREE_BYTES = 1 << 20
const RATIO_LIMIT = 100
const EXPANDED_LIMIT_BYTES = 8 * 2 ** 30
const SYNC_LIMIT_BYTES = 32 << 10
const BUFFER_LIMIT_BYTES = 16 << 20
/** Too short to expand past `RATIO_FREE_BYTES` at deflate's best, so not worth expanding. */
const HARMLESS_BYTES = Math.floor(RATIO_FREE_BYTES / DEFLATE_MAX_RATIO)
/** How many entries expand beside the walk; two buffers bound the memory and keep a second core busy. */
const PARALLEL = 2
/** A hostile archive has one lie per entry; a person needs the first few. */
const ANOMALY_LIMIT = 50

/**
 * Walks the entries in file order once: compares each local header with the directory, looks for shared bytes, and
 * expands every deflated entry, so that ratio and size limits hold for what really comes out, not for what is claimed.
 * Answers the anomalies found; throws only what reading the file throws.
 */
export async function scanEntries(archive: ZipArchive): Promise<ZipAnomaly[]> {
  const found: ZipAnomaly[] = []
  const report = (reason: ZipReason, entry: ZipEntry, params: ZipAnomaly['params'] = {}) =>
    void found.push({ reason, params: { entry: entry.name, ...params } })
  const sorted = archive.entries.toSorted((a, b) => a.headerOffset - b.headerOffset)
  const read = windowReader(archive.file)
  const pending = new Set<Promise<void>>()
  let expandedBytes = 0
  for (const [index, entry] of sorted.entries()) {
    if (found.length >= ANOMALY_LIMIT) break
    const endOfRoom = sorted[index + 1]?.headerOffset ?? archive.end.directoryOffset
    const dataOffset = await checkLocalHeader(read, entry, endOfRoom, report)
    if (dataOffset === null) continue
    expandedBytes += entry.expandedBytes
    if (expandedBytes > EXPANDED_LIMIT_BYTES) {
      report('expanded-size', entry, { bytes: expandedBytes })
      break
    }
    if (!needsExpansion(entry, report)) continue
    if (entry.expandedBytes <= SYNC_LIMIT_BYTES && entry.compressedBytes <= SYNC_LIMIT_BYTES) {
      const bytes = await read(dataOffset, entry.compressedBytes)
      await checkExpansion(entry, report, () => countSmall(archive, entry, bytes))
      continue
    }
    if (pending.size >= PARALLEL) await Promise.race(pending)
    const checked = checkExpansion(entry, report, () => countLarge(archive, entry, dataOffset))
    const settled = checked.finally(() => pending.delete(settled))
    pending.add(settled)
  }
  await Promise.all(pending)
  return found
}

type Report = (reason: ZipReason, entry: ZipEntry, params?: ZipAnomaly['params']) => void
type Read = ReturnType<typeof windowReader>

/** Answers where the data begins, or null when the entry is not worth expanding. */
async function checkLocalHeader(read: Read, entry: ZipEntry, endOfRoom: number, report: Report) {
  const fixedBytes = LOCAL_HEADER_BYTES + entry.rawName.length
  if (entry.headerOffset + fixedBytes > endOfRoom) {
    report('overlap', entry)
    return null
  }
  const header = await read(entry.headerOffset, fixedBytes)
  const difference = headerDifference(header, entry)
  if (difference !== null) {
    report('local-header', entry, { field: difference })
    if (difference === 'signature' || difference === 'name') return null
  }
  const dataOffset = entry.headerOffset + fixedBytes + header.readUInt16LE(28)
  if (dataOffset + entry.compressedBytes > endOfRoom) {
    report('overlap', entry)
    return null
  }
  return dataOffset
}

function headerDifference(header: Buffer, entry: ZipEntry): string | null {
  if (header.readUInt32LE(0) !== LOCAL_SIGNATURE) return 'signature'
  if (header.readUInt16LE(26) !== entry.rawName.length) return 'name'
  if (header.compare(entry.rawName, 0, entry.rawName.length, LOCAL_HEADER_BYTES) !== 0) return 'name'
  if (header.readUInt16LE(8) !== entry.method) return 'method'
  const flags = header.readUInt16LE(6)
  if ((flags ^ entry.flags) & FLAG_ENCRYPTED) return 'encryption'
  if (flags & FLAG_DATA_DESCRIPTOR) return null
  const isWide = entry.compressedBytes >= 0xffffffff || entry.expandedBytes >= 0xffffffff
  if (!isWide && header.readUInt32LE(18) !== entry.compressedBytes) return 'compressed size'
  return !isWide && header.readUInt32LE(22) !== entry.expandedBytes ? 'size' : null
}

function needsExpansion(entry: ZipEntry, report: Report): boolean {
  if (entry.method === STORED && entry.compressedBytes !== entry.expandedBytes) {
    report('size-mismatch', entry, { claimed: entry.expandedBytes })
  }
  if (entry.method !== DEFLATED || entry.flags & FLAG_ENCRYPTED || entry.compressedBytes <= HARMLESS_BYTES) return false
  if (!isBomb(entry.expandedBytes, entry)) return true
  report('ratio', entry, { bytes: entry.expandedBytes })
  return false
}

async function checkExpansion(entry: ZipEntry, report: Report, count: () => Promise<number>): Promise<void> {
  try {
    const bytes = await count()
    if (bytes === entry.expandedBytes) return
    report(isBomb(bytes, entry) ? 'ratio' : 'size-mismatch', entry, { claimed: entry.expandedBytes, bytes })
  } catch (error) {
    if (error instanceof ZipRefusal || isZlibError(error)) report('corrupt-entry', entry)
    else throw error
  }
}

const isBomb = (bytes: number, entry: ZipEntry) =>
  bytes > RATIO_FREE_BYTES && bytes > entry.compressedBytes * RATIO_LIMIT

const isZlibError = (error: unknown) => error instanceof Error && 'errno' in error && 'code' in error

/** Where a count may stop: past the claim by enough to tell a bomb from a wrong size. */
const countLimit = (entry: ZipEntry) =>
  Math.max(entry.expandedBytes, RATIO_FREE_BYTES, entry.compressedBytes * RATIO_LIMIT) + 1

async function countSmall(archive: ZipArchive, entry: ZipEntry, bytes: Buffer): Promise<number> {
  // One piece when the claim is true, which it nearly always is: zlib otherwise allocates and joins 16 KiB pieces.
  const chunkSize = Math.max(64, entry.expandedBytes + 1)
  try {
    return inflateRawSync(bytes, { chunkSize, maxOutputLength: SYNC_LIMIT_BYTES * 2 }).length
  } catch (error) {
    if (isTooLarge(error)) return countStreamed(archive, entry)
    throw error
  }
}

async function countLarge(archive: ZipArchive, entry: ZipEntry, dataOffset: number): Promise<number> {
  if (Math.max(entry.expandedBytes, entry.compressedBytes) > BUFFER_LIMIT_BYTES) return countStreamed(archive, entry)
  const bytes = await archive.file.read(dataOffset, entry.compressedBytes)
  const chunkSize = Math.max(64, entry.expandedBytes + 1)
  try {
    return (await inflateRawAsync(bytes, { chunkSize, maxOutputLength: chunkSize })).length
  } catch (error) {
    if (isTooLarge(error)) return countStreamed(archive, entry)
    throw error
  }
}

async function countStreamed(archive: ZipArchive, entry: ZipEntry): Promise<number> {
  const limitBytes = countLimit(entry)
  let bytes = 0
  for await (const chunk of streamEntry(archive.file, entry)) {
    bytes += chunk.length
    if (bytes >= limitBytes) break
  }
  return bytes
}
