import { Column, is, type Query } from 'drizzle-orm'
import { NodePgSession } from 'drizzle-orm/node-postgres'
import type { PgDialect } from 'drizzle-orm/pg-core'
import type pg from 'pg'

type Fields = Parameters<NodePgSession<never, never>['prepareQuery']>[1]
type Mapper = (rows: unknown[][]) => unknown

type Maker = (decoders: readonly unknown[]) => (row: unknown[]) => unknown

/** What makes mappers, by its code. */
const makers = new Map<string, Maker>()

/** Statements that PostgreSQL keeps planned on each connection, by their text. */
const names = new Map<string, string>()
const mostNames = 400

function nameOf(text: string): string | undefined {
  let name = names.get(text)
  if (name === undefined && names.size < mostNames) {
    name = `q${names.size}`
    names.set(text, name)
  }
  return name
}

/**
 * Drizzle's session with two things made cheaper: statements are planned once a connection, and rows of plain columns
 * are read by a list of columns instead of a walk over paths for every value.
 */
export class PlannedSession extends NodePgSession<never, never> {
  constructor(client: pg.PoolClient, dialect: PgDialect) {
    super(client, dialect, undefined)
  }

  override prepareQuery(
    query: Query,
    fields: Fields,
    name: string | undefined,
    isArrayMode: boolean,
    mapper?: Mapper,
    ...rest: never[]
  ) {
    const planned = name ?? nameOf(query.sql)
    return super.prepareQuery(query, fields, planned, isArrayMode, mapper ?? flatMapper(fields), ...rest) as never
  }
}

/**
 * A mapper where every field is a plain column; undefined leaves the rows to Drizzle. Its code is written once a
 * statement: an object that gets more than a dozen fields by computed names is kept as a hash table from then on, four
 * times as large and slower for everybody who reads it.
 */
function flatMapper(fields: Fields): Mapper | undefined {
  if (!fields) return undefined
  const decoders: (((value: unknown) => unknown) | null)[] = []
  const properties: string[] = []
  for (const { path, field } of fields) {
    const [key] = path
    if (path.length !== 1 || key === undefined || !is(field, Column)) return undefined
    const isPlain = field.mapFromDriverValue === Column.prototype.mapFromDriverValue
    const at = decoders.push(isPlain ? null : value => field.mapFromDriverValue(value)) - 1
    const value = isPlain ? `row[${at}]` : `row[${at}] === null ? null : decoders[${at}](row[${at}])`
    properties.push(`${JSON.stringify(key)}: ${value}`)
  }
  const body = `return row => ({ ${properties.join(', ')} })`
  let make = makers.get(body)
  if (!make) {
    make = new Function('decoders', body) as Maker
    if (makers.size < mostNames) makers.set(body, make)
  }
  const read = make(decoders)
  return rows => rows.map(read)
}
