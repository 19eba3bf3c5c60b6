import { CannotStart, type EndReason, type Instance, type Outcome } from '../engine/port.ts'
import { type Candidate, smoothed } from '../governance/rules.ts'
import { Demand } from '../scaling/demand.ts'
import { type Sizing, targetOf } from '../scaling/rules.ts'
import { expectedWaitMs } from './patience.ts'
import { Restraint } from './restraint.ts'
import { NoInstance, WaitingCalls } from './waiting-calls.ts'

/** How many calls one copy takes at once, and what the number of copies goes by; that may change at any time. */
export interface PoolOptions {
  /** @param diedBefore whether the copy before died of its calls, and none has been answered since */
  start(diedBefore: boolean): Promise<Instance>
  concurrency: number
  sizing(): Sizing
  now(): number
}

export type Phases = { queueMs: number; bootMs: number; initMs: number; isCold: boolean }
/** A copy that was taken for a call, and what the call waited for. */
export interface Taken {
  held: Held
  phases: Phases
  /** On the clock of `performance.now()`. */
  calledAt: number
}
/** Which of the copies with room takes a call; of none that is named, the pool's own. */
export type Picker = (candidates: readonly Candidate[]) => Candidate | undefined

/** What begins slowly is not waited for any longer, lest a slow call after quick ones waits twice. */
const mostPatienceMs = 250

interface Held {
  readonly instance: Instance
  order: number
  /** The first call warms the code up: what it took is forgotten with the second. */
  latencyMs: number | null
  /** Calls that have come to an end. */
  ended: number
  cpuMs: number
  inFlight: number
  served: number
  startedAt: number
  lastUsedAt: number
  isDraining: boolean
}

/** What the console shows of one copy. */
export interface InstanceView {
  instanceId: string
  state: 'READY' | 'BUSY' | 'DRAINING'
  inFlight: number
  served: number
  startedAt: number
  lastUsedAt: number
  memMb: number
  cpuMs: number
  bootMs: number
  initMs: number
}

/**
 * The running copies of one version. A call takes a copy with room, or waits: for one that has room before another could
 * have begun, else for one that is started for it. Copies without work end. A version that cannot be started is tried
 * again after a while that doubles, and says why meanwhile; one whose copies die of their calls is started more and more
 * seldom.
 */
export class VersionPool {
  readonly #options: PoolOptions
  readonly #held = new Set<Held>()
  readonly #waiting = new WaitingCalls<Held>()
  readonly #restraint: Restraint
  readonly #timer: NodeJS.Timeout
  readonly #demand: Demand
  #started = 0
  /** Others may be waited for as long as the last start took. */
  #patienceMs = 0
  #look: NodeJS.Timeout | undefined
  #starting = 0
  #isClosed = false

  constructor(options: PoolOptions) {
    this.#options = options
    this.#demand = new Demand(options.now())
    this.#restraint = new Restraint(options.now, () => this.#grow())
    this.#timer = setInterval(() => this.#tick(), 1000)
    this.#timer.unref()
  }

  get isEmpty(): boolean {
    return this.#held.size === 0 && this.#starting === 0 && this.#waiting.length === 0 && this.target().floor === 0
  }

  /** How many copies there shall be now. */
  target(): ReturnType<typeof targetOf> {
    const now = this.#options.now()
    return targetOf(this.#options.sizing(), this.#demand.load(now, this.#held.size), this.#options.concurrency, now)
  }

  views(): InstanceView[] {
    return [...this.#held].map(({ instance, inFlight, served, startedAt, lastUsedAt, isDraining }) => {
      const { memMb, cpuMs } = instance.usage()
      const state = isDraining ? 'DRAINING' : inFlight > 0 ? 'BUSY' : 'READY'
      const { id: instanceId, bootMs, initMs } = instance
      return { instanceId, state, inFlight, served, startedAt, lastUsedAt, memMb, cpuMs, bootMs, initMs }
    })
  }

  /**
   * A copy with room for one more call, to be given back. A call waits for it where it must: a wait for what is there would
   * cost it half a microsecond. Throws `NoInstance`.
   */
  take(picker?: Picker): Taken | Promise<Taken> {
    const askedAt = performance.now()
    const free = this.#free(picker)
    if (!free) return this.#wait().then(held => this.#taken(held, askedAt, held.served === 0))
    free.inFlight++
    return this.#taken(free, askedAt, false)
  }

  /** @param outcome of the call that it was taken for; undefined where that was not made */
  giveBack({ held, calledAt }: Taken, outcome: Outcome | undefined): void {
    if (outcome) {
      // Nobody else is sent to a copy that is gone, before the end itself is heard of.
      if (outcome.kind === 'ended') this.#drop(held, outcome.reason)
      else this.#restraint.answered()
      held.latencyMs = smoothed(held.ended === 1 ? null : held.latencyMs, performance.now() - calledAt)
      held.ended++
    }
    held.inFlight--
    held.lastUsedAt = this.#options.now()
    this.#demand.end(held.lastUsedAt)
    this.#serve(held)
  }

