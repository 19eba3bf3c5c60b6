import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isoInstant, russianDate } from './dates.ts'

const at = (text: string) => Date.parse(text)

describe('a Russian date', () => {
  it.each([
    ['2026-03-09T05:06:07Z', 'none', '09.03.2026'],
    ['2026-03-09T05:06:07Z', 'minutes', '09.03.2026 08:06'],
    ['2026-03-09T05:06:07Z', 'seconds', '09.03.2026 08:06:07'],
    ['2026-12-31T21:00:00Z', 'minutes', '01.01.2027 00:00'],
    ['2026-12-31T20:59:59Z', 'seconds', '31.12.2026 23:59:59'],
    ['2024-02-28T21:00:00Z', 'none', '29.02.2024'],
    ['1970-01-01T00:00:00Z', 'minutes', '01.01.1970 03:00'],
  ] as const)('is DD.MM.YYYY with optional HH:mm and HH:mm:ss: %s, %s', (instant, time, text) =>
    expect(russianDate(at(instant), 'Europe/Moscow', time)).toBe(text),
  )

  it.each([
    ['Asia/Shanghai', '10.03.2026 07:30'],
    ['Asia/Kolkata', '10.03.2026 05:00'],
    ['UTC', '09.03.2026 23:30'],
    ['America/New_York', '09.03.2026 19:30'],
  ])('is of the time zone that is named: %s', (zone, text) =>
    expect(russianDate(at('2026-03-09T23:30:00Z'), zone, 'minutes')).toBe(text),
  )

  it('does not guess a time zone', () => expect(() => russianDate(0, 'Mars/Olympus')).toThrow(RangeError))

  it('reads back as the instant it was made of', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 253_402_300_799 }), seconds => {
        const [, day, month, year, time] = /^(\d\d)\.(\d\d)\.(\d{4}) (\d\d:\d\d:\d\d)$/.exec(
          russianDate(seconds * 1000, 'UTC', 'seconds'),
        ) as unknown as string[]
        expect(at(`${year}-${month}-${day}T${time}Z`)).toBe(seconds * 1000)
      }),
    )
  })
})

describe('an instant of an export', () => {
  it.each([
    [0, '1970-01-01T00:00:00Z'],
    [999, '1970-01-01T00:00:00Z'],
    [1_773_099_000_000, '2026-03-09T23:30:00Z'],
  ])('is ISO 8601 in UTC: %d', (instant, text) => expect(isoInstant(instant)).toBe(text))
})
