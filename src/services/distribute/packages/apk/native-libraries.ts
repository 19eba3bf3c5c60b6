import type { ZipArchive } from './zip.ts'
import { STORED, type ZipEntry } from './zip-directory.ts'
import { dataOffsetOf } from './zip-read.ts'

export type NativeLibrary = { path: string; abi: string; sizeBytes: number }
/** A 64-bit library that a device with 16 KB pages cannot map, and why. */
export type MisalignedLibrary = { path: string; reason: 'segments' | 'archive' }

const PAGE_BYTES = 16 << 10
const HEAD_BYTES = 4096
const LIBRARY_PATH = /^lib\/([^/]+)\/[^/]+\.so$/
const ABIS_64 = new Set(['arm64-v8a', 'x86_64'])
/** The 64-bit counterpart a store asks for beside each 32-bit instruction set. */
const COUNTERPARTS: Record<string, string> = { armeabi: 'arm64-v8a', 'armeabi-v7a': 'arm64-v8a', x86: 'x86_64' }
const ELF_MAGIC = 0x464c457f
const PT_LOAD = 1

/** The native libraries of a package, in archive order. */
export function nativeLibraries(archive: ZipArchive): NativeLibrary[] {
  return archive.entries.flatMap(entry => {
    const abi = LIBRARY_PATH.exec(entry.name)?.[1]
    return abi === undefined ? [] : [{ path: entry.name, abi, sizeBytes: entry.expandedBytes }]
  })
}

/** 32-bit instruction sets whose 64-bit counterpart is not among `abis`, with that counterpart. */
export function missingCounterparts(abis: string[]): { abi: string; counterpart: string }[] {
  return abis.flatMap(abi => {
    const counterpart = COUNTERPARTS[abi]
    return counterpart !== undefined && !abis.includes(counterpart) ? [{ abi, counterpart }] : []
  })
}

/** 64-bit libraries whose segments, or whose place in the archive when stored, are not aligned to 16 KB. */
export async function misalignedLibraries(
  archive: ZipArchive,
  libraries: NativeLibrary[],
): Promise<MisalignedLibrary[]> {
  const misaligned: MisalignedLibrary[] = []
  for (const { path, abi } of libraries) {
    const entry = archive.byName.get(path)
    if (!entry || !ABIS_64.has(abi)) continue
    const reason = await misalignment(archive, entry)
    if (reason !== null) misaligned.push({ path, reason })
  }
  return misaligned
}

async function misalignment(archive: ZipArchive, entry: ZipEntry): Promise<MisalignedLibrary['reason'] | null> {
  const head = await archive.readEntryHead(entry, HEAD_BYTES)
  if (!areSegmentsAligned(head)) return 'segments'
  const isMappedInPlace = entry.method === STORED
  return isMappedInPlace && (await dataOffsetOf(archive.file, entry)) % PAGE_BYTES !== 0 ? 'archive' : null
}

/** Reads the program headers of a 64-bit little-endian ELF; what is no such file cannot be judged and passes. */
function areSegmentsAligned(head: Buffer): boolean {
  if (head.length < 64 || head.readUInt32LE(0) !== ELF_MAGIC || head[4] !== 2) return true
  const start = Number(head.readBigUInt64LE(32))
  const strideBytes = head.readUInt16LE(54)
  const count = head.readUInt16LE(56)
  for (let i = 0; i < count; i++) {
    const at = start + i * strideBytes
    if (at + 56 > head.length) return true
    if (head.readUInt32LE(at) === PT_LOAD && head.readBigUInt64LE(at + 48) % BigInt(PAGE_BYTES) !== 0n) return false
  }
  return true
}
