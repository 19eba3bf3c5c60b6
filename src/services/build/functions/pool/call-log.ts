import { keptOfCall, type LogLevel } from '../engine/frames.ts'

export interface LogLine {
  at: number
  level: LogLevel
  line: string
}

const leftOut = 'the lines after this one are left out'

/** The lines of one call, over all tries; they become one record, and that has its bounds. */
export class CallLog {
  readonly lines: LogLine[] = []
  #characters = 0
  #isFull = false

  add(one: LogLine): void {
    if (this.#isFull) return
    this.#characters += one.line.length
    this.#isFull = this.lines.length === keptOfCall.lines || this.#characters > keptOfCall.characters
    this.lines.push(this.#isFull ? { ...one, level: 'warn', line: leftOut } : one)
  }
}
