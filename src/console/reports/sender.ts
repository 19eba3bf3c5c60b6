import type { ZoneId } from '../../kernel/zones.ts'
import { type Batch, pauseAfter, type ReportedEvent, ReportOutbox } from './outbox.ts'

/** `refused` will not be taken however often it is sent; `blocked` reached nobody though there is a network. */
export type Sent = 'sent' | 'refused' | 'blocked' | { retryAfterMs: number }

export interface Ways {
  now: () => number
  /** Whether anything may be sent: there is a network, and the page is not an open test. */
  isOpen: () => boolean
  random: () => number
  /** Runs later; answers what takes it back. */
  later: (act: () => void, ms: number) => () => void
  /** The address of a zone's reports; undefined while it is unknown. */
  addressOf: (zone: ZoneId) => Promise<string | undefined>
  /** What proves the team to the report address. */
  ticketOf: (teamId: string) => Promise<string | undefined>
  /** The same as far as they are known, for the end of a page. */
  known: (batch: Batch) => { address: string | undefined; ticket: string | undefined }
  post: (address: string, body: string) => Promise<Sent>
  /** One event in the address, by a script or a plain GET. */
  loadOrGet: (address: string) => Promise<boolean>
  /** Hands over what is sent though the page goes; false where it was not taken. */
  beacon: (address: string, body: string) => boolean
}

const pauseMs = 5_000
const soonMs = 500
/** So often in a row a batch waits for what proves its team, before it goes as nobody's. */
const mostUnproven = 3

/** Sends events in batches, a little later; keeps them while nothing gets through, and takes another way where one is blocked. */
export class ReportSender {
  readonly #ways: Ways
  readonly #outbox = new ReportOutbox()
  readonly #blocked = new Set<string>()
  #failures = 0
  #isSending = false
  #cancel: (() => void) | undefined

  constructor(ways: Ways) {
    this.#ways = ways
  }

  get waiting(): number {
    return this.#outbox.size
  }

  add(zone: ZoneId, teamId: string | undefined, event: ReportedEvent): void {
    this.#outbox.add(zone, teamId, event)
    if (this.#cancel === undefined) this.#plan(pauseMs)
  }

  /** The network is back: what waits goes at once. */
  wake(): void {
    this.#failures = 0
    this.#plan(soonMs)
  }

  /** The page goes, or may: what waits is handed to the browser. */
  handOver(): void {
    if (!this.#ways.isOpen()) return
    for (let batch = this.#outbox.next(); batch; batch = this.#outbox.next()) {
      const { address, ticket } = this.#ways.known(batch)
      if (address === undefined || !this.#ways.beacon(address, this.#bodyOf(batch.events, ticket))) return
      this.#outbox.remove(batch.events)
    }
  }

  async flush(): Promise<void> {
    if (this.#isSending) return
    this.#isSending = true
    try {
      await this.#sendAll()
    } catch {
      this.#fail()
    } finally {
      this.#isSending = false
    }
  }

  async #sendAll(): Promise<void> {
    for (let batch = this.#outbox.next(); batch; batch = this.#outbox.next()) {
      if (!this.#ways.isOpen()) return
      const address = await this.#ways.addressOf(batch.zone)
      if (address === undefined) return this.#fail()
      const ticket = batch.teamId === undefined ? undefined : await this.#ways.ticketOf(batch.teamId)
      if (batch.teamId !== undefined && ticket === undefined && this.#failures < mostUnproven) return this.#fail()
      const sent = await this.#deliver(address, batch.events, ticket)
      if (typeof sent === 'object') return this.#fail(sent.retryAfterMs)
      if (sent === 'blocked') return this.#fail()
      this.#outbox.remove(batch.events)
      this.#failures = 0
    }
  }

  async #deliver(address: string, events: ReportedEvent[], ticket: string | undefined): Promise<Sent> {
    if (!this.#blocked.has(address)) {
      const sent = await this.#ways.post(address, this.#bodyOf(events, ticket))
      if (sent !== 'blocked' || !this.#ways.isOpen()) return sent
    }
    // Without the ticket: addresses end up in logs.
    for (const event of events) {
      const data = encodeURIComponent(this.#bodyOf([event], undefined))
      if (!(await this.#ways.loadOrGet(`${address}?data=${data}`))) {
        this.#blocked.delete(address)
        return 'blocked'
      }
      this.#blocked.add(address)
      this.#outbox.remove([event])
    }
    return 'sent'
  }

  #bodyOf(events: readonly ReportedEvent[], ticket: string | undefined): string {
    return JSON.stringify({ sentAt: this.#ways.now(), ...(ticket !== undefined && { ticket }), events })
  }

  #fail(atLeastMs = 0): void {
    this.#failures += 1
    this.#plan(Math.max(atLeastMs, soonMs, pauseAfter(this.#failures, this.#ways.random())))
  }

  #plan(ms: number): void {
    this.#cancel?.()
    this.#cancel = this.#ways.later(() => {
      this.#cancel = undefined
      void this.flush()
    }, ms)
  }
}