  /** Starts one, to see whether it can be started; it stays for the calls to come. Throws `CannotStart`. */
  async warm(): Promise<void> {
    if (this.#held.size > 0) return
    this.#starting++
    try {
      await this.#begin()
    } finally {
      this.#starting--
    }
  }

  /** Takes no new call, lets those in flight end, then ends every copy. */
  async close(graceMs = 30_000): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    clearTimeout(this.#look)
    this.#restraint.close()
    this.#waiting.refuseAll(new NoInstance('closed'))
    const endsAt = performance.now() + graceMs
    while ([...this.#held].some(held => held.inFlight > 0) && performance.now() < endsAt) {
      await new Promise(resolve => setTimeout(resolve, 20))
    }
    await Promise.all([...this.#held].map(held => held.instance.stop()))
  }

  /** Unless a policy picks, the one that has most to do and still room: the others may come to an end. */
  #free(picker: Picker | undefined): Held | undefined {
    if (picker) {
      const roomy = [...this.#held].filter(held => this.#hasRoom(held))
      const picked =
        roomy.length > 0 ? picker(roomy.map(held => ({ ...held, instanceId: held.instance.id }))) : undefined
      if (picked) return roomy.find(held => held.instance.id === picked.instanceId)
    }
    let most: Held | undefined
    for (const held of this.#held) if (this.#hasRoom(held) && !(most && most.inFlight >= held.inFlight)) most = held
    return most
  }

  #taken(held: Held, askedAt: number, isCold: boolean): Taken {
    const calledAt = performance.now()
    // Those who wait have copies started as they need them; how many stay goes by the work that there is.
    this.#demand.begin(this.#options.now())
    held.served++
    const { bootMs, initMs } = held.instance
    const begun = isCold ? { bootMs, initMs, isCold } : { bootMs: 0, initMs: 0, isCold }
    return { held, calledAt, phases: { queueMs: calledAt - askedAt, ...begun } }
  }

  #hasRoom(held: Held): boolean {
    return !held.isDraining && held.inFlight < this.#options.concurrency
  }

  #wait(): Promise<Held> {
    if (this.#isClosed) throw new NoInstance('closed')
    if (this.#restraint.isLooping) throw new NoInstance('crashLoop', this.#restraint.fault)
    const waiting = this.#waiting.add(() => this.#restraint.fault)
    this.#grow()
    return waiting
  }

  /** Starts as many as wait beyond what is on its way, unless they have their turn before those could begin. */
  #grow(): void {
    if (this.#isSoonServed()) {
      this.#look ??= setTimeout(() => {
        this.#look = undefined
        this.#grow()
      }, this.#patienceMs)
      return
    }
    const coming = this.#starting * this.#options.concurrency
    const lacking = Math.ceil((this.#waiting.length - coming) / this.#options.concurrency)
    this.#startSome(lacking)
  }

  /** What was expected and did not come true is not expected again. */
  #isSoonServed(): boolean {
    const waitedMs = this.#waiting.longestMs
    if (waitedMs === null || waitedMs >= this.#patienceMs - 1) return false
    const copies = [...this.#held].filter(held => !held.isDraining)
    return expectedWaitMs(this.#waiting.length, copies, this.#options.concurrency) < this.#patienceMs
  }

  #startSome(wanted: number): void {
    const room = this.#isClosed ? 0 : this.#options.sizing().maxInstances - this.#held.size - this.#starting
    for (let number = Math.min(wanted, room, this.#restraint.room); number > 0; number--) void this.#startOne()
  }

  async #startOne(): Promise<void> {
    this.#starting++
    this.#restraint.starting()
    try {
      const held = await this.#begin()
      this.#restraint.started()
      this.#starting--
      for (let room = this.#options.concurrency; room > 0; room--) this.#serve(held)
    } catch (error) {
      this.#starting--
      this.#restraint.failed(error instanceof CannotStart ? error.fault : null)
      // Whoever waits learns why at once: the next attempt would fail the same way.
      this.#waiting.refuseAll(new NoInstance('cannotStart', this.#restraint.fault))
    }
  }

  async #begin(): Promise<Held> {
    const from = performance.now()
    const instance = await this.#options.start(this.#restraint.hasDied)
    this.#patienceMs = Math.min(mostPatienceMs, performance.now() - from)
    return this.#add(instance)
  }

  #add(instance: Instance): Held {
    const now = this.#options.now()
    const held: Held = {
      ...{ instance, order: ++this.#started, latencyMs: null, ended: 0, cpuMs: 0, inFlight: 0, served: 0 },
      ...{ startedAt: now, lastUsedAt: now, isDraining: false },
    }
    this.#held.add(held)
    void instance.ended.then(reason => this.#drop(held, reason))
    // It was on its way when the pool was closed.
    if (this.#isClosed) void instance.stop()
    return held
  }

  #drop(held: Held, reason: EndReason): void {
    if (!this.#held.delete(held)) return
    if (reason !== 'stopped' && !this.#isClosed) this.#restraint.died(held.order, this.#started)
    this.#grow()
  }

  #serve(held: Held): void {
    if (this.#held.has(held) && this.#hasRoom(held) && this.#waiting.serve(held)) held.inFlight++
  }

  /** Once a second: as many copies as there shall be, and an end for those without work. */
  #tick(): void {
    const now = this.#options.now()
    this.#restraint.second()
    if (this.#options.sizing().metrics.some(rule => rule.metric === 'Cpu')) this.#countProcessors()
    const { target } = this.target()
    if (this.#restraint.isDue) this.#startSome(target - this.#held.size - this.#starting)
    this.#grow()
    this.#endIdle(now, target)
  }

  #countProcessors(): void {
    for (const held of this.#held) {
      const { cpuMs } = held.instance.usage()
      this.#demand.used(Math.max(0, cpuMs - held.cpuMs))
      held.cpuMs = cpuMs
    }
  }

  #endIdle(now: number, target: number): void {
    const { idleMs, maxInstances } = this.#options.sizing()
    let count = [...this.#held].filter(held => !held.isDraining).length
    for (const held of this.#held) {
      if (held.inFlight > 0 || held.isDraining || count <= target) continue
      if (count <= maxInstances && now - held.lastUsedAt < idleMs) continue
      held.isDraining = true
      count--
      void held.instance.stop()
    }
  }
}
