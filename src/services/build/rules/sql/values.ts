import type { RuleColumn, RuleFieldType } from '../engine-types.ts'
import { compare, millis, type Parameter } from './compare.ts'
import {
  and,
  choose,
  error,
  guarded,
  isHeld,
  never,
  type Operand,
  or,
  type SqlOperand,
  type SqlType,
  type Truth,
  typeOfValue,
} from './operand.ts'
import { type Arithmetic, type Conversion, type TimePart, type TruthPlan, timeParts } from './plan.ts'

const least = '-9223372036854775808'
const most = '9223372036854775807'

/** A field of the row; what the type has not is an error. */
export function columnOperand(columns: ReadonlyMap<string, RuleColumn>, place: string): Operand {
  const column = columns.get(place)
  if (!column) return isWhole(columns, place) ? { kind: 'whole' } : error
  const { sql, type } = column
  // A real of four bytes is known to conditions by its shortest decimal, as the driver reads it.
  if (type === 'float')
    return { kind: 'sql', sql: `(${sql}::text)::float8`, type: 'double', isNullable: true, guards: [] }
  return { kind: 'sql', sql, type, isNullable: true, guards: [] }
}

export function isWhole(columns: ReadonlyMap<string, unknown>, place: string): boolean {
  if (place === '') return true
  for (const key of columns.keys()) if (key.startsWith(`${place}.`)) return true
  return false
}

/** A part of the path, which is a text whatever the column is. */
export function segmentOperand(columns: ReadonlyMap<string, RuleColumn>, place: string): Operand {
  const column = columns.get(place)
  if (!column) return error
  if (column.type === 'string') return { kind: 'sql', sql: column.sql, type: 'string', isNullable: false, guards: [] }
  return { kind: 'sql', sql: `(${column.sql}::text)`, type: 'string', isNullable: false, guards: [] }
}

/** The same with every choice settled inside. */
export function mapChoice(operand: Operand, change: (one: Exclude<Operand, { kind: 'choice' }>) => Operand): Operand {
  if (operand.kind !== 'choice') return change(operand)
  return { ...operand, yes: mapChoice(operand.yes, change), no: mapChoice(operand.no, change) }
}

export function truthOf(operand: Operand): Truth {
  if (operand.kind === 'choice') return choose(operand.condition, truthOf(operand.yes), truthOf(operand.no))
  if (operand.kind === 'value') return typeof operand.value === 'boolean' ? ofBoolean(operand.value) : never
  if (operand.kind !== 'sql' || operand.type !== 'bool') return never
  return guarded(operand.guards, { t: operand.sql, f: `NOT ${operand.sql}` })
}

export const ofBoolean = (value: boolean): Truth => (value ? { t: 'TRUE', f: 'FALSE' } : { t: 'FALSE', f: 'TRUE' })

export function arithmetic(op: Arithmetic, left: Operand, right: Operand, parameter: Parameter): Operand {
  return mapChoice(left, a => mapChoice(right, b => combined(op, a, b, parameter)))
}

function combined(op: Arithmetic, left: Operand, right: Operand, parameter: Parameter): Operand {
  if (left.kind === 'error' || right.kind === 'error' || left.kind === 'whole' || right.kind === 'whole') return error
  const instant = instantArithmetic(op, left, right)
  if (instant) return instant
  const a = asSql(left, parameter)
  const b = asSql(right, parameter)
  if (!a || !b || a.type !== b.type) return error
  const guards = [...a.guards, ...b.guards, ...notNull(a), ...notNull(b)]
  const made = (sql: string, type: SqlType, ...more: string[]): Operand => ({
    kind: 'sql',
    sql,
    type,
    isNullable: false,
    guards: [...guards, ...more],
  })
  if (a.type === 'string') return op === '+' ? made(`(${a.sql} || ${b.sql})`, 'string') : error
  if (a.type === 'int') return wholeNumbers(op, a.sql, b.sql, made)
  if (a.type === 'double' && op !== '%') return doubles(op, a.sql, b.sql, made)
  return error
}

