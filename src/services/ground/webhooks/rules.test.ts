import { describe, expect, it } from 'vitest'
import { eventTypes, payloadOf } from './event-types.ts'
import { nextTryAt, retryAfterMs, retryDelaysMs } from './rules.ts'

describe('tries', () => {
  it('go on for three days and then end', () => {
    const sum = retryDelaysMs.reduce((all, one) => all + one, 0)
    expect(sum / 86_400_000).toBeGreaterThan(2.9)
    expect(sum / 86_400_000).toBeLessThan(3.3)
    expect(retryDelaysMs.every((delay, at) => at === 0 || delay > (retryDelaysMs[at - 1] ?? 0))).toBe(true)
    expect(nextTryAt(0, retryDelaysMs.length, 0.5)).not.toBeNull()
    expect(nextTryAt(0, retryDelaysMs.length + 1, 0.5)).toBeNull()
  })

  it('are spread by a tenth to both sides', () => {
    expect([0, 0.5, 1].map(chance => nextTryAt(1_000_000, 4, chance))).toEqual([1_540_000, 1_600_000, 1_660_000])
  })

  it('are not made before the receiver asked, and not later than a day for it', () => {
    expect(nextTryAt(0, 1, 0.5, 60_000)).toBe(60_000)
    expect(nextTryAt(0, 1, 0.5, 9e12)).toBe(86_400_000)
  })

  it.each([
    ['120', 120_000],
    ['Thu, 01 Jan 1970 00:02:00 GMT', 119_000],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
    ['soon', 0],
    ['-5', 0],
    ['99999999999999999999', 0],
    [undefined, 0],
  ])('read Retry-After %s as %s ms', (header, expected) => expect(retryAfterMs(header, 1000)).toBe(expected))
})

describe('a payload', () => {
  const event = { at: 0, eventId: '1', teamId: '2', zone: 'CN', entity: 'version', entityId: '3', actor: 'user:9' }
  it('has type and time beside its data, and of the event only what the catalogue names', () => {
    const data = { appId: '4', pkgId: '5', from: 'DRAFT', to: 'PRECHECK', reviewerId: '6', note: 'internal' }
    expect(payloadOf({ ...event, type: 'version.submitted', data })).toEqual({
      type: 'version.submitted',
      timestamp: '1970-01-01T00:00:00.000Z',
      data: {
        ...{ eventId: '1', teamId: '2', zone: 'CN', entity: 'version', entityId: '3' },
        ...{ appId: '4', pkgId: '5', from: 'DRAFT', to: 'PRECHECK' },
      },
    })
  })

  it('is of a type that stands in the catalogue once', () => {
    expect(new Set(eventTypes.map(one => one.type)).size).toBe(eventTypes.length)
  })
})
