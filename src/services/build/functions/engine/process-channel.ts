import { EventEmitter } from 'node:events'
import { readFileSync } from 'node:fs'
import type { Duplex } from 'node:stream'
import { encodeFrame, FrameReader, type Order, type Report, type Result } from './frames.ts'
import type { Launched } from './launcher/launcher.ts'
import type { Ending } from './launcher/messages.ts'
import { readReport } from './reports.ts'

/** What one process may say in ten seconds that nobody asked it for. */
const mostBytesInWindow = 64 * 1024 * 1024
const windowMs = 10_000
/** What is listened to in one slice of time. What is more waits with whoever says it, and no other call waits for it. */
const slice = { ms: 50, reports: 1000, lineCharacters: 256 * 1024 }

/** Orders that go out in one write. */
const mostTogether = 16

interface Events {
  report: [Report]
  /** Once: no process is left. `isBroken` where it said what cannot be read. */
  end: [Ending & { isBroken: boolean }]
}

/** What is talked to: a process, or a copy in one. */
type Talker = Pick<Launched, 'pid' | 'ended' | 'kill'> & { socket: Duplex }

/** The talk with one copy, in frames. */
export class ProcessChannel extends EventEmitter<Events> {
  readonly #process: Talker
  readonly #reader = new FrameReader(readReport)
  #isBroken = false
  #windowBytes = 0
  #windowFrom = performance.now()
  #sliceFrom = 0
  #sliceReports = 0
  #sliceCharacters = 0
  /** Calls without an answer: to each of them belongs one. */
  readonly #asked = new Set<string>()
  #inner: number | undefined
  /** Said, and not sent yet: the frames, and how many. */
  #frames = ''
  #waiting = 0
  hasEnded = false

  constructor(launched: Talker) {
    super()
    this.#process = launched
    const { socket } = launched
    const closed = new Promise(resolve => socket.once('close', resolve))
    socket.on('data', chunk => this.#take(chunk))
    // The last that it said may still be on its way when it has ended.
    void Promise.all([launched.ended, closed]).then(([ending]) => {
      this.hasEnded = true
      this.emit('end', { ...ending, isBroken: this.#isBroken })
    })
  }

  /**
   * What is said in one turn goes out some at a time: a write for each call would cost more than all the rest of it, and
   * one for all would let the copy wait for the end of the turn.
   */
  say(order: Order): void {
    const { socket } = this.#process
    if (socket.destroyed) return
    if (order.type === 'call') this.#asked.add(order.id)
    if (this.#waiting === 0) process.nextTick(() => this.#send())
    this.#frames += encodeFrame(order)
    if (++this.#waiting === mostTogether) this.#send()
  }

  #send(): void {
    const { socket } = this.#process
    if (this.#waiting === 0 || socket.destroyed) return
    socket.write(this.#frames, 'latin1')
    this.#frames = ''
    this.#waiting = 0
  }

  kill(): void {
    if (!this.hasEnded) this.#process.kill()
  }

  /** The pid of Node itself, inside of what walls it in. */
  get pid(): number | undefined {
    this.#inner ??= innermost(this.#process.pid)
    return this.#inner
  }

  #take(chunk: Buffer): void {
    const now = performance.now()
    if (now - this.#windowFrom > windowMs) {
      this.#windowFrom = now
      this.#windowBytes = 0
    }
    if (now - this.#sliceFrom > slice.ms) {
      this.#sliceFrom = now
      this.#sliceReports = 0
      this.#sliceCharacters = 0
    }
    this.#windowBytes += chunk.length
    try {
      for (const report of this.#reader.read(chunk)) {
        if (!report) throw new Error('something was said that is no report')
        this.#weigh(report)
        this.emit('report', report)
      }
      if (this.#windowBytes > mostBytesInWindow) throw new Error('too much was said')
    } catch {
      this.#isBroken = true
      this.kill()
    }
    if (this.#sliceReports > slice.reports || this.#sliceCharacters > slice.lineCharacters)
      this.#restFor(slice.ms - (performance.now() - this.#sliceFrom))
  }

  #weigh(report: Report): void {
    if ((report.type === 'answered' || report.type === 'threw') && this.#asked.delete(report.id)) {
      if (report.type === 'answered') this.#windowBytes -= sizeOf(report.result)
      return
    }
    this.#sliceReports++
    if (report.type === 'logged') this.#sliceCharacters += report.line.length
  }

  #restFor(ms: number): void {
    const { socket } = this.#process
    socket.pause()
    setTimeout(() => socket.resume(), Math.max(1, ms))
  }
}

const sizeOf = (result: Result) => (result.kind === 'json' ? result.text : result.body).length

/** prlimit, setpriv and bwrap replace themselves or wait for one child: the last of the line is the program itself. */
export function innermost(pid: number): number | undefined {
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