function wholeNumbers(
  op: Arithmetic,
  a: string,
  b: string,
  made: (sql: string, type: SqlType, ...more: string[]) => Operand,
): Operand {
  const [x, y] = [`${a}::numeric`, `${b}::numeric`]
  if (op === '/') return made(`div(${x}, NULLIF(${y}, 0))`, 'int', `${y} <> 0`)
  if (op === '%') return made(`mod(${x}, NULLIF(${y}, 0))`, 'int', `${y} <> 0`)
  const sql = `(${x} ${op} ${y})`
  return made(sql, 'int', `${sql} BETWEEN ${least} AND ${most}`)
}

/**
 * PostgreSQL refuses results that are too large or too small, and to divide by zero. What comes near the former is not
 * computed, and counts as an error; the latter is what conditions make of it.
 */
function doubles(
  op: Arithmetic,
  a: string,
  b: string,
  made: (sql: string, type: SqlType, ...more: string[]) => Operand,
): Operand {
  const isMild = (sql: string) =>
    `(${sql} = 0 OR abs(${sql}) BETWEEN 1e-140 AND 1e140 OR ${sql} IN ('NaN', 'Infinity', '-Infinity'))`
  const areMild = `${isMild(a)} AND ${isMild(b)}`
  if (op !== '/') return made(`(CASE WHEN ${areMild} THEN ${a} ${op} ${b} END)`, 'double', `(${areMild})`)
  const sql = `(CASE WHEN ${b} = 0 THEN ${byZero(a, b)} WHEN ${areMild} THEN ${a} / ${b} END)`
  return made(sql, 'double', `(${b} = 0 OR (${areMild}))`)
}

/** As numbers of machines do it (IEEE 754): endless, by the signs of both; nothing by nothing is no number. */
function byZero(a: string, b: string): string {
  const isEndless = `(${a} > 0) = ((${b})::text = '0')`
  return `(CASE WHEN ${a} = 0 OR ${a} = 'NaN' THEN 'NaN' WHEN ${isEndless} THEN 'Infinity' ELSE '-Infinity' END)::float8`
}

/** Instants with durations that are the same for all rows. */
function instantArithmetic(op: Arithmetic, left: Operand, right: Operand): Operand | null {
  const [instant, other] = isInstant(left)
    ? [left, right]
    : op === '+' && isInstant(right)
      ? [right, left]
      : [null, null]
  if (!instant || other?.kind !== 'value' || typeOfValue(other.value) !== 'duration') return null
  if (op !== '+' && op !== '-') return error
  const ms = BigInt(Math.trunc(Number(other.value)))
  const sql = instant.type === 'ms' ? instant.sql : millis(instant.sql)
  return {
    kind: 'sql',
    sql: `(${sql} ${op} (${ms}))`,
    type: 'ms',
    isNullable: false,
    guards: [...instant.guards, ...notNull(instant)],
  }
}

function isInstant(operand: Operand): operand is SqlOperand {
  return operand.kind === 'sql' && (operand.type === 'timestamp' || operand.type === 'ms')
}

export function asSql(operand: Operand, parameter: Parameter): SqlOperand | null {
  if (operand.kind === 'sql') return operand
  if (operand.kind !== 'value') return null
  const type = typeOfValue(operand.value)
  if (type === null || type === 'null' || type === 'duration' || !isHeld(operand.value)) return null
  // The driver writes both zeros alike.
  if (Object.is(operand.value, -0)) return { kind: 'sql', sql: `'-0'::float8`, type, isNullable: false, guards: [] }
  return { kind: 'sql', sql: parameter(operand.value, type), type, isNullable: false, guards: [] }
}

export const notNull = ({ sql, isNullable }: SqlOperand): string[] => (isNullable ? [`${sql} IS NOT NULL`] : [])

export function minus(of: Operand): Operand {
  return mapChoice(of, one => {
    if (one.kind !== 'sql' || (one.type !== 'int' && one.type !== 'double')) return error
    const sql = one.type === 'int' ? `(-(${one.sql}::numeric))` : `(-(${one.sql}))`
    return { ...one, sql, isNullable: false, guards: [...one.guards, ...notNull(one)] }
  })
}

