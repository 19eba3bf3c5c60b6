import { refuse } from '../../../../kernel/errors.ts'
import { tellChanges } from '../live/tell.ts'
import type { Cell, Column, Place, TypeModel } from '../model.ts'
import { limits } from '../schema/rules.ts'
import { inTurns, isTaken, Overtaken, poolOf, type Runner } from '../statements.ts'
import { type Actor, assertRule, type KnownRow, reachedBy, rulesFor } from './access.ts'
import { assertAllowance } from './allowance.ts'
import { goesTogether, insertTogether } from './insert-group.ts'
import { holdRows, moveCounter, putRows, type StoredRow, takeRows, type Written } from './put.ts'
import { guarded, ReadRow, sealerFor } from './read.ts'
import { mayTouch } from './rights.ts'
import { dataErrors } from './rules.ts'
import { keyText, readCell, readRow } from './values.ts'

export type Operation = 'UPSERT' | 'INSERT' | 'DELETE'

export interface Wish {
  operation: Operation
  rows: StoredRow[]
  bytes: number
}

/** Reads what is to be written. All is checked before anything is. */
export function readWish(place: Place, operation: Operation, objects: unknown): Wish {
  if (!Array.isArray(objects)) refuse(dataErrors.badParameter, { reason: 'objects is a list' })
  if (objects.length === 0) refuse(dataErrors.nothing)
  if (objects.length > limits.writeObjects) refuse(dataErrors.tooManyRows, { limit: limits.writeObjects })
  const { type } = place
  const sealer = type.columns.some(column => column.isSealed) ? sealerFor(place) : null
  const byKey = new Map<string, Map<Column, Cell>>()
  const rows: StoredRow[] = []
  let bytes = 0
  for (const object of objects) {
    const row = new Map(readRow(type, object, { keysOnly: operation === 'DELETE' }))
    for (const [column, cell] of row) {
      if (column.isSealed && sealer) row.set(column, sealer.seal(column, cell))
      bytes += typeof cell === 'string' ? cell.length : 8
    }
    const hasKey = type.keys.every(key => row.has(key))
    const key = hasKey ? keyText(type, column => row.get(column)) : null
    const same = key === null ? undefined : byKey.get(key)
    if (same) {
      if (operation === 'INSERT') refuse(dataErrors.keyTaken, { key })
      for (const [column, cell] of row) same.set(column, cell)
      continue
    }
    if (key !== null) byKey.set(key, row)
    rows.push(row)
  }
  if (bytes > limits.writeBytes) refuse(dataErrors.writeTooLarge, { limitBytes: limits.writeBytes })
  return { operation, rows, bytes }
}

/** Writes rows of one type, all or none, and answers how many there were. */
export async function writeRows(place: Place, actor: Actor, operation: Operation, objects: unknown): Promise<number> {
  const wish = readWish(place, operation, objects)
  const written = await guarded(place, async () => {
    if (await goesAtOnce(place, actor, wish)) {
      try {
        return await writeAtOnce(place, actor, wish)
      } catch (error) {
        if (!(error instanceof Overtaken)) throw error
      }
    }
    return inTurns(place.server, place.zone, run => writeIn(run, place, actor, wish))
  })
  tellChanges(place, written.seqs)
  return operation === 'DELETE' ? written.seqs.length : objectsCount(objects)
}

const objectsCount = (objects: unknown): number => (objects as unknown[]).length

/** One statement is enough where no row must be looked at first, and nothing need be undone. */
async function goesAtOnce(place: Place, actor: Actor, wish: Wish): Promise<boolean> {
  const { operation, rows } = wish
  if (place.type.auto && rows.some(row => row.has(place.type.auto as Column))) return false
  if (operation === 'INSERT') return rows.length === 1
  const reach = reachedBy(place, actor, operation === 'DELETE' ? 'Delete' : 'Upsert')
  if (reach !== 'all' || (await rulesFor(place, actor))) return false
  return operation === 'DELETE' || isUniform(place.type, rows)
}

async function writeAtOnce(place: Place, actor: Actor, wish: Wish): Promise<Written> {
  if (wish.operation === 'UPSERT') assertAllowance(place, wish.bytes)
  const run = poolOf(place.server, place.zone)
  if (wish.operation === 'DELETE') return takeRows(run, place, wish.rows, timed(place, actor))
  const [only] = wish.rows
  if (wish.operation === 'INSERT' && only && wish.rows.length === 1 && goesTogether(place.type)) {
    await assertInsert(place, actor, wish)
    const { by, creators } = makers(place, actor, wish)
    const { seq, version } = await insertTogether(place, only, { by, creator: creators[0] ?? null, bytes: wish.bytes })
    return { seqs: [seq], versions: [version], before: [null] }
  }
  if (wish.operation === 'INSERT') return insertIn(run, place, actor, wish)
  return putRows(run, place, wish.rows, { isInsert: false, ...makers(place, actor, wish) })
}

