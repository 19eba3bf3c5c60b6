import { describe, expect, it } from 'vitest'
import { environment } from './environment.ts'

/** What conditions say of values as rules have them: instants, maps and lists of variables, and what is not there. */
const context = {
  x: 5n,
  d: 2.5,
  s: 'abc',
  nothing: null,
  xs: [1n, 2n, 3n],
  m: { key: 'value', none: null },
  at: new Date('2009-02-13T23:31:30Z'),
}

/** An error is the answer `error`, as in the suite's eval_error. */
const cases: Record<string, readonly (readonly [string, unknown])[]> = {
  basic: [
    ['42', 42n],
    ['0x2A', 42n],
    ['-1', -1n],
    ['2.5', 2.5],
    ['1e3', 1000],
    ["'it'", 'it'],
    ['"\\u00e9"', 'é'],
    ["r'\\n'", '\\n'],
    ['true', true],
    ['null', null],
    ['[1, 2]', [1n, 2n]],
    ['{"a": 1}', { a: 1n }],
    ['x', 5n],
    ['unknown_name', 'error'],
  ],
  comparisons: [
    ['1 == 1.0', 'error'],
    ['dyn(1) == 1.0', true],
    ['x == 5.0', true],
    ['x != nothing', true],
    ['nothing == null', true],
    ['s == "abc"', true],
    ['"a" < "b"', true],
    ['x < 5.5', true],
    ['d >= 2.5', true],
    ['nothing < 1', 'error'],
    ['dyn("a") < 1', 'error'],
    ['xs == [1, 2, 3]', true],
    ['[1, 2] == [2, 1]', false],
    ['m == {"none": null, "key": "value"}', true],
    ['b"ab" == b"ab"', true],
    ['false < true', true],
    ['at == timestamp("2009-02-13T23:31:30Z")', true],
  ],
  conversions: [
    ['int("42")', 42n],
    ['int("x")', 'error'],
    ['int(2.9)', 2n],
    ['double("2.5")', 2.5],
    ['string(42)', '42'],
    ['string(true)', 'true'],
    ['bool("true")', true],
    ['bytes("é")', new Uint8Array([195, 169])],
    ['type(x) == int', true],
    ['type(s) == string', true],
    ['string(at)', '2009-02-13T23:31:30.000Z'],
  ],
  fields: [
    ['m.key', 'value'],
    ['m["key"]', 'value'],
    ['m.missing', 'error'],
    ['has(m.key)', true],
    ['has(m.missing)', false],
    ['has(m.none)', true],
    ['"key" in m', true],
    ['"missing" in m', false],
  ],
  fp_math: [
    ['1.5 + 1.0', 2.5],
    ['d * 2.0', 5],
    ['1.0 / 0.0', Number.POSITIVE_INFINITY],
    ['0.0 / 0.0 == 0.0 / 0.0', false],
    ['-d', -2.5],
  ],
  integer_math: [
    ['x + 2', 7n],
    ['x - 7', -2n],
    ['x * 3', 15n],
    ['7 / 2', 3n],
    ['-7 / 2', -3n],
    ['-7 % 3', -1n],
    ['1 / 0', 'error'],
    ['1 % 0', 'error'],
    ['9223372036854775807 + 1', 'error'],
  ],
  lists: [
    ['[1] + [2]', [1n, 2n]],
    ['xs[0]', 1n],
    ['xs[3]', 'error'],
    ['2 in xs', true],
    ['4 in xs', false],
    ['dyn(2.0) in xs', true],
    ['size(xs)', 3n],
    ['xs.size()', 3n],
  ],
  logic: [
    ['true && true', true],
    ['false && m.missing == 1', false],
    ['m.missing == 1 && false', false],
    ['m.missing == 1 && true', 'error'],
    ['true || m.missing == 1', true],
    ['m.missing == 1 || true', true],
    ['m.missing == 1 || false', 'error'],
    ['!false', true],
    ['true ? 1 : 2', 1n],
    ['false ? m.missing : "no"', 'no'],
    ['nothing ? 1 : 2', 'error'],
    ['dyn("text") && true', 'error'],
  ],
  macros: [
    ['xs.all(e, e > 0)', true],
    ['xs.all(e, e > 1)', false],
    ['[1, 0].all(e, 4 / e > 5)', false],
    ['xs.exists(e, e == 2)', true],
    ['[0, 1].exists(e, 4 / e == 4)', true],
    ['[0].exists(e, 4 / e == 4)', 'error'],
    ['xs.exists_one(e, e > 2)', true],
    ['xs.map(e, e * 2)', [2n, 4n, 6n]],
    ['xs.filter(e, e > 1)', [2n, 3n]],
    ['m.exists(k, k == "key")', true],
    ['[].all(e, false)', true],
  ],
  string: [
    ['s.size()', 3n],
    ['size("😀")', 1n],
    ['s.startsWith("ab")', true],
    ['s.endsWith("bc")', true],
    ['s.contains("x")', false],
    ['"a" + "b"', 'ab'],
    ['s.__matches("^a.c$")', true],
    ['s.__matches("b")', true],
    ['s.__matches("(")', 'error'],
  ],
  timestamps: [
    ['at.getFullYear()', 2009n],
    ['at.getMonth()', 1n],
    ['at.getDate()', 13n],
    ['at.getDayOfMonth()', 12n],
    ['at.getDayOfWeek()', 5n],
    ['at.getHours()', 23n],
    ['at.getMinutes()', 31n],
    ['at.getSeconds()', 30n],
    ['at + duration("30s") == timestamp("2009-02-13T23:32:00Z")', true],
    ['at - timestamp("2009-02-13T23:31:00Z") == duration("30s")', true],
    ['duration("1h") > duration("59m")', true],
    ['timestamp("no time")', 'error'],
  ],
}

describe.each(Object.keys(cases))('section %s of CEL', section => {
  it.each(cases[section]!)('%s', (expression, expected) => {
    const told = (): unknown => {
      try {
        return environment.evaluate(expression, context)
      } catch {
        return 'error'
      }
    }
    const found = told()
    const plain = found instanceof Uint8Array ? new Uint8Array(found) : found
    expect(plain).toEqual(expected)
  })
})
