import { describe, expect, it } from 'vitest'
import { Balancer } from './balancer.ts'
import { Breaker, type BreakerState, type Permit } from './breaker.ts'
import { ProjectFull, ProjectGate } from './project-gate.ts'
import {
  type BreakerSpec,
  type Candidate,
  defaults,
  pick,
  type RetrySpec,
  retryWaitMs,
  sessionOf,
  type Tried,
} from './rules.ts'

/** One call after another: + succeeds, - fails, s is slow, x fails slowly, ? is not let through, a number waits seconds. */
function play(spec: Partial<BreakerSpec>, script: string): { state: BreakerState; refused: number } {
  const breaker = new Breaker({ ...defaults.CIRCUITBREAKER, slowCallDurationMs: 1000, ...spec })
  let now = 1_000_000
  let refused = 0
  for (const step of script.split(' ').filter(Boolean)) {
    if (/^\d+$/.test(step)) {
      now += Number(step) * 1000
      continue
    }
    for (const call of step) {
      const permit = breaker.ask(now)
      if (typeof permit === 'number') {
        refused++
        continue
      }
      const isFailure = call === '-' || call === 'x'
      breaker.end(permit, now, { isFailure, durationMs: call === 's' || call === 'x' ? 1001 : 1000 })
    }
  }
  return { state: breaker.status(now).state, refused }
}

