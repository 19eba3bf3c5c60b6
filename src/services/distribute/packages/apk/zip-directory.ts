import { ZipRefusal } from './zip-anomaly.ts'
import type { EndRecord } from './zip-end-record.ts'

/** One file of the archive, as the central directory describes it. */
export type ZipEntry = {
  name: string
  rawName: Buffer
  method: number
  flags: number
  crc32: number
  compressedBytes: number
  expandedBytes: number
  headerOffset: number
  isSymlink: boolean
}

export const STORED = 0
export const DEFLATED = 8
/** General purpose flag bit 0. */
export const FLAG_ENCRYPTED = 1
/** General purpose flag bit 3: sizes follow the data, the local header may say 0. */
export const FLAG_DATA_DESCRIPTOR = 8

const ENTRY_SIGNATURE = 0x02014b50
const ENTRY_BYTES = 46
const SENTINEL_32 = 0xffffffff
const ZIP64_EXTRA = 0x0001
const MADE_BY_UNIX = 3
const FILE_TYPE_MASK = 0o170000
const FILE_TYPE_SYMLINK = 0o120000

/** Reads every record of the central directory; throws ZipRefusal when records and claimed count do not agree. */
export function parseDirectory(directory: Buffer, end: EndRecord): ZipEntry[] {
  const entries: ZipEntry[] = []
  let at = 0
  while (at + ENTRY_BYTES <= directory.length && directory.readUInt32LE(at) === ENTRY_SIGNATURE) {
    const nameBytes = directory.readUInt16LE(at + 28)
    const extraBytes = directory.readUInt16LE(at + 30)
    const next = at + ENTRY_BYTES + nameBytes + extraBytes + directory.readUInt16LE(at + 32)
    if (next > directory.length) throw new ZipRefusal('truncated')
    entries.push(parseEntry(directory, at, nameBytes, extraBytes))
    at = next
  }
  checkCount(entries.length, at, directory, end)
  return entries
}

function checkCount(count: number, parsedBytes: number, directory: Buffer, end: EndRecord): void {
  if (count === 0 && directory.length > 0) throw new ZipRefusal('not-a-zip')
  if (!end.isZip64 && count > 0xffff) throw new ZipRefusal('too-many-entries', { entries: count })
  if (count !== end.claimedEntries || parsedBytes !== directory.length) {
    throw new ZipRefusal('entry-count', { claimed: end.claimedEntries, found: count })
  }
}

function parseEntry(directory: Buffer, at: number, nameBytes: number, extraBytes: number): ZipEntry {
  const nameAt = at + ENTRY_BYTES
  const rawName = directory.subarray(nameAt, nameAt + nameBytes)
  const unixMode = directory.readUInt32LE(at + 38) >>> 16
  const entry: ZipEntry = {
    name: rawName.toString('utf8'),
    rawName,
    method: directory.readUInt16LE(at + 10),
    flags: directory.readUInt16LE(at + 8),
    crc32: directory.readUInt32LE(at + 16),
    compressedBytes: directory.readUInt32LE(at + 20),
    expandedBytes: directory.readUInt32LE(at + 24),
    headerOffset: directory.readUInt32LE(at + 42),
    isSymlink: directory[at + 5] === MADE_BY_UNIX && (unixMode & FILE_TYPE_MASK) === FILE_TYPE_SYMLINK,
  }
  if (extraBytes > 0) applyZip64(entry, directory.subarray(nameAt + nameBytes, nameAt + nameBytes + extraBytes))
  return entry
}

function applyZip64(entry: ZipEntry, extra: Buffer): void {
  for (let at = 0; at + 4 <= extra.length; ) {
    const lengthBytes = extra.readUInt16LE(at + 2)
    const body = extra.subarray(at + 4, at + 4 + lengthBytes)
    if (extra.readUInt16LE(at) === ZIP64_EXTRA) {
      let used = 0
      const wide = (value: number) => {
        if (value !== SENTINEL_32 || used + 8 > body.length) return value
        used += 8
        return Number(body.readBigUInt64LE(used - 8))
      }
      entry.expandedBytes = wide(entry.expandedBytes)
      entry.compressedBytes = wide(entry.compressedBytes)
      entry.headerOffset = wide(entry.headerOffset)
    }
    at += 4 + lengthBytes
  }
}