const conversions: Record<string, Partial<Record<SqlType, [(sql: string) => string, SqlType]>>> = {
  size: { string: [sql => `char_length(${sql})`, 'int'], bytes: [sql => `octet_length(${sql})`, 'int'] },
  lower: { string: [sql => `lower(${sql} COLLATE "C")`, 'string'] },
  upper: { string: [sql => `upper(${sql} COLLATE "C")`, 'string'] },
  string: {
    string: [sql => sql, 'string'],
    int: [sql => `(${sql}::text)`, 'string'],
    bool: [sql => `(${sql}::text)`, 'string'],
  },
  int: { int: [sql => sql, 'int'] },
  double: { double: [sql => sql, 'double'], int: [sql => `(${sql}::float8)`, 'double'] },
}

/** Whether a conversion of a column of this type says in SQL just what it says in a condition. */
export function isConvertible(kind: Conversion, type: RuleFieldType): boolean {
  return conversions[kind]?.[type === 'float' ? 'double' : type] !== undefined
}

/** size(), string() and their like; null becomes an error, as in conditions. */
export function converted(kind: keyof typeof conversions & string, of: Operand): Operand {
  return mapChoice(of, one => {
    if (one.kind !== 'sql') return error
    const known = conversions[kind]?.[one.type]
    if (!known) return error
    return {
      kind: 'sql',
      sql: known[0](one.sql),
      type: known[1],
      isNullable: false,
      guards: [...one.guards, ...notNull(one)],
    }
  })
}

export function timePart(of: Operand, field: TimePart): Operand {
  const [name, shift] = timeParts[field]
  return mapChoice(of, one => {
    if (one.kind !== 'sql' || one.type !== 'timestamp') return error
    const sql = `(extract(${name} FROM ${one.sql} AT TIME ZONE 'UTC')::int + (${shift}))`
    return { kind: 'sql', sql, type: 'int', isNullable: false, guards: [...one.guards, ...notNull(one)] }
  })
}

const escaped = (text: string) => text.replace(/[\\%_]/g, '\\$&')

type TextTest = Extract<TruthPlan, { kind: 'text' }>['test']

/** startsWith and its like; both sides must be texts. */
export function textTest(test: TextTest, text: Operand, part: Operand, parameter: Parameter): Truth {
  if (text.kind === 'choice') {
    return choose(text.condition, textTest(test, text.yes, part, parameter), textTest(test, text.no, part, parameter))
  }
  if (part.kind === 'choice') {
    return choose(part.condition, textTest(test, text, part.yes, parameter), textTest(test, text, part.no, parameter))
  }
  if (part.kind === 'value' && typeof part.value === 'string' && text.kind === 'sql' && text.type === 'string') {
    const guards = [...text.guards, ...notNull(text)]
    if (!isHeld(part.value)) return guarded(guards, { t: 'FALSE', f: 'TRUE' })
    const like = {
      startsWith: `${escaped(part.value)}%`,
      endsWith: `%${escaped(part.value)}`,
      contains: `%${escaped(part.value)}%`,
    }
    const pattern = parameter(like[test], 'string')
    return guarded(guards, { t: `${text.sql} LIKE ${pattern}`, f: `${text.sql} NOT LIKE ${pattern}` })
  }
  const a = asSql(text, parameter)
  const b = asSql(part, parameter)
  if (a?.type !== 'string' || b?.type !== 'string') return never
  const t = {
    startsWith: `starts_with(${a.sql}, ${b.sql})`,
    endsWith: `(right(${a.sql}, char_length(${b.sql})) = ${b.sql})`,
    contains: `(strpos(${a.sql}, ${b.sql}) > 0)`,
  }[test]
  return guarded([...a.guards, ...b.guards, ...notNull(a), ...notNull(b)], { t, f: `NOT ${t}` })
}

/** Whether a value is among those of a list, of which each may come from the row. */
export function among(one: Operand, list: readonly Operand[], parameter: Parameter): Truth {
  const each = list.map(item => compare('==', one, item, parameter))
  return { t: or(...each.map(({ t }) => t)), f: and(...each.map(({ f }) => f)) }
}
