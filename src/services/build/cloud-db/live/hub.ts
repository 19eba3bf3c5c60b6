import type { ZoneId } from '../../../../kernel/zones.ts'
import { systemContext } from '../../../../server/context.ts'
import type { Server } from '../../../../server/server.ts'
import { publishedRules } from '../../rules/public.ts'
import { databaseOf } from '../catalogue.ts'
import type { Database, Place } from '../model.ts'
import { type LoggedChange, LoggedRow } from './change.ts'
import { Group, type Sight, type Subscriber, type Told, tailOf, tellOf } from './group.ts'
import { changesChannel, tellerOf } from './tell.ts'

const tickMs = 1_000
const reportEveryTicks = 4
const recentMs = 10_000
const mostReplayed = 5_000

interface Watched {
  /** Everything written by transactions before this one was told. */
  mark: string
  told: Set<string>
  queue: Promise<void>
}

interface Recent {
  version: bigint
  after: LoggedRow | null
  at: number
}

/** An open line with its listeners. */
interface Line {
  readonly subscriptions: Iterable<Subscriber>
  /** Whose it is; undefined before it said so. */
  readonly place: { projectId: string; zone: ZoneId } | undefined
  checkCaller(): Promise<void>
  reconsider(database: Database | null, rulesVersion: number): Promise<void>
  forget(subscription: Subscriber): void
}

const hubs = new WeakMap<Server, Hub>()
export function hubOf(server: Server): Hub {
  let hub = hubs.get(server)
  if (!hub) {
    hub = new Hub(server)
    hubs.set(server, hub)
  }
  return hub
}

/** All listeners of this process. */
export class Hub {
  readonly #server: Server
  readonly connections = new Set<Line>()
  readonly #groups = new Map<string, Group>()
  /** Groups by data zone and type. */
  readonly #byPlace = new Map<string, Set<Group>>()
  readonly #zones = new Map<ZoneId, Watched>()
  readonly #recent = new Map<string, Recent>()
  readonly #groupOf = new Map<Subscriber, Group>()
  readonly #sent = new Map<string, { sent: number; resyncs: number }>()
  #timer: NodeJS.Timeout | undefined
  #ticks = 0
  #isTicking = false

  constructor(server: Server) {
    this.#server = server
  }

