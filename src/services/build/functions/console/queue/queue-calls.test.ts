import i18next, { type TFunction } from 'i18next'
import { beforeAll, expect, it } from 'vitest'
import en from '../i18n/en.json' with { type: 'json' }
import ru from '../i18n/ru.json' with { type: 'json' }
import zh from '../i18n/zh.json' with { type: 'json' }
import { reasonOf } from './queue-calls.ts'

const ns = 'build/functions'
beforeAll(() =>
  i18next.init({ lng: 'en', ns: [ns], resources: { en: { [ns]: en }, ru: { [ns]: ru }, zh: { [ns]: zh } } }),
)

it.each([
  ['en', 'The circuit breaker was open'],
  ['ru', 'Выключатель был разомкнут'],
  ['zh', '熔断器处于打开状态'],
])('why a call was put off is said in the words of the reader: %s', (language, text) => {
  const t = i18next.getFixedT(language, ns) as TFunction<typeof ns>
  expect(reasonOf(t, { errorType: '210429004', reason: 'The breaker is open; try again in 28 s.' })).toBe(text)
})

it('what the function said stays as it said it', () => {
  const t = i18next.getFixedT('ru', ns) as TFunction<typeof ns>
  expect(reasonOf(t, { errorType: 'TypeError', reason: 'no such place' })).toBe('no such place')
})
