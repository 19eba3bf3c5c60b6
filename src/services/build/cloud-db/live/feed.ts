import type { ZoneId } from '../../../../kernel/zones.ts'
import type { Server } from '../../../../server/server.ts'
import type { Place } from '../model.ts'
import type { LoggedChange } from './change.ts'
import { announceListening, changesChannel, hearListening, tellerOf } from './tell.ts'

const mostReplayed = 5_000

interface Watched {
  /** Everything written by transactions before this one was told. */
  mark: string
  told: Set<string>
  queue: Promise<void>
}

/** What listens to the log: which data zones matter, and who is given what was written in them. */
interface Reader {
  dataZones(): string[]
  tell(placeKey: string, changes: readonly LoggedChange[], mark: string): void
}

/** The log of changes as this process follows it: at once what is told, and by looking what was told to nobody. */
export class Feed {
  readonly #server: Server
  readonly #reader: Reader
  readonly #zones = new Map<ZoneId, Watched>()

  constructor(server: Server, reader: Reader) {
    this.#server = server
    this.#reader = reader
  }

  /** Before the signals start. */
  start(): void {
    for (const zone of this.#server.config.zones) {
      this.#server.signals.on(zone, changesChannel, payload => this.#hear(zone, payload))
    }
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#zones.values()].map(one => one.queue))
  }

  markOf(zone: ZoneId): string {
    return this.#zones.get(zone)?.mark ?? '0'
  }

  /** From where a listener that begins now can go on later; from now on this zone is watched. */
  async markNow(zone: ZoneId): Promise<string> {
    const watched = this.#zones.get(zone)
    if (watched) return watched.mark
    await announceListening(this.#server, zone)
    const mark = await this.#oldestOpen(zone)
    if (!this.#zones.has(zone)) this.#zones.set(zone, { mark, told: new Set(), queue: Promise.resolve() })
    return this.markOf(zone)
  }

  /** Looks at what was written in the zones that are watched, whatever became of the notices. */
  async look(): Promise<void> {
    for (const [zone, watched] of this.#zones) await this.#enqueue(zone, () => this.#look(zone, watched))
  }

  /** Says again that this process listens. */
  async announce(): Promise<void> {
    for (const zone of this.#zones.keys()) await announceListening(this.#server, zone)
  }

  forget(): void {
    this.#zones.clear()
  }

  async #oldestOpen(zone: ZoneId): Promise<string> {
    const { rows } = await this.#server.pools.of(zone).query<{ mark: string }>({
      name: 'clouddb mark',
      text: 'SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS mark',
    })
    return rows[0]?.mark ?? '0'
  }

  /** What was written to a type since a mark; null where the log no longer reaches back, or it is too much. */
  async since(place: Place, mark: string): Promise<LoggedChange[] | null> {
    if (!/^[1-9][0-9]{0,18}$/.test(mark)) return null
    const pool = this.#server.pools.of(place.zone)
    const { rows: cut } = await pool.query({
      name: 'clouddb cut',
      text: `SELECT 1 FROM cdb_log_marks WHERE name = 'cut' AND xid >= $1::text::xid8`,
      values: [mark],
    })
    if (cut.length > 0) return null
    const { rows } = await pool.query<LoggedChange>({
      name: 'clouddb since',
      text: `SELECT seq, zone_id AS "zoneId", type_key AS "typeKey", version, before, after FROM cdb_changes
        WHERE xid >= $1::text::xid8 AND zone_id = $2 AND type_key = $3 ORDER BY version LIMIT $4`,
      values: [mark, place.dataZone.zoneId, place.type.key, mostReplayed + 1],
    })
    return rows.length > mostReplayed || rows.some(row => !row.before && !row.after) ? null : rows
  }

  #hear(zone: ZoneId, payload: string): void {
    if (hearListening(this.#server, zone, payload)) return
    const watched = this.#zones.get(zone)
    if (!watched) return
    const [from = '', what = ''] = payload.split(':')
    // Our own were told to us before they went out.
    if (from === tellerOf(this.#server).name) return
    if (what === 'look' || payload === '') return void this.#enqueue(zone, () => this.#look(zone, watched))
    const seqs = what.split(',').filter(seq => !watched.told.has(seq))
    for (const seq of seqs) watched.told.add(seq)
    if (seqs.length > 0) this.#enqueue(zone, () => this.#deliver(zone, seqs))
  }

  #enqueue(zone: ZoneId, work: () => Promise<void>): Promise<void> {
    const watched = this.#zones.get(zone)
    if (!watched) return Promise.resolve()
    watched.queue = watched.queue.then(work).catch(error => {
      this.#server.log.warn({ zone, reason: (error as Error).message }, 'listeners wait: the database does not answer')
    })
    return watched.queue
  }

  /** What was written and not told. */
  async #look(zone: ZoneId, watched: Watched): Promise<void> {
    const until = await this.#oldestOpen(zone)
    if (until === watched.mark) return
    const { rows } = await this.#server.pools.of(zone).query<{ seq: string }>({
      name: 'clouddb look',
      text: 'SELECT seq FROM cdb_changes WHERE xid >= $1::text::xid8 AND xid < $2::text::xid8 ORDER BY seq',
      values: [watched.mark, until],
    })
    const missed = rows.map(row => row.seq).filter(seq => !watched.told.has(seq))
    if (missed.length > 0) await this.#deliver(zone, missed)
    for (const { seq } of rows) watched.told.delete(seq)
    watched.mark = until
  }

  async #deliver(zone: ZoneId, seqs: readonly string[]): Promise<void> {
    const dataZones = this.#reader.dataZones()
    if (dataZones.length === 0) return
    const { rows } = await this.#server.pools.of(zone).query<LoggedChange>({
      name: 'clouddb deliver',
      text: `SELECT seq, zone_id AS "zoneId", type_key AS "typeKey", version, before, after FROM cdb_changes
        WHERE seq = ANY($1::bigint[]) AND zone_id = ANY($2::bigint[]) ORDER BY version`,
      values: [seqs, dataZones],
    })
    const byPlace = new Map<string, LoggedChange[]>()
    for (const row of rows) {
      const key = `${row.zoneId} ${row.typeKey}`
      const list = byPlace.get(key)
      if (list) list.push(row)
      else byPlace.set(key, [row])
    }
    const mark = this.markOf(zone)
    for (const [key, changes] of byPlace) this.#reader.tell(key, changes, mark)
  }
}
