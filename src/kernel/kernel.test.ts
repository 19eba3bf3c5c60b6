import { describe, expect, it } from 'vitest'
import { fillSentence } from './errors.ts'
import { allowedActions, lifeCycle } from './life-cycle.ts'
import { holds } from './permissions.ts'
import { shownZoneIds, zoneOfCode, zoneOfSite } from './zones.ts'

describe('a zone', () => {
  it.each([
    [1, 'CN'],
    [5, 'SG'],
    [7, 'DE'],
    [8, 'RU'],
    [3, 'IR'],
    [2, 'CN'],
    [0, 'CN'],
    [99, 'CN'],
  ])('of site %i is %s', (site, zone) => expect(zoneOfSite(site)).toBe(zone))

  it('EU and DE are one', () => expect(zoneOfCode('EU')).toBe('DE'))
  it('that is undefined raises the words of the specification', () => {
    expect(() => zoneOfCode(undefined)).toThrow('the zone Id is invalid')
    expect(() => zoneOfCode('US')).toThrow('the zone Id is invalid')
  })
  it('of Iran is not shown', () => expect(shownZoneIds).not.toContain('IR'))
})

describe('a permission', () => {
  it.each(['y', 'Y ', 'true', '1', ''])('with the value %j is not held', value =>
    expect(holds({ a: value }, 'a')).toBe(false),
  )
  it('is held with Y only', () => expect(holds({ a: 'Y' }, 'a')).toBe(true))
  it('is not found on the prototype', () => expect(holds({}, 'constructor')).toBe(false))
})

describe('a life cycle', () => {
  const door = lifeCycle({
    entity: 'door',
    states: ['open', 'closed'],
    moves: [
      { from: ['open'], action: 'close', to: 'closed', may: 'doors.move', event: 'door.closed' },
      { from: ['closed'], action: 'open', to: 'open', may: 'doors.move', needs: ['isUnlocked'], event: 'door.opened' },
      { from: ['open'], action: 'slam', to: 'closed', may: 'system', event: 'door.closed' },
    ],
  })

  it('offers what state, right and facts allow', () => {
    expect(allowedActions(door, 'open', () => true)).toEqual(['close'])
    expect(allowedActions(door, 'closed', () => true, { isUnlocked: false })).toEqual([])
    expect(allowedActions(door, 'closed', () => false)).toEqual([])
  })

  it('cannot name a state that is not there', () => {
    const broken = {
      ...door,
      moves: [{ from: ['ajar' as 'open'], action: 'close' as const, to: 'closed' as const, may: 'x', event: 'y' }],
    }
    expect(() => lifeCycle(broken)).toThrow('unknown state ajar')
  })
})

describe('a sentence', () => {
  it('is filled with the values that are there', () => expect(fillSentence('{a} and {b}', { a: 1 })).toBe('1 and {b}'))
})
