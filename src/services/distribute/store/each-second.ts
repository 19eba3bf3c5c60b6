/** Does `work` once a second from `start` on, never two at a time, and once more at `stop`. `work` does not throw. */
export class EachSecond {
  readonly #work: () => Promise<void>
  #timer: NodeJS.Timeout | undefined
  #last: Promise<void> = Promise.resolve()

  constructor(work: () => Promise<void>) {
    this.#work = work
  }

  start(): void {
    this.#timer = setInterval(() => void this.now(), 1_000).unref()
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.now()
  }

  /** Without waiting for the second to end; resolves when it is done. */
  now(): Promise<void> {
    this.#last = this.#last.then(this.#work)
    return this.#last
  }
}
