import pg from 'pg'
import type { ZoneId } from '../../kernel/zones.ts'
import type { Log } from '../log.ts'

/** `home` or a zone: the name of one database. */
export type DatabaseName = 'home' | ZoneId

/**
 * Reading at random costs little more than in a row, as on every disk without a head: a page of a list is then read from
 * the index in its order, instead of sorting all rows of a team that the planner takes for a small one.
 */
const options = [
  'statement_timeout=30000',
  'lock_timeout=10000',
  'idle_in_transaction_session_timeout=60000',
  'random_page_cost=1.1',
]
  .map(setting => `-c ${setting}`)
  .join(' ')

// Whole numbers of 64 bits stay the text they come as: the driver's own reading tries each with an expression first.
pg.types.setTypeParser(pg.types.builtins.INT8, text => text)

/** One pool a database, opened when first used. Connections are lost with the server and made anew without a restart. */
export class Pools {
  readonly #urls: Partial<Record<DatabaseName, string>>
  readonly #pools = new Map<DatabaseName, pg.Pool>()
  readonly #log: Log
  readonly #max: number

  constructor(urls: Partial<Record<DatabaseName, string>>, log: Log, max = 16) {
    this.#urls = urls
    this.#log = log
    this.#max = max
  }

  get names(): DatabaseName[] {
    return Object.keys(this.#urls) as DatabaseName[]
  }

  has(name: DatabaseName): boolean {
    return this.#urls[name] !== undefined
  }

  url(name: DatabaseName): string {
    const url = this.#urls[name]
    if (url === undefined) throw new Error('the zone Id is invalid')
    return url
  }

  of(name: DatabaseName): pg.Pool {
    let pool = this.#pools.get(name)
    if (!pool) {
      pool = new pg.Pool({
        connectionString: this.url(name),
        max: this.#max,
        idleTimeoutMillis: 30_000,
        connectionTimeoutMillis: 5_000,
        application_name: 'loggia',
        options,
        // Statements are sent without waiting for the answer to the one before: BEGIN goes with what follows it.
        pipeline: true,
      })
      // A connection lost in the middle of a transaction tells its client, not the pool; unheard it would end the process.
      pool.on('connect', client => {
        client.on('error', () => undefined)
      })
      pool.on('error', error =>
        this.#log.warn({ database: name, reason: error.message }, 'a database connection was lost'),
      )
      this.#pools.set(name, pool)
    }
    return pool
  }

  async close(): Promise<void> {
    await Promise.all([...this.#pools.values()].map(pool => pool.end()))
    this.#pools.clear()
  }
}
