import type { Server } from '../../../../server/server.ts'
import { partOf } from '../../../../server/siblings/siblings.ts'
import type { Invocation } from '../invocation.ts'
import type { Runnable } from '../pool/runtime.ts'
import type { Picker } from '../pool/version-pool.ts'
import { scalingLimits } from '../scaling/rules.ts'
import { Balancer } from './balancer.ts'
import { Breaker, type BreakerStatus } from './breaker.ts'
import { controlsOf, type FunctionControls, ungoverned } from './controls.ts'
import { ProjectGate } from './project-gate.ts'
import { type BalanceSpec, type BreakerSpec, retryWaitMs, sessionOf, type Tried } from './rules.ts'
import { type Heard, hearMoves, tellMove } from './shared.ts'

/** One try as the invoker made it. */
export interface Try<Told> {
  told: Told
  tried: Tried
  durationMs: number
  instanceId: string | null
}

export interface Making<Told> {
  /** Makes a try, within the milliseconds that are left. */
  make(number: number, left: { ms: number; picker: Picker | undefined; controls: FunctionControls }): Promise<Try<Told>>
  /** What the caller is told when the breaker lets nothing through. */
  notPermitted(retryAfterMs: number): Told
  /** Before each try but the first. */
  again?(number: number, tried: Tried, waitMs: number): void
}

const mostKept = 10_000
const topic = 'breaker of a function'
const statusMs = 1000

interface Asked {
  key: string
  spec: BreakerSpec
}

type NodeStatus = BreakerStatus & { node: number }

/** The breakers and balancers of this process, each as long as what was set stays the same. */
class Governors {
  readonly gate: ProjectGate
  readonly #server: Server
  readonly #breakers = new Map<string, Breaker>()
  readonly #balancers = new Map<string, Balancer>()
  /** Breakers that are open on another process, of which no call came here yet. */
  readonly #heard = new Map<string, Heard>()

  constructor(server: Server) {
    this.#server = server
    this.gate = new ProjectGate(partOf(scalingLimits.projectConcurrency, server.siblings.place))
  }

  /** Follows the breakers of other processes from now on, and tells them of its own. Call before the signals start. */
  listen(): void {
    this.#server.siblings.answer(topic, about => this.#status(about as Asked))
    hearMoves(this.#server, (key, heard) => {
      const found = this.#breakers.get(key)
      if (found && JSON.stringify(found.spec) === heard.specText) found.follow(heard)
      else if (heard.state === 'CLOSED') this.#heard.delete(key)
      else remember(this.#heard, key, heard)
    })
  }

