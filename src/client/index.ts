import type { AppEvents, Exposure } from './app-events.ts'
import { eventsOf } from './events.ts'
import { type ConfigStore, ownStore } from './store.ts'
import { shortOf, waitAfter } from './tools.ts'
import { type ConfigValue, readAs, type Widened } from './values.ts'

export type { ConfigStore } from './store.ts'
export type { ConfigValue } from './values.ts'

export interface ConfigOptions {
  /** Where Loggia is served: `https://console.example.com`. */
  url: string
  /** A key of the project for which remote config is open, `lgk_…`. */
  apiKey: string
  /** What conditions ask about: `{ targetingKey: 'user-1', 'device.country': 'DE' }`. */
  context?: Record<string, unknown>
  /** Keeps the last answer between runs. */
  store?: ConfigStore
  /** Hears of each variant of an experiment that a value is read of. */
  events?: Pick<AppEvents, 'exposed'>
  /** Asks each time, whatever the project says of the time between two fetches. */
  isDebug?: boolean
  /** After which a request counts as failed; 10 s unless said. */
  timeoutMs?: number
}

/** How a fetch ended. It never throws: what was known stays in force whatever happens. */
export interface Fetched {
  /** `throttled`: nothing was asked, for it is too early. `failed`: `reason` says why. */
  status: 'fetched' | 'unchanged' | 'throttled' | 'failed'
  /** Of the template whose values are known; null before there are any. */
  version: string | null
  reason?: string
}

/** What came in by itself: `activate()` puts it into force. */
export interface Update {
  version: string
  /** The parameters that read otherwise than those in force. */
  keys: string[]
}

interface Answer {
  context: string
  etag: string
  version: string
  entries: Record<string, { v: string }>
  experiments?: (Exposure & { keys: string[] })[]
  stream: string
  fetchedAt: number
  goodForMs: number
}

/** What is answered by `/rcs/v1/config`; refusals have `ret` alone. */
interface Said {
  ret?: { msg: string }
  entries: Answer['entries']
  experiments?: Answer['experiments']
  templateVersion: string
  minFetchIntervalSec: number
  stream: string
}

interface Asking {
  /** After an update was told of: at least this version, at once. */
  minVersion?: number
  /** The whole answer, for what no 304 says again. */
  isWhole?: boolean
}

const silenceMs = 60_000

/** Remote config in a browser or in Node. Values are at hand at once and offline; what is fetched waits for `activate()`. */
export class RemoteConfig {
  readonly #options: ConfigOptions
  readonly #address: string
  readonly #store: ConfigStore
  readonly #name: string
  readonly #loaded: Promise<void>
  #context: string
  #active: Answer | null = null
  #fetched: Answer | null = null
  #failures = 0
  #notBefore = 0
  #last: Promise<unknown> = Promise.resolve()
  #running: Promise<Fetched> | undefined

