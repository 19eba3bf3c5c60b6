import type { Fault } from '../engine/port.ts'
import { limits } from '../rules.ts'

/** Thrown where no copy could take the call. */
export class NoInstance extends Error {
  readonly reason: 'queueFull' | 'waitedTooLong' | 'crashLoop' | 'cannotStart' | 'closed'
  readonly fault: Fault | null
  constructor(reason: NoInstance['reason'], fault: Fault | null = null) {
    super(reason)
    this.reason = reason
    this.fault = fault
  }
}

interface Waiting<Copy> {
  since: number
  resolve(copy: Copy): void
  reject(error: NoInstance): void
  timer: NodeJS.Timeout
}

/** Calls of one version for which no copy has room yet; whoever came first is served first. */
export class WaitingCalls<Copy> {
  readonly #all: Waiting<Copy>[] = []

  get length(): number {
    return this.#all.length
  }

  /** How long the first of them has waited, milliseconds; null where nobody waits. */
  get longestMs(): number | null {
    const [first] = this.#all
    return first ? performance.now() - first.since : null
  }

  /** Resolves with the copy that serves it. Throws `NoInstance` where too many wait; rejects with it after a while. */
  add(why: () => Fault | null): Promise<Copy> {
    if (this.#all.length >= limits.queued) throw new NoInstance('queueFull')
    return new Promise((resolve, reject) => {
      const late = () => {
        this.#all.splice(this.#all.indexOf(one), 1)
        reject(new NoInstance('waitedTooLong', why()))
      }
      const one = { since: performance.now(), resolve, reject, timer: setTimeout(late, limits.queuedForMs) }
      this.#all.push(one)
    })
  }

  /** Gives the copy to the first of them; false where nobody waits. */
  serve(copy: Copy): boolean {
    const next = this.#all.shift()
    if (!next) return false
    clearTimeout(next.timer)
    next.resolve(copy)
    return true
  }

  refuseAll(error: NoInstance): void {
    for (const one of this.#all.splice(0)) {
      clearTimeout(one.timer)
      one.reject(error)
    }
  }
}
