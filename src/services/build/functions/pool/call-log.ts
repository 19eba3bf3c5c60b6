import { keptOfCall, type LogLevel } from '../engine/frames.ts'
import type { Instance } from '../engine/port.ts'

export interface LogLine {
  at: number
  level: LogLevel
  line: string
}

const leftOut = 'the lines after this one are left out'

/** Of what a copy writes outside of calls: before the first one, or between two. */
export const keptBetween = { lines: 200, characters: 200_000 }

/** The lines of one call, over all tries; they become one record, and that has its bounds. */
export class CallLog {
  lines: LogLine[] = []
  readonly #kept: typeof keptBetween
  #characters = 0
  #isFull = false

  constructor(kept: typeof keptBetween = keptOfCall) {
    this.#kept = kept
  }

  add(one: LogLine): void {
    if (this.#isFull) return
    this.#characters += one.line.length
    this.#isFull = this.lines.length === this.#kept.lines || this.#characters > this.#kept.characters
    this.lines.push(this.#isFull ? { ...one, level: 'warn', line: leftOut } : one)
  }

  empty(): readonly LogLine[] {
    const { lines } = this
    if (lines.length === 0) return lines
    this.lines = []
    this.#characters = 0
    this.#isFull = false
    return lines
  }

  /** What was written before. */
  begin(before: readonly LogLine[]): void {
    if (before.length > 0) this.lines = [...before, ...this.lines]
  }
}

/** What the copies of a version write outside of calls. It is in the log of the next call, so that it is seen at all. */
export class LinesBetween {
  /** A call may ask after the end of the copy that it ended. */
  readonly #copies = new WeakMap<Instance, CallLog>()
  #failed: CallLog | undefined

  /** `log` is what the copy writes into from its start on. */
  async follow(starting: Promise<Instance>, log: CallLog): Promise<Instance> {
    try {
      const instance = await starting
      this.#copies.set(instance, log)
      this.#failed = undefined
      return instance
    } catch (error) {
      this.#failed = log
      throw error
    }
  }

  /** Of the last copy that could not begin: for everybody who waited for it. */
  ofFailed(): readonly LogLine[] {
    return this.#failed?.lines ?? []
  }

  /** Each line once. */
  take(instance: Instance): readonly LogLine[] {
    return this.#copies.get(instance)?.empty() ?? []
  }
}
