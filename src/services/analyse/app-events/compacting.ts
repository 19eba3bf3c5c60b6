import type { Context } from '../../../server/context.ts'
import { segmentName } from '../../../server/engines/analytics/analytics.ts'
import { writeParquet } from '../../../server/engines/analytics/ask.ts'
import { isDuckDbInstalled } from '../../../server/engines/analytics/installed.ts'
import { storedBefore } from '../../../server/engines/bytes/walk.ts'
import { dayMs, dayOf, limits } from './rules.ts'
import { addSegment, fileColumns, fileOrder, keptFile, lockProject, type Segment, sealProject } from './sealing.ts'

const projectsAtOnce = 50

/** Puts what has waited long enough into files, and makes one of the many files of a day. */
export async function compact(ctx: Context): Promise<void> {
  if (!isDuckDbInstalled()) return
  const { rows: due } = await ctx.transact(inner =>
    inner.transaction(inner.zone).query<{ projectId: string }>({
      text: `SELECT project_id::text AS "projectId" FROM app_event_buffer GROUP BY project_id
        HAVING min(received_at) <= $1 OR count(*) >= $2 ORDER BY min(received_at) LIMIT $3`,
      values: [ctx.now() - limits.bufferedMs, limits.bufferedRows, projectsAtOnce],
    }),
  )
  for (const { projectId } of due) await alone(ctx, projectId, () => sealProject(ctx.server, ctx.zone, projectId))
  const { rows: days } = await ctx.transact(inner =>
    inner.transaction(inner.zone).query<{ projectId: string; day: string }>({
      text: `SELECT project_id::text AS "projectId", day FROM app_event_segments
        WHERE drop_at IS NULL AND rows < $1 GROUP BY 1, 2 HAVING count(*) >= $2 LIMIT $3`,
      values: [limits.rowsToMerge, limits.filesOfDay, projectsAtOnce],
    }),
  )
  for (const { projectId, day } of days) await alone(ctx, projectId, () => mergeDay(ctx, projectId, day))
}

/** What goes wrong with one project keeps no other one waiting. */
async function alone(ctx: Context, projectId: string, work: () => Promise<void>): Promise<void> {
  await work().catch(error => ctx.log.error({ err: error, projectId }, 'events of a project stay as they are'))
}

async function mergeDay(ctx: Context, projectId: string, day: string): Promise<void> {
  const { rows: small } = await ctx.transact(inner =>
    inner.transaction(inner.zone).query<Segment>({
      text: `SELECT segment_id::text AS "segmentId", team_id::text AS "teamId", day, rows::float8 AS rows,
          min_at::float8 AS "minAt", max_at::float8 AS "maxAt", sha256
        FROM app_event_segments WHERE project_id = $1 AND day = $2 AND drop_at IS NULL AND rows < $3 ORDER BY seq LIMIT 100`,
      values: [projectId, day, limits.rowsToMerge],
    }),
  )
  await replace(ctx, projectId, small, { where: 'true', parameters: {}, dropAfterMs: limits.dropAfterMs })
}

export interface Replacing {
  /** Which rows of them stay. */
  where: string
  parameters: Record<string, string>
  dropAfterMs: number
}

/** One file in the place of some of one day; whether it took their place, or somebody else changed them meanwhile. */
export async function replace(
  ctx: Context,
  projectId: string,
  old: readonly Segment[],
  wish: Replacing,
): Promise<boolean> {
  const [first] = old
  if (!first) return true
  const segmentId = ctx.newId()
  const written = await writeParquet(ctx.server, {
    source: {
      sql: `SELECT ${fileColumns} FROM read_parquet($files) WHERE ${wish.where}`,
      parameters: wish.parameters,
      files: old.map(one => segmentName(ctx.zone, one.sha256)),
    },
    orderBy: fileOrder,
    label: segmentId,
  })
  const stored = await keptFile(ctx, written)
  return ctx.transact(async inner => {
    await lockProject(inner, projectId)
    const ids = old.map(one => one.segmentId)
    const { rowCount } = await inner.transaction(inner.zone).query({
      name: 'app events replace',
      text: `UPDATE app_event_segments SET drop_at = $2 WHERE segment_id IN (
        SELECT segment_id FROM app_event_segments WHERE segment_id = ANY($1::bigint[]) AND drop_at IS NULL
          AND (SELECT count(*) FROM app_event_segments WHERE segment_id = ANY($1::bigint[]) AND drop_at IS NULL) = $3)`,
      values: [ids, inner.now() + wish.dropAfterMs, ids.length],
    })
    if (rowCount !== ids.length) return false
    if (stored) {
      const minAt = Math.min(...old.map(one => one.minAt))
      const maxAt = Math.max(...old.map(one => one.maxAt))
      await addSegment(inner, { ...stored, segmentId, teamId: first.teamId, projectId, day: first.day, minAt, maxAt })
    }
    return true
  })
}

/** Lets go what is too old, and removes files whose time has come: first the bytes, then the row that names them. */
export async function dropFiles(ctx: Context): Promise<void> {
  await ctx.transact(async inner => {
    const query = inner.transaction(inner.zone)
    const before = inner.now() - limits.keptDays * dayMs
    await query.query({ text: 'DELETE FROM app_event_buffer WHERE at < $1', values: [before] })
    await query.query({
      text: 'UPDATE app_event_segments SET drop_at = $2 WHERE day < $1 AND drop_at IS NULL',
      values: [dayOf(before), inner.now()],
    })
  })
  const engine = ctx.server.bytes(ctx.zone, 'events')
  for (;;) {
    const { rows } = await ctx.transact(inner =>
      inner.transaction(inner.zone).query<{ id: string; sha256: string }>({
        text: `SELECT segment_id::text AS id, sha256 FROM app_event_segments WHERE drop_at <= $1 ORDER BY drop_at LIMIT 500`,
        values: [ctx.now()],
      }),
    )
    if (rows.length === 0) return
    for (const { sha256 } of rows) await engine.remove(sha256)
    await ctx.transact(inner =>
      inner.transaction(inner.zone).query({
        text: 'DELETE FROM app_event_segments WHERE segment_id = ANY($1::bigint[])',
        values: [rows.map(row => row.id)],
      }),
    )
  }
}

/** Files that nobody knows: a process was killed between the file and its row. What came lately may still get one. */
export async function dropOrphans(ctx: Context): Promise<void> {
  const engine = ctx.server.bytes(ctx.zone, 'events')
  for await (const old of storedBefore(engine, ctx.now() - limits.orphanAfterMs)) {
    const { rows } = await ctx.transact(inner =>
      inner.transaction(inner.zone).query<{ sha256: string }>({
        text: `SELECT one.sha256 FROM unnest($1::text[]) AS one (sha256)
          WHERE NOT EXISTS (SELECT FROM app_event_segments s WHERE s.sha256 = one.sha256)`,
        values: [old],
      }),
    )
    for (const { sha256 } of rows) await engine.remove(sha256)
  }
}
