import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { Log } from '../log.ts'
import type { Siblings } from './siblings.ts'

/** What a process says to the one that started it as soon as it serves. */
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
/** A server has 15 s for its calls. */
const endMs = 20_000

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
    const { siblings, log, program, env } = this.#options
    const startedAt = performance.now()
    const child = fork(program, { env, execArgv: process.execArgv, serialization: 'advanced' })
    this.#child = child
    return new Promise(resolve => {
      child.on('message', message => {
        if (message !== servesNow) return
        siblings.join(child)
        resolve()
      })
      // What cannot be started at all is said so, and nothing follows but this.
      child.on('error', error => log.error({ pid: child.pid, reason: error.message }, 'a further process failed'))
      child.once('close', (code, signal) => {
        resolve()
        if (this.#isClosed) return
        if (performance.now() - startedAt > soundMs) this.#pauseMs = this.#firstPauseMs
        log.warn({ code, signal, againInMs: this.#pauseMs }, 'a further process ended; it is started again')
        this.#timer = setTimeout(() => void this.start(), this.#pauseMs)
        this.#pauseMs = Math.min(mostPauseMs, this.#pauseMs * 2)
      })
    })
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
