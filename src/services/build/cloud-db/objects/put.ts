import { type Cell, type Column, countersOf, madeOnce, type Place, type TypeModel, tableOf } from '../model.ts'
import { castOf } from '../schema/ddl.ts'
import { prepared, preparedArrays, type Runner } from '../statements.ts'
import type { RawRow } from './read.ts'
import { rowColumns } from './sql.ts'
import { toParameter } from './values.ts'

/** Statements that write rows; each writes what listeners are told in the same breath. */

/** A row to be written: what is kept, by column. */
export type StoredRow = ReadonlyMap<Column, Cell>

export interface Written {
  /** Where in the log of changes; the others learn of them by these. */
  seqs: string[]
  /** Versions that the rows have now. */
  versions: string[]
  /** Versions of live rows that were there before, null where there was none. */
  before: (string | null)[]
}

/** A row as listeners compare and get it. */
function imageOf(type: TypeModel, alias: string): string {
  return madeOnce(type, `image ${alias}`, () => {
    const pairs = type.columns.map(column => `'${column.name}', ${imageValue(column, `${alias}.${column.sql}`)}`)
    pairs.push(
      `'naturalbase_version', ${alias}.naturalbase_version::text`,
      `'naturalbase_creator', ${alias}.naturalbase_creator`,
      `'naturalbase_operationtime', ${alias}.naturalbase_operationtime`,
    )
    const parts: string[] = []
    for (let at = 0; at < pairs.length; at += 40)
      parts.push(`jsonb_build_object(${pairs.slice(at, at + 40).join(', ')})`)
    return `(${parts.join(' || ')})`
  })
}

function imageValue(column: Column, sql: string): string {
  if (column.isSealed || column.isOpaque) return sql
  if (column.type === 'Date') return `(extract(epoch FROM ${sql}) * 1000)::bigint`
  if (column.type === 'ByteArray') return `translate(encode(${sql}, 'base64'), E'\\n', '')`
  return column.isLong ? `${sql}::text` : sql
}

/** The rest of a statement whose rows stand in `w`: the log, and what its writer is told. */
const log = ({ before, after, more = '' }: { before: string; after: string; more?: string }) => `, told AS (
    INSERT INTO cdb_changes (project_id, zone_id, type_key, version, before, after, bytes, at, hops)
    SELECT $1::bigint, $2::bigint, $3::text, version, ${before}, ${after}, $4::integer, $5::bigint, $6::smallint FROM w
    RETURNING seq, version)
  SELECT told.seq, told.version, w.was${more} FROM told JOIN w USING (version)`

const live = (alias: string) => `(${alias}.naturalbase_version IS NOT NULL AND NOT ${alias}.naturalbase_deleted)`

/** Parameters that every write begins with. */
function head({ database, dataZone, type, hops = 0 }: Place, at: number, bytes: number, rows: number): unknown[] {
  return [database.projectId, dataZone.zoneId, type.key, Math.ceil(bytes / Math.max(1, rows)), at, hops]
}

