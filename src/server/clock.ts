/** The one source of time. Tests turn it instead of sleeping. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number
}

export const systemClock: Clock = { now: Date.now }

/** A clock that runs with the system's and can be turned forward, and held for tests that count seconds. */
export class TurnableClock implements Clock {
  #offsetMs = 0
  #heldAt: number | undefined

  now(): number {
    return (this.#heldAt ?? Date.now()) + this.#offsetMs
  }

  /** Stands still, but for `turn`, until `run`. */
  hold(): void {
    this.#heldAt = Date.now()
  }

  run(): void {
    this.#heldAt = undefined
  }

  turn(ms: number): void {
    this.#offsetMs += ms
  }
}
