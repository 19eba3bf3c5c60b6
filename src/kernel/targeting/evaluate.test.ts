import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compile, explain } from './evaluate.ts'
import { type Json, type Leaf, type LeafOp, leafOps, type Rule } from './rule.ts'
import { type Constraint, unleash } from './unleash-specification.testkit.ts'

const now = Date.UTC(2026, 2, 29, 0, 30)
const ask = (rule: Rule, attributes: Record<string, unknown>, isInAudience?: (id: string) => boolean) => {
  const context = { attributes, now, isInAudience }
  const matches = compile(rule).matches(context)
  expect(explain(rule, context).outcome === 'true').toBe(matches)
  return matches
}
const leafOf = (op: LeafOp, value: Json, more: Partial<Leaf> = {}): Leaf => ({ attr: 'a', op, value, ...more })
const folded = { isCaseInsensitive: true } as const
const paris = { lat: 48.8566, lon: 2.3522 }

describe('a leaf', () => {
  it.each<[LeafOp, Json, unknown, boolean, Partial<Leaf>?]>([
    ['eq', 'x', 'x', true],
    ['eq', 'x', 'X', false],
    ['eq', 'x', 'X', true, folded],
    ['eq', 'é', 'e\u0301', true],
    ['eq', 'É', 'e\u0301', true, folded],
    ['eq', 5, 5, true],
    ['eq', 5, '5', true],
    ['eq', 5, '5.0', true],
    ['eq', 5, '', false],
    ['eq', '5', 5, true],
    ['eq', '0.0000001', 1e-7, true],
    ['eq', true, true, true],
    ['eq', true, 'true', true],
    ['eq', true, 1, false],
    ['eq', 'x', ['x'], false],
    ['eq', 'x', {}, false],
    ['ne', 'x', 'y', true],
    ['ne', 'x', 'x', false],
    ['in', ['a', 2, true], 'a', true],
    ['in', ['a', 2, true], 2, true],
    ['in', ['a', 2, true], true, true],
    ['in', ['a', 2], 'b', false],
    ['in', ['a', 'b'], ['z', 'b'], true],
    ['in', ['A'], 'a', true, folded],
    ['nin', ['a'], 'b', true],
    ['nin', ['a'], ['b', 'a'], false],
    ['gt', 5, 6, true],
    ['gt', 5, '6', true],
    ['gt', 5, 5, false],
    ['gt', 5, 'six', false],
    ['gt', -1, '', false],
    ['gte', 5, 5, true],
    ['lt', 5, 4.9, true],
    ['lt', 5, Number.NaN, false],
    ['lte', 5, 5.1, false],
    ['between', [1, 2], 2, true],
    ['between', [1, 2], 2.01, false],
    ['contains', 'an', 'banana', true],
    ['contains', 'AN', 'banana', false],
    ['contains', 'AN', 'banana', true, folded],
    ['contains', 'b', ['a', 'b'], true],
    ['contains', 'a', ['ab'], false],
    ['ncontains', 'an', 'cherry', true],
    ['ncontains', 'b', ['a', 'b'], false],
    ['startsWith', 'ba', 'banana', true],
    ['startsWith', 'an', 'banana', false],
    ['endsWith', 'NA', 'banana', true, folded],
    ['regex', '^b(an)+a$', 'banana', true],
    ['regex', '^B', 'banana', false],
    ['regex', '^B', 'banana', true, folded],
    ['exists', true, 'x', true],
    ['exists', true, false, true],
    ['exists', false, 'x', false],
    ['semver_gte', '2.0.0', '2.0.0', true],
    ['semver_gte', '2.0.0', '2.0.0-rc.1', false],
    ['semver_gt', '2.9.0', '2.10.0', true],
    ['semver_eq', '1.0.0+a', '1.0.0+b', true],
    ['semver_lt', '1.0.0-beta.11', '1.0.0-beta.2', true],
    ['semver_lte', '1.0.0', '1', false],
    ['before', '2026-03-01T00:00Z', Date.UTC(2026, 1, 28), true],
    ['before', '2026-03-01', '2026-02-28T22:59Z', true, { zone: 'Europe/Berlin' }],
    ['before', '2026-03-01', '2026-02-28T23:00Z', false, { zone: 'Europe/Berlin' }],
    ['after', 1000, 1001, true],
    ['after', 1000, 'soon', false],
    ['dowIn', [6], '2026-03-28T23:30Z', true, { zone: 'UTC' }],
    ['dowIn', [0], '2026-03-28T23:30Z', true, { zone: 'Europe/Berlin' }],
    ['hourIn', [3], '2026-03-29T01:00Z', true, { zone: 'Europe/Berlin' }],
    ['hourIn', [2], '2026-03-29T01:00Z', false, { zone: 'Europe/Berlin' }],
    ['hourIn', [4], '2026-03-29T00:30Z', true, { zone: 'Asia/Tehran' }],
    ['dowIn', [4], -1, false, { zone: 'UTC' }],
    ['dowIn', [3], -1, true, { zone: 'UTC' }],
    ['withinGeo', { ...paris, meters: 350_000 }, { lat: 51.5074, lon: -0.1278 }, true],
    ['withinGeo', { ...paris, meters: 340_000 }, { lat: 51.5074, lon: -0.1278 }, false],
    ['withinGeo', { lat: 0, lon: 179.99, meters: 3000 }, { lat: 0, lon: -179.99 }, true],
    ['withinGeo', { lat: 0, lon: 0, meters: 1 }, { lat: '0', lon: 0 }, false],
    ['cidr', '192.0.2.0/24', '192.0.2.77', true],
    ['cidr', '192.0.2.0/24', '::ffff:192.0.2.77', true],
    ['cidr', '192.0.2.0/24', '192.0.3.1', false],
    ['cidr', '192.0.2.0/24', '192.0.2', false],
    ['cidr', ['10.0.0.1', '2001:db8::/32'], '2001:db8:1::1', true],
    ['cidr', '0.0.0.0/0', '2001:db8::1', false],
    ['cidr', '10.0.0.0/8', '10.0.0.1%eth0', false],
  ])('%s %j of %j is %s', (op, value, actual, expected, more) => {
    expect(ask(leafOf(op, value, more), { a: actual })).toBe(expected)
  })

  it('of an attribute that is not there is false, but of ne, nin, ncontains and exists false', () => {
    const held = [leafOf('ne', 'x'), leafOf('nin', ['x']), leafOf('ncontains', 'x'), leafOf('exists', false)]
    for (const leaf of held) {
      expect(ask(leaf, {})).toBe(true)
      expect(ask(leaf, { a: null })).toBe(true)
    }
    const values: Partial<Record<LeafOp, Json>> = { ...valuesOf }
    for (const op of leafOps.filter(one => !held.some(leaf => leaf.op === one))) {
      const leaf = leafOf(op, values[op] as Json, op === 'dowIn' || op === 'hourIn' ? { zone: 'UTC' } : {})
      expect(
        ask(leaf, {}, () => true),
        op,
      ).toBe(false)
      expect(explain(leaf, { attributes: {}, now }).outcome).toBe(op === 'exists' ? 'false' : 'missing')
    }
  })

  it('never reads what objects inherit', () => {
    for (const attr of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      expect(ask({ attr, op: 'exists', value: true }, {})).toBe(false)
      expect(ask({ attr, op: 'eq', value: 'x' }, JSON.parse(`{"${attr}": "x"}`))).toBe(true)
    }
    expect(ask(leafOf('withinGeo', { ...paris, meters: 5 }), { a: Object.create(paris) })).toBe(false)
  })

  it('asks for the instant of the evaluation by its name', () => {
    expect(ask({ attr: '$now', op: 'after', value: now - 1 }, { $now: 0 })).toBe(true)
    expect(ask({ attr: '$now', op: 'hourIn', value: [1], zone: 'Europe/Berlin' }, {})).toBe(true)
  })

  it('reads times that a change of the clock skips or doubles', () => {
    const at = (text: string) => {
      const [is, was] = [Date.parse(text), Date.parse(text) - 1]
      return (value: string, zone: string) =>
        ask({ attr: 'a', op: 'before', value, zone }, { a: was }) &&
        !ask({ attr: 'a', op: 'before', value, zone }, { a: is })
    }
    expect(at('2026-03-29T01:30:00Z')('2026-03-29T02:30', 'Europe/Berlin')).toBe(true)
    expect(at('2026-10-25T00:30:00Z')('2026-10-25T02:30', 'Europe/Berlin')).toBe(true)
    expect(at('2026-10-25T02:30:00Z')('2026-10-25T03:30', 'Europe/Berlin')).toBe(true)
    expect(at('2026-11-01T05:30:00Z')('2026-11-01T01:30', 'America/New_York')).toBe(true)
    expect(at('2026-07-01T00:15:00Z')('2026-07-01T06:00', 'Asia/Kathmandu')).toBe(true)
  })

  it('asks whoever knows the audiences', () => {
    const isIn = (id: string) => id === '7'
    expect(ask(leafOf('inAudience', '7'), { a: 'u' }, isIn)).toBe(true)
    expect(ask(leafOf('inAudience', ['8', '7']), { a: 'u' }, isIn)).toBe(true)
    expect(ask(leafOf('ninAudience', '8'), { a: 'u' }, isIn)).toBe(true)
    expect(ask(leafOf('ninAudience', '7'), { a: 'u' }, isIn)).toBe(false)
    expect(ask(leafOf('ninAudience', '7'), { a: 'u' })).toBe(false)
  })
})

