import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { openDoor } from './doors.ts'
import type { Report } from './frames.ts'
import {
  type CallOrder,
  CannotStart,
  type EndReason,
  type EngineCapability,
  type FunctionEngine,
  type Instance,
  type InstanceEvents,
  type InstanceSpec,
  type Outcome,
} from './port.ts'
import { ProcessChannel } from './process-channel.ts'
import { type Usage, usageOf } from './process-usage.ts'
import {
  canWall,
  greedyNice,
  type Launch,
  linkTree,
  makeRunFolder,
  prepareLaunch,
  removeHome,
  usualNice,
} from './sandbox.ts'

/** Processes that stand ready without code, for each size of memory that was asked for lately. */
const spareProcesses = 2
const bootTimeoutMs = 10_000
/** How often what a process uses is looked at. */
const watchEveryMs = 250
/** Of one without a call every so many looks counts. */
const idleLooks = 8
/** Asking the kernel costs as much as a call does: calls that end close together are told the same. */
const usageGoodForMs = 20
const refillAfterMs = 100
/** Whoever takes more of a processor than this between two looks gives way to the others until he takes less. */
const greedyShare = 0.9
const graceMs = 2_000
/** Connections of one process that are being made at the same time. */
const mostOpening = 100
const missing =
  'functions do not run without their sandbox: apt-get install bubblewrap, and let this user make namespaces'

interface Booted {
  id: string
  launch: Launch
  channel: ProcessChannel
  bootMs: number
}

/** Full Node, one process an instance, each in a sandbox of its own. */
export class ProcessEngine implements FunctionEngine {
  readonly runtime = 'nodejs24'
  #runFolder: Promise<string> | undefined
  readonly #spares = new Map<number, Promise<Booted>[]>()
  readonly #all = new Set<ProcessChannel>()
  readonly #mayBeUnwalled: boolean
  readonly #canWall: () => Promise<boolean>
  #isClosed = false

  /** @param mayBeUnwalled whether code runs where no walls can be put up; else it does not */
  constructor(mayBeUnwalled: boolean, walls: () => Promise<boolean> = canWall) {
    this.#mayBeUnwalled = mayBeUnwalled
    this.#canWall = walls
  }

  async capabilities(): Promise<readonly EngineCapability[]> {
    const isThere = await this.#canWall()
    const why = this.#mayBeUnwalled
      ? 'functions run with the limits of Node alone, and reach what this server reaches: apt-get install bubblewrap'
      : missing
    return [{ name: 'isolation', isThere, ...(isThere ? {} : { why }) }]
  }

