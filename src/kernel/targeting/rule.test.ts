import { describe, expect, it } from 'vitest'
import { attributesOf, audiencesOf, problemsOf, type Rule } from './rule.ts'

const leaf = { attr: 'a', op: 'eq', value: 1 }
const percent = { ns: 'rollout', seed: 's', unitAttr: 'userId', lo: 0, hi: 10 }

describe('a rule', () => {
  it.each<[string, unknown]>([
    ['a leaf', leaf],
    ['a group of nothing is everybody', { op: 'and', args: [] }],
    ['a percent', { attr: 'userId', op: 'percent', value: percent }],
    ['nobody of a percent', { attr: '', op: 'percent', value: { ...percent, hi: 0 } }],
    ['text without its case', { attr: 'a', op: 'in', value: ['x'], isCaseInsensitive: true }],
    ['an hour in a zone', { attr: '$now', op: 'hourIn', value: [9], zone: 'Asia/Tehran' }],
    ['a date with its offset', { attr: '$now', op: 'before', value: '2026-03-01T09:00+03:30' }],
    ['ranges', { attr: 'ip', op: 'cidr', value: ['192.0.2.0/24', '2001:db8::/32', '::ffff:192.0.2.0/120'] }],
    ['names that objects have too', { attr: '__proto__', op: 'eq', value: 'constructor' }],
  ])('is well: %s', (_name, rule) => expect(problemsOf(rule)).toEqual([]))

  it.each<[string, unknown, string]>([
    ['no object', 7, ''],
    ['null', null, ''],
    ['a list', [leaf], ''],
    ['an op nobody knows', { attr: 'a', op: 'like', value: 'x' }, '/op'],
    ['an op that objects have', { attr: 'a', op: 'constructor', value: 'x' }, '/op'],
    ['no attribute', { attr: '', op: 'eq', value: 1 }, '/attr'],
    ['a typo', { attr: 'a', op: 'eq', valeu: 1, value: 1 }, '/valeu'],
    ['a group with more', { op: 'and', args: [], attr: 'a' }, '/attr'],
    ['an or of nothing', { op: 'or', args: [] }, '/args'],
    ['a not of two', { op: 'not', args: [leaf, leaf] }, '/args'],
    ['args that are none', { op: 'and', args: 'x' }, '/args'],
    ['eq of an object', { attr: 'a', op: 'eq', value: {} }, '/value'],
    ['eq of nothing', { attr: 'a', op: 'eq' }, '/value'],
    ['an empty list', { attr: 'a', op: 'in', value: [] }, '/value'],
    ['gt of a text', { attr: 'a', op: 'gt', value: '5' }, '/value'],
    ['bounds the wrong way', { attr: 'a', op: 'between', value: [2, 1] }, '/value'],
    ['a regex that looks ahead', { attr: 'a', op: 'regex', value: '^(?=a)b$' }, '/value'],
    ['a regex that looks back', { attr: 'a', op: 'regex', value: '(?<!a)b' }, '/value'],
    ['a regex with a reference', { attr: 'a', op: 'regex', value: '^(a)\\1$' }, '/value'],
    ['a regex of 257', { attr: 'a', op: 'regex', value: 'a'.repeat(257) }, '/value'],
    ['a regex that grows without end', { attr: 'a', op: 'regex', value: '((a{1000}){1000}){1000}' }, '/value'],
    ['a broken regex', { attr: 'a', op: 'regex', value: '(a' }, '/value'],
    ['a version with a v', { attr: 'a', op: 'semver_eq', value: 'v2.0.0' }, '/value'],
    ['a date that is none', { attr: 'a', op: 'before', value: '2026-02-30Z' }, '/value'],
    ['a local date without zone', { attr: 'a', op: 'before', value: '2026-02-03' }, '/value'],
    ['a zone nobody knows', { attr: 'a', op: 'hourIn', value: [1], zone: 'Mars/Olympus' }, '/zone'],
    ['an offset for a zone', { attr: 'a', op: 'hourIn', value: [1], zone: '+03:00' }, '/zone'],
    ['hours without zone', { attr: 'a', op: 'hourIn', value: [1] }, '/zone'],
    ['hour 24', { attr: 'a', op: 'hourIn', value: [24], zone: 'UTC' }, '/value'],
    ['day 7', { attr: 'a', op: 'dowIn', value: [7], zone: 'UTC' }, '/value'],
    ['a zone for text', { ...leaf, zone: 'UTC' }, '/zone'],
    ['a case of numbers', { attr: 'a', op: 'gt', value: 1, isCaseInsensitive: true }, '/isCaseInsensitive'],
    ['a case that is false', { attr: 'a', op: 'eq', value: 'x', isCaseInsensitive: false }, '/isCaseInsensitive'],
    ['an audience that is no id', { attr: 'u', op: 'inAudience', value: 'vip' }, '/value'],
    ['a place off the earth', { attr: 'p', op: 'withinGeo', value: { lat: 91, lon: 0, meters: 5 } }, '/value'],
    ['cidr nonsense', { attr: 'ip', op: 'cidr', value: '300.1.1.1/8' }, '/value'],
    ['too many bits', { attr: 'ip', op: 'cidr', value: '10.0.0.0/33' }, '/value'],
    ['negative bits', { attr: 'ip', op: 'cidr', value: '10.0.0.0/-1' }, '/value'],
    ['an octal address', { attr: 'ip', op: 'cidr', value: '010.0.0.1' }, '/value'],
    ['a short address', { attr: 'ip', op: 'cidr', value: '10.1/8' }, '/value'],
    ['lo above hi', { attr: 'u', op: 'percent', value: { ...percent, lo: 20 } }, '/value/hi'],
    ['above a hundred', { attr: 'u', op: 'percent', value: { ...percent, hi: 101 } }, '/value/hi'],
    ['a space nobody knows', { attr: 'u', op: 'percent', value: { ...percent, ns: 'x' } }, '/value/ns'],
    ['no seed', { attr: 'u', op: 'percent', value: { ...percent, seed: '' } }, '/value/seed'],
    ['no unit', { attr: 'u', op: 'percent', value: { ...percent, unitAttr: '' } }, '/value/unitAttr'],
    ['not a number', { attr: 'a', op: 'gt', value: Number.NaN }, '/value'],
  ])('is refused: %s', (_name, rule, pointer) => {
    expect(problemsOf(rule).map(one => one.pointer)).toContain(pointer)
  })

  it('points into what is deeper', () => {
    const rule = { op: 'and', args: [leaf, { op: 'not', args: [{ ...leaf, op: '~/' }] }] }
    expect(problemsOf(rule)).toEqual([
      { pointer: '/args/1/args/0/op', problem: expect.stringContaining('and, or, not') },
    ])
  })

  it('may be ten deep, and not eleven', () => {
    const deep = (depth: number): unknown => (depth === 1 ? leaf : { op: 'not', args: [deep(depth - 1)] })
    expect(problemsOf(deep(10))).toEqual([])
    expect(problemsOf(deep(11)).map(one => one.problem)).toEqual(['a rule may be 10 deep'])
    expect(problemsOf(deep(5000)).length).toBe(1)
  })

  it('may have two hundred leaves, and not one more', () => {
    const wide = (count: number) => ({ op: 'or', args: new Array(count).fill(leaf) })
    expect(problemsOf(wide(200))).toEqual([])
    expect(problemsOf(wide(201))).toEqual([{ pointer: '', problem: expect.stringContaining('200 leaves') }])
    expect(problemsOf({ op: 'or', args: new Array(1_000_000).fill({ op: 'and', args: [] }) }).length).toBe(1)
  })

  it('says what it reads and which audiences it asks for, each once', () => {
    const rule: Rule = {
      op: 'or',
      args: [
        { attr: 'userId', op: 'inAudience', value: ['1', '2'] },
        { op: 'not', args: [{ attr: 'userId', op: 'ninAudience', value: '2' }] },
        { attr: '', op: 'percent', value: percent },
        { attr: '$now', op: 'before', value: 5 },
      ],
    }
    expect(audiencesOf(rule)).toEqual(['1', '2'])
    expect(attributesOf(rule)).toEqual(['userId', '$now'])
  })
})