const valuesOf: Partial<Record<LeafOp, Json>> = {
  eq: 'x',
  in: ['x'],
  gt: 1,
  gte: 1,
  lt: 1,
  lte: 1,
  between: [0, 1],
  contains: 'x',
  startsWith: 'x',
  endsWith: 'x',
  regex: 'x',
  exists: true,
  semver_eq: '1.0.0',
  semver_gt: '1.0.0',
  semver_gte: '1.0.0',
  semver_lt: '1.0.0',
  semver_lte: '1.0.0',
  before: 1,
  after: 1,
  dowIn: [1],
  hourIn: [1],
  inAudience: '1',
  ninAudience: '1',
  percent: { ns: 'rollout', seed: 's', unitAttr: 'a', lo: 0, hi: 100 },
  withinGeo: { lat: 0, lon: 0, meters: 1 },
  cidr: '10.0.0.1',
}

describe('a percent', () => {
  const from = (lo: number, hi: number): Leaf =>
    leafOf('percent', { ns: 'rollout', seed: 'abc', unitAttr: 'id', lo, hi })
  it('takes lo up to below hi, where the unit stands', () => {
    expect(ask(from(13.904877, 13.904878), { id: 'user-1' })).toBe(true)
    expect(ask(from(0, 13.904877), { id: 'user-1' })).toBe(false)
    expect(ask(from(5, 5), { id: 'user-1' })).toBe(false)
  })
  it('of slices side by side takes everybody once', () => {
    for (let at = 0; at < 1000; at++) {
      const slices = [from(0, 33.3), from(33.3, 66.6), from(66.6, 100)].filter(one => ask(one, { id: `u${at}` }))
      expect(slices.length).toBe(1)
    }
  })
  it('without a unit is false, of nothing and of blanks', () => {
    for (const id of [undefined, null, '', '  ', {}, Number.NaN]) expect(ask(from(0, 100), { id })).toBe(false)
  })
  it('shows where the unit stands', () => {
    expect(explain(from(0, 10), { attributes: { id: 'user-1' }, now }).actual).toEqual({
      unit: 'user-1',
      percent: 13.904877,
    })
  })
})

