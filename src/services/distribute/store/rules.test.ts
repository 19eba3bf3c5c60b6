import { describe, expect, it } from 'vitest'
import { isKnown, type Part, partOf } from './ranges.ts'
import {
  apkNameOf,
  chooseLocale,
  compareCodes,
  decideUpdate,
  explainUpdate,
  type Installed,
  isForced,
  localeOf,
  type Offer,
  stalenessDays,
} from './rules.ts'

const offer = (versionCode: string, more: Partial<Offer> = {}): Offer => ({
  versionCode,
  signers: ['aa', 'oldaa'],
  minSdk: null,
  abis: [],
  countries: [],
  ...more,
})
const device = (versionCode: string, more: Partial<Installed> = {}): Installed => ({ versionCode, ...more })

describe('the answer to an installed package', () => {
  const cases: [why: string, offers: Offer[] | undefined, device: Installed, answer: string][] = [
    ['the store does not know it', undefined, device('1'), 'NOT_FOUND'],
    ['nothing of it is on shelf', [], device('1'), 'OFF_SHELF'],
    ['it is not sold in the country', [offer('2', { countries: ['CN'] })], device('1', { country: 'DE' }), 'OFF_SHELF'],
    ['it is sold in the country', [offer('2', { countries: ['CN', 'DE'] })], device('1', { country: 'DE' }), '2'],
    ['the device does not say its country', [offer('2', { countries: ['CN'] })], device('1'), '2'],
    ['a higher code is on shelf', [offer('2')], device('1'), '2'],
    ['the same code is installed', [offer('2')], device('2'), 'LATEST'],
    ['a higher code is installed', [offer('2')], device('3'), 'LATEST'],
    ['codes are numbers, not words', [offer('10')], device('9'), '10'],
    ['codes go past 2^53', [offer('9007199254740993')], device('9007199254740992'), '9007199254740993'],
    ['the signer is the same', [offer('2')], device('1', { certSha256: 'aa' }), '2'],
    ['the signer is in the lineage', [offer('2')], device('1', { certSha256: 'oldaa' }), '2'],
    ['the signer is another', [offer('2')], device('1', { certSha256: 'bb' }), 'SIGNER_MISMATCH'],
    ['another signer with the same code', [offer('2')], device('2', { certSha256: 'bb' }), 'SIGNER_MISMATCH'],
    ['the device is too old', [offer('2', { minSdk: 30 })], device('1', { sdk: 29 }), 'INCOMPATIBLE'],
    ['the device is just new enough', [offer('2', { minSdk: 30 })], device('1', { sdk: 30 }), '2'],
    ['the device does not say its level', [offer('2', { minSdk: 30 })], device('1'), '2'],
    ['no ABI is common', [offer('2', { abis: ['x86'] })], device('1', { abis: ['arm64-v8a'] }), 'INCOMPATIBLE'],
    ['one ABI is common', [offer('2', { abis: ['x86', 'a'] })], device('1', { abis: ['b', 'a'] }), '2'],
    ['the package runs on any ABI', [offer('2')], device('1', { abis: ['arm64-v8a'] }), '2'],
    ['the device does not say its ABIs', [offer('2', { abis: ['x86'] })], device('1'), '2'],
    ['the device names no ABI at all', [offer('2', { abis: ['x86'] })], device('1', { abis: [] }), 'INCOMPATIBLE'],
    ['a lower one fits', [offer('3', { minSdk: 30 }), offer('2')], device('1', { sdk: 29 }), '2'],
    ['the highest says why', [offer('3', { minSdk: 30 }), offer('2')], device('2', { sdk: 29 }), 'INCOMPATIBLE'],
    [
      'other countries do not count',
      [offer('3', { countries: ['CN'] }), offer('2')],
      device('2', { country: 'DE' }),
      'LATEST',
    ],
    [
      'a wrong signer comes before a wrong ABI',
      [offer('2', { abis: ['x86'] })],
      device('1', { certSha256: 'bb', abis: ['a'] }),
      'SIGNER_MISMATCH',
    ],
  ]
  it.each(cases)('when %s', (_why, offers, installed, answer) => {
    const decision = decideUpdate(offers, installed)
    expect(typeof decision === 'string' ? decision : decision.versionCode).toBe(answer)
    // What is told of each offer fits what is decided.
    const standings = explainUpdate(offers ?? [], installed)
    const first = standings.indexOf('OFFERED')
    expect(first >= 0 ? offers?.[first]?.versionCode : answer).toBe(answer)
    if (first < 0) expect(['NOT_FOUND', 'OFF_SHELF', ...standings]).toContain(answer)
    expect(standings.slice(first + 1).every(one => first < 0 || one === 'NOT_REACHED')).toBe(true)
  })

  it.each([
    ['nobody where no minimum is said', null, '1', false],
    ['who has a lower code', '10', '9', true],
    ['not who has the minimum', '10', '10', false],
    ['not who has a higher one', '10', '11', false],
    ['not who has no copy yet', '10', '0', false],
    ['who has a lower code past 2^53', '9007199254740993', '9007199254740992', true],
  ] as const)('forces %s', (_who, minimum, installed, isMeant) => {
    expect(isForced(minimum, installed)).toBe(isMeant)
  })

  it('compares codes as numbers', () => {
    expect(['10', '9', '100', '1'].sort(compareCodes)).toEqual(['1', '9', '10', '100'])
    expect(compareCodes('7', '7')).toBe(0)
  })

  it('counts whole days since it could be had', () => {
    expect([stalenessDays(0, 86_399_999), stalenessDays(0, 86_400_000), stalenessDays(5, 1)]).toEqual([0, 1, 0])
  })
})

