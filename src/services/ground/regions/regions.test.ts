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
  languageOf,
  numericIds,
  ratingOf,
} from './rules.ts'

describe('the table of countries', () => {
  it('has eight regions, and each country in exactly one', () => {
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
    expect(new Set(countryCodes).size).toBe(countryCodes.length)
  })

  it.each([
    [42, 'CN'],
    [81, 'TR'],
    [1001, 'SG'],
    [10200, 'JP'],
    [20276, 'DE'],
    [1, undefined],
  ])('knows the numeric id %i as %s', (numericId, code) => expect(countryOfNumericId(numericId)).toBe(code))

  it('gives about 190 numeric ids, none twice, all of known countries', () => {
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
    expect(countryCodes.filter(code => Object.values(countryName(code)).includes(code))).toEqual([])
  })
})

describe('the list of languages', () => {
  it('has about 70 keys, each with a name in three languages', () => {
    expect(languageKeys.length).toBeGreaterThan(65)
    expect(languageName('zhCN')).toEqual({
      zh: '简体中文',
      en: 'Simplified Chinese',
      ru: 'Китайский, упрощенное письмо',
    })
    expect(languageName('es419').en).toBe('Latin American Spanish')
    expect(languageName('deDE').en).toBe('German')
    expect(languageKeys.filter(key => languageName(key).en.toLowerCase() === key.toLowerCase())).toEqual([])
  })

  it.each([
    ['cn', false, 'zh'],
    ['zh', false, 'zh'],
    ['zh-CN', false, 'zh'],
    ['enUS', false, 'en'],
    ['ru_RU', false, 'ru'],
    ['de', false, 'en'],
    ['rum', false, 'en'],
    [undefined, false, 'en'],
    ['cn', true, 'zh'],
    ['en', true, 'en'],
    ['ru', true, 'ru'],
    ['zh-CN', true, 'en'],
    ['de', true, 'en'],
    [undefined, true, 'zh'],
  ] as const)('falls from %j in app mode %s back to %s', (wanted, isApp, language) =>
    expect(languageOf(wanted, { isApp })).toBe(language),
  )
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
    expect(first.json()).toMatchObject({ ret: { code: 0 }, version: 1, language: 'ru' })
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
