/** The one source of time. Tests turn it instead of sleeping. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number
}

export const systemClock: Clock = { now: Date.now }

/** A clock that runs with the system's and can be turned forward. */
export class TurnableClock implements Clock {
  #offsetMs = 0

  now(): number {
    return Date.now() + this.#offsetMs
  }

  turn(ms: number): void {
    this.#offsetMs += ms
  }
}
