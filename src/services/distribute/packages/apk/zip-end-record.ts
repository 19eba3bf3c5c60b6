import type { PositionalFile } from './positional-file.ts'
import { ZipRefusal } from './zip-anomaly.ts'

/** Where the central directory lies, as the end record says. Offsets and sizes are bytes from the start of the file. */
export type EndRecord = {
  directoryOffset: number
  directoryBytes: number
  /** Offset of the classic end record; the bytes from here to the end of the file are the record and its comment. */
  endOffset: number
  claimedEntries: number
  isZip64: boolean
  /** Bytes between the directory and the end record, which no reader needs and signatures do not expect. */
  gapBytes: number
  /** More than one end record fits the end of the file, so two readers may see two archives. */
  isAmbiguous: boolean
}

const END_SIGNATURE = Buffer.from([0x50, 0x4b, 0x05, 0x06])
const END_BYTES = 22
const ZIP64_LOCATOR_BYTES = 20
const ZIP64_LOCATOR_SIGNATURE = 0x07064b50
const ZIP64_END_BYTES = 56
const ZIP64_END_SIGNATURE = 0x06064b50
const ENTRY_MIN_BYTES = 46
const COMMENT_MAX_BYTES = 0xffff

/** Finds the end record in the last 64 KiB; throws ZipRefusal when the file is no complete zip archive. */
export async function locateEndRecord(file: PositionalFile): Promise<EndRecord> {
  if (file.sizeBytes === 0) throw new ZipRefusal('empty')
  const tailBytes = Math.min(file.sizeBytes, END_BYTES + COMMENT_MAX_BYTES + ZIP64_LOCATOR_BYTES)
  const tailOffset = file.sizeBytes - tailBytes
  const tail = await file.read(tailOffset, tailBytes)
  const candidates = exactCandidates(tail)
  const at = candidates[0]
  if (at === undefined) throw await absentEndRecord(file, tail)
  const classic = readClassic(tail, at, tailOffset)
  const record = classic.needsZip64 ? await readZip64(file, tail, at, classic) : classic
  checkPlausible(record)
  return { ...record, isAmbiguous: candidates.length > 1 }
}

function exactCandidates(tail: Buffer): number[] {
  const found: number[] = []
  for (let at = tail.lastIndexOf(END_SIGNATURE); at >= 0; at = at > 0 ? tail.lastIndexOf(END_SIGNATURE, at - 1) : -1) {
    if (at + END_BYTES <= tail.length && tail.readUInt16LE(at + 20) === tail.length - at - END_BYTES) found.push(at)
  }
  return found
}

async function absentEndRecord(file: PositionalFile, tail: Buffer): Promise<ZipRefusal> {
  const at = tail.lastIndexOf(END_SIGNATURE)
  if (at >= 0 && at + END_BYTES <= tail.length) {
    const restBytes = tail.length - at - END_BYTES
    const isShort = tail.readUInt16LE(at + 20) > restBytes
    return new ZipRefusal(isShort ? 'truncated' : 'trailing-bytes', { bytes: restBytes })
  }
  const head = await file.read(0, Math.min(4, file.sizeBytes))
  return new ZipRefusal(head.toString('latin1', 0, 2) === 'PK' ? 'truncated' : 'not-a-zip')
}

type Located = Omit<EndRecord, 'isAmbiguous'>

function readClassic(tail: Buffer, at: number, tailOffset: number): Located & { needsZip64: boolean } {
  if (tail.readUInt16LE(at + 4) !== tail.readUInt16LE(at + 6)) throw new ZipRefusal('not-a-zip')
  const claimedEntries = tail.readUInt16LE(at + 10)
  const directoryBytes = tail.readUInt32LE(at + 12)
  const directoryOffset = tail.readUInt32LE(at + 16)
  const endOffset = tailOffset + at
  const needsZip64 =
    at >= ZIP64_LOCATOR_BYTES && tail.readUInt32LE(at - ZIP64_LOCATOR_BYTES) === ZIP64_LOCATOR_SIGNATURE
  const gapBytes = endOffset - directoryOffset - directoryBytes
  return { directoryOffset, directoryBytes, endOffset, claimedEntries, isZip64: false, gapBytes, needsZip64 }
}

async function readZip64(file: PositionalFile, tail: Buffer, at: number, classic: Located): Promise<Located> {
  const recordOffset = Number(tail.readBigUInt64LE(at - ZIP64_LOCATOR_BYTES + 8))
  if (recordOffset + ZIP64_END_BYTES > file.sizeBytes) throw new ZipRefusal('truncated')
  const record = await file.read(recordOffset, ZIP64_END_BYTES)
  if (record.readUInt32LE(0) !== ZIP64_END_SIGNATURE) throw new ZipRefusal('not-a-zip')
  const directoryBytes = Number(record.readBigUInt64LE(40))
  const directoryOffset = Number(record.readBigUInt64LE(48))
  return {
    directoryOffset,
    directoryBytes,
    endOffset: classic.endOffset,
    claimedEntries: Number(record.readBigUInt64LE(32)),
    isZip64: true,
    gapBytes: recordOffset - directoryOffset - directoryBytes,
  }
}

function checkPlausible(record: Located): void {
  if (record.gapBytes < 0) throw new ZipRefusal('truncated', { missingBytes: -record.gapBytes })
  // A claim larger than the bytes that could hold it is refused before anything is allocated for it.
  if (record.claimedEntries * ENTRY_MIN_BYTES > record.directoryBytes) {
    throw new ZipRefusal('entry-count', { claimed: record.claimedEntries })
  }
}
