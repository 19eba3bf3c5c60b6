import { systemContext } from './context.ts'
import type { DatabaseName } from './database/pools.ts'
import { inTransaction } from './database/transaction.ts'
import { reasonOf } from './log.ts'
import type { Server } from './server.ts'
import type { Event, Listener } from './work.ts'

const maxAttempts = 12

/**
 * Gives committed events to listeners, each listener in a transaction of its own with a receipt, so an event has its
 * effect once however often it is delivered. Events of one database go in the order of their ids; one that fails waits
 * with back-off and does not hold up the others.
 */
export class Relay {
  readonly #server: Server
  readonly #listeners: readonly Listener[]
  readonly #running = new Map<DatabaseName, Promise<void>>()
  readonly #again = new Set<DatabaseName>()
  #closed = false

  constructor(server: Server, listeners: readonly Listener[]) {
    this.#server = server
    this.#listeners = listeners
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
    do {
      this.#again.delete(database)
      try {
        while (!this.#closed && (await this.#next(database))) {}
      } catch (error) {
        this.#server.log.warn({ database, reason: reasonOf(error) }, 'events wait: the database does not answer')
        return
      }
    } while (this.#again.has(database) && !this.#closed)
  }

  /** Relays one event; false when none is due. The row lock keeps other processes away from it. */
  async #next(database: DatabaseName): Promise<boolean> {
    return inTransaction(this.#server.pools.of(database), 'all', async transaction => {
      const { rows } = await transaction.query<OutboxRow>({
        name: 'relay next',
        text: `SELECT event_id, type, team_id, entity, entity_id, actor, data, at, attempts FROM outbox
          WHERE relayed_at IS NULL AND next_attempt_at <= $1 ORDER BY event_id LIMIT 1 FOR UPDATE SKIP LOCKED`,
        values: [this.#server.clock.now()],
      })
      const row = rows[0]
      if (!row) return false
      const failure = await this.#tellAll(database, eventOf(row))
      const attempts = row.attempts + 1
      const isOver = failure === null || attempts >= maxAttempts
      const waitMs = Math.min(2 ** attempts * 250, 3_600_000)
      await transaction.query({
        name: 'relay mark',
        text: 'UPDATE outbox SET attempts = $2, relayed_at = $3, next_attempt_at = $4, error = $5 WHERE event_id = $1',
        values: [
          row.event_id,
          attempts,
          isOver ? this.#server.clock.now() : null,
          this.#server.clock.now() + waitMs,
          failure,
        ],
      })
      return true
    })
  }

  async #tellAll(database: DatabaseName, event: Event): Promise<string | null> {
    let failure: string | null = null
    for (const listener of this.#listeners) {
      if (!listener.on.some(wanted => matches(wanted, event.type))) continue
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

  async #tell(database: DatabaseName, listener: Listener, event: Event): Promise<boolean> {
    const zone = database === 'home' ? (this.#server.config.zones[0] ?? 'CN') : database
    const ctx = systemContext(this.#server, zone, { name: listener.name, teamId: event.teamId, scope: 'all' })
    try {
      const receipt = await ctx.transaction(database).query({
        name: 'relay receipt',
        text: 'INSERT INTO event_receipts (listener, event_id, at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
        values: [listener.name, event.eventId, ctx.now()],
      })
      if (receipt.rowCount === 1) await listener.run(ctx, event)
      await ctx.commit()
      return receipt.rowCount === 1
    } catch (error) {
      await ctx.rollback()
      throw error
    }
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

function matches(wanted: string, type: string): boolean {
  return wanted.endsWith('.*') ? type.startsWith(wanted.slice(0, -1)) : wanted === type
}
