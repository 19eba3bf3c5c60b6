import i18next from 'i18next'
import { beforeAll, describe, expect, it } from 'vitest'
import type { FieldError } from '../kernel/errors.ts'
import { CallError } from './call-error.ts'
import en from './i18n/en.json' with { type: 'json' }
import ru from './i18n/ru.json' with { type: 'json' }
import zh from './i18n/zh.json' with { type: 'json' }
import { fieldText, refusalText } from './refusal-text.ts'

const names = {
  en: { name: 'Name', retry: { waitMs: 'Wait (ms)' } },
  ru: { name: 'Имя', retry: { waitMs: 'Пауза (мс)' } },
  zh: { name: '名称', retry: { waitMs: '等待（毫秒）' } },
}
const frames = { en, ru, zh }
const inLanguage = (lng: 'en' | 'ru' | 'zh') => ({ console: frames[lng], service: names[lng] })

beforeAll(async () => {
  const resources = { en: inLanguage('en'), ru: inLanguage('ru'), zh: inLanguage('zh') }
  await i18next.init({ lng: 'en', ns: ['console', 'service'], defaultNS: 'console', resources })
})

const field = (pointer: string, rule: string, message: string, limit?: number): FieldError => ({
  ...{ in: 'body', pointer, rule, message },
  ...(limit === undefined ? {} : { limit }),
})
const refused = (...fields: FieldError[]) =>
  new CallError({ status: 400, number: 200000001, message: 'No.', service: 'service', fields })

describe('what is wrong with a field', () => {
  it.each([
    [field('/a', 'required', 'is missing'), 'Fill this in.'],
    [field('/a', 'minimum', 'must be >= 5', 5), 'Not below 5.'],
    [field('/a', 'maximum', 'must be <= 600', 600), 'Not above 600.'],
    [field('/a', 'minLength', 'must NOT have fewer than 2 characters', 2), 'At least 2 characters.'],
    [field('/a', 'maxLength', 'must NOT have more than 1 characters', 1), 'At most 1 character.'],
    [field('/a', 'pattern', 'must match pattern "^[a-z]+$"'), 'This is not in the right form.'],
    [field('/a', 'type', 'must be integer'), 'This is not in the right form.'],
    [field('/a', 'minimum', 'must not be less than waitMs'), 'must not be less than waitMs'],
    [field('/a', 'address', 'is no address'), 'is no address'],
  ])('%j is said as "%s"', (wrong, sentence) => {
    expect(fieldText(wrong)).toBe(sentence)
  })
})

describe('why a call was refused', () => {
  it.each([
    ['en', 'Wait (ms): Not below 5.'],
    ['ru', 'Пауза (мс): Не меньше 5.'],
    ['zh', '等待（毫秒）: 不能小于 5。'],
  ])('names the field as the page does: %s', async (language, sentence) => {
    await i18next.changeLanguage(language)
    expect(refusalText(refused(field('/spec/waitMs', 'minimum', 'must be >= 5', 5)), 'retry')).toContain(sentence)
    await i18next.changeLanguage('en')
  })

  it('names a part of a list by the list, and what has no name by its pointer', () => {
    const text = refusalText(refused(field('/name/3', 'type', 'must be string'), field('/other', 'required', '')))
    expect(text).toContain('Name: This is not in the right form.')
    expect(text).toContain('/other: Fill this in.')
  })

  it('is the sentence alone where no field is named', () => {
    expect(refusalText(new CallError({ status: 409, number: 1, message: 'Taken.', service: 'service' }))).toBe('Taken.')
  })
})
