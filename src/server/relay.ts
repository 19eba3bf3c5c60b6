import { type Context, systemContext } from './context.ts'
import type { DatabaseName } from './database/pools.ts'
import { inTransaction, type LazyTransaction } from './database/transaction.ts'
import { reasonOf } from './log.ts'
import type { Server } from './server.ts'
import type { Event, Listener } from './work.ts'

const maxAttempts = 12
const batchRows = 100
/** A batch holds its rows no longer: a transaction that stands idle is ended after a minute. */
const batchMs = 5_000
/** While events keep coming they are gathered for as long: one look for many writes. The first one waits for nothing. */
const gatherMs = 20
const mostTypes = 1_000

/**
 * Gives committed events to listeners, each listener in a transaction of its own with a receipt, so an event has its
 * effect once however often it is delivered. New events of one database go in the order of their ids, a batch at a time;
 * one that fails waits with back-off and goes after them, so that it does not hold up the others.
 */
export class Relay {
  readonly #server: Server
  readonly #listeners: readonly Listener[]
  readonly #byType = new Map<string, readonly Listener[]>()
  readonly #running = new Map<DatabaseName, Promise<void>>()
  readonly #again = new Set<DatabaseName>()
  #closed = false

  constructor(server: Server, listeners: readonly Listener[]) {
    this.#server = server
    this.#listeners = listeners
  }

  isHeard(type: string): boolean {
    return this.#listenersOf(type).length > 0
  }

  /** Looks now; calls that come while it looks make it look once more. */
  poke(database: DatabaseName): Promise<void> {
    const running = this.#running.get(database)
    if (running) {
      this.#again.add(database)
      return running
    }
    const run = this.#drain(database).finally(() => this.#running.delete(database))
    this.#running.set(database, run)
    return run
  }

