import { randomUUID } from 'node:crypto'
import pLimit from 'p-limit'
import { type Dispatcher, Pool } from 'undici'
import type { Report } from '../frames.ts'
import type { Launched, Launcher } from '../launcher/launcher.ts'
import { innermost } from '../process-channel.ts'
import { type Usage, usageOf } from '../process-usage.ts'
import { removeHome } from '../sandbox.ts'
import { Egress } from './egress.ts'
import { boundMemory } from './memory-bound.ts'
import { closePlace, launchOf, makePlace } from './place.ts'
import { readReports } from './report-lines.ts'

const bootTimeoutMs = 10_000
/** What workerd itself takes, and then each copy besides what its code holds. */
const ownMb = 96
const copyMb = 4
const mostCopies = 64
/** Loaded since it began; a name that ended leaves a little behind. */
const mostLoaded = 500
/** At once: more of them would keep the thread together as long as a loop does. */
const mostLoading = 4
const lookEveryMs = 250
/** How long a copy may keep the thread: then a probe goes unanswered for so long. */
const probeMs = 500
/** Where the process got no processor meanwhile, nobody keeps the thread: the machine is busy. */
const busyMs = 10_000
const ownShare = 0.4

export type HostEnd = { reason: 'killed' | 'outOfMemory' | 'stopped' | 'protocol'; message: string }

interface Options {
  program: string
  runFolder: string
  launcher: Launcher
  memoryMb: number
}

/** One process of workerd: the isolates of one project. */
export class IsolateHost {
  readonly bootMs: number
  readonly memoryMb: number
  readonly egress: Egress
  readonly ended: Promise<HostEnd>
  /** Copies that run in it, and how many calls each has in flight. */
  readonly copies = new Map<string, () => number>()
  readonly #loading = pLimit(mostLoading)
  #loaded = 0
  #isOver = false
  readonly #launched: Launched
  readonly #pool: Pool
  readonly #watch: NodeJS.Timeout
  /** When each of what is asked now was asked. */
  readonly #asked = new Map<symbol, number>()
  /** When it last said anything at all. */
  #heardAt = 0
  #isProbing = false
  #end: HostEnd | undefined
  #pid: number | undefined
  #usage: Usage = { memMb: 0, memPeakMb: 0, cpuMs: 0 }

  /** Begins one, and waits until it answers. */
  static async begin({ program, runFolder, launcher, memoryMb }: Options): Promise<IsolateHost> {
    const startedAt = performance.now()
    const id = randomUUID()
    const place = await makePlace(runFolder, id, memoryMb)
    const egress = new Egress()
    await egress.listen(place.outward)
    const bound = await boundMemory(id, memoryMb + ownMb + copyMb * mostCopies)
    const clear = async () => {
      await egress.end()
      await bound?.remove()
      await removeHome(place.home)
    }
    const launched = await launcher.begin(launchOf(program, place, bound)).catch(async error => {
      await clear()
      throw error
    })
    const pool = new Pool('http://isolates', { socketPath: place.inward, headersTimeout: 0, bodyTimeout: 0 })
    let hasEnded = false
    const ended = launched.ended.then(async how => {
      hasEnded = true
      await pool.destroy().catch(() => undefined)
      await clear()
      return how
    })
    for (const endsAt = performance.now() + bootTimeoutMs; ; ) {
      if (await isUp(pool)) break
      if (hasEnded) throw new Error(`workerd did not begin: ${(await ended).said.slice(-500)}`)
      if (performance.now() > endsAt) {
        launched.kill()
        throw new Error('workerd did not begin in time')
      }
      await new Promise(resolve => setTimeout(resolve, 5))
    }
    await closePlace(place)
    return new IsolateHost({ launched, ended, pool, egress, memoryMb, bootMs: performance.now() - startedAt })
  }