describe('languages', () => {
  it.each([
    ['zhCN', 'zh-CN'],
    ['zh_CN', 'zh-CN'],
    ['zh-Hans-CN', 'zh-CN'],
    ['enUS', 'en-US'],
    ['ruRU', 'ru-RU'],
    ['en', 'en'],
    ['fil', 'fil'],
    ['ptbr', 'pt-BR'],
    ['es419', 'es-419'],
  ])('%s is the locale %s', (language, locale) => expect(localeOf(language)).toBe(locale))

  it.each([
    [['en-US', 'zh-CN'], 'zhCN', 'zh-CN'],
    [['en-US', 'zh-CN'], 'zh-TW', 'zh-CN'],
    [['en-US', 'zh-CN'], 'ru-RU', 'en-US'],
    [['en-US', 'zh-CN'], undefined, 'en-US'],
    [['zh-CN'], 'ru', 'zh-CN'],
    [[], 'ru', 'en-US'],
  ])('of %j a reader of %s gets %s', (there, wanted, chosen) =>
    expect(chooseLocale(there, wanted, 'en-US')).toBe(chosen),
  )
})

describe('parts of a file of 100 bytes', () => {
  const cases: [header: string | undefined, part: Part][] = [
    [undefined, 'whole'],
    ['bytes=0-0', { start: 0, end: 0 }],
    ['bytes=10-19', { start: 10, end: 19 }],
    ['bytes=90-', { start: 90, end: 99 }],
    ['bytes=90-1000', { start: 90, end: 99 }],
    ['bytes=-1', { start: 99, end: 99 }],
    ['bytes=-1000', { start: 0, end: 99 }],
    ['bytes=-0', 'none'],
    ['bytes=100-', 'none'],
    ['bytes=100-200', 'none'],
    ['bytes=5-4', 'whole'],
    ['bytes=0-0,5-6', 'whole'],
    ['bytes=-', 'whole'],
    ['bytes=a-b', 'whole'],
    ['lines=0-1', 'whole'],
    ['bytes=0-99999999999999999999', 'whole'],
  ]
  it.each(cases)('%s', (header, part) => expect(partOf(header, 100, undefined, '"v"')).toEqual(part))

  it('goes on only with the version it began with', () => {
    expect(partOf('bytes=5-', 100, '"v"', '"v"')).toEqual({ start: 5, end: 99 })
    expect(partOf('bytes=5-', 100, '"w"', '"v"')).toBe('whole')
    expect(partOf('bytes=5-', 100, 'W/"v"', '"v"')).toBe('whole')
  })

  it('knows a version among several, weak or strong', () => {
    expect(['"v"', 'W/"v"', '"a", "v"', '*', '"w"', undefined].map(one => isKnown(one, '"v"'))).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
    ])
  })
})

it('names a package so that other bytes have another name', () => {
  expect(apkNameOf('com.example.notes', '42', 'abcdef0123456789')).toBe('com.example.notes_42_abcdef01.apk')
})
