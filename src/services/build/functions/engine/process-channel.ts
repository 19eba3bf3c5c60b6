import { type ChildProcess, spawn } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { readFileSync } from 'node:fs'
import type { Duplex } from 'node:stream'
import { encodeFrame, FrameReader, type Order, type Report } from './frames.ts'
import { readReport } from './reports.ts'
import type { Launch } from './sandbox.ts'

/** What one process may say in ten seconds, whatever it is. */
const mostBytesInWindow = 64 * 1024 * 1024
const windowMs = 10_000

interface Events {
  report: [Report]
  /** Once: no process is left. `isBroken` where it said what cannot be read. */
  end: [{ code: number | null; signal: NodeJS.Signals | null; isBroken: boolean; said: string }]
}

/** One sandboxed process and the talk with it. */
export class ProcessChannel extends EventEmitter<Events> {
  readonly #child: ChildProcess
  readonly #channel: Duplex
  readonly #reader = new FrameReader<unknown>()
  #said = ''
  #isBroken = false
  #windowBytes = 0
  #windowFrom = performance.now()
  #inner: number | undefined
  hasEnded = false

  constructor(launch: Launch) {
    super()
    this.#child = spawn(launch.command, launch.args, {
      env: launch.env,
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      cwd: '/',
    })
    this.#channel = this.#child.stdio[3] as Duplex
    this.#channel.on('data', chunk => this.#take(chunk))
    this.#channel.on('error', () => undefined)
    // Node itself writes here when it cannot go on: out of memory, a flag that it does not know.
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.on('data', chunk => {
        this.#said = (this.#said + String(chunk)).slice(-4000)
      })
    }
    const end = (code: number | null, signal: NodeJS.Signals | null) => {
      if (this.hasEnded) return
      this.hasEnded = true
      this.#channel.destroy()
      this.emit('end', { code, signal, isBroken: this.#isBroken, said: this.#said })
    }
    this.#child.on('error', error => {
      this.#said = error.message
      end(null, null)
    })
    this.#child.on('close', end)
  }

  /** What is said in one turn goes out as one: a write for each call would cost more than all the rest of it. */
  say(order: Order): void {
    if (this.hasEnded || this.#channel.destroyed) return
    if (this.#channel.writableCorked === 0) {
      this.#channel.cork()
      setImmediate(() => this.#channel.uncork())
    }
    this.#channel.write(encodeFrame(order))
  }

  kill(): void {
    if (!this.hasEnded) this.#child.kill('SIGKILL')
  }

  /** The pid of Node itself, inside of what walls it in. */
  get pid(): number | undefined {
    if (this.#inner === undefined && this.#child.pid !== undefined) this.#inner = innermost(this.#child.pid)
    return this.#inner
  }

  #take(chunk: Buffer): void {
    const now = performance.now()
    if (now - this.#windowFrom > windowMs) {
      this.#windowFrom = now
      this.#windowBytes = 0
    }
    this.#windowBytes += chunk.length
    try {
      if (this.#windowBytes > mostBytesInWindow) throw new Error('too much was said')
      for (const said of this.#reader.read(chunk)) {
        const report = readReport(said)
        if (!report) throw new Error('something was said that is no report')
        this.emit('report', report)
      }
    } catch {
      this.#isBroken = true
      this.kill()
    }
  }
}

/** prlimit, setpriv and bwrap replace themselves or wait for one child: the last of the line is Node. */
function innermost(pid: number): number | undefined {
  let at = pid
  try {
    for (;;) {
      const children = readFileSync(`/proc/${at}/task/${at}/children`, 'utf8').trim().split(' ')
      const next = Number(children[0])
      if (!next) return at
      at = next
    }
  } catch {
    return undefined
  }
}
