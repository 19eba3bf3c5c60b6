import path from 'node:path'
import { Deadlines } from './deadlines.ts'
import { openDoor } from './doors.ts'
import type { Report } from './frames.ts'
import type { Ending } from './launcher/messages.ts'
import type { MemoryBound } from './memory-bound.ts'
import {
  type CallOrder,
  CannotStart,
  type EndReason,
  type Fault,
  type Instance,
  type InstanceEvents,
  type InstanceSpec,
  type Outcome,
} from './port.ts'
import type { ProcessChannel } from './process-channel.ts'
import { type Usage, usageOf } from './process-usage.ts'
import type { ProcessorShare } from './processor-share.ts'
import { ProcessorTurn } from './processor-turn.ts'
import { isRoot, type Launch, linkTree } from './sandbox.ts'

/** How often what a process uses is looked at. */
const watchEveryMs = 250
/**
 * A first call that runs wild is seen sooner, since every copy of such a function has one; the first look is for what the
 * copy had before. What so short a look may be wrong about only root can take back.
 */
const firstLooksAt = isRoot ? [0, 25, 60, 120] : []
/** Of one without a call every so many looks counts. */
const idleLooks = 8
/** Asking the kernel costs as much as a call does: calls that end close together are told the same. */
const usageGoodForMs = 50
const graceMs = 2_000
/** Connections of one process that are being made at the same time. */
const mostOpening = 100

/** A process that has begun and has no code yet. */
export interface Booted {
  id: string
  launch: Launch
  channel: ProcessChannel
  bound: MemoryBound | null
  share: ProcessorShare | null
  bootMs: number
}

/** A process with the code of one version in it. */
export class ProcessInstance implements Instance {
  readonly id: string
  readonly bootMs: number
  readonly ended: Promise<EndReason>
  initMs = 0
  readonly #launch: Launch
  readonly #channel: ProcessChannel
  readonly #bound: MemoryBound | null
  readonly #share: ProcessorShare | null
  readonly #spec: InstanceSpec
  readonly #events: InstanceEvents
  readonly #calls = new Map<string, (outcome: Outcome) => void>()
  readonly #deadlines = new Deadlines(id => this.#abort(id))
  readonly #watch: NodeJS.Timeout
  #usage: Usage = { memMb: 0, memPeakMb: 0, cpuMs: 0 }
  #usedAt = Number.NEGATIVE_INFINITY
  #skipped = 0
  /** Begins with the calls: whoever waits for a start has waited for nothing else. */
  #turn: ProcessorTurn | undefined
  #isCalled = false
  #hasAnswered = false
  #opening = 0
  #reason: EndReason | undefined
  #fault: Fault | null = null

