import { createHash, randomUUID } from 'node:crypto'
import fs from 'node:fs'
import { mkdir, open as openHandle, readdir, rename, rm, stat, unlink } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import {
  type ApartOptions,
  type ByteSource,
  type BytesEngine,
  chunksOf,
  listedAtOnce,
  NoSuchBytes,
  type PutOptions,
  type Range,
  type StoredBytes,
  safePrefix,
  safeUploadId,
  TooManyBytes,
  WrongBytes,
} from './port.ts'
import { SentFile } from './sent-file.ts'
import { SyncedFolders } from './synced-folders.ts'

const chunkBytes = 65_536
/** The first chunk of a body is cut short by its head: so a megabyte is two batches. */
const batchBytes = 8.5 * chunkBytes
/** By numbers, as what is on the disk is closed at once: a trip to the thread pool costs more. */
const open = promisify(fs.open)
const write = promisify(fs.write)
const writev = promisify(fs.writev)
const fsync = promisify(fs.fsync)
/** A file nothing was written to for so long belongs to a process that died. */
const strayAfterMs = 3_600_000

/**
 * Bytes as files below one folder: `ab/<sha256>`, written beside and renamed in, so a file is whole or absent. The
 * order that survives a power cut: bytes to disk, name, folder of the name, and the folders above when they are new. One
 * level of 256 folders, for each new one costs a sync more.
 */
export class FileBytes implements BytesEngine {
  readonly name = 'files'
  readonly #root: string
  readonly #folders = new SyncedFolders()
  readonly #incoming: string
  #ready: Promise<void> | undefined

  constructor(root: string) {
    this.#root = root
    this.#incoming = path.join(root, 'incoming')
  }

  async put(source: ByteSource, options: PutOptions | ApartOptions): Promise<StoredBytes> {
    if ('address' in options) return this.#receive(source, options, undefined, this.#pathOf(options.address))
    const { file, sha256, sizeBytes } = await this.#receive(source, options)
    await this.#settle(file, this.#pathOf(sha256))
    return { sha256, sizeBytes }
  }

