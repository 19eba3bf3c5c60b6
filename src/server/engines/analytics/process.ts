import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { installLine } from './installed.ts'
import type { FailureKind, Order, Report, Row } from './messages.ts'

/** A query that came to no answer; the message says why, without a path. */
export class AnalyticsFailure extends Error {
  readonly kind: FailureKind
  constructor(kind: FailureKind, message: string) {
    super(message)
    this.name = 'AnalyticsFailure'
    this.kind = kind
  }
}

const ownProgram = fileURLToPath(new URL('child.ts', import.meta.url))
/** A query that does not end when it is told to is ended with its process. */
const patienceMs = 5_000

interface Waiting {
  resolve(rows: Row[]): void
  reject(failure: AnalyticsFailure): void
  overdue?: NodeJS.Timeout
}

/** The process with DuckDB and the talk with it; it ends with this one. */
export class AnalyticsProcess {
  readonly #child: ChildProcess
  readonly #waiting = new Map<number, Waiting>()
  #said = ''
  #lastId = 0
  hasEnded = false

  constructor(program: string = ownProgram) {
    // Nothing of our environment: it holds the keys of the server.
    this.#child = spawn(
      process.execPath,
      ['--max-old-space-size=512', '--disable-warning=ExperimentalWarning', program],
      {
        env: { TZ: 'UTC', ...(process.env['PATH'] && { PATH: process.env['PATH'] }) },
        stdio: ['pipe', 'pipe', 'pipe'],
      },
    )
    this.#child.stdin?.on('error', () => undefined)
    this.#child.stderr?.on('data', chunk => {
      this.#said = (this.#said + String(chunk)).slice(-2000)
    })
    if (this.#child.stdout) createInterface({ input: this.#child.stdout }).on('line', line => this.#take(line))
    this.#child.on('error', error => this.#end(error.message))
    this.#child.on('close', (code, signal) => this.#end(signal ?? `code ${code}`))
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  get isBusy(): boolean {
    return this.#waiting.size > 0
  }

  /** Throws `AnalyticsFailure`. Ended by the signal, with the kind that its reason names. */
  ask(order: Omit<Extract<Order, { sql: string }>, 'id'>, signal: AbortSignal): Promise<Row[]> {
    const id = ++this.#lastId
    return new Promise((resolve, reject) => {
      const waiting: Waiting = { resolve, reject }
      const cancel = () => {
        this.#say({ id, cancel: true })
        waiting.overdue = setTimeout(() => this.#child.kill('SIGKILL'), patienceMs)
      }
      const done = () => {
        clearTimeout(waiting.overdue)
        signal.removeEventListener('abort', cancel)
      }
      waiting.resolve = rows => {
        done()
        resolve(rows)
      }
      waiting.reject = failure => {
        done()
        reject(failure)
      }
      this.#waiting.set(id, waiting)
      this.#say({ id, ...order })
      if (signal.aborted) cancel()
      else signal.addEventListener('abort', cancel)
    })
  }

  /** Lets it end; resolves when it has. */
  async end(): Promise<void> {
    if (this.hasEnded) return
    const ended = new Promise(resolve => this.#child.once('close', resolve))
    this.#child.stdin?.end()
    const late = setTimeout(() => this.#child.kill('SIGKILL'), patienceMs)
    await ended
    clearTimeout(late)
  }

  #say(order: Order): void {
    if (!this.hasEnded) this.#child.stdin?.write(`${JSON.stringify(order)}\n`)
  }

  #take(line: string): void {
    const report = JSON.parse(line) as Report
    const waiting = this.#waiting.get(report.id)
    this.#waiting.delete(report.id)
    if ('rows' in report) waiting?.resolve(report.rows)
    else waiting?.reject(new AnalyticsFailure(report.failure, withInstall(report)))
  }

  #end(how: string): void {
    if (this.hasEnded) return
    this.hasEnded = true
    const last = this.#said.trim().split('\n').at(-1) ?? ''
    const words = `the analytics process ended (${how})${last === '' ? '' : `: ${last}`}`
    for (const waiting of this.#waiting.values()) waiting.reject(new AnalyticsFailure('crashed', withoutPaths(words)))
    this.#waiting.clear()
  }
}

function withInstall({ failure, message }: Extract<Report, { failure: string }>): string {
  return failure === 'missing' ? `${message}; to install it: ${installLine}` : withoutPaths(message)
}

/** What DuckDB says names files by where they are on this machine. */
function withoutPaths(message: string): string {
  return message.replace(/(?<![\w.])\/(?:[^\s/"']+\/)+/g, '')
}
