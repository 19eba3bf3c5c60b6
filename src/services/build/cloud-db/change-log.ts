import type { Context } from '../../../server/context.ts'
import { databaseOf } from './catalogue.ts'
import type { LoggedChange, Stored } from './live/change.ts'
import type { Cell, Database, TypeModel } from './model.ts'
import { toWire } from './objects/values.ts'

/** A row that was written, for who works with an app's data. What is sealed or encrypted is left out. */
export interface DataChange {
  /** Tells changes apart, for ever. */
  seq: string
  projectId: string
  zone: string
  objectType: string
  key: Record<string, Cell>
  /** Null of a row that was not there. */
  before: Record<string, Cell> | null
  after: Record<string, Cell> | null
  /** Counts up within a data zone. */
  version: string
  /** Who made the row; null of a server or the console. */
  uid: string | null
  at: number
  /** How many functions led to it. */
  hops: number
}

/** A place in the log. */
export interface LogMark {
  xid: string
  seq: string
}

interface LogRow extends LoggedChange, Record<string, unknown> {
  xid: string
  projectId: string
  at: string
  hops: number
}

export async function changesAfter(
  ctx: Context,
  projectIds: readonly string[],
  mark: LogMark,
  limit: number,
): Promise<{ changes: DataChange[]; mark: LogMark; isWhole: boolean }> {
  const run = ctx.transaction(ctx.zone)
  const { rows: upTo } = await run.query<{ xid: string }>({
    name: 'clouddb log end',
    text: 'SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS xid',
  })
  const until = upTo[0]?.xid ?? '0'
  const { rows } = await run.query<LogRow>({
    name: 'clouddb log after',
    text: `SELECT seq, xid::text AS xid, project_id AS "projectId", zone_id AS "zoneId", type_key AS "typeKey", version, before, after, at, hops
      FROM cdb_changes WHERE (xid, seq) > ($1::text::xid8, $2::bigint) AND xid < $3::text::xid8 AND project_id = ANY($4::bigint[])
      ORDER BY xid, seq LIMIT $5`,
    values: [mark.xid, mark.seq, until, projectIds, limit],
  })
  const changes: DataChange[] = []
  for (const row of rows) {
    const database = await databaseOf(ctx.server, ctx.zone, row.projectId)
    const change = database && toChange(database, row)
    if (change) changes.push(change)
  }
  const last = rows.at(-1)
  const isWhole = rows.length < limit
  return { changes, isWhole, mark: isWhole || !last ? { xid: until, seq: '0' } : { xid: last.xid, seq: last.seq } }
}

/** Null where a whole table changed at once, or its type or zone is gone. */
function toChange(database: Database, row: LogRow): DataChange | null {
  const image = row.after ?? row.before
  const type = database.types.get(row.typeKey)
  const zone = [...database.zones.values()].find(one => one.zoneId === row.zoneId)
  if (!image || !type || !zone) return null
  const { seq, projectId, version, hops } = row
  return {
    ...{ seq, projectId, version, hops, zone: zone.name, objectType: type.name },
    key: wireRow(type, image, true),
    before: row.before && wireRow(type, row.before),
    after: row.after && wireRow(type, row.after),
    uid: (image['naturalbase_creator'] as string | null | undefined) ?? null,
    at: Number(row.at),
  }
}

function wireRow(type: TypeModel, stored: Stored, keysOnly = false): Record<string, Cell> {
  const shown = type.columns.filter(column => !column.isSealed && !column.isOpaque && (column.isKey || !keysOnly))
  return Object.fromEntries(shown.map(column => [column.name, toWire(column, stored[column.name] ?? null)]))
}
