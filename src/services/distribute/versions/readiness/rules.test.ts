import { describe, expect, it } from 'vitest'
import type { FilmHit } from '../../../../kernel/film.ts'
import { isPolicyUrl } from '../../../../kernel/links.ts'
import { blocksOf, type ReadinessFacts, readinessOf } from './rules.ts'

const listing = {
  lang: 'enUS',
  appName: 'Notes',
  briefInfo: 'Write',
  appDesc: 'Write things down.',
  newFeatures: 'All of it',
  hasIcon: true,
  screenshots: [{ deviceType: 4, count: 3 }],
  film: null as ReadinessFacts['listings'][number]['film'],
}
const film = (rule: FilmHit['rule'], level: 'BLOCK' | 'WARN' | 'INFO', seen = '7 s') => ({
  film: { state: level === 'BLOCK' ? ('FAILED' as const) : ('PASSED' as const), hits: [{ rule, level, seen }] },
})
const pkg = {
  pkgId: '7',
  state: 'READY' as const,
  isTestOnly: false,
  packageName: 'org.notes',
  versionCode: '20',
  targetSdk: 34,
  sizeBytes: 1000,
  failures: [],
}
const ready: ReadinessFacts = {
  now: 0,
  appId: '1',
  versionId: '2',
  submitter: { mayBeUnverified: true, isVerified: false },
  needsPackage: true,
  kindMainTag: 10101,
  deviceTypes: [4],
  defaultLang: 'enUS',
  appPackageName: 'org.notes',
  package: pkg,
  shelf: null,
  countries: ['DE'],
  privacyPolicyUrl: 'https://notes.org/privacy',
  releaseMode: 'AUTO',
  onShelfTime: null,
  isReleaseTimeRight: false,
  loginRequired: false,
  hasTestAccount: false,
  listings: [listing],
  screenshotsNeeded: [{ deviceType: 4, min: 3, max: 5 }],
  takenNames: [],
  blockedNames: [],
  qualificationGaps: [],
  recordalGap: null,
  renamesLeft: null,
}
const shelf = { pkgId: '6', maxVersionCode: '10', sizeBytes: 1000 }
const withListing = (change: Partial<typeof listing>) => ({ listings: [{ ...listing, ...change }] })

const cases: [what: string, change: Partial<ReadinessFacts>, rule: string, severity?: 'WARN'][] = [
  ['no package', { package: null }, 'package.missing'],
  ['a package being parsed', { package: { ...pkg, state: 'PARSING' } }, 'package.processing'],
  ['a refused package', { package: { ...pkg, state: 'FAILED', failures: ['no signer'] } }, 'package.failed'],
  ['a package for tests', { package: { ...pkg, isTestOnly: true } }, 'package.testOnly'],
  ['a package of another name', { appPackageName: 'org.other' }, 'package.name'],
  ['the code on shelf again', { shelf: { ...shelf, maxVersionCode: '20' } }, 'package.versionCode'],
  ['an old target', { package: { ...pkg, targetSdk: 28 } }, 'package.targetSdk', 'WARN'],
  ['a package that grew', { package: { ...pkg, sizeBytes: 1400 }, shelf }, 'package.growth', 'WARN'],
  ['no name', withListing({ appName: ' ' }), 'listing.name'],
  ['no short description', withListing({ briefInfo: '' }), 'listing.brief'],
  ['no description', withListing({ appDesc: '' }), 'listing.description'],
  ['no icon', withListing({ hasIcon: false }), 'listing.icon'],
  ['two screenshots', withListing({ screenshots: [{ deviceType: 4, count: 2 }] }), 'listing.screenshots'],
  ['six screenshots', withListing({ screenshots: [{ deviceType: 4, count: 6 }] }), 'listing.screenshots'],
  ['screenshots of another device', withListing({ screenshots: [{ deviceType: 8, count: 4 }] }), 'listing.screenshots'],
  ['a film nobody has looked at', withListing({ film: { state: 'CHECKING', hits: [] } }), 'video.checking'],
  ['a film that cannot be read', withListing(film('video.unreadable', 'BLOCK')), 'video.unreadable'],
  ['a film that is too short', withListing(film('video.short', 'BLOCK')), 'video.short'],
  ['a film that is too long', withListing(film('video.long', 'BLOCK')), 'video.long'],
  ['a film in a rare codec', withListing(film('video.codec', 'BLOCK')), 'video.codec'],
  ['a small film', withListing(film('video.small', 'WARN')), 'video.small', 'WARN'],
  [
    'a bad film in another language',
    { listings: [listing, { ...listing, lang: 'deDE', ...film('video.short', 'BLOCK') }] },
    'video.short',
  ],
  ['an upgrade without news', { ...withListing({ newFeatures: '' }), shelf }, 'listing.newFeatures'],
  ['a name on shelf', { takenNames: [{ lang: 'enUS', appName: 'Notes' }] }, 'name.taken'],
  ['a blocked word', { blockedNames: [{ lang: 'enUS', appName: 'Notes', word: 'x' }] }, 'name.blocked'],
  ['a third rename in a year', { renamesLeft: 0 }, 'name.renames'],
  ['no category', { kindMainTag: null }, 'app.category'],
  ['no country', { countries: [] }, 'countries'],
  ['no privacy policy', { privacyPolicyUrl: '' }, 'privacy.url'],
  ['a plain http policy', { privacyPolicyUrl: 'http://notes.org/privacy' }, 'privacy.url'],
  ['a timed release without a time', { releaseMode: 'TIMED' }, 'release.time'],
  ['a sign-in without an account', { loginRequired: true }, 'review.testAccount'],
  [
    'a translation half done',
    { listings: [listing, { ...listing, lang: 'deDE', appDesc: '' }] },
    'translation.missing',
    'WARN',
  ],
]