describe('the circuit breaker, by the published rules', () => {
  const small = { minimumNumberOfCalls: 4, slidingWindowSize: 10, permittedCallsInHalfOpen: 2, waitInOpenMs: 60_000 }
  it.each<[string, Partial<BreakerSpec>, string, BreakerState, number]>([
    ['is closed at first', small, '', 'CLOSED', 0],
    ['stays closed with fewer calls than the minimum, though all fail', small, '---', 'CLOSED', 0],
    ['opens when the failure rate equals the threshold', small, '++--', 'OPEN', 0],
    ['stays closed below the threshold', small, '+++--', 'CLOSED', 0],
    ['opens when the rate grows over it later', small, '+++---', 'OPEN', 0],
    ['lets nothing through while it is open', small, '---- +++', 'OPEN', 3],
    ['lets nothing through a moment before the wait is over', small, '---- 59 +', 'OPEN', 1],
    ['is half open with the first call after the wait', small, '---- 60 +', 'HALF_OPEN', 0],
    ['stays open without a call after the wait', small, '---- 600', 'OPEN', 0],
    ['closes when all trials succeed', small, '---- 60 ++', 'CLOSED', 0],
    ['opens again when the rate of the trials equals the threshold', small, '---- 60 +-', 'OPEN', 0],
    ['waits again after it opened again', small, '---- 60 -- 59 +', 'OPEN', 1],
    ['begins with an empty window when it closes', small, '---- 60 ++ ---', 'CLOSED', 0],
    ['counts only the newest calls of its window', { ...small, slidingWindowSize: 4 }, '++++ -', 'CLOSED', 0],
    ['forgets what left the window', { ...small, slidingWindowSize: 4 }, '-+++ +++-', 'CLOSED', 0],
    ['takes a window smaller than the minimum for the minimum', { ...small, slidingWindowSize: 2 }, '--', 'OPEN', 0],
    ['opens by slow calls alone', { ...small, slowCallRateThreshold: 50 }, '++ss', 'OPEN', 0],
    ['takes no slow call for a failure', { ...small, slowCallRateThreshold: 60 }, '++ss', 'CLOSED', 0],
    ['opens by default only when all calls are slow', small, 'ssss', 'OPEN', 0],
    ['is opened again by slow trials', small, '---- 60 ss', 'OPEN', 0],
    [
      'counts a call that is slow and fails once in each rate',
      { ...small, slowCallRateThreshold: 30 },
      '+++x',
      'CLOSED',
      0,
    ],
    ['of a window of time, opens with enough calls in it', { ...small, slidingWindowType: 'time' }, '---- ', 'OPEN', 0],
    ['of a window of time, forgets what is older', { ...small, slidingWindowType: 'time' }, '--- 10 -', 'CLOSED', 0],
    [
      'of a window of time, holds all of its last second',
      { ...small, slidingWindowType: 'time' },
      '--- 9 -',
      'OPEN',
      0,
    ],
    ['forced open, lets nothing through', { ...small, forced: 'OPEN' }, '++ 600 ++', 'FORCED_OPEN', 4],
    ['disabled, lets everything through', { ...small, forced: 'DISABLED' }, '----------', 'DISABLED', 0],
  ])('%s', (_what, spec, script, state, refused) => {
    expect(play(spec, script)).toEqual({ state, refused })
  })

  const opened = () => {
    const breaker = new Breaker({ ...defaults.CIRCUITBREAKER, ...small })
    for (let n = 0; n < 4; n++) breaker.end(breaker.ask(0) as Permit, 0, { isFailure: true, durationMs: 1 })
    return breaker
  }

  it('lets no more trials through than it may, until all have ended', () => {
    const breaker = opened()
    const trials = [breaker.ask(60_000), breaker.ask(60_000)] as Permit[]
    expect(breaker.ask(60_000)).toBeTypeOf('number')
    breaker.end(trials[0]!, 60_001, { isFailure: false, durationMs: 1 })
    expect(breaker.ask(60_001)).toBeTypeOf('number')
    expect(breaker.status(60_001).state).toBe('HALF_OPEN')
    breaker.end(trials[1]!, 60_002, { isFailure: false, durationMs: 1 })
    expect(breaker.status(60_002).state).toBe('CLOSED')
  })

  it('gives the place of a trial that says nothing to another one', () => {
    const breaker = opened()
    const [first, second] = [breaker.ask(60_000), breaker.ask(60_000)] as [Permit, Permit]
    breaker.release(first)
    expect(breaker.ask(60_000)).toBeTypeOf('object')
    expect(breaker.ask(60_000)).toBeTypeOf('number')
    breaker.end(second, 60_001, { isFailure: false, durationMs: 1 })
    expect(breaker.status(60_001).state).toBe('HALF_OPEN')
  })

  it('hears nothing of a trial from a call that began before it opened', () => {
    const breaker = new Breaker({ ...defaults.CIRCUITBREAKER, ...small })
    const early = breaker.ask(0) as Permit
    for (let n = 0; n < 4; n++) breaker.end(breaker.ask(0) as Permit, 0, { isFailure: true, durationMs: 1 })
    const trial = breaker.ask(60_000) as Permit
    breaker.end(early, 60_001, { isFailure: true, durationMs: 60_001 })
    breaker.end(trial, 60_002, { isFailure: false, durationMs: 1 })
    breaker.end(breaker.ask(60_003) as Permit, 60_003, { isFailure: false, durationMs: 1 })
    expect(breaker.status(60_003).state).toBe('CLOSED')
  })

  it('says how long nothing is let through, and its rates once there are enough calls', () => {
    const breaker = opened()
    expect(breaker.ask(45_000)).toBe(15_000)
    expect(breaker.status(45_000)).toMatchObject({ openedAt: 0, trialsAt: 60_000, failureRate: 100, notPermitted: 1 })
    const fresh = new Breaker(defaults.CIRCUITBREAKER)
    fresh.end(fresh.ask(0) as Permit, 0, { isFailure: true, durationMs: 1 })
    expect(fresh.status(0)).toMatchObject({ windowCalls: 1, failureRate: null, slowRate: null })
  })
})

