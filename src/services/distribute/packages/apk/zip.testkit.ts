import { crc32, deflateRawSync } from 'node:zlib'

/** An entry of a hand-made archive; the optional fields are lies to tell in one header or the other. */
export type TestEntry = {
  name: string
  data?: Buffer | string
  isDeflated?: boolean
  flags?: number
  method?: number
  claimedBytes?: number
  localName?: string
  localMethod?: number
  headerOffset?: number
  /** Unix mode, for symbolic links. */
  mode?: number
}

export type TestEnd = { claimedEntries?: number; comment?: Buffer; gap?: Buffer; isZip64?: boolean }

type Built = { entry: TestEntry; raw: Buffer; body: Buffer; method: number; offset: number }

const u16 = (...values: number[]) => Buffer.from(values.flatMap(value => [value & 0xff, (value >> 8) & 0xff]))
const u32 = (...values: number[]) => {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [i, value] of values.entries()) bytes.writeUInt32LE(value >>> 0, i * 4)
  return bytes
}

/** Writes an archive byte by byte, with whatever lies the entries and the end ask for. */
export function makeZip(entries: TestEntry[], end: TestEnd = {}): Buffer {
  const parts: Buffer[] = []
  const built: Built[] = []
  let offset = 0
  for (const entry of entries) {
    const raw = Buffer.from(entry.data ?? '')
    const body = entry.isDeflated ? deflateRawSync(raw) : raw
    const item = { entry, raw, body, method: entry.method ?? (entry.isDeflated ? 8 : 0), offset }
    const local = Buffer.concat([localHeader(item), body])
    parts.push(local)
    built.push(item)
    offset += local.length
  }
  const directory = Buffer.concat(built.map(directoryRecord))
  return Buffer.concat([
    ...parts,
    directory,
    end.gap ?? Buffer.alloc(0),
    endRecord(directory.length, offset, built, end),
  ])
}

function sharedFields({ entry, raw, body }: Built, method: number): Buffer {
  const sizes = u32(crc32(raw), body.length, entry.claimedBytes ?? raw.length)
  return Buffer.concat([u16(entry.flags ?? 0, method, 0, 0x21), sizes])
}

function localHeader(item: Built): Buffer {
  const { entry, method } = item
  const name = Buffer.from(entry.localName ?? entry.name)
  return Buffer.concat([
    u32(0x04034b50),
    u16(20),
    sharedFields(item, entry.localMethod ?? method),
    u16(name.length, 0),
    name,
  ])
}

function directoryRecord(item: Built): Buffer {
  const { entry, method, offset } = item
  const name = Buffer.from(entry.name)
  const madeBy = entry.mode === undefined ? 20 : (3 << 8) | 20
  return Buffer.concat([
    u32(0x02014b50),
    u16(madeBy, 20),
    sharedFields(item, method),
    u16(name.length, 0, 0, 0, 0),
    u32((entry.mode ?? 0) << 16, entry.headerOffset ?? offset),
    name,
  ])
}

function endRecord(directoryBytes: number, offset: number, built: Built[], end: TestEnd): Buffer {
  const { claimedEntries = built.length, comment = Buffer.alloc(0) } = end
  const count = Math.min(claimedEntries, 0xffff)
  const classic = Buffer.concat([
    u32(0x06054b50),
    u16(0, 0, count, count),
    u32(directoryBytes, offset),
    u16(comment.length),
    comment,
  ])
  if (!end.isZip64) return classic
  const recordOffset = offset + directoryBytes + (end.gap?.length ?? 0)
  const counts = u32(claimedEntries, 0, claimedEntries, 0, directoryBytes, 0, offset, 0)
  const record = Buffer.concat([u32(0x06064b50, 44, 0), u16(45, 45), u32(0, 0), counts])
  return Buffer.concat([record, u32(0x07064b50, 0, recordOffset, 0, 1), classic])
}
