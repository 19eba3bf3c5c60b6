import { refuse } from '../../../../kernel/errors.ts'
import { reasonOf } from '../../../../server/log.ts'
import type { Ruleset } from '../../rules/public.ts'
import { forgetSchema } from '../catalogue.ts'
import { cloudDb } from '../contract.ts'
import type { Cell, Column, Place, TypeModel } from '../model.ts'
import { tableOf } from '../model.ts'
import { limits } from '../schema/rules.ts'
import { isSchemaGone, Parameters, poolOf, prepared, preparedArrays, quickLaneOf, type Runner } from '../statements.ts'
import { type Actor, assertRule, type KnownRow, readFilter, rulesFor } from './access.ts'
import { type Query, readQuery } from './conditions.ts'
import { JsonText } from './json-text.ts'
import { dataErrors } from './rules.ts'
import { aggregateName, aggregateSql, assertPageIndex, conditionSql, indexText, listSql, missingIndex } from './sql.ts'
import { fromDatabase, type Sealer, sealerOf, toWire } from './values.ts'

/** A row as PostgreSQL answers it: the fields in their order, then version, creator and time. */
export type RawRow = unknown[]

/** A row for whoever compares or shows it. */
export class ReadRow implements KnownRow {
  readonly #type: TypeModel
  readonly #raw: RawRow

  constructor(type: TypeModel, raw: RawRow) {
    this.#type = type
    this.#raw = raw
  }

