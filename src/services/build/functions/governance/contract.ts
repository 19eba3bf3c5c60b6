import { service } from '../../../../kernel/contract.ts'
import {
  flag,
  Id,
  Instant,
  integer,
  list,
  nullable,
  oneOf,
  optional,
  pattern,
  Revision,
  shape,
  Type,
  text,
} from '../../../../kernel/shape.ts'
import { functionErrors, Qualifier } from '../contract.ts'
import {
  breakerStates,
  forcedStates,
  policies,
  retryErrors,
  stickyParts,
  waitStrategies,
  windowTypes,
} from './rules.ts'

const Percent = Type.Number({ minimum: 1, maximum: 100 })
const Statuses = list(integer(400, 599), { maxItems: 50, uniqueItems: true })

export const BalanceShape = shape({
  policy: oneOf(policies),
  sticky: shape({
    by: oneOf(stickyParts),
    /** Of the header or the cookie. */
    name: pattern("^[A-Za-z0-9!#$%&'*+.^_`|~-]{0,100}$", 100, 'x-session'),
    ttlSec: integer(1, 86_400),
  }),
})

export const RetryShape = shape({
  isIdempotent: flag(),
  maxAttempts: integer(1, 5),
  retryOnResponseStatus: Statuses,
  retryOnErrors: list(oneOf(retryErrors), { maxItems: 3, uniqueItems: true }),
  strategy: oneOf(waitStrategies),
  waitMs: integer(1, 10_000),
  maxWaitMs: integer(1, 60_000),
  multiplier: Type.Number({ minimum: 1, maximum: 10 }),
  jitter: Type.Number({ minimum: 0, maximum: 1 }),
  retryOnSame: integer(0, 4),
})

export const BreakerShape = shape({
  failureRateThreshold: Percent,
  slowCallRateThreshold: Percent,
  slowCallDurationMs: integer(1, 600_000),
  minimumNumberOfCalls: integer(1, 10_000),
  slidingWindowType: oneOf(windowTypes),
  slidingWindowSize: integer(1, 10_000),
  waitInOpenMs: integer(1, 3_600_000),
  permittedCallsInHalfOpen: integer(1, 1000),
  recordFailureStatus: Statuses,
  forced: oneOf(forcedStates),
})

/** What one server process sees. */
const Live = shape({
  node: integer(0, 1023),
  state: oneOf(breakerStates),
  windowCalls: integer(0, 1_000_000),
  failureRate: nullable(Type.Number({ minimum: 0, maximum: 100 })),
  slowRate: nullable(Type.Number({ minimum: 0, maximum: 100 })),
  openedAt: nullable(Instant),
  trialsAt: nullable(Instant),
  notPermitted: integer(0, Number.MAX_SAFE_INTEGER),
})

const ofFunction = shape({ functionId: Id })
const ofQualifier = shape({ qualifier: optional(Qualifier) })
const own = {
  qualifier: text(64),
  isEnabled: flag(),
  /** 0 where nothing was set: these are the defaults, and none of them is in force. */
  revision: integer(0, 2_147_483_647),
}
const named = { qualifier: optional(Qualifier), isEnabled: optional(flag()) }
const Balance = shape({ ...own, spec: BalanceShape })
const Retry = shape({ ...own, spec: RetryShape })
const BreakerAnswer = shape({ ...own, spec: BreakerShape, status: list(Live) })

const read = { who: 'cp', may: 'functions.read', method: 'GET', params: ofFunction, query: ofQualifier } as const
const make = { who: 'cp', may: 'functions.edit', method: 'POST', params: ofFunction } as const
const change = { who: 'cp', may: 'functions.edit', method: 'PUT', params: ofFunction } as const
const remove = { who: 'cp', may: 'functions.edit', method: 'DELETE', params: ofFunction, query: ofQualifier } as const
const balancing = '/function/:functionId/governance/loadbalancer'
const retrying = '/function/:functionId/governance/retry'
const breaking = '/function/:functionId/governance/circuitBreaker'

/** How calls of a function are spread, tried again and held back: by qualifier, for whoever calls. */
export const functionGovernance = service({
  name: 'build/functions',
  prefix: '/fgs/ide-service/v1',
  zone: 'current',
  permissions: ['functions.read', 'functions.edit'],
  errors: { noVersion: functionErrors.noVersion },
  calls: {
    getLoadBalancer: { ...read, path: balancing, summary: 'How calls are spread over the copies', answer: Balance },
    createLoadBalancer: {
      ...make,
      path: balancing,
      summary: 'Says how calls are spread over the copies',
      body: shape({ ...named, spec: BalanceShape }),
      answer: Balance,
    },
    updateLoadBalancer: {
      ...change,
      path: balancing,
      summary: 'Changes how calls are spread over the copies',
      body: shape({ ...named, revision: Revision, spec: BalanceShape }),
      answer: Balance,
    },
    deleteLoadBalancer: { ...remove, path: balancing, summary: 'Calls go to copies as by default', answer: Balance },
    getRetry: { ...read, path: retrying, summary: 'Which calls are tried again, and after what time', answer: Retry },
    createRetry: {
      ...make,
      path: retrying,
      summary: 'Says which calls are tried again',
      body: shape({ ...named, spec: RetryShape }),
      answer: Retry,
    },
    updateRetry: {
      ...change,
      path: retrying,
      summary: 'Changes which calls are tried again',
      body: shape({ ...named, revision: Revision, spec: RetryShape }),
      answer: Retry,
    },
    deleteRetry: { ...remove, path: retrying, summary: 'No call is tried again', answer: Retry },
    getCircuitBreaker: {
      ...read,
      path: breaking,
      summary: 'When calls are held back, and what the breaker sees now',
      answer: BreakerAnswer,
    },
    createCircuitBreaker: {
      ...make,
      path: breaking,
      summary: 'Says when calls are held back',
      body: shape({ ...named, spec: BreakerShape }),
      answer: BreakerAnswer,
    },
    updateCircuitBreaker: {
      ...change,
      path: breaking,
      summary: 'Changes when calls are held back; the breaker begins anew',
      body: shape({ ...named, revision: Revision, spec: BreakerShape }),
      answer: BreakerAnswer,
    },
    deleteCircuitBreaker: { ...remove, path: breaking, summary: 'No call is held back', answer: BreakerAnswer },
  },
})
