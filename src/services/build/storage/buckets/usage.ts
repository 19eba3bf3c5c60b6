import type { Context } from '../../../../server/context.ts'
import { dayOf } from '../use.ts'

/** What of the project's quotas is used now, by metric. */
export async function usedNow(ctx: Context, projectId: string) {
  const { rows } = await ctx.transaction(ctx.zone).query<Record<string, string>>({
    text: `SELECT (SELECT count(*) FROM storage_buckets WHERE project_id = $1) AS buckets,
        (SELECT coalesce(sum(c.bytes), 0) FROM storage_buckets b JOIN storage_counters c USING (bucket_id) WHERE b.project_id = $1) AS stored,
        coalesce(sum(egress_bytes), 0) AS egress, coalesce(sum(class_a + class_b), 0) AS operations
      FROM storage_days WHERE project_id = $1 AND day = $2`,
    values: [projectId, dayOf(ctx.now())],
  })
  const of = (name: string) => Number(rows[0]?.[name] ?? 0)
  return {
    storedBytes: of('stored'),
    egressBytesPerDay: of('egress'),
    operationsPerDay: of('operations'),
    buckets: of('buckets'),
  }
}

/** What was used from one day to another; what is stored is that of the last day of each month or day. */
export async function usageOf(
  ctx: Context,
  wanted: { projectId: string; bucketId?: string; from: string; to: string; granularity?: 'DAY' | 'MONTH' },
) {
  const length = wanted.granularity === 'MONTH' ? 7 : 10
  const { rows } = await ctx.transaction(ctx.zone).query<Record<string, string>>({
    text: `WITH days AS (SELECT day, sum(stored_bytes) AS stored, sum(objects) AS objects, sum(class_a) AS a, sum(class_b) AS b,
          sum(egress_bytes) AS egress FROM storage_days
        WHERE project_id = $1 AND day BETWEEN $2 AND $3 AND ($4::text IS NULL OR bucket_id = $4) GROUP BY day)
      SELECT left(day, $5) AS date, (array_agg(stored ORDER BY day DESC))[1] AS stored,
        (array_agg(objects ORDER BY day DESC))[1] AS objects, sum(a) AS a, sum(b) AS b, sum(egress) AS egress
      FROM days GROUP BY 1 ORDER BY 1 LIMIT 1000`,
    values: [wanted.projectId, wanted.from, wanted.to, wanted.bucketId ?? null, length],
  })
  const points = rows.map(row => ({
    date: row['date'] ?? '',
    storedBytes: Number(row['stored']),
    objects: Number(row['objects']),
    classA: Number(row['a']),
    classB: Number(row['b']),
    egressBytes: Number(row['egress']),
  }))
  const sum = (name: 'classA' | 'classB' | 'egressBytes') => points.reduce((total, point) => total + point[name], 0)
  return { points, totals: { classA: sum('classA'), classB: sum('classB'), egressBytes: sum('egressBytes') } }
}
