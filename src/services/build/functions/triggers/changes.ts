import type { ZoneId } from '../../../../kernel/zones.ts'
import { type Context, systemContext } from '../../../../server/context.ts'
import { reasonOf } from '../../../../server/log.ts'
import type { Server } from '../../../../server/server.ts'
import { type DataChange, onChanges, readChanges } from '../../cloud-db/public.ts'
import { type Fact, fire } from './firing.ts'
import { listeningTo, type TriggerRow } from './queries.ts'
import { changedFields, kindOfChange, waitsForRow } from './rules.ts'

const markName = 'clouddb'
const rowsAtOnce = 200
const pauseMs = 20

/**
 * From now on the log is read; what stands in it already was no trigger's. Where it is read already, it goes on. Needs to
 * see the triggers of all teams.
 */
export async function markLog(ctx: Context): Promise<void> {
  await ctx.transaction(ctx.zone).query({
    name: 'functions mark log',
    text: `INSERT INTO fn_log_marks (name, xid, seq) VALUES ($1, pg_snapshot_xmin(pg_current_snapshot()), 0)
      ON CONFLICT (name) DO UPDATE SET xid = excluded.xid, seq = 0
        WHERE NOT EXISTS (SELECT 1 FROM fn_triggers WHERE type_code = 'CLOUDDB' AND is_enabled)`,
    values: [markName],
  })
}

/** Has functions called for rows that were written since the last look, a part at a time; false where nothing is left. */
export async function fireChanges(ctx: Context): Promise<boolean> {
  const { rows: listening } = await ctx.transaction(ctx.zone).query<{ project_id: string }>({
    name: 'functions listening to rows',
    text: `SELECT DISTINCT project_id FROM fn_triggers WHERE type_code = 'CLOUDDB' AND is_enabled`,
  })
  if (listening.length === 0) return false
  // Held until the end: one process reads at a time, and what another would read is skipped.
  const { rows: marks } = await ctx.transaction(ctx.zone).query<{ xid: string; seq: string }>({
    name: 'functions log mark',
    text: 'SELECT xid::text AS xid, seq FROM fn_log_marks WHERE name = $1 FOR UPDATE SKIP LOCKED',
    values: [markName],
  })
  const [mark] = marks
  if (!mark) return false
  const projectIds = listening.map(row => row.project_id)
  const read = await readChanges(ctx, projectIds, mark, rowsAtOnce)
  if (read.changes.length > 0) {
    const triggers = await listeningTo(ctx, projectIds, 'CLOUDDB')
    await fire(
      ctx,
      read.changes.flatMap(change => triggers.filter(one => waits(one, change)).map(one => factOf(one, change))),
    )
  }
  if (read.mark.xid !== mark.xid || read.mark.seq !== mark.seq)
    await ctx.transaction(ctx.zone).query({
      name: 'functions log read',
      text: 'UPDATE fn_log_marks SET xid = $2::text::xid8, seq = $3 WHERE name = $1',
      values: [markName, read.mark.xid, read.mark.seq],
    })
  return !read.isWhole
}

const waits = (trigger: TriggerRow, change: DataChange) =>
  trigger.projectId === change.projectId && trigger.activeSince <= change.at && waitsForRow(trigger.config, change)

function factOf(trigger: TriggerRow, change: DataChange): Fact {
  const { seq, zone, objectType, key, before, after, version, uid, at, hops } = change
  return {
    trigger,
    id: `row:${seq}`,
    depth: hops,
    order: { key: JSON.stringify([zone, objectType, key]), no: version },
    event: {
      ...{ eventType: kindOfChange(change), zone, objectType, primaryKey: key, data: after, old: before },
      ...{ changedFields: changedFields(before, after), uid, version, time: at },
    },
  }
}

/** Looks at the log soon after rows were written here; a sweep looks for whatever was missed. */
export function hearChanges(server: Server): () => void {
  const timers = new Map<ZoneId, NodeJS.Timeout>()
  let isOver = false
  for (const zone of server.config.zones) {
    const look = async () => {
      timers.delete(zone)
      const ctx = systemContext(server, zone, { name: 'functions.triggers', scope: 'all' })
      const isMore = await ctx.transact(fireChanges)
      if (isMore && !isOver) await look()
    }
    onChanges(server, zone, () => {
      if (isOver || timers.has(zone)) return
      const run = () =>
        look().catch(error =>
          server.log.warn({ zone, reason: reasonOf(error) }, 'triggers wait: rows could not be read'),
        )
      timers.set(
        zone,
        setTimeout(() => void run(), pauseMs),
      )
    })
  }
  return () => {
    isOver = true
    for (const timer of timers.values()) clearTimeout(timer)
  }
}
