import { describe, expect, it } from 'vitest'
import { leafOps, problemsOf, type Rule } from '../../../kernel/targeting/rule.ts'
import {
  asGroup,
  turnedRound,
  valueKind,
  withAdded,
  withAttribute,
  withOp,
  withoutRuleAt,
  withRuleAt,
} from './rule-edit.ts'

const leaf = { attr: 'a', op: 'eq', value: 'x' } as const
const other = { attr: 'b', op: 'eq', value: 'y' } as const
const rule: Rule = { op: 'and', args: [leaf, { op: 'or', args: [leaf, other] }] }

describe('the builder of conditions', () => {
  it('changes, adds and removes in a place and leaves the rest', () => {
    expect(withRuleAt(rule, [1, 0], other)).toEqual({ op: 'and', args: [leaf, { op: 'or', args: [other, other] }] })
    expect(withoutRuleAt(rule, [1, 0])).toEqual({ op: 'and', args: [leaf, { op: 'or', args: [other] }] })
    expect(withoutRuleAt(rule, [0])).toEqual({ op: 'and', args: [rule.op === 'and' && rule.args[1]] })
    expect(withRuleAt(rule, [], leaf)).toEqual(leaf)
    expect(withAdded({ op: 'or', args: [] }, leaf)).toEqual({ op: 'or', args: [leaf] })
  })
  it('puts a single leaf and a not into a group', () => {
    expect(asGroup(leaf)).toEqual({ op: 'and', args: [leaf] })
    expect(asGroup(turnedRound(leaf))).toEqual({ op: 'and', args: [{ op: 'not', args: [leaf] }] })
    expect(turnedRound(turnedRound(leaf))).toEqual(leaf)
  })
  it('keeps a value where the new op takes the same kind', () => {
    expect(withOp(leaf, 'startsWith').value).toBe('x')
    expect(withOp(leaf, 'gt').value).toBe(0)
    expect(withOp({ ...leaf, isCaseInsensitive: true }, 'ne').isCaseInsensitive).toBe(true)
    expect(withOp({ ...leaf, isCaseInsensitive: true }, 'gt')).not.toHaveProperty('isCaseInsensitive')
  })
  it('makes leaves that lack nothing but what a person must say', () => {
    const unsaid = ['text', 'texts', 'version', 'time', 'cidr', 'audiences']
    for (const op of leafOps) {
      const made = withOp({ attr: 'a', op: 'exists', value: true }, op)
      if (!unsaid.includes(valueKind(op))) expect(problemsOf(made), op).toEqual([])
    }
  })
  it('draws by the attribute that is named', () => {
    const percent = withAttribute(withOp(leaf, 'percent'), 'userId')
    expect(percent).toMatchObject({ attr: 'userId', value: { unitAttr: 'userId', lo: 0, hi: 10 } })
  })
})
