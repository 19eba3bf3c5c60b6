import type { Clock } from './clock.ts'

const epochMs = Date.UTC(2020, 0, 1)

/**
 * Makes ids: 41 bits of milliseconds since 2020, 10 bits of node, 12 bits of sequence, as a decimal string. Ids of one
 * maker always grow, also when its clock steps back.
 */
export class IdMaker {
  readonly #clock: Clock
  readonly #node: bigint
  #lastMs = 0
  #sequence = 0

  constructor(clock: Clock, node: number) {
    this.#clock = clock
    this.#node = BigInt(node & 1023)
  }

  next(): string {
    const ms = Math.max(this.#clock.now() - epochMs, this.#lastMs)
    this.#sequence = ms === this.#lastMs ? this.#sequence + 1 : 0
    this.#lastMs = ms
    if (this.#sequence > 4095) {
      this.#lastMs += 1
      this.#sequence = 0
    }
    return ((BigInt(this.#lastMs) << 22n) | (this.#node << 12n) | BigInt(this.#sequence)).toString()
  }
}
