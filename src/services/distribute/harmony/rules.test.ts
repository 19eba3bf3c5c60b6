import { describe, expect, it } from 'vitest'
import { allowedActions } from '../../../kernel/life-cycle.ts'
import {
  certCycle,
  certLifetime,
  certTypeNumbers,
  deviceCycle,
  isCertFor,
  profileCycle,
  profileEnd,
  profileTypeNumbers,
  readDevice,
  reminderDue,
} from './rules.ts'

const day = 86_400_000

describe('certificates and profiles go together by type', () => {
  const pairs = profileTypeNumbers.flatMap(type =>
    certTypeNumbers.filter(cert => isCertFor(cert, type)).map(cert => [cert, type]),
  )
  it('debug with debug, release with release and with listed devices, in-house with in-house, binary with none', () => {
    expect(pairs).toEqual([
      [1, 1],
      [2, 2],
      [3, 3],
      [2, 6],
    ])
  })
})

describe('how long they hold', () => {
  it.each([
    ['debug of a verified leader', 1, true, 365],
    ['debug of one who is not', 1, false, 14],
    ['release', 2, false, 1095],
    ['in-house', 3, false, 1095],
    ['binary', 4, true, 1095],
  ])('a certificate for %s', (_, type, isVerified, days) => {
    expect(certLifetime(type, isVerified)).toBe(days * day)
  })

  it.each([
    ['for debugging, of a certificate that lasts', 1, 3000, 365],
    ['for debugging, of one that ends before', 1, 14, 14],
    ['for release', 2, 3000, 1095],
    ['for release, of one that ends before', 6, 100, 100],
  ])('a profile %s', (_, type, certDays, days) => {
    expect(profileEnd(type, certDays * day, 0)).toBe(days * day)
  })
})

describe('reminders', () => {
  it.each([
    [31, null, null],
    [30, null, 30],
    [20, 30, null],
    [7, 30, 7],
    [1, 30, 1],
    [1, 1, null],
    [0, 7, null],
  ])('with %i days left after that of %s is that of %s', (left, reminded, due) => {
    expect(reminderDue(left * day, reminded, 0)).toBe(due)
  })
})

describe('what is given as a device', () => {
  const udid = 'ab'.repeat(32)
  it('is kept with its UDID in upper case', () => {
    const kept = { deviceName: 'Desk', udid: 'AB'.repeat(32), deviceType: 4 }
    expect(readDevice({ deviceName: ' Desk ', udid: ` ${udid}`, deviceType: 4 })).toEqual(kept)
  })

  it.each([
    ['no name', { deviceName: '  ' }, 'deviceName is empty'],
    ['too long a name', { deviceName: 'x'.repeat(101) }, 'deviceName has more than 100 characters'],
    ['a line break in the name', { deviceName: 'a\nb' }, 'deviceName has characters that cannot be seen'],
    ['a short UDID', { udid: 'ab' }, expect.stringContaining('64 hexadecimal digits')],
    ['a UDID with a letter that is none', { udid: 'g'.repeat(64) }, expect.stringContaining('64 hexadecimal digits')],
    ['an unknown type', { deviceType: 3 }, 'deviceType is none of 4, 5, 6, 7, 8, 9'],
  ])('with %s is refused with the reason', (_, wrong, problem) => {
    expect(readDevice({ deviceName: 'Desk', udid, deviceType: 4, ...wrong })).toEqual({ problem })
  })
})

describe('every state and what can be done in it', () => {
  const everything = () => true
  it.each([
    ['VALID', ['revoke', 'forceRevoke']],
    ['EXPIRED', []],
    ['REVOKED', []],
  ] as const)('a certificate that is %s', (state, actions) => {
    expect(allowedActions(certCycle, state, everything)).toEqual(actions)
  })
  it.each([
    ['ACTIVE', ['rename', 'remove']],
    ['REMOVED', ['return']],
  ] as const)('a device that is %s', (state, actions) => {
    expect(allowedActions(deviceCycle, state, everything)).toEqual(actions)
  })
  it.each(['VALID', 'EXPIRED', 'INVALID'] as const)('a profile that is %s', state => {
    expect(allowedActions(profileCycle, state, everything)).toEqual(['edit', 'refresh', 'delete'])
    expect(allowedActions(profileCycle, state, permission => permission === 'harmony.read')).toEqual([])
  })
})
