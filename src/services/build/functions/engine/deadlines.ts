/** When calls have to be over. All of them share one timer: one each would cost a call more than to be looked up. */
export class Deadlines {
  /** By call, on the clock of `performance.now()`. */
  readonly #ends = new Map<string, number>()
  readonly #late: (id: string) => void
  #timer: NodeJS.Timeout | undefined
  #ringsAt = Number.POSITIVE_INFINITY

  /** @param late told once of each call that is not over in time */
  constructor(late: (id: string) => void) {
    this.#late = late
  }

  begin(id: string, timeoutMs: number): void {
    const endsAt = performance.now() + timeoutMs
    this.#ends.set(id, endsAt)
    if (endsAt < this.#ringsAt) this.#ringAt(endsAt)
  }

  end(id: string): void {
    this.#ends.delete(id)
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#ends.clear()
  }

  #ringAt(at: number): void {
    clearTimeout(this.#timer)
    this.#ringsAt = at
    this.#timer = setTimeout(() => this.#ring(), Math.max(1, Math.ceil(at - performance.now())))
    this.#timer.unref()
  }

  /** It may ring for a call that is over already; then it is set for the first of the others. */
  #ring(): void {
    const now = performance.now()
    let next = Number.POSITIVE_INFINITY
    for (const [id, endsAt] of this.#ends) {
      if (endsAt > now) next = Math.min(next, endsAt)
      else {
        this.#ends.delete(id)
        this.#late(id)
      }
    }
    this.#ringsAt = Number.POSITIVE_INFINITY
    if (next < Number.POSITIVE_INFINITY) this.#ringAt(next)
  }
}
