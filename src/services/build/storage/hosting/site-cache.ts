import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import type { Range } from '../../../../server/engines/bytes/port.ts'
import type { Server } from '../../../../server/server.ts'
import type { BucketFacts } from '../buckets/facts.ts'
import { openContent } from '../objects/content.ts'
import type { ObjectWithContent } from '../objects/rows.ts'

const MiB = 1024 ** 2
const mostBytes = 1024 * MiB
const largestFile = 64 * MiB
const mostRows = 10_000

interface KeptRow {
  /** Null: there is no such file. */
  file: ObjectWithContent | null
  endsAt: number
}

/**
 * What sites serve most, kept near: which file a path is, for as long as the site's rules let caches keep it, and the bytes
 * on this machine's disk under bucket, path and generation. The longest unread go first.
 */
export class SiteCache {
  readonly #server: Server
  readonly #folder: string
  readonly #rows = new Map<string, Map<string, KeptRow>>()
  readonly #coming = new Map<string, Promise<boolean>>()
  #rowCount = 0
  #bytes: number | undefined

  constructor(server: Server) {
    this.#server = server
    this.#folder = path.join(server.config.dataDir, 'cache', 'hosting')
  }

  /** Forgets which files a site has; bytes of what is still the same are good. An empty name is all sites. */
  forget(bucketId: string): void {
    if (bucketId === '') {
      this.#rows.clear()
      this.#rowCount = 0
      return
    }
    this.#rowCount -= this.#rows.get(bucketId)?.size ?? 0
    this.#rows.delete(bucketId)
  }

  /** The file of a path, looked up at most once in `ttlSeconds`. */
  async file(
    bucketId: string,
    name: string,
    ttlSeconds: number,
    find: () => Promise<ObjectWithContent | null>,
  ): Promise<ObjectWithContent | null> {
    const now = this.#server.clock.now()
    const known = this.#rows.get(bucketId)?.get(name)
    if (known && known.endsAt > now) return known.file
    const file = await find()
    if (this.#rowCount >= mostRows) this.forget('')
    let rows = this.#rows.get(bucketId)
    if (!rows) {
      rows = new Map()
      this.#rows.set(bucketId, rows)
    }
    if (!rows.has(name)) this.#rowCount++
    rows.set(name, { file, endsAt: now + ttlSeconds * 1000 })
    return file
  }

  /** The bytes of a file, from this disk where they are there; null where they are nowhere. */
  async open(bucket: BucketFacts, file: ObjectWithContent, range?: Range): Promise<Readable | Buffer | null> {
    if (file.blob === null || file.sizeBytes > largestFile) return openContent(this.#server, bucket, file, range)
    const target = this.#pathOf(file)
    const isHere = (await stat(target).catch(() => null)) !== null || (await this.#fetch(bucket, file, target))
    if (!isHere) return null
    const now = this.#server.clock.now() / 1000
    await utimes(target, now, now).catch(() => undefined)
    return createReadStream(target, range)
  }

  #fetch(bucket: BucketFacts, file: ObjectWithContent, target: string): Promise<boolean> {
    let coming = this.#coming.get(target)
    if (!coming) {
      coming = this.#bring(bucket, file, target).finally(() => this.#coming.delete(target))
      this.#coming.set(target, coming)
    }
    return coming
  }

  async #bring(bucket: BucketFacts, file: ObjectWithContent, target: string): Promise<boolean> {
    const source = await openContent(this.#server, bucket, file)
    if (source === null) return false
    await this.#makeRoom(file.sizeBytes)
    const beside = `${target}-${randomUUID()}`
    const handle = await open(beside, 'wx', 0o640)
    try {
      for await (const chunk of source as AsyncIterable<Buffer>) await handle.write(chunk)
      await handle.close()
      await rename(beside, target)
    } catch (error) {
      await handle.close().catch(() => undefined)
      await rm(beside, { force: true })
      throw error
    }
    return true
  }

  async #makeRoom(wanted: number): Promise<void> {
    await mkdir(this.#folder, { recursive: true })
    if (this.#bytes === undefined || this.#bytes + wanted > mostBytes) this.#bytes = await this.#clean(wanted)
    this.#bytes += wanted
  }

  /** Removes the longest unread until there is room and some more. */
  async #clean(wanted: number): Promise<number> {
    const found = await Promise.all(
      (await readdir(this.#folder)).map(async name => {
        const facts = await stat(path.join(this.#folder, name)).catch(() => null)
        return facts ? [{ name, size: facts.size, at: facts.mtimeMs }] : []
      }),
    )
    const files = found.flat().sort((a, b) => a.at - b.at)
    let total = files.reduce((sum, file) => sum + file.size, 0)
    for (const { name, size } of files) {
      if (total + wanted <= mostBytes * 0.9) break
      await rm(path.join(this.#folder, name), { force: true })
      total -= size
    }
    return total
  }

  #pathOf({ bucketId, path: name, generation }: ObjectWithContent): string {
    const key = createHash('sha256').update(`${bucketId}\n${name}\n${generation}`).digest('hex')
    return path.join(this.#folder, key)
  }
}
