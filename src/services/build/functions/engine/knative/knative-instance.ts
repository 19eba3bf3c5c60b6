import { Exchange } from '../exchange.ts'
import { type CallOrder, CannotStart, type EndReason, type Instance, type InstanceSpec, type Outcome } from '../port.ts'
import { faultOf } from '../process-instance.ts'

const sizeEveryMs = 5_000
/** The cluster counts what its copies use. */
const unknown = { memPeakMb: 0, cpuMs: 0 }

/** A service of Knative: however many copies it has, it is called at one address. */
export class KnativeInstance implements Instance {
  readonly id: string
  readonly ended: Promise<EndReason>
  bootMs = 0
  initMs = 0
  readonly #exchange: Exchange
  readonly #spec: InstanceSpec
  readonly #timer: NodeJS.Timeout
  #end: (reason: EndReason) => void = () => undefined
  #reason: EndReason | undefined
  #inFlight = 0
  #isLate = false
  #size: string

  /** @param apply tells the cluster anew what the service shall be */
  constructor(id: string, url: string, spec: InstanceSpec, apply: () => Promise<unknown>) {
    this.id = id
    this.#spec = spec
    this.#exchange = new Exchange(spec, { origin: url })
    this.#size = this.#sizeNow()
    this.ended = new Promise(resolve => {
      this.#end = resolve
    })
    this.#timer = setInterval(() => this.#resize(apply), sizeEveryMs)
    this.#timer.unref()
  }

  /** Throws `CannotStart`. */
  async initialise(from: number): Promise<void> {
    const { initTimeoutMs } = this.#spec
    const readyAt = performance.now()
    this.bootMs = readyAt - from
    const signal = AbortSignal.timeout(initTimeoutMs)
    const instead = await this.#exchange
      .initialise(signal)
      .catch(error =>
        signal.aborted ? `POST /init was not answered within ${initTimeoutMs} ms` : (error as Error).message,
      )
    if (instead !== null) {
      await this.#close('killed')
      throw new CannotStart(faultOf('initialiserFailed', instead))
    }
    this.initMs = performance.now() - readyAt
  }

  async call(order: CallOrder): Promise<Outcome> {
    if (this.#reason) return { kind: 'ended', reason: this.#reason, error: null, wasSent: false, ...unknown }
    const signal = AbortSignal.timeout(order.timeoutMs)
    this.#inFlight++
    try {
      const answer = await this.#exchange.invoke(order, signal)
      if ('fault' in answer) return { kind: 'threw', error: answer.fault, ...unknown }
      return { kind: 'answered', result: answer.result, ...unknown }
    } catch (error) {
      this.#isLate ||= signal.aborted
      if (signal.aborted) return { kind: 'ended', reason: 'timeout', error: null, wasSent: true, ...unknown }
      return { kind: 'threw', error: faultOf('uncaught', (error as Error).message), ...unknown }
    } finally {
      this.#inFlight--
      // Whoever was told that it ended takes another; what still waits here is answered first.
      if (this.#isLate && this.#inFlight === 0) void this.#close('timeout')
    }
  }

  usage() {
    return { memMb: 0, ...unknown }
  }

  async stop(): Promise<void> {
    await this.#close('stopped')
  }

  async #close(reason: EndReason): Promise<void> {
    if (this.#reason) return
    this.#reason = reason
    clearInterval(this.#timer)
    await this.#exchange.close()
    this.#end(reason)
  }

  #sizeNow(): string {
    return JSON.stringify(this.#spec.scale?.size())
  }

  #resize(apply: () => Promise<unknown>): void {
    const size = this.#sizeNow()
    if (size === this.#size) return
    const before = this.#size
    this.#size = size
    // What failed is told again.
    apply().catch(() => {
      this.#size = before
    })
  }
}