describe('a call is tried again', () => {
  const tried = (wish: Partial<Tried>): Tried => ({
    ...{ status: 200, error: null, hasFailed: true, hasStarted: true, isHeldBack: false },
    ...wish,
  })
  const timeout = tried({ status: 504, error: 'TIMEOUT' })
  const notBegun = tried({ status: 503, error: 'CONNECT', hasStarted: false })
  const repeatable = { isIdempotent: true }
  it.each<[string, Partial<RetrySpec>, Tried, number, number, number | null]>([
    ['after a time limit, where it may run twice', repeatable, timeout, 1, 9000, 10],
    ['not where it may not', {}, timeout, 1, 9000, null],
    ['where it never began, though it may not run twice', {}, notBegun, 1, 9000, 10],
    ['for a status that is named', repeatable, tried({ status: 502 }), 1, 9000, 10],
    ['for such a status not where it may not run twice', {}, tried({ status: 502 }), 1, 9000, null],
    ['for no other status', repeatable, tried({ status: 500 }), 1, 9000, null],
    ['not after success', repeatable, tried({ hasFailed: false }), 1, 9000, null],
    ['not when the tries are used up', repeatable, timeout, 3, 9000, null],
    ['as often as is said', { ...repeatable, maxAttempts: 5 }, timeout, 4, 9000, 10],
    ['never with one try', { ...repeatable, maxAttempts: 1 }, timeout, 1, 9000, null],
    ['not past the deadline of the caller', repeatable, timeout, 1, 10, null],
    ['not for an error that is not named', { ...repeatable, retryOnErrors: ['CRASH'] }, timeout, 1, 9000, null],
    [
      'not where a limit held it back',
      { ...repeatable, retryOnResponseStatus: [429] },
      tried({ status: 429, isHeldBack: true, hasStarted: false }),
      1,
      9000,
      null,
    ],
    ['after a fixed wait each time', { ...repeatable, waitMs: 200 }, timeout, 2, 9000, 200],
    [
      'after a wait that grows',
      { ...repeatable, strategy: 'RANDOM_BACKOFF', waitMs: 100, jitter: 0 },
      timeout,
      2,
      9000,
      200,
    ],
    [
      'after no longer wait than may be',
      { ...repeatable, strategy: 'RANDOM_BACKOFF', waitMs: 100, jitter: 0, maxWaitMs: 150 },
      timeout,
      2,
      9000,
      150,
    ],
  ])('%s', (_what, spec, one, tries, leftMs, waitMs) => {
    expect(retryWaitMs({ ...defaults.RETRY, ...spec }, one, tries, leftMs, 0.5)).toBe(waitMs)
  })

  it.each([
    [0, 50],
    [0.25, 75],
    [0.5, 100],
    [0.75, 125],
  ])('after a wait that chance %s makes %s ms', (chance, waitMs) => {
    const spec = { ...defaults.RETRY, isIdempotent: true, strategy: 'RANDOM_BACKOFF' as const, waitMs: 100 }
    expect(retryWaitMs(spec, timeout, 1, 9000, chance)).toBe(waitMs)
  })
})

const copies = (...wish: Partial<Candidate>[]): Candidate[] =>
  wish.map((one, at) => ({ instanceId: `c${at + 1}`, order: at + 1, inFlight: 0, latencyMs: null, ...one }))

