import { environment } from '../language/environment.ts'
import {
  always,
  and,
  choose,
  guarded,
  isFalse,
  isHeld,
  never,
  not,
  type Operand,
  or,
  type SqlOperand,
  type SqlType,
  type Truth,
  typeOfValue,
} from './operand.ts'
import type { Comparison } from './plan.ts'

/** Gives a value its place among the parameters and answers how it is written. */
export type Parameter = (value: unknown, type: SqlType) => string

const evaluators = new Map<Comparison, (context: Record<string, unknown>) => unknown>()

/** Compares as conditions do; rows only by what they hold. */
export function compare(op: Comparison, left: Operand, right: Operand, parameter: Parameter): Truth {
  if (left.kind === 'choice') {
    return choose(left.condition, compare(op, left.yes, right, parameter), compare(op, left.no, right, parameter))
  }
  if (right.kind === 'choice') {
    return choose(right.condition, compare(op, left, right.yes, parameter), compare(op, left, right.no, parameter))
  }
  if (left.kind === 'error' || right.kind === 'error') return never
  if (op === '!=') return not(compare('==', left, right, parameter))
  if (left.kind === 'whole' || right.kind === 'whole') return compareWhole(op, left, right)
  if (left.kind === 'value' && right.kind === 'value') return compareValues(op, left.value, right.value)
  if (left.kind === 'value') return compare(turned[op], right, left, parameter)
  if (right.kind === 'value') {
    return guarded(
      left.guards,
      op === '==' ? equals(left, right.value, parameter) : ordered(op, left, right.value, parameter),
    )
  }
  return guarded(
    [...left.guards, ...right.guards],
    op === '==' ? equalColumns(left, right) : orderedColumns(op, left, right),
  )
}

const turned: Record<Comparison, Comparison> = { '==': '==', '!=': '!=', '<': '>', '<=': '>=', '>': '<', '>=': '<=' }
const opposite = { '<': '>=', '<=': '>', '>': '<=', '>=': '<' } as const
type Order = keyof typeof opposite

/** A row is never null; of anything else nothing is known here. */
function compareWhole(op: Comparison, left: Operand, right: Operand): Truth {
  const other = left.kind === 'whole' ? right : left
  const isPlain = other.kind === 'value' && (other.value === null || typeof other.value !== 'object')
  return op === '==' && isPlain ? isFalse : never
}

function compareValues(op: Comparison, a: unknown, b: unknown): Truth {
  const evaluate = evaluators.get(op) ?? environment.parse(`a ${op} b`)
  evaluators.set(op, evaluate)
  try {
    return evaluate({ a, b }) === true ? always : isFalse
  } catch {
    return never
  }
}

function equals(left: SqlOperand, value: unknown, parameter: Parameter): Truth {
  const { sql, isNullable } = left
  if (value === null) return isNullable ? { t: `${sql} IS NULL`, f: `${sql} IS NOT NULL` } : isFalse
  const meant = comparable(left, value)
  if (meant === null || !isHeld(meant.value)) return isFalse
  if (meant.isNever) return isFalse
  const other = parameter(meant.value, meant.type)
  const own = meant.left
  return { t: `${own} = ${other}`, f: isNullable ? `${own} IS DISTINCT FROM ${other}` : `${own} <> ${other}` }
}

function ordered(op: Exclude<Comparison, '==' | '!='>, left: SqlOperand, value: unknown, parameter: Parameter): Truth {
  if (left.type === 'bytes') return never
  const meant = comparable(left, value)
  if (meant === null || !isHeld(meant.value)) return never
  if (meant.order) return meant.order(op)
  return orderOf(op, meant.left, parameter(meant.value, meant.type), left.type)
}

function orderOf(op: Order, left: string, right: string, type: SqlType): Truth {
  const [a, b] = type === 'string' ? [`${left} COLLATE "C"`, right] : [left, right]
  if (type !== 'double') return { t: `${a} ${op} ${b}`, f: `${a} ${opposite[op]} ${b}` }
  // To PostgreSQL NaN is the largest number; to conditions every comparison with it is false.
  return { t: and(`${a} ${op} ${b}`, `${a} <> 'NaN'`), f: or(`${a} ${opposite[op]} ${b}`, `${a} = 'NaN'`) }
}

interface Meant {
  left: string
  value: unknown
  type: SqlType
  /** No row can equal it. */
  isNever?: boolean
  /** The order, where it is known without asking PostgreSQL about the value. */
  order?: (op: Order) => Truth
}

/** How a value is compared with what a row has; null where the types never meet. */
function comparable({ sql, type, isNullable }: SqlOperand, value: unknown): Meant | null {
  const other = typeOfValue(value)
  if (type === 'ms')
    return other === 'timestamp' ? { left: sql, value: BigInt((value as Date).getTime()), type: 'int' } : null
  if (other === type) {
    if (type === 'double' && Number.isNaN(value))
      return { left: sql, value, type, isNever: true, order: () => known(sql, isNullable, false) }
    return { left: sql, value, type }
  }
  if (type === 'int' && other === 'double') return wholeWithDouble(sql, value as number, isNullable)
  if (type === 'double' && other === 'int') {
    const near = Number(value)
    if (BigInt(near) === value) return { left: sql, value: near, type: 'double' }
    return {
      left: sql,
      value: near,
      type: 'double',
      isNever: true,
      order: op => besideDouble(op, sql, near, value as bigint),
    }
  }
  return null
}

