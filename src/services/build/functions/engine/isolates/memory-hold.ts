import { setTimeout as delay } from 'node:timers/promises'

/** How long a copy that collects may keep the thread; and what all hold be too much, once they were asked to. */
const collectingMs = 2_000

interface Held {
  /** What the process holds now. */
  memMb(): number
  /** What is more makes its copies collect. */
  limitMb(): number
  /** What is more than this over the limit ends it at once. */
  slackMb: number
  copies(): { collect(): Promise<void> }[]
  isOver(): boolean
  /** It holds too much. */
  kill(): void
}

/**
 * Holds a process of isolates to its memory, with and without a bound of the kernel's. V8 knows little of what hangs on its
 * objects in workerd, some kilobytes a call, and collects it late: before a process ends for its memory, its copies collect.
 */
export class MemoryHold {
  readonly #of: Held
  /** When its copies were last asked to collect, and whether what they held was little enough at any time since. */
  #collectedAt = Number.NEGATIVE_INFINITY
  #hasFitted = true
  /** When the copy that collects now was asked to; null where none does. */
  #collectsFrom: number | null = null

  constructor(of: Held) {
    this.#of = of
  }

  /** Whether a copy collects, and for no longer than it may. */
  get isCollecting(): boolean {
    return this.#collectsFrom !== null && performance.now() - this.#collectsFrom < collectingMs
  }

  look(): void {
    const over = this.#of.memMb() - this.#of.limitMb()
    if (over <= 0) {
      this.#hasFitted = true
      return
    }
    const hadTheirTurn = this.#collectsFrom === null && performance.now() - this.#collectedAt >= collectingMs
    if (over > this.#of.slackMb || (hadTheirTurn && !this.#hasFitted)) this.#of.kill()
    else if (hadTheirTurn) void this.#collect()
  }

  /** One copy after another: between two of them the thread is there for calls. */
  async #collect(): Promise<void> {
    this.#hasFitted = false
    this.#collectedAt = performance.now()
    for (const copy of this.#of.copies()) {
      this.#collectsFrom = performance.now()
      const late = delay(collectingMs, true, { ref: false })
      const isLate = await Promise.race([late, copy.collect().then(() => false)])
      // Something else keeps the thread.
      if (isLate || this.#of.isOver()) break
    }
    this.#collectsFrom = null
    if (!this.#of.isOver() && this.#of.memMb() <= this.#of.limitMb()) this.#hasFitted = true
  }
}