describe('calls are spread', () => {
  it('in turn, so that each copy gets the same', () => {
    const balancer = new Balancer({ ...defaults.LOADBALANCER, policy: 'RoundRobin' })
    const order = Array.from({ length: 7 }, () => balancer.pick(copies({}, {}, {}), null, 0)?.instanceId)
    expect(order).toEqual(['c1', 'c2', 'c3', 'c1', 'c2', 'c3', 'c1'])
  })

  it('in turn, though one has no room for a while', () => {
    const balancer = new Balancer({ ...defaults.LOADBALANCER, policy: 'RoundRobin' })
    const all = copies({}, {}, {})
    const given = [all, all.slice(0, 1), all, all].map(list => balancer.pick(list, null, 0)?.instanceId)
    expect(given).toEqual(['c1', 'c1', 'c2', 'c3'])
  })

  it('to the one with the least in flight, in turn where several have as few', () => {
    expect(pick('LeastInFlight', copies({ inFlight: 3 }, { inFlight: 1 }, { inFlight: 2 }), 0, 0)?.instanceId).toBe(
      'c2',
    )
    expect(pick('LeastInFlight', copies({ inFlight: 1 }, { inFlight: 1 }, { inFlight: 1 }), 1, 0)?.instanceId).toBe(
      'c2',
    )
  })

  /** Pearson's statistic of counts beside what was expected. */
  const chiSquare = (counts: number[], expected: number[]) =>
    counts.reduce((sum, count, at) => sum + (count - expected[at]!) ** 2 / expected[at]!, 0)
  const counted = (policy: 'Random' | 'WeightedResponse', list: Candidate[]) => {
    const counts = list.map(() => 0)
    for (let n = 0; n < 6000; n++) counts[list.indexOf(pick(policy, list, 0, Math.random())!)]!++
    return counts
  }

  it('by chance, evenly', () => {
    // Two degrees of freedom; above 18.4 once in ten thousand runs.
    expect(chiSquare(counted('Random', copies({}, {}, {})), [2000, 2000, 2000])).toBeLessThan(18.4)
  })

  it('by how fast each answers', () => {
    const list = copies({ latencyMs: 10 }, { latencyMs: 20 }, { latencyMs: 20 })
    expect(chiSquare(counted('WeightedResponse', list), [3000, 1500, 1500])).toBeLessThan(18.4)
  })

  it('to one that has not answered yet as if it were the fastest', () => {
    const list = copies({ latencyMs: 10 }, {})
    expect(chiSquare(counted('WeightedResponse', list), [3000, 3000])).toBeLessThan(15.1)
  })

  it('to the copy of their session, until its time is over or the copy is gone', () => {
    const sticky = { by: 'uid' as const, name: '', ttlSec: 60 }
    const balancer = new Balancer({ policy: 'SessionStickiness', sticky })
    const all = copies({}, {}, {})
    const first = balancer.pick(all, 'ada', 0)!
    expect(Array.from({ length: 5 }, () => balancer.pick(all, 'ada', 59_000))).toEqual(Array(5).fill(first))
    const without = all.filter(one => one !== first)
    const second = balancer.pick(without, 'ada', 60_000)!
    expect(second).not.toBe(first)
    expect(balancer.pick(all, 'ada', 61_000)).toBe(second)
    expect(balancer.pick([], 'ada', 61_000)).toBeUndefined()
  })

  it.each([
    ['uid', '', { uid: '7', headers: {} }, '7'],
    ['uid', '', { uid: null, headers: {} }, null],
    ['header', 'X-Room', { uid: '7', headers: { 'x-room': 'blue' } }, 'blue'],
    ['header', 'X-Room', { uid: '7', headers: {} }, null],
    ['cookie', 'room', { uid: null, headers: { cookie: 'a=1; room=blue; b=2' } }, 'blue'],
    ['cookie', 'room', { uid: null, headers: { cookie: 'bedroom=red' } }, null],
  ] as const)('a session by %s %s of %j is %s', (by, name, call, session) => {
    expect(sessionOf({ by, name, ttlSec: 60 }, call)).toBe(session)
  })
})

describe('a project runs so many calls at once', () => {
  it('and the next one begins when one ends, in their order', async () => {
    const gate = new ProjectGate(2)
    const [first] = await Promise.all([gate.enter('p'), gate.enter('p')])
    const order: string[] = []
    const third = Promise.resolve(gate.enter('p')).then(leave => {
      order.push('third')
      return leave
    })
    const fourth = Promise.resolve(gate.enter('p')).then(() => order.push('fourth'))
    await gate.enter('another')
    expect(order).toEqual([])
    first()
    const leave = await third
    expect(order).toEqual(['third'])
    leave()
    await fourth
    expect(order).toEqual(['third', 'fourth'])
  })

  it('and no more than so many wait', async () => {
    const gate = new ProjectGate(1)
    const leave = await gate.enter('p')
    const waiting = Array.from({ length: 500 }, async () => (await gate.enter('p'))())
    await expect(gate.enter('p')).rejects.toBeInstanceOf(ProjectFull)
    leave()
    await Promise.all(waiting)
  })
})
