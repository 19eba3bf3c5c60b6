import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import yauzl, { type Entry, type ZipFile } from 'yauzl'
import yazl from 'yazl'
import { limits } from '../rules.ts'

/** A file of a package, as the editor has it. */
export interface SourceFile {
  path: string
  content: string
  encoding: 'utf8' | 'base64'
}

/** Thrown for a package that cannot be one; the message says why and names the entry. */
export class BadPackage extends Error {}

/** A zip of these files with no time in it: the same files are the same bytes. */
export function zipOf(files: readonly SourceFile[]): Readable {
  const zip = new yazl.ZipFile()
  const sorted = [...files].sort((a, b) => (a.path < b.path ? -1 : 1))
  for (const { path: name, content, encoding } of sorted) {
    const problem = nameProblem(name)
    if (problem) throw new BadPackage(`${name} ${problem}`)
    zip.addBuffer(Buffer.from(content, encoding), name, { mtime: new Date(Date.UTC(2020, 0, 1)), mode: 0o100644 })
  }
  zip.end()
  return Readable.from(zip.outputStream)
}

/** Why a file of a package cannot have this name; null when it can. */
export function nameProblem(name: string): string | null {
  if (name.length > 500) return 'has more than 500 characters'
  if (/[\\\0]/.test(name) || /^([/~]|[A-Za-z]:)/.test(name)) return 'is no path below the package'
  const parts = name.replace(/\/$/, '').split('/')
  return parts.some(part => part === '' || part === '.' || part === '..') ? 'leads out of the package' : null
}

interface Listed {
  entry: Entry
  isFolder: boolean
}

async function open(file: string): Promise<{ zip: ZipFile; entries: Listed[] }> {
  const zip = await yauzl
    .openPromise(file, { validateEntrySizes: true, autoClose: false, strictFileNames: true })
    .catch(error => {
      throw new BadPackage(`the file is no zip archive: ${(error as Error).message}`)
    })
  try {
    const entries: Listed[] = []
    let bytes = 0
    for await (const entry of zip.eachEntry()) {
      entries.push(checked(entry))
      bytes += entry.uncompressedSize
      if (entries.length > limits.entries) throw new BadPackage(`more than ${limits.entries} files`)
      if (bytes > limits.unpackedBytes) throw new BadPackage(`more than ${limits.unpackedBytes} bytes when unpacked`)
    }
    return { zip, entries }
  } catch (error) {
    zip.close()
    throw error instanceof BadPackage ? error : new BadPackage((error as Error).message)
  }
}

function checked(entry: Entry): Listed {
  const name = entry.fileName
  const problem = nameProblem(name)
  if (problem) throw new BadPackage(`${name} ${problem}`)
  const kind = (entry.externalFileAttributes >>> 16) & 0o170000
  if (kind !== 0 && kind !== 0o100000 && kind !== 0o040000) throw new BadPackage(`${name} is a link or a device`)
  if (entry.isEncrypted()) throw new BadPackage(`${name} is encrypted`)
  const isBomb = entry.uncompressedSize > 1_000_000 && entry.uncompressedSize > entry.compressedSize * limits.bombRatio
  if (isBomb) throw new BadPackage(`${name} grows more than ${limits.bombRatio} times`)
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
      // What is there already is another entry of the same name.
      if (!isFolder)
        await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(target, { flags: 'wx', mode: 0o644 }))
    }
  } catch (error) {
    throw error instanceof BadPackage ? error : new BadPackage((error as Error).message.slice(0, 200))
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
