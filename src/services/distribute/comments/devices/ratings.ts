import type { Context } from '../../../../server/context.ts'
import type { Event } from '../../../../server/work.ts'
import { dayOf } from './writing.ts'

interface Rating {
  device: string
  versionId: string
  versionCode: string
  versionName: string
  stars: number
  at: number
}

/**
 * Stars that devices gave in a report to the store: the same rows that comments are, so that there is one truth. A later
 * opinion is not written over by an earlier one; who deleted what the store had hidden does not begin anew.
 */
export async function takeRatings(ctx: Context, { entityId: appId, teamId, data }: Event): Promise<void> {
  const latest = new Map<string, Rating>()
  for (const one of (data['ratings'] ?? []) as Rating[]) {
    if ((latest.get(one.device)?.at ?? 0) <= one.at) latest.set(one.device, one)
  }
  const rows = [...latest.values()]
    .sort((a, b) => (a.device < b.device ? -1 : 1))
    .map(({ versionId, versionCode, versionName, ...one }) => ({
      ...{ ...one, comment_id: ctx.newId(), version_id: versionId, version_code: versionCode },
      ...{ version_name: versionName, day: dayOf(one.at) },
    }))
  await ctx.transaction(ctx.zone).query({
    name: 'comments rated',
    text: `INSERT INTO comments (comment_id, team_id, app_id, author, is_test, stars, title, text, haystack, nickname, version_id,
        version_code, version_name, state, edit_day, edits, created_at, written_at, updated_at)
      SELECT comment_id, $2, $3, device, false, stars, '', '', '', '', version_id, version_code, version_name, 'VISIBLE', day,
        0, at, at, at
      FROM jsonb_to_recordset($1::jsonb) AS row(comment_id bigint, device text, stars int, version_id bigint,
        version_code text, version_name text, day text, at bigint)
      WHERE NOT EXISTS (SELECT 1 FROM comments gone WHERE gone.app_id = $3 AND gone.author = row.device
        AND gone.state = 'DELETED' AND gone.hidden_at IS NOT NULL)
      ON CONFLICT (app_id, author, is_test) WHERE state <> 'DELETED'
      DO UPDATE SET stars = excluded.stars, version_id = excluded.version_id, version_code = excluded.version_code,
        version_name = excluded.version_name, written_at = excluded.written_at, updated_at = excluded.updated_at,
        revision = comments.revision + 1
      WHERE comments.written_at < excluded.written_at AND comments.stars <> excluded.stars`,
    values: [JSON.stringify(rows), teamId, appId],
  })
}
