import { zoneOfSlug } from '../../../kernel/zones.ts'
import type { Context } from '../../../server/context.ts'
import { fileLimits, statesBefore } from './rules.ts'

/** What a reference is for. The first one gives the file to the app: who reaches that, or its project, reaches the file. */
export interface HeldFor {
  appId: string
  projectId: string
  /** The app refers to these files already: nobody named them in the call. */
  isCopy?: boolean
}

/**
 * Adds a reference for each id where it says what for, else takes one, an id as often as it is named. Returns the first id that is not there, is
 * out of the caller's reach or has expired. Rows are locked in the order of their ids, so that two callers cannot block each other.
 */
export async function takeReferences(
  ctx: Context,
  objectIds: readonly string[],
  heldFor: HeldFor | null,
): Promise<string | undefined> {
  if (objectIds.length === 0) return undefined
  const here = objectIds.filter(objectId => zoneOfSlug(objectId.slice(0, 2)) === ctx.zone)
  const { projects, apps } = heldFor === null || heldFor.isCopy ? { projects: null, apps: null } : ctx.scopeIds
  const { rows } = await ctx.transaction(ctx.zone).query<{ object_id: string }>({
    text: `WITH wanted AS (SELECT object_id, count(*)::int * $2 AS change FROM unnest($1::text[]) AS one(object_id) GROUP BY object_id),
      locked AS (SELECT f.object_id, greatest(f.ref_count + w.change, 0) AS refs
        FROM file_objects f JOIN wanted w USING (object_id)
        WHERE f.state = ANY($3) AND ($4::bigint IS NULL OR f.team_id = $4) AND (f.expire_at IS NULL OR f.expire_at > $5)
          AND ($7::bigint[] IS NULL OR f.project_id = ANY($7) OR f.app_id = ANY($8) OR (f.app_id IS NULL AND f.created_by = $9))
        ORDER BY f.object_id FOR UPDATE OF f)
      UPDATE file_objects f SET ref_count = l.refs, revision = revision + 1, updated_at = $5,
        state = CASE WHEN l.refs > 0 THEN 'NORMAL' ELSE 'TEMP' END,
        app_id = CASE WHEN f.ref_count > 0 THEN coalesce(f.app_id, $10::bigint) ELSE coalesce($10::bigint, f.app_id) END,
        project_id = CASE WHEN f.ref_count > 0 THEN coalesce(f.project_id, $11::bigint) ELSE coalesce($11::bigint, f.project_id) END,
        expire_at = CASE WHEN l.refs > 0 THEN NULL ELSE $6::bigint END
      FROM locked l WHERE f.object_id = l.object_id RETURNING f.object_id`,
    values: [
      here,
      heldFor ? 1 : -1,
      statesBefore(heldFor ? 'hold' : 'release'),
      ctx.place.teamId,
      ctx.now(),
      ctx.now() + fileLimits.tempLifeMs,
      projects,
      apps,
      ctx.caller.accountId,
      heldFor?.appId ?? null,
      heldFor?.projectId ?? null,
    ],
  })
  const found = new Set(rows.map(row => row.object_id))
  return objectIds.find(objectId => !found.has(objectId))
}
