import type { Siblings } from './siblings/siblings.ts'

const topic = 'gathered'

/**
 * What a process gathers in memory and writes some at a time, such as counts: nobody who is counted waits for a query.
 * Whoever is about to look has all processes that share the port write it first.
 */
export class Gathered {
  readonly #siblings: Siblings
  readonly #writers = new Map<string, () => Promise<void>>()

  constructor(siblings: Siblings) {
    this.#siblings = siblings
    siblings.answer(topic, name => this.#write(name as string))
  }

  /** Call when the process starts. */
  add(name: string, write: () => Promise<void>): void {
    this.#writers.set(name, write)
  }

  /** Returns when what was gathered until now is on record. */
  async write(name: string): Promise<void> {
    if (this.#siblings.place.of === 1) return this.#write(name)
    await Promise.all([this.#write(name), this.#siblings.ask(topic, name)])
  }

  async #write(name: string): Promise<void> {
    await this.#writers.get(name)?.()
  }
}