  cellOf(column: Column): Cell {
    return fromDatabase(column, this.#raw[column.at])
  }

  get version(): string {
    return String(this.#raw[this.#type.columns.length])
  }

  get creator(): string | null {
    return this.#raw[this.#type.columns.length + 1] as string | null
  }

  get operationTime(): number {
    return Number(this.#raw[this.#type.columns.length + 2])
  }
}

export interface Found {
  query: Query
  rows: RawRow[]
}

/** Rows that a query finds and the caller may see. */
export async function findRows(
  place: Place,
  actor: Actor,
  conditions: unknown,
  how: { run?: Runner; isDeleted?: boolean } = {},
): Promise<Found> {
  const { type, dataZone } = place
  const query = readQuery(type, conditions)
  assertPageIndex(type, query)
  await assertCheap(place, query)
  const rules = await rulesFor(place, actor)
  const wantsOne = rules !== null && how.isDeleted !== true && isOneKey(type, query)
  const parameters = new Parameters()
  const filter = await readFilter(place, actor, wantsOne ? null : rules, askedOf(query), parameters)
  if (filter === null || query.limit === 0) return { query, rows: [] }
  const text = listSql(dataZone, type, query, parameters, filter, how)
  const { rows } = await guarded(place, () =>
    (how.run ?? laneOf(place, query)).query<never>(preparedArrays(text, parameters.values)),
  )
  if (rows.length > limits.queryRows) refuse(dataErrors.tooManyAnswered, { limit: limits.queryRows })
  if (wantsOne) await assertGet(place, actor, rules, rows as RawRow[], query)
  const isBackward = query.page?.how === 'EndAt' || query.page?.how === 'EndBefore'
  return { query, rows: (isBackward ? rows.reverse() : rows) as RawRow[] }
}

const laneOf = ({ server, zone, type }: Place, query: Query): Runner =>
  isOneKey(type, query) ? quickLaneOf(server, zone) : poolOf(server, zone)

/** A query for exactly one key is a `get` to the rules, and refused where they deny it; every other is a `list`. */
function isOneKey(type: TypeModel, query: Query): boolean {
  const parts = query.where.kind === 'and' ? query.where.parts : [query.where]
  const named = parts.flatMap(part => (part.kind === 'compare' && part.how === 'EqualTo' ? [part.column] : []))
  return parts.length === type.keys.length && type.keys.every(key => named.includes(key))
}

async function assertGet(
  place: Place,
  actor: Actor,
  rules: Ruleset,
  rows: readonly RawRow[],
  query: Query,
): Promise<void> {
  const { type } = place
  const parts = query.where.kind === 'and' ? query.where.parts : [query.where]
  const sent = new Map(parts.flatMap(part => (part.kind === 'compare' ? [[part.column, part.value] as const] : [])))
  const before = rows[0] ? new ReadRow(type, rows[0]) : null
  await assertRule(place, actor, rules, 'get', {
    keys: type.keys.map(key => String(sent.get(key))),
    before,
    after: null,
  })
}

/** Aggregates of what a query finds and the caller may see: one row, or one a group. */
export async function findAggregates(place: Place, actor: Actor, query: Query): Promise<Record<string, Cell>[]> {
  await assertCheap(place, query)
  const parameters = new Parameters()
  const filter = await readFilter(place, actor, await rulesFor(place, actor), askedOf(query), parameters)
  const text = aggregateSql(place.dataZone, place.type, query, parameters, filter ?? 'FALSE')
  const { rows } = await guarded(place, () =>
    poolOf(place.server, place.zone).query<never>(preparedArrays(text, parameters.values)),
  )
  if (rows.length > limits.queryRows) refuse(dataErrors.tooManyAnswered, { limit: limits.queryRows })
  return (rows as RawRow[]).map(row => {
    const answer: Record<string, Cell> = {}
    for (const [at, column] of query.groupBy.entries())
      answer[column.name] = toWire(column, fromDatabase(column, row[at]))
    for (const [at, one] of query.aggregates.entries())
      answer[aggregateName(one)] = toNumber(row[query.groupBy.length + at])
    return answer
  })
}

/** Sums of whole numbers come as text; those a number can hold go out as one. */
function toNumber(value: unknown): Cell {
  if (typeof value !== 'string') return value as Cell
  const number = Number(value)
  return Number.isSafeInteger(number) || !/^-?\d+$/.test(value) ? number : value
}

/** How many rows conditions find; none of the order or the page plays a part. */
export async function countRows(
  place: Place,
  actor: Actor,
  conditions: readonly unknown[],
  isDeleted: boolean,
): Promise<number> {
  const kinds = new Set(['Limit', 'OrderBy', 'StartAt', 'StartAfter', 'EndAt', 'EndBefore', 'Select'])
  const query = readQuery(
    place.type,
    conditions.filter(one => !kinds.has(String((one as { conditionType?: unknown } | null)?.conditionType))),
  )
  const parameters = new Parameters()
  const filter = (await readFilter(place, actor, await rulesFor(place, actor), askedOf(query), parameters)) ?? 'FALSE'
  const bin = isDeleted ? 'naturalbase_deleted' : 'NOT naturalbase_deleted'
  const where = `${bin} AND ${conditionSql(query.where, parameters)} AND ${filter}`
  const table = tableOf(place.dataZone, place.type)
  const { rows } = await guarded(place, () =>
    poolOf(place.server, place.zone).query<{ count: string }>(
      prepared(`SELECT count(*) FROM ${table} AS t WHERE ${where}`, parameters.values),
    ),
  )
  return Number(rows[0]?.count)
}

/** What rules see of the query. */
function askedOf(query: Query): Record<string, unknown> {
  return {
    limit: query.limit ?? limits.queryRows,
    offset: query.offset,
    orderBy: query.order.map(one => one.column.name),
    filters: query.count,
  }
}

const sizes = new Map<string, { at: number; isLarge: boolean }>()
const sizeKnownMs = 10_000

/** Refuses what would look at every row of a large table, and names the index to add. */
async function assertCheap(place: Place, query: Query): Promise<void> {
  const missing = missingIndex(place.type, query)
  if (missing === null) return
  const table = tableOf(place.dataZone, place.type)
  const now = place.server.clock.now()
  let known = sizes.get(table)
  if (!known || now - known.at > sizeKnownMs || now < known.at) {
    const { rows } = await guarded(place, () =>
      poolOf(place.server, place.zone).query<{ count: string }>(
        prepared(`SELECT count(*) FROM (SELECT 1 FROM ${table} LIMIT ${limits.unindexedRows + 1}) AS counted`, []),
      ),
    )
    known = { at: now, isLarge: Number(rows[0]?.count) > limits.unindexedRows }
    if (sizes.size > 5_000) sizes.clear()
    sizes.set(table, known)
  }
  if (!known.isLarge) return
  const isDescending = query.order[0]?.isDescending ?? false
  const index = missing.length > 0 ? indexText(missing, isDescending) : 'one that begins with a field of a condition'
  refuse(dataErrors.indexNeeded, { rows: limits.unindexedRows, typeName: place.type.name, index })
}

/** A statement against tables that are no longer what we remember is refused as the changed schema it is. */
export async function guarded<T>(place: Omit<Place, 'type'>, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isSchemaGone(error)) throw error
    const { projectId } = place.database
    place.server.log.warn({ projectId, reason: reasonOf(error) }, 'tables are no longer as they were remembered')
    forgetSchema(place.server, place.zone, projectId)
    return refuse(cloudDb.errors.schemaChanged, { version: place.database.schemaVersion })
  }
}

/** A field of an answer: a column, or what stands for one that is gone. */
export interface SeenField {
  name: string
  column: Column | null
  absent: Cell
}

/** Rows as the wire has them, as JSON text; what is sensitive is opened. `fields`: those that the asker knows. */
export function toJson(
  place: Place,
  { query, rows }: Found,
  how: { isConsole?: boolean; fields?: readonly SeenField[] } = {},
): string {
  const { type } = place
  const chosen = query.select.length > 0 ? [...new Set([...type.keys, ...query.select])] : type.columns
  const known = how.fields && new Set(how.fields.map(field => field.column))
  const columns = known ? chosen.filter(column => known.has(column)) : chosen
  const gone = (query.select.length > 0 ? [] : (how.fields ?? [])).filter(field => field.column === null)
  const tail = gone.map(({ name, absent }) => `,${JSON.stringify(name)}:${JSON.stringify(absent)}`).join('')
  const sealer = columns.some(column => column.isSealed) ? sealerFor(place) : null
  const parts = columns.map(column => ({
    column,
    head: `,${JSON.stringify(column.name)}:`,
    isText: isPlainText(column),
  }))
  const [version, creator, time] = [type.columns.length, type.columns.length + 1, type.columns.length + 2]
  const text = new JsonText()
  for (const [at, row] of rows.entries()) {
    text.json(at === 0 ? '[{"naturalbase_version":"' : ',{"naturalbase_version":"')
    text.json(String(row[version]))
    text.json('"')
    let cut: string[] | null = null
    for (const { column, head, isText } of parts) {
      const value = row[column.at]
      text.json(head)
      if (how.isConsole && isLong(value)) {
        cut ??= []
        cut.push(column.name)
        text.string(shortOf(value))
      } else if (isText && typeof value === 'string') text.string(value)
      else text.json(cellJson(column, value, sealer))
    }
    text.json(tail)
    if (cut) text.json(`,"naturalbase_cut":${JSON.stringify(cut)}`)
    if (how.isConsole)
      text.json(`,"naturalbase_creator":${JSON.stringify(row[creator])},"naturalbase_operationtime":${row[time]}`)
    text.json('}')
    if (text.length > limits.writeBytes) refuse(dataErrors.tooLargeAnswer, { limitBytes: limits.writeBytes })
  }
  text.json(rows.length === 0 ? '[]' : ']')
  return text.toString()
}

/** What a grid shows of a long value; `field/load` has the rest. */
const shownLength = 255
const isLong = (value: unknown): value is string | Buffer =>
  (typeof value === 'string' || Buffer.isBuffer(value)) && value.length > shownLength
const shortOf = (value: string | Buffer): string =>
  typeof value === 'string' ? value.slice(0, shownLength).toWellFormed() : value.subarray(0, 189).toString('base64')

/** Stands in an answer just as it stands in the table. */
const isPlainText = ({ type, isSealed, isOpaque }: Column): boolean =>
  (type === 'String' || type === 'Text') && !isSealed && !isOpaque

function cellJson(column: Column, value: unknown, sealer: Sealer | null): string {
  if (value === null || value === undefined) return 'null'
  if (column.isSealed) return JSON.stringify(toWire(column, sealer ? sealer.open(column, value as Cell) : null))
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return JSON.stringify(toWire(column, fromDatabase(column, value)))
}

export const sealerFor = ({ server, database, type }: Place): Sealer =>
  sealerOf(server.masterKey, database.projectId, type)
