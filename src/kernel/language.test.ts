import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { analyticsPageName, languageOf, pageLanguage, pluralOf } from './language.ts'

describe('the language', () => {
  it.each([
    ['cn', 'zh'],
    ['zh', 'zh'],
    ['zh-CN', 'zh'],
    ['enUS', 'en'],
    ['ru_RU', 'ru'],
    ['de', 'en'],
    ['rum', 'en'],
    ['RU', 'en'],
    ['x', 'en'],
    ['constructor', 'en'],
  ])('that is stored and unsupported falls back to en: %s is %s', (stored, language) =>
    expect(languageOf(stored, { isApp: false })).toBe(language),
  )

  it.each([
    ['cn', 'zh'],
    ['en', 'en'],
    ['ru', 'ru'],
    ['zh', 'en'],
    ['zh-CN', 'en'],
    ['ruRU', 'en'],
    ['de', 'en'],
  ])('of the app mode is cn, en or ru only, otherwise en: %s is %s', (wanted, language) =>
    expect(languageOf(wanted, { isApp: true })).toBe(language),
  )

  it.each([
    [undefined, false, 'en'],
    ['', false, 'en'],
    [undefined, true, 'zh'],
    ['', true, 'zh'],
  ] as const)('is en by default, or cn in app mode: %j, app %j, is %s', (wanted, isApp, language) =>
    expect(languageOf(wanted, { isApp })).toBe(language),
  )

  it.each([
    ['/ru/', null, 'ru'],
    ['/en/', 'ru', 'en'],
    ['/consumer/ru/service/josp/agc/', 'zh', 'ru'],
    ['/', null, 'zh'],
    ['/', 'ru', 'ru'],
    ['/', 'cn', 'zh'],
    ['/', 'de', 'en'],
    ['/rules/', null, 'zh'],
    ['/ru', null, 'zh'],
    ['/english/', null, 'zh'],
  ] as const)(
    'of a page is detected from a path containing /ru/ or /en/, otherwise Chinese: %s with %j is %s',
    (path, stored, language) => expect(pageLanguage(path, stored)).toBe(language),
  )
})

describe('the analytics page name', () => {
  it.each([
    ['en', '', 'consumer/en/service/josp/agc'],
    ['ru', '', 'consumer/ru/service/josp/agc'],
    ['zh', '', 'consumer/cn/service/josp/agc'],
    ['en', '#/apps/736430079244000001/listing?lang=ru', 'consumer/en/service/josp/agc/apps/listing'],
    ['ru', '/team/members/', 'consumer/ru/service/josp/agc/team/members'],
  ] as const)(
    'includes consumer/en/service/josp/agc and consumer/ru/service/josp/agc: %s %s',
    (language, route, name) => expect(analyticsPageName(language, route)).toBe(name),
  )
})

/** The rules as CLDR writes them, by hand: what Intl says is compared with them. */
const written = {
  en: (n: number) => (n === 1 ? 'one' : 'other'),
  ru: (n: number) => {
    if (!Number.isInteger(n)) return 'other'
    const [ten, hundred] = [n % 10, n % 100]
    if (ten === 1 && hundred !== 11) return 'one'
    return ten >= 2 && ten <= 4 && (hundred < 12 || hundred > 14) ? 'few' : 'many'
  },
}

describe('the plural', () => {
  it.each([
    ['en', 0, 'other'],
    ['en', 1, 'one'],
    ['en', 2, 'other'],
    ['en', 1.5, 'other'],
    ['en', 21, 'other'],
    ['ru', 0, 'many'],
    ['ru', 1, 'one'],
    ['ru', 2, 'few'],
    ['ru', 4, 'few'],
    ['ru', 5, 'many'],
    ['ru', 11, 'many'],
    ['ru', 12, 'many'],
    ['ru', 14, 'many'],
    ['ru', 21, 'one'],
    ['ru', 22, 'few'],
    ['ru', 101, 'one'],
    ['ru', 111, 'many'],
    ['ru', 112, 'many'],
    ['ru', 1.5, 'other'],
    ['zh', 1, 'other'],
  ] as const)('follows English or Russian categories: %s %d is %s', (language, count, category) =>
    expect(pluralOf(language, count)).toBe(category),
  )

  it('is what CLDR writes, for every count', () => {
    fc.assert(
      fc.property(fc.constantFrom('en', 'ru'), fc.nat(10_000_000), (language, count) => {
        expect(pluralOf(language, count)).toBe(written[language](count))
      }),
    )
  })
})
