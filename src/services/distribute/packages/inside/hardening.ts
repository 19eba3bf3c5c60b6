import type { NativeLibrary } from '../apk/native-libraries.ts'
import type { ZipArchive } from '../apk/zip.ts'

/** How a native library is built, as far as its program headers tell. */
export interface Hardening {
  path: string
  /** Its tables are read-only after it was loaded. */
  hasRelro: boolean
  /** Its stack can hold code: the header says so, or is not there. */
  hasExecutableStack: boolean
}

const headBytes = 4096
const elfMagic = 0x464c457f
const stackType = 0x6474e551
const relroType = 0x6474e552
const executable = 1
const libraryLimit = 200

/** Of each library that is an ELF file of either width, little-endian as all of Android's are. */
export async function hardeningOf(archive: ZipArchive, libraries: readonly NativeLibrary[]): Promise<Hardening[]> {
  const found: Hardening[] = []
  for (const { path } of libraries.slice(0, libraryLimit)) {
    const entry = archive.byName.get(path)
    const head = entry ? await archive.readEntryHead(entry, headBytes).catch(() => null) : null
    const read = head && hardeningIn(head)
    if (read) found.push({ path: path.toWellFormed().slice(0, 300), ...read })
  }
  return found
}

/** What the first bytes of a library say; null where they are no ELF file. */
export function hardeningIn(head: Buffer): Omit<Hardening, 'path'> | null {
  if (head.length < 64 || head.readUInt32LE(0) !== elfMagic) return null
  const isWide = head[4] === 2
  const start = isWide ? Number(head.readBigUInt64LE(32)) : head.readUInt32LE(28)
  const stride = head.readUInt16LE(isWide ? 54 : 42)
  const count = head.readUInt16LE(isWide ? 56 : 44)
  let hasRelro = false
  let hasExecutableStack = true
  for (let i = 0; i < count; i++) {
    const at = start + i * stride
    if (!Number.isSafeInteger(at) || at + 32 > head.length) break
    const type = head.readUInt32LE(at)
    if (type === relroType) hasRelro = true
    if (type === stackType) hasExecutableStack = (head.readUInt32LE(at + (isWide ? 4 : 24)) & executable) !== 0
  }
  return { hasRelro, hasExecutableStack }
}
