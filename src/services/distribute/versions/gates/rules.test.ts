import { describe, expect, it } from 'vitest'
import {
  countedSince,
  faultOf,
  type Gate,
  type HealthCounts,
  noHealth,
  readingOf,
  tripOf,
  type WatchedMetric,
  watchedMetrics,
} from './rules.ts'

const gate = (more: Partial<Gate> = {}): Gate => ({
  metric: 'crashRate',
  op: '>',
  value: 2,
  minUsers: 100,
  action: 'PAUSE',
  ...more,
})
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
    ['of ratings, which nobody gives', gate({ metric: 'ratingAvg' }), { users: 100, crashed: 50 }, false],
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
    ['a metric that nobody reports', [gate({ metric: 'ratingAvg', op: '<', value: 3 })], 'metric', 'noRatings'],
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
    ['one of each rate', watchedMetrics.map((metric: WatchedMetric) => gate({ metric }))],
    ['a pause before a rollback', [gate(), gate({ value: 5, action: 'ROLLBACK' })]],
    ['a rollback that needs more devices', [gate(), gate({ minUsers: 1000, action: 'ROLLBACK' })]],
    ['two decimals', [gate({ value: 0.29 })]],
    ['any crash at all', [gate({ value: 0 })]],
  ] as const)('are not %s', (_why, gates) => expect(faultOf(gates)).toBeNull())
})
