import { describe, expect, it } from 'vitest'
import { lastDigest, nextDigestAt } from './digest-times.ts'
import { categories, channels, isLocked, isOn, isTimeZone, waitsForDigest } from './rules.ts'

const at = (text: string) => Date.parse(text)

describe('what reaches whom', () => {
  it('is usually inbox and mail for everything but marketing', () => {
    const on = categories.flatMap(category =>
      channels.filter(channel => isOn({}, category, channel)).map(channel => `${category}.${channel}`),
    )
    expect(on).toEqual([
      ...['security.inbox', 'security.email', 'billing.inbox', 'billing.email'],
      ...['review.inbox', 'review.email', 'operations.inbox', 'operations.email'],
    ])
  })

  it('cannot lose security and bills, whatever is written down', () => {
    const cells = { 'security.inbox': false, 'security.email': false, 'billing.email': false, 'billing.inbox': false }
    expect(['security.inbox', 'security.email', 'billing.email'].every(name => isOnNamed(cells, name))).toBe(true)
    expect(isOn(cells, 'billing', 'inbox')).toBe(false)
    expect(isLocked('review', 'email')).toBe(false)
  })

  it('never takes a way that is not there', () => {
    expect(isOn({ 'review.sms': true, 'review.push': true }, 'review', 'sms')).toBe(false)
  })

  it('does not wait for a digest when it cannot be turned off', () => {
    expect(categories.filter(category => waitsForDigest('daily', category))).toEqual([
      'review',
      'operations',
      'marketing',
    ])
    expect(waitsForDigest('off', 'review')).toBe(false)
  })

  const isOnNamed = (cells: Record<string, boolean>, name: string) => {
    const [category, channel] = name.split('.') as [(typeof categories)[number], (typeof channels)[number]]
    return isOn(cells, category, channel)
  }
})

describe('a digest comes', () => {
  const daily = { digest: 'daily', digestAt: '09:00', timeZone: 'UTC' } as const
  const berlin = { digest: 'daily', digestAt: '02:30', timeZone: 'Europe/Berlin' } as const
  it.each([
    ['at its minute', daily, '2026-03-09T09:00:00Z', '2026-03-09T09:00:00Z', 'daily 2026-03-09'],
    ['not before it', daily, '2026-03-09T08:59:59.999Z', '2026-03-08T09:00:00Z', 'daily 2026-03-08'],
    [
      'by the wall of the place',
      { ...daily, timeZone: 'Asia/Shanghai' },
      '2026-03-09T01:00:00Z',
      '2026-03-09T01:00:00Z',
      'daily 2026-03-09',
    ],
    [
      'by the place’s day, not ours',
      { ...daily, digestAt: '07:00', timeZone: 'Asia/Tokyo' },
      '2026-03-08T22:30:00Z',
      '2026-03-08T22:00:00Z',
      'daily 2026-03-09',
    ],
    [
      'an hour earlier from the day of summer time',
      { ...daily, timeZone: 'America/New_York' },
      '2026-03-08T20:00:00Z',
      '2026-03-08T13:00:00Z',
      'daily 2026-03-08',
    ],
    [
      'at the next valid minute when its own is left out',
      berlin,
      '2026-03-29T05:00:00Z',
      '2026-03-29T01:00:00Z',
      'daily 2026-03-29',
    ],
    [
      'the first time when its minute comes twice',
      berlin,
      '2026-10-25T00:59:00Z',
      '2026-10-25T00:30:00Z',
      'daily 2026-10-25',
    ],
    ['and only the first time', berlin, '2026-10-25T01:45:00Z', '2026-10-25T00:30:00Z', 'daily 2026-10-25'],
    [
      'where midnight itself is left out',
      { ...daily, digestAt: '00:00', timeZone: 'America/Sao_Paulo' },
      '2018-11-04T12:00:00Z',
      '2018-11-04T03:00:00Z',
      'daily 2018-11-04',
    ],
    [
      'by quarter hours',
      { ...daily, digestAt: '06:15', timeZone: 'Asia/Kathmandu' },
      '2026-03-09T00:30:00Z',
      '2026-03-09T00:30:00Z',
      'daily 2026-03-09',
    ],
    [
      'on Mondays when it is weekly',
      { ...daily, digest: 'weekly' },
      '2026-03-15T23:00:00Z',
      '2026-03-09T09:00:00Z',
      'weekly 2026-03-09',
    ],
  ] as const)('%s', (_what, choice, now, expected, period) => {
    expect(lastDigest(at(now), choice)).toEqual({ at: at(expected), period })
  })

  it('next after the last, once a day over two years of every place', () => {
    for (const timeZone of [
      'Europe/Berlin',
      'America/New_York',
      'Australia/Lord_Howe',
      'Asia/Tehran',
      'Africa/Casablanca',
    ]) {
      const choice = { digest: 'daily', digestAt: '02:15', timeZone } as const
      const periods = new Set<string>()
      let now = at('2025-01-01T12:00:00Z')
      for (let day = 0; day < 730; day++) {
        now = nextDigestAt(now, choice)
        const last = lastDigest(now, choice)
        expect(last.at).toBe(now)
        periods.add(last.period)
      }
      expect([timeZone, periods.size]).toEqual([timeZone, 730])
    }
  })

  it.each(['Asia/Shanghai', 'UTC', 'Etc/GMT+5', 'Europe/Kyiv'])('in %s', name => expect(isTimeZone(name)).toBe(true))
  it.each(['Mars/Olympus', '+03:00', '', 'constructor', '../etc'])('in no place called %s', name =>
    expect(isTimeZone(name)).toBe(false),
  )
})