  breaker(key: string, spec: BreakerSpec): Breaker {
    return kept(this.#breakers, key, spec, () => {
      const made = new Breaker(spec, move => tellMove(this.#server, key, spec, move))
      const heard = this.#heard.get(key)
      this.#heard.delete(key)
      if (heard?.specText === JSON.stringify(spec)) made.follow(heard)
      return made
    })
  }

  balancer(key: string, spec: BalanceSpec): Balancer {
    return kept(this.#balancers, key, spec, () => new Balancer(spec))
  }

  /** What the breaker sees; of processes that share a port the first one has it. */
  async status(asked: Asked): Promise<NodeStatus> {
    const { siblings } = this.#server
    const there = siblings.place.at > 0 ? await siblings.askFirst<NodeStatus>(topic, asked, statusMs) : undefined
    return there ?? this.#status(asked)
  }

  #status({ key, spec }: Asked): NodeStatus {
    const { config, clock } = this.#server
    return { node: config.node, ...this.breaker(key, spec).status(clock.now()) }
  }
}

const isSame = (one: object, other: object) => one === other || JSON.stringify(one) === JSON.stringify(other)

function kept<T extends { spec: object }>(all: Map<string, T>, key: string, spec: object, make: () => T): T {
  const known = all.get(key)
  if (known && isSame(known.spec, spec)) return known
  const made = make()
  remember(all, key, made)
  return made
}

function remember<T>(all: Map<string, T>, key: string, one: T): void {
  if (all.size >= mostKept && !all.has(key)) all.delete(all.keys().next().value as string)
  all.set(key, one)
}

const governors = new WeakMap<Server, Governors>()

export function governorsOf(server: Server): Governors {
  let found = governors.get(server)
  if (!found) {
    found = new Governors(server)
    governors.set(server, found)
  }
  return found
}

/** A breaker is of a function and one of its qualifiers: a neighbour's stays as it is. */
export const governorKey = ({ zone, functionId }: Pick<Runnable, 'zone' | 'functionId'>, qualifier: string) =>
  `${zone} ${functionId} ${qualifier}`

/**
 * Makes a call as its qualifier is governed: asks the breaker before each try, sends it to the copy that the policy picks,
 * and tries again where that is allowed and in time.
 *
 * @param deadlineMs for all tries and the waits between them
 */
export function governed<Told>(
  server: Server,
  invocation: Invocation,
  deadlineMs: number,
  making: Making<Told>,
): Promise<{ told: Told }> {
  const { runnable, qualifier } = invocation
  const controls = controlsOf(server).of(runnable.zone, runnable.functionId)
  // Each wait costs a call half a microsecond, also one for what is there: most calls are governed by nothing.
  if (!(controls instanceof Promise) && controls.governed(qualifier) === ungoverned)
    return making.make(1, { ms: deadlineMs, picker: undefined, controls })
  return makeTries(server, invocation, deadlineMs, making)
}

async function makeTries<Told>(
  server: Server,
  { runnable, qualifier, caller, headers = {} }: Invocation,
  deadlineMs: number,
  { make, notPermitted, again }: Making<Told>,
): Promise<{ told: Told }> {
  const { zone, functionId } = runnable
  let controls = await controlsOf(server).of(zone, functionId)
  const { LOADBALANCER, RETRY, CIRCUITBREAKER } = controls.governed(qualifier)
  const breaker = CIRCUITBREAKER && governorsOf(server).breaker(governorKey(runnable, qualifier), CIRCUITBREAKER)
  const balancer = LOADBALANCER && governorsOf(server).balancer(governorKey(runnable, qualifier), LOADBALANCER)
  const session = LOADBALANCER ? sessionOf(LOADBALANCER.sticky, { uid: caller?.uid ?? null, headers }) : null
  const endsAt = performance.now() + deadlineMs
  let failedOn: string | null = null
  let last: Try<Told> | undefined
  for (let number = 1; ; number++) {
    const permit = breaker?.ask(server.clock.now())
    if (typeof permit === 'number') return last ?? { told: notPermitted(permit) }
    const stays = RETRY !== undefined && number <= 1 + RETRY.retryOnSame
    const picker = pickerOf(balancer, session, failedOn, stays, server.clock.now())
    last = await make(number, { ms: endsAt - performance.now(), picker, controls })
    const { tried, durationMs, instanceId } = last
    if (permit && tried.isHeldBack) breaker?.release(permit)
    else if (permit)
      breaker?.end(permit, server.clock.now(), { isFailure: isFailure(tried, CIRCUITBREAKER), durationMs })
    const waitMs = RETRY ? retryWaitMs(RETRY, tried, number, endsAt - performance.now(), Math.random()) : null
    if (waitMs === null) return last
    failedOn = instanceId
    again?.(number, tried, waitMs)
    await new Promise(resolve => setTimeout(resolve, waitMs))
    controls = await controlsOf(server).of(zone, functionId)
  }
}

const isFailure = ({ hasFailed, status }: Tried, spec: BreakerSpec | undefined) =>
  hasFailed || (spec?.recordFailureStatus.includes(status) ?? false)

/** After a failure the same copy while that is wished, then another one where there is one. */
function pickerOf(
  balancer: Balancer | undefined,
  session: string | null,
  failedOn: string | null,
  stays: boolean,
  now: number,
): Picker | undefined {
  if (failedOn === null) return balancer && (candidates => balancer.pick(candidates, session, now))
  return candidates => {
    const same = candidates.find(one => one.instanceId === failedOn)
    if (stays && same) return same
    const others = candidates.filter(one => one !== same)
    const from = others.length > 0 ? others : candidates
    return balancer ? balancer.pick(from, session, now) : from[0]
  }
}
