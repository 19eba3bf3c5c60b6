import type { PositionalFile } from '../apk/positional-file.ts'

/** What the headers of a Windows program say. Offsets are in the file. */
export interface PeFile {
  machine: string
  bits: 32 | 64
  subsystem: string
  isLibrary: boolean
  /** Epoch milliseconds; null where the linker wrote no time. */
  linkedAt: number | null
  checksumAt: number
  securityEntryAt: number
  /** Where the signatures lie; empty without one. */
  signatures: { offset: number; sizeBytes: number }
  resources: { offset: number; sizeBytes: number; virtualAddress: number }
}

/** Thrown when the bytes are no Windows program; the message says what they are instead. */
export class PeFormatError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'PeFormatError'
  }
}

const machines: Readonly<Record<number, string>> = {
  332: 'x86',
  452: 'ARM',
  34404: 'x64',
  43620: 'ARM64',
}
const subsystems: Readonly<Record<number, string>> = { 1: 'native', 2: 'windows', 3: 'console', 10: 'EFI' }
const IS_LIBRARY = 0x2000
const HEADER_LIMIT_BYTES = 1 << 20
const SECTION_BYTES = 40
const SECTION_LIMIT = 96
const DIRECTORY_RESOURCES = 2
const DIRECTORY_SECURITY = 4

/** Reads the headers; throws PeFormatError. */
export async function readPe(file: PositionalFile): Promise<PeFile> {
  const head = await file.read(0, Math.min(file.sizeBytes, HEADER_LIMIT_BYTES))
  if (head.length < 64 || head.toString('latin1', 0, 2) !== 'MZ') throw new PeFormatError('no file that begins with MZ')
  const at = head.readUInt32LE(60)
  if (at + 24 > head.length || head.toString('latin1', at, at + 4) !== 'PE\0\0') {
    throw new PeFormatError('an old DOS program without a PE header')
  }
  const machine = machines[head.readUInt16LE(at + 4)]
  if (machine === undefined) throw new PeFormatError('a program for a machine that no computer has')
  const optionalBytes = head.readUInt16LE(at + 20)
  const optional = at + 24
  if (optional + optionalBytes > head.length || optionalBytes < 96)
    throw new PeFormatError('a program whose headers end early')
  const magic = head.readUInt16LE(optional)
  if (magic !== 0x10b && magic !== 0x20b) throw new PeFormatError('a program with an unknown header')
  const isWide = magic === 0x20b
  const directories = optional + (isWide ? 112 : 96)
  const count = Math.min(head.readUInt32LE(directories - 4), Math.floor((optional + optionalBytes - directories) / 8))
  const directory = (index: number) => {
    const entry = directories + index * 8
    return index < count
      ? { address: head.readUInt32LE(entry), sizeBytes: head.readUInt32LE(entry + 4), entry }
      : { address: 0, sizeBytes: 0, entry }
  }
  const sections = readSections(head, optional + optionalBytes, head.readUInt16LE(at + 6))
  const resources = directory(DIRECTORY_RESOURCES)
  const security = directory(DIRECTORY_SECURITY)
  if (security.sizeBytes > 0 && security.address + security.sizeBytes > file.sizeBytes) {
    throw new PeFormatError('a program whose signature lies outside of the file')
  }
  const linked = head.readUInt32LE(at + 8)
  return {
    machine,
    bits: isWide ? 64 : 32,
    subsystem: subsystems[head.readUInt16LE(optional + 68)] ?? 'other',
    isLibrary: (head.readUInt16LE(at + 22) & IS_LIBRARY) !== 0,
    linkedAt: linked === 0 ? null : linked * 1000,
    checksumAt: optional + 64,
    securityEntryAt: security.entry,
    signatures: { offset: security.address, sizeBytes: security.sizeBytes },
    resources: {
      offset: offsetOf(sections, resources.address),
      sizeBytes: resources.sizeBytes,
      virtualAddress: resources.address,
    },
  }
}

interface SectionPlace {
  virtualAddress: number
  virtualBytes: number
  offset: number
}

function readSections(head: Buffer, at: number, count: number): SectionPlace[] {
  if (count > SECTION_LIMIT || at + count * SECTION_BYTES > head.length)
    throw new PeFormatError('a program with too many sections')
  return Array.from({ length: count }, (_, i) => {
    const entry = at + i * SECTION_BYTES
    return {
      virtualBytes: Math.max(head.readUInt32LE(entry + 8), head.readUInt32LE(entry + 16)),
      virtualAddress: head.readUInt32LE(entry + 12),
      offset: head.readUInt32LE(entry + 20),
    }
  })
}

/** Where an address in memory lies in the file; -1 where nowhere. */
function offsetOf(sections: readonly SectionPlace[], address: number): number {
  const home = sections.find(one => address >= one.virtualAddress && address < one.virtualAddress + one.virtualBytes)
  return home && address > 0 ? home.offset + address - home.virtualAddress : -1
}