  /** Throws where the address or the key can be none. */
  constructor(options: ConfigOptions) {
    if (!/^https?:\/\//.test(options.url)) throw new TypeError('url: an address with http:// or https:// is needed')
    if (!options.apiKey) throw new TypeError('apiKey: a key of the project is needed')
    this.#options = options
    this.#address = options.url.replace(/\/+$/, '')
    this.#store = options.store ?? ownStore()
    this.#name = `loggia.config.${shortOf(`${this.#address} ${options.apiKey}`)}`
    this.#context = JSON.stringify(options.context ?? {})
    this.#loaded = this.#load()
  }

  /** Resolves when what an earlier run kept is in force. */
  ready(): Promise<void> {
    return this.#loaded
  }

  /** The version in force; null before there is any. */
  get version(): string | null {
    return this.#active?.version ?? null
  }

  /** A parameter as the kind of its fallback, which stands in where there is none or it is of another kind. */
  value<T extends ConfigValue>(key: string, fallback: T): Widened<T> {
    const { entries, experiments = [] } = this.#active ?? {}
    for (const one of experiments) if (one.keys.includes(key)) this.#options.events?.exposed(one)
    const text = entries && Object.hasOwn(entries, key) ? entries[key]?.v : undefined
    return ((text === undefined ? undefined : readAs(text, fallback)) ?? fallback) as Widened<T>
  }

  /** From now on asks as somebody else, at once. What is in force stays until `activate()`. */
  setContext(context: Record<string, unknown>): void {
    this.#context = JSON.stringify(context)
  }

  /** Asks for the values, unless it is too early. Several at once are one. */
  fetch(): Promise<Fetched> {
    this.#running ??= this.#ask({}).finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  /** Puts what was fetched last into force; whether any value changed by it. */
  activate(): boolean {
    const isNews = this.#changed().length > 0
    this.#active = this.#fetched
    return isNews
  }

  async fetchAndActivate(): Promise<Fetched> {
    const fetched = await this.fetch()
    this.activate()
    return fetched
  }

  /** Hears of each new version within a second or so, over cuts too; answers what ends it. */
  listen(onUpdate: (update: Update) => void): () => void {
    const ending = new AbortController()
    void this.#follow(onUpdate, ending.signal)
    return () => ending.abort()
  }

  async #load(): Promise<void> {
    try {
      const kept: Answer | null = JSON.parse((await this.#store.get(this.#name)) ?? 'null')
      // What somebody else was given is not for this one.
      if (kept?.context !== this.#context || this.#fetched) return
      this.#fetched = kept
      this.#active ??= kept
    } catch {
      // What cannot be read is as good as nothing kept.
    }
  }

  async #keep(answer: Answer): Promise<void> {
    this.#fetched = answer
    try {
      await this.#store.set(this.#name, JSON.stringify(answer))
    } catch {
      // A full or forbidden store costs the next run its start, not this one its values.
    }
  }

  /** One request after another: an older answer never comes over a newer one. */
  #ask(asking: Asking): Promise<Fetched> {
    const asked = this.#last.then(() => this.#askNow(asking))
    this.#last = asked
    return asked
  }

  async #askNow({ minVersion, isWhole }: Asking): Promise<Fetched> {
    await this.#loaded
    const now = Date.now()
    const context = this.#context
    const known = this.#fetched?.context === context ? this.#fetched : null
    const age = known ? now - known.fetchedAt : -1
    const isEarly = known !== null && age >= 0 && age < known.goodForMs && !this.#options.isDebug
    const isForced = minVersion !== undefined || isWhole
    if (now < this.#notBefore || (isEarly && !isForced)) return this.#told('throttled')
    try {
      const response = await fetch(`${this.#address}/rcs/v1/config`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-api-key': this.#options.apiKey,
          ...(known && !isWhole && { 'if-none-match': known.etag }),
        },
        body: `{"context":${context},"debug":${Boolean(this.#options.isDebug)}${minVersion === undefined ? '' : `,"minVersion":${minVersion}`}}`,
        signal: AbortSignal.timeout(this.#options.timeoutMs ?? 10_000),
      })
      if (response.status === 304 && known) {
        this.#failures = 0
        await this.#keep({ ...known, fetchedAt: now })
        return this.#told('unchanged')
      }
      if (response.status === 429 || response.status === 503) {
        this.#notBefore = now + 1000 * (Number(response.headers.get('retry-after')) || 1)
        return this.#told('throttled')
      }
      const body = (await response.json()) as Said
      if (!response.ok) return this.#failed(now, body.ret?.msg ?? `status ${response.status}`)
      this.#failures = 0
      await this.#keep({
        ...{ context, fetchedAt: now, etag: response.headers.get('etag') ?? '', stream: body.stream },
        ...{
          version: body.templateVersion,
          entries: body.entries,
          experiments: body.experiments,
          goodForMs: body.minFetchIntervalSec * 1000,
        },
      })
      return this.#told('fetched')
    } catch (error) {
      return this.#failed(now, (error as Error).message)
    }
  }

  #told(status: Fetched['status']): Fetched {
    return { status, version: this.#fetched?.version ?? null }
  }

  /** Each failure waits twice as long as the one before, up to five minutes, and not all devices at one moment. */
  #failed(now: number, reason: string): Fetched {
    this.#notBefore = now + waitAfter(++this.#failures)
    return { ...this.#told('failed'), reason }
  }

  #changed(): string[] {
    const before = this.#active?.entries ?? {}
    const after = this.#fetched?.entries ?? {}
    return Object.keys({ ...before, ...after }).filter(key => before[key]?.v !== after[key]?.v)
  }

  async #follow(onUpdate: (update: Update) => void, ended: AbortSignal): Promise<void> {
    for (let failures = 0; !ended.aborted; ) {
      if (!this.#fetched?.stream) await this.#ask({ isWhole: true })
      const { stream, version } = this.#fetched ?? {}
      if (stream && (await this.#hear(stream.replace(/from=\d*$/, `from=${version}`), onUpdate, ended))) failures = 0
      else failures++
      await delay(waitAfter(failures), ended)
    }
  }

  /** One stream until it ends; whether it was opened at all. */
  async #hear(stream: string, onUpdate: (update: Update) => void, ended: AbortSignal): Promise<boolean> {
    const silent = new AbortController()
    let watch: ReturnType<typeof setTimeout> | undefined
    const watchAnew = () => {
      clearTimeout(watch)
      watch = setTimeout(() => silent.abort(), silenceMs)
    }
    watchAnew()
    try {
      const signal = AbortSignal.any([ended, silent.signal])
      const response = await fetch(this.#address + stream, { headers: { accept: 'text/event-stream' }, signal })
      // What opens a stream is good for a day; a whole answer has it anew.
      if (response.status === 401 && this.#fetched) this.#fetched = { ...this.#fetched, stream: '' }
      if (!response.ok || !response.body) return false
      for await (const { data } of eventsOf(response.body, watchAnew)) {
        const { version, spreadMs } = JSON.parse(data) as { version: string; spreadMs?: number }
        await delay(Math.random() * (spreadMs ?? 0), ended)
        if (ended.aborted) return true
        await this.#catchUp(Number(version), ended)
        const keys = this.#changed()
        if (!ended.aborted && keys.length > 0) onUpdate({ version: this.#fetched?.version ?? version, keys })
      }
      return true
    } catch {
      return false
    } finally {
      clearTimeout(watch)
    }
  }

  /** Asks until the version that was told of is here. */
  async #catchUp(version: number, ended: AbortSignal): Promise<void> {
    for (let tries = 1; !ended.aborted; tries++) {
      await this.#ask({ minVersion: version })
      if (Number(this.#fetched?.version) >= version || tries === 5) return
      await delay(Math.max(this.#notBefore - Date.now(), 0) + waitAfter(0), ended)
    }
  }
}

function delay(ms: number, ended: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (ended.aborted) return resolve()
    const done = () => {
      clearTimeout(timer)
      ended.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    ended.addEventListener('abort', done)
  })
}
