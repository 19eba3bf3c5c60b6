import { describe, expect, it } from 'vitest'
import {
  callbackPattern,
  cutText,
  dayMs,
  EventAllowance,
  isBotAgent,
  jsonpScript,
  keepProps,
  networkOf,
  settleTime,
} from './rules.ts'

const now = Date.UTC(2026, 10, 22, 1, 0, 0)

describe('the clock of a sender', () => {
  it.each([
    ['is taken as it is within a minute', now - 5_000, now - 60_000, now - 5_000, false, false],
    ['is put right when it is more than a minute slow', now - dayMs - 5_000, now - dayMs, now - 5_000, true, false],
    ['is put right when it is a day fast', now + dayMs - 5_000, now + dayMs, now - 5_000, true, false],
    ['cannot put an event into the future', now + 6 * 60_000, undefined, now, true, false],
    ['may be a little ahead', now + 5 * 60_000, undefined, now + 5 * 60_000, false, false],
    ['leaves an event of eight days ago where it was, marked late', now - 8 * dayMs, now, now - 8 * dayMs, false, true],
    ['cannot reach before 1970', 0, now + dayMs, 0, true, true],
  ] as const)('%s', (_rule, at, sentAt, settled, isClockFixed, isLate) => {
    expect(settleTime(at, sentAt, now)).toEqual({ at: settled, isClockFixed, isLate })
  })
})

describe('a text', () => {
  it.each([
    ['is kept as it is', '=1+1', '=1+1', false],
    ['of 1024 characters is whole', 'a'.repeat(1024), 'a'.repeat(1024), false],
    ['of 1025 characters is cut', 'a'.repeat(1025), 'a'.repeat(1024), true],
    ['is never cut through a pair', `${'a'.repeat(1023)}😀`, 'a'.repeat(1023), true],
    ['has no lone surrogate', 'a\ud800b', 'a\ufffdb', false],
    ['has no NUL', 'a\0b', 'ab', true],
  ])('%s', (_rule, given, text, isCut) => {
    expect(cutText(given)).toEqual({ text, isCut })
  })
})

describe('properties', () => {
  it('have keys of letters, digits and underscores, at most 64 characters', () => {
    const given = { good_1: 1, '1bad': 2, 'a b': 3, ['k'.repeat(64)]: true, ['k'.repeat(65)]: false }
    expect(keepProps(given)).toEqual({ props: { good_1: 1, ['k'.repeat(64)]: true }, isCut: true })
  })

  it('are at most a hundred', () => {
    const many = Object.fromEntries(Array.from({ length: 101 }, (_none, at) => [`p${at}`, at]))
    const { props, isCut } = keepProps(many)
    expect([Object.keys(props).length, isCut]).toEqual([100, true])
  })
})

describe('a callback', () => {
  const isRight = (name: string) => new RegExp(callbackPattern).test(name)
  it.each(['fn', '_a.b$1', 'a'.repeat(64)])('may be %s', name => expect(isRight(name)).toBe(true))
  it.each(['', '1a', 'alert(1)//', 'a;b', 'a\nb', 'ä', 'a'.repeat(65), 'a<b', 'a[0]', '"', 'a\u2028b'])(
    'may not be %j',
    name => expect(isRight(name)).toBe(false),
  )

  it('gets a body that nothing can be hidden in front of or inside', () => {
    const script = jsonpScript('fn', { text: '</script>\u2028\u2029' })
    expect(script).toBe('/**/fn({"text":"\\u003c/script>\\u2028\\u2029"});')
  })
})

describe('a network', () => {
  it.each([
    ['203.0.113.77', '203.0.113'],
    ['::ffff:203.0.113.77', '203.0.113'],
    ['2001:db8:12:34::1', '8193:3512:18'],
    ['nonsense', ''],
    [null, ''],
  ])('of %s is %s', (address, network) => expect(networkOf(address)).toBe(network))
})

it.each([
  ['', true],
  [undefined, true],
  ['Googlebot/2.1', true],
  ['curl/8.5', true],
  ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140 Safari/537.36', false],
])('a sender that calls itself %j is a program: %s', (agent, isBot) => expect(isBotAgent(agent)).toBe(isBot))

describe('the allowance of a sender', () => {
  it('is ten thousand events at once and two thousand a second, and says how long to wait', () => {
    const allowance = new EventAllowance()
    for (let at = 0; at < 20; at++) expect(allowance.take('a', 500, now)).toBe(0)
    expect(allowance.take('a', 500, now)).toBe(1)
    expect(allowance.take('b', 500, now)).toBe(0)
    expect(allowance.take('a', 500, now + 250)).toBe(0)
    expect(allowance.take('a', 500, now + 250)).toBe(1)
  })

  it('gains nothing when the clock is set back', () => {
    const allowance = new EventAllowance(10, 10)
    allowance.take('a', 10, now)
    expect(allowance.take('a', 10, now - dayMs)).toBe(1)
  })
})
