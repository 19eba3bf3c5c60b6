import { describe, expect, it } from 'vitest'
import { releaseStateOf, releaseStateOfVersion } from './rules.ts'

describe('the number older tools know', () => {
  const none = { open: null, onShelf: null, isShelfOffRefused: false, off: null }
  const cases: [string, Parameters<typeof releaseStateOf>[0], number | null][] = [
    ['nothing', none, null],
    ['the first draft', { ...none, open: 'DRAFT' }, 7],
    ['a draft beside what is on shelf', { ...none, open: 'DRAFT', onShelf: 'ON_SHELF' }, 0],
    ['a draft after what was on shelf', { ...none, open: 'DRAFT', off: 'OFF_BY_DEVELOPER' }, 10],
    ['pre-check', { ...none, open: 'PRECHECK' }, 12],
    ['pre-check failed', { ...none, open: 'PRECHECK_FAILED', onShelf: 'ON_SHELF' }, 13],
    ['the first in review', { ...none, open: 'IN_REVIEW' }, 4],
    ['an upgrade in review', { ...none, open: 'IN_REVIEW', onShelf: 'ON_SHELF' }, 5],
    ['the first rejected', { ...none, open: 'REJECTED' }, 1],
    ['an upgrade rejected', { ...none, open: 'REJECTED', onShelf: 'ON_SHELF' }, 8],
    ['waiting for release', { ...none, open: 'PENDING_RELEASE' }, 3],
    ['withdrawn', { ...none, open: 'WITHDRAWN' }, 11],
    ['on shelf', { ...none, onShelf: 'ON_SHELF' }, 0],
    ['shelf-off in review', { ...none, onShelf: 'SHELF_OFF_REVIEW' }, 6],
    ['shelf-off refused', { ...none, onShelf: 'ON_SHELF', isShelfOffRefused: true }, 9],
    ['off by the developer', { ...none, off: 'OFF_BY_DEVELOPER' }, 10],
    ['off by the store', { ...none, off: 'OFF_BY_STORE' }, 2],
  ]
  it.each(cases)('%s', (_, picture, code) => expect(releaseStateOf(picture)).toBe(code))

  it('is 7 for a draft beside what is on shelf when the open version is asked for', () => {
    expect(releaseStateOf({ ...none, open: 'DRAFT', onShelf: 'ON_SHELF' }, true)).toBe(7)
  })
})

it.each([
  ['DRAFT', 7, 7],
  ['PRECHECK', 12, 12],
  ['PRECHECK_FAILED', 13, 13],
  ['IN_REVIEW', 4, 5],
  ['REJECTED', 1, 8],
  ['PENDING_RELEASE', 3, 3],
  ['ON_SHELF', 0, 0],
  ['PHASED', 0, 0],
  ['SHELF_OFF_REVIEW', 6, 6],
  ['WITHDRAWN', 11, 11],
  ['OFF_BY_DEVELOPER', 10, 10],
  ['OFF_BY_STORE', 2, 2],
  ['SUPERSEDED', null, null],
  ['ROLLED_BACK', null, null],
] as const)('a version in %s is by itself %s, and %s when it is not the first', (state, first, next) => {
  const numberOf = (isFirst: boolean) => releaseStateOfVersion({ state, isFirst, lastShelfOff: null })
  expect([numberOf(true), numberOf(false)]).toEqual([first, next])
})

it('a version whose shelf-off was refused is 9 until that is acknowledged', () => {
  const version = { state: 'ON_SHELF' as const, isFirst: true, lastShelfOff: { state: 'REJECTED' } }
  expect(releaseStateOfVersion(version)).toBe(9)
})
