import { readFileSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import type { ProcessorShare } from './processor-share.ts'

/** How far functions stand behind the server, as niceness: those that answer before one that keeps a processor busy. */
export const usualNice = 5
export const greedyNice = 19
/** Whoever wants a processor for more than this share of the time gives way to the others until it wants less. */
const greedyShare = 0.9
/** And has had it for so long since it last wanted less: a newcomer that only waits for its first turn is not greedy. */
const greedyMs = 20
/** Whoever wants it for less than this share has slept most of the time: nothing more is asked about it. */
const idleShare = 0.02
/** With less than this share for so long what computes is a newcomer again: it may be near its answer, and nobody starves. */
const starvedShare = 0.05
const starvedAfterMs = 2_000

/** The turn of one process of functions among all that want a processor. */
export class ProcessorTurn {
  readonly #pid: number
  readonly #share: ProcessorShare | null
  #isWary: boolean
  #lookedAt = performance.now()
  #looked: Time
  /** How often it had gone to sleep when it was looked at; undefined where it slept, or nobody asked. */
  #sleeps: number | undefined
  /** What it had had of a processor when it last wanted less than all of one, or had starved. */
  #calmMs: number
  #isGreedy = false
  #isIdle = false
  /** Since when what it gets in the idle group is counted, and what it had had by then. */
  #idleFrom = { at: 0, hadMs: 0 }

  /**
   * @param share what the process has of the processors, where it has one of its own
   * @param isWary whether it begins behind all others, until it has answered
   */
  constructor(pid: number, share: ProcessorShare | null, isWary = false) {
    this.#pid = pid
    this.#share = share
    this.#isWary = isWary
    this.#looked = timeOf(pid)
    this.#calmMs = this.#looked.hadMs
    this.#idleFrom = { at: this.#lookedAt, hadMs: this.#calmMs }
    this.#isIdle = isWary
    this.#isGreedy = isWary
    this.#take()
  }

  /** @param hasAnswered whether a call of it came to its end since the last look: what computes for many is no loop */
  look(hasAnswered: boolean): void {
    const [now, time] = [performance.now(), timeOf(this.#pid)]
    const wantedMs = time.hadMs + time.waitedMs - this.#looked.hadMs - this.#looked.waitedMs
    const wantsAll = this.#wantsAll(wantedMs / (now - this.#lookedAt))
    const hasStarved = this.#hasStarved(now, time.hadMs)
    if (hasStarved || !wantsAll) this.#calmMs = time.hadMs
    if (hasStarved || hasAnswered) this.#isWary = false
    this.#lookedAt = now
    this.#looked = time
    const isGreedy = this.#isWary || time.hadMs - this.#calmMs >= greedyMs
    const isIdle = isGreedy && !hasAnswered
    if (isGreedy === this.#isGreedy && isIdle === this.#isIdle) return
    this.#isGreedy = isGreedy
    this.#isIdle = isIdle
    this.#take()
  }

  #take(): void {
    const nice = this.#isGreedy ? greedyNice : usualNice
    this.#share?.set(nice, this.#isIdle)
    takeTurn(this.#pid, nice)
  }

  /**
   * The kernel counts a wait when it is over, and where many want a processor one may be longer than from look to look:
   * whoever has not gone to sleep in between wanted it all the time, too.
   */
  #wantsAll(share: number): boolean {
    const before = this.#sleeps
    this.#sleeps = share > idleShare || this.#isGreedy ? sleepsOf(this.#pid) : undefined
    return share > greedyShare || (before !== undefined && before === this.#sleeps)
  }

  #hasStarved(at: number, hadMs: number): boolean {
    const passedMs = at - this.#idleFrom.at
    if (this.#isIdle && passedMs < starvedAfterMs) return false
    const isShort = hadMs - this.#idleFrom.hadMs < passedMs * starvedShare
    this.#idleFrom = { at, hadMs }
    return this.#isIdle && isShort
  }
}

interface Time {
  hadMs: number
  waitedMs: number
}

/** How long the thread that runs a function's code had a processor, and waited for one because others had them. */
function timeOf(pid: number): Time {
  try {
    const [had = 0, waited = 0] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ').map(Number)
    return { hadMs: had / 1e6, waitedMs: waited / 1e6 }
  } catch {
    return { hadMs: 0, waitedMs: 0 }
  }
}

/** How often the thread that runs a function's code went to sleep; undefined where it sleeps, or is gone. */
function sleepsOf(pid: number): number | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const [, sleeps] = /^State:\tR[\s\S]*^voluntary_ctxt_switches:\t(\d+)/m.exec(status) ?? []
    return sleeps === undefined ? undefined : Number(sleeps)
  } catch {
    return undefined
  }
}

/** Sets the niceness of a process, and of its session. One that is gone stays as it is, and one that only root may take forward again. */
export function takeTurn(pid: number, nice: number): void {
  try {
    os.setPriority(pid, nice)
    takeTurnOfSession(pid, nice)
  } catch {
    // Its session stays with it.
  }
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
