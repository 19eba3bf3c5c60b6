import { type ConfigStore, ownStore } from './store.ts'
import { shortOf, waitAfter } from './tools.ts'

export interface AppEventsOptions {
  /** Where Loggia is served: `https://console.example.com`. */
  url: string
  /** A key of the project for which remote config is open, `lgk_…`. */
  apiKey: string
  /** Who does what is tracked: the `targetingKey` of remote config. */
  unit: string
  /** Keeps what waits between runs. */
  store?: ConfigStore
  /** After which a request counts as failed; 10 s unless said. */
  timeoutMs?: number
  /** Hears of what Loggia will not take, and why. It is not sent again. */
  onRefused?: (refused: Refused) => void
}

export interface Refused {
  name: string
  field: string
  message: string
}

/** What an event may have besides its name. */
export interface Details {
  value?: number
  props?: Record<string, string | number | boolean | null>
}

/** That somebody takes part in an experiment, as remote config tells it. */
export interface Exposure {
  id: string
  phase: number
  unit: string
  variant: string
}

/** How a flush ended. It never throws: what did not go waits for the next one. */
export interface Flushed {
  /** `waiting`: it is too early, or nothing got through; `reason` says why where something went wrong. */
  status: 'sent' | 'waiting'
  /** Events that still wait. */
  left: number
  reason?: string
}

interface WaitingEvent extends Details {
  eventId: string
  name: string
  unit: string
  at: number
  experiment?: string
  variant?: string
}

/** What is asked of a browser's document. */
interface Page {
  visibilityState: string
  addEventListener(type: 'visibilitychange', act: () => void): void
}

const batchEvents = 100
const flushAfterMs = 5_000
/** What waits beyond that pushes the oldest out: an app that is offline for a month must not fill its device. */
const mostWaiting = 1_000

/** Reports what happens in an app, in batches, a little later; offline it waits, and nothing counts twice. */
export class AppEvents {
  readonly #options: AppEventsOptions
  readonly #address: string
  readonly #store: ConfigStore
  readonly #name: string
  readonly #seen = new Set<string>()
  #unit: string
  #waiting: WaitingEvent[] = []
  #keeping: Promise<void> = Promise.resolve()
  #running: Promise<Flushed> | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #failures = 0
  #notBefore = 0

  /** Throws where the address or the key can be none. */
  constructor(options: AppEventsOptions) {
    if (!/^https?:\/\//.test(options.url)) throw new TypeError('url: an address with http:// or https:// is needed')
    if (!options.apiKey) throw new TypeError('apiKey: a key of the project is needed')
    this.#options = options
    this.#address = `${options.url.replace(/\/+$/, '')}/app-events/v1/events`
    this.#store = options.store ?? ownStore()
    this.#name = `loggia.events.${shortOf(`${options.url} ${options.apiKey}`)}`
    this.#unit = options.unit
    this.#keeping = this.#load()
    // The last moment that a page surely has.
    const { document } = globalThis as { document?: Page }
    document?.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'hidden') void this.flush()
    })
  }

  /** From now on somebody else does it. */
  setUnit(unit: string): void {
    this.#unit = unit
  }

  /** Reports that something happened: `track('purchase', { value: 4.5, props: { screen: 'cart' } })`. */
  track(name: string, details: Details = {}): void {
    this.#add({ eventId: crypto.randomUUID(), name, unit: this.#unit, at: Date.now(), ...details })
  }

  /** Reports that a variant was seen; once for each, however often. */
  exposed({ id, phase, unit, variant }: Exposure): void {
    const eventId = `exposure.${id}.${phase}.${shortOf(`${variant} ${unit}`)}`
    if (this.#seen.has(eventId)) return
    this.#seen.add(eventId)
    this.#add({ eventId, name: '$exposure', unit, at: Date.now(), experiment: id, variant })
  }

  /** Sends what waits, unless it is too early. Several at once are one. */
  flush(): Promise<Flushed> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#running ??= this.#send()
      .catch(error => this.#failed((error as Error).message))
      .finally(() => {
        this.#running = undefined
        if (this.#waiting.length > 0) this.#plan(Math.max(this.#notBefore - Date.now(), flushAfterMs))
      })
    return this.#running
  }

  #add(event: WaitingEvent): void {
    this.#waiting.push(event)
    if (this.#waiting.length > mostWaiting) this.#waiting.splice(0, this.#waiting.length - mostWaiting)
    this.#keep()
    if (this.#waiting.length >= batchEvents && Date.now() >= this.#notBefore) void this.flush()
    else this.#plan(flushAfterMs)
  }

  #plan(ms: number): void {
    if (this.#timer !== undefined) return
    this.#timer = setTimeout(() => void this.flush(), ms)
    // A program of Node does not live on for this alone.
    ;(this.#timer as { unref?: () => void }).unref?.()
  }

  async #send(): Promise<Flushed> {
    await this.#keeping
    if (Date.now() < this.#notBefore) return { status: 'waiting', left: this.#waiting.length }
    while (this.#waiting.length > 0) {
      const events = this.#waiting.slice(0, batchEvents)
      const response = await fetch(this.#address, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': this.#options.apiKey },
        body: JSON.stringify({ sentAt: Date.now(), events }),
        // A page may go meanwhile; browsers send up to 64 kB all the same.
        keepalive: events.length <= batchEvents / 2,
        signal: AbortSignal.timeout(this.#options.timeoutMs ?? 10_000),
      })
      if (response.status === 429 || response.status >= 500) {
        const wanted = Number(response.headers.get('retry-after'))
        return this.#failed(`status ${response.status}`, wanted > 0 ? wanted * 1000 : undefined)
      }
      const said = (await response.json()) as {
        ret?: { msg: string }
        refused?: { at: number; field: string; message: string }[]
      }
      // A wrong key is mended elsewhere, and then what waited goes.
      if (response.status === 401 || response.status === 403) return this.#failed(said.ret?.msg ?? 'not allowed')
      this.#failures = 0
      const gone = new Set(events)
      this.#waiting = this.#waiting.filter(one => !gone.has(one))
      this.#keep()
      if (!response.ok) this.#refused(events, { field: '', message: said.ret?.msg ?? `status ${response.status}` })
      for (const { at, field, message } of said.refused ?? [])
        this.#refused(events.slice(at, at + 1), { field, message })
    }
    return { status: 'sent', left: 0 }
  }

  #refused(events: readonly WaitingEvent[], why: { field: string; message: string }): void {
    for (const { name } of events) this.#options.onRefused?.({ name, ...why })
  }

  #failed(reason: string, waitMs = waitAfter(++this.#failures)): Flushed {
    this.#notBefore = Date.now() + waitMs
    return { status: 'waiting', left: this.#waiting.length, reason }
  }

  async #load(): Promise<void> {
    try {
      const kept: WaitingEvent[] = JSON.parse((await this.#store.get(this.#name)) ?? '[]')
      const known = new Set(this.#waiting.map(one => one.eventId))
      this.#waiting = [...kept.filter(one => !known.has(one.eventId)), ...this.#waiting].slice(-mostWaiting)
      if (kept.length > 0) this.#plan(flushAfterMs)
    } catch {
      // What cannot be read is as good as nothing kept.
    }
  }

  /** A full or forbidden store costs what waits its next run, and this one nothing. */
  #keep(): void {
    this.#keeping = this.#keeping
      .then(() => this.#store.set(this.#name, JSON.stringify(this.#waiting)))
      .catch(() => undefined)
  }
}
