import { describe, expect, it } from 'vitest'
import { releaseStateOf } from './rules.ts'

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