function putSql(place: Place, columns: readonly Column[], isInsert: boolean): string {
  const { type, dataZone } = place
  const name = `put ${dataZone.zoneId} ${isInsert} ${columns.map(column => column.at).join(',')}`
  return madeOnce(type, name, () => {
    const sent = new Set(columns)
    const names = columns.map(column => column.sql)
    const arrays = columns.map((column, at) => `$${at + 8}::${castOf(column)}[]`)
    const system = [
      'naturalbase_version',
      'naturalbase_creator',
      'naturalbase_lastmodifier',
      'naturalbase_operationtime',
    ]
    const others = type.columns.filter(column => !column.isKey)
    const sets = [
      // What was not sent stays as it is, but of a row from the bin nothing stays.
      ...others.map(({ sql, ...column }) =>
        sent.has(type.columns[column.at] as Column)
          ? `${sql} = excluded.${sql}`
          : `${sql} = CASE WHEN t.naturalbase_deleted THEN excluded.${sql} ELSE t.${sql} END`,
      ),
      'naturalbase_creator = CASE WHEN t.naturalbase_deleted THEN excluded.naturalbase_creator ELSE t.naturalbase_creator END',
      ...['version', 'lastmodifier', 'operationtime'].map(one => `naturalbase_${one} = excluded.naturalbase_${one}`),
      'naturalbase_deleted = false',
      'naturalbase_deletedtime = NULL',
    ]
    const creators = `$${columns.length + 8}::text[]`
    const made = ['naturalbase_creator', 'naturalbase_lastmodifier']
    return `WITH w AS (
      INSERT INTO ${tableOf(dataZone, type)} AS t (${[...names, ...system].join(', ')})
      SELECT ${[...names.map(one => `s.${one}`), `nextval('${countersOf(dataZone)}')`, ...made.map(one => `s.${one}`), '$5::bigint'].join(', ')}
      FROM unnest(${[...arrays, creators, '$7::text[]'].join(', ')}) AS s(${[...names, ...made].join(', ')})
      ON CONFLICT (${type.keys.map(key => key.sql).join(', ')}) DO UPDATE SET ${sets.join(', ')}
      ${isInsert ? 'WHERE t.naturalbase_deleted' : ''}
      RETURNING new.naturalbase_version AS version, CASE WHEN ${live('old')} THEN old.naturalbase_version END AS was,
        CASE WHEN ${live('old')} THEN ${imageOf(type, 'old')} END AS before, ${imageOf(type, 'new')} AS after,
        ARRAY[${type.keys.map(key => `new.${key.sql}::text`).join(', ')}] AS key)
      ${log({ before: 'before', after: 'after', more: ', w.key' })}`
  })
}

/**
 * Writes rows that all have the same fields. With `isInsert` rows whose key is taken are left out; the count tells. A
 * field that is not sent keeps its value, or gets its default in a new row.
 */
export async function putRows(
  run: Runner,
  place: Place,
  rows: readonly StoredRow[],
  how: {
    isInsert: boolean
    /** One for all, or of each row. */
    by: string | readonly string[]
    creators: readonly (string | null)[]
    at: number
    bytes: number
  },
): Promise<Written & { told: Told[] }> {
  const columns = place.type.columns.filter(column => rows[0]?.has(column))
  const arrays = columns.map(column => rows.map(row => toParameter(column, row.get(column) ?? null)))
  const by = typeof how.by === 'string' ? rows.map(() => how.by) : how.by
  const values = [...head(place, how.at, how.bytes, rows.length), by, ...arrays, how.creators]
  const { rows: told } = await run.query<Told>(prepared(putSql(place, columns, how.isInsert), values))
  return { ...toWritten(told), told }
}

/** What is told of a row that was written; by its key where it was put. */
export interface Told extends Record<string, unknown> {
  seq: string
  version: string
  was: string | null
  key?: string[]
}

const toWritten = (rows: readonly Told[]): Written => ({
  seqs: rows.map(row => row.seq),
  versions: rows.map(row => row.version),
  before: rows.map(row => row.was),
})

/** The condition that finds rows by lists of their keys. */
function keysSql(type: TypeModel, first: number): string {
  const arrays = type.keys.map((key, at) => `$${first + at}::${castOf(key)}[]`)
  const [key] = type.keys
  if (type.keys.length === 1 && key) return `t.${key.sql} = ANY(${arrays[0]})`
  return `(${type.keys.map(one => `t.${one.sql}`).join(', ')}) IN (SELECT * FROM unnest(${arrays.join(', ')}))`
}

export const keyParameters = (type: TypeModel, rows: readonly StoredRow[]): unknown[][] =>
  type.keys.map(key => rows.map(row => toParameter(key, row.get(key) ?? null)))

/** Takes rows away: into the bin where there is one, else for good. */
export async function takeRows(
  run: Runner,
  place: Place,
  rows: readonly StoredRow[],
  how: { by: string; at: number },
): Promise<Written> {
  const { type, dataZone, database } = place
  const keepsBin = database.retentionDays > 0
  const text = madeOnce(type, `take ${dataZone.zoneId} ${keepsBin}`, () => {
    const where = `${keysSql(type, 8)} AND NOT t.naturalbase_deleted`
    const change = keepsBin
      ? `UPDATE ${tableOf(dataZone, type)} AS t SET naturalbase_deleted = true, naturalbase_deletedtime = $5::bigint,
          naturalbase_version = nextval('${countersOf(dataZone)}'), naturalbase_lastmodifier = $7::text, naturalbase_operationtime = $5::bigint
          WHERE ${where} RETURNING new.naturalbase_version AS version`
      : `DELETE FROM ${tableOf(dataZone, type)} AS t WHERE ${where} AND $7::text IS NOT NULL
          RETURNING nextval('${countersOf(dataZone)}') AS version`
    return `WITH w AS (${change}, old.naturalbase_version AS was, ${imageOf(type, 'old')} AS before)
      ${log({ before: 'before', after: 'NULL::jsonb' })}`
  })
  const values = [...head(place, how.at, 0, 1), how.by, ...keyParameters(type, rows)]
  return toWritten((await run.query<Told>(prepared(text, values))).rows)
}