  constructor({ id, launch, channel, bound, share, bootMs }: Booted, spec: InstanceSpec, events: InstanceEvents) {
    this.id = id
    this.bootMs = bootMs
    this.#launch = launch
    this.#channel = channel
    this.#bound = bound
    this.#share = share
    this.#spec = spec
    this.#events = events
    this.#watch = setInterval(() => this.#look(), watchEveryMs)
    this.#watch.unref()
    channel.on('report', report => this.#hear(report))
    this.ended = new Promise(resolve => channel.once('end', end => resolve(this.#finish(end))))
  }

  /** @param compiled a folder with what Node compiled of it before */
  async load(compiled: string | null): Promise<void> {
    const { folder, layers, handler, initialiser, initTimeoutMs, isObject, functionName, version, memoryMb, env } =
      this.#spec
    const { home, code, compiled: place } = this.#launch.places
    await linkTree(folder, path.join(home, 'fn'))
    for (const layer of layers) await linkTree(layer, path.join(home, 'opt'))
    const isCompiled = place !== null && compiled !== null
    if (isCompiled) await linkTree(compiled, path.join(home, 'cache'))
    const about = { functionName, version, memoryMb, env }
    await new Promise<void>((resolve, reject) => {
      const late = () => reject(new CannotStart(faultOf('initialiserFailed', `no answer within ${initTimeoutMs} ms`)))
      const timer = setTimeout(late, initTimeoutMs)
      const hear = (report: Report) => {
        if (report.type !== 'ready' && report.type !== 'failed') return
        clearTimeout(timer)
        this.#channel.off('report', hear)
        if (report.type === 'failed') return reject(new CannotStart(report.error))
        this.initMs = report.initMs
        resolve()
      }
      this.#channel.on('report', hear)
      void this.ended.then(reason => {
        clearTimeout(timer)
        reject(new CannotStart(this.#fault ?? faultOf('loadFailed', `the process ended while it loaded: ${reason}`)))
      })
      const order = { folder: code, handler, initialiser, isObject, about, ...(isCompiled && { compiled: place }) }
      this.#channel.say({ type: 'load', ...order })
    })
    const { pid } = this.#channel
    if (pid !== undefined) this.#turn = new ProcessorTurn(pid, this.#share, this.#spec.diedBefore)
  }

  call(order: CallOrder): Promise<Outcome> {
    if (!this.#isCalled) this.#watchFirstCall()
    return new Promise(resolve => {
      const { id, timeoutMs } = order
      this.#deadlines.begin(id, timeoutMs)
      this.#calls.set(id, outcome => {
        this.#deadlines.end(id)
        this.#calls.delete(id)
        resolve(outcome)
      })
      if (this.#channel.hasEnded)
        this.#settle(id, {
          kind: 'ended',
          reason: this.#reason ?? 'killed',
          error: null,
          wasSent: false,
          ...this.#spent(),
        })
      else this.#channel.say({ ...order, type: 'call' })
    })
  }

  usage(): Usage {
    const now = performance.now()
    if (now - this.#usedAt < usageGoodForMs) return this.#usage
    const { pid } = this.#channel
    this.#usage = (pid === undefined ? null : usageOf(pid)) ?? this.#usage
    this.#usedAt = now
    return this.#usage
  }

  async stop(): Promise<void> {
    this.#end('stopped')
    await this.ended
  }

  #spent() {
    const { memPeakMb, cpuMs } = this.usage()
    return { memPeakMb, cpuMs }
  }

  #end(reason: EndReason): void {
    this.#reason ??= reason
    this.#channel.kill()
  }

  /** Its time is over: its code may still come to an end by itself, within a grace. */
  #abort(id: string): void {
    this.#channel.say({ type: 'abort', id })
    setTimeout(() => this.#calls.has(id) && this.#end('timeout'), graceMs).unref()
  }

  #settle(id: string, outcome: Outcome): void {
    this.#hasAnswered = true
    this.#calls.get(id)?.(outcome)
  }

  #hear(report: Report): void {
    if (report.type === 'answered')
      this.#settle(report.id, { ...this.#spent(), kind: 'answered', result: report.result })
    else if (report.type === 'threw') this.#settle(report.id, { ...this.#spent(), kind: 'threw', error: report.error })
    else if (report.type === 'failed') this.#fault = report.error
    else if (report.type === 'logged') this.#hearLine(report)
    else if (report.type === 'open') void this.#open(report)
  }

  /** A line of no call is the copy's; one of a call that it has not is nobody's. */
  #hearLine({ id, level, line }: Report & { type: 'logged' }): void {
    if (id === null || this.#calls.has(id)) this.#events.log({ requestId: id, level, line })
  }

  async #open({ id, host, port }: Report & { type: 'open' }): Promise<void> {
    const { home, doors } = this.#launch.places
    if (this.#opening >= mostOpening) return this.#channel.say({ type: 'closed', id, reason: 'EMFILE' })
    this.#opening++
    try {
      const name = await openDoor(path.join(home, 'out'), this.#spec.connect, { host, port })
      this.#channel.say({ type: 'opened', id, path: `${doors}/${name}` })
    } catch (error) {
      this.#channel.say({ type: 'closed', id, reason: (error as { code?: string }).code ?? 'EACCES' })
    } finally {
      this.#opening--
    }
  }

  #watchFirstCall(): void {
    this.#isCalled = true
    for (const ms of firstLooksAt) setTimeout(() => this.#look(), ms).unref()
  }

  /** The kernel's own limit stands where there is one; this holds it everywhere. */
  #look(): void {
    // Hundreds may stand idle: asking after each of them as often would be work of its own.
    if (this.#calls.size > 0) this.#skipped = 0
    else if (++this.#skipped < idleLooks) return
    else this.#skipped = 0
    const { memMb } = this.usage()
    if (memMb > this.#spec.memoryMb) this.#end('outOfMemory')
    this.#turn?.look(this.#hasAnswered)
    this.#hasAnswered = false
  }

  #finish({ code, signal, isBroken, said }: Ending & { isBroken: boolean }): EndReason {
    clearInterval(this.#watch)
    this.#deadlines.close()
    const isHeap = /heap out of memory|Allocation failed/.test(said) || this.#bound?.hasKilled() === true
    const found: EndReason = isBroken
      ? 'protocol'
      : isHeap
        ? 'outOfMemory'
        : this.#fault || code === 70
          ? 'uncaught'
          : 'killed'
    const reason = this.#reason ?? found
    this.#reason = reason
    const error =
      this.#fault ?? (reason === 'outOfMemory' ? faultOf('uncaught', `more than ${this.#spec.memoryMb} MB`) : null)
    for (const id of [...this.#calls.keys()])
      this.#settle(id, { kind: 'ended', reason, error, wasSent: true, ...this.#spent() })
    return signal === null && reason === 'killed' && code === 0 ? 'stopped' : reason
  }
}

export function faultOf(kind: 'initialiserFailed' | 'loadFailed' | 'uncaught', message: string): Fault {
  return { kind, name: 'Error', message, stack: '' }
}
