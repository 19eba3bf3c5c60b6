import { Readable } from 'node:stream'

export interface StoredBytes {
  /** Lower-case hex. */
  sha256: string
  sizeBytes: number
}

export interface PutOptions {
  /** Refused with `TooManyBytes` as soon as one byte more arrives. */
  limitBytes: number
  /** Refused with `WrongBytes` when the bytes differ. */
  sha256?: string
  signal?: AbortSignal
  /** Shown each chunk as it passes, before it is given back. */
  seen?: (chunk: Buffer) => void
  /** Nobody else looks at the stream's chunks: their memory may be freed as soon as they are written. */
  isConsumed?: boolean
}

/** For bytes that are to have an address of their own, whatever their content. */
export interface ApartOptions extends PutOptions {
  /** 64 lower-case hexadecimal digits that nobody can guess; never used before. */
  address: string
}

export interface Range {
  start: number
  /** Inclusive. */
  end: number
}

/** A stream stays whole for its owner, who may want to answer on the same connection; chunks need no stream around them. */
export type ByteSource = Readable | AsyncIterable<Buffer> | Iterable<Buffer>

/** The chunks of a source, one after another; whoever stops in the middle destroys no stream. */
export function chunksOf(source: ByteSource): AsyncIterable<Buffer> | Iterable<Buffer> {
  return source instanceof Readable ? source.iterator({ destroyOnReturn: false }) : source
}

/**
 * Bytes of one zone, addressed by their content: the same bytes are stored once, and what is stored never changes. A
 * put is there completely or not at all, also after `kill -9`.
 */
export interface BytesEngine {
  readonly name: string
  /** Streams in with flat memory, hashing on the way. Never destroys the source: who gave it may go on with it. */
  put(source: ByteSource, options: PutOptions | ApartOptions): Promise<StoredBytes>
  /** Throws `NoSuchBytes`. */
  read(sha256: string, range?: Range): Promise<Readable>
  /** Null when absent. */
  stat(sha256: string): Promise<{ sizeBytes: number } | null>
  remove(sha256: string): Promise<void>
  /** At most 1000 of what is stored, in order, whose address begins with the two digits and comes after `after`. */
  list(prefix: string, after?: string): Promise<{ sha256: string; storedAt: number }[]>
  /** A path to read the bytes at random; S3 fetches a copy into a cache first. Call `release` when done. */
  localFile(sha256: string): Promise<{ path: string; release(): Promise<void> }>
  /** Parts of an unfinished upload, by any whole number from 1; they survive a crash and die with `dropParts`. */
  putPart(
    uploadId: string,
    part: number,
    source: ByteSource,
    options: PutOptions,
  ): Promise<StoredBytes & { md5: string }>
  /** Joins the parts in the order given. Throws `NoSuchBytes` when one is not there. */
  joinParts(uploadId: string, parts: readonly number[], options: PutOptions | ApartOptions): Promise<StoredBytes>
  dropParts(uploadId: string): Promise<void>
}

/** More bytes came than were allowed. */
export class TooManyBytes extends Error {
  readonly limitBytes: number
  constructor(limitBytes: number) {
    super(`more than ${limitBytes} bytes`)
    this.limitBytes = limitBytes
  }
}

/** The bytes are not those that were declared. */
export class WrongBytes extends Error {
  readonly expected: string
  readonly found: string
  constructor(expected: string, found: string) {
    super(`expected sha256 ${expected}, found ${found}`)
    this.expected = expected
    this.found = found
  }
}

/** Nothing is stored under this address. */
export class NoSuchBytes extends Error {}

/** How many addresses one listing answers at most. */
export const listedAtOnce = 1000

/** The first two hexadecimal digits of an address: what listings go by. */
export function safePrefix(prefix: string): string {
  if (!/^[0-9a-f]{2}$/.test(prefix)) throw new Error('a prefix is two hexadecimal digits')
  return prefix
}

/** An upload id becomes part of a path or key. */
export function safeUploadId(uploadId: string): string {
  if (!/^[0-9A-Za-z_-]{1,80}$/.test(uploadId)) throw new Error('an upload id has letters, digits, - and _ only')
  return uploadId
}
