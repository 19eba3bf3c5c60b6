const windowMs = 60_000
/** Callers remembered in one window; beyond them the count begins anew, so that a flood of addresses fills no memory. */
const maxCallers = 20_000

/** Calls that each caller may make a minute, counted in windows that begin with the first call after the last one's end. */
export class Allowance {
  readonly #calls: number
  #spent = new Map<string, number>()
  #endsAt = 0

  /** @param calls how many each caller has a minute */
  constructor(calls: number) {
    this.#calls = calls
  }

  /** Spends one call; 0 where it was within the allowance, else the seconds until there is a new one. */
  spend(caller: string, now: number): number {
    const spent = this.add(caller, 1, now)
    return spent <= this.#calls ? 0 : Math.max(1, Math.ceil((this.#endsAt - now) / 1000))
  }

  /** Counts calls that were made; answers how many the caller has made in this window. */
  add(caller: string, calls: number, now: number): number {
    if (now >= this.#endsAt || this.#endsAt - now > windowMs || this.#spent.size >= maxCallers) {
      this.#spent = new Map()
      this.#endsAt = now + windowMs
    }
    const spent = (this.#spent.get(caller) ?? 0) + calls
    this.#spent.set(caller, spent)
    return spent
  }

  /** Whether a caller has spent half of it. */
  isHalfSpent(caller: string): boolean {
    return (this.#spent.get(caller) ?? 0) * 2 >= this.#calls
  }
}
