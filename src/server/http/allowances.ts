import type { Server } from '../server.ts'
import { Allowance } from './allowance.ts'

type Sharing = Pick<Server, 'siblings' | 'clock'>

const topic = 'spent calls'
/** One that is far from its end may be told of late, many calls in one word. */
const tellAfterMs = 50

/** By the name of the allowance and by caller. */
type Spent = Map<string, Map<string, number>>

/** Tells the other processes of what callers spend here, and counts what they spend there. */
class Exchange {
  readonly #server: Sharing
  readonly #all = new Map<string, Allowance>()
  #untold: Spent = new Map()
  #timer: NodeJS.Timeout | undefined
  #isUrgent = false

  constructor(server: Sharing) {
    this.#server = server
    server.siblings.answer(topic, said => this.#hear(said as Spent))
  }

  add(name: string, allowance: Allowance): void {
    this.#all.set(name, allowance)
  }

  spent(name: string, caller: string): void {
    let callers = this.#untold.get(name)
    if (!callers) {
      callers = new Map()
      this.#untold.set(name, callers)
    }
    callers.set(caller, (callers.get(caller) ?? 0) + 1)
    this.#timer ??= setTimeout(() => this.#tell(), tellAfterMs)
    if (this.#isUrgent || !this.#all.get(name)?.isHalfSpent(caller)) return
    this.#isUrgent = true
    setImmediate(() => this.#tell())
  }

  #tell(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#isUrgent = false
    if (this.#untold.size === 0) return
    this.#server.siblings.tell(topic, this.#untold)
    this.#untold = new Map()
  }

  #hear(said: Spent): void {
    const now = this.#server.clock.now()
    for (const [name, callers] of said)
      for (const [caller, calls] of callers) this.#all.get(name)?.add(caller, calls, now)
  }
}

const exchanges = new WeakMap<Sharing, Exchange>()

/**
 * An allowance that the processes which share the port count together. To be opened before the server listens.
 *
 * @param name the same on all of them, and of this one alone
 * @param calls how many each caller has a minute
 * @returns what spends one call of a caller: 0 where it was within the allowance, else the seconds until there is a new one
 */
export function openAllowance(server: Sharing, name: string, calls: number): (caller: string) => number {
  const allowance = new Allowance(calls)
  if (server.siblings.place.of === 1) return caller => allowance.spend(caller, server.clock.now())
  let exchange = exchanges.get(server)
  if (!exchange) {
    exchange = new Exchange(server)
    exchanges.set(server, exchange)
  }
  const shared = exchange
  shared.add(name, allowance)
  return caller => {
    const retryAfterSeconds = allowance.spend(caller, server.clock.now())
    shared.spent(name, caller)
    return retryAfterSeconds
  }
}
