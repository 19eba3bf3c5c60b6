import pg from 'pg'
import type { DatabaseName, Pools } from './database/pools.ts'
import type { Log } from './log.ts'
import type { Siblings } from './siblings/siblings.ts'

interface Signal {
  channel: string
  payload: string
}

const topic = 'signals'
/** Who shares the port and has not heard by then hears of it from the database. */
const heardWithinMs = 300

type Listener = (payload: string) => void

/**
 * LISTEN on every database, one connection each. A signal is only a hint to look: it may be lost with a connection, so
 * whoever listens is also told of every reconnect (an empty payload) and drops what it had remembered.
 */
export class Signals {
  readonly #pools: Pools
  readonly #log: Log
  readonly #siblings: Siblings
  readonly #listeners = new Map<string, Set<Listener>>()
  readonly #clients = new Map<DatabaseName, pg.Client>()
  #closed = false

  constructor(pools: Pools, log: Log, siblings: Siblings) {
    this.#pools = pools
    this.#log = log
    this.#siblings = siblings
    siblings.answer(topic, about => {
      const { database, signals } = about as { database: DatabaseName; signals: Signal[] }
      for (const { channel, payload } of signals) this.tellHere(database, channel, payload)
    })
  }

  /** `channel` is one word in lower case. Call before `start`. */
  on(database: DatabaseName, channel: string, listener: Listener): void {
    const key = `${database} ${channel}`
    const listeners = this.#listeners.get(key) ?? new Set()
    listeners.add(listener)
    this.#listeners.set(key, listeners)
  }

  /**
   * Tells the listeners of this process and, where there are any, of those that share its port: a client that has its
   * answer may ask any of them next. To be waited for until they have heard.
   */
  tell(database: DatabaseName, signals: readonly Signal[]): Promise<unknown> | undefined {
    for (const { channel, payload } of signals) this.tellHere(database, channel, payload)
    const isHeardElsewhere = signals.length > 0 && this.#siblings.place.of > 1
    return isHeardElsewhere ? this.#siblings.ask(topic, { database, signals }, heardWithinMs) : undefined
  }

  /** Tells the listeners of this process. */
  tellHere(database: DatabaseName, channel: string, payload: string): void {
    for (const listener of this.#listeners.get(`${database} ${channel}`) ?? []) listener(payload)
  }

  async start(): Promise<void> {
    const databases = new Set([...this.#listeners.keys()].map(key => key.split(' ')[0] as DatabaseName))
    await Promise.all([...databases].map(database => this.#listen(database)))
  }

  async close(): Promise<void> {
    this.#closed = true
    await Promise.all([...this.#clients.values()].map(client => client.end().catch(() => undefined)))
  }

  async #listen(database: DatabaseName): Promise<void> {
    if (this.#closed) return
    const client = new pg.Client({
      connectionString: this.#pools.url(database),
      application_name: 'loggia signals',
      connectionTimeoutMillis: 10_000,
    })
    let isGone = false
    // A connection that fails says so by its error and by its end: asking again at each would double with every try.
    const gone = () => {
      if (isGone) return
      isGone = true
      this.#clients.delete(database)
      void client.end().catch(() => undefined)
      setTimeout(() => void this.#listen(database), pauseMs()).unref()
    }
    client.on('notification', message => this.tellHere(database, message.channel, message.payload ?? ''))
    client.on('error', error => this.#log.warn({ database, reason: error.message }, 'the signal connection was lost'))
    client.on('end', gone)
    try {
      await client.connect()
      for (const channel of this.#channelsOf(database)) await client.query(`LISTEN ${client.escapeIdentifier(channel)}`)
    } catch {
      gone()
      return
    }
    if (this.#closed) {
      await client.end()
      return
    }
    this.#clients.set(database, client)
    for (const channel of this.#channelsOf(database)) this.tellHere(database, channel, '')
  }

  #channelsOf(database: DatabaseName): string[] {
    return [...this.#listeners.keys()].flatMap(key => {
      const [name, channel] = key.split(' ') as [string, string]
      return name === database ? [channel] : []
    })
  }
}

/** Half a second to a whole one: servers that lost a database together do not come back to it together. */
const pauseMs = () => 500 + Math.random() * 500
