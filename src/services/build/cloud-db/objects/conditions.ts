import { refuse } from '../../../../kernel/errors.ts'
import type { Cell, Column, TypeModel } from '../model.ts'
import { isNumeric, isWords, limits } from '../schema/rules.ts'
import { dataErrors } from './rules.ts'
import { readCell } from './values.ts'

/** What a query asks, read and checked; SQL and the evaluator in memory are both made from this. */

export const comparisons = [
  'EqualTo',
  'NotEqualTo',
  'GreaterThan',
  'GreaterThanOrEqualTo',
  'LessThan',
  'LessThanOrEqualTo',
  'BeginsWith',
  'EndsWith',
  'Contains',
  'In',
  'IsNull',
  'IsNotNull',
] as const
export type Comparison = (typeof comparisons)[number]

export type Condition =
  | { kind: 'compare'; how: Comparison; column: Column; value: Cell; values: readonly Cell[] }
  | { kind: 'uid'; uid: string }
  | { kind: 'and' | 'or'; parts: readonly Condition[] }

export const aggregates = { Count: 'count', Sum: 'sum', Average: 'average', Max: 'maximum', Min: 'minimum' } as const
export type Aggregate = keyof typeof aggregates

export const pagings = ['StartAt', 'StartAfter', 'EndAt', 'EndBefore'] as const
export type Paging = (typeof pagings)[number]

export interface Query {
  where: Condition
  order: readonly { column: Column; isDescending: boolean }[]
  limit: number | null
  offset: number
  page: { how: Paging; cells: ReadonlyMap<Column, Cell> } | null
  aggregates: readonly { how: Aggregate; column: Column }[]
  groupBy: readonly Column[]
  select: readonly Column[]
  count: number
}

const deepest = 5

interface Sent {
  conditionType: string
  fieldName?: unknown
  value?: unknown
}

/** Reads `queryConditions` as they were sent. Refuses with the number of what is wrong. */
export function readQuery(type: TypeModel, sent: unknown): Query {
  if (!Array.isArray(sent)) refuse(dataErrors.badCondition, { condition: 'queryConditions', reason: 'it is a list' })
  if (sent.length > limits.conditions) refuse(dataErrors.tooManyConditions, { limit: limits.conditions })
  const reader = new Reader(type)
  for (const one of sent) reader.take(asSent(one))
  return reader.finish(sent.length)
}

function asSent(one: unknown): Sent {
  if (typeof one !== 'object' || one === null || typeof (one as Sent).conditionType !== 'string') {
    refuse(dataErrors.badCondition, { condition: 'queryConditions', reason: 'each has a conditionType' })
  }
  return one as Sent
}

class Group {
  /** OR of ANDs. */
  readonly parts: Condition[][] = [[]]

  add(condition: Condition): void {
    this.parts.at(-1)?.push(condition)
  }

  close(): Condition {
    if (this.parts.length > 1 && this.parts.some(one => one.length === 0)) {
      refuse(dataErrors.badCondition, { condition: 'Or', reason: 'it stands between two conditions' })
    }
    const all = this.parts.filter(parts => parts.length > 0).map(joined)
    return all.length === 1 ? (all[0] as Condition) : { kind: this.parts.length > 1 ? 'or' : 'and', parts: all }
  }
}

const joined = (parts: Condition[]): Condition =>
  parts.length === 1 ? (parts[0] as Condition) : { kind: 'and', parts }

class Reader {
  readonly #type: TypeModel
  readonly #groups: Group[] = [new Group()]
  readonly #order: { column: Column; isDescending: boolean }[] = []
  readonly #aggregates: { how: Aggregate; column: Column }[] = []
  readonly #groupBy: Column[] = []
  readonly #select: Column[] = []
  #limit: number | null = null
  #offset = 0
  #page: { how: Paging; value: unknown } | null = null

  constructor(type: TypeModel) {
    this.#type = type
  }

  take(sent: Sent): void {
    const { conditionType: how } = sent
    if ((comparisons as readonly string[]).includes(how)) this.#top().add(this.#compare(how as Comparison, sent))
    else if ((pagings as readonly string[]).includes(how)) this.#pageFrom(how as Paging, sent.value)
    else if (Object.hasOwn(aggregates, how)) this.#aggregate(how as Aggregate, sent)
    else if (how === 'BeginGroup') this.#begin()
    else if (how === 'EndGroup') this.#end()
    else if (how === 'Or') this.#top().parts.push([])
    else if (how === 'OrderBy') this.#orderBy(sent)
    else if (how === 'Limit') this.#limited(sent.value)
    else if (how === 'Uid') this.#top().add(this.#byUser(sent.value))
    else if (how === 'Select') this.#select.push(this.#field(sent))
    else if (how === 'GroupBy') this.#groupBy.push(this.#field(sent))
    else if (how !== 'And') {
      refuse(dataErrors.badCondition, { condition: how.slice(0, 40), reason: 'there is no such condition' })
    }
  }

  #pageFrom(how: Paging, value: unknown): void {
    if (this.#page) refuse(dataErrors.pageTwice)
    this.#page = { how, value }
  }

  #begin(): void {
    if (this.#groups.length > deepest) refuse(dataErrors.tooDeep, { limit: deepest })
    this.#groups.push(new Group())
  }

  #end(): void {
    const group = this.#groups.length > 1 ? this.#groups.pop() : undefined
    if (!group) refuse(dataErrors.badCondition, { condition: 'EndGroup', reason: 'no group is open' })
    this.#top().add(group.close())
  }

  #byUser(value: unknown): Condition {
    if (typeof value === 'string' && value !== '' && value.length <= limits.uidLength)
      return { kind: 'uid', uid: value }
    const reason = `it takes a user's id of at most ${limits.uidLength} characters`
    return refuse(dataErrors.badCondition, { condition: 'Uid', reason })
  }

  finish(count: number): Query {
    if (this.#groups.length > 1)
      refuse(dataErrors.badCondition, { condition: 'BeginGroup', reason: 'the group is not closed' })
    const group = this.#groups[0] as Group
    const query: Query = {
      where: group.close(),
      order: this.#order,
      limit: this.#limit,
      offset: this.#offset,
      page: this.#page && this.#readPage(this.#page),
      aggregates: this.#aggregates,
      groupBy: this.#groupBy,
      select: this.#select,
      count,
    }
    this.#checkGroups(query)
    return query
  }

  #top(): Group {
    return this.#groups.at(-1) as Group
  }

  #field({ fieldName, conditionType }: Sent): Column {
    if (typeof fieldName !== 'string' || fieldName === '')
      refuse(dataErrors.conditionEmpty, { condition: conditionType })
    return (
      this.#type.byName.get(fieldName) ??
      refuse(dataErrors.noSuchField, { typeName: this.#type.name, field: fieldName.slice(0, 60) })
    )
  }

  #open(sent: Sent): Column {
    const column = this.#field(sent)
    if (column.isOpaque || column.isSealed) refuse(dataErrors.sealedCondition, { field: column.name })
    return column
  }

  #compare(how: Comparison, sent: Sent): Condition {
    const column = how === 'IsNull' || how === 'IsNotNull' ? this.#field(sent) : this.#open(sent)
    const { name: field, type } = column
    if (how === 'IsNull' || how === 'IsNotNull') return { kind: 'compare', how, column, value: null, values: [] }
    const isWordy = how === 'BeginsWith' || how === 'EndsWith' || how === 'Contains'
    const isOrdered = how.startsWith('Greater') || how.startsWith('Less') || how === 'In'
    if (type === 'ByteArray' || (isWordy && !isWords(type)) || (isOrdered && type === 'Boolean')) {
      refuse(dataErrors.conditionType, { condition: how, field, typeName: type })
    }
    const { value } = sent
    if (how === 'In') {
      if (!Array.isArray(value) || value.length === 0 || value.length > limits.inValues) {
        refuse(dataErrors.badCondition, { condition: how, reason: `it takes 1 to ${limits.inValues} values` })
      }
      return { kind: 'compare', how, column, value: null, values: value.map(one => this.#value(how, column, one)) }
    }
    return { kind: 'compare', how, column, value: this.#value(how, column, value), values: [] }
  }

  #value(how: string, column: Column, value: unknown): Cell {
    if (value === null || value === undefined) refuse(dataErrors.conditionEmpty, { condition: how })
    // What a key counts from 1 may be compared with anything.
    const cell = readCell(column.isAuto ? { ...column, type: column.isLong ? 'Long' : 'Integer' } : column, value)
    return column.type === 'Float' && typeof cell === 'number' ? Math.fround(cell) : cell
  }

  #aggregate(how: Aggregate, sent: Sent): void {
    const column = how === 'Count' ? this.#field(sent) : this.#open(sent)
    if (how !== 'Count' && !isNumeric(column.type)) {
      refuse(dataErrors.conditionType, { condition: how, field: column.name, typeName: column.type })
    }
    this.#aggregates.push({ how, column })
  }

  #orderBy(sent: Sent): void {
    const column = this.#open(sent)
    if (column.type === 'Text' || column.type === 'ByteArray') {
      refuse(dataErrors.conditionType, { condition: 'OrderBy', field: column.name, typeName: column.type })
    }
    const way = sent.value
    if ((way !== 'asc' && way !== 'desc') || this.#order.some(one => one.column === column)) refuse(dataErrors.badOrder)
    this.#order.push({ column, isDescending: way === 'desc' })
  }

  #limited(value: unknown): void {
    const { number, offset } = (typeof value === 'object' && value !== null ? value : {}) as {
      number?: unknown
      offset?: unknown
    }
    const isCount = (one: unknown): one is number =>
      Number.isInteger(one) && (one as number) >= 0 && (one as number) <= 1_000_000_000
    if (!isCount(number) || !(offset === undefined || offset === null || isCount(offset))) refuse(dataErrors.badLimit)
    if (number > limits.queryRows) refuse(dataErrors.tooManyAnswered, { limit: limits.queryRows })
    this.#limit = number
    this.#offset = (offset as number | null | undefined) ?? 0
  }

  /** The row to page from has the fields of the order and the key; what else it has plays no part. */
  #readPage({ how, value }: { how: Paging; value: unknown }): NonNullable<Query['page']> {
    if (typeof value !== 'object' || value === null)
      return refuse(dataErrors.pageEmpty, { field: this.#type.keys[0]?.name })
    if (this.#order.length === 0 || this.#order.some(one => one.isDescending !== this.#order[0]?.isDescending)) {
      refuse(dataErrors.pageDirections)
    }
    if (this.#aggregates.length > 0) refuse(dataErrors.pageSequence, { condition: 'an aggregate' })
    const cells = new Map<Column, Cell>()
    for (const { column } of this.#order) {
      if (column.type === 'Boolean') refuse(dataErrors.pageOrderType, { field: column.name, typeName: column.type })
    }
    for (const part of this.#equalParts()) {
      if (part.isKey) refuse(dataErrors.pageKeyEqual, { field: part.name })
      if (part.type === 'Text') refuse(dataErrors.pageEqualType, { field: part.name, typeName: part.type })
    }
    for (const column of new Set([...this.#order.map(one => one.column), ...this.#type.keys])) {
      const given = Object.hasOwn(value, column.name) ? (value as Record<string, unknown>)[column.name] : undefined
      if (given === undefined) refuse(dataErrors.pageEmpty, { field: column.name })
      const cell = given === null && !column.isKey ? null : readCell(column, given)
      cells.set(column, column.type === 'Float' && typeof cell === 'number' ? Math.fround(cell) : cell)
    }
    return { how, cells }
  }

  #equalParts(): Column[] {
    const group = this.#groups[0] as Group
    if (group.parts.length > 1) refuse(dataErrors.pageSequence, { condition: 'Or' })
    return (group.parts[0] as Condition[]).map(one => {
      if (one.kind === 'compare' && one.how === 'EqualTo') return one.column
      return refuse(dataErrors.pageSequence, { condition: one.kind === 'compare' ? one.how : one.kind })
    })
  }

  #checkGroups({ groupBy, select, aggregates: functions }: Query): void {
    for (const list of [groupBy, select]) {
      for (const [at, column] of list.entries()) {
        if (list.indexOf(column) !== at) refuse(dataErrors.groupTwice, { field: column.name })
      }
    }
    if (groupBy.length === 0) return
    const first = groupBy[0] as Column
    if (groupBy.some(one => one.isOpaque || one.isSealed)) refuse(dataErrors.sealedCondition, { field: first.name })
    if (select.some(one => !groupBy.includes(one)) || functions.length === 0) refuse(dataErrors.groupNeeded)
    if (this.#order.some(one => !groupBy.includes(one.column))) refuse(dataErrors.groupNeeded)
    const isIndexed = this.#type.indexes.some(index => index[0]?.column === first) || this.#type.keys[0] === first
    if (!isIndexed) refuse(dataErrors.groupIndex, { field: first.name })
  }
}

/** Every comparison of a condition. */
export function comparisonsIn(condition: Condition): Condition[] {
  if (condition.kind === 'and' || condition.kind === 'or') return condition.parts.flatMap(comparisonsIn)
  return [condition]
}
