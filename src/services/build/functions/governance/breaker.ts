import type { BreakerSpec, breakerStates } from './rules.ts'
import { CountWindow, TimeWindow, type Window } from './windows.ts'

export type BreakerState = (typeof breakerStates)[number]

/** A call that was let through; its end is told with it. */
export interface Permit {
  round: number
  isTrial: boolean
}

/** A breaker opened or closed by what it counted. */
export interface Move {
  state: 'OPEN' | 'CLOSED'
  at: number
}

export interface BreakerStatus {
  state: BreakerState
  windowCalls: number
  /** Percent; null before there are enough calls to say. */
  failureRate: number | null
  slowRate: number | null
  openedAt: number | null
  /** From when on calls are let through to try it; the first of them makes it half open. */
  trialsAt: number | null
  /** Of calls that were not let through since it opened. */
  notPermitted: number
}

const fixed = { OPEN: 'FORCED_OPEN', DISABLED: 'DISABLED', NONE: undefined } as const

/**
 * The circuit breaker of Resilience4j by its published rules: it opens when a rate reaches its threshold with enough calls in
 * the window, waits, lets a few calls through, and opens or closes by how these end. It knows no clock: times are given.
 */
export class Breaker {
  readonly spec: BreakerSpec
  #state: BreakerState
  #window: Window
  #openedAt: number | null = null
  #notPermitted = 0
  /** Counts the moves: what began before a move says nothing about the state after it. */
  #round = 0
  #trialsLeft = 0
  #trialsOpen = 0
  readonly #moved: ((move: Move) => void) | undefined

  /** @param moved hears of each opening and closing that calls of this breaker led to */
  constructor(spec: BreakerSpec, moved?: (move: Move) => void) {
    this.spec = spec
    this.#moved = moved
    this.#state = fixed[spec.forced] ?? 'CLOSED'
    this.#window = this.#newWindow()
  }

  /** A permit, or how long nothing is let through, milliseconds. */
  ask(now: number): Permit | number {
    if (this.#state === 'OPEN' && this.#waitLeft(now) === 0) this.#tryOut()
    if (this.#state === 'HALF_OPEN') {
      if (this.#trialsLeft === 0) return this.#refuse(1000)
      this.#trialsLeft--
      this.#trialsOpen++
      return { round: this.#round, isTrial: true }
    }
    if (this.#state === 'OPEN') return this.#refuse(this.#waitLeft(now))
    if (this.#state === 'FORCED_OPEN') return this.#refuse(this.spec.waitInOpenMs)
    return { round: this.#round, isTrial: false }
  }

  /** How a call that was let through ended. */
  end(permit: Permit, now: number, { isFailure, durationMs }: { isFailure: boolean; durationMs: number }): void {
    if (permit.round !== this.#round || this.#state === 'DISABLED') return
    if (permit.isTrial) this.#trialsOpen--
    this.#window.add(now, isFailure, durationMs > this.spec.slowCallDurationMs)
    if (this.#state === 'CLOSED') this.#judge(now)
    else if (this.#state === 'HALF_OPEN' && this.#trialsLeft + this.#trialsOpen === 0) this.#judgeTrials(now)
  }

  /** It ended in a way that says nothing about the function. */
  release(permit: Permit): void {
    if (permit.round !== this.#round || !permit.isTrial) return
    this.#trialsOpen--
    this.#trialsLeft++
  }

  /** Moves as the breaker of another process did. What was held by hand stays held. */
  follow({ state, at }: Move): void {
    if (this.#state === 'FORCED_OPEN' || this.#state === 'DISABLED') return
    if (state === 'CLOSED') this.#close()
    else if (this.#state !== 'OPEN') this.#open(at)
  }

  status(now: number): BreakerStatus {
    const { calls } = this.#window.totals(now)
    const [failureRate, slowRate] = this.#rates(now) ?? [null, null]
    return {
      ...{ state: this.#state, windowCalls: calls, failureRate, slowRate },
      ...{ openedAt: this.#openedAt, notPermitted: this.#notPermitted },
      trialsAt: this.#state === 'OPEN' ? (this.#openedAt ?? 0) + this.spec.waitInOpenMs : null,
    }
  }

  #judge(now: number): void {
    const rates = this.#rates(now)
    if (!rates || !this.#isOver(rates)) return
    this.#open(now)
    this.#moved?.({ state: 'OPEN', at: now })
  }

  #judgeTrials(now: number): void {
    const { calls, failures, slow } = this.#window.totals(now)
    const isOver = this.#isOver([(100 * failures) / calls, (100 * slow) / calls])
    if (isOver) this.#open(now)
    else this.#close()
    this.#moved?.({ state: isOver ? 'OPEN' : 'CLOSED', at: now })
  }

  #close(): void {
    this.#state = 'CLOSED'
    this.#openedAt = null
    this.#notPermitted = 0
    this.#round++
    this.#window = this.#newWindow()
  }

  #open(now: number): void {
    this.#state = 'OPEN'
    this.#openedAt = now
    this.#notPermitted = 0
    this.#round++
  }

  #tryOut(): void {
    this.#state = 'HALF_OPEN'
    this.#round++
    this.#trialsLeft = this.spec.permittedCallsInHalfOpen
    this.#trialsOpen = 0
    this.#window = new CountWindow(this.spec.permittedCallsInHalfOpen)
  }

  #refuse(ms: number): number {
    this.#notPermitted++
    return Math.max(1, ms)
  }

  #waitLeft(now: number): number {
    return Math.max(0, (this.#openedAt ?? 0) + this.spec.waitInOpenMs - now)
  }

  #rates(now: number): [failure: number, slow: number] | null {
    const { slidingWindowType, slidingWindowSize, minimumNumberOfCalls } = this.spec
    const { calls, failures, slow } = this.#window.totals(now)
    const least =
      slidingWindowType === 'count' ? Math.min(minimumNumberOfCalls, slidingWindowSize) : minimumNumberOfCalls
    return calls < least || calls === 0 ? null : [(100 * failures) / calls, (100 * slow) / calls]
  }

  #isOver([failure, slow]: [number, number]): boolean {
    return failure >= this.spec.failureRateThreshold || slow >= this.spec.slowCallRateThreshold
  }

  #newWindow(): Window {
    const { slidingWindowType, slidingWindowSize } = this.spec
    return slidingWindowType === 'count' ? new CountWindow(slidingWindowSize) : new TimeWindow(slidingWindowSize)
  }
}
