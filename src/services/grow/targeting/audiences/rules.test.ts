import { describe, expect, it } from 'vitest'
import { type AudienceRule, audienceRuleProblems, daysRead, lowered, withoutEvents } from './rules.ts'

const did = { op: 'did', event: 'buy', times: 1, days: 7 }
const filter = (prop: unknown, op: unknown, value: unknown) => ({ ...did, where: [{ prop, op, value }] })

describe('the rule of an audience', () => {
  it.each([
    [did],
    [{ op: 'didNot', event: '$exposure', times: 1000, days: 180 }],
    [{ op: 'firstSeenWithin', days: 1 }],
    [{ op: 'or', args: [did, { op: 'not', args: [did] }, { attr: 'email', op: 'endsWith', value: '.de' }] }],
    [filter('country', 'eq', 'DE')],
    [filter('$value', 'gte', 9.5)],
    [filter('is_new', 'ne', true)],
    [filter('plan', 'exists', false)],
    [{ op: 'and', args: Array.from({ length: 20 }, () => did) }],
  ])('may ask for events: %j', rule => {
    expect(audienceRuleProblems(rule)).toEqual([])
  })

  it.each([
    [{ ...did, days: 0 }, '/days'],
    [{ ...did, days: 181 }, '/days'],
    [{ ...did, days: 1.5 }, '/days'],
    [{ ...did, times: 0 }, '/times'],
    [{ ...did, times: 1001 }, '/times'],
    [{ ...did, times: '1' }, '/times'],
    [{ ...did, event: "x' OR 1=1 --" }, '/event'],
    [{ ...did, event: '' }, '/event'],
    [{ ...did, event: undefined }, '/event'],
    [{ ...did, more: 1 }, '/op'],
    [{ op: 'firstSeenWithin', days: 3, event: 'buy' }, '/op'],
    [{ ...did, where: 'x' }, '/where'],
    [{ ...did, where: Array.from({ length: 11 }, () => filter('a', 'eq', 1).where[0]) }, '/where'],
    [{ ...did, where: [null] }, '/where/0'],
    [filter('a"."b', 'eq', 'x'), '/where/0/prop'],
    [filter(`a') OR true --`, 'eq', 'x'), '/where/0/prop'],
    [filter('a', 'like', 'x'), '/where/0/op'],
    [filter('a', 'gt', 'x'), '/where/0/value'],
    [filter('a', 'gt', Number.NaN), '/where/0/value'],
    [filter('a', 'contains', ''), '/where/0/value'],
    [filter('a', 'eq', 'x\0'), '/where/0/value'],
    [filter('a', 'eq', null), '/where/0/value'],
    [filter('a', 'exists', 'yes'), '/where/0/value'],
    [{ op: 'and', args: [did, { op: 'not', args: [{ ...did, days: -1 }] }] }, '/args/1/args/0/days'],
    [{ op: 'or', args: [did, { attr: 'a', op: 'gt', value: 'x' }] }, '/args/1/value'],
    [{ op: 'and', args: Array.from({ length: 21 }, () => did) }, ''],
  ])('says what is wrong and where: %j', (rule, pointer) => {
    expect(audienceRuleProblems(rule).map(one => one.pointer)).toEqual([pointer])
  })

  it('is refused when it is as deep as a body can be', () => {
    let rule: unknown = did
    for (let depth = 0; depth < 2000; depth++) rule = { op: 'not', args: [rule] }
    expect(audienceRuleProblems(rule)).toHaveLength(1)
  })

  it('asks attributes where it asked for events, and keeps its shape', () => {
    const rule = { op: 'and', args: [did, { op: 'not', args: [{ op: 'didNot', event: 'a', times: 2, days: 3 }] }] }
    const { rule: asked, behaviours } = lowered(rule as AudienceRule)
    expect(asked).toEqual({
      op: 'and',
      args: [
        { attr: '$behaviour.0', op: 'eq', value: true },
        { op: 'not', args: [{ attr: '$behaviour.1', op: 'eq', value: true }] },
      ],
    })
    expect(withoutEvents(behaviours)).toEqual({ '$behaviour.0': false, '$behaviour.1': true })
  })
})

describe('the days of events that decide a rule', () => {
  const longer = { ...did, days: 30 } as const
  const [german, ann] = [
    { attr: 'email', op: 'endsWith', value: '.de' },
    { attr: 'userId', op: 'eq', value: 'ann' },
  ] as const
  it.each<[string, object, number | null]>([
    ['of one condition', did, 7],
    ['the longest of several', { op: 'and', args: [did, longer] }, 30],
    ['where one of two is enough', { op: 'or', args: [did, longer] }, 30],
    ['beside an attribute that only users have', { op: 'or', args: [did, german] }, 7],
    ['with somebody left out', { op: 'and', args: [did, { op: 'not', args: [longer] }] }, 30],
    ['all, where somebody belongs who did nothing', { ...did, op: 'didNot' }, null],
    ['all, where not to have done it is enough', { op: 'not', args: [did] }, null],
    ['not all, where users alone belong who did nothing', { op: 'and', args: [{ op: 'not', args: [did] }, german] }, 7],
    [
      'all, where an attribute that is not there lets in',
      { op: 'or', args: [did, { op: 'not', args: [german] }] },
      null,
    ],
    ['all, where an id alone may be enough', { op: 'or', args: [did, ann] }, null],
    ['not all, where an id is not enough', { op: 'and', args: [did, ann] }, 7],
    ['all, for the first event', { op: 'and', args: [did, { op: 'firstSeenWithin', days: 3 }] }, null],
  ])('are %s', (_what, rule, days) => expect(daysRead(lowered(rule as AudienceRule))).toBe(days))
})