describe('an explanation', () => {
  const yes = leafOf('eq', 'x')
  const no = leafOf('eq', 'y')
  const gone: Leaf = { attr: 'b', op: 'eq', value: 'x' }
  const outcomeOf = (rule: Rule) => explain(rule, { attributes: { a: 'x' }, now }).outcome
  it('has three outcomes, and what is missing counts as false', () => {
    expect([yes, no, gone].map(outcomeOf)).toEqual(['true', 'false', 'missing'])
    expect(outcomeOf({ op: 'and', args: [yes, gone] })).toBe('missing')
    expect(outcomeOf({ op: 'and', args: [no, gone] })).toBe('false')
    expect(outcomeOf({ op: 'or', args: [no, gone] })).toBe('missing')
    expect(outcomeOf({ op: 'or', args: [yes, gone] })).toBe('true')
    expect(outcomeOf({ op: 'not', args: [gone] })).toBe('true')
    expect(outcomeOf({ op: 'and', args: [] })).toBe('true')
  })
  it('carries the tree and what was found', () => {
    expect(explain({ op: 'or', args: [no, gone] }, { attributes: { a: 'x' }, now })).toEqual({
      rule: { op: 'or', args: [no, gone] },
      outcome: 'missing',
      args: [
        { rule: no, outcome: 'false', actual: 'x' },
        { rule: gone, outcome: 'missing' },
      ],
    })
  })
  it('says the same as the compiled rule, for any rule and context', () => {
    const leaf = fc.oneof(
      fc.record({
        attr: fc.constantFrom('a', 'b'),
        op: fc.constantFrom<LeafOp>('eq', 'ne'),
        value: fc.constantFrom('x', 1),
      }),
      fc.record({ attr: fc.constantFrom('a', 'b'), op: fc.constantFrom<LeafOp>('gt', 'lte'), value: fc.nat(3) }),
    ) as fc.Arbitrary<Rule>
    const { rule } = fc.letrec<{ rule: Rule }>(tie => ({
      rule: fc.oneof(
        { maxDepth: 5 },
        leaf,
        fc.record({ op: fc.constantFrom('and', 'or'), args: fc.array(tie('rule'), { minLength: 1, maxLength: 4 }) }),
        fc.record({ op: fc.constant('not'), args: fc.tuple(tie('rule')) }),
      ) as fc.Arbitrary<Rule>,
    }))
    const attributes = fc.dictionary(fc.constantFrom('a', 'b'), fc.constantFrom('x', 'y', 0, 1, 2, null))
    fc.assert(
      fc.property(rule, attributes, (one, found) => void ask(one, found)),
      { numRuns: 2000 },
    )
  })
  it('of a rule with problems is false, and the rule matches nobody', () => {
    expect(ask({ op: 'not', args: [{ attr: 'a', op: 'regex', value: '(' }] }, { a: 'x' })).toBe(false)
  })
})

