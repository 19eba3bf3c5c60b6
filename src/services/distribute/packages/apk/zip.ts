import { openPositionalFile, type PositionalFile } from './positional-file.ts'
import { type ZipAnomaly, ZipRefusal } from './zip-anomaly.ts'
import { DEFLATED, FLAG_ENCRYPTED, parseDirectory, STORED, type ZipEntry } from './zip-directory.ts'
import { type EndRecord, locateEndRecord } from './zip-end-record.ts'
import { isUnsafeName } from './zip-names.ts'
import { readEntry, readEntryHead, streamEntry } from './zip-read.ts'

/** An open archive. Its list of entries is in memory, its bytes are not. */
export type ZipArchive = {
  file: PositionalFile
  end: EndRecord
  entries: ZipEntry[]
  /** The first entry of each name. */
  byName: Map<string, ZipEntry>
  /** What makes the archive untrustworthy, as far as the directory alone tells; `scanEntries` finds the rest. */
  anomalies: ZipAnomaly[]
  /** Expands one entry; throws ZipRefusal when it grows beyond `limitBytes` or cannot be expanded. */
  readEntry(entry: ZipEntry, limitBytes: number): Promise<Buffer>
  /** The first bytes of an entry, at most `lengthBytes`, fewer when it is shorter. */
  readEntryHead(entry: ZipEntry, lengthBytes: number): Promise<Buffer>
  /** Streams one entry in pieces of its expanded bytes. */
  streamEntry(entry: ZipEntry): AsyncGenerator<Buffer>
  close(): Promise<void>
}

const DIRECTORY_LIMIT_BYTES = 64 << 20

/** Opens the archive at `path` and reads its directory in one piece; throws ZipRefusal when there is no archive. */
export async function openArchive(path: string): Promise<ZipArchive> {
  const file = await openPositionalFile(path)
  try {
    const end = await locateEndRecord(file)
    if (end.directoryBytes > DIRECTORY_LIMIT_BYTES) throw new ZipRefusal('directory-too-large')
    const entries = parseDirectory(await file.read(end.directoryOffset, end.directoryBytes), end)
    const byName = new Map<string, ZipEntry>()
    const anomalies = directoryAnomalies(entries, end, byName)
    return {
      file,
      end,
      entries,
      byName,
      anomalies,
      readEntry: (entry, limitBytes) => readEntry(file, entry, limitBytes),
      readEntryHead: (entry, lengthBytes) => readEntryHead(file, entry, lengthBytes),
      streamEntry: entry => streamEntry(file, entry),
      close: () => file.close(),
    }
  } catch (error) {
    await file.close()
    throw error
  }
}

function directoryAnomalies(entries: ZipEntry[], end: EndRecord, byName: Map<string, ZipEntry>): ZipAnomaly[] {
  const anomalies: ZipAnomaly[] = []
  if (end.isAmbiguous) anomalies.push({ reason: 'ambiguous-end', params: {} })
  if (end.gapBytes > 0) anomalies.push({ reason: 'gap-before-end', params: { bytes: end.gapBytes } })
  for (const entry of entries) {
    const params = { entry: entry.name }
    if (byName.has(entry.name)) anomalies.push({ reason: 'duplicate-name', params })
    else byName.set(entry.name, entry)
    if (isUnsafeName(entry.name)) anomalies.push({ reason: 'unsafe-name', params })
    if (entry.flags & FLAG_ENCRYPTED) anomalies.push({ reason: 'encrypted', params })
    if (entry.isSymlink) anomalies.push({ reason: 'symlink', params })
    if (entry.method !== STORED && entry.method !== DEFLATED) {
      anomalies.push({ reason: 'method', params: { entry: entry.name, method: entry.method } })
    }
  }
  return anomalies
}
