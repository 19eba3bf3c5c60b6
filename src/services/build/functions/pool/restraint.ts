import type { Fault } from '../engine/port.ts'
import { backoffMs, crashLoopAfter, restMs } from '../rules.ts'

/** Copies that are started in a second, at most. */
const startsPerSecond = 10

/**
 * How far the starts of copies of one version are held back: to so many a second, after starts that failed one after
 * another, and after copies that died of their calls.
 */
export class Restraint {
  readonly #now: () => number
  readonly #rested: () => void
  #left = startsPerSecond
  #failures = 0
  #retryAt = 0
  #fault: Fault | null = null
  /** Copies that died one after another, without an answer in between; what dies together dies of one cause, and is one. */
  #deaths = 0
  #startedAtDeath = 0
  #rest: NodeJS.Timeout | undefined

  /** @param rested called when a rest is over */
  constructor(now: () => number, rested: () => void) {
    this.#now = now
    this.#rested = rested
  }

  /** Why the last start failed; null after one that did not. */
  get fault(): Fault | null {
    return this.#fault
  }

  /** Whether the last copies died of their calls, without an answer since. */
  get hasDied(): boolean {
    return this.#deaths > 0
  }

  /** How many may be started at once now. */
  get room(): number {
    return this.#rest ? 0 : this.#left
  }

  /** Whether starts fail again and again, and the next one is not due yet. */
  get isLooping(): boolean {
    return this.#failures >= crashLoopAfter && !this.isDue
  }

  /** Whether the wait after a failed start is over. */
  get isDue(): boolean {
    return this.#now() >= this.#retryAt
  }

  second(): void {
    this.#left = startsPerSecond
  }

  starting(): void {
    this.#left--
  }

  started(): void {
    this.#failures = 0
    this.#fault = null
  }

  failed(fault: Fault | null): void {
    this.#failures++
    this.#fault = fault
    this.#retryAt = this.#now() + backoffMs(this.#failures)
  }

  answered(): void {
    this.#deaths = 0
  }

  /** @param order of the copy that died, among `started` of them so far */
  died(order: number, started: number): void {
    if (order <= this.#startedAtDeath) return
    this.#startedAtDeath = started
    const ms = restMs(++this.#deaths)
    if (ms === 0) return
    clearTimeout(this.#rest)
    this.#rest = setTimeout(() => {
      this.#rest = undefined
      this.#rested()
    }, ms)
  }

  close(): void {
    clearTimeout(this.#rest)
  }
}