describe('readiness', () => {
  it('finds nothing in a version that is ready', () => expect(readinessOf(ready)).toEqual([]))

  it.each(cases)('finds %s', (_, change, rule, severity) => {
    const found = readinessOf({ ...ready, ...change })
    expect(found.map(one => one.rule)).toEqual([rule])
    expect(found[0]?.severity).toBe(severity ?? 'BLOCK')
    expect(blocksOf(found)).toBe(severity ? 0 : 1)
    expect(found[0]?.message).not.toMatch(/\{\w+\}/)
    expect(found[0]?.fixHref).toContain('/apps/1/version/2?section=')
  })

  it.each([
    [true, true, []],
    [true, false, []],
    [false, true, []],
    [false, false, ['person.realName']],
  ])(
    'where unverified people may submit: %s, finds of one who is verified: %s, %j',
    (mayBeUnverified, isVerified, found) => {
      const findings = readinessOf({ ...ready, submitter: { mayBeUnverified, isVerified } })
      expect(findings.map(one => [one.rule, one.fixHref])).toEqual(found.map(rule => [rule, '/real-name']))
    },
  )

  it('asks nothing about a person of the store itself', () =>
    expect(readinessOf({ ...ready, submitter: null })).toEqual([]))

  it('asks nothing about a film without sound', () =>
    expect(readinessOf({ ...ready, ...withListing(film('video.silent', 'INFO')) })).toEqual([]))

  it('asks for no package of a store page', () => {
    expect(readinessOf({ ...ready, needsPackage: false, package: null })).toEqual([])
  })

  it('asks for nothing new when the package is the one on shelf', () => {
    const facts = {
      ...ready,
      shelf: { ...shelf, pkgId: '7', maxVersionCode: '20' },
      ...withListing({ newFeatures: '' }),
    }
    expect(readinessOf(facts)).toEqual([])
  })

  it('compares codes beyond 2^53', () => {
    const big = { ...pkg, versionCode: '9007199254740993' }
    expect(readinessOf({ ...ready, package: big, shelf: { ...shelf, maxVersionCode: '9007199254740992' } })).toEqual([])
  })

  it('tells https addresses of public hosts from others', () => {
    expect(['https://a.example/x', 'https://xn--e1afmkfd.xn--p1ai/'].every(isPolicyUrl)).toBe(true)
    const wrong = ['https://localhost/', 'https://127.0.0.1/', 'https://a:b@c.de/', 'ftp://a.de', 'https://[::1]/', 'x']
    expect(wrong.some(isPolicyUrl)).toBe(false)
  })
})
