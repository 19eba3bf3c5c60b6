import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pLimit from 'p-limit'
import { type ZoneId, zoneIds } from '../../../kernel/zones.ts'
import type { Config } from '../../config.ts'
import type { Log } from '../../log.ts'
import type { BytesArea } from '../bytes/open.ts'
import type { BytesEngine } from '../bytes/port.ts'
import type { Parameter, Row } from './messages.ts'
import { AnalyticsFailure, AnalyticsProcess } from './process.ts'

export interface AnalyticsQuery {
  /** One statement. A column named `at` stands in double quotes: it is a word of DuckDB's. */
  sql: string
  /** `$name` in the SQL each. */
  parameters?: Readonly<Record<string, Parameter>>
  /** Names that `segmentName` made: `read_parquet($files)` reads them. The query reaches no other file. */
  files?: readonly string[]
  /** 30 unless said. */
  deadlineSeconds?: number
  signal?: AbortSignal
}

/** Rows for a file, or a query over files that are there. */
export type ParquetSource =
  | {
      columns: Readonly<Record<string, string>>
      rows: AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>
      /** Which of them stay, as after `WHERE`; it may read `files`. */
      where?: string
      files?: readonly string[]
    }
  | (AnalyticsQuery & { files: readonly string[] })

export interface ParquetWish {
  source: ParquetSource
  /** What of the source goes in, as after `SELECT`; all of it unless said. */
  select?: string
  /** As after `ORDER BY`. */
  orderBy: string
  /** Kept in the file, so that two with the same rows are two. */
  label: string
}

/** A file that was written; whoever asked removes it. */
export interface WrittenParquet {
  path: string
  rows: number
  remove(): Promise<void>
}

const defaultSeconds = 30
const idleMs = 5 * 60_000
const atOnce = 2
/** Copies of files from S3 that are kept for the next query. */
const mostCopies = 256
const strayAfterMs = 3_600_000

interface Copy {
  path: string
  release(): Promise<void>
}

/** Queries over Parquet files by DuckDB, which lives in one process of its own: begun when first asked, ended when idle. */
export class Analytics {
  readonly #config: Config
  readonly #bytes: (zone: ZoneId, area: BytesArea) => BytesEngine
  readonly #log: Log
  readonly #options: { program?: string; idleMs?: number }
  readonly #limit = pLimit(atOnce)
  readonly #copies = new Map<string, Promise<Copy>>()
  #process: AnalyticsProcess | undefined
  #idle: NodeJS.Timeout | undefined
  #asked = 0
  #ready: Promise<void> | undefined

  constructor(
    config: Config,
    bytes: (zone: ZoneId, area: BytesArea) => BytesEngine,
    log: Log,
    options: { program?: string; idleMs?: number } = {},
  ) {
    this.#config = config
    this.#bytes = bytes
    this.#log = log
    this.#options = options
  }

  /** The process, while there is one. */
  get pid(): number | undefined {
    return this.#process?.hasEnded ? undefined : this.#process?.pid
  }

  async query(query: AnalyticsQuery): Promise<Row[]> {
    return this.#ask(query)
  }

