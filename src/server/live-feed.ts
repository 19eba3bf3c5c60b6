import type { ZoneId } from '../kernel/zones.ts'
import type { Context } from './context.ts'
import type { Server } from './server.ts'

const watchedForMs = 15_000
const renewAfterMs = 5_000
/** PostgreSQL takes less than 8000 bytes. */
const payloadBytes = 7_500

interface Options<Item> {
  /** Of its channels, one for each feed of the product. */
  name: string
  mostShown: number
  shownForMs: number
  /** When an item came, epoch milliseconds. */
  cameAt(item: Item): number
}

/**
 * What happens to a subject, for those who look at it while it happens. Nothing is kept or told of what nobody looks at;
 * each process hears what all of them tell.
 */
export class LiveFeed<Item> {
  /** What carries a payload. */
  readonly channel: string
  readonly #watchChannel: string
  readonly #watched = new Map<string, { until: number; items: Item[] }>()
  readonly #server: Server
  readonly #options: Options<Item>

  constructor(server: Server, options: Options<Item>) {
    this.#server = server
    this.#options = options
    this.channel = `${options.name}_live`
    this.#watchChannel = `${options.name}_watched`
  }

  /** Call before the signals start. */
  listen(): void {
    for (const zone of this.#server.config.zones) {
      this.#server.signals.on(zone, this.#watchChannel, subject => this.#heardWatch(zone, subject))
      this.#server.signals.on(zone, this.channel, payload => this.#heardItems(zone, payload))
    }
  }

  isWatched(zone: ZoneId, subject: string): boolean {
    const found = this.#watched.get(`${zone} ${subject}`)
    return found !== undefined && found.until > this.#server.clock.now()
  }

  /** The last ones, the oldest first; every process gathers them from the first look on. */
  async look(ctx: Context, subject: string): Promise<Item[]> {
    const now = ctx.now()
    const found = this.#watched.get(`${ctx.zone} ${subject}`)
    if (!found || found.until < now + watchedForMs - renewAfterMs)
      await ctx.transact(async inner => inner.signal(inner.zone, this.#watchChannel, subject))
    const { cameAt, shownForMs } = this.#options
    return (found?.items ?? []).filter(one => cameAt(one) > now - shownForMs)
  }

  /** What is said on the channel: the first ones, as many as fit. */
  payloadOf(subject: string, items: readonly Item[]): { payload: string; told: number } {
    let bytes = 100
    let told = 0
    for (const one of items) {
      bytes += Buffer.byteLength(JSON.stringify(one)) + 1
      if (bytes > payloadBytes) break
      told++
    }
    return { payload: JSON.stringify({ subject, items: items.slice(0, told) }), told }
  }

  #heardWatch(zone: ZoneId, subject: string): void {
    const now = this.#server.clock.now()
    for (const [key, { until }] of this.#watched) if (until <= now) this.#watched.delete(key)
    if (subject === '') return
    const key = `${zone} ${subject}`
    this.#watched.set(key, { until: now + watchedForMs, items: this.#watched.get(key)?.items ?? [] })
  }

  #heardItems(zone: ZoneId, payload: string): void {
    if (payload === '') return
    const { subject, items } = JSON.parse(payload) as { subject: string; items: Item[] }
    const found = this.#watched.get(`${zone} ${subject}`)
    if (found) found.items = [...found.items, ...items].slice(-this.#options.mostShown)
  }
}
