import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type Docker from 'dockerode'
import { Exchange, port } from '../exchange.ts'
import {
  type CallOrder,
  CannotStart,
  type EndReason,
  EngineFailed,
  type Fault,
  type Instance,
  type InstanceEvents,
  type InstanceSpec,
  type LogLevel,
  type Outcome,
} from '../port.ts'
import { faultOf } from '../process-instance.ts'
import { type Usage, usageOf } from '../process-usage.ts'
import type { Made } from './begin.ts'
import { saidBy } from './images.ts'
import { Output } from './output.ts'

const lookEveryMs = 10
/** Lines come by another way than answers do, and a little later: an answer waits for them until none came for a while. */
const quietForMs = 20
const quietWithinMs = 200
/** A connection breaks before the engine tells that the container ended. */
const endFollowsMs = 3_000
/** Killed by the kernel: where nobody of us did it, for its memory. */
const killedByKernel = 137

/** A container whose server answers. */
export class ContainerInstance implements Instance {
  readonly id = randomUUID()
  readonly ended: Promise<EndReason>
  bootMs = 0
  initMs = 0
  readonly #made: Made
  readonly #spec: InstanceSpec
  readonly #events: InstanceEvents
  readonly #exchange: Exchange
  readonly #output: Output
  readonly #calls = new Set<string>()
  /** Why it ended; what is left of it may still be there. */
  readonly #over: Promise<EndReason>
  #reason: EndReason | undefined
  #fault: Fault | null = null
  #pid = 0
  #usage: Usage = { memMb: 0, memPeakMb: 0, cpuMs: 0 }

  private constructor(
    made: Made,
    spec: InstanceSpec,
    events: InstanceEvents,
    stream: NodeJS.ReadableStream,
    docker: Docker,
  ) {
    this.#made = made
    this.#spec = spec
    this.#events = events
    this.#exchange = new Exchange(spec, { origin: 'http://function.invalid', socketPath: made.socket })
    this.#output = new Output(stream, docker, {
      line: (level, line) => this.#hear(level, line),
      tooMuch: () => this.#end('tooMuchOutput'),
    })
    this.#over = made.own.wait().then(
      ({ StatusCode }: { StatusCode: number }) => this.#judge(StatusCode),
      () => this.#judge(null),
    )
    this.ended = this.#over.then(async reason => {
      await this.#exchange.close()
      await made.remove()
      return reason
    })
  }

  /** Resolves when `/init` was answered. Throws `CannotStart`; then nothing is left of it. */
  static async start(
    docker: Docker,
    made: Made,
    spec: InstanceSpec,
    events: InstanceEvents,
  ): Promise<ContainerInstance> {
    const from = performance.now()
    let instance: ContainerInstance | undefined
    try {
      await made.door.start()
      const stream = await made.own.attach({ stream: true, stdout: true, stderr: true })
      await made.own.start()
      instance = new ContainerInstance(made, spec, events, stream, docker)
      await instance.#initialise(from)
      return instance
    } catch (error) {
      await (instance ? instance.stop() : made.remove())
      if (error instanceof CannotStart) throw error
      throw new EngineFailed(faultOf('loadFailed', `its container could not be started: ${saidBy(error)}`))
    }
  }

  async call(order: CallOrder): Promise<Outcome> {
    if (this.#reason)
      return { kind: 'ended', reason: this.#reason, error: this.#fault, wasSent: false, ...this.#spent() }
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(), order.timeoutMs)
    this.#calls.add(order.id)
    try {
      const answer = await this.#exchange.invoke(order, late.signal)
      await this.#quiet()
      if ('fault' in answer) return { kind: 'threw', error: answer.fault, ...this.#spent() }
      return { kind: 'answered', result: answer.result, ...this.#spent() }
    } catch {
      if (late.signal.aborted) this.#end('timeout')
      return await this.#broken(late.signal.aborted)
    } finally {
      clearTimeout(timer)
      this.#calls.delete(order.id)
    }
  }

  usage(): Usage {
    this.#usage = usageOf(this.#pid) ?? this.#usage
    return this.#usage
  }

  async stop(): Promise<void> {
    this.#end('stopped')
    await this.ended
  }

  async #initialise(from: number): Promise<void> {
    const { initTimeoutMs } = this.#spec
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(), initTimeoutMs)
    try {
      this.#pid = (await this.#made.own.inspect()).State.Pid
      while (!existsSync(this.#made.socket)) {
        if (this.#reason) throw this.#failed(this.#fault?.message ?? 'its container ended at once')
        if (late.signal.aborted) throw this.#failed(`nothing listened on port ${port} within ${initTimeoutMs} ms`)
        await delay(lookEveryMs)
      }
      const listensAt = performance.now()
      this.bootMs = listensAt - from
      const instead = await this.#exchange.initialise(late.signal).catch(async () => {
        if (late.signal.aborted) return `POST /init was not answered within ${initTimeoutMs} ms`
        await Promise.race([this.#over, delay(endFollowsMs)])
        return this.#fault?.message ?? 'the connection was closed during POST /init'
      })
      if (instead !== null) throw this.#failed(instead)
      this.initMs = performance.now() - listensAt
    } finally {
      clearTimeout(timer)
    }
  }

  /** With the last that it said, where that is not told already. */
  #failed(message: string): CannotStart {
    const { last } = this.#output
    const isTold = last === '' || message.includes(last)
    return new CannotStart(faultOf('initialiserFailed', isTold ? message : `${message}. It said last: ${last}`))
  }

  async #broken(isLate: boolean): Promise<Outcome> {
    if (isLate) return { kind: 'ended', reason: 'timeout', error: null, wasSent: true, ...this.#spent() }
    const reason = await Promise.race([this.#over, delay(endFollowsMs, null)])
    if (reason !== null) return { kind: 'ended', reason, error: this.#fault, wasSent: true, ...this.#spent() }
    const fault = faultOf('uncaught', 'the connection was closed without an answer')
    return { kind: 'threw', error: fault, ...this.#spent() }
  }

  async #quiet(): Promise<void> {
    const from = performance.now()
    do await delay(quietForMs)
    while (this.#output.silentMs < quietForMs && performance.now() - from < quietWithinMs)
  }

  #spent() {
    const { memPeakMb, cpuMs } = this.usage()
    return { memPeakMb, cpuMs }
  }

  /** A line of its own is of the one call that runs, or of the one that it names. */
  #hear(level: LogLevel, line: string): void {
    const [first = null, ...more] = this.#calls
    const named = more.length === 0 ? first : ([first, ...more].find(id => id !== null && line.includes(id)) ?? null)
    this.#events.log({ requestId: named, level, line })
  }

  #end(reason: EndReason): void {
    if (this.#reason) return
    this.#reason = reason
    void this.#made.own.kill().catch(() => this.#made.remove())
  }

  #judge(code: number | null): EndReason {
    const isForMemory = code === killedByKernel && this.#reason === undefined
    const { last } = this.#output
    const said = last === '' ? '' : `: ${last}`
    if (isForMemory) this.#fault = faultOf('uncaught', `more than ${this.#spec.memoryMb} MB`)
    else if (!this.#reason) this.#fault = faultOf('uncaught', `its container ended with ${code ?? 'no code'}${said}`)
    this.#reason ??= isForMemory ? 'outOfMemory' : code === 0 || code === null ? 'killed' : 'uncaught'
    return this.#reason
  }
}
