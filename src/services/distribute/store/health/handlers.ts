import { implement } from '../../../../server/implement.ts'
import { versionOf } from '../../versions/public.ts'
import { dayMs } from '../rules.ts'
import { storeHealth } from './contract.ts'
import { hourMs, mostHours } from './rules.ts'
import { type HealthRow, sumsOf } from './sums.ts'

interface Row extends HealthRow {
  started_at: string
  first: string
  step: string
}

export default implement(storeHealth, {
  getReleaseHealth: async (ctx, { query }) => {
    const { versionId, teamId } = await versionOf(ctx, query.versionId)
    const { rows } = await ctx.transaction(ctx.zone).query<Row>({
      name: 'store release health',
      text: `WITH hours AS (
          SELECT started_at, version_id, kind, hour, devices, min(hour) OVER () AS first, max(hour) OVER () AS last
          FROM store_health JOIN store_health_releases USING (release_id, started_at, team_id)
          WHERE release_id = $1 AND team_id = $2)
        SELECT started_at, version_id, kind, sum(devices) AS devices,
          CASE WHEN last - first > $3 THEN $4::bigint ELSE $5::bigint END AS step,
          hour / CASE WHEN last - first > $3 THEN $4::bigint ELSE $5::bigint END AS first
        FROM hours GROUP BY started_at, version_id, kind, last - first, 6 ORDER BY 6`,
      values: [versionId, teamId, mostHours * hourMs, dayMs, hourMs],
    })
    const [any] = rows
    const stepMs = any ? Number(any.step) : hourMs
    const steps = [...Map.groupBy(rows, row => Number(row.first) * stepMs)]
    return {
      startedAt: any ? Number(any.started_at) : null,
      stepMs,
      ...sumsOf(rows, versionId),
      steps: steps.map(([at, ofStep]) => ({ at, ...sumsOf(ofStep, versionId) })),
    }
  },
})
