import type { Context } from '../../../server/context.ts'
import type { Event } from '../../../server/work.ts'
import { recordReach } from '../versions/public.ts'

/**
 * Tells how far a phased release had come when it changed: devices that fetched the version, each once, and installs by
 * the reports of whichever kind its devices send; and how many that run it told of a crash.
 */
export async function tellReach(ctx: Context, event: Event): Promise<void> {
  const { changeId, versionId } = event.data as { changeId?: string; versionId?: string }
  if (changeId === undefined || versionId === undefined) return
  const { rows } = await ctx.transaction(ctx.zone).query<Record<'devices' | 'installs' | 'users' | 'crashed', string>>({
    name: 'store phased reach',
    text: `SELECT
        (SELECT coalesce(sum(amount), 0) FROM store_counts WHERE version_id = $1 AND type = 'download') AS devices,
        greatest(
          (SELECT coalesce(sum(amount), 0) FROM store_counts WHERE version_id = $1 AND type = 'install_ok'),
          (SELECT coalesce(sum(amount), 0) FROM store_installs WHERE version_id = $1 AND outcome IN ('installed', 'updated'))
        ) AS installs,
        coalesce(sum(devices) FILTER (WHERE kind = 'users'), 0) AS users,
        coalesce(sum(devices) FILTER (WHERE kind = 'crashed'), 0) AS crashed
      FROM store_health JOIN store_health_releases USING (release_id, started_at)
      WHERE release_id = $1 AND version_id = $1`,
    values: [versionId],
  })
  const [reach] = rows
  if (!reach) return
  const { devices, installs, users, crashed } = reach
  await recordReach(ctx, changeId, {
    devices: Number(devices),
    installs: Number(installs),
    users: Number(users),
    crashed: Number(crashed),
  })
}
