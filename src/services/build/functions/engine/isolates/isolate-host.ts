import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import pLimit from 'p-limit'
import { type Dispatcher, Pool } from 'undici'
import { beginGrouped } from '../grouped.ts'
import type { Launched, Launcher } from '../launcher/launcher.ts'
import type { Ending } from '../launcher/messages.ts'
import type { MemoryBound } from '../memory-bound.ts'
import { innermost, ProcessChannel } from '../process-channel.ts'
import { type Usage, usageOf } from '../process-usage.ts'
import type { ProcessorShare } from '../processor-share.ts'
import { ProcessorTurn } from '../processor-turn.ts'
import { removeHome } from '../sandbox.ts'
import type { SpareTurn } from '../spare-turn.ts'
import { Egress } from './egress.ts'
import { MemoryHold } from './memory-hold.ts'
import { closePlace, launchOf, makePlace } from './place.ts'
import { talkAt } from './talk.ts'
import { ThreadWatch } from './thread-watch.ts'

/** Says which copy a request is for. */
const ofCopy = 'x-loggia-copy'
const bootTimeoutMs = 10_000
/** One that takes no question any more and still lives after so long is ended: whoever waits for its end shall not wait for ever. */
const endsWithinMs = 5_000
/** What workerd itself takes, and then each copy before it runs: a little, and its code in several shapes. */
const ownMb = 96
const copyMb = 4
const ofCode = 16
/** What a copy that is called leaves behind before it is collected: V8's own young, and what hangs on its objects. */
const garbageMb = 12
/** What holds so much more is ended at once, by the kernel where it bounds memory: its copies have no time to collect. */
const slackMb = 256
/** All copies of a process before they run; with more of them another one is begun. */
const mostCopiesMb = 512
/** Loaded since it began; a name that ended leaves a little behind. */
const mostLoaded = 500
/** From this share on the next process is begun beside it. */
const nearly = 0.75
/** At once: more of them would keep the thread together as long as a loop does. */
const mostLoading = 4
const lookEveryMs = 250
const usageGoodForMs = 20
export type HostEnd = { reason: 'killed' | 'outOfMemory' | 'stopped' | 'protocol'; message: string }

interface Options {
  program: string
  runFolder: string
  launcher: Launcher
  memoryMb: number
  /** Where nobody waits for it yet. */
  turn?: SpareTurn | undefined
}

/** What runs in a process. */
interface Copy {
  codeBytes: number
  /** Calls. */
  inFlight(): number
  /** Collects its garbage; resolves when that is done, or the copy has ended. */
  collect(): Promise<void>
}

/** One process of workerd: the isolates of one project. */
export class IsolateHost {
  readonly bootMs: number
  readonly memoryMb: number
  readonly egress: Egress
  readonly ended: Promise<HostEnd>
  readonly copies = new Map<string, Copy & { megabytes: number }>()
  readonly #loading = pLimit(mostLoading)
  #loaded = 0
  #isOver = false
  readonly #launched: Launched
  readonly #bound: MemoryBound | null
  readonly #pool: Pool
  readonly #inward: string
  readonly #watch: NodeJS.Timeout
  readonly #thread: ThreadWatch
  readonly #memory: MemoryHold
  #end: HostEnd | undefined
  readonly #pid: number | undefined
  readonly #turn: ProcessorTurn | null
  #usedAt = Number.NEGATIVE_INFINITY
  #usage: Usage = { memMb: 0, memPeakMb: 0, cpuMs: 0 }