  async write({ source, select = '*', orderBy, label }: ParquetWish): Promise<WrittenParquet> {
    await this.#prepare()
    const out = path.join(this.#folder, `${randomUUID()}.parquet`)
    const given = `${out}.ndjson`
    const tail = `TO '${out.replaceAll("'", "''")}' (FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false,
      ROW_GROUP_SIZE 122880, KV_METADATA {label: '${label.replaceAll("'", "''")}'})`
    try {
      let asked: AnalyticsQuery
      if ('rows' in source) {
        await pipeline(Readable.from(linesOf(source.rows)), createWriteStream(given, { mode: 0o600 }))
        const columns = Object.entries(source.columns).map(([name, type]) => `'${name}': '${type}'`)
        const from = `read_json($given, format = 'newline_delimited', columns = {${columns.join(', ')}})`
        asked = {
          sql: `COPY (SELECT ${select} FROM ${from} WHERE ${source.where ?? 'true'} ORDER BY ${orderBy}) ${tail}`,
          parameters: { given },
          files: source.files ?? [],
        }
      } else {
        asked = { ...source, sql: `COPY (SELECT ${select} FROM (${source.sql}) ORDER BY ${orderBy}) ${tail}` }
      }
      const [row] = await this.#ask({ deadlineSeconds: 300, ...asked }, { out, given })
      return { path: out, rows: Number(row?.['Count'] ?? 0), remove: () => rm(out, { force: true }) }
    } catch (error) {
      await rm(out, { force: true })
      throw error
    } finally {
      await rm(given, { force: true })
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle)
    await this.#process?.end()
    await this.#dropCopies()
  }

  async #ask(
    { sql, parameters = {}, files = [], deadlineSeconds = defaultSeconds, signal }: AnalyticsQuery,
    own: { out: string; given?: string } | null = null,
  ): Promise<Row[]> {
    const deadline = AbortSignal.timeout(deadlineSeconds * 1000)
    const ended = signal ? AbortSignal.any([signal, deadline]) : deadline
    const assertInTime = () => {
      if (signal?.aborted) throw new AnalyticsFailure('cancelled', 'the query was cancelled')
      if (deadline.aborted) throw new AnalyticsFailure('late', `the query took longer than ${deadlineSeconds} s`)
    }
    this.#asked++
    clearTimeout(this.#idle)
    const leased: Copy[] = []
    try {
      return await this.#limit(async () => {
        assertInTime()
        for (const name of files) leased.push(await this.#leased(name))
        await this.#prepare()
        assertInTime()
        const paths = leased.map(one => one.path)
        const order = { sql, parameters: { ...parameters }, files: paths, memoryMb: this.#config.analyticsMemoryMb }
        if (!this.#process || this.#process.hasEnded) this.#process = new AnalyticsProcess(this.#options.program)
        return this.#process.ask({ ...order, temporary: path.join(this.#folder, 'spilled'), ...own }, ended)
      })
    } catch (error) {
      if (error instanceof AnalyticsFailure && error.kind === 'cancelled') assertInTime()
      if (error instanceof AnalyticsFailure && error.kind === 'crashed') this.#log.error(error.message)
      throw error
    } finally {
      await Promise.all(leased.map(one => one.release()))
      if (--this.#asked === 0) this.#idle = setTimeout(() => void this.#rest(), this.#options.idleMs ?? idleMs).unref()
    }
  }

  /** Its own hold of a file, beside the one that keeps a copy of S3's here until nobody asked for some minutes. */
  async #leased(name: string): Promise<Copy> {
    const place = placeOf(name)
    if (!place || !this.#config.zones.includes(place.zone))
      throw new AnalyticsFailure('refused', `no such file: ${name}`)
    const engine = this.#bytes(place.zone, 'events')
    const kept = this.#copies.get(name)
    if (!kept) {
      const copy = engine.localFile(place.address)
      this.#copies.set(name, copy)
      copy.catch(() => this.#copies.delete(name))
      if (this.#copies.size > mostCopies) void this.#dropCopies(1)
    }
    return engine.localFile(place.address)
  }

  async #dropCopies(most = this.#copies.size): Promise<void> {
    for (const [name, copy] of [...this.#copies].slice(0, most)) {
      this.#copies.delete(name)
      await copy.then(one => one.release()).catch(() => undefined)
    }
  }

  async #rest(): Promise<void> {
    if (this.#asked > 0) return
    const process = this.#process
    this.#process = undefined
    await process?.end()
    await this.#dropCopies()
  }

  get #folder(): string {
    return path.join(this.#config.dataDir, 'cache', 'analytics')
  }

  /** Makes the folder and clears what a process that died left there. */
  #prepare(): Promise<void> {
    this.#ready ??= (async () => {
      await mkdir(this.#folder, { recursive: true })
      for (const name of await readdir(this.#folder)) {
        const file = path.join(this.#folder, name)
        const found = await stat(file).catch(() => null)
        if (found?.isFile() && found.mtimeMs < Date.now() - strayAfterMs) await rm(file, { force: true })
      }
    })()
    this.#ready.catch(() => {
      this.#ready = undefined
    })
    return this.#ready
  }
}

async function* linesOf(rows: AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>): AsyncGenerator<string> {
  for await (const some of rows) if (some.length > 0) yield `${some.map(row => JSON.stringify(row)).join('\n')}\n`
}

/** What a query is given to read a file that the zone's bytes hold in the area `events`. */
export function segmentName(zone: ZoneId, address: string): string {
  return `${zone}/${address}`
}

function placeOf(name: string): { zone: ZoneId; address: string } | null {
  const [zone, address] = name.split('/')
  const known = zoneIds.find(one => one === zone)
  return known && address ? { zone: known, address } : null
}
