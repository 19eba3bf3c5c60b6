import fc from 'fast-check'
import type { RuleFieldType } from '../engine-types.ts'

/** Random types, rows and conditions, so that three ways to decide can be compared. */
export interface RandomType {
  columns: { name: string; type: RuleFieldType }[]
  rows: Record<string, unknown>[]
}

export const sqlTypes: Record<RuleFieldType, string> = {
  bool: 'boolean',
  int: 'bigint',
  float: 'real',
  double: 'double precision',
  string: 'text',
  bytes: 'bytea',
  timestamp: 'timestamptz(3)',
}

const texts = ['', 'a', 'b', 'ab', 'u1', 'u2', 'A%', '_', 'a\\b', "it's", 'é', '😀', 'null', 'true', '1', 'Z']
const wholes = [0n, 1n, 2n, -1n, 7n, 9007199254740993n, 9223372036854775807n, -9223372036854775808n]
const reals = [0, -0, 0.5, 1, 2, -1.5, 1e10, 9007199254740992, Number.NaN, Number.POSITIVE_INFINITY]
const instants = [0, 1, 1_000_000_000_000, 1_000_000_000_001, 1_700_000_000_000].map(ms => new Date(ms))

const values: Record<RuleFieldType, fc.Arbitrary<unknown>> = {
  bool: fc.boolean(),
  int: fc.constantFrom(...wholes),
  float: fc.constantFrom(0, 0.1, 1.5, -2.25, 16777216),
  double: fc.constantFrom(...reals),
  string: fc.constantFrom(...texts),
  bytes: fc.constantFrom(new Uint8Array(), new Uint8Array([1]), new Uint8Array([1, 255])),
  timestamp: fc.constantFrom(...instants),
}
const types = Object.keys(values) as RuleFieldType[]
const names = ['f0', 'f1', 'f2', 'f3', 'f4', 'f5', 'f6', 'f7']

export const randomType = (rows: number): fc.Arbitrary<RandomType> =>
  fc.array(fc.constantFrom(...types), { minLength: 4, maxLength: names.length }).chain(chosen => {
    const columns = chosen.map((type, index) => ({ name: names[index]!, type }))
    const row = fc.record(
      Object.fromEntries(columns.map(({ name, type }) => [name, fc.option(values[type], { nil: null, freq: 4 })])),
    )
    return fc.array(row, { minLength: rows, maxLength: rows }).map(made => ({ columns, rows: made }))
  })

const quoted = (text: string) => JSON.stringify(text)

function literal(type: RuleFieldType): fc.Arbitrary<string> {
  switch (type) {
    case 'bool':
      return fc.constantFrom('true', 'false')
    case 'int':
      return fc.constantFrom('0', '1', '2', '-1', '7', '9007199254740993', '9223372036854775807')
    case 'float':
    case 'double':
      return fc.constantFrom('0.5', '1.0', '2.0', '-1.5', '0.1', '9007199254740992.0', '1e300')
    case 'string':
      return fc.constantFrom(...texts).map(quoted)
    case 'bytes':
      return fc.constantFrom('b"\\x01"', 'b""')
    case 'timestamp':
      return fc.constantFrom('timestamp("2001-09-09T01:46:40Z")', 'request.time', 'timestamp("1970-01-01T00:00:00Z")')
  }
}

const own = (name: string) => `resource.data.${name}`

