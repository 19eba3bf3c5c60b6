import type { ZoneId } from '../../../../kernel/zones.ts'
import type { Context } from '../../../../server/context.ts'
import type { Server } from '../../../../server/server.ts'
import type { KeptEvent } from '../checking.ts'

/** Says to every process that somebody watches a project; the payload is its id. */
const watchChannel = 'app_events_watched'
/** Events of a watched project, told with the commit that keeps them. */
export const liveChannel = 'app_events_live'

const watchedForMs = 15_000
const renewAfterMs = 5_000
const mostShown = 100
const shownForMs = 60_000
const propsShown = 300
/** PostgreSQL takes less than 8000 bytes. */
const payloadBytes = 7_500

/** An event as those see it who watch. `props` is the beginning of a JSON text. */
export interface LiveEvent {
  eventId: string
  name: string
  unit: string
  at: number
  receivedAt: number
  value: number | null
  variant: string | null
  props: string
}

/**
 * What apps of watched projects report, for those who look at it as it comes. Nothing is kept or told of a project that
 * nobody watches. Each process hears what all of them take.
 */
class LiveEvents {
  readonly #watched = new Map<string, { until: number; events: LiveEvent[] }>()
  readonly #server: Server

  constructor(server: Server) {
    this.#server = server
  }

  /** Call before the signals start. */
  listen(): void {
    for (const zone of this.#server.config.zones) {
      this.#server.signals.on(zone, watchChannel, projectId => this.#heardWatch(zone, projectId))
      this.#server.signals.on(zone, liveChannel, payload => this.#heardEvents(zone, payload))
    }
  }

  isWatched(zone: ZoneId, projectId: string): boolean {
    const found = this.#watched.get(`${zone} ${projectId}`)
    return found !== undefined && found.until > this.#server.clock.now()
  }

  /** The last ones, the newest first; every process gathers them from the first look on. */
  async look(ctx: Context, projectId: string): Promise<LiveEvent[]> {
    const now = ctx.now()
    const found = this.#watched.get(`${ctx.zone} ${projectId}`)
    if (!found || found.until < now + watchedForMs - renewAfterMs)
      await ctx.transact(async inner => inner.signal(inner.zone, watchChannel, projectId))
    return (found?.events ?? []).filter(one => one.receivedAt > now - shownForMs).toReversed()
  }

  #heardWatch(zone: ZoneId, projectId: string): void {
    const now = this.#server.clock.now()
    for (const [key, { until }] of this.#watched) if (until <= now) this.#watched.delete(key)
    if (projectId === '') return
    const key = `${zone} ${projectId}`
    this.#watched.set(key, { until: now + watchedForMs, events: this.#watched.get(key)?.events ?? [] })
  }

  #heardEvents(zone: ZoneId, payload: string): void {
    if (payload === '') return
    const { projectId, events } = JSON.parse(payload) as { projectId: string; events: LiveEvent[] }
    const found = this.#watched.get(`${zone} ${projectId}`)
    if (found) found.events = [...found.events, ...events].slice(-mostShown)
  }
}

const all = new WeakMap<Server, LiveEvents>()

export function liveEventsOf(server: Server): LiveEvents {
  let live = all.get(server)
  if (!live) {
    live = new LiveEvents(server)
    all.set(server, live)
  }
  return live
}

/** What is told of a batch to those who watch: the first ones, as many as fit. */
export function livePayload(projectId: string, events: readonly KeptEvent[], receivedAt: number): string {
  const shown: LiveEvent[] = []
  let bytes = 100
  for (const { event_id: eventId, name, unit, at, value, variant, props } of events) {
    const one = {
      eventId,
      name,
      unit,
      at,
      receivedAt,
      value,
      variant,
      props: props.slice(0, propsShown).toWellFormed(),
    }
    bytes += Buffer.byteLength(JSON.stringify(one)) + 1
    if (bytes > payloadBytes) break
    shown.push(one)
  }
  return JSON.stringify({ projectId, events: shown })
}
