/** With more groups at once each is smaller, and costs as much: the next one goes alongside when it is worth it, */
const leastAlongside = 8
/** or when one of the others waits for somebody. */
const slowMs = 50
const groupsAtOnce = 4
const mostOfGroup = 64

/** One of those that go together, and whoever waits for what becomes of it. */
export interface Waiting<One, Answer> {
  readonly key: string
  readonly one: One
  resolve(answer: Answer): void
  reject(error: unknown): void
}

export interface Grouping<One, Answer> {
  /** Of two with one key the second comes after the first. */
  keyOf(one: One): string
  /**
   * Does them in one go, and tells each what became of it. They are in the order of their keys, so that two groups never
   * wait for each other. Where it throws because PostgreSQL refused, each goes alone: it may have been for the sake of one.
   */
  act(group: readonly Waiting<One, Answer>[]): Promise<void>
  /** Called when nothing is left to do. */
  isIdle?(): void
}

/**
 * Does things together with those that come while others are being done: one statement and one wait for the disk for all
 * of them. Whoever comes alone waits for nobody.
 */
export class Together<One, Answer> {
  readonly #grouping: Grouping<One, Answer>
  #waiting: Told<One, Answer>[] = []
  #running = 0
  #begunAt = 0

  constructor(grouping: Grouping<One, Answer>) {
    this.#grouping = grouping
  }

  add(one: One): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push(new Told(this.#grouping.keyOf(one), one, resolve, reject))
      this.#next()
    })
  }

  #next(): void {
    while (this.#waiting.length > 0 && this.#hasTurn()) {
      const group = this.#take()
      this.#running++
      this.#begunAt = performance.now()
      void this.#do(group).then(() => {
        this.#running--
        this.#next()
      })
    }
    if (this.#running === 0) this.#grouping.isIdle?.()
  }

  #hasTurn(): boolean {
    if (this.#running === 0) return true
    const isWorthIt = this.#waiting.length >= leastAlongside || performance.now() - this.#begunAt > slowMs
    return isWorthIt && this.#running < groupsAtOnce
  }

  /** The first ones, each key once. */
  #take(): Told<One, Answer>[] {
    const group = new Map<string, Told<One, Answer>>()
    const rest: Told<One, Answer>[] = []
    for (const one of this.#waiting) {
      if (group.size < mostOfGroup && !group.has(one.key)) group.set(one.key, one)
      else rest.push(one)
    }
    this.#waiting = rest
    return [...group.values()].sort((a, b) => (a.key < b.key ? -1 : 1))
  }

  /** Never rejects: each of the group is told what became of it. */
  async #do(group: readonly Told<One, Answer>[]): Promise<void> {
    try {
      await this.#grouping.act(group)
    } catch (error) {
      const left = group.filter(one => !one.isTold)
      // Where PostgreSQL did not answer nobody knows what it did.
      if (group.length === 1 || !isRefusedByPostgres(error)) for (const one of left) one.reject(error)
      else for (const one of left) await this.#do([one])
    }
  }
}

class Told<One, Answer> implements Waiting<One, Answer> {
  readonly key: string
  readonly one: One
  readonly #resolve: (answer: Answer) => void
  readonly #reject: (error: unknown) => void
  isTold = false

  constructor(key: string, one: One, resolve: (answer: Answer) => void, reject: (error: unknown) => void) {
    this.key = key
    this.one = one
    this.#resolve = resolve
    this.#reject = reject
  }

  resolve(answer: Answer): void {
    this.isTold = true
    this.#resolve(answer)
  }

  reject(error: unknown): void {
    this.isTold = true
    this.#reject(error)
  }
}

const isRefusedByPostgres = (error: unknown) =>
  /^[0-9A-Z]{5}$/.test(String((error as { code?: string } | null)?.code ?? '')) &&
  (error as { severity?: string }).severity === 'ERROR'