it('a hostile pattern and text come to an end', () => {
  const rule = compile(leafOf('regex', '^(a+)+$'))
  // An engine that tries every way would try two to the power of four thousand.
  expect(rule.matches({ attributes: { a: `${'a'.repeat(4000)}!` }, now })).toBe(false)
  expect(rule.matches({ attributes: { a: 'a'.repeat(10_000_000) }, now })).toBe(false)
})

/** Constraints of the published Unleash specification (Apache-2.0) as rules of ours. */
function ruleOf({ operator, contextName: attr, value, values, inverted, caseInsensitive }: Constraint): Rule {
  const op = operator === 'REGEX' ? 'regex' : operator === 'IN_CIDR' ? 'cidr' : (operator.toLowerCase() as LeafOp)
  const leaf: Leaf = { attr, op, value: value ?? '', ...(caseInsensitive ? folded : {}) }
  const rule: Rule = values ? { op: 'or', args: values.map(one => ({ ...leaf, value: one })) } : leaf
  return inverted ? { op: 'not', args: [rule] } : rule
}

describe('the published specification of Unleash', () => {
  const cases = unleash.constraints.flatMap(({ state, tests = [] }) =>
    tests.flatMap(({ description, context, toggleName, expectedResult }) => {
      const feature = state.features.find(one => one.name === toggleName)
      const attributes = { ...context, ...context.properties }
      const constraints = feature?.strategies[0]?.constraints ?? []
      return feature
        ? [{ name: `${toggleName}: ${description}`, attributes, constraints, expected: expectedResult }]
        : []
    }),
  )
  it.each(cases)('$name', ({ attributes, constraints, expected }) => {
    // A range that is none refuses a rule of ours; theirs goes on with the others.
    const rules = constraints
      .map(one => ruleOf(one))
      .map(rule => (rule.op === 'or' ? withoutNonsense(rule as never) : rule))
    expect(rules.every(rule => compile(rule).matches({ attributes, now }))).toBe(expected)
  })
  it('has many cases', () => expect(cases.length).toBeGreaterThan(65))
})

function withoutNonsense(rule: { op: 'or'; args: Leaf[] }): Rule {
  return { op: 'or', args: rule.args.filter(one => !/invalid|bad/.test(String(one.value))) }
}
