import { refuse } from '../../../../kernel/errors.ts'
import { type Cell, type Column, type DataZone, madeOnce, type TypeModel, tableOf } from '../model.ts'
import { castOf, orderOf } from '../schema/ddl.ts'
import { limits } from '../schema/rules.ts'
import type { Parameters } from '../statements.ts'
import { type Aggregate, aggregates, type Condition, type Query } from './conditions.ts'
import { dataErrors } from './rules.ts'
import { toParameter } from './values.ts'

/** The statement of a query. Identifiers come from the model alone; every value is a parameter. */

/** The type a value is compared as. */
function valueType(column: Column): string {
  if (column.isAuto) return 'bigint'
  const cast = castOf(column)
  return cast === 'varchar' ? 'text' : cast
}

function parameterOf(column: Column, cell: Cell, parameters: Parameters): string {
  return `${parameters.add(toParameter(column, cell))}::${valueType(column)}`
}

const operators = {
  EqualTo: '=',
  NotEqualTo: '<>',
  GreaterThan: '>',
  GreaterThanOrEqualTo: '>=',
  LessThan: '<',
  LessThanOrEqualTo: '<=',
} as const

export function conditionSql(condition: Condition, parameters: Parameters): string {
  switch (condition.kind) {
    case 'and':
    case 'or': {
      const parts = condition.parts.map(part => conditionSql(part, parameters))
      if (parts.length === 0) return 'TRUE'
      return `(${parts.join(condition.kind === 'and' ? ' AND ' : ' OR ')})`
    }
    case 'uid':
      return `naturalbase_creator = ${parameters.add(condition.uid)}`
    default:
      return compareSql(condition, parameters)
  }
}

function compareSql(
  { how, column, value, values }: Extract<Condition, { kind: 'compare' }>,
  parameters: Parameters,
): string {
  const { sql } = column
  switch (how) {
    case 'IsNull':
      return `${sql} IS NULL`
    case 'IsNotNull':
      return `${sql} IS NOT NULL`
    case 'In': {
      const list = values.map(one => toParameter(column, one))
      return `${sql} = ANY(${parameters.add(list)}::${valueType(column)}[])`
    }
    case 'BeginsWith': {
      const prefix = String(value)
      const end = endOfPrefix(prefix)
      const starts = `starts_with(${sql}, ${parameters.add(prefix)}::text)`
      const from = `${sql} >= ${parameters.add(prefix)}::text`
      return end === null
        ? `(${starts} AND ${from})`
        : `(${starts} AND ${from} AND ${sql} < ${parameters.add(end)}::text)`
    }
    case 'EndsWith': {
      const at = parameters.add(String(value))
      return `right(${sql}, char_length(${at}::text)) = ${at}::text`
    }
    case 'Contains':
      return `strpos(${sql}, ${parameters.add(String(value))}::text) > 0`
    default:
      return `${sql} ${operators[how]} ${parameterOf(column, value, parameters)}`
  }
}

/** The first text behind all that begin so; null where there is none. An index then finds them in a row. */
function endOfPrefix(prefix: string): string | null {
  const characters = [...prefix]
  while (characters.length > 0) {
    const last = (characters.pop() as string).codePointAt(0) as number
    if (last < 0x10ffff) {
      const next = last + 1 >= 0xd800 && last + 1 <= 0xdfff ? 0xe000 : last + 1
      return characters.join('') + String.fromCodePoint(next)
    }
  }
  return null
}

/** Columns of the order with those of the key behind them, so that no two rows stand equal. */
export function wholeOrder(type: TypeModel, query: Query): { column: Column; isDescending: boolean }[] {
  const isDescending = query.order.at(-1)?.isDescending ?? false
  const rest = type.keys.filter(key => !query.order.some(one => one.column === key))
  return [...query.order, ...rest.map(column => ({ column, isDescending }))]
}

