import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import {
  type BytesEngine,
  NoSuchBytes,
  type PutOptions,
  type Range,
  type StoredBytes,
  TooManyBytes,
  WrongBytes,
} from './port.ts'

/** Bytes as files below one folder: `ab/cd/<sha256>`, written beside and renamed in, so a file is whole or absent. */
export class FileBytes implements BytesEngine {
  readonly name = 'files'
  readonly #root: string

  constructor(root: string) {
    this.#root = root
  }

  async put(source: Readable, options: PutOptions): Promise<StoredBytes> {
    const { file, ...stored } = await this.#receive(source, options)
    await this.#settle(file, this.#pathOf(stored.sha256))
    return { sha256: stored.sha256, sizeBytes: stored.sizeBytes }
  }

  async read(sha256: string, range?: Range): Promise<Readable> {
    const file = this.#pathOf(sha256)
    const handle = await open(file, 'r').catch(() => null)
    if (!handle) throw new NoSuchBytes(sha256)
    return handle.createReadStream({ ...range, highWaterMark: 65_536 })
  }

  async stat(sha256: string): Promise<{ sizeBytes: number } | null> {
    const found = await stat(this.#pathOf(sha256)).catch(() => null)
    return found ? { sizeBytes: found.size } : null
  }

  async remove(sha256: string): Promise<void> {
    await rm(this.#pathOf(sha256), { force: true })
  }

  async localFile(sha256: string) {
    if (!(await this.stat(sha256))) throw new NoSuchBytes(sha256)
    return { path: this.#pathOf(sha256), release: async () => undefined }
  }

  async putPart(uploadId: string, part: number, source: Readable, options: PutOptions) {
    const { file, ...stored } = await this.#receive(source, options)
    await this.#settle(file, this.#partPath(uploadId, part))
    return stored
  }

  async joinParts(uploadId: string, parts: readonly number[], options: PutOptions): Promise<StoredBytes> {
    const files = parts.map(part => this.#partPath(uploadId, part))
    return this.put(Readable.from(chunksOf(files)), options)
  }

  async dropParts(uploadId: string): Promise<void> {
    await rm(path.join(this.#root, 'parts', safeName(uploadId)), { recursive: true, force: true })
  }

  /** Streams into a temporary file with one copy, hashing on the way; the file is gone when anything fails. */
  async #receive(source: Readable, options: PutOptions) {
    const folder = path.join(this.#root, 'incoming')
    await mkdir(folder, { recursive: true })
    const file = path.join(folder, randomUUID())
    const sha256 = createHash('sha256')
    const md5 = createHash('md5')
    let sizeBytes = 0
    let handle: FileHandle | undefined
    try {
      handle = await open(file, 'wx', 0o640)
      for await (const chunk of source as AsyncIterable<Buffer>) {
        options.signal?.throwIfAborted()
        sizeBytes += chunk.length
        if (sizeBytes > options.limitBytes) throw new TooManyBytes(options.limitBytes)
        sha256.update(chunk)
        md5.update(chunk)
        await handle.write(chunk)
      }
      await handle.sync()
      await handle.close()
      handle = undefined
      const found = sha256.digest('hex')
      if (options.sha256 !== undefined && options.sha256 !== found) throw new WrongBytes(options.sha256, found)
      return { file, sha256: found, md5: md5.digest('hex'), sizeBytes }
    } catch (error) {
      await handle?.close()
      await rm(file, { force: true })
      throw error
    }
  }

  async #settle(file: string, target: string): Promise<void> {
    await mkdir(path.dirname(target), { recursive: true })
    await rename(file, target)
    const folder = await open(path.dirname(target), 'r')
    await folder.sync().finally(() => folder.close())
  }

  #pathOf(sha256: string): string {
    if (!/^[0-9a-f]{64}$/.test(sha256)) throw new NoSuchBytes(sha256)
    return path.join(this.#root, sha256.slice(0, 2), sha256.slice(2, 4), sha256)
  }

  #partPath(uploadId: string, part: number): string {
    return path.join(this.#root, 'parts', safeName(uploadId), String(part))
  }
}

function safeName(uploadId: string): string {
  if (!/^[0-9A-Za-z_-]{1,80}$/.test(uploadId)) throw new Error('an upload id has letters, digits, - and _ only')
  return uploadId
}

async function* chunksOf(files: readonly string[]): AsyncGenerator<Buffer> {
  for (const file of files) yield* createReadStream(file, { highWaterMark: 65_536 })
}
