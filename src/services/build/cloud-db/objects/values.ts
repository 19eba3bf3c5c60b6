import { refuse } from '../../../../kernel/errors.ts'
import type { MasterKey } from '../../../../server/master-key.ts'
import type { Cell, Column, TypeModel } from '../model.ts'
import { dateRange, integerRangeOf, largestFloat, limits } from '../schema/rules.ts'
import { dataErrors } from './rules.ts'

/** Values as they come over the wire, are kept in PostgreSQL, and go out again. */

const base64 = /^[A-Za-z0-9+/]*={0,2}$/

/** Reads one value as the client sent it; refuses what the type does not take. */
export function readCell(column: Column, value: unknown): Cell {
  if (value === null || value === undefined) return null
  const { name: field, type } = column
  const wrong = (): never => refuse(dataErrors.badValue, { field, typeName: type })
  if (column.isOpaque) return typeof value === 'string' && !value.includes('\0') ? value : wrong()
  const range = integerRangeOf(type)
  if (range) {
    const isWhole =
      typeof value === 'number' ? Number.isInteger(value) : typeof value === 'string' && /^-?[0-9]{1,19}$/.test(value)
    if (!isWhole) return wrong()
    if (typeof value === 'number' && !Number.isSafeInteger(value) && column.isLong) return wrong()
    const whole = BigInt(value as string | number)
    if (whole < range[0] || whole > range[1]) refuse(dataErrors.outOfRange, { field, typeName: type })
    return column.isLong ? whole.toString() : Number(whole)
  }
  switch (type) {
    case 'Boolean':
      return typeof value === 'boolean' ? value : wrong()
    case 'Float':
    case 'Double': {
      if (typeof value !== 'number' || !Number.isFinite(value)) return wrong()
      if (type === 'Float' && Math.abs(value) > largestFloat) refuse(dataErrors.outOfRange, { field, typeName: type })
      return value === 0 ? 0 : value
    }
    case 'String':
    case 'Text': {
      if (typeof value !== 'string' || value.includes('\0') || !value.isWellFormed()) return wrong()
      if (type === 'String' && value.length > limits.stringLength && [...value].length > limits.stringLength) {
        refuse(dataErrors.outOfRange, { field, typeName: type })
      }
      return value
    }
    case 'Date': {
      if (typeof value !== 'number' || !Number.isInteger(value)) return wrong()
      if (value < dateRange[0] || value > dateRange[1]) refuse(dataErrors.outOfRange, { field, typeName: type })
      return value
    }
    case 'ByteArray':
      return typeof value === 'string' && value.length % 4 === 0 && base64.test(value) ? value : wrong()
    default:
      return wrong()
  }
}

/** A row as it was sent, by field; fields that were not sent are not there. */
export type SentRow = ReadonlyMap<Column, Cell>

/** Reads a whole row. Unknown fields, keys that are missing, empty fields that may not be and rows that are too large are refused. */
export function readRow(type: TypeModel, sent: unknown, how: { keysOnly?: boolean } = {}): SentRow {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) {
    refuse(dataErrors.badParameter, { reason: 'a row is an object of fields' })
  }
  const row = new Map<Column, Cell>()
  let bytes = 0
  for (const [name, value] of Object.entries(sent)) {
    const column = type.byName.get(name)
    if (!column) {
      if (name === 'naturalbase_version') continue
      refuse(dataErrors.unknownField, { typeName: type.name, field: name })
    }
    if (how.keysOnly && !column.isKey) continue
    const cell = readCell(column, value)
    if (cell === null && column.isAuto) continue
    if (cell === null && column.notNull)
      refuse(column.isKey ? dataErrors.noKey : dataErrors.nullInNotNull, { field: name })
    if (column.isAuto && Number(cell) === 0) continue
    bytes += typeof cell === 'string' ? Buffer.byteLength(cell) : 8
    row.set(column, cell)
  }
  for (const key of type.keys) {
    if (!row.has(key) && (!key.isAuto || how.keysOnly)) refuse(dataErrors.noKey, { field: key.name })
  }
  if (bytes > limits.recordBytes) refuse(dataErrors.rowTooLarge, { limitBytes: limits.recordBytes })
  return row
}

export interface Sealer {
  seal(column: Column, cell: Cell): Cell
  open(column: Column, cell: Cell): Cell
}

/** Seals what is sensitive with the project's own key; a text cannot be moved to another field. */
export function sealerOf(key: MasterKey, projectId: string, type: TypeModel): Sealer {
  const purpose = `cloud-db ${projectId}`
  const placeOf = (column: Column) => `${type.key}.${column.key}`
  return {
    seal: (column, cell) => (cell === null ? null : key.seal(purpose, placeOf(column), JSON.stringify(cell))),
    open: (column, cell) =>
      cell === null ? null : (JSON.parse(key.open(purpose, placeOf(column), String(cell))) as Cell),
  }
}

/** A value as a parameter of PostgreSQL. */
export function toParameter(column: Column, cell: Cell): unknown {
  if (cell === null || column.isSealed || column.isOpaque) return cell
  if (column.type === 'ByteArray') return Buffer.from(cell as string, 'base64')
  if (column.type === 'Date') return new Date(cell as number).toISOString()
  return cell
}

/** A value as PostgreSQL's driver gives it. */
export function fromDatabase(column: Column, value: unknown): Cell {
  if (value === null || column.isSealed || column.isOpaque) return value as Cell
  if (column.type === 'ByteArray') return (value as Buffer).toString('base64')
  if (column.type === 'Date') return (value as Date).getTime()
  return value as Cell
}

const two = (value: number): string => (value < 10 ? `0${value}` : String(value))

/** `YYYY-MM-DD HH:mm:ss SSS` in UTC: the public client takes nothing else. */
export function formatDate(at: number): string {
  const date = new Date(at)
  const day = `${date.getUTCFullYear()}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}`
  const time = `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`
  return `${day} ${time} ${String(date.getUTCMilliseconds()).padStart(3, '0')}`
}

/** A value as it goes out: dates as text, everything else as it is kept. */
export function toWire(column: Column, cell: Cell): Cell {
  return cell !== null && column.type === 'Date' && !column.isOpaque ? formatDate(cell as number) : cell
}

/** A row's key for people and for comparing. */
export function keyText(type: TypeModel, cellOf: (column: Column) => Cell | undefined): string {
  return type.keys.length === 1
    ? String(cellOf(type.keys[0] as Column))
    : JSON.stringify(type.keys.map(key => cellOf(key) ?? null))
}
