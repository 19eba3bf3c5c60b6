import { randomUUID } from 'node:crypto'
import { Deadlines } from '../deadlines.ts'
import { type Report, weightOfLine } from '../frames.ts'
import {
  type CallOrder,
  CannotStart,
  type EndReason,
  type Fault,
  type Instance,
  type InstanceEvents,
  type InstanceSpec,
  type Outcome,
} from '../port.ts'
import type { ProcessChannel } from '../process-channel.ts'
import { faultOf } from '../process-instance.ts'
import type { Usage } from '../process-usage.ts'
import { type Bundle, mapped } from './bundle.ts'
import type { IsolateHost } from './isolate-host.ts'

const graceMs = 2_000
/** Lines are said to be taken in portions of so much. */
const takenAtOnce = 256 * 1024

/** One isolate with the code of one version in it. */
export class IsolateInstance implements Instance {
  readonly id = randomUUID()
  readonly bootMs: number
  readonly ended: Promise<EndReason>
  initMs = 0
  readonly #host: IsolateHost
  readonly #spec: InstanceSpec
  readonly #events: InstanceEvents
  readonly #bundle: Bundle
  readonly #calls = new Map<string, (outcome: Outcome) => void>()
  readonly #deadlines = new Deadlines(id => this.#abort(id))
  #channel: ProcessChannel | undefined
  #untold = 0
  #reason: EndReason | undefined
  #fault: Fault | null = null
  #tellEnd: (reason: EndReason) => void = () => undefined
  #tellCollected: () => void = () => undefined

