/** How calls of one qualifier are governed. Names and numbers are those of the field (Resilience4j, CSE). */
export const kinds = ['LOADBALANCER', 'RETRY', 'CIRCUITBREAKER'] as const
export type Kind = (typeof kinds)[number]

export const policies = ['RoundRobin', 'Random', 'LeastInFlight', 'WeightedResponse', 'SessionStickiness'] as const
export const stickyParts = ['header', 'cookie', 'uid'] as const
export const retryErrors = ['TIMEOUT', 'CRASH', 'CONNECT'] as const
export const waitStrategies = ['FIXED', 'RANDOM_BACKOFF'] as const
export const windowTypes = ['count', 'time'] as const
export const forcedStates = ['NONE', 'OPEN', 'DISABLED'] as const
export const breakerStates = ['CLOSED', 'OPEN', 'HALF_OPEN', 'FORCED_OPEN', 'DISABLED'] as const

export interface BalanceSpec {
  policy: (typeof policies)[number]
  /** For `SessionStickiness`: what tells sessions apart, and how long one stays with its copy after its last call. */
  sticky: { by: (typeof stickyParts)[number]; name: string; ttlSec: number }
}

export interface RetrySpec {
  /** The handler may run twice for one call. Without it a call is repeated only where the handler never began. */
  isIdempotent: boolean
  /** All tries together. */
  maxAttempts: number
  retryOnResponseStatus: number[]
  retryOnErrors: (typeof retryErrors)[number][]
  strategy: (typeof waitStrategies)[number]
  waitMs: number
  maxWaitMs: number
  multiplier: number
  /** Of a wait, up and down: 0.5 is a half to one and a half. */
  jitter: number
  /** So many tries on the copy that failed, then on another one. */
  retryOnSame: number
}

export interface BreakerSpec {
  /** Percent of the calls in the window. */
  failureRateThreshold: number
  slowCallRateThreshold: number
  slowCallDurationMs: number
  minimumNumberOfCalls: number
  slidingWindowType: (typeof windowTypes)[number]
  /** Calls, or seconds. */
  slidingWindowSize: number
  waitInOpenMs: number
  permittedCallsInHalfOpen: number
  /** Of answers that came; a call that threw, crashed or was too slow has failed anyway. */
  recordFailureStatus: number[]
  forced: (typeof forcedStates)[number]
}

export interface SpecOf {
  LOADBALANCER: BalanceSpec
  RETRY: RetrySpec
  CIRCUITBREAKER: BreakerSpec
}

/** What stands where nothing was set; none of it is in force then. */
export const defaults: SpecOf = {
  LOADBALANCER: { policy: 'LeastInFlight', sticky: { by: 'uid', name: '', ttlSec: 600 } },
  RETRY: {
    isIdempotent: false,
    maxAttempts: 3,
    retryOnResponseStatus: [502, 503],
    retryOnErrors: ['TIMEOUT', 'CRASH', 'CONNECT'],
    strategy: 'FIXED',
    waitMs: 10,
    maxWaitMs: 10_000,
    multiplier: 2,
    jitter: 0.5,
    retryOnSame: 0,
  },
  CIRCUITBREAKER: {
    failureRateThreshold: 50,
    slowCallRateThreshold: 100,
    slowCallDurationMs: 60_000,
    minimumNumberOfCalls: 20,
    slidingWindowType: 'count',
    slidingWindowSize: 100,
    waitInOpenMs: 60_000,
    permittedCallsInHalfOpen: 10,
    recordFailureStatus: [502, 503, 504],
    forced: 'NONE',
  },
}

/** How one try ended, as retry and breaker see it. */
export interface Tried {
  /** What the caller would be told. */
  status: number
  error: (typeof retryErrors)[number] | null
  /** The handler threw, crashed, was too slow, or could not be reached. */
  hasFailed: boolean
  /** The handler may have begun. */
  hasStarted: boolean
  /** Held back by a limit of the caller's own: it says nothing about the function, and more tries make it worse. */
  isHeldBack: boolean
}

/**
 * How long to wait before the next try, milliseconds; null where there is none.
 *
 * @param tries made so far, at least 1
 * @param leftMs until the caller's deadline
 * @param chance 0 to below 1
 */
export function retryWaitMs(spec: RetrySpec, tried: Tried, tries: number, leftMs: number, chance: number) {
  if (tries >= spec.maxAttempts || tried.isHeldBack) return null
  const isMeant =
    (tried.error !== null && spec.retryOnErrors.includes(tried.error)) ||
    spec.retryOnResponseStatus.includes(tried.status)
  if (!isMeant || (tried.hasStarted && !spec.isIdempotent)) return null
  const waitMs = backOffMs(spec, tries, chance)
  return waitMs < leftMs ? waitMs : null
}

function backOffMs(spec: RetrySpec, tries: number, chance: number): number {
  if (spec.strategy === 'FIXED') return spec.waitMs
  const grown = Math.min(spec.waitMs * spec.multiplier ** (tries - 1), spec.maxWaitMs)
  return Math.min(grown * (1 - spec.jitter + 2 * spec.jitter * chance), spec.maxWaitMs)
}

/** A copy that has room, as a policy sees it. */
export interface Candidate {
  instanceId: string
  /** Counts up with each copy that is started. */
  order: number
  inFlight: number
  /** Moving average of its answers; null before the first. */
  latencyMs: number | null
}

/**
 * Which copy the next call goes to.
 *
 * @param after the `order` of the copy that the call before went to
 */
export function pick(
  policy: Exclude<BalanceSpec['policy'], 'SessionStickiness'>,
  candidates: readonly Candidate[],
  after: number,
  chance: number,
): Candidate | undefined {
  if (policy === 'Random') return candidates[Math.floor(chance * candidates.length)]
  if (policy === 'WeightedResponse') return weighted(candidates, chance)
  const sorted = [...candidates].sort((a, b) => a.order - b.order)
  const turned = [...sorted.filter(one => one.order > after), ...sorted.filter(one => one.order <= after)]
  if (policy === 'RoundRobin') return turned[0]
  return turned.reduce<Candidate | undefined>(
    (best, one) => (best && best.inFlight <= one.inFlight ? best : one),
    undefined,
  )
}

/** By 1 / latency. One that has not answered yet counts as the fastest, so that it gets its first call. */
function weighted(candidates: readonly Candidate[], chance: number): Candidate | undefined {
  const known = candidates.flatMap(one => one.latencyMs ?? [])
  const fastest = Math.max(0.1, Math.min(...known, Number.MAX_VALUE))
  const weights = candidates.map(one => 1 / Math.max(0.1, one.latencyMs ?? (known.length > 0 ? fastest : 1)))
  let left = chance * weights.reduce((sum, weight) => sum + weight, 0)
  for (const [at, weight] of weights.entries()) {
    left -= weight
    if (left < 0) return candidates[at]
  }
  return candidates.at(-1)
}

/** The moving average that `WeightedResponse` goes by. */
export const smoothed = (before: number | null, latencyMs: number) =>
  before === null ? latencyMs : before * 0.8 + latencyMs * 0.2

/** What of a call tells its session; null where it has none. */
export function sessionOf(
  { by, name }: BalanceSpec['sticky'],
  call: { uid: string | null; headers: Readonly<Record<string, string | string[] | undefined>> },
): string | null {
  if (by === 'uid') return call.uid
  if (by === 'header') return String(call.headers[name.toLowerCase()] ?? '') || null
  for (const part of String(call.headers['cookie'] ?? '').split(';')) {
    const at = part.indexOf('=')
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim() || null
  }
  return null
}
