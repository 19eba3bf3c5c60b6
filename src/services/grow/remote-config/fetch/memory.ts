import type { ZoneId } from '../../../../kernel/zones.ts'
import { inTransaction } from '../../../../server/database/transaction.ts'
import type { Server } from '../../../../server/server.ts'
import { publishChannel } from '../publishing.ts'
import {
  emptyTemplate,
  type Kind,
  limits,
  type RunningExperiment,
  type RunningRollout,
  type Template,
} from '../rules.ts'
import { type Compiled, compileTemplate } from './compiled.ts'

/** Whoever wants to hear of each new version that this process serves. */
export type Hearer = (compiled: Compiled) => void

interface Entry {
  zone: ZoneId
  projectId: string
  kind: Kind
  /** What is served. Only ever replaced as a whole, and by what is not older. */
  current: Compiled | undefined
  loading: Promise<Compiled> | undefined
  /** Something was told, or may have been lost: it is read again before it is served. */
  isDoubtful: boolean
  /** The version that was last told of; null before the first was read. */
  announced: number | null
  /** Counts what was told: what was read before the last of it is read again. */
  told: number
  /** When a request for a newer version last made us look. */
  lookedAt: number
  hearers: Set<Hearer>
}

const mostEntries = 2_000
const lookAgainMs = 200

/** The published templates of this process, compiled once each; a publish replaces one as soon as it is told. */
export class ConfigMemory {
  readonly #server: Server
  readonly #entries = new Map<string, Entry>()

  constructor(server: Server) {
    this.#server = server
  }

  /** Before the signals start. */
  listen(): void {
    for (const zone of this.#server.config.zones)
      this.#server.signals.on(zone, publishChannel, payload => this.#hear(zone, payload))
  }

  /** What is in force, from memory; a promise where it must be read first. */
  get(zone: ZoneId, projectId: string, kind: Kind): Compiled | Promise<Compiled> {
    const entry = this.#entry(zone, projectId, kind)
    const { current } = entry
    if (!current) return this.#load(entry)
    // What was in force is better than nothing while the database does not answer.
    return entry.isDoubtful ? this.#load(entry).catch(() => current) : current
  }

  /** The same, of a version at least; null where it does not come in time. */
  async atLeast(
    zone: ZoneId,
    projectId: string,
    kind: Kind,
    version: number,
    waitMs: number,
  ): Promise<Compiled | null> {
    const now = await this.get(zone, projectId, kind)
    if (now.version >= version) return now
    const entry = this.#entry(zone, projectId, kind)
    const clock = performance.now()
    if (clock - entry.lookedAt >= lookAgainMs) {
      entry.lookedAt = clock
      const read = await this.#load(entry)
      if (read.version >= version) return read
    }
    return new Promise(resolve => {
      const done = (found: Compiled | null) => {
        clearTimeout(timer)
        entry.hearers.delete(hearer)
        resolve(found)
      }
      const hearer: Hearer = found => found.version >= version && done(found)
      const timer = setTimeout(() => done(null), waitMs)
      entry.hearers.add(hearer)
    })
  }

  /** Tells of each version that begins to be served here; answers what ends it. */
  hear(zone: ZoneId, projectId: string, kind: Kind, hearer: Hearer): () => void {
    const entry = this.#entry(zone, projectId, kind)
    entry.hearers.add(hearer)
    return () => entry.hearers.delete(hearer)
  }

  #entry(zone: ZoneId, projectId: string, kind: Kind): Entry {
    const key = `${zone} ${projectId} ${kind}`
    const known = this.#entries.get(key)
    if (known) return known
    if (this.#entries.size >= mostEntries) this.#forgetOne()
    const entry: Entry = {
      ...{ zone, projectId, kind, current: undefined, loading: undefined, isDoubtful: false, announced: null },
      ...{ told: 0, lookedAt: Number.NEGATIVE_INFINITY, hearers: new Set<Hearer>() },
    }
    this.#entries.set(key, entry)
    return entry
  }

  #forgetOne(): void {
    for (const [key, entry] of this.#entries) {
      if (entry.hearers.size > 0 || entry.loading) continue
      this.#entries.delete(key)
      return
    }
  }

  #hear(zone: ZoneId, payload: string): void {
    if (payload !== '') {
      const [projectId, kind] = payload.split(' ') as [string, Kind]
      const entry = this.#entries.get(`${zone} ${projectId} ${kind}`)
      if (entry) this.#renew(entry)
      return
    }
    for (const entry of this.#entries.values()) {
      if (entry.zone !== zone) continue
      if (entry.hearers.size > 0) this.#renew(entry)
      else this.#doubt(entry)
    }
  }

  #doubt(entry: Entry): void {
    entry.isDoubtful = true
    entry.told++
  }

  /** Who asks from now on gets the new version as a whole; who holds the old one ends with it. */
  #renew(entry: Entry): void {
    this.#doubt(entry)
    this.#load(entry).catch(error => {
      this.#server.log.warn({ reason: (error as Error).message }, 'a published template could not be read')
    })
  }

  #load(entry: Entry): Promise<Compiled> {
    entry.loading ??= this.#read(entry).finally(() => {
      entry.loading = undefined
    })
    return entry.loading
  }

  async #read(entry: Entry): Promise<Compiled> {
    for (;;) {
      const { told } = entry
      const read = await readTemplate(this.#server, entry)
      // What has no version any more is of a project that was deleted.
      if (!entry.current || read.version === 0 || read.version >= entry.current.version) entry.current = read
      if (told !== entry.told) continue
      entry.isDoubtful = false
      const now = entry.current ?? read
      const isNews = entry.announced !== null && now.version > entry.announced
      entry.announced = now.version
      if (isNews) for (const hearer of [...entry.hearers]) hearer(now)
      return now
    }
  }
}

interface Row {
  teamId: string | null
  version: number
  publishedAt: string | null
  content: Template | null
  running: RunningExperiment[] | null
  rollouts: RunningRollout[] | null
  minFetchIntervalSec: number | null
}

async function readTemplate(server: Server, { zone, projectId, kind }: Entry): Promise<Compiled> {
  const { rows } = await inTransaction(server.pools.of(zone), 'all', transaction =>
    transaction.query<Row & Record<string, unknown>>({
      name: 'remote config in force',
      text: `SELECT t.team_id AS "teamId", t.version, t.published_at AS "publishedAt", t.running, t.rollouts, v.content,
          s.min_fetch_interval_sec AS "minFetchIntervalSec"
        FROM rcs_templates t
        LEFT JOIN rcs_versions v ON v.project_id = t.project_id AND v.kind = t.kind AND v.version = t.version
        LEFT JOIN rcs_settings s ON s.project_id = t.project_id
        WHERE t.project_id = $1 AND t.kind = $2`,
      values: [projectId, kind],
    }),
  )
  const [row] = rows
  return compileTemplate({
    ...{ projectId, kind, teamId: row?.teamId ?? null, version: row?.version ?? 0 },
    publishedAt: Number(row?.publishedAt ?? 0),
    minFetchIntervalSec: row?.minFetchIntervalSec ?? limits.defaultFetchSeconds,
    content: row?.content ?? emptyTemplate(),
    running: row?.running ?? [],
    rollouts: row?.rollouts ?? [],
  })
}

const memories = new WeakMap<Server, ConfigMemory>()

/** One memory a process. */
export function configMemoryOf(server: Server): ConfigMemory {
  let memory = memories.get(server)
  if (!memory) {
    memory = new ConfigMemory(server)
    memories.set(server, memory)
  }
  return memory
}
