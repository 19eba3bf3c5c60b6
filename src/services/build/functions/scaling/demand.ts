import type { Load } from './rules.ts'

const longMs = 60_000
const shortMs = 6_000
const partMs = 1_000

interface Part {
  at: number
  ms: number
  /** Calls at once times milliseconds. */
  area: number
  calls: number
  cpuMs: number
}

/** How busy the copies of a version were in the last minute, exact to each call, in parts of a second. */
export class Demand {
  readonly #parts: Part[] = []
  #current: Part
  #busy = 0
  #changedAt: number

  constructor(now: number) {
    this.#changedAt = now
    this.#current = { at: now, ms: 0, area: 0, calls: 0, cpuMs: 0 }
  }

  begin(now: number): void {
    this.#pass(now)
    this.#busy++
    this.#current.calls++
  }

  end(now: number): void {
    this.#pass(now)
    this.#busy--
  }

  /** Processor time that the copies took since the last time. */
  used(cpuMs: number): void {
    this.#current.cpuMs += cpuMs
  }

  load(now: number, instances: number): Load {
    this.#pass(now)
    const long = this.#over(now, longMs)
    const short = this.#over(now, shortMs)
    return {
      concurrency: long.area / longMs,
      concurrencyNow: short.area / shortMs,
      callsPerSecond: (long.calls * 1000) / longMs,
      cpuPercent: (short.cpuMs * 100) / shortMs,
      instances,
    }
  }

  #pass(now: number): void {
    const ms = Math.max(0, now - this.#changedAt)
    // After a time in which nobody looked, what was before it stays where it was.
    if (ms > partMs) this.#close(this.#changedAt)
    this.#changedAt = now
    this.#current.area += this.#busy * ms
    this.#current.ms += ms
    if (this.#current.ms >= partMs) this.#close(now)
  }

  #close(now: number): void {
    this.#parts.push(this.#current)
    this.#current = { at: now, ms: 0, area: 0, calls: 0, cpuMs: 0 }
    while (this.#parts[0] && this.#parts[0].at + this.#parts[0].ms <= now - longMs) this.#parts.shift()
  }

  #over(now: number, windowMs: number): Pick<Part, 'area' | 'calls' | 'cpuMs'> {
    const sum = { area: 0, calls: 0, cpuMs: 0 }
    for (const part of [...this.#parts, this.#current]) {
      // Of a part that began before the window only what lies in it.
      const inside = Math.min(1, Math.max(0, (part.at + part.ms - (now - windowMs)) / Math.max(1, part.ms)))
      sum.area += part.area * inside
      sum.calls += part.calls * inside
      sum.cpuMs += part.cpuMs * inside
    }
    return sum
  }
}
