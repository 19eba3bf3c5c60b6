import type { Context } from '../../../server/context.ts'
import { dayOf } from './use.ts'

/** Writes down what each bucket holds today. */
export async function writeDays(ctx: Context): Promise<void> {
  await ctx.transaction(ctx.zone).query({
    text: `INSERT INTO storage_days (bucket_id, day, team_id, project_id, stored_bytes, objects)
      SELECT b.bucket_id, $1, b.team_id, b.project_id, coalesce(sum(c.bytes), 0), coalesce(sum(c.objects), 0)
      FROM storage_buckets b LEFT JOIN storage_counters c USING (bucket_id) GROUP BY b.bucket_id
      ON CONFLICT (bucket_id, day) DO UPDATE SET stored_bytes = excluded.stored_bytes, objects = excluded.objects`,
    values: [dayOf(ctx.now())],
  })
}