  async start(spec: InstanceSpec, events: InstanceEvents): Promise<Instance> {
    const booted = await this.#take(spec.memoryMb)
    const instance = new ProcessInstance(booted, spec, events)
    try {
      await instance.load()
      return instance
    } catch (error) {
      await instance.stop()
      throw error
    } finally {
      // Not beside the start that somebody waits for.
      setTimeout(() => this.#refill(spec.memoryMb), refillAfterMs).unref()
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const spares = [...this.#spares.values()].flat()
    this.#spares.clear()
    await Promise.allSettled(spares)
    const gone = [...this.#all].map(
      channel => new Promise(resolve => (channel.hasEnded ? resolve(null) : channel.once('end', resolve))),
    )
    for (const channel of this.#all) channel.kill()
    await Promise.all(gone)
    if (this.#runFolder) await rm(await this.#runFolder, { recursive: true, force: true })
  }

  /** One that stands ready, or a new one. */
  async #take(memoryMb: number): Promise<Booted> {
    const ready = this.#spares.get(memoryMb)?.shift() ?? this.#boot(memoryMb)
    const booted = await ready.catch(() => this.#boot(memoryMb))
    return booted.channel.hasEnded ? this.#boot(memoryMb) : booted
  }

  #refill(memoryMb: number): void {
    if (this.#isClosed) return
    const spares = this.#spares.get(memoryMb) ?? []
    this.#spares.set(memoryMb, spares)
    while (spares.length < spareProcesses) spares.push(this.#boot(memoryMb))
    for (const spare of spares) spare.catch(() => undefined)
  }

  async #hasWalls(): Promise<boolean> {
    const hasWalls = await this.#canWall()
    if (!hasWalls && !this.#mayBeUnwalled) throw new CannotStart(faultOf('loadFailed', missing))
    return hasWalls
  }

  async #boot(memoryMb: number): Promise<Booted> {
    const startedAt = performance.now()
    this.#runFolder ??= makeRunFolder()
    const runFolder = await this.#runFolder
    const id = randomUUID()
    const launch = await prepareLaunch({ runFolder, id, memoryMb, isSandboxed: await this.#hasWalls() })
    const channel = new ProcessChannel(launch)
    this.#all.add(channel)
    channel.once('end', () => {
      this.#all.delete(channel)
      void removeHome(path.join(runFolder, id))
    })
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('a process of a function did not start in time')), bootTimeoutMs)
      channel.once('report', report => (report.type === 'booted' ? resolve() : reject(new Error('it did not begin'))))
      channel.once('end', ({ said }) => reject(new Error(`a process of a function did not start: ${said}`)))
      channel.once('report', () => clearTimeout(timer))
      channel.once('end', () => clearTimeout(timer))
    }).catch(error => {
      channel.kill()
      throw error
    })
    if (this.#isClosed) channel.kill()
    return { id, launch, channel, bootMs: performance.now() - startedAt }
  }
}

class ProcessInstance implements Instance {
  readonly id: string
  readonly bootMs: number
  readonly ended: Promise<EndReason>
  initMs = 0
  readonly #launch: Launch
  readonly #channel: ProcessChannel
  readonly #spec: InstanceSpec
  readonly #events: InstanceEvents
  readonly #calls = new Map<string, (outcome: Outcome) => void>()
  readonly #watch: NodeJS.Timeout
  #usage: Usage = { memMb: 0, memPeakMb: 0, cpuMs: 0 }
  #usedAt = Number.NEGATIVE_INFINITY
  #skipped = 0
  #lookedAt = performance.now()
  #lookedCpuMs = 0
  #isGreedy = false
  #opening = 0
  #reason: EndReason | undefined
  #fault: (Report & { type: 'failed' })['error'] | null = null

  constructor({ id, launch, channel, bootMs }: Booted, spec: InstanceSpec, events: InstanceEvents) {
    this.id = id
    this.bootMs = bootMs
    this.#launch = launch
    this.#channel = channel
    this.#spec = spec
    this.#events = events
    this.#watch = setInterval(() => this.#look(), watchEveryMs)
    this.#watch.unref()
    channel.on('report', report => this.#hear(report))
    this.ended = new Promise(resolve => channel.once('end', end => resolve(this.#finish(end))))
  }

  async load(): Promise<void> {
    const { folder, layers, handler, initialiser, initTimeoutMs, isObject, functionName, version, memoryMb, env } =
      this.#spec
    const { home, code } = this.#launch.places
    await linkTree(folder, path.join(home, 'fn'))
    for (const layer of layers) await linkTree(layer, path.join(home, 'opt'))
    const about = { functionName, version, memoryMb, env }
    await new Promise<void>((resolve, reject) => {
      const late = () => reject(new CannotStart(faultOf('initialiserFailed', `no answer within ${initTimeoutMs} ms`)))
      const timer = setTimeout(late, initTimeoutMs)
      this.#channel.on('report', report => {
        if (report.type === 'ready') this.initMs = report.initMs
        if (report.type === 'ready') resolve()
        if (report.type === 'failed') reject(new CannotStart(report.error))
        if (report.type === 'ready' || report.type === 'failed') clearTimeout(timer)
      })
      void this.ended.then(reason => {
        clearTimeout(timer)
        reject(new CannotStart(this.#fault ?? faultOf('loadFailed', `the process ended while it loaded: ${reason}`)))
      })
      this.#channel.say({ type: 'load', folder: code, handler, initialiser, isObject, about })
    })
  }

  call(order: CallOrder): Promise<Outcome> {
    return new Promise(resolve => {
      const { id, timeoutMs } = order
      let kill: NodeJS.Timeout | undefined
      const late = setTimeout(() => {
        this.#channel.say({ type: 'abort', id })
        kill = setTimeout(() => this.#end('timeout'), graceMs)
      }, timeoutMs)
      this.#calls.set(id, outcome => {
        clearTimeout(late)
        clearTimeout(kill)
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
      else this.#channel.say({ type: 'call', ...order })
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

  #settle(id: string, outcome: Outcome): void {
    this.#calls.get(id)?.(outcome)
  }

  #hear(report: Report): void {
    if (report.type === 'answered')
      this.#settle(report.id, { kind: 'answered', result: report.result, ...this.#spent() })
    else if (report.type === 'threw') this.#settle(report.id, { kind: 'threw', error: report.error, ...this.#spent() })
    else if (report.type === 'failed') this.#fault = report.error
    else if (report.type === 'logged')
      // A line of a call that is not its own is nobody's.
      this.#events.log({ ...report, requestId: this.#calls.has(report.id ?? '') ? report.id : null })
    else if (report.type === 'open') void this.#open(report)
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

  /** The kernel's own limit stands where there is one; this holds it everywhere. */
  #look(): void {
    // Hundreds may stand idle: asking after each of them as often would be work of its own.
    if (this.#calls.size > 0) this.#skipped = 0
    else if (++this.#skipped < idleLooks) return
    else this.#skipped = 0
    const { memMb, cpuMs } = this.usage()
    if (memMb > this.#spec.memoryMb) this.#end('outOfMemory')
    const now = performance.now()
    const isGreedy = cpuMs - this.#lookedCpuMs > (now - this.#lookedAt) * greedyShare
    this.#lookedAt = now
    this.#lookedCpuMs = cpuMs
    if (isGreedy !== this.#isGreedy) this.#giveWay(isGreedy)
  }

  #giveWay(isGreedy: boolean): void {
    const { pid } = this.#channel
    if (pid === undefined) return
    try {
      os.setPriority(pid, isGreedy ? greedyNice : usualNice)
      this.#isGreedy = isGreedy
    } catch {
      // It is gone; or only root may take it forward again, and then it stays behind.
    }
  }

  #finish({
    code,
    signal,
    isBroken,
    said,
  }: {
    code: number | null
    signal: string | null
    isBroken: boolean
    said: string
  }): EndReason {
    clearInterval(this.#watch)
    const isHeap = /heap out of memory|Allocation failed/.test(said)
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

function faultOf(kind: 'initialiserFailed' | 'loadFailed' | 'uncaught', message: string) {
  return { kind, name: 'Error', message, stack: '' }
}
