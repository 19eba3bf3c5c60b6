import { describe, expect, it } from 'vitest'
import { blockedWordIn, nameKey } from './listing/rules.ts'
import { factsOf, isCountry, isReleaseTime, limits, releasesAtOnce, slaDueAt, urgeAvailableAt } from './rules.ts'

describe('times', () => {
  const friday = Date.UTC(2026, 10, 20, 12)
  const day = 86_400_000

  const sent = { submittedAt: friday, isFirst: false, reviewDueAt: null, reviewPausedAt: null, lastUrgedAt: null }

  it('counts working days of the zone: three for a first version, one for an update', () => {
    expect(slaDueAt(sent, 'DE')).toBe(Date.UTC(2026, 10, 23, 12))
    expect(slaDueAt({ ...sent, isFirst: true }, 'DE')).toBe(Date.UTC(2026, 10, 25, 12))
    // Friday noon UTC is after hours in China.
    expect(slaDueAt(sent, 'CN')).toBe(Date.UTC(2026, 10, 23, 10))
    expect(slaDueAt({ ...sent, reviewDueAt: 5 }, 'CN')).toBe(5)
  })

  it('lets a review be urged when it is overdue, then once a day, and not while it waits for the developer', () => {
    const due = slaDueAt(sent, 'DE')
    expect(urgeAvailableAt(sent, 'DE')).toBe(due)
    expect(urgeAvailableAt({ ...sent, lastUrgedAt: due + 1000 }, 'DE')).toBe(due + 1000 + day)
    expect(urgeAvailableAt({ ...sent, reviewPausedAt: due }, 'DE')).toBeNull()
  })

  it('takes a release time from 10 minutes to 180 days ahead', () => {
    for (const [ahead, isRight] of [
      [600_000, true],
      [599_999, false],
      [180 * day, true],
      [180 * day + 1, false],
    ] as const) {
      expect(isReleaseTime(friday + ahead, friday)).toBe(isRight)
    }
  })

  it('releases at once what is automatic or whose time has passed', () => {
    expect(releasesAtOnce({ releaseMode: 'AUTO', onShelfTime: null, heldBy: null }, friday)).toBe(true)
    expect(releasesAtOnce({ releaseMode: 'MANUAL', onShelfTime: null, heldBy: null }, friday)).toBe(false)
    expect(releasesAtOnce({ releaseMode: 'TIMED', onShelfTime: friday, heldBy: null }, friday)).toBe(true)
    expect(releasesAtOnce({ releaseMode: 'TIMED', onShelfTime: friday + 1, heldBy: null }, friday)).toBe(false)
    expect(releasesAtOnce({ releaseMode: 'AUTO', onShelfTime: null, heldBy: '7' }, friday)).toBe(false)
  })

  it('lets a version go on shelf again for 90 days, and be urged three times', () => {
    const version = {
      ...sent,
      submittedAt: null,
      urgeCount: limits.urgesOfSubmission,
      onShelfAt: friday,
      offShelfAt: friday,
      releaseMode: 'AUTO' as const,
      onShelfTime: null,
      heldBy: null,
      lastShelfOff: null,
      submitQueuedBy: null,
      versionCode: '1',
    }
    expect(factsOf(version, friday + 90 * day - 1, 'DE').isRecent).toBe(true)
    expect(factsOf(version, friday + 90 * day, 'DE').isRecent).toBe(false)
    expect(factsOf(version, friday, 'DE').hasUrgesLeft).toBe(false)
  })
})

describe('words', () => {
  it('knows countries from other pairs of letters', () => {
    expect(['CN', 'DE', 'RU', 'US', 'HK'].every(isCountry)).toBe(true)
    expect(['XX', 'ZZ', 'EU', 'de', 'D', 'DEU', ''].some(isCountry)).toBe(false)
  })

  it('compares names by what a person sees', () => {
    expect(nameKey('  Ｌｏｇｇｉａ   Notes ')).toBe(nameKey('loggia notes'))
    expect(blockedWordIn('The LOGGIA  Store')).toBe('loggia store')
    expect(blockedWordIn('Notes')).toBeNull()
  })
})
