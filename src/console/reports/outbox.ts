import type { ZoneId } from '../../kernel/zones.ts'

export interface ReportedEvent {
  eventId: string
  name: 'page' | 'click'
  at: number
  [field: string]: unknown
}

export interface Batch {
  zone: ZoneId
  teamId: string | undefined
  events: ReportedEvent[]
}

interface Waiting {
  zone: ZoneId
  teamId: string | undefined
  event: ReportedEvent
  sizeBytes: number
}

/** Kept while nothing can be sent; beyond them the oldest go. */
export const mostWaiting = 1_000
const mostOfBatch = 100
/** A beacon takes 64 KiB at most. */
const mostBytes = 48 * 1024

/** Events that wait to be sent, in the order they happened. */
export class ReportOutbox {
  #waiting: Waiting[] = []

  get size(): number {
    return this.#waiting.length
  }

  add(zone: ZoneId, teamId: string | undefined, event: ReportedEvent): void {
    this.#waiting.push({ zone, teamId, event, sizeBytes: JSON.stringify(event).length })
    if (this.#waiting.length > mostWaiting) this.#waiting.splice(0, this.#waiting.length - mostWaiting)
  }

  /** The oldest events that go to one zone for one team. They stay until `remove`. */
  next(): Batch | undefined {
    const [first] = this.#waiting
    if (!first) return undefined
    const { zone, teamId } = first
    const events: ReportedEvent[] = []
    let sizeBytes = 0
    for (const one of this.#waiting) {
      if (one.zone !== zone || one.teamId !== teamId) continue
      sizeBytes += one.sizeBytes
      if (events.length > 0 && (sizeBytes > mostBytes || events.length >= mostOfBatch)) break
      events.push(one.event)
    }
    return { zone, teamId, events }
  }

  remove(events: readonly ReportedEvent[]): void {
    const gone = new Set(events.map(event => event.eventId))
    this.#waiting = this.#waiting.filter(one => !gone.has(one.event.eventId))
  }
}

/** How long to wait after so many failures: anything up to twice as long each time, from a second to ten minutes. */
export function pauseAfter(failures: number, random: number): number {
  return Math.ceil(random * Math.min(600_000, 1_000 * 2 ** failures))
}
