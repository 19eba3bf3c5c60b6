import type { Context } from '../../../../server/context.ts'
import { recordInstalls } from '../../versions/public.ts'

const mostAtOnce = 500

/** Tells the service of versions how many devices have each app whose number changed. */
export async function tellActive(ctx: Context): Promise<void> {
  const { rows } = await ctx.transaction(ctx.zone).query<{ app_id: string; team_id: string; active: string }>({
    text: `UPDATE store_active SET told = active WHERE app_id IN (
        SELECT app_id FROM store_active WHERE active <> told ORDER BY app_id LIMIT $1 FOR UPDATE SKIP LOCKED)
      RETURNING app_id, team_id, active`,
    values: [mostAtOnce],
  })
  for (const { app_id: appId, team_id: teamId, active } of rows) {
    await recordInstalls(ctx, { appId, teamId }, Math.max(0, Number(active)))
  }
}
