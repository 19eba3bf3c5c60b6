import { describe, expect, it } from 'vitest'
import {
  claimsFault,
  filled,
  isPumped,
  judgeRotation,
  limits,
  mailOf,
  passwordFault,
  phoneOf,
  templateFault,
} from './rules.ts'

describe('one mailbox has one spelling', () => {
  it.each([
    ['A@B.CO', 'a@b.co'],
    [' a@b.co ', 'a@b.co'],
    ['ａ@b.co', 'a@b.co'],
    ['a@b', null],
    ['a@@b.co', null],
    ['a..b@c.co', null],
    ['a@b.co\nbcc:x@y.z', null],
    ['Li <a@b.co>', null],
    ['', null],
    [`${'a'.repeat(65)}@b.co`, null],
  ])('%j is %j', (text, kept) => expect(mailOf(text)).toBe(kept))
})

describe('one phone has one spelling', () => {
  it.each([
    ['+49-1701234567', '+49-1701234567'],
    ['0049-1701234567', '+49-1701234567'],
    ['+49-01701234567', '+49-1701234567'],
    ['+49-170 123 4567', '+49-1701234567'],
    ['+49-170\u00a01234567', '+49-1701234567'],
    ['+４９-１７０１２３４５６７', '+49-1701234567'],
    ['+86-13800138000', '+86-13800138000'],
    ['1701234567', null],
    ['+49-1', null],
    ['+49-170123456789012345', null],
    ['+49-17012x4567', null],
  ])('%j is %j', (text, kept) => expect(phoneOf(text)).toBe(kept))
})

describe('a password', () => {
  const policy = { minLength: 8, classes: 2 }
  it.each([
    ['Sh0rt', 'short'],
    ['x'.repeat(65), 'long'],
    ['abcdefghij', 'simple'],
    ['aaaaaaaaaa', 'common'],
    ['Password1', 'common'],
    ['mira.lane7', 'own'],
    ['correct-horse', null],
    ['Пароль-надёжный', null],
  ])('%j is %j', (password, fault) => expect(passwordFault(password, policy, ['mira.lane7@example.com'])).toBe(fault))
})

describe('a refresh token means', () => {
  const now = 1_000_000_000
  const session = (generation: number, ago: number) => ({ generation, rotatedAt: now - ago })
  it.each([
    ['byUse', 0, 0, 99_999_999, 'again'],
    ['byUse', 1, 0, 99_999_999, 'fresh'],
    ['byUse', 0, 1, 1000, 'late'],
    ['byUse', 0, 1, limits.rotationGraceMs, 'stolen'],
    ['byUse', 3, 1, 0, 'stolen'],
    ['strict', 0, 0, 99_999_999, 'fresh'],
    ['strict', 0, 1, 1000, 'late'],
    ['strict', 0, 1, limits.rotationGraceMs, 'stolen'],
    ['strict', 0, 2, 0, 'stolen'],
    ['strict', 2, 1, 0, 'stolen'],
  ] as const)(
    'in mode %s the one of generation %d, at %d rotated %d ms ago: %s',
    (mode, given, current, ago, verdict) =>
      expect(judgeRotation(given, session(current, ago), mode, now)).toBe(verdict),
  )
})

describe('custom claims', () => {
  it.each([
    [{ role: 'editor' }, null],
    [{ a: 'x'.repeat(1024) }, 'large'],
    [{ sub: '1' }, 'reserved'],
    [JSON.parse('{"__proto__": 1}'), 'reserved'],
  ])('%j: %j', (claims, fault) => expect(claimsFault(claims)).toBe(fault))
})

describe('a template', () => {
  it('names only what is filled in, and has a code', () => {
    expect(templateFault('SMS_CODE', 'Code {{code}} of {{app}}')).toBeNull()
    expect(templateFault('SMS_CODE', 'Hello')).toEqual({ rule: 'code', word: 'code' })
    expect(templateFault('WELCOME', 'Hello {{name}}')).toBeNull()
    expect(templateFault('RESET', '{{constructor.constructor("return process")()}} {{code}}')?.rule).toBe('word')
  })

  it('is filled once: a value that looks like a word stays text', () => {
    expect(filled('{{name}}: {{code}}', { name: '{{code}}', code: '1' })).toBe('{{code}}: 1')
    expect(filled('{{toString}} {{__proto__}} #{7*7} <%= 7 %>', {})).toBe('{{toString}} {{__proto__}} #{7*7} <%= 7 %>')
  })
})

it('a country is pumped when few of many codes are used', () => {
  expect(isPumped(19, 0)).toBe(false)
  expect(isPumped(20, 4)).toBe(false)
  expect(isPumped(20, 3)).toBe(true)
})
