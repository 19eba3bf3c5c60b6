import { setTimeout as delay } from 'node:timers/promises'
import type { Usage } from '../process-usage.ts'

/** How long a copy may keep the thread: then a probe goes unanswered for so long. */
const probeMs = 500
/** Where the process got no processor meanwhile, nobody keeps the thread: the machine is busy. */
const busyMs = 10_000
const ownShare = 0.4
/** Who has filled so much of their memory meanwhile may be collecting at its limit: V8 needs this long to say that it is full. */
const filledShare = 0.5
const fullMs = 2_000

interface Watched {
  /** What the functions of the process may hold. */
  memoryMb: number
  measure(): Usage
  /** Whether it answers anything at all; resolves late where the thread is kept. */
  answers(signal: AbortSignal): Promise<boolean>
  /** Whether it is us who keep the thread. */
  isCollecting(): boolean
  isOver(): boolean
  /** The thread is kept by a function. */
  kill(message: string): void
}

/** Sees to it that no copy keeps the one thread that all of a process have. */
export class ThreadWatch {
  /** When it last said anything at all, and what it held then. */
  heardAt = 0
  #heardMb: number
  /** When each of what is asked now was asked. */
  readonly #asked = new Map<symbol, number>()
  #isProbing = false
  readonly #of: Watched

  constructor(of: Watched) {
    this.#of = of
    this.#heardMb = of.measure().memMb
  }

  /** Something is asked, until what is answered is called: the thread is watched meanwhile. */
  waits(): () => void {
    const key = Symbol()
    this.#asked.set(key, performance.now())
    return () => this.#asked.delete(key)
  }

  /** It said something, and holds so much: the thread is not kept. */
  hears(memMb: number): void {
    this.heardAt = performance.now()
    this.#heardMb = memMb
  }

  /** Asks it for a sign of life where something has gone unanswered for so long. */
  look(patienceMs: number): void {
    const now = performance.now()
    const isSlow = [...this.#asked.values()].some(at => now - at > patienceMs)
    if (isSlow && !this.#isProbing) void this.#probe()
  }

  async #probe(): Promise<void> {
    const { measure, answers, isCollecting, isOver, memoryMb, kill } = this.#of
    this.#isProbing = true
    let from = { at: performance.now(), cpuMs: measure().cpuMs }
    const stop = new AbortController()
    const answered = answers(stop.signal)
    // A talk that broke off is an answer, too: then the process is about to be gone.
    let isAnswered = false
    void answered.then(() => {
      isAnswered = true
    })
    while (!isAnswered && !isOver()) {
      await Promise.race([answered, delay(probeMs)])
      // It works off what it was asked, and the probe waits its turn.
      if (this.heardAt > from.at) from = { at: this.heardAt, cpuMs: measure().cpuMs }
      else if (isCollecting()) from = { at: performance.now(), cpuMs: measure().cpuMs }
      const waitedMs = performance.now() - from.at
      const { cpuMs, memMb } = measure()
      if (isAnswered || waitedMs < probeMs) continue
      const isFilling = memMb - this.#heardMb > memoryMb * filledShare
      const mostMs = isFilling ? fullMs : probeMs * ownShare
      if (cpuMs - from.cpuMs > mostMs || waitedMs > busyMs)
        kill(`a function kept the thread of its project for more than ${probeMs} ms`)
    }
    stop.abort()
    this.#isProbing = false
  }
}