/** Rows before or behind the one to page from. */
function pageSql(type: TypeModel, query: Query, parameters: Parameters): string | null {
  if (!query.page) return null
  const { how, cells } = query.page
  const order = wholeOrder(type, query)
  const isForward = how === 'StartAt' || how === 'StartAfter'
  const includes = how === 'StartAt' || how === 'EndAt'
  // a > x OR (a = x AND (b > y OR (b = y AND ...)))
  let text = includes ? 'TRUE' : 'FALSE'
  for (const { column, isDescending } of [...order].reverse()) {
    const cell = cells.get(column) ?? null
    const isAbove = isForward !== isDescending
    text = `(${besideSql(column, cell, isAbove, parameters)} OR (${sameSql(column, cell, parameters)} AND ${text}))`
  }
  return text
}

function besideSql(column: Column, cell: Cell, isAbove: boolean, parameters: Parameters): string {
  if (cell === null) return isAbove ? `${column.sql} IS NOT NULL` : 'FALSE'
  const at = parameterOf(column, cell, parameters)
  if (isAbove) return `${column.sql} > ${at}`
  return column.notNull ? `${column.sql} < ${at}` : `(${column.sql} < ${at} OR ${column.sql} IS NULL)`
}

function sameSql(column: Column, cell: Cell, parameters: Parameters): string {
  return cell === null ? `${column.sql} IS NULL` : `${column.sql} = ${parameterOf(column, cell, parameters)}`
}

/** What every list of rows begins with: the fields, then what we keep of a row. */
export const rowColumns = (type: TypeModel): string =>
  madeOnce(type, 'row columns', () => {
    const own = ['naturalbase_version', 'naturalbase_creator', 'naturalbase_operationtime']
    return [...type.columns.map(column => column.sql), ...own].join(', ')
  })

/** The statement of a list of rows. `filter` is what rights and rules leave of them. */
export function listSql(
  zone: DataZone,
  type: TypeModel,
  query: Query,
  parameters: Parameters,
  filter: string,
  from: { isDeleted?: boolean } = {},
): string {
  const page = pageSql(type, query, parameters)
  const where = [
    from.isDeleted ? 'naturalbase_deleted' : 'NOT naturalbase_deleted',
    conditionSql(query.where, parameters),
    ...(page ? [page] : []),
    filter,
  ].filter(part => part !== 'TRUE')
  const isBackward = query.page?.how === 'EndAt' || query.page?.how === 'EndBefore'
  const order = wholeOrder(type, query).map(
    ({ column, isDescending }) => `${column.sql} ${orderOf(isBackward ? !isDescending : isDescending)}`,
  )
  const rows = parameters.add(query.limit ?? limits.queryRows + 1)
  const offset = query.offset > 0 ? ` OFFSET ${parameters.add(query.offset)}` : ''
  return `SELECT ${rowColumns(type)} FROM ${tableOf(zone, type)} AS t WHERE ${where.join(' AND ')} ORDER BY ${order.join(', ')} LIMIT ${rows}${offset}`
}

const functions: Record<Aggregate, (sql: string, column: Column) => string> = {
  Count: sql => `count(${sql})`,
  Sum: (sql, column) => (column.type === 'Float' ? `sum(${sql}::float8)` : `sum(${sql})`),
  Average: sql => `avg(${sql}::float8)`,
  Max: sql => `max(${sql})`,
  Min: sql => `min(${sql})`,
}

export const aggregateName = ({ how, column }: { how: Aggregate; column: Column }): string =>
  `${aggregates[how]}(${column.name})`

