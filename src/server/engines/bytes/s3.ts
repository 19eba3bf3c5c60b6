import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  S3Client,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
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

export interface S3Place {
  bucket: string
  /** Without slashes at its ends; the zone's slug. */
  prefix: string
  endpoint?: string
  region?: string
  /** Where local copies are kept while somebody reads them at random. */
  cacheDir: string
}

const uploadPartBytes = 8 * 1024 ** 2

/**
 * Bytes as objects of any S3: `<prefix>/ab/cd/<sha256>`. The key is known only at the end, so bytes go under a key
 * beside and are copied over by the store itself, which shows an object whole or not at all.
 */
export class S3Bytes implements BytesEngine {
  readonly name = 's3'
  readonly #client: S3Client
  readonly #place: S3Place
  readonly #local = new Map<string, { file: Promise<string>; users: number }>()

  constructor(place: S3Place) {
    this.#place = place
    this.#client = new S3Client({
      region: place.region ?? 'us-east-1',
      ...(place.endpoint ? { endpoint: place.endpoint, forcePathStyle: true } : {}),
      // Checksums that only the newest stores know would keep every other one out.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    })
  }

  async put(source: ByteSource, options: PutOptions | ApartOptions): Promise<StoredBytes> {
    if ('address' in options) return this.#send(this.#keyOf(options.address), source, options)
    const incoming = this.#key('incoming', randomUUID())
    const { sha256, sizeBytes } = await this.#send(incoming, source, options)
    try {
      await this.#client.send(
        new CopyObjectCommand({
          Bucket: this.#place.bucket,
          CopySource: `${this.#place.bucket}/${incoming}`,
          Key: this.#keyOf(sha256),
        }),
      )
    } finally {
      await this.#delete(incoming)
    }
    return { sha256, sizeBytes }
  }

  async read(sha256: string, range?: Range): Promise<Readable> {
    return this.#get(this.#keyOf(sha256), range)
  }

  async stat(sha256: string): Promise<{ sizeBytes: number } | null> {
    try {
      const head = await this.#client.send(
        new HeadObjectCommand({ Bucket: this.#place.bucket, Key: this.#keyOf(sha256) }),
      )
      return { sizeBytes: head.ContentLength ?? 0 }
    } catch (error) {
      if (isAbsent(error)) return null
      throw error
    }
  }

  async remove(sha256: string): Promise<void> {
    await this.#delete(this.#keyOf(sha256))
  }

  async list(prefix: string, after = '') {
    const Prefix = `${this.#key(safePrefix(prefix))}/`
    const { Contents = [] } = await this.#client.send(
      new ListObjectsV2Command({
        Bucket: this.#place.bucket,
        Prefix,
        MaxKeys: listedAtOnce,
        ...(after === '' ? {} : { StartAfter: this.#keyOf(after) }),
      }),
    )
    return Contents.map(({ Key = '', LastModified }) => ({
      sha256: Key.slice(Key.lastIndexOf('/') + 1),
      storedAt: LastModified?.getTime() ?? 0,
    }))
  }

  async localFile(sha256: string) {
    let copy = this.#local.get(sha256)
    if (!copy) {
      copy = { file: this.#fetch(sha256), users: 0 }
      this.#local.set(sha256, copy)
    }
    copy.users++
    const used = copy
    let isReleased = false
    const release = async () => {
      if (isReleased) return
      isReleased = true
      if (--used.users > 0) return
      if (this.#local.get(sha256) === used) this.#local.delete(sha256)
      await used.file.then(file => rm(file, { force: true })).catch(() => undefined)
    }
    try {
      return { path: await used.file, release }
    } catch (error) {
      await release()
      throw error
    }
  }

  async putPart(uploadId: string, part: number, source: ByteSource, options: PutOptions) {
    const md5 = createHash('md5')
    const stored = await this.#send(this.#partKey(uploadId, part), source, options, chunk => md5.update(chunk))
    return { ...stored, md5: md5.digest('hex') }
  }

  async joinParts(
    uploadId: string,
    parts: readonly number[],
    options: PutOptions | ApartOptions,
  ): Promise<StoredBytes> {
    const get = (part: number) => this.#get(this.#partKey(uploadId, part))
    async function* chunks(): AsyncGenerator<Buffer> {
      for (const part of parts) yield* (await get(part)) as AsyncIterable<Buffer>
    }
    return this.put(chunks(), options)
  }

  async dropParts(uploadId: string): Promise<void> {
    const Bucket = this.#place.bucket
    const Prefix = `${this.#key('parts', safeUploadId(uploadId))}/`
    for (;;) {
      const { Contents = [], IsTruncated } = await this.#client.send(new ListObjectsV2Command({ Bucket, Prefix }))
      const Objects = Contents.map(({ Key }) => ({ Key }))
      if (Objects.length > 0) {
        await this.#client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }))
      }
      if (!IsTruncated) return
    }
  }

  /** Streams to a key, hashing on the way; nothing is left under it when anything fails. */
  async #send(key: string, source: ByteSource, options: PutOptions, also?: (chunk: Buffer) => void) {
    const sha256 = createHash('sha256')
    let sizeBytes = 0
    async function* hashed(): AsyncGenerator<Buffer> {
      for await (const chunk of chunksOf(source)) {
        options.signal?.throwIfAborted()
        sizeBytes += chunk.length
        if (sizeBytes > options.limitBytes) throw new TooManyBytes(options.limitBytes)
        sha256.update(chunk)
        also?.(chunk)
        options.seen?.(chunk)
        yield chunk
      }
    }
    const upload = new Upload({
      client: this.#client,
      params: { Bucket: this.#place.bucket, Key: key, Body: Readable.from(hashed(), { objectMode: false }) },
      partSize: uploadPartBytes,
      queueSize: 2,
    })
    await upload.done()
    const found = sha256.digest('hex')
    if (options.sha256 !== undefined && options.sha256 !== found) {
      await this.#delete(key)
      throw new WrongBytes(options.sha256, found)
    }
    return { sha256: found, sizeBytes }
  }

  async #get(key: string, range?: Range): Promise<Readable> {
    const part = range ? { Range: `bytes=${range.start}-${range.end}` } : {}
    try {
      const { Body } = await this.#client.send(new GetObjectCommand({ Bucket: this.#place.bucket, Key: key, ...part }))
      return Body as Readable
    } catch (error) {
      throw isAbsent(error) ? new NoSuchBytes('there is no such object') : error
    }
  }

  async #fetch(sha256: string): Promise<string> {
    const source = await this.read(sha256)
    await mkdir(this.#place.cacheDir, { recursive: true })
    const file = path.join(this.#place.cacheDir, `${sha256}-${randomUUID()}`)
    try {
      await pipeline(source, createWriteStream(`${file}.part`, { mode: 0o640 }))
      await rename(`${file}.part`, file)
      return file
    } catch (error) {
      await rm(`${file}.part`, { force: true })
      throw error
    }
  }

  async #delete(key: string): Promise<void> {
    await this.#client.send(new DeleteObjectCommand({ Bucket: this.#place.bucket, Key: key }))
  }

  #key(...names: string[]): string {
    return [this.#place.prefix, ...names].join('/')
  }

  #keyOf(sha256: string): string {
    if (!/^[0-9a-f]{64}$/.test(sha256)) throw new NoSuchBytes(sha256)
    return this.#key(sha256.slice(0, 2), sha256.slice(2, 4), sha256)
  }

  #partKey(uploadId: string, part: number): string {
    if (!Number.isSafeInteger(part) || part < 1) throw new Error('a part is a whole number from 1')
    return this.#key('parts', safeUploadId(uploadId), String(part))
  }
}

function isAbsent(error: unknown): boolean {
  const { name, $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } }
  return name === 'NoSuchKey' || name === 'NotFound' || $metadata?.httpStatusCode === 404
}
