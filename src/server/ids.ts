import type { Clock } from './clock.ts'

const epochMs = Date.UTC(2020, 0, 1)
/** Below the milliseconds: the node and the sequence. */
const timelessBits = 22n

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
    return ((BigInt(this.#lastMs) << timelessBits) | (this.#node << 12n) | BigInt(this.#sequence)).toString()
  }
}

/**
 * The lowest id that is made at a time, in milliseconds since 1970. What took its time before its id and has it at `ms` or
 * later has this id or a higher one: an index by id serves for what happened since then.
 */
export const lowestIdAt = (ms: number): string => (BigInt(Math.max(0, ms - epochMs)) << timelessBits).toString()
