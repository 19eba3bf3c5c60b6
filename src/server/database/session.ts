import { Column, is, type Query } from 'drizzle-orm'
import { NodePgSession } from 'drizzle-orm/node-postgres'
import type { PgDialect } from 'drizzle-orm/pg-core'
import type pg from 'pg'

type Fields = Parameters<NodePgSession<never, never>['prepareQuery']>[1]
type Mapper = (rows: unknown[][]) => unknown

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

/** A mapper where every field is a plain column; undefined leaves the rows to Drizzle. */
function flatMapper(fields: Fields): Mapper | undefined {
  if (!fields) return undefined
  const columns: { key: string; decode: ((value: unknown) => unknown) | null }[] = []
  for (const { path, field } of fields) {
    const [key] = path
    if (path.length !== 1 || key === undefined || !is(field, Column)) return undefined
    const isPlain = field.mapFromDriverValue === Column.prototype.mapFromDriverValue
    columns.push({ key, decode: isPlain ? null : value => field.mapFromDriverValue(value) })
  }
  return rows =>
    rows.map(row => {
      const result: Record<string, unknown> = {}
      for (let at = 0; at < columns.length; at++) {
        const { key, decode } = columns[at] as (typeof columns)[number]
        const value = row[at]
        result[key] = value === null || decode === null ? value : decode(value)
      }
      return result
    })
}
