import { zoneOfSlug } from '../../../kernel/zones.ts'
import type { Context } from '../../../server/context.ts'
import { fileLimits, statesBefore } from './rules.ts'

/**
 * Adds or takes a reference for each id, an id as often as it is named. Returns the first id that is not there, is
 * another team's or has expired. Rows are locked in the order of their ids, so that two callers cannot block each other.
 */
export async function takeReferences(
  ctx: Context,
  objectIds: readonly string[],
  change: 1 | -1,
): Promise<string | undefined> {
  if (objectIds.length === 0) return undefined
  const here = objectIds.filter(objectId => zoneOfSlug(objectId.slice(0, 2)) === ctx.zone)
  const { rows } = await ctx.transaction(ctx.zone).query<{ object_id: string }>({
    text: `WITH wanted AS (SELECT object_id, count(*)::int * $2 AS change FROM unnest($1::text[]) AS one(object_id) GROUP BY object_id),
      locked AS (SELECT f.object_id, greatest(f.ref_count + w.change, 0) AS refs
        FROM file_objects f JOIN wanted w USING (object_id)
        WHERE f.state = ANY($3) AND ($4::bigint IS NULL OR f.team_id = $4) AND (f.expire_at IS NULL OR f.expire_at > $5)
        ORDER BY f.object_id FOR UPDATE OF f)
      UPDATE file_objects f SET ref_count = l.refs, revision = revision + 1, updated_at = $5,
        state = CASE WHEN l.refs > 0 THEN 'NORMAL' ELSE 'TEMP' END,
        expire_at = CASE WHEN l.refs > 0 THEN NULL ELSE $6::bigint END
      FROM locked l WHERE f.object_id = l.object_id RETURNING f.object_id`,
    values: [
      here,
      change,
      statesBefore(change === 1 ? 'hold' : 'release'),
      ctx.place.teamId,
      ctx.now(),
      ctx.now() + fileLimits.tempLifeMs,
    ],
  })
  const found = new Set(rows.map(row => row.object_id))
  return objectIds.find(objectId => !found.has(objectId))
}