  constructor(host: IsolateHost, bootMs: number, bundle: Bundle, spec: InstanceSpec, events: InstanceEvents) {
    this.bootMs = bootMs
    this.#host = host
    this.#bundle = bundle
    this.#spec = spec
    this.#events = events
    this.ended = new Promise(resolve => {
      this.#tellEnd = resolve
    })
    host.add(this.id, {
      codeBytes: bundle.code.length,
      inFlight: () => this.#calls.size,
      collect: () => this.#collect(),
    })
    host.egress.open(this.id, spec.connect)
    void host.ended.then(({ reason, message }) => this.#finish(reason, faultOf('uncaught', message)))
  }

  /** @param runner what stands around the code in an isolate, as a line of JSON */
  async load(runner: Buffer): Promise<void> {
    const { initialiser } = this.#spec
    const begin = () => this.#begin(runner)
    const done = this.#host.waits()
    try {
      await (initialiser === null ? this.#host.inTurn(begin) : begin())
    } catch (error) {
      if (error instanceof CannotStart) throw error
      const message = (await this.#host.endIfEnding())?.message ?? (error as Error).message
      throw new CannotStart(this.#fault ?? faultOf('loadFailed', message))
    } finally {
      done()
    }
  }

  call(order: CallOrder): Promise<Outcome> {
    return new Promise(resolve => {
      const { id, timeoutMs } = order
      const channel = this.#channel
      if (this.#reason !== undefined || this.#host.isOver || !channel)
        return resolve(this.#endedBy(this.#reason ?? 'killed', this.#fault, false))
      this.#deadlines.begin(id, timeoutMs)
      const done = this.#host.waits()
      this.#calls.set(id, outcome => {
        this.#deadlines.end(id)
        done()
        this.#calls.delete(id)
        resolve(outcome)
      })
      channel.say({ type: 'call', ...order })
    })
  }

  usage(): Usage {
    const { memMb, memPeakMb, cpuMs } = this.#host.usage()
    // All copies of a process share it; nobody can say which one holds what.
    const share = Math.max(1, this.#host.copies.size)
    return { memMb: memMb / share, memPeakMb: memPeakMb / share, cpuMs: cpuMs / share }
  }

  async stop(): Promise<void> {
    this.#finish('stopped')
  }

  async #begin(runner: Buffer): Promise<void> {
    const { handler, initialiser, initTimeoutMs, isObject, functionName, version, memoryMb, env } = this.#spec
    const from = performance.now()
    await this.#host.load(this.id, runner, this.#bundle.code)
    const channel = this.#host.talk(this.id)
    this.#channel = channel
    await new Promise<void>((resolve, reject) => {
      const late = () => reject(new CannotStart(faultOf('initialiserFailed', `no answer within ${initTimeoutMs} ms`)))
      const timer = setTimeout(late, initTimeoutMs)
      channel.on('report', report => {
        this.#hear(report)
        if (report.type !== 'ready') return
        clearTimeout(timer)
        resolve()
      })
      channel.once('end', ({ isBroken }) => void this.#endWithTalk(isBroken))
      void this.ended.then(reason => {
        clearTimeout(timer)
        reject(new CannotStart(this.#fault ?? faultOf('loadFailed', `the copy ended while it was loaded: ${reason}`)))
      })
      const about = { functionName, version, memoryMb, env }
      channel.say({ type: 'load', folder: '', handler, initialiser, isObject, about })
    })
    this.initMs = performance.now() - from
  }

  #collect(): Promise<void> {
    const channel = this.#channel
    // What is loaded has nothing to collect yet.
    if (!channel || this.#reason !== undefined) return Promise.resolve()
    return new Promise(resolve => {
      this.#tellCollected = resolve
      channel.say({ type: 'collect' })
    })
  }

  #hear(report: Report): void {
    this.#host.hears()
    if (report.type === 'answered')
      this.#settle(report.id, { kind: 'answered', result: report.result, ...this.#spent() })
    else if (report.type === 'threw')
      this.#settle(report.id, { kind: 'threw', error: mapped(report.error, this.#bundle), ...this.#spent() })
    else if (report.type === 'logged') this.#hearLine(report)
    else if (report.type === 'collected') this.#tellCollected()
    else if (report.type === 'failed') this.#finish('uncaught', mapped(report.error, this.#bundle))
  }

  /** Its time is over: its code may still come to an end by itself, within a grace. */
  #abort(id: string): void {
    this.#channel?.say({ type: 'abort', id })
    setTimeout(() => this.#calls.has(id) && this.#finish('timeout'), graceMs).unref()
  }

  async #endWithTalk(isBroken: boolean): Promise<void> {
    if (this.#reason !== undefined || (await this.#host.endIfEnding()) !== null) return
    this.#finish(isBroken ? 'protocol' : 'killed', faultOf('uncaught', 'the copy ended itself'))
  }

  /** A line of no call is the copy's; one of a call that it has not is nobody's. */
  #hearLine({ id, level, line }: Report & { type: 'logged' }): void {
    this.#untold += weightOfLine(line)
    if (this.#untold > takenAtOnce) {
      this.#channel?.say({ type: 'taken', weight: this.#untold })
      this.#untold = 0
    }
    if (id === null || this.#calls.has(id)) this.#events.log({ requestId: id, level, line })
  }

  #settle(id: string, outcome: Outcome): void {
    this.#calls.get(id)?.(outcome)
  }

  #spent() {
    const { memPeakMb, cpuMs } = this.usage()
    return { memPeakMb, cpuMs }
  }

  #endedBy(reason: EndReason, error: Fault | null, wasSent: boolean): Outcome {
    return { kind: 'ended', reason, error, wasSent, ...this.#spent() }
  }

  /** Ends the copy and what is in flight in it; its process goes on with the others. */
  #finish(reason: EndReason, fault: Fault | null = null): void {
    if (this.#reason !== undefined) return
    this.#reason = reason
    this.#fault ??= fault
    this.#deadlines.close()
    for (const id of [...this.#calls.keys()]) this.#settle(id, this.#endedBy(reason, this.#fault, true))
    this.#channel?.kill()
    this.#host.copies.delete(this.id)
    this.#host.egress.close(this.id)
    if (!this.#host.isOver) this.#host.end(this.id)
    this.#tellCollected()
    this.#tellEnd(reason)
  }
}
