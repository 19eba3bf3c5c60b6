import { describe, expect, it } from 'vitest'
import type { Verdict } from '../rules.ts'
import { verdictOf } from '../rules.ts'
import { type GivenText, hitsIn, readable, type Word } from './context.ts'

const words: Word[] = [
  { language: 'en', word: 'casino', topic: 'banned', level: 'BLOCK' },
  { language: 'en', word: 'free', topic: 'price', level: 'WARN' },
  { language: 'en', word: 'best app', topic: 'superlative', level: 'WARN' },
  { language: 'zh', word: '赌博', topic: 'banned', level: 'BLOCK' },
  { language: 'ru', word: 'казино', topic: 'banned', level: 'BLOCK' },
  { language: 'all', word: 'rivalstore', topic: 'other', level: 'WARN' },
]

describe('a text', () => {
  it.each<[string, GivenText, string[], Verdict]>([
    ['that is right', { text: 'Shows the stars above you.' }, [], 'PASS'],
    ['with a forbidden word', { text: 'The Casino in your pocket' }, ['word.banned'], 'BLOCK'],
    ['with a word inside another', { text: 'Freeze the picture' }, [], 'PASS'],
    ['with the word itself', { text: 'Freeze it for free!' }, ['word.price'], 'WARN'],
    ['with two words', { text: 'The best app' }, ['word.superlative'], 'WARN'],
    ['in Chinese, where words have no spaces', { text: '在线赌博平台', language: 'zh' }, ['word.banned'], 'BLOCK'],
    ['in Russian', { text: 'Настоящее КАЗИНО' }, ['word.banned'], 'BLOCK'],
    ['of another language', { text: 'казино', language: 'en' }, [], 'PASS'],
    ['with a word of all languages', { text: 'Like RivalStore', language: 'ru' }, ['word.other'], 'WARN'],
    ['in wide letters', { text: 'ｃａｓｉｎｏ' }, ['word.banned'], 'BLOCK'],
    ['with hidden letters between', { text: 'cas\u200bi\u2060no' }, ['word.banned', 'shape.invisible'], 'BLOCK'],
    ['with marks between', { text: 'c.a.s.i.n.o' }, ['word.banned'], 'BLOCK'],
    ['with spaces between', { text: 'get it f r e e now' }, ['word.price'], 'WARN'],
    ['with letters of two scripts', { text: 'Play the cаsino' }, ['script.mixed'], 'WARN'],
    ['with a mail in its name', { text: 'Lamp me@example.org', field: 'appName' }, ['contact.mail'], 'BLOCK'],
    ['with a mail in its description', { text: 'Write to me@example.org', field: 'appDesc' }, ['contact.mail'], 'WARN'],
    [
      'with a site in its description',
      { text: 'See https://example.org', field: 'appDesc' },
      ['contact.address'],
      'INFO',
    ],
    ['with a telephone', { text: 'Call +86 138 0013 8000' }, ['contact.phone'], 'WARN'],
    ['with a version, which is no telephone', { text: 'Since 10.2.3.4 and in 2024' }, [], 'PASS'],
    ['with a messenger', { text: '微信：lampfan88' }, ['contact.messenger'], 'WARN'],
    ['with emoji in its name', { text: 'Lamp 💡', field: 'appName' }, ['emoji'], 'WARN'],
    ['with a few in its description', { text: 'Lamp 💡💡', field: 'appDesc' }, [], 'PASS'],
    ['that shouts', { text: 'Buy it!!!' }, ['shape.marks'], 'WARN'],
    ['in capitals', { text: 'THE VERY BRIGHT LAMP OF ALL' }, ['shape.capitals'], 'INFO'],
    ['that repeats itself', { text: 'lamp '.repeat(30) }, ['shape.repeated'], 'WARN'],
    [
      'that is not in its language',
      { text: 'This says what it is in a language that is not the one of its listing.', language: 'ru' },
      ['language'],
      'WARN',
    ],
    ['of nothing', { text: '' }, [], 'PASS'],
  ])('%s', (_says, given, rules, verdict) => {
    const hits = hitsIn(given, words)
    expect(hits.map(hit => hit.rule).sort()).toEqual([...rules].sort())
    expect(verdictOf(hits)).toBe(verdict)
  })

  it('tells where a word stands, as it was written', () => {
    expect(hitsIn({ text: 'a ＣＡＳino b' }, words)).toEqual([
      { rule: 'word.banned', level: 'BLOCK', at: 2, seen: 'ＣＡＳino' },
    ])
    const hidden = hitsIn({ text: 'x c\u200basino' }, words).find(hit => hit.rule === 'word.banned')
    expect([hidden?.at, hidden?.seen]).toEqual([2, 'c\u200basino'])
  })

  it('is read letter by letter, so that places stay', () => {
    for (const text of ['Straße ﬁne', 'İstanbul', '👍🏽 ok', 'ﷺ', '\ud800 half']) {
      expect(readable(text)).toHaveLength(text.length)
    }
  })

  it('of the longest kind is judged without going back and forth', () => {
    const nasty = ['a'.repeat(8000), '1 '.repeat(4000), 'a@'.repeat(4000), 'http://'.repeat(1000), 'f.'.repeat(4000)]
    for (const text of nasty) expect(hitsIn({ text }, words).length).toBeLessThanOrEqual(50)
  })
})