  async close(): Promise<void> {
    this.#closed = true
    await Promise.allSettled([...this.#running.values()])
  }

  async #drain(database: DatabaseName): Promise<void> {
    for (;;) {
      this.#again.delete(database)
      try {
        while (!this.#closed && (await this.#next(database))) {}
      } catch (error) {
        this.#server.log.warn({ database, reason: reasonOf(error) }, 'events wait: the database does not answer')
        return
      }
      if (this.#closed || !this.#again.has(database)) return
      await new Promise(resolve => setTimeout(resolve, gatherMs))
    }
  }

  /**
   * Relays a batch of what is due; false when there is no more. The row locks keep other processes away from it. The order
   * is that of the index: to sort, PostgreSQL would look at every event since the last vacuum, each time.
   */
  async #next(database: DatabaseName): Promise<boolean> {
    return inTransaction(this.#server.pools.of(database), 'all', async transaction => {
      const { rows } = await transaction.query<OutboxRow>({
        name: 'relay next',
        text: `SELECT event_id, type, team_id, entity, entity_id, actor, data, at, attempts FROM outbox
          WHERE relayed_at IS NULL AND next_attempt_at <= $1 ORDER BY next_attempt_at, event_id LIMIT ${batchRows} FOR UPDATE SKIP LOCKED`,
        values: [this.#server.clock.now()],
      })
      const until = performance.now() + batchMs
      const told: { row: OutboxRow; failure: string | null }[] = []
      const events = rows.map(eventOf)
      const isWanted = await this.#wanted(database, events)
      let isHeard = false
      for (const [at, row] of rows.entries()) {
        if (performance.now() > until) break
        const event = events[at] as Event
        const listeners = this.#listenersOf(row.type).filter(listener => isWanted(listener, event))
        if (listeners.length > 0) isHeard = true
        told.push({ row, failure: await this.#tellAll(database, listeners, event) })
      }
      if (told.length > 0) await this.#mark(transaction, told)
      // What a listener wrote may have made events; of others that came meanwhile somebody tells.
      return isHeard || told.length === batchRows
    })
  }

  /** Asks those listeners that choose, each once for the whole batch. One that cannot say is told, and fails by event. */
  async #wanted(database: DatabaseName, events: readonly Event[]) {
    const chosen = new Map<Listener, ReadonlySet<string>>()
    for (const listener of new Set(events.flatMap(event => this.#listenersOf(event.type)))) {
      const { wants } = listener
      if (!wants) continue
      const heard = events.filter(event => this.#listenersOf(event.type).includes(listener))
      const ctx = this.#contextOf(database, listener, null)
      const wanted = await ctx.transact(inner => wants(inner, heard)).catch(() => undefined)
      if (wanted) chosen.set(listener, wanted)
    }
    return (listener: Listener, { eventId }: Event) => chosen.get(listener)?.has(eventId) ?? true
  }

  #contextOf(database: DatabaseName, { name }: Listener, teamId: string | null): Context {
    const zone = database === 'home' ? (this.#server.config.zones[0] ?? 'CN') : database
    return systemContext(this.#server, zone, { name, teamId, scope: 'all' })
  }

  /** A mark that is lost with the machine costs a delivery that has no effect: nothing waits for the disk. */
  async #mark(transaction: LazyTransaction, told: readonly { row: OutboxRow; failure: string | null }[]) {
    const now = this.#server.clock.now()
    const marks = told.map(({ row, failure }) => {
      const attempts = row.attempts + 1
      const isOver = failure === null || attempts >= maxAttempts
      return { id: row.event_id, attempts, failure, relayedAt: isOver ? now : null, nextAt: now + waitMs(attempts) }
    })
    await transaction.query({
      name: 'relay mark',
      text: `WITH lazily AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))
        UPDATE outbox SET attempts = m.attempts, relayed_at = m.relayed_at, next_attempt_at = m.next_at, error = m.error
        FROM unnest($1::bigint[], $2::integer[], $3::bigint[], $4::bigint[], $5::text[])
          AS m(id, attempts, relayed_at, next_at, error), lazily
        WHERE event_id = m.id`,
      values: [
        marks.map(one => one.id),
        marks.map(one => one.attempts),
        marks.map(one => one.relayedAt),
        marks.map(one => one.nextAt),
        marks.map(one => one.failure),
      ],
    })
  }

  #listenersOf(type: string): readonly Listener[] {
    let listeners = this.#byType.get(type)
    if (!listeners) {
      listeners = this.#listeners.filter(one => one.on.some(wanted => matches(wanted, type)))
      if (this.#byType.size < mostTypes) this.#byType.set(type, listeners)
    }
    return listeners
  }

  async #tellAll(database: DatabaseName, listeners: readonly Listener[], event: Event): Promise<string | null> {
    let failure: string | null = null
    for (const listener of listeners) {
      try {
        const fresh = await this.#tell(database, listener, event)
        this.#server.metrics.events.inc({ listener: listener.name, outcome: fresh ? 'done' : 'known' })
      } catch (error) {
        failure = `${listener.name}: ${reasonOf(error)}`.slice(0, 500)
        this.#server.metrics.events.inc({ listener: listener.name, outcome: 'failed' })
        this.#server.log.error({ event: event.type, eventId: event.eventId, reason: failure }, 'a listener failed')
      }
    }
    return failure
  }

  #tell(database: DatabaseName, listener: Listener, event: Event): Promise<boolean> {
    return this.#contextOf(database, listener, event.teamId).transact(async ctx => {
      const receipt = await ctx.transaction(database).query({
        name: 'relay receipt',
        text: 'INSERT INTO event_receipts (listener, event_id, at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
        values: [listener.name, event.eventId, ctx.now()],
      })
      if (receipt.rowCount === 1) await listener.run(ctx, event)
      return receipt.rowCount === 1
    })
  }
}

interface OutboxRow {
  event_id: string
  type: string
  team_id: string | null
  entity: string
  entity_id: string
  actor: string
  data: Record<string, unknown>
  at: string
  attempts: number
}

function eventOf(row: OutboxRow): Event {
  const { event_id, team_id, entity_id, at, attempts: _, ...rest } = row
  return { ...rest, eventId: event_id, teamId: team_id, entityId: entity_id, at: Number(at) }
}

const waitMs = (attempts: number) => Math.min(2 ** attempts * 250, 3_600_000)

function matches(wanted: string, type: string): boolean {
  return wanted.endsWith('.*') ? type.startsWith(wanted.slice(0, -1)) : wanted === type
}