  private constructor(of: {
    launched: Launched
    ended: Launched['ended']
    pool: Pool
    egress: Egress
    memoryMb: number
    bootMs: number
  }) {
    this.bootMs = of.bootMs
    this.memoryMb = of.memoryMb
    this.egress = of.egress
    this.#launched = of.launched
    this.#pool = of.pool
    this.#watch = setInterval(() => this.#look(), lookEveryMs)
    this.#watch.unref()
    this.ended = of.ended.then(({ code, said }) => {
      this.#isOver = true
      clearInterval(this.#watch)
      const isMemory = code === 137 || /out of memory|heap limit|Allocation failed|bad_alloc/i.test(said)
      return (
        this.#end ?? (isMemory ? this.#memoryEnd() : { reason: 'killed', message: 'the process of the isolates ended' })
      )
    })
  }

  get isOver(): boolean {
    return this.#isOver || this.#end !== undefined
  }

  get hasRoom(): boolean {
    return !this.isOver && this.copies.size < mostCopies && this.#loaded < mostLoaded
  }

  add(copy: string, inFlight: () => number): void {
    this.copies.set(copy, inFlight)
    this.#loaded++
  }

  /** What the whole process uses. */
  usage(): Usage {
    this.#pid ??= innermost(this.#launched.pid)
    const now = this.#pid === undefined ? null : usageOf(this.#pid)
    if (now) this.#usage = { ...now, memPeakMb: Math.max(now.memPeakMb, this.#usage.memPeakMb) }
    return this.#usage
  }

  /** For code whose beginning waits for nothing; what has an initialiser would keep the others waiting. */
  inTurn(load: () => Promise<void>): Promise<void> {
    return this.#loading(load)
  }

  /** Asks something of a copy and hears what it says. Throws where the talk breaks off. */
  async ask(copy: string, what: 'load' | 'call' | 'end', body: unknown, options: Asking = {}): Promise<void> {
    const key = Symbol(what)
    this.#asked.set(key, performance.now())
    try {
      const answer = await this.#pool.request({
        ...{ path: `/${what}`, method: 'POST', headers: { 'x-loggia-copy': copy }, body: JSON.stringify(body) },
        ...(options.signal && { signal: options.signal }),
      })
      this.#heardAt = performance.now()
      await readReports(answer, report => {
        this.#heardAt = performance.now()
        options.hear?.(report)
      })
    } finally {
      this.#asked.delete(key)
    }
  }

  kill(end: HostEnd): void {
    this.#end ??= end
    this.#launched.kill()
  }

  /** Where several were at work, nobody can say whose memory it was. */
  #memoryEnd(): HostEnd {
    const busy = [...this.copies.values()].filter(inFlight => inFlight() > 0).length
    if (busy > 1) return { reason: 'killed', message: `the isolates of the project together used too much memory` }
    return { reason: 'outOfMemory', message: `the isolates of the project used more than ${this.memoryMb} MB` }
  }

  /** The kernel's own limit stands where there is one; this holds it everywhere. */
  #look(): void {
    if (this.isOver) return
    const now = performance.now()
    const { memMb } = this.usage()
    if (memMb > this.memoryMb + ownMb + copyMb * this.copies.size) this.kill(this.#memoryEnd())
    const isSlow = [...this.#asked.values()].some(at => now - at > lookEveryMs)
    if (isSlow && !this.#isProbing) void this.#probe()
  }

  async #probe(): Promise<void> {
    this.#isProbing = true
    let from = { at: performance.now(), cpuMs: this.usage().cpuMs }
    const stop = new AbortController()
    const answered = isUp(this.#pool, stop.signal)
    // A talk that broke off is an answer, too: then the process is about to be gone.
    let isAnswered = false
    void answered.then(() => {
      isAnswered = true
    })
    while (!isAnswered && !this.isOver) {
      await Promise.race([answered, new Promise(resolve => setTimeout(resolve, probeMs))])
      // It works off what it was asked, and the probe waits its turn.
      if (this.#heardAt > from.at) from = { at: this.#heardAt, cpuMs: this.usage().cpuMs }
      const waitedMs = performance.now() - from.at
      const ownMs = this.usage().cpuMs - from.cpuMs
      if (isAnswered || waitedMs < probeMs) continue
      if (ownMs > probeMs * ownShare || waitedMs > busyMs)
        this.kill({
          reason: 'killed',
          message: `a function kept the thread of its project for more than ${probeMs} ms`,
        })
    }
    stop.abort()
    this.#isProbing = false
  }
}

interface Asking {
  hear?: (report: Report) => void
  signal?: AbortSignal
}

async function isUp(pool: Pool, signal?: AbortSignal): Promise<boolean> {
  try {
    const answer: Dispatcher.ResponseData = await pool.request({
      path: '/probe',
      method: 'GET',
      ...(signal && { signal }),
    })
    await answer.body.dump()
    return answer.statusCode === 200
  } catch {
    return false
  }
}