/** A whole number that no double is: what stands below it stands below, or at, the double next to it. */
function besideDouble(op: Order, sql: string, near: number, value: bigint): Truth {
  const isAbove = BigInt(near) > value
  const edge = `'${near}'::float8`
  const below = isAbove ? `${sql} < ${edge}` : `${sql} <= ${edge}`
  const above = isAbove ? `${sql} >= ${edge}` : `${sql} > ${edge}`
  const isNumber = `${sql} <> 'NaN'`
  const lower: Truth = { t: below, f: above }
  const upper: Truth = { t: and(above, isNumber), f: or(below, `${sql} = 'NaN'`) }
  return op.startsWith('<') ? lower : upper
}

/** Where every row that has a value answers the same. */
function known(sql: string, isNullable: boolean, isTrue: boolean): Truth {
  const there = isNullable ? `${sql} IS NOT NULL` : 'TRUE'
  return isTrue ? { t: there, f: 'FALSE' } : { t: 'FALSE', f: there }
}

function wholeWithDouble(sql: string, value: number, isNullable: boolean): Meant {
  if (!Number.isFinite(value)) {
    const order = (op: Order) => known(sql, isNullable, Number.isNaN(value) ? false : op.startsWith('<') === value > 0)
    return { left: sql, value: 0n, type: 'int', isNever: true, order }
  }
  if (Number.isInteger(value)) return { left: `${sql}::numeric`, value: BigInt(value), type: 'int' }
  // Between two whole numbers: below 2.5 is below 3, above 2.5 is above 2.
  const below = BigInt(Math.floor(value))
  const order = (op: Order): Truth => {
    const t = op.startsWith('<') ? `${sql}::numeric <= ${below}` : `${sql}::numeric > ${below}`
    const f = op.startsWith('<') ? `${sql}::numeric > ${below}` : `${sql}::numeric <= ${below}`
    return { t, f }
  }
  return { left: sql, value: below, type: 'int', isNever: true, order }
}

function equalColumns(left: SqlOperand, right: SqlOperand): Truth {
  const pair = paired(left, right)
  if (!pair) {
    const areNull = left.isNullable && right.isNullable ? `(${left.sql} IS NULL AND ${right.sql} IS NULL)` : 'FALSE'
    const differ = areNull === 'FALSE' ? 'TRUE' : `(${left.sql} IS NOT NULL OR ${right.sql} IS NOT NULL)`
    return { t: areNull, f: differ }
  }
  const { a, b, isDouble } = pair
  const isNumber = isDouble ? `(${a} <> 'NaN' OR ${a} IS NULL)` : 'TRUE'
  const isNone = isDouble ? `(${a} = 'NaN')` : 'FALSE'
  return {
    t: and(`${a} IS NOT DISTINCT FROM ${b}`, isNumber),
    f: or(`${a} IS DISTINCT FROM ${b}`, isNone),
  }
}

function orderedColumns(op: Order, left: SqlOperand, right: SqlOperand): Truth {
  const pair = paired(left, right)
  if (!pair || left.type === 'bytes') return never
  const { a, b, isDouble } = pair
  if (!isDouble) return orderOf(op, a, b, left.type === 'string' ? 'string' : 'int')
  const areThere = and(`${a} IS NOT NULL`, `${b} IS NOT NULL`)
  const isNone = and(or(`${a} = 'NaN'`, `${b} = 'NaN'`), areThere)
  return {
    t: and(`${a} ${op} ${b}`, and(`${a} <> 'NaN'`, `${b} <> 'NaN'`)),
    // With what is not there nothing compares, and neither does NaN.
    f: or(`${a} ${opposite[op]} ${b}`, isNone),
  }
}

/** Two columns brought to one type; null where they have none. */
function paired(left: SqlOperand, right: SqlOperand): { a: string; b: string; isDouble: boolean } | null {
  if (left.type === right.type) return { a: left.sql, b: right.sql, isDouble: left.type === 'double' }
  const types = [left.type, right.type]
  if (types.includes('int') && types.includes('double')) {
    const [a, b] = [left, right].map(one => (one.type === 'int' ? `${one.sql}::numeric` : exactly(one.sql))) as [
      string,
      string,
    ]
    return { a, b, isDouble: true }
  }
  if (types.includes('timestamp') && types.includes('ms')) {
    const [a, b] = [left, right].map(one => (one.type === 'timestamp' ? millis(one.sql) : one.sql)) as [string, string]
    return { a, b, isDouble: false }
  }
  return null
}

/** A double as the number it is: its text is the shortest one, which beyond 2^53 is another number. */
const exactly = (sql: string) =>
  `(CASE WHEN abs(${sql}) BETWEEN 9007199254740992 AND 9223372036854774784 THEN ${sql}::int8::numeric ELSE ${sql}::text::numeric END)`

export const millis = (sql: string) => `trunc(extract(epoch FROM ${sql}) * 1000)`
