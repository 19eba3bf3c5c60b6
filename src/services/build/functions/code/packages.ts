import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import yauzl, { type Entry, type ZipFile } from 'yauzl'
import yazl from 'yazl'
import { HasProblem } from '../problems/rules.ts'
import { limits } from '../rules.ts'

/** A file of a package, as the editor has it. */
export interface SourceFile {
  path: string
  content: string
  encoding: 'utf8' | 'base64'
}

/** Thrown for a package that cannot be one; its problem says why and names the entry. */
export class BadPackage extends HasProblem {}

/** A zip of these files with no time in it: the same files are the same bytes. */
export function zipOf(files: readonly SourceFile[]): Readable {
  const zip = new yazl.ZipFile()
  const sorted = [...files].sort((a, b) => (a.path < b.path ? -1 : 1))
  for (const { path: name, content, encoding } of sorted) {
    assertName(name)
    zip.addBuffer(Buffer.from(content, encoding), name, { mtime: new Date(Date.UTC(2020, 0, 1)), mode: 0o100644 })
  }
  zip.end()
  return Readable.from(zip.outputStream)
}

function assertName(name: string): void {
  if (name.length > limits.entryName)
    throw new BadPackage('longName', { name: `${name.slice(0, 50)}...`, limit: limits.entryName })
  if (/[\\\0]/.test(name) || /^([/~]|[A-Za-z]:)/.test(name)) throw new BadPackage('noPath', { name })
  const parts = name.replace(/\/$/, '').split('/')
  if (parts.some(part => part === '' || part === '.' || part === '..')) throw new BadPackage('leadsOut', { name })
  if (parts.some(part => Buffer.byteLength(part) > limits.entryPartBytes))
    throw new BadPackage('longPart', { name, limit: limits.entryPartBytes })
}

/** Of two files, or a file and a folder, only one can have a name. Once `/` sorts first, they stand side by side. */
function assertOnce(entries: readonly Listed[]): void {
  const sorted = entries.map(({ entry }) => entry.fileName.replaceAll('/', '\0')).sort()
  sorted.forEach((name, at) => {
    const next = sorted[at + 1]
    const isFolder = name.endsWith('\0')
    if (!isFolder && (next === name || next?.startsWith(`${name}\0`)))
      throw new BadPackage('twice', { name: name.replaceAll('\0', '/') })
  })
}

/** What unzipping threw; what the system refused is none of the package's. */
function asProblem(error: NodeJS.ErrnoException): Error {
  if (error instanceof BadPackage || error.syscall !== undefined) return error
  return new BadPackage('notUnpacked', { said: error.message })
}

interface Listed {
  entry: Entry
  isFolder: boolean
}

async function open(file: string): Promise<{ zip: ZipFile; entries: Listed[] }> {
  const zip = await yauzl
    .openPromise(file, { validateEntrySizes: true, autoClose: false, strictFileNames: true })
    .catch(error => {
      throw new BadPackage('noZip', { said: (error as Error).message })
    })
  try {
    const entries: Listed[] = []
    let bytes = 0
    for await (const entry of zip.eachEntry()) {
      entries.push(checked(entry))
      bytes += entry.uncompressedSize
      if (entries.length > limits.entries) throw new BadPackage('manyFiles', { limit: limits.entries })
      if (bytes > limits.unpackedBytes) throw new BadPackage('unpackedLarge', { limit: limits.unpackedBytes })
    }
    assertOnce(entries)
    return { zip, entries }
  } catch (error) {
    zip.close()
    throw asProblem(error as Error)
  }
}

function checked(entry: Entry): Listed {
  const name = entry.fileName
  assertName(name)
  const kind = (entry.externalFileAttributes >>> 16) & 0o170000
  if (kind !== 0 && kind !== 0o100000 && kind !== 0o040000) throw new BadPackage('noFile', { name })
  if (entry.isEncrypted()) throw new BadPackage('encrypted', { name })
  const isBomb = entry.uncompressedSize > 1_000_000 && entry.uncompressedSize > entry.compressedSize * limits.bombRatio
  if (isBomb) throw new BadPackage('bomb', { name, limit: limits.bombRatio })
  return { entry, isFolder: name.endsWith('/') }
}

/** How many bytes a package has when it is unpacked, by its own list. Throws `BadPackage`. */
export async function unpackedSize(file: string): Promise<number> {
  const { zip, entries } = await open(file)
  zip.close()
  return entries.reduce((sum, { entry }) => sum + entry.uncompressedSize, 0)
}

/** Unpacks into a new folder; a package with anything wrong in it is refused before a byte is written. Throws `BadPackage`. */
export async function unpack(file: string, folder: string): Promise<void> {
  const { zip, entries } = await open(file)
  try {
    await mkdir(folder, { recursive: true, mode: 0o755 })
    for (const { entry, isFolder } of entries) {
      const target = path.join(folder, entry.fileName)
      await mkdir(isFolder ? target : path.dirname(target), { recursive: true, mode: 0o755 })
      if (!isFolder)
        await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(target, { flags: 'wx', mode: 0o644 }))
    }
  } catch (error) {
    throw asProblem(error as Error)
  } finally {
    zip.close()
  }
}

/** The files of a package for the editor: text as text, all else as base64; what is too large in all is left out. */
export async function readFiles(file: string): Promise<{ files: SourceFile[]; isTruncated: boolean }> {
  const { zip, entries } = await open(file)
  const files: SourceFile[] = []
  let left: number = limits.inlineBytes
  try {
    for (const { entry, isFolder } of entries) {
      if (isFolder || entry.uncompressedSize > left) continue
      left -= entry.uncompressedSize
      const stream = await zip.openReadStreamPromise(entry)
      const parts: Buffer[] = []
      stream.on('data', part => parts.push(part))
      await once(stream, 'end')
      const bytes = Buffer.concat(parts)
      const text = bytes.toString('utf8')
      const isText = !text.includes('\0') && Buffer.byteLength(text) === bytes.length && !text.includes('\ufffd')
      files.push({
        path: entry.fileName,
        content: isText ? text : bytes.toString('base64'),
        encoding: isText ? 'utf8' : 'base64',
      })
    }
    return { files, isTruncated: files.length < entries.filter(one => !one.isFolder).length }
  } finally {
    zip.close()
  }
}
