import type { PositionalFile } from '../apk/positional-file.ts'
import type { PeFile } from './pe.ts'

/** What the version resource of a program says. */
export interface PeVersion {
  /** Four parts of 16 bits, the highest first. */
  fileVersion: [number, number, number, number] | null
  texts: Map<string, string>
}

const RESOURCE_LIMIT_BYTES = 32 << 20
const VERSION_LIMIT_BYTES = 64 << 10
const TYPE_VERSION = 16
const IS_FOLDER = 0x80000000
const FIXED_SIGNATURE = 0xfeef04bd
const DEPTH_LIMIT = 4
const WANTED = ['ProductName', 'CompanyName', 'FileDescription', 'ProductVersion', 'FileVersion']

/** Reads the version resource; nothing where there is none. A RangeError means that it leads outside of the file. */
export async function readVersion(file: PositionalFile, { resources }: PeFile): Promise<PeVersion> {
  const none: PeVersion = { fileVersion: null, texts: new Map() }
  if (resources.offset < 0 || resources.sizeBytes === 0) return none
  const sizeBytes = Math.min(resources.sizeBytes, RESOURCE_LIMIT_BYTES, Math.max(0, file.sizeBytes - resources.offset))
  const tree = await file.read(resources.offset, sizeBytes)
  const data = findVersion(tree, 0, 0)
  if (data === null) return none
  const at = tree.readUInt32LE(data) - resources.virtualAddress
  const lengthBytes = tree.readUInt32LE(data + 4)
  if (at < 0 || lengthBytes > VERSION_LIMIT_BYTES || at + lengthBytes > tree.length)
    throw new RangeError('the version resource lies outside')
  return parseVersion(tree.subarray(at, at + lengthBytes))
}

/** Type, name and language each are a folder; the first leaf below the version type is taken. */
function findVersion(tree: Buffer, at: number, depth: number): number | null {
  if (depth >= DEPTH_LIMIT) return null
  const count = tree.readUInt16LE(at + 12) + tree.readUInt16LE(at + 14)
  for (let i = 0; i < count; i++) {
    const entry = at + 16 + i * 8
    const id = tree.readUInt32LE(entry)
    if (depth === 0 && id !== TYPE_VERSION) continue
    const target = tree.readUInt32LE(entry + 4)
    return target >= IS_FOLDER ? findVersion(tree, target - IS_FOLDER, depth + 1) : target
  }
  return null
}

function parseVersion(bytes: Buffer): PeVersion {
  const fixedAt = bytes.indexOf(Buffer.from([0xbd, 0x04, 0xef, 0xfe]))
  const hasFixed = fixedAt >= 0 && fixedAt + 16 <= bytes.length && bytes.readUInt32LE(fixedAt) === FIXED_SIGNATURE
  const part = (offset: number) => bytes.readUInt16LE(fixedAt + offset)
  const texts = new Map<string, string>()
  for (const key of WANTED) {
    const text = textOf(bytes, key)
    if (text !== null) texts.set(key, text)
  }
  return { fileVersion: hasFixed ? [part(10), part(8), part(14), part(12)] : null, texts }
}

/** A key in UTF-16, filled up to four bytes, then its text up to the NUL. */
function textOf(bytes: Buffer, key: string): string | null {
  const wanted = Buffer.from(`${key}\0`, 'utf16le')
  const found = bytes.indexOf(wanted)
  if (found < 0) return null
  const start = (found + wanted.length + 3) & ~3
  let end = start
  while (end + 1 < bytes.length && bytes.readUInt16LE(end) !== 0) end += 2
  const text = bytes.toString('utf16le', start, end).trim()
  return text === '' ? null : text
}
