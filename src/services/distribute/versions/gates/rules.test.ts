import { describe, expect, it } from 'vitest'
import {
  countedSince,
  countsOf,
  faultOf,
  type Gate,
  gateMetrics,
  type HealthCounts,
  noHealth,
  opsOf,
  readingOf,
  tripOf,
} from './rules.ts'

const gate = (more: Partial<Gate> = {}): Gate => ({
  metric: 'crashRate',
  op: '>',
  value: 2,
  minUsers: 100,
  action: 'PAUSE',
  ...more,
})
const stars = (more: Partial<Gate> = {}) => gate({ metric: 'ratingAvg', op: '<', value: 3, ...more })
const counts = (more: Partial<HealthCounts>): HealthCounts => ({ ...noHealth, ...more })

describe('a rate', () => {
  it.each([
    ['crashRate', { users: 200, crashed: 5 }, 2.5, 200],
    ['anr', { users: 300, frozen: 1 }, 0.33, 300],
    ['uninstallRate', { users: 8, uninstalled: 8 }, 100, 8],
    ['installFailRate', { users: 90, tried: 100, failed: 10 }, 10, 100],
    ['crashRate', { tried: 100 }, null, 0],
    ['crashRate', { users: 1, crashed: 3 }, 100, 1],
  ] as const)('of %s with %o is %s percent of %i devices', (metric, told, value, devices) => {
    expect(readingOf(metric, counts(told))).toEqual({ value, devices })
  })

  it('after somebody looked is that of the devices since then', () => {
    const before = counts({ users: 100, crashed: 10 })
    const now = counts({ users: 300, crashed: 12, tried: 5 })
    expect(countedSince(now, before)).toEqual(counts({ users: 200, crashed: 2, tried: 5 }))
    expect(countedSince(now, null)).toBe(now)
    expect(countedSince(noHealth, before)).toEqual(noHealth)
  })
})

describe('an average rating', () => {
  it.each([
    [{ rated: 3, stars: 10 }, 3.33, 3],
    [{ rated: 12, stars: 41 }, 3.42, 12],
    [{ rated: 4, stars: 20 }, 5, 4],
    [{ rated: 4, stars: 4 }, 1, 4],
    [{ users: 100, crashed: 50 }, null, 0],
  ] as const)('of %o is %s stars of %i devices', (told, value, devices) => {
    expect(readingOf('ratingAvg', counts(told))).toEqual({ value, devices })
  })

  it('is of nobody where what was told is older than ratings', () => {
    const { rated: _, stars: __, ...old } = counts({ users: 100, crashed: 10 })
    expect(readingOf('ratingAvg', countsOf(old))).toEqual({ value: null, devices: 0 })
    expect(countedSince(counts({ users: 100, rated: 2, stars: 6 }), countsOf(old))).toEqual(
      counts({ rated: 2, stars: 6 }),
    )
    expect(countsOf(null)).toEqual(noHealth)
  })

  it('after somebody looked is that of who rated since then', () => {
    const since = countedSince(counts({ rated: 30, stars: 110 }), counts({ rated: 20, stars: 100 }))
    expect(readingOf('ratingAvg', since)).toEqual({ value: 1, devices: 10 })
  })
})

