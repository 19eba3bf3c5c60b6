import type { ZoneId } from '../../../kernel/zones.ts'
import { systemContext } from '../../../server/context.ts'
import type { Server } from '../../../server/server.ts'
import type { Place } from './model.ts'

/** Reads are counted in memory and written every few seconds: a row a read would cost more than the read. */
interface Counted {
  zone: ZoneId
  projectId: string
  teamId: string
  typeKey: string
  reads: number
}
const counts = new WeakMap<Server, Map<string, Counted>>()

export function countReads({ server, zone, database, type }: Place, rows: number): void {
  const all = counts.get(server) ?? new Map<string, Counted>()
  counts.set(server, all)
  const key = `${database.projectId} ${type.key}`
  const known = all.get(key)
  if (known) known.reads += Math.max(1, rows)
  else {
    const { projectId, teamId } = database
    all.set(key, { zone, projectId, teamId, typeKey: type.key, reads: Math.max(1, rows) })
  }
}

/** Writes what was read since the last time. */
export async function writeReads(server: Server): Promise<void> {
  const all = counts.get(server)
  if (!all || all.size === 0) return
  const rows = [...all.values()]
  all.clear()
  const day = new Date(server.clock.now()).toISOString().slice(0, 10)
  for (const zone of new Set(rows.map(row => row.zone))) {
    const own = rows.filter(row => row.zone === zone)
    await systemContext(server, zone, { name: 'cloud-db usage', scope: 'all' }).transact(ctx =>
      ctx.transaction(zone).query({
        name: 'clouddb reads',
        text: `INSERT INTO cdb_usage (project_id, team_id, day, type_key, reads)
          SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::bigint[])
          ON CONFLICT (project_id, day, type_key) DO UPDATE SET reads = cdb_usage.reads + excluded.reads`,
        values: [
          own.map(row => row.projectId),
          own.map(row => row.teamId),
          own.map(() => day),
          own.map(row => row.typeKey),
          own.map(row => row.reads),
        ],
      }),
    )
  }
}
