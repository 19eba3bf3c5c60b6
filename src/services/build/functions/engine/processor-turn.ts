import { readFileSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import { takeIntoIdle } from './idle-group.ts'

/** How far functions stand behind the server, as niceness: those that answer before one that keeps a processor busy. */
export const usualNice = 5
export const greedyNice = 19
/** Whoever wants a processor for more than this share of the time gives way to the others until it wants less. */
const greedyShare = 0.9

/** The turn of one process of functions among all that want a processor. */
export class ProcessorTurn {
  readonly #pid: number
  #lookedAt = performance.now()
  #lookedMs: number
  #isGreedy = false
  #isIdle = false
  /** One after another: the kernel takes its time. */
  #moved: Promise<void> = Promise.resolve()

  constructor(pid: number) {
    this.#pid = pid
    this.#lookedMs = wantedMs(pid)
    takeTurn(pid, usualNice)
  }

  /** @param hasAnswered whether a call of it came to its end since the last look: what computes for many is no loop */
  look(hasAnswered: boolean): void {
    const [now, ms] = [performance.now(), wantedMs(this.#pid)]
    const isGreedy = ms - this.#lookedMs > (now - this.#lookedAt) * greedyShare
    this.#lookedAt = now
    this.#lookedMs = ms
    if (isGreedy !== this.#isGreedy && takeTurn(this.#pid, isGreedy ? greedyNice : usualNice)) this.#isGreedy = isGreedy
    const isIdle = isGreedy && !hasAnswered
    if (isIdle === this.#isIdle) return
    this.#isIdle = isIdle
    this.#moved = this.#moved.then(() => takeIntoIdle(this.#pid, isIdle))
  }
}

/** How long the thread that runs a function's code had a processor, and waited for one because others had them. */
function wantedMs(pid: number): number {
  try {
    const [had = 0, waited = 0] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ').map(Number)
    return (had + waited) / 1e6
  } catch {
    return 0
  }
}

/**
 * Sets the niceness of a process, and of its session.
 *
 * @returns false where the process is gone; or where only root may take it forward again, and then it stays behind
 */
export function takeTurn(pid: number, nice: number): boolean {
  try {
    os.setPriority(pid, nice)
  } catch {
    return false
  }
  takeTurnOfSession(pid, nice)
  return true
}

/**
 * Where the kernel shares its time out by sessions first, the niceness of a process counts within its own session only
 * (sched(7), "The autogroup feature"). Each process that the launcher begins has one, with all that it begins itself.
 * Anybody may take it forward again; but others than root only ten times a second, all of the machine together.
 */
export function takeTurnOfSession(pid: number, nice: number): void {
  try {
    writeFileSync(`/proc/${pid}/autogroup`, String(nice))
  } catch {
    // A kernel without sessions that count, or a process that is gone.
  }
}