/** Rows by their keys, held until the end of the transaction, in the order of their keys; rows of the bin too. */
export async function holdRows(
  run: Runner,
  place: Place,
  rows: readonly StoredRow[],
): Promise<{ raw: RawRow; isDeleted: boolean }[]> {
  const { type, dataZone } = place
  const text = madeOnce(
    type,
    `hold ${dataZone.zoneId}`,
    () => `SELECT ${rowColumns(type)}, naturalbase_deleted FROM ${tableOf(dataZone, type)} AS t
      WHERE ${keysSql(type, 1)} ORDER BY ${type.keys.map(key => key.sql).join(', ')} FOR UPDATE`,
  )
  const found = await run.query<never>(preparedArrays(text, keyParameters(type, rows)))
  return (found.rows as RawRow[]).map(raw => ({ raw, isDeleted: raw.at(-1) === true }))
}

/** Says that rows changed without naming them: listeners look again. */
export async function logManyChanged(run: Runner, place: Place, at: number, bytes = 0): Promise<Written> {
  const text = `INSERT INTO cdb_changes (project_id, zone_id, type_key, version, before, after, bytes, at, hops)
    SELECT $1::bigint, $2::bigint, $3::text, nextval('${countersOf(place.dataZone)}'), NULL, NULL, $4::integer, $5::bigint, $6::smallint RETURNING seq, version, NULL AS was`
  return toWritten((await run.query<Told>(prepared(text, head(place, at, bytes, 1)))).rows)
}

/** Moves the counter of keys behind one that was given. */
export async function moveCounter(run: Runner, place: Place, highest: string): Promise<void> {
  const counter = `${place.dataZone.schema}."q_${place.type.key}"`
  await run.query(
    prepared(`SELECT setval('${counter}', $1::bigint) FROM ${counter} WHERE last_value < $1::bigint OR NOT is_called`, [
      highest,
    ]),
  )
}

/** Brings rows back out of the bin: those of the keys, or all. */
export async function restoreRows(
  run: Runner,
  place: Place,
  keys: readonly StoredRow[] | null,
  how: { by: string; at: number },
): Promise<{ seqs: string[]; restored: Set<string> }> {
  const { type, dataZone } = place
  const keyed = type.keys.map(key => `new.${key.sql}::text`)
  const key = keyed.length === 1 ? keyed[0] : `jsonb_build_array(${keyed.join(', ')})::text`
  const text = madeOnce(
    type,
    `restore ${dataZone.zoneId} ${keys === null}`,
    () => `WITH w AS (
      UPDATE ${tableOf(dataZone, type)} AS t SET naturalbase_deleted = false, naturalbase_deletedtime = NULL,
        naturalbase_version = nextval('${countersOf(dataZone)}'), naturalbase_lastmodifier = $7::text, naturalbase_operationtime = $5::bigint
      WHERE t.naturalbase_deleted ${keys === null ? '' : `AND ${keysSql(type, 8)}`}
      RETURNING new.naturalbase_version AS version, ${key} AS key, ${imageOf(type, 'new')} AS after),
    told AS (INSERT INTO cdb_changes (project_id, zone_id, type_key, version, before, after, bytes, at, hops)
      SELECT $1::bigint, $2::bigint, $3::text, version, NULL, after, $4::integer, $5::bigint, $6::smallint FROM w RETURNING seq, version)
    SELECT seq, key FROM told JOIN w USING (version)`,
  )
  const values = [...head(place, how.at, 0, 1), how.by, ...(keys === null ? [] : keyParameters(type, keys))]
  const { rows } = await run.query<{ seq: string; key: string }>(prepared(text, values))
  return { seqs: rows.map(row => row.seq), restored: new Set(rows.map(row => row.key)) }
}
