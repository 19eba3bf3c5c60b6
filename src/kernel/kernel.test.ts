import { describe, expect, it } from 'vitest'
import { fillSentence } from './errors.ts'
import { allowedActions, lifeCycle } from './life-cycle.ts'
import { holds } from './permissions.ts'
import { shownZoneIds, siteOfZone, zoneOfCode, zoneOfSite } from './zones.ts'

describe('a zone', () => {
  it.each([
    [1, 'CN'],
    [5, 'SG'],
    [7, 'DE'],
    [8, 'RU'],
    [3, 'IR'],
  ])('is China for site id 1, Singapore 5, Europe 7, Russia 8, Iran 3: %i is %s', (site, zone) => {
    expect(zoneOfSite(site)).toBe(zone)
    expect(siteOfZone(zoneOfSite(site))).toBe(site)
  })

  it.each([0, 2, 4, 6, 9, 99, -1, 1.5, Number.NaN])('of any other site id falls back to China: %d', site =>
    expect(zoneOfSite(site)).toBe('CN'),
  )

  it.each([
    ['CN', 'CN'],
    ['SG', 'SG'],
    ['DE', 'DE'],
    ['EU', 'DE'],
    ['RU', 'RU'],
  ])('is named by the region codes CN, SG, DE, EU and RU: %s is %s', (code, zone) =>
    expect(zoneOfCode(code)).toBe(zone),
  )

  it('that is none of CN, SG, DE and RU is not shown', () => {
    expect(shownZoneIds).toEqual(['CN', 'SG', 'DE', 'RU'])
  })

  it("that is undefined raises the error 'the zone Id is invalid'", () => {
    expect(() => zoneOfCode(undefined)).toThrow(/^the zone Id is invalid$/)
    for (const code of ['', 'US', 'cn', 'constructor'])
      expect(() => zoneOfCode(code)).toThrow(/^the zone Id is invalid$/)
  })
})

describe('a permission', () => {
  it.each([
    ['Y', true],
    ['y', false],
    ['Y ', false],
    ['YY', false],
    ['N', false],
    ['true', false],
    ['1', false],
    ['', false],
  ])('holds only if its value in userPermission is Y: %j', (value, isHeld) =>
    expect(holds({ a: value }, 'a')).toBe(isHeld),
  )
  it('that userPermission does not name is not held, whatever its name', () => {
    for (const name of ['b', 'constructor', '__proto__', 'toString']) expect(holds({ a: 'Y' }, name)).toBe(false)
  })
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