/** A condition over the columns, some of it nonsense that only fails when it is evaluated. */
export function randomCondition({ columns }: RandomType): fc.Arbitrary<string> {
  const column = fc.constantFrom(...columns)
  const ofType = (type: RuleFieldType) => columns.filter(one => one.type === type).map(one => own(one.name))
  const comparison = fc.constantFrom('==', '!=', '<', '<=', '>', '>=')
  const anyLiteral = fc.oneof(fc.constantFrom(...types).chain(literal), fc.constant('null'))
  const compared = column.chain(({ name, type }) =>
    fc
      .tuple(comparison, fc.oneof({ weight: 4, arbitrary: literal(type) }, { weight: 1, arbitrary: anyLiteral }))
      .map(([op, other]) => `${own(name)} ${op} ${other}`),
  )
  const columnsCompared = fc
    .tuple(column, comparison, column)
    .map(([a, op, b]) => `${own(a.name)} ${op} ${own(b.name)}`)
  const membership = column.chain(({ name, type }) =>
    fc
      .array(fc.oneof({ weight: 4, arbitrary: literal(type) }, { weight: 1, arbitrary: anyLiteral }), { maxLength: 4 })
      .map(list => `${own(name)} in [${list.join(', ')}]`),
  )
  const strings = ofType('string')
  const text = strings.length > 0 ? fc.constantFrom(...strings) : fc.constant('id')
  const textTests = fc.oneof(
    fc
      .tuple(text, fc.constantFrom('startsWith', 'endsWith', 'contains'), fc.oneof(literal('string'), text))
      .map(([a, test, b]) => `${a}.${test}(${b})`),
    fc
      .tuple(text, fc.constantFrom('^a', 'b$', '^(a|ab)$', '%', '^u'))
      .map(([a, pattern]) => `${a}.matches('${pattern}')`),
    fc.tuple(text, comparison, fc.constantFrom('0', '1', '2')).map(([a, op, size]) => `${a}.size() ${op} ${size}`),
    fc.tuple(text, literal('string')).map(([a, b]) => `${a}.lowerAscii() == ${b}`),
    fc.tuple(text, literal('string'), literal('string')).map(([a, b, c]) => `${a} + ${b} == ${c}`),
  )
  const ints = ofType('int')
  const whole = ints.length > 0 ? fc.constantFrom(...ints) : fc.constant('size(id)')
  const arithmetic = fc
    .tuple(whole, fc.constantFrom('+', '-', '*', '/', '%'), fc.oneof(literal('int'), whole), comparison, literal('int'))
    .map(([a, op, b, compares, c]) => `${a} ${op} ${b} ${compares} ${c}`)
  const doubles = ofType('double')
  const doubleArithmetic =
    doubles.length > 0
      ? fc
          .tuple(
            fc.constantFrom(...doubles),
            fc.constantFrom('+', '-', '*', '/', '/'),
            fc.constantFrom('2.0', '0.0', '-0.0', ...doubles),
            comparison,
            literal('double'),
          )
          .map(([a, op, b, compares, c]) => `${a} ${op} ${b} ${compares} ${c}`)
      : compared
  const times = ofType('timestamp')
  const timed =
    times.length > 0
      ? fc
          .tuple(fc.constantFrom(...times), comparison)
          .chain(([a, op]) =>
            fc.constantFrom(
              `${a} + duration("1h") ${op} request.time`,
              `${a} ${op} request.time - duration("1s")`,
              `${a}.getFullYear() ${op} 2001`,
              `${a}.getMonth() ${op} 8`,
            ),
          )
      : compared
  const people = fc.oneof(
    fc.constantFrom('request.auth != null', 'request.auth.uid == id', 'id == "r3"', 'resource.data.nope == 1', 'true'),
    column.map(({ name }) => `request.auth.uid == ${own(name)}`),
    column.map(({ name }) => `${own(name)} in request.auth.token.list`),
    column.map(({ name }) => `request.auth.token.level >= ${own(name)}`),
    fc.constantFrom(
      'has(resource.data.nope)',
      'has(resource.data.f1)',
      '"f0" in resource.data',
      'resource.data == null',
    ),
    fc
      .tuple(column, fc.constantFrom('string', 'int', 'bool', 'null', 'timestamp', 'float'))
      .map(([{ name }, type]) => `${own(name)} is ${type}`),
    fc.tuple(column, column).map(([a, b]) => `"u1" in [${own(a.name)}, ${own(b.name)}]`),
    column.map(({ name }) => own(name)),
    fc.oneof(whole, text).map(one => `string(${one}) == "1"`),
  )
  const { tree } = fc.letrec<{ tree: string }>(tie => ({
    tree: fc.oneof(
      { maxDepth: 3, depthSize: 'medium' },
      { weight: 4, arbitrary: compared },
      { weight: 1, arbitrary: columnsCompared },
      { weight: 2, arbitrary: membership },
      { weight: 2, arbitrary: textTests },
      { weight: 1, arbitrary: arithmetic },
      { weight: 1, arbitrary: doubleArithmetic },
      { weight: 1, arbitrary: timed },
      { weight: 2, arbitrary: people },
      {
        weight: 5,
        arbitrary: fc
          .tuple(tie('tree'), fc.constantFrom('&&', '||'), tie('tree'))
          .map(([a, op, b]) => `(${a} ${op} ${b})`),
      },
      { weight: 2, arbitrary: tie('tree').map(one => `!(${one})`) },
      {
        weight: 1,
        arbitrary: fc.tuple(tie('tree'), tie('tree'), tie('tree')).map(([a, b, c]) => `(${a} ? ${b} : ${c})`),
      },
      {
        weight: 1,
        arbitrary: fc
          .tuple(
            tie('tree'),
            column,
            column,
            comparison,
            column.chain(({ type }) => literal(type)),
          )
          .map(([when, a, b, op, other]) => `((${when}) ? ${own(a.name)} : ${own(b.name)}) ${op} ${other}`),
      },
    ),
  }))
  return tree
}

export const randomAuth = fc.oneof(
  fc.constant(null),
  fc.record({
    uid: fc.constantFrom('u1', 'u2', 'r3'),
    provider: fc.constant(1),
    anonymous: fc.boolean(),
    token: fc.constantFrom<Record<string, unknown>>(
      {},
      { level: 2, list: ['u1', 'a', 1] },
      { level: 1.5, list: [] },
      { list: ['x', null] },
    ),
  }),
)
