import { describe, expect, it } from 'vitest'
import { afterWorking, workingBetween, workingCalendars } from './working-time.ts'
import { zoneIds } from './zones.ts'

const hour = 3_600_000
const at = (text: string) => Date.parse(`${text}Z`)
const shown = (time: number) => new Date(time).toISOString().slice(0, 16)

describe('working time', () => {
  it.each([
    ['within a day in China', 'CN', '2026-08-03T02:00', 3, '2026-08-03T05:00'],
    ['over night in China', 'CN', '2026-08-03T09:00', 3, '2026-08-04T03:00'],
    ['over a weekend in China', 'CN', '2026-08-07T09:00', 3, '2026-08-10T03:00'],
    ['from a Sunday in Germany, summer time', 'DE', '2026-08-09T12:00', 1, '2026-08-10T08:00'],
    ['from a Sunday in Germany, winter time', 'DE', '2026-01-11T12:00', 1, '2026-01-12T09:00'],
    ['over the change of the clocks in Germany', 'DE', '2026-10-23T15:00', 9, '2026-10-26T16:00'],
    ['past a holiday in Germany', 'DE', '2026-12-24T17:00', 1, '2026-12-28T09:00'],
    ['past the Iranian Thursday and Friday', 'IR', '2026-08-05T14:00', 1, '2026-08-08T06:00'],
    ['with nothing left, the next opening', 'RU', '2026-08-08T12:00', 0, '2026-08-10T06:00'],
  ] as const)('%s', (_says, zone, start, hours, wanted) => {
    expect(shown(afterWorking(workingCalendars[zone], at(start), hours * hour))).toBe(wanted)
  })

  it('between two instants is what leads from one to the other', () => {
    for (const zone of zoneIds) {
      const calendar = workingCalendars[zone]
      for (const hours of [1, 8, 27, 100]) {
        const start = afterWorking(calendar, at('2026-03-20T21:30'), 0)
        const end = afterWorking(calendar, start, hours * hour)
        expect([zone, workingBetween(calendar, start, end) / hour]).toEqual([zone, hours])
      }
    }
  })

  it('runs neither backwards nor at night', () => {
    const { CN } = workingCalendars
    expect(workingBetween(CN, at('2026-08-04T05:00'), at('2026-08-03T05:00'))).toBe(0)
    expect(workingBetween(CN, at('2026-08-03T14:00'), at('2026-08-03T20:00'))).toBe(0)
  })
})
