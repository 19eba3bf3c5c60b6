import type { Context } from '../../../../server/context.ts'
import { type HealthRow, sumsOf } from './sums.ts'

const mostAtOnce = 500

interface Untold {
  release_id: string
  started_at: string
  team_id: string
  app_id: string
}

interface Row extends HealthRow {
  release_id: string
}

/** Tells the service of versions what devices told of phased releases that changed since. */
export async function tellHealth(ctx: Context): Promise<void> {
  const { rows: releases } = await ctx.transaction(ctx.zone).query<Untold>({
    name: 'store untold health',
    text: `UPDATE store_health_releases SET is_told = true WHERE release_id IN (
        SELECT release_id FROM store_health_releases WHERE NOT is_told ORDER BY release_id LIMIT $1 FOR UPDATE SKIP LOCKED)
      RETURNING release_id, started_at, team_id, app_id`,
    values: [mostAtOnce],
  })
  if (releases.length === 0) return
  const { rows } = await ctx.transaction(ctx.zone).query<Row>({
    name: 'store health sums',
    text: `SELECT release_id, version_id, kind, sum(devices) AS devices FROM store_health
      JOIN unnest($1::bigint[], $2::bigint[]) AS wanted(release_id, started_at) USING (release_id, started_at)
      GROUP BY 1, 2, 3`,
    values: [releases.map(one => one.release_id), releases.map(one => one.started_at)],
  })
  const byRelease = Map.groupBy(rows, row => row.release_id)
  for (const { release_id, started_at, team_id, app_id } of releases) {
    ctx.emit({
      type: 'store.health',
      entity: 'version',
      entityId: release_id,
      teamId: team_id,
      data: {
        appId: app_id,
        startedAt: Number(started_at),
        at: ctx.now(),
        ...sumsOf(byRelease.get(release_id) ?? [], release_id),
      },
    })
  }
}
