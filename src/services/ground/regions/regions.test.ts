import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Stage } from '../../../testkit/stage.ts'
import {
  contentRatings,
  countryCodes,
  countryName,
  countryOfNumericId,
  divisions,
  languageKeys,
  languageName,
  languageTag,
  numericIds,
  ratingOf,
} from './rules.ts'

/** What Node brings of CLDR: an independent list of the world, without the codes that are no country. */
const noCountry = ['AC', 'CP', 'CQ', 'DG', 'EA', 'EU', 'EZ', 'IC', 'QO', 'TA', 'UN', 'XA', 'XB', 'ZZ']
const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
const canonical = (region: string) => Intl.getCanonicalLocales(`und-${region}`)[0]?.slice(4)
const known = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })
const worldCodes = letters
  .flatMap(first => letters.map(second => first + second))
  .filter(code => known.of(code) !== undefined && canonical(code) === code && !noCountry.includes(code))

describe('the table of countries', () => {
  it('has every country and area of ISO 3166, and Kosovo, in exactly one region', () => {
    expect(countryCodes).toEqual(worldCodes)
    expect(countryCodes).toHaveLength(250)
    expect(divisions.flatMap(one => [...one.countries]).toSorted()).toEqual(worldCodes)
  })

  it('gives the numeric ids of its own by the number of ISO 3166', () => {
    const given = [...numericIds].filter(([, numericId]) => numericId >= 20_000)
    for (const [code, numericId] of given) expect(canonical(String(numericId - 20_000).padStart(3, '0'))).toBe(code)
    expect(given).toHaveLength(numericIds.size - 4)
  })

  it('names the regions China, Europe, Africa, Middle East, North America, Central Asia, Asia & Pacific, Latin America and the Caribbean', () => {
    expect(divisions.map(one => one.name.en)).toEqual([
      'China',
      'Europe',
      'Africa',
      'Middle East',
      'North America',
      'Central Asia',
      'Asia & Pacific',
      'Latin America and the Caribbean',
    ])
    for (const { name } of divisions) {
      expect(name.zh).toMatch(/^\p{Script=Han}+$/u)
      expect(name.ru).toMatch(/^[\p{Script=Cyrillic} -]+$/u)
    }
  })

  it.each([
    [42, 'CN'],
    [81, 'TR'],
    [1001, 'SG'],
    [10200, 'JP'],
    [20276, 'DE'],
    [1, undefined],
  ])('maps numeric country ids to codes: %i to %s', (numericId, code) =>
    expect(countryOfNumericId(numericId)).toBe(code),
  )

  it('has about 190 numeric ids, none twice, all of known countries', () => {
    expect(numericIds.size).toBeGreaterThan(185)
    expect(numericIds.size).toBeLessThan(200)
    expect(new Set(numericIds.values()).size).toBe(numericIds.size)
    expect([...numericIds.keys()].filter(code => !countryCodes.includes(code))).toEqual([])
  })

  it.each([
    ['CN', 'HWAR'],
    ['DE', 'USK'],
    ['FR', 'PEGI'],
    ['RU', 'Russia'],
    ['US', 'ESRB'],
    ['AU', 'ACB'],
    ['KR', 'GRAC'],
    ['BR', 'ClassInd'],
    ['SG', 'Generic'],
  ])('rates what is published in %s by %s', (code, rating) => expect(ratingOf(code)).toBe(rating))

  it('uses every rating system somewhere', () => {
    expect(new Set(countryCodes.map(ratingOf))).toEqual(new Set(contentRatings))
  })

  it('names every country in three languages', () => {
    expect(countryName('DE')).toEqual({ zh: '德国', en: 'Germany', ru: 'Германия' })
    for (const code of countryCodes) {
      const { zh, en, ru } = countryName(code)
      expect([zh, en, ru]).not.toContain(code)
      expect([/\p{Script=Han}/u.test(zh), /\p{Script=Latin}/u.test(en), /\p{Script=Cyrillic}/u.test(ru)]).toEqual([
        true,
        true,
        true,
      ])
    }
  })
})

describe('the list of languages', () => {
  it('has about 70 keys, each with a display name in Chinese, English and Russian', () => {
    expect(languageKeys.length).toBeGreaterThan(65)
    expect(languageName('zhCN')).toEqual({
      zh: '简体中文',
      en: 'Simplified Chinese',
      ru: 'Китайский, упрощенное письмо',
    })
    expect(languageName('es419').en).toBe('Latin American Spanish')
    expect(languageName('deDE').en).toBe('German')
    for (const key of languageKeys) {
      const { zh, en, ru } = languageName(key)
      expect([/\p{Script=Han}/u.test(zh), /\p{Script=Latin}/u.test(en), /\p{Script=Cyrillic}/u.test(ru)]).toEqual([
        true,
        true,
        true,
      ])
      expect(en.toLowerCase()).not.toBe(key.toLowerCase())
    }
  })

  it('has a tag of BCP 47 for each key, none twice', () => {
    const tags = languageKeys.map(languageTag)
    expect(Intl.getCanonicalLocales(tags)).toEqual(tags)
  })
})

describe('the calls', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage()
  })
  afterAll(() => stage.close())
  const prefix = '/global/global-config-service/v1'

  it.each([
    ['/division/list', 8],
    ['/country/list', countryCodes.length],
    ['/country-region/list', 8],
    ['/language/list', languageKeys.length],
  ])('answer %s with a strong ETag, for a day and for everybody', async (path, length) => {
    const first = await stage.app.inject(`${prefix}${path}?lang=ru`)
    expect(first.statusCode).toBe(200)
    expect(first.headers['cache-control']).toBe('public, max-age=86400')
    expect(first.headers.etag).toMatch(/^"[\w-]{27}"$/)
    expect(first.json()).toMatchObject({ ret: { code: 0 }, version: 2, language: 'ru' })
    expect(first.json().list).toHaveLength(length)
    const again = await stage.app.inject({
      url: `${prefix}${path}?lang=ru`,
      headers: { 'if-none-match': `"x", ${first.headers.etag}` },
    })
    expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', first.headers.etag])
  })

  it('give each language its own ETag', async () => {
    const etags = await Promise.all(
      ['cn', 'en', 'ru', 'de'].map(
        async lang => (await stage.app.inject(`${prefix}/country/list?lang=${lang}`)).headers.etag,
      ),
    )
    expect(new Set(etags).size).toBe(3)
    expect(etags[3]).toBe(etags[1])
  })

  it('tell numeric ids, ratings and regions together', async () => {
    const answer = (await stage.app.inject(`${prefix}/country-region/list`)).json()
    expect(answer.numericIds).toContainEqual({ numericId: 10200, countryId: 'JP' })
    expect(answer.list[1].countries).toContainEqual({ countryId: 'DE', name: 'Germany', contentRating: 'USK' })
  })

  it('refuse a field they do not know', async () => {
    const reply = await stage.app.inject(`${prefix}/country/list?language=ru`)
    expect([reply.statusCode, reply.json().fields[0].pointer]).toEqual([400, '/language'])
  })
})