/** Within a transaction: rights and rules of each row are judged on the rows as they are held. */
export async function writeIn(run: Runner, place: Place, actor: Actor, wish: Wish): Promise<Written> {
  if (wish.operation === 'INSERT') return insertIn(run, place, actor, wish)
  const isDelete = wish.operation === 'DELETE'
  assertAllowance(place, isDelete ? 0 : wish.bytes)
  const reach = reachedBy(place, actor, isDelete ? 'Delete' : 'Upsert')
  const rules = await rulesFor(place, actor)
  const isPlain = reach === 'all' && rules === null
  if (isPlain && isDelete) return takeRows(run, place, wish.rows, timed(place, actor))
  if (isPlain && isUniform(place.type, wish.rows)) {
    const written = await putRows(run, place, wish.rows, { isInsert: false, ...makers(place, actor, wish) })
    await countOn(run, place, wish.rows)
    return written
  }
  const held = await heldByKey(run, place, wish.rows)
  for (const row of wish.rows) {
    const key = keyText(place.type, column => row.get(column))
    const before = held.get(key) ?? null
    if (before && !mayTouch(reach, actor.standing, before.creator)) {
      refuse(dataErrors.denied, { right: isDelete ? 'delete' : 'upsert', where: ` in the row ${key}` })
    }
    if (isDelete && !before) continue
    const after = isDelete ? null : afterOf(place.type, before, row, actor)
    const method = isDelete ? 'delete' : before ? 'update' : 'create'
    await assertRule(place, actor, rules, method, { keys: keysOf(place.type, row), before, after })
  }
  if (isDelete) return takeRows(run, place, wish.rows, timed(place, actor))
  const whole = wish.rows.map(row =>
    wholeRow(place.type, held.get(keyText(place.type, column => row.get(column))), row),
  )
  const written = await putRows(run, place, whole, { isInsert: false, ...makers(place, actor, wish) })
  const known = new Set([...held.values()].map(row => row.version))
  if (written.before.some(version => version !== null && !known.has(version)))
    throw new Overtaken('a row came meanwhile')
  await countOn(run, place, wish.rows)
  return written
}

/** Refuses what must not be inserted. */
async function assertInsert(place: Place, actor: Actor, wish: Wish): Promise<void> {
  const { type } = place
  assertAllowance(place, wish.bytes)
  reachedBy(place, actor, 'Upsert')
  const rules = await rulesFor(place, actor)
  for (const row of wish.rows) {
    const after = afterOf(type, null, row, actor)
    await assertRule(place, actor, rules, 'create', { keys: keysOf(type, row), before: null, after })
  }
}

async function insertIn(run: Runner, place: Place, actor: Actor, wish: Wish): Promise<Written> {
  const { type } = place
  await assertInsert(place, actor, wish)
  const rows = isUniform(type, wish.rows) ? wish.rows : wish.rows.map(row => wholeRow(type, undefined, row))
  try {
    const written = await putRows(run, place, rows, { isInsert: true, ...makers(place, actor, wish) })
    if (written.seqs.length < rows.length) {
      const key = rows.length === 1 ? keyText(type, column => rows[0]?.get(column)) : 'of one of the rows'
      refuse(dataErrors.keyTaken, { key })
    }
    await countOn(run, place, wish.rows)
    return written
  } catch (error) {
    // A counted key met one that somebody had given: the next number is tried.
    if (isTaken(error) && type.auto) throw new Overtaken('the key was taken')
    throw error
  }
}

const timed = (place: Place, actor: Actor) => ({ by: actor.name, at: place.server.clock.now() })

function makers(place: Place, actor: Actor, wish: Wish) {
  const creator = actor.standing.isAdministrator ? null : actor.standing.uid
  return { ...timed(place, actor), creators: wish.rows.map(() => creator), bytes: wish.bytes }
}

async function countOn(run: Runner, place: Place, rows: readonly StoredRow[]): Promise<void> {
  const { auto } = place.type
  if (!auto) return
  let highest = 0n
  for (const row of rows) {
    const given = row.get(auto)
    if (given !== undefined && given !== null && BigInt(given as string) > highest) highest = BigInt(given as string)
  }
  if (highest > 0n) await moveCounter(run, place, highest.toString())
}

const keysOf = (type: TypeModel, row: StoredRow): string[] => type.keys.map(key => String(row.get(key) ?? ''))

/** Rows that are there and live, by key; held until the end of the transaction. */
export async function heldByKey(run: Runner, place: Place, rows: readonly StoredRow[]): Promise<Map<string, ReadRow>> {
  const keyed = rows.filter(row => place.type.keys.every(key => row.has(key)))
  const found = new Map<string, ReadRow>()
  if (keyed.length === 0) return found
  for (const { raw, isDeleted } of await holdRows(run, place, keyed)) {
    if (isDeleted) continue
    const row = new ReadRow(place.type, raw)
    found.set(
      keyText(place.type, column => row.cellOf(column)),
      row,
    )
  }
  return found
}

function isUniform(type: TypeModel, rows: readonly StoredRow[]): boolean {
  const [first] = rows
  return rows.every(
    row => row.size === first?.size && type.columns.every(column => row.has(column) === first.has(column)),
  )
}

/** A row with every field: those that were not sent as they are, or as a new row begins. */
function wholeRow(type: TypeModel, before: ReadRow | undefined, row: StoredRow): StoredRow {
  const whole = new Map<Column, Cell>()
  for (const column of type.columns) {
    if (column.isAuto && !row.has(column)) continue
    const sent = row.get(column)
    whole.set(column, sent !== undefined ? sent : before ? before.cellOf(column) : defaultOf(type, column))
  }
  return whole
}

/** The row as it would be, for rules. */
function afterOf(type: TypeModel, before: KnownRow | null, row: StoredRow, actor: Actor): KnownRow {
  const own = actor.standing.isAdministrator ? null : actor.standing.uid
  return {
    cellOf: column => {
      const sent = row.get(column)
      return sent !== undefined ? sent : before ? before.cellOf(column) : defaultOf(type, column)
    },
    creator: before ? before.creator : own,
    version: before?.version ?? null,
    operationTime: before?.operationTime ?? null,
  }
}

/** What a new row has in a field that was not sent. */
export function defaultOf(type: TypeModel, column: Column): Cell {
  const text = type.definition.fields[column.at]?.defaultValue
  if (text === undefined || text === null) return null
  if (column.type === 'Boolean') return text === 'true'
  if (column.type === 'Float' || column.type === 'Double') return Number(text)
  return readCell(column, text)
}
