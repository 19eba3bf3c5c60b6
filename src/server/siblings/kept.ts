import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { Log } from '../log.ts'
import type { Siblings } from './siblings.ts'

/** What a process says to the one that started it: as soon as it can be asked, and as soon as it serves. */
export const joinsNow = 'joins now'
export const servesNow = 'serves now'

export interface KeptOptions {
  siblings: Siblings
  log: Log
  /** The file that is run, with the flags of this process. */
  program: string
  env: NodeJS.ProcessEnv
  /** Before one that has ended is started again: the second time twice as long, and so on. */
  pauseMs?: number
}

const mostPauseMs = 30_000
/** One that has served for so long ended for a reason of its own. */
const soundMs = 60_000
/** The first one ends itself after 15 s. */
const endMs = 12_000

/** A further process that serves the same port: started again whenever it ends, until it is closed. It never outlives us. */
export class KeptProcess {
  readonly #options: KeptOptions
  #child: ChildProcess | undefined
  #timer: NodeJS.Timeout | undefined
  #pauseMs: number
  #isClosed = false

  constructor(options: KeptOptions) {
    this.#options = options
    this.#pauseMs = this.#firstPauseMs
  }

  get pid(): number | undefined {
    return this.#child?.pid
  }

  /** Returns when it serves, or has ended before it did. */
  start(): Promise<void> {
    const startedAt = performance.now()
    return new Promise(resolve => {
      const over = (how: object) => {
        resolve()
        if (!this.#isClosed) this.#startAgain(how, performance.now() - startedAt)
      }
      try {
        this.#child = this.#fork(resolve, over)
      } catch (error) {
        over({ reason: (error as Error).message })
      }
    })
  }

  #fork(serves: () => void, over: (how: object) => void): ChildProcess {
    const { siblings, program, env } = this.#options
    const child = fork(program, { env, execArgv: process.execArgv, serialization: 'advanced' })
    child.on('message', message => {
      if (message === joinsNow) siblings.join(child)
      if (message === servesNow) serves()
    })
    child.once('exit', (code, signal) => over({ code, signal }))
    // Of one that was never there no end is told.
    child.on('error', ({ message: reason }) => child.pid === undefined && over({ reason }))
    return child
  }

  #startAgain(how: object, livedMs: number): void {
    if (livedMs > soundMs) this.#pauseMs = this.#firstPauseMs
    this.#options.log.warn({ ...how, againInMs: this.#pauseMs }, 'a further process ended; it is started again')
    this.#timer = setTimeout(() => void this.start(), this.#pauseMs)
    this.#pauseMs = Math.min(mostPauseMs, this.#pauseMs * 2)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    const child = this.#child
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), endMs)
    await gone
    clearTimeout(timer)
  }

  get #firstPauseMs(): number {
    return this.#options.pauseMs ?? 500
  }
}
