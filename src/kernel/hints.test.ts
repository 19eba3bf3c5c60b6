import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { customerId, greyFlagOf, isLeaderByHints, lastHashSegment, userTypeOf } from './hints.ts'

describe('a team leader', () => {
  it.each([
    [{ teamId: '5' }, true],
    [{ teamId: '5', uid: '' }, true],
    [{ teamId: '5', uid: '5' }, true],
    [{ teamId: '5', uid: '6' }, false],
    [{ teamId: '5', uid: '7', mainUserId: '7' }, false],
  ])('has no user id, or one equal to the team id: %j', (hints, isLeader) =>
    expect(isLeaderByHints(hints)).toBe(isLeader),
  )
  it.each([
    [{ mainUserId: '7', uid: '7' }, true],
    [{ mainUserId: '7', uid: '8' }, false],
    [{ teamId: '', mainUserId: '7', uid: '8' }, false],
    [{ mainUserId: '7' }, true],
    [{ uid: '8' }, true],
    [{}, true],
  ])(
    'is decided by the main user id where there is no team id, and without one the user is a leader: %j',
    (hints, isLeader) => expect(isLeaderByHints(hints)).toBe(isLeader),
  )
})

describe('the user type', () => {
  it.each([
    [0, 2, 2],
    [undefined, 2, 2],
    [1, 2, 1],
    [3, 0, 3],
    [0, 0, 0],
  ])('is the team user type, falling back to the user type when that of the team is 0: %j and %i', (team, own, type) =>
    expect(userTypeOf(team, own)).toBe(type),
  )
})

describe('the grey flag', () => {
  it.each([
    ['x-hd-grey=agcGreyFlag-1', 1],
    ['a=1; x-hd-grey=agcGreyFlag-1; b=2', 1],
    ['x-hd-grey=other-0|agcGreyFlag-1|more-1', 1],
    ['x-hd-grey=agcGreyFlag-0', 0],
    ['x-hd-grey=', 0],
    ['x-hd-grey', 0],
    ['', 0],
    ['other=agcGreyFlag-1', 0],
    ['my-x-hd-grey=agcGreyFlag-1', 0],
    ['x-hd-grey=agcgreyflag-1', 0],
  ])('is 1 when the x-hd-grey cookie contains agcGreyFlag-1: %j is %i', (cookies, flag) =>
    expect(greyFlagOf(cookies)).toBe(flag),
  )
})

describe('the last hash segment', () => {
  it.each([
    ['#/apps/736430079244000001', '736430079244000001'],
    ['#/services/remote-config?tab=values', 'remote-config'],
    ['#/apps/42/', '42'],
    ['#/a/b%2Fc', 'b/c'],
    ['#/a/%E4%BD%A0', '你'],
    ['#/a/%E4%BD', '%E4%BD'],
    ['#home', 'home'],
    ['#/', undefined],
    ['', undefined],
    [`#/${'x'.repeat(200)}`, 'x'.repeat(200)],
    [`#/${'x'.repeat(201)}`, undefined],
    [`#/${'x/'.repeat(1_000_000)}`, 'x'],
  ])('is used as a page or service id', (hash, id) => expect(lastHashSegment(hash)).toBe(id))
})

describe('a customer id', () => {
  it.each([
    ['0', 'C2000000'],
    ['1', 'C2000001'],
    ['500000', 'C2500000'],
    ['999999', 'C2999999'],
  ])('of a value below 1,000,000 has 2,000,000 added and the prefix C: %s', (id, shown) =>
    expect(customerId(id)).toBe(shown),
  )
  it.each([
    ['1000001', 'C1'],
    ['3500000', 'C2500000'],
    ['9999999', 'C8999999'],
  ])('of a value from 1,000,001 to 9,999,999 has 1,000,000 subtracted: %s', (id, shown) =>
    expect(customerId(id)).toBe(shown),
  )
  it.each([
    ['1000000', 'C1000000'],
    ['10000000', 'C10000000'],
    ['736430079244000001', 'C736430079244000001'],
  ])('of any other value is the value: %s', (id, shown) => expect(customerId(id)).toBe(shown))

  it('is for display only: two values can have the same', () => {
    expect(customerId('500000')).toBe(customerId('3500000'))
    fc.assert(fc.property(fc.bigInt({ min: 0n, max: 2n ** 63n }), id => /^C[0-9]+$/.test(customerId(String(id)))))
  })
})
