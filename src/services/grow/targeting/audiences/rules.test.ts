import { describe, expect, it } from 'vitest'
import { type AudienceRule, audienceRuleProblems, lowered, withoutEvents } from './rules.ts'

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