  /** Begins one, and waits until it answers. */
  static async begin({ program, runFolder, launcher, memoryMb, turn }: Options): Promise<IsolateHost> {
    const startedAt = performance.now()
    const id = randomUUID()
    const place = await makePlace(runFolder, id, memoryMb)
    const egress = new Egress()
    await egress.listen(place.outward)
    const clearPlace = async () => {
      await egress.end()
      await removeHome(place.home)
    }
    const wishes = { id, memoryMb: memoryMb + ownMb + slackMb, turn }
    const { launched, bound, share, clear } = await beginGrouped(launcher, wishes, launchOf(program, place)).catch(
      async error => {
        await clearPlace()
        throw error
      },
    )
    const pool = new Pool('http://isolates', { socketPath: place.inward, headersTimeout: 0, bodyTimeout: 0 })
    let hasEnded = false
    const ended = launched.ended.then(async how => {
      hasEnded = true
      await pool.destroy().catch(() => undefined)
      await clearPlace()
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
    turn?.end()
    const bootMs = performance.now() - startedAt
    return new IsolateHost({ launched, ended, pool, egress, memoryMb, bound, share, inward: place.inward, bootMs })
  }

  private constructor(of: {
    launched: Launched
    ended: Launched['ended']
    pool: Pool
    egress: Egress
    memoryMb: number
    bound: MemoryBound | null
    share: ProcessorShare | null
    inward: string
    bootMs: number
  }) {
    this.bootMs = of.bootMs
    this.memoryMb = of.memoryMb
    this.egress = of.egress
    this.#bound = of.bound
    this.#launched = of.launched
    this.#pool = of.pool
    this.#inward = of.inward
    this.#pid = innermost(of.launched.pid)
    const isOver = () => this.isOver
    this.#memory = new MemoryHold({
      ...{ slackMb, isOver },
      memMb: () => this.#measure().memMb,
      limitMb: () => this.#limitMb(),
      copies: () => [...this.copies.values()],
      kill: () => this.kill(this.#memoryEnd()),
    })
    this.#thread = new ThreadWatch({
      ...{ memoryMb: of.memoryMb, isOver },
      measure: () => this.#measure(),
      answers: signal => isUp(this.#pool, signal),
      isCollecting: () => this.#memory.isCollecting,
      kill: message => this.kill({ reason: 'killed', message }),
    })
    this.#turn = this.#pid === undefined ? null : new ProcessorTurn(this.#pid, of.share)
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

  /** How the process ended, where that is why a talk broke off: it is seen a moment before the end is heard of. Null where it lives. */
  async endIfEnding(): Promise<HostEnd | null> {
    const isUpStill = !this.isOver && (await isUp(this.#pool))
    if (isUpStill && !this.isOver) return null
    const mute = { reason: 'killed', message: 'the process of the isolates did not answer' } as const
    const late = setTimeout(() => this.kill(mute), endsWithinMs)
    return this.ended.finally(() => clearTimeout(late))
  }

  get hasRoom(): boolean {
    return !this.isOver && this.#copiesMb() < mostCopiesMb && this.#loaded < mostLoaded
  }

  get isNearlyFull(): boolean {
    return this.#copiesMb() > mostCopiesMb * nearly || this.#loaded > mostLoaded * nearly
  }

  add(name: string, copy: Copy): void {
    this.copies.set(name, { ...copy, megabytes: copyMb + (copy.codeBytes / 1024 / 1024) * ofCode })
    this.#loaded++
    this.#bound?.raiseTo(this.#limitMb() + slackMb)
  }

  #limitMb(): number {
    return this.memoryMb + ownMb + this.#copiesMb() + this.copies.size * garbageMb
  }

  #copiesMb(): number {
    return [...this.copies.values()].reduce((sum, { megabytes }) => sum + megabytes, 0)
  }

  /** What the whole process uses; calls that end close together are told the same, as asking costs more than a call. */
  usage(): Usage {
    return performance.now() - this.#usedAt < usageGoodForMs ? this.#usage : this.#measure()
  }

  #measure(): Usage {
    this.#usedAt = performance.now()
    const now = this.#pid === undefined ? null : usageOf(this.#pid)
    if (now) this.#usage = { ...now, memPeakMb: Math.max(now.memPeakMb, this.#usage.memPeakMb) }
    return this.#usage
  }

  /** For code whose beginning waits for nothing; what has an initialiser would keep the others waiting. */
  inTurn(load: () => Promise<void>): Promise<void> {
    return this.#loading(load)
  }

  /** Puts code into an isolate of its own. Throws where it cannot be read. */
  load(copy: string, runner: Buffer, code: Buffer): Promise<void> {
    return this.#ask(copy, 'load', [runner, code])
  }

  /** Ends an isolate, which does not answer any more. */
  end(copy: string): void {
    void this.#ask(copy, 'end').catch(() => undefined)
  }

  /** The talk with a copy that was loaded; it lasts as long as the copy. */
  talk(copy: string): ProcessChannel {
    const socket = talkAt(this.#inward, { [ofCopy]: copy })
    socket.on('error', () => socket.destroy())
    const ended = new Promise<Ending>(resolve =>
      socket.once('close', () => resolve({ code: null, signal: null, said: '' })),
    )
    return new ProcessChannel({ pid: this.#launched.pid, socket, ended, kill: () => socket.destroy() })
  }

  /** Something is asked, until what is answered is called: the thread is watched meanwhile. */
  waits(): () => void {
    return this.#thread.waits()
  }

  /** A copy said something: the thread is not kept. */
  hears(): void {
    this.#thread.hears(this.usage().memMb)
  }

  async #ask(copy: string, what: 'load' | 'end', parts: Buffer[] = []): Promise<void> {
    const done = this.waits()
    try {
      const answer = await this.#pool.request({
        ...{ path: `/${what}`, method: 'POST', headers: { [ofCopy]: copy }, body: Readable.from(parts) },
      })
      const said = await answer.body.text()
      this.hears()
      if (answer.statusCode !== 200) throw new Error(said.slice(0, 500))
    } finally {
      done()
    }
  }

  kill(end: HostEnd): void {
    this.#end ??= end
    this.#launched.kill()
  }

  /** Where several were at work, nobody can say whose memory it was. */
  #memoryEnd(): HostEnd {
    const busy = [...this.copies.values()].filter(one => one.inFlight() > 0).length
    if (busy > 1) return { reason: 'killed', message: `the isolates of the project together used too much memory` }
    return { reason: 'outOfMemory', message: `the isolates of the project used more than ${this.memoryMb} MB` }
  }

  /** The kernel's own limit stands where there is one; this holds it everywhere. */
  #look(): void {
    if (this.isOver) return
    this.#memory.look()
    this.#turn?.look(this.#thread.heardAt > performance.now() - lookEveryMs)
    this.#thread.look(lookEveryMs)
  }
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
