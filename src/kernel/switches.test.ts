import { describe, expect, it } from 'vitest'
import { leavesAWayIn, type SwitchName, usesNewerStorage } from './switches.ts'
import type { ZoneId } from './zones.ts'

describe('the newer calls of cloud storage', () => {
  it.each<[string, number | null, ZoneId[], boolean]>([
    ['no site is set', null, [], true],
    ['no site is set and every switch is on', null, ['CN', 'SG', 'DE', 'RU', 'IR'], true],
    ['the switch of its site is on', 7, ['DE'], true],
    ['the switch of another site is on', 7, ['CN'], false],
    ['no switch is on', 1, [], false],
    ['a site that is none counts as China, which is on', 99, ['CN'], true],
    ['a site that is none counts as China, which is off', 99, ['SG'], false],
    ['the site is 0, which is one too', 0, [], false],
  ])('are used while the site’s switch is on or no site is set: %s', (_, siteId, on, isUsed) => {
    expect(usesNewerStorage(siteId, zone => on.includes(zone))).toBe(isUsed)
  })
})

describe('the console’s own sign-in', () => {
  it.each<[SwitchName[], boolean, boolean]>([
    [['useAgcLoginSwitch', 'h5UseAgcLoginSwitch'], false, true],
    [['useAgcLoginSwitch'], false, true],
    [['h5UseAgcLoginSwitch'], false, true],
    [[], false, false],
    [[], true, true],
    [['osSwitch1'], false, false],
  ])('with %j on, and a provider: %s, leaves people a way in: %s', (on, hasProvider, isLeft) => {
    expect(leavesAWayIn(name => on.includes(name), hasProvider)).toBe(isLeft)
  })
})