  async read(sha256: string, range?: Range): Promise<Readable> {
    const fd = await open(this.#pathOf(sha256), 'r').catch(orNoSuchBytes)
    return new SentFile(fd, range)
  }

  async stat(sha256: string): Promise<{ sizeBytes: number } | null> {
    const found = await stat(this.#pathOf(sha256)).catch(orNull)
    return found && { sizeBytes: found.size }
  }

  async remove(sha256: string): Promise<void> {
    await unlink(this.#pathOf(sha256)).catch(orNull)
  }

  async list(prefix: string, after = '') {
    const folder = path.join(this.#root, safePrefix(prefix))
    const names = ((await readdir(folder).catch(orNull)) ?? []).filter(name => name > after).sort()
    const found = await Promise.all(
      names.slice(0, listedAtOnce).map(async sha256 => {
        const facts = await stat(path.join(folder, sha256)).catch(orNull)
        return facts ? [{ sha256, storedAt: facts.mtimeMs }] : []
      }),
    )
    return found.flat()
  }

  async localFile(sha256: string) {
    if (!(await this.stat(sha256))) throw new NoSuchBytes(sha256)
    return { path: this.#pathOf(sha256), release: async () => undefined }
  }

  async putPart(uploadId: string, part: number, source: ByteSource, options: PutOptions) {
    const target = this.#partPath(uploadId, part)
    const md5 = createHash('md5')
    const { file, ...stored } = await this.#receive(source, options, chunk => md5.update(chunk))
    await this.#settle(file, target)
    return { ...stored, md5: md5.digest('hex') }
  }

  async joinParts(
    uploadId: string,
    parts: readonly number[],
    options: PutOptions | ApartOptions,
  ): Promise<StoredBytes> {
    const files = parts.map(part => this.#partPath(uploadId, part))
    return this.put(contentOf(files), options)
  }

  async dropParts(uploadId: string): Promise<void> {
    await rm(path.join(this.#root, 'parts', safeUploadId(uploadId)), { recursive: true, force: true })
  }

  /**
   * Streams into a file beside, hashing while the disk takes what came before; the file is gone when anything fails. One
   * whose name nobody knows yet gets it before the disk is waited for: one wait is then for bytes and name together.
   */
  async #receive(source: ByteSource, options: PutOptions, also?: (chunk: Buffer) => void, target?: string) {
    this.#ready ??= this.#prepare().catch(error => {
      this.#ready = undefined
      throw error
    })
    await this.#ready
    let file = path.join(this.#incoming, randomUUID())
    const sha256 = createHash('sha256')
    let sizeBytes = 0
    const fd = await open(file, 'wx', 0o640)
    const writer = new BatchWriter(fd, options.isConsumed ?? false)
    try {
      for await (const chunk of chunksOf(source)) {
        options.signal?.throwIfAborted()
        sizeBytes += chunk.length
        if (sizeBytes > options.limitBytes) throw new TooManyBytes(options.limitBytes)
        sha256.update(chunk)
        also?.(chunk)
        options.seen?.(chunk)
        const isFull = writer.add(chunk)
        if (isFull) await writer.next()
      }
      const found = sha256.digest('hex')
      if (options.sha256 !== undefined && options.sha256 !== found) throw new WrongBytes(options.sha256, found)
      await writer.flush()
      let firstMade: string | undefined
      if (target !== undefined) {
        firstMade = await moved(file, target)
        file = target
      }
      await fsync(fd)
      if (target !== undefined) await this.#syncFolders(path.dirname(target), firstMade)
      return { file, sha256: found, sizeBytes }
    } catch (error) {
      await writer.settled()
      await rm(file, { force: true })
      throw error
    } finally {
      fs.closeSync(fd)
    }
  }

  /** Makes the folders and clears what a process that died left in the way; another process may be writing here. */
  async #prepare(): Promise<void> {
    await mkdir(this.#incoming, { recursive: true })
    const strayBefore = Date.now() - strayAfterMs
    for (const name of await readdir(this.#incoming)) {
      const file = path.join(this.#incoming, name)
      const found = await stat(file).catch(orNull)
      if (found && found.mtimeMs < strayBefore) await rm(file, { force: true })
    }
  }

  /** Gives a finished file its name, lastingly. */
  async #settle(file: string, target: string): Promise<void> {
    try {
      await this.#syncFolders(path.dirname(target), await moved(file, target))
    } catch (error) {
      await rm(file, { force: true })
      throw error
    }
  }

  /** A name lasts when its folder is on the disk, and with it those that are new. */
  async #syncFolders(folder: string, firstMade: string | undefined): Promise<void> {
    await this.#folders.sync(folder)
    for (let at = folder; firstMade !== undefined && at.length >= firstMade.length; at = path.dirname(at)) {
      await this.#folders.sync(path.dirname(at))
    }
  }

  #pathOf(sha256: string): string {
    if (!/^[0-9a-f]{64}$/.test(sha256)) throw new NoSuchBytes(sha256)
    return path.join(this.#root, sha256.slice(0, 2), sha256)
  }

  #partPath(uploadId: string, part: number): string {
    if (!Number.isSafeInteger(part) || part < 1) throw new Error('a part is a whole number from 1')
    return path.join(this.#root, 'parts', safeUploadId(uploadId), String(part))
  }
}

/**
 * Writes chunks in batches, one while the next gathers: a round trip to the thread pool for each chunk of 64 KiB costs
 * more than the disk does. Holds two batches at most and copies nothing.
 */
class BatchWriter {
  readonly #fd: number
  #batch: Buffer[] = []
  #gathered = 0
  #writing: Promise<void> = Promise.resolve()

  readonly #isConsumed: boolean

  constructor(fd: number, isConsumed: boolean) {
    this.#fd = fd
    this.#isConsumed = isConsumed
  }

  /** Whether the batch is full: then call `next` before the next chunk. */
  add(chunk: Buffer): boolean {
    this.#batch.push(chunk)
    this.#gathered += chunk.length
    return this.#gathered >= batchBytes
  }

  async flush(): Promise<void> {
    await this.next()
    await this.#writing
  }

  /** Waits for the write under way, whatever becomes of it. */
  async settled(): Promise<void> {
    await this.#writing.catch(() => undefined)
  }

  /** Begins to write the batch, when the one before is written. */
  async next(): Promise<void> {
    await this.#writing
    const [batch, gathered] = [this.#batch, this.#gathered]
    this.#batch = []
    this.#gathered = 0
    const written = writeAll(this.#fd, batch, gathered)
    this.#writing = this.#isConsumed ? written.then(() => batch.forEach(giveBack)) : written
    // Whoever waits for it next is told; until then it is nobody's unhandled rejection.
    this.#writing.catch(() => undefined)
  }
}

/**
 * Frees a chunk's memory now. Left to the collector, the chunks of a large upload make it walk the whole heap every 64 MB,
 * which costs more than receiving, hashing and writing them.
 */
function giveBack({ buffer, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength && !buffer.detached) buffer.transfer(0)
}

/** One write may take less than it was given. */
async function writeAll(fd: number, batch: readonly Buffer[], sizeBytes: number): Promise<void> {
  if (sizeBytes === 0) return
  let { bytesWritten } = await writev(fd, batch)
  for (const chunk of batch) {
    for (let at = bytesWritten; at < chunk.length; ) {
      const rest = await write(fd, chunk, at, chunk.length - at)
      at += rest.bytesWritten
      bytesWritten += rest.bytesWritten
    }
    bytesWritten -= chunk.length
  }
}

/** Gives a file its name; answers the first of the folders that had to be made for it. */
async function moved(file: string, target: string): Promise<string | undefined> {
  try {
    await rename(file, target)
    return undefined
  } catch (error) {
    if (!isAbsent(error)) throw error
    const firstMade = await mkdir(path.dirname(target), { recursive: true })
    await rename(file, target)
    return firstMade
  }
}

async function* contentOf(files: readonly string[]): AsyncGenerator<Buffer> {
  for (const file of files) {
    const handle = await openHandle(file, 'r').catch(orNoSuchBytes)
    yield* handle.createReadStream({ highWaterMark: chunkBytes }) as AsyncIterable<Buffer>
  }
}

const isAbsent = (error: unknown) => (error as { code?: string }).code === 'ENOENT'

function orNoSuchBytes(error: unknown): never {
  throw isAbsent(error) ? new NoSuchBytes('there is no such file') : error
}

function orNull(error: unknown): null {
  if (isAbsent(error)) return null
  throw error
}
