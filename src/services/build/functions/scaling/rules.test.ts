import { describe, expect, it } from 'vitest'
import { isInNetworks } from '../pool/reach.ts'
import { Demand } from './demand.ts'
import {
  cronProblem,
  defaultManager,
  desiredInstances,
  floorOf,
  floorsBetween,
  isHostListed,
  type Load,
  metricInstances,
  sizingOf,
  targetOf,
} from './rules.ts'

const at = (text: string) => Date.parse(text)
const working = { cron: '0 8 * * 1-5', timezone: 'Europe/Berlin', holdMinutes: 600, count: 5 }

describe('a floor by the clock', () => {
  it.each([
    ['Monday before it begins', '2026-01-12T06:59:59Z', 0],
    ['Monday at eight in Berlin in winter', '2026-01-12T07:00:00Z', 5],
    ['Monday a moment before it ends', '2026-01-12T16:59:59Z', 5],
    ['Monday after ten hours', '2026-01-12T17:00:00Z', 0],
    ['Sunday', '2026-01-11T10:00:00Z', 0],
    ['Monday at eight in Berlin in summer', '2026-07-13T06:00:00Z', 5],
    ['Monday before that in summer', '2026-07-13T05:59:59Z', 0],
  ])('on %s', (_when, time, floor) => {
    expect(floorOf(working, at(time))).toBe(floor)
  })

  it('holds only between the days it is for', () => {
    const rule = { ...working, startTime: at('2026-01-13T00:00:00Z'), expiredTime: at('2026-01-14T12:00:00Z') }
    const times = ['2026-01-12T10:00:00Z', '2026-01-13T10:00:00Z', '2026-01-14T11:59:59Z', '2026-01-14T12:00:00Z']
    expect(times.map(time => floorOf(rule, at(time)))).toEqual([0, 5, 5, 0])
  })

  it('is drawn for a day, with what began before it', () => {
    const from = at('2026-01-12T12:00:00Z')
    expect(floorsBetween(working, from, from + 86_400_000)).toEqual([
      { from, until: at('2026-01-12T17:00:00Z'), count: 5 },
      { from: at('2026-01-13T07:00:00Z'), until: from + 86_400_000, count: 5 },
    ])
  })

  it.each([
    [working, null],
    [{ ...working, cron: '* * * * * *' }, 'five fields'],
    [{ ...working, cron: '61 * * * *' }, '61'],
    [{ ...working, cron: '0 0 30 2 *' }, 'never'],
    [{ ...working, timezone: 'Mars/Olympus' }, 'Mars/Olympus'],
    [{ ...working, startTime: 5, expiredTime: 5 }, 'ends before'],
  ])('of %j: %s', (rule, problem) => {
    if (problem === null) expect(cronProblem(rule)).toBeNull()
    else expect(cronProblem(rule)).toContain(problem)
  })
})

const load = (wish: Partial<Load>): Load => ({
  ...{ concurrency: 0, concurrencyNow: 0, callsPerSecond: 0, cpuPercent: 0, instances: 0 },
  ...wish,
})

describe('copies follow the calls', () => {
  it.each<[string, Partial<Load>, number, number, boolean]>([
    ['none without calls', {}, 1, 0, false],
    ['one for a single call', { concurrency: 0.01, concurrencyNow: 0.1, instances: 1 }, 1, 1, false],
    ['filled to 70 of 100', { concurrency: 7, concurrencyNow: 7, instances: 10 }, 10, 1, false],
    ['one more above that', { concurrency: 7.1, concurrencyNow: 7, instances: 10 }, 10, 2, false],
    ['as many as a rush needs', { concurrency: 1, concurrencyNow: 14, instances: 10 }, 1, 20, true],
    ['no rush below twice what is there', { concurrency: 1, concurrencyNow: 13, instances: 10 }, 1, 2, false],
  ])('%s', (_what, wish, concurrency, wanted, isRush) => {
    expect(desiredInstances(load(wish), concurrency)).toEqual({ wanted, isRush })
  })

  it.each([
    ['Concurrency', 10, { concurrency: 35 }, 4],
    ['Qps', 50, { callsPerSecond: 201 }, 5],
    ['Cpu', 60, { cpuPercent: 130 }, 3],
    ['Cpu', 60, { cpuPercent: 0 }, 2],
    ['Qps', 1, { callsPerSecond: 1000 }, 8],
  ] as const)('by a rule of %s at %s: %j asks for %s', (metric, threshold, wish, wanted) => {
    expect(metricInstances({ metric, threshold, min: 2, max: 8 }, load(wish))).toBe(wanted)
  })

  it('never below a floor or above the most', () => {
    const sizing = sizingOf([{ ...defaultManager, minInstances: 1, maxInstances: 4 }], [working], [])
    const now = at('2026-01-12T10:00:00Z')
    expect(targetOf(sizing, load({}), 1, now)).toMatchObject({ target: 4, floor: 4 })
    expect(targetOf(sizing, load({}), 1, now + 43_200_000)).toMatchObject({ target: 1, floor: 1 })
    expect(targetOf(sizing, load({ concurrency: 50 }), 1, now).target).toBe(4)
  })

  it('of a version and the aliases that lead to it, what each of them needs', () => {
    const deny = { mode: 'DENY' as const, cidrs: [], hosts: [] }
    const one = { ...defaultManager, minInstances: 2, maxInstances: 3, logLevel: 'error' as const }
    const other = { ...defaultManager, maxInstances: 9, logLevel: 'info' as const, egress: deny }
    expect(sizingOf([one, other], [], [])).toMatchObject({
      ...{ minInstances: 2, maxInstances: 9, logLevel: 'info', egress: [deny] },
    })
  })

  it('by what ran in the last minute, exactly', () => {
    const demand = new Demand(0)
    demand.begin(0)
    demand.begin(0)
    demand.end(30_000)
    expect(demand.load(54_000, 1)).toMatchObject({ concurrency: 1.4, concurrencyNow: 1, callsPerSecond: 2 / 60 })
    demand.end(60_000)
    expect(demand.load(90_000, 1).concurrency).toBeCloseTo(0.5)
    demand.begin(91_000)
    demand.end(91_100)
    expect(demand.load(3_600_000, 1)).toMatchObject({ concurrency: 0, concurrencyNow: 0, callsPerSecond: 0 })
  })
})

it.each([
  ['api.example.org', true],
  ['API.example.org.', true],
  ['example.org', false],
  ['deep.below.example.net', true],
  ['example.net', false],
  ['badexample.net', false],
  ['api.example.org.evil.test', false],
])('the list lets out to %s: %s', (host, isListed) => {
  expect(isHostListed(['api.example.org', '*.example.net'], host)).toBe(isListed)
})

it.each([
  ['203.0.113.9', true],
  ['203.0.114.9', false],
  ['::ffff:203.0.113.9', true],
  ['2001:db8::1', true],
  ['2001:db9::1', false],
  ['not an address', false],
])('the networks hold %s: %s', (address, isIn) => {
  expect(isInNetworks(['203.0.113.0/24', '2001:db8::/32'], address)).toBe(isIn)
})
