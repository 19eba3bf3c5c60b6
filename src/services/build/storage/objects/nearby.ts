import type { Context } from '../../../../server/context.ts'
import type { Server } from '../../../../server/server.ts'
import type { BucketFacts } from '../buckets/facts.ts'
import { findWithContent, type ObjectWithContent } from './rows.ts'

interface Near {
  file: ObjectWithContent
  sizeBytes: number
  endsAt: number
}

const mostBytes = 64 * 1024 ** 2
/** What a row takes besides its bytes. */
const rowBytes = 2_000
/** Signals may be lost with a connection: no row is believed for longer. */
const keptMs = 30_000

export const fileSignal = 'storage_files'

/** Names a file in a signal. */
export const fileKey = (bucketId: string, path: string) => `${bucketId}/${path}`

/**
 * Rows of files that were read a moment ago, with their bytes where these stand in the row, so that the next read asks
 * PostgreSQL nothing. Every write of a row signals it with its commit, which takes it out here, on every process. The longest
 * unread go first.
 */
class FilesNearby {
  readonly #files = new Map<string, Near>()
  #sizeBytes = 0
  /** Counts what was told: what was being read meanwhile may be old and is not kept. */
  #changes = 0

  get(key: string, now: number): ObjectWithContent | undefined {
    const near = this.#files.get(key)
    if (!near) return undefined
    if (near.endsAt <= now) {
      this.#drop(key)
      return undefined
    }
    // A map goes by the order of insertion: the last one read goes last.
    this.#files.delete(key)
    this.#files.set(key, near)
    return near.file
  }

  /** What `find` answers, kept unless something changed meanwhile. */
  async keep(
    key: string,
    now: number,
    find: () => Promise<ObjectWithContent | null>,
  ): Promise<ObjectWithContent | null> {
    const changes = this.#changes
    const file = await find()
    if (!file || changes !== this.#changes) return file
    this.#drop(key)
    const sizeBytes = rowBytes + (file.content?.length ?? 0)
    this.#files.set(key, { file, sizeBytes, endsAt: now + keptMs })
    this.#sizeBytes += sizeBytes
    for (const oldest of this.#files.keys()) {
      if (this.#sizeBytes <= mostBytes) break
      this.#drop(oldest)
    }
    return file
  }

  /** An empty key is every file. */
  forget(key: string): void {
    this.#changes++
    if (key !== '') this.#drop(key)
    else {
      this.#files.clear()
      this.#sizeBytes = 0
    }
  }

  #drop(key: string): void {
    const near = this.#files.get(key)
    if (!near) return
    this.#files.delete(key)
    this.#sizeBytes -= near.sizeBytes
  }
}

const kept = new WeakMap<Server, FilesNearby>()

function nearbyOf(server: Server): FilesNearby {
  let files = kept.get(server)
  if (!files) {
    files = new FilesNearby()
    kept.set(server, files)
  }
  return files
}

/** Hears of files that changed. Call before the signals start. */
export function keepFilesFresh(server: Server): void {
  for (const zone of server.pools.names) {
    if (zone !== 'home') server.signals.on(zone, fileSignal, key => nearbyOf(server).forget(key))
  }
}

/** Says with the commit, to every process, that a file is no longer what it was. */
export function tellFileChanged(ctx: Context, bucketId: string, path: string): void {
  ctx.signal(ctx.zone, fileSignal, fileKey(bucketId, path))
}

/** The next one who asks on this process reads the row. */
export function forgetNearby(ctx: Context, bucket: BucketFacts, path: string): void {
  nearbyOf(ctx.server).forget(fileKey(bucket.bucketId, path))
}

/** The file as it stands, from memory where it was read a moment ago; a change is seen within a second, here at once. */
export function fileNearby(
  ctx: Context,
  bucket: BucketFacts,
  path: string,
): ObjectWithContent | Promise<ObjectWithContent | null> {
  const files = nearbyOf(ctx.server)
  const key = fileKey(bucket.bucketId, path)
  const now = ctx.now()
  return (
    files.get(key, now) ??
    files.keep(key, now, () => ctx.transact(inner => findWithContent(inner, bucket.bucketId, path)))
  )
}