describe('a gate', () => {
  it.each([
    ['at its limit', gate(), { users: 100, crashed: 2 }, false],
    ['at its limit, where that is enough', gate({ op: '>=' }), { users: 100, crashed: 2 }, true],
    ['above its limit', gate(), { users: 100, crashed: 3 }, true],
    ['above its limit with too few devices', gate(), { users: 99, crashed: 50 }, false],
    ['of another rate', gate({ metric: 'anr' }), { users: 100, crashed: 50 }, false],
    [
      'of failed installs, which counts who tried',
      gate({ metric: 'installFailRate' }),
      { tried: 100, failed: 3 },
      true,
    ],
    ['of ratings that nobody gave', stars(), { users: 100, crashed: 50 }, false],
    ['of ratings at its limit', stars(), { rated: 100, stars: 300 }, false],
    ['of ratings at its limit, where that is enough', stars({ op: '<=' }), { rated: 100, stars: 300 }, true],
    ['of ratings below its limit', stars(), { rated: 100, stars: 299 }, true],
    ['of ratings above its limit', stars(), { rated: 100, stars: 500 }, false],
    ['of ratings of too few devices', stars(), { users: 500, rated: 99, stars: 99 }, false],
  ] as const)('%s acts or not', (_why, one, told, acts) => {
    expect(tripOf([one], counts(told)) !== null).toBe(acts)
  })

  it('that acts says what it saw, and the one that rolls back comes first', () => {
    const told = counts({ users: 400, crashed: 40, frozen: 40 })
    const gates = [gate(), gate({ metric: 'anr', value: 5, action: 'ROLLBACK' })]
    expect(tripOf(gates, told)).toEqual({
      metric: 'anr',
      op: '>',
      limit: 5,
      value: 10,
      devices: 400,
      action: 'ROLLBACK',
    })
    expect(tripOf(gates.slice(0, 1), told)).toMatchObject({ metric: 'crashRate', value: 10, action: 'PAUSE' })
    expect(tripOf([], told)).toBeNull()
  })
})

describe('gates that make no sense', () => {
  it.each([
    ['an average that is to be low', [stars({ op: '>' })], 'op', 'direction'],
    ['the same with its limit', [stars({ op: '>=' })], 'op', 'direction'],
    ['stars with three decimals', [stars({ value: 3.125 })], 'value', 'decimals'],
    ['less than a star', [stars({ value: 0.5 })], 'value', 'stars'],
    ['more stars than there are', [stars({ value: 5.01 })], 'value', 'stars'],
    ['an average that nothing is below', [stars({ value: 1 })], 'value', 'never'],
    ['an average that nothing is above', [stars({ op: '<=', value: 5 })], 'value', 'always'],
    ['the same average twice', [stars(), stars({ value: 2 })], 'metric', 'twice'],
    ['a pause at the average of the rollback', [stars(), stars({ action: 'ROLLBACK' })], 'value', 'order'],
    ['a pause below the rollback', [stars({ action: 'ROLLBACK' }), stars({ value: 2 })], 'value', 'order'],
    ['a rate that is to be high', [gate({ op: '<' })], 'op', 'direction'],
    ['a limit with three decimals', [gate({ value: 0.125 })], 'value', 'decimals'],
    ['a limit that nothing can cross', [gate({ value: 100 })], 'value', 'never'],
    ['a limit that everything crosses', [gate({ op: '>=', value: 0 })], 'value', 'always'],
    ['twice the same', [gate(), gate({ value: 3 })], 'metric', 'twice'],
    ['a pause that the rollback always forestalls', [gate(), gate({ action: 'ROLLBACK' })], 'value', 'order'],
    ['the same the other way round', [gate({ action: 'ROLLBACK' }), gate({ value: 3 })], 'value', 'order'],
  ] as const)('%s', (_why, gates, field, rule) => {
    expect(faultOf(gates)).toEqual({ at: gates.length - 1, field, rule })
  })

  it.each([
    ['none', []],
    ['one of each metric', gateMetrics.map(metric => gate({ metric, op: opsOf(metric)[0] ?? '>' }))],
    ['a rollback below the pause', [stars(), stars({ value: 2, action: 'ROLLBACK' })]],
    ['all but five stars', [stars({ value: 5 })]],
    ['nothing but one star', [stars({ op: '<=', value: 1 })]],
    ['a pause before a rollback', [gate(), gate({ value: 5, action: 'ROLLBACK' })]],
    ['a rollback that needs more devices', [gate(), gate({ minUsers: 1000, action: 'ROLLBACK' })]],
    ['two decimals', [gate({ value: 0.29 })]],
    ['any crash at all', [gate({ value: 0 })]],
  ] as const)('are not %s', (_why, gates) => expect(faultOf(gates)).toBeNull())
})
