import { Duration } from '@marcbachmann/cel-js/evaluator'

/** How an operand is written in SQL. `ms` is an instant as milliseconds, after arithmetic. */
export type SqlType = 'bool' | 'int' | 'double' | 'string' | 'bytes' | 'timestamp' | 'ms'

/** True of a row, and false of it; of an error neither holds. NULL counts as not true. */
export interface Truth {
  t: string
  f: string
}

export const never: Truth = { t: 'FALSE', f: 'FALSE' }
export const always: Truth = { t: 'TRUE', f: 'FALSE' }
export const isFalse: Truth = { t: 'FALSE', f: 'TRUE' }

export type Operand =
  | { kind: 'value'; value: unknown }
  | { kind: 'error' }
  /** The row itself or a part of it that has parts: never null. */
  | { kind: 'whole' }
  | {
      kind: 'sql'
      sql: string
      type: SqlType
      isNullable: boolean
      /** Without these it is an error. */
      guards: string[]
    }
  | { kind: 'choice'; condition: Truth; yes: Operand; no: Operand }

export type SqlOperand = Extract<Operand, { kind: 'sql' }>

export const error: Operand = { kind: 'error' }

export function and(...parts: string[]): string {
  const kept = parts.filter(part => part !== 'TRUE')
  if (kept.includes('FALSE')) return 'FALSE'
  if (kept.length === 0) return 'TRUE'
  return kept.length === 1 ? kept[0]! : `(${kept.join(' AND ')})`
}

export function or(...parts: string[]): string {
  const kept = parts.filter(part => part !== 'FALSE')
  if (kept.includes('TRUE')) return 'TRUE'
  if (kept.length === 0) return 'FALSE'
  return kept.length === 1 ? kept[0]! : `(${kept.join(' OR ')})`
}

export const not = ({ t, f }: Truth): Truth => ({ t: f, f: t })
export const both = (a: Truth, b: Truth): Truth => ({ t: and(a.t, b.t), f: or(a.f, b.f) })
export const either = (a: Truth, b: Truth): Truth => ({ t: or(a.t, b.t), f: and(a.f, b.f) })

export function choose(condition: Truth, yes: Truth, no: Truth): Truth {
  return {
    t: or(and(condition.t, yes.t), and(condition.f, no.t)),
    f: or(and(condition.t, yes.f), and(condition.f, no.f)),
  }
}

export function guarded(guards: readonly string[], { t, f }: Truth): Truth {
  return { t: and(...guards, t), f: and(...guards, f) }
}

/** What type a value of a condition is; null for lists, maps and what has no columns. */
export function typeOfValue(value: unknown): SqlType | 'null' | 'duration' | null {
  if (value === null) return 'null'
  if (typeof value === 'bigint') return 'int'
  if (typeof value === 'number') return 'double'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'string') return 'string'
  if (value instanceof Date) return 'timestamp'
  if (value instanceof Uint8Array) return 'bytes'
  if (value instanceof Duration) return 'duration'
  return null
}

/** PostgreSQL can hold it: no zero character, no half of a pair, no year of five digits. */
export function isHeld(value: unknown): boolean {
  if (typeof value === 'string') return !value.includes('\0') && value.isWellFormed()
  if (value instanceof Date) return value.getTime() >= -62_135_596_800_000 && value.getTime() <= 253_402_300_799_999
  return true
}