  /** Before the signals start. */
  start(): void {
    for (const zone of this.#server.config.zones) {
      this.#server.signals.on(zone, changesChannel, payload => this.#hear(zone, payload))
    }
    this.#timer = setInterval(() => void this.tick(), tickMs)
    this.#timer.unref()
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await Promise.all([...this.#zones.values()].map(one => one.queue))
  }

  join(subscription: Subscriber, sight: Sight, conditions: number): Group {
    const { place } = subscription
    const placeKey = `${place.dataZone.zoneId} ${place.type.key}`
    const key = `${placeKey} ${sight.schemaVersion} ${sight.key}`
    let group = this.#groups.get(key)
    if (!group) {
      group = new Group(place, sight, conditions)
      this.#groups.set(key, group)
      const groups = this.#byPlace.get(placeKey) ?? new Set()
      groups.add(group)
      this.#byPlace.set(placeKey, groups)
    }
    group.subscribers.add(subscription)
    this.#groupOf.set(subscription, group)
    return group
  }

  leave(subscription: Subscriber): void {
    const group = this.#groupOf.get(subscription)
    if (!group) return
    this.#groupOf.delete(subscription)
    group.subscribers.delete(subscription)
    if (group.subscribers.size > 0) return
    const placeKey = `${group.place.dataZone.zoneId} ${group.place.type.key}`
    this.#groups.delete(`${placeKey} ${group.sight.schemaVersion} ${group.sight.key}`)
    const groups = this.#byPlace.get(placeKey)
    groups?.delete(group)
    if (groups?.size === 0) this.#byPlace.delete(placeKey)
  }

  forget(subscription: Subscriber): void {
    this.leave(subscription)
    for (const connection of this.connections) connection.forget(subscription)
  }

  countSent(subscription: Subscriber): void {
    const group = this.#groupOf.get(subscription)
    if (group) group.sent++
    this.#countsOf(subscription.place.database.projectId).sent++
  }

  countResync({ place }: Subscriber): void {
    this.#countsOf(place.database.projectId).resyncs++
  }

  #countsOf(projectId: string) {
    const counts = this.#sent.get(projectId) ?? { sent: 0, resyncs: 0 }
    this.#sent.set(projectId, counts)
    return counts
  }

  markOf(zone: ZoneId): string {
    return this.#zones.get(zone)?.mark ?? '0'
  }

  /** From where a listener that begins now can go on later; from now on this zone is watched. */
  async markNow(zone: ZoneId): Promise<string> {
    const watched = this.#zones.get(zone)
    if (watched) return watched.mark
    const mark = await this.#oldestOpen(zone)
    if (!this.#zones.has(zone)) this.#zones.set(zone, { mark, told: new Set(), queue: Promise.resolve() })
    return this.markOf(zone)
  }

  async #oldestOpen(zone: ZoneId): Promise<string> {
    const { rows } = await this.#server.pools.of(zone).query<{ mark: string }>({
      name: 'clouddb mark',
      text: 'SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS mark',
    })
    return rows[0]?.mark ?? '0'
  }

  /** What a listener missed since a mark; null where the log no longer reaches back, or it is too much. */
  async changesSince(place: Place, mark: string): Promise<Told[] | null> {
    if (!/^[1-9][0-9]{0,18}$/.test(mark)) return null
    const pool = this.#server.pools.of(place.zone)
    const { rows: oldest } = await pool.query<{ reaches: boolean }>({
      name: 'clouddb reaches',
      text: `SELECT coalesce((SELECT xid FROM cdb_changes ORDER BY seq LIMIT 1) <= $1::text::xid8, true) AS reaches`,
      values: [mark],
    })
    if (!oldest[0]?.reaches) return null
    const { rows } = await pool.query<LoggedChange>({
      name: 'clouddb since',
      text: `SELECT seq, zone_id AS "zoneId", type_key AS "typeKey", version, before, after FROM cdb_changes
        WHERE xid >= $1::text::xid8 AND zone_id = $2 AND type_key = $3 ORDER BY version LIMIT $4`,
      values: [mark, place.dataZone.zoneId, place.type.key, mostReplayed + 1],
    })
    if (rows.length > mostReplayed || rows.some(row => !row.before && !row.after)) return null
    const groups = this.#byPlace.get(`${place.dataZone.zoneId} ${place.type.key}`)
    const group = [...(groups ?? [])].find(one => one.place.type === place.type)
    return group ? rows.flatMap(row => tellOf(group, ...imagesOf(group, row)) ?? []) : null
  }

  #hear(zone: ZoneId, payload: string): void {
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

  /** What was written and not told, whatever became of its notice. */
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
    const zones = [...new Set([...this.#byPlace.keys()].map(key => key.slice(0, key.indexOf(' '))))]
    if (zones.length === 0) return
    const { rows } = await this.#server.pools.of(zone).query<LoggedChange>({
      name: 'clouddb deliver',
      text: `SELECT seq, zone_id AS "zoneId", type_key AS "typeKey", version, before, after FROM cdb_changes
        WHERE seq = ANY($1::bigint[]) AND zone_id = ANY($2::bigint[]) ORDER BY version`,
      values: [seqs, zones],
    })
    const byPlace = new Map<string, LoggedChange[]>()
    for (const row of rows) {
      const key = `${row.zoneId} ${row.typeKey}`
      const list = byPlace.get(key)
      if (list) list.push(row)
      else byPlace.set(key, [row])
    }
    const mark = this.markOf(zone)
    for (const [key, changes] of byPlace) this.#tellPlace(key, changes, mark)
  }

  #tellPlace(placeKey: string, changes: readonly LoggedChange[], mark: string): void {
    const groups = this.#byPlace.get(placeKey)
    const [first] = groups ?? []
    if (!groups || !first) return
    if (changes.some(change => !change.before && !change.after)) {
      for (const group of groups) for (const one of group.subscribers) void one.resync()
      return
    }
    const images = new Map<
      Group['place']['type'],
      { before: LoggedRow | null; after: LoggedRow | null; late: LoggedRow | null | undefined }[]
    >()
    for (const group of groups) {
      const { type } = group.place
      let ready = images.get(type)
      if (!ready) {
        ready = changes.map(change => {
          const [before, after] = imagesOf(group, change)
          return { before, after, late: this.#overtaken(placeKey, change.version, before, after) }
        })
        images.set(type, ready)
      }
      const told: Told[] = []
      for (const { before, after, late } of ready) {
        // A newer change of the row came first: all that is left to say is that it is seen no more.
        const one = late === undefined ? tellOf(group, before, after) : tellOf(group, before, late)
        if (one && (late === undefined || one.kind === 'removed')) told.push(one)
      }
      if (told.length === 0) continue
      const tail = tailOf(told, mark)
      for (const subscription of group.subscribers) subscription.tell(told, tail, mark)
    }
  }

  /** What the row is by now where a newer change was told before this one; undefined where this is the newest. */
  #overtaken(
    placeKey: string,
    version: string,
    before: LoggedRow | null,
    after: LoggedRow | null,
  ): LoggedRow | null | undefined {
    const row = after ?? before
    if (!row) return undefined
    const key = `${placeKey} ${row.key}`
    const known = this.#recent.get(key)
    const own = BigInt(version)
    if (known && known.version > own) return known.after
    this.#recent.set(key, { version: own, after, at: performance.now() })
    return undefined
  }

  /** Once a second: what was missed, who may no longer see, who was too slow. */
  async tick(): Promise<void> {
    if (this.#isTicking) return
    this.#isTicking = true
    try {
      const old = performance.now() - recentMs
      for (const [key, one] of this.#recent) if (one.at < old) this.#recent.delete(key)
      if (this.connections.size > 0) {
        for (const [zone, watched] of this.#zones) await this.#enqueue(zone, () => this.#look(zone, watched))
        await this.#reconsiderAll()
      } else if (this.#zones.size > 0) this.#zones.clear()
      if (++this.#ticks % reportEveryTicks === 0) await this.#report()
    } catch (error) {
      this.#server.log.warn({ reason: (error as Error).message }, 'listeners wait: the database does not answer')
    } finally {
      this.#isTicking = false
    }
  }

  async #reconsiderAll(): Promise<void> {
    const projects = new Map<string, Line[]>()
    for (const connection of [...this.connections]) {
      await connection.checkCaller()
      const { place } = connection
      if (place) projects.set(place.projectId, [...(projects.get(place.projectId) ?? []), connection])
    }
    for (const [projectId, connections] of projects) {
      const zone = connections[0]?.place?.zone
      if (zone === undefined) continue
      const database = await databaseOf(this.#server, zone, projectId)
      const rules = await publishedRules({ server: this.#server, zone }, projectId, 'agc.cloud.db')
      for (const connection of connections) await connection.reconsider(database, rules?.version ?? 0)
    }
  }

  async #report(): Promise<void> {
    const { name } = tellerOf(this.#server)
    const now = this.#server.clock.now()
    const byProject = new Map<
      string,
      { zone: ZoneId; teamId: string; connections: Set<Line>; groups: Set<Group>; subscriptions: number }
    >()
    for (const connection of this.connections) {
      for (const subscription of connection.subscriptions) {
        const { database, zone } = subscription.place
        const one = byProject.get(database.projectId) ?? {
          zone,
          teamId: database.teamId,
          connections: new Set<Line>(),
          groups: new Set<Group>(),
          subscriptions: 0,
        }
        byProject.set(database.projectId, one)
        one.connections.add(connection)
        one.subscriptions++
        const group = this.#groupOf.get(subscription)
        if (group) one.groups.add(group)
      }
    }
    for (const [projectId, { zone, teamId, connections, groups, subscriptions }] of byProject) {
      const told = [...groups].map(group => ({
        zone: group.place.dataZone.name,
        type: group.place.type.name,
        conditions: group.conditions,
        sees: group.sight.sees,
        subscribers: group.subscribers.size,
        sent: group.sent,
      }))
      const { sent, resyncs } = this.#countsOf(projectId)
      await systemContext(this.#server, zone, { name: 'cloud-db listeners', scope: 'all' }).transact(ctx =>
        ctx.transaction(zone).query({
          name: 'clouddb report',
          text: `INSERT INTO cdb_listeners (process_name, project_id, team_id, connections, subscriptions, groups, sent, resyncs, at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
            ON CONFLICT (process_name, project_id) DO UPDATE SET connections = excluded.connections,
              subscriptions = excluded.subscriptions, groups = excluded.groups, sent = excluded.sent,
              resyncs = excluded.resyncs, at = excluded.at`,
          values: [
            name,
            projectId,
            teamId,
            connections.size,
            subscriptions,
            JSON.stringify(told.slice(0, 200)),
            sent,
            resyncs,
            now,
          ],
        }),
      )
    }
  }
}

function imagesOf(group: Group, change: LoggedChange): [LoggedRow | null, LoggedRow | null] {
  const { type } = group.place
  return [change.before && new LoggedRow(type, change.before), change.after && new LoggedRow(type, change.after)]
}
