import type { Context } from '../../../server/context.ts'
import { type Database, tableOf } from './model.ts'
import { poolOf, prepared } from './statements.ts'

/** What the database holds and what was done with it. */

interface Size {
  zone: string
  type: string
  rows: number
  bytes: number
}

/** Rows as PostgreSQL's statistics have them where a table is large, counted where it is not. */
async function tableSizes(ctx: Context, database: Database): Promise<Size[]> {
  const parts: string[] = []
  const values: string[] = []
  for (const zone of database.zones.values()) {
    for (const type of database.types.values()) {
      values.push(zone.name, type.name)
      const table = tableOf(zone, type)
      const at = values.length
      parts.push(`SELECT $${at - 1}::text AS zone, $${at}::text AS type, pg_total_relation_size('${table}') AS bytes,
        CASE WHEN (SELECT reltuples FROM pg_class WHERE oid = '${table}'::regclass) > 200000
          THEN (SELECT reltuples::bigint FROM pg_class WHERE oid = '${table}'::regclass)
          ELSE (SELECT count(*) FROM ${table} WHERE NOT naturalbase_deleted) END AS rows`)
    }
  }
  if (parts.length === 0) return []
  const run = poolOf(ctx.server, ctx.zone)
  const { rows } = await run.query<{ zone: string; type: string; bytes: string; rows: string }>(
    prepared(parts.join(' UNION ALL '), values),
  )
  return rows.map(row => ({ zone: row.zone, type: row.type, bytes: Number(row.bytes), rows: Number(row.rows) }))
}

export async function sizesOf(ctx: Context, database: Database) {
  const sizes = await tableSizes(ctx, database)
  const { rows } = await ctx.transaction(ctx.zone).query<{ zone_id: string; created_at: string }>({
    name: 'clouddb zones',
    text: 'SELECT zone_id, created_at FROM cdb_zones WHERE project_id = $1 AND team_id = $2',
    values: [database.projectId, ctx.teamId],
  })
  const madeAt = new Map(rows.map(row => [row.zone_id, Number(row.created_at)]))
  return [...database.zones.values()].map(zone => {
    const own = sizes.filter(one => one.zone === zone.name)
    return {
      zoneId: zone.zoneId,
      name: zone.name,
      rows: own.reduce((total, one) => total + one.rows, 0),
      bytes: own.reduce((total, one) => total + one.bytes, 0),
      createdAt: madeAt.get(zone.zoneId) ?? 0,
    }
  })
}

export async function usageOf(ctx: Context, database: Database, days: number) {
  const sizes = await tableSizes(ctx, database)
  const dayOf = (ago: number) => new Date(ctx.now() - ago * 86_400_000).toISOString().slice(0, 10)
  const { rows } = await ctx
    .transaction(ctx.zone)
    .query<{ day: string; reads: string; writes: string; bytes: string }>({
      name: 'clouddb usage',
      text: `SELECT day, sum(reads) AS reads, sum(writes) AS writes, sum(written_bytes) AS bytes FROM cdb_usage
      WHERE project_id = $1 AND team_id = $2 AND day >= $3 GROUP BY day ORDER BY day`,
      values: [database.projectId, ctx.teamId, dayOf(days - 1)],
    })
  const { rows: listening } = await ctx.transaction(ctx.zone).query<{ subscriptions: string | null }>({
    name: 'clouddb listening',
    text: 'SELECT sum(subscriptions) AS subscriptions FROM cdb_listeners WHERE project_id = $1 AND team_id = $2 AND at > $3',
    values: [database.projectId, ctx.teamId, ctx.now() - 20_000],
  })
  const known = new Map(rows.map(row => [row.day, row]))
  // Days on which nothing was done are days, too.
  const byDay = Array.from({ length: days }, (_none, at) => dayOf(days - 1 - at)).map(day => {
    const row = known.get(day)
    return {
      day,
      reads: Number(row?.reads ?? 0),
      writes: Number(row?.writes ?? 0),
      writtenBytes: Number(row?.bytes ?? 0),
    }
  })
  const sum = (list: readonly number[]) => list.reduce((total, one) => total + one, 0)
  return {
    storageBytes: sum(sizes.map(one => one.bytes)),
    rows: sum(sizes.map(one => one.rows)),
    reads: sum(byDay.map(one => one.reads)),
    writes: sum(byDay.map(one => one.writes)),
    subscriptions: Number(listening[0]?.subscriptions ?? 0),
    perType: sizes.map(({ type, zone, rows: count, bytes }) => ({ objectTypeName: type, zone, rows: count, bytes })),
    days: byDay,
  }
}
