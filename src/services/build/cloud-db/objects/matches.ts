import type { Cell, Column } from '../model.ts'
import type { Condition } from './conditions.ts'

/** A row in memory: its cells and who made it. */
export interface Image {
  cellOf(column: Column): Cell
  creator: string | null
}

/** Whether a row is what a condition asks; the same as the SQL that is made of it. */
export function matches(condition: Condition, row: Image): boolean {
  switch (condition.kind) {
    case 'and':
      return condition.parts.every(part => matches(part, row))
    case 'or':
      return condition.parts.some(part => matches(part, row))
    case 'uid':
      return row.creator === condition.uid
    default:
      return compares(condition, row.cellOf(condition.column))
  }
}

function compares({ how, column, value, values }: Extract<Condition, { kind: 'compare' }>, cell: Cell): boolean {
  if (how === 'IsNull') return cell === null
  if (cell === null) return false
  switch (how) {
    case 'IsNotNull':
      return true
    case 'EqualTo':
      return order(column, cell, value) === 0
    case 'NotEqualTo':
      return order(column, cell, value) !== 0
    case 'GreaterThan':
      return order(column, cell, value) > 0
    case 'GreaterThanOrEqualTo':
      return order(column, cell, value) >= 0
    case 'LessThan':
      return order(column, cell, value) < 0
    case 'LessThanOrEqualTo':
      return order(column, cell, value) <= 0
    case 'In':
      return values.some(one => order(column, cell, one) === 0)
    case 'BeginsWith':
      return String(cell).startsWith(String(value))
    case 'EndsWith':
      return String(cell).endsWith(String(value))
    default:
      return String(cell).includes(String(value))
  }
}

/** Compares two values of a field as its column does: what is empty first, texts by their characters' numbers. */
export function order(column: Pick<Column, 'isLong' | 'type'>, a: Cell, b: Cell): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null)
  if (column.isLong) {
    const difference = BigInt(a as string) - BigInt(b as string)
    return difference === 0n ? 0 : difference > 0n ? 1 : -1
  }
  if (typeof a === 'string' || typeof b === 'string') return byCharacters(String(a), String(b))
  if (column.type === 'Float') return Math.fround(Number(a)) - Math.fround(Number(b))
  return Number(a) - Number(b)
}

/** The order of UTF-8, which is not that of UTF-16 above the first plane. */
function byCharacters(a: string, b: string): number {
  const most = Math.min(a.length, b.length)
  for (let at = 0; at < most; at++) {
    const one = a.charCodeAt(at)
    const other = b.charCodeAt(at)
    if (one !== other) return isSurrogate(one) === isSurrogate(other) ? one - other : isSurrogate(one) ? 1 : -1
  }
  return a.length - b.length
}

// Characters U+E000 to U+FFFF come after surrogates in UTF-16, but before what those stand for.
const isSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff
