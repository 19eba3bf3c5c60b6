import { refuse } from '../../../../kernel/errors.ts'
import type { Cell, Column, Place } from '../model.ts'
import { integerRangeOf, isNumeric, largestFloat } from '../schema/rules.ts'
import type { Runner } from '../statements.ts'
import { type Actor, assertRule, type KnownRow, reachedBy, rulesFor } from './access.ts'
import { assertAllowance } from './allowance.ts'
import { type Condition, readQuery } from './conditions.ts'
import { matches } from './matches.ts'
import { putRows, type Written } from './put.ts'
import { sealerFor } from './read.ts'
import { mayTouch } from './rights.ts'
import { dataErrors } from './rules.ts'
import { keyText, readCell, readRow } from './values.ts'
import { heldByKey } from './write.ts'

export interface Update {
  primaryKey: unknown
  increment?: unknown
  update?: unknown
  conditions?: unknown
}

/** Counts up and sets fields of one row, where the row still is as the conditions say; nothing is written where it is not. */
export function updateRow(run: Runner, place: Place, actor: Actor, update: Update): Promise<Written> {
  return updateIn(run, place, actor, readUpdate(place, update))
}

interface Ready {
  keys: ReadonlyMap<Column, Cell>
  increments: ReadonlyMap<Column, Cell>
  sets: ReadonlyMap<Column, Cell>
  where: Condition
}

function readUpdate(place: Place, { primaryKey, increment, update, conditions }: Update): Ready {
  const { type } = place
  const keys = readRow(type, primaryKey, { keysOnly: true })
  const increments = new Map<Column, Cell>()
  for (const [column, value] of fieldsOf(place, increment)) {
    if (!isNumeric(column.type)) refuse(dataErrors.badIncrement, { field: column.name, typeName: column.type })
    const cell = readCell(column.isAuto ? { ...column, type: 'Long', isLong: true } : column, value)
    if (cell === null) refuse(dataErrors.badValue, { field: column.name, typeName: column.type })
    increments.set(column, cell)
  }
  const sealer = type.columns.some(column => column.isSealed) ? sealerFor(place) : null
  const sets = new Map<Column, Cell>()
  for (const [column, value] of fieldsOf(place, update)) {
    if (increments.has(column)) refuse(dataErrors.badUpdate)
    const cell = readCell(column, value)
    if (cell === null && column.notNull) refuse(dataErrors.nullInNotNull, { field: column.name })
    sets.set(column, column.isSealed && sealer ? sealer.seal(column, cell) : cell)
  }
  if (increments.size + sets.size === 0) refuse(dataErrors.badUpdate)
  const query = readQuery(type, conditions ?? [])
  if (query.order.length > 0 || query.page || query.limit !== null || query.aggregates.length > 0) {
    refuse(dataErrors.badCondition, { condition: 'conditions', reason: 'an update takes comparisons only' })
  }
  return { keys, increments, sets, where: query.where }
}

function* fieldsOf({ type }: Place, sent: unknown): Generator<[Column, unknown]> {
  if (sent === undefined || sent === null) return
  if (typeof sent !== 'object' || Array.isArray(sent)) refuse(dataErrors.badUpdate)
  for (const [name, value] of Object.entries(sent)) {
    const column = type.byName.get(name)
    if (!column) refuse(dataErrors.noUpdateField, { typeName: type.name, field: name.slice(0, 60) })
    if (column.isKey) refuse(dataErrors.keyChanged, { field: name })
    if (column.isOpaque) refuse(dataErrors.sealedUpdate, { field: name })
    yield [column, value]
  }
}

async function updateIn(run: Runner, place: Place, actor: Actor, ready: Ready): Promise<Written> {
  const { type } = place
  assertAllowance(place, 100)
  const reach = reachedBy(place, actor, 'Upsert')
  const rules = await rulesFor(place, actor)
  const key = keyText(type, column => ready.keys.get(column))
  const before = (await heldByKey(run, place, [ready.keys])).get(key)
  if (!before) refuse(dataErrors.rowMissing, { key })
  if (!mayTouch(reach, actor.standing, before.creator))
    refuse(dataErrors.denied, { right: 'update', where: ` in the row ${key}` })
  if (!matches(ready.where, before)) return { seqs: [], versions: [], before: [] }
  const changed = new Map<Column, Cell>()
  for (const column of type.columns) {
    const by = ready.increments.get(column)
    const set = ready.sets.get(column)
    changed.set(
      column,
      by !== undefined ? sum(column, before.cellOf(column), by) : set !== undefined ? set : before.cellOf(column),
    )
  }
  const after: KnownRow = {
    cellOf: column => changed.get(column) ?? null,
    creator: before.creator,
    version: before.version,
    operationTime: before.operationTime,
  }
  const keys = type.keys.map(column => String(ready.keys.get(column)))
  await assertRule(place, actor, rules, 'update', { keys, before, after })
  const at = place.server.clock.now()
  return putRows(run, place, [changed], { isInsert: false, by: actor.name, creators: [before.creator], at, bytes: 100 })
}

function sum(column: Column, cell: Cell, by: Cell): Cell {
  const { name: field, type } = column
  if (cell === null) refuse(dataErrors.notIncrementable, { field })
  const range = integerRangeOf(type)
  if (range) {
    const total = BigInt(cell as string | number) + BigInt(by as string | number)
    if (total < range[0] || total > range[1]) refuse(dataErrors.outOfRange, { field, typeName: type })
    return column.isLong ? total.toString() : Number(total)
  }
  const total = Number(cell) + Number(by)
  if (!Number.isFinite(total) || (type === 'Float' && Math.abs(total) > largestFloat)) {
    refuse(dataErrors.outOfRange, { field, typeName: type })
  }
  return total
}
