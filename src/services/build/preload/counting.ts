import { sql } from 'drizzle-orm'
import type { ZoneId } from '../../../kernel/zones.ts'
import { systemContext } from '../../../server/context.ts'
import type { Server } from '../../../server/server.ts'
import { classOf, type Outcome } from './rules.ts'
import { preloadCounts as counts } from './tables.ts'

const hourMs = 3_600_000
const writeAfterMs = 1000

type Row = typeof counts.$inferInsert

/** Requests are counted in memory and written a second later: no device waits for it. */
class Counter {
  readonly #server: Server
  #waiting = new Map<string, { zone: ZoneId; row: Row }>()
  #timer: NodeJS.Timeout | undefined
  #writing = Promise.resolve()

  constructor(server: Server) {
    this.#server = server
  }

  add(
    zone: ZoneId,
    of: { policyId: string; teamId: string },
    what: { outcome: Outcome; ms: number; bytes: number },
  ): void {
    const { policyId, teamId } = of
    const hourAt = Math.floor(this.#server.clock.now() / hourMs) * hourMs
    const upToMs = classOf(what.ms)
    const key = [zone, policyId, hourAt, what.outcome, upToMs].join()
    const found = this.#waiting.get(key)?.row
    if (found) Object.assign(found, { requests: found.requests + 1, bytes: found.bytes + what.bytes })
    else
      this.#waiting.set(key, {
        zone,
        row: { policyId, hourAt, outcome: what.outcome, upToMs, teamId, requests: 1, bytes: what.bytes },
      })
    this.#timer ??= setTimeout(() => void this.flush(), writeAfterMs)
  }

  flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const waiting = [...this.#waiting.values()]
    this.#waiting = new Map()
    this.#writing = this.#writing
      .then(() => this.#write(waiting))
      .catch(error =>
        this.#server.log.warn({ reason: (error as Error).message }, 'requests of devices are not counted'),
      )
    return this.#writing
  }

  async #write(waiting: readonly { zone: ZoneId; row: Row }[]): Promise<void> {
    for (const zone of new Set(waiting.map(one => one.zone))) {
      const rows = waiting.filter(one => one.zone === zone).map(one => one.row)
      await systemContext(this.#server, zone, { name: 'preload' }).transact(inner =>
        inner.db
          .insert(counts)
          .values(rows)
          .onConflictDoUpdate({
            target: [counts.policyId, counts.hourAt, counts.outcome, counts.upToMs],
            set: {
              requests: sql`${counts.requests} + excluded.requests`,
              bytes: sql`${counts.bytes} + excluded.bytes`,
            },
          }),
      )
    }
  }
}

/** Requests of devices. */
export const gatheredCounts = 'preload.counts'

const counters = new WeakMap<Server, Counter>()

/** What counts requests of devices on this server. */
export function counterOf(server: Server): Counter {
  const counter = counters.get(server) ?? new Counter(server)
  counters.set(server, counter)
  return counter
}
