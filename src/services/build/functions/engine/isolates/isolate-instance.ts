import { randomUUID } from 'node:crypto'
import type { Report } from '../frames.ts'
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
import { faultOf } from '../process-instance.ts'
import type { Usage } from '../process-usage.ts'
import { type Bundle, mapped } from './bundle.ts'
import type { IsolateHost } from './isolate-host.ts'
import { NoReports } from './report-lines.ts'

const graceMs = 2_000

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
  readonly #calls = new Map<string, { settle(outcome: Outcome): void; stop: AbortController }>()
  #reason: EndReason | undefined
  #fault: Fault | null = null
  #tellEnd: (reason: EndReason) => void = () => undefined

  constructor(host: IsolateHost, bootMs: number, bundle: Bundle, spec: InstanceSpec, events: InstanceEvents) {
    this.bootMs = bootMs
    this.#host = host
    this.#bundle = bundle
    this.#spec = spec
    this.#events = events
    this.ended = new Promise(resolve => {
      this.#tellEnd = resolve
    })
    host.add(this.#name, () => this.#calls.size)
    host.egress.open(this.#name, spec.connect)
    void host.ended.then(({ reason, message }) => this.#finish(reason, faultOf('uncaught', message)))
  }

  /** The server's own name for the copy; nobody in the sandbox knows the one of another. */
  get #name(): string {
    return this.id
  }

  /** @param runner what stands around the code in an isolate */
  async load(runner: Readonly<Record<string, string>>): Promise<void> {
    const { handler, initialiser, initTimeoutMs, isObject, functionName, version, memoryMb, env } = this.#spec
    const about = { functionName, version, memoryMb, env }
    const modules = Object.fromEntries(Object.entries(runner).map(([name, js]) => [name, { js }]))
    const body = {
      modules: { ...modules, 'bundle.mjs': { cjs: this.#bundle.code } },
      ...{ env, order: { handler, initialiser, isObject, about } },
    }
    let from = performance.now()
    let late: AbortSignal | undefined
    const ask = () => {
      from = performance.now()
      late = AbortSignal.timeout(initTimeoutMs)
      return this.#host.ask(this.#name, 'load', body, { hear, signal: late })
    }
    let isReady = false
    const hear = (report: Report) => {
      if (report.type === 'ready') isReady = true
      else if (report.type === 'failed') this.#fault ??= mapped(report.error, this.#bundle)
      else if (report.type === 'logged') this.#log(report)
    }
    try {
      await (initialiser === null ? this.#host.inTurn(ask) : ask())
    } catch (error) {
      if (late?.aborted) throw new CannotStart(faultOf('initialiserFailed', `no answer within ${initTimeoutMs} ms`))
      const isGone = await this.#hostEnd()
      throw new CannotStart(this.#fault ?? faultOf('loadFailed', isGone ?? (error as Error).message))
    }
    this.initMs = performance.now() - from
    if (!isReady || this.#fault) throw new CannotStart(this.#fault ?? faultOf('loadFailed', 'it did not begin'))
  }

  call(order: CallOrder): Promise<Outcome> {
    return new Promise(resolve => {
      if (this.#reason !== undefined || this.#host.isOver)
        return resolve(this.#endedBy(this.#reason ?? 'killed', this.#fault, false))
      const { id, timeoutMs } = order
      const stop = new AbortController()
      const late = setTimeout(() => this.#finish('timeout'), timeoutMs + graceMs)
      const settle = (outcome: Outcome) => {
        clearTimeout(late)
        this.#calls.delete(id)
        resolve(outcome)
      }
      this.#calls.set(id, { settle, stop })
      void this.#make(order, stop.signal)
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

  async #make(order: CallOrder, signal: AbortSignal): Promise<void> {
    const { id } = order
    const hear = (report: Report) => {
      if (report.type === 'logged') this.#log(report)
      else if (report.type === 'failed') this.#finish('uncaught', mapped(report.error, this.#bundle))
      else if (report.type === 'answered' && report.id === id)
        this.#settle(id, { kind: 'answered', result: report.result, ...this.#spent() })
      else if (report.type === 'threw' && report.id === id)
        this.#settle(id, { kind: 'threw', error: mapped(report.error, this.#bundle), ...this.#spent() })
    }
    try {
      await this.#host.ask(this.#name, 'call', { type: 'call', ...order }, { hear, signal })
      if (this.#calls.has(id)) this.#finish('protocol', faultOf('uncaught', 'the call ended without an answer'))
    } catch (error) {
      if (!this.#calls.has(id) || (await this.#hostEnd()) !== null) return
      const reason = error instanceof NoReports ? 'protocol' : 'killed'
      this.#finish(reason, faultOf('uncaught', (error as Error).message))
    }
  }

  /** Why the process ended, where it is about to: a connection breaks off a moment before the end is heard of. */
  async #hostEnd(): Promise<string | null> {
    const soon = new Promise<null>(resolve => setTimeout(() => resolve(null), 200))
    return Promise.race([this.#host.ended.then(({ message }) => message), soon])
  }

  #log(report: Report & { type: 'logged' }): void {
    // A line of a call that is not its own is nobody's.
    this.#events.log({ ...report, requestId: this.#calls.has(report.id ?? '') ? report.id : null })
  }

  #settle(id: string, outcome: Outcome): void {
    this.#calls.get(id)?.settle(outcome)
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
    for (const [id, { stop }] of [...this.#calls]) {
      this.#settle(id, this.#endedBy(reason, this.#fault, true))
      stop.abort()
    }
    this.#host.copies.delete(this.#name)
    this.#host.egress.close(this.#name)
    // It is asked to end itself and does not answer any more.
    if (!this.#host.isOver) void this.#host.ask(this.#name, 'end', null).catch(() => undefined)
    this.#tellEnd(reason)
  }
}
