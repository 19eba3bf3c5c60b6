import type { NativeLibrary } from './native-libraries.ts'
import type { ZipArchive } from './zip.ts'

/** Where the bytes of a package are. Compressed bytes are what is downloaded, expanded ones what they become. */
export type SizeBreakdown = {
  fileCount: number
  dexCount: number
  dexBytes: number
  nativeLibraries: NativeLibrary[]
  /** By top folder, largest first; files outside folders count as "/", those beyond the largest 40 as "...". */
  folders: FolderSize[]
}

export type FolderSize = { folder: string; files: number; compressedBytes: number; expandedBytes: number }

const DEX_PATH = /^classes\d*\.dex$/
const FOLDER_LIMIT = 40
const LIBRARY_LIMIT = 500

/** Adds up the entries of an archive; lists are bounded, however many entries there are. */
export function sizeBreakdown(archive: ZipArchive, libraries: NativeLibrary[]): SizeBreakdown {
  const folders = new Map<string, FolderSize>()
  const dexes = archive.entries.filter(({ name }) => DEX_PATH.test(name))
  for (const entry of archive.entries) {
    const slash = entry.name.indexOf('/')
    addTo(folders, slash < 0 ? '/' : entry.name.slice(0, slash), { files: 1, ...entry })
  }
  const sorted = [...folders.values()].sort((a, b) => b.compressedBytes - a.compressedBytes)
  const rest = new Map<string, FolderSize>()
  for (const folder of sorted.slice(FOLDER_LIMIT)) addTo(rest, '...', folder)
  return {
    fileCount: archive.entries.length,
    dexCount: dexes.length,
    dexBytes: dexes.reduce((sum, { expandedBytes }) => sum + expandedBytes, 0),
    nativeLibraries: libraries.slice(0, LIBRARY_LIMIT),
    folders: [...sorted.slice(0, FOLDER_LIMIT), ...rest.values()],
  }
}

function addTo(folders: Map<string, FolderSize>, folder: string, added: Omit<FolderSize, 'folder'>): void {
  const sum = folders.get(folder) ?? { folder, files: 0, compressedBytes: 0, expandedBytes: 0 }
  sum.files += added.files
  sum.compressedBytes += added.compressedBytes
  sum.expandedBytes += added.expandedBytes
  folders.set(folder, sum)
}