/** The statement of aggregates, over all rows or by groups. */
export function aggregateSql(
  zone: DataZone,
  type: TypeModel,
  query: Query,
  parameters: Parameters,
  filter: string,
): string {
  const where = ['NOT naturalbase_deleted', conditionSql(query.where, parameters), filter].filter(
    part => part !== 'TRUE',
  )
  const values = query.aggregates.map(one => functions[one.how](one.column.sql, one.column))
  const groups = query.groupBy.map(column => column.sql)
  const by = groups.length > 0 ? ` GROUP BY ${groups.join(', ')}` : ''
  const order = query.order.length > 0 ? query.order : query.groupBy.map(column => ({ column, isDescending: false }))
  const sorted =
    groups.length > 0
      ? ` ORDER BY ${order.map(one => `${one.column.sql} ${orderOf(one.isDescending)}`).join(', ')}`
      : ''
  const rows = groups.length > 0 ? ` LIMIT ${parameters.add(query.limit ?? limits.queryRows + 1)}` : ''
  return `SELECT ${[...groups, ...values].join(', ')} FROM ${tableOf(zone, type)} AS t WHERE ${where.join(' AND ')}${by}${sorted}${rows}`
}

/** Refuses paging that no index serves: fields that are equal, then those of the order, all in one direction. */
export function assertPageIndex(type: TypeModel, query: Query): void {
  if (!query.page) return
  const parts = query.where.kind === 'and' ? query.where.parts : [query.where]
  const equal = new Set(parts.flatMap(part => (part.kind === 'compare' ? [part.column] : [])))
  const order = query.order.map(one => one.column)
  const isServed = (fields: readonly { column: Column; isDescending: boolean }[]): boolean => {
    const head = fields.slice(0, equal.size)
    const tail = fields.slice(equal.size, equal.size + order.length)
    // The key stands behind every index as the tie-break, so an order may go on into it.
    const rest = order.slice(tail.length)
    return (
      head.length === equal.size &&
      head.every(one => equal.has(one.column)) &&
      tail.every((one, at) => one.column === order[at] && one.isDescending === tail[0]?.isDescending) &&
      rest.every((column, at) => tail.length > 0 && column === type.keys[at])
    )
  }
  const keys = type.keys.map(column => ({ column, isDescending: false }))
  if (type.indexes.some(isServed) || (equal.size === 0 && isServed(keys))) return
  refuse(dataErrors.pageIndex, { index: indexText([...equal, ...order], query.order[0]?.isDescending ?? false) })
}

export function indexText(columns: readonly Column[], isDescending: boolean): string {
  return [...new Set(columns)].map(column => `${column.name} ${isDescending ? 'DESC' : 'ASC'}`).join(', ')
}

/** Fields that would make the query cheap with an index, where it has none; null where it has one or needs none. */
export function missingIndex(type: TypeModel, query: Query): Column[] | null {
  const firsts = madeOnce(
    type,
    'first fields',
    () => new Set([type.keys[0], ...type.indexes.map(index => index[0]?.column)]),
  )
  const parts = query.where.kind === 'and' ? query.where.parts : [query.where]
  const searched = parts.filter(part => part.kind !== 'and' || part.parts.length > 0)
  const order = query.order.map(one => one.column)
  if (searched.length === 0) {
    if (order.length === 0) return null
    const isSorted = [type.keys, ...type.indexes.map(index => index.map(one => one.column))].some(index =>
      order.every((column, at) => index[at] === column),
    )
    return isSorted ? null : order
  }
  if (searched.some(part => isFound(part, firsts))) return null
  const columns = searched.flatMap(part =>
    part.kind === 'compare' && part.column.type !== 'Text' ? [part.column] : [],
  )
  return columns.length > 0 ? columns : order
}

const found = new Set([
  'EqualTo',
  'GreaterThan',
  'GreaterThanOrEqualTo',
  'LessThan',
  'LessThanOrEqualTo',
  'BeginsWith',
  'In',
  'IsNull',
])

function isFound(part: Condition, firsts: ReadonlySet<Column | undefined>): boolean {
  if (part.kind === 'uid') return true
  if (part.kind === 'compare') return found.has(part.how) && firsts.has(part.column)
  if (part.kind === 'and') return part.parts.some(one => isFound(one, firsts))
  return part.parts.length > 0 && part.parts.every(one => isFound(one, firsts))
}
