/** Sums over the calls in a window. */
export interface Totals {
  calls: number
  failures: number
  slow: number
}

export interface Window {
  add(at: number, isFailure: boolean, isSlow: boolean): void
  totals(at: number): Totals
}

const none = (): Totals => ({ calls: 0, failures: 0, slow: 0 })

/** The last `size` calls. */
export class CountWindow implements Window {
  readonly #ring: { isFailure: boolean; isSlow: boolean }[] = []
  readonly #size: number
  readonly #totals = none()
  #next = 0

  constructor(size: number) {
    this.#size = size
  }

  add(_at: number, isFailure: boolean, isSlow: boolean): void {
    const old = this.#ring[this.#next]
    if (old) count(this.#totals, old.isFailure, old.isSlow, -1)
    this.#ring[this.#next] = { isFailure, isSlow }
    this.#next = (this.#next + 1) % this.#size
    count(this.#totals, isFailure, isSlow, 1)
  }

  totals(): Totals {
    return { ...this.#totals }
  }
}

/** The calls of the last `seconds`, in parts of one second. */
export class TimeWindow implements Window {
  readonly #parts = new Map<number, Totals>()
  readonly #seconds: number

  constructor(seconds: number) {
    this.#seconds = seconds
  }

  add(at: number, isFailure: boolean, isSlow: boolean): void {
    this.#forget(at)
    const second = Math.floor(at / 1000)
    const part = this.#parts.get(second) ?? none()
    this.#parts.set(second, part)
    count(part, isFailure, isSlow, 1)
  }

  totals(at: number): Totals {
    this.#forget(at)
    const sum = none()
    for (const part of this.#parts.values()) {
      sum.calls += part.calls
      sum.failures += part.failures
      sum.slow += part.slow
    }
    return sum
  }

  #forget(at: number): void {
    const oldest = Math.floor(at / 1000) - this.#seconds
    for (const second of this.#parts.keys()) if (second <= oldest) this.#parts.delete(second)
  }
}

function count(totals: Totals, isFailure: boolean, isSlow: boolean, by: 1 | -1): void {
  totals.calls += by
  if (isFailure) totals.failures += by
  if (isSlow) totals.slow += by
}
