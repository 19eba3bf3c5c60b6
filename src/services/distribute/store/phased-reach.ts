import type { Context } from '../../../server/context.ts'
import type { Event } from '../../../server/work.ts'
import { recordReach } from '../versions/public.ts'

/**
 * Tells how far a phased release had come when it changed: devices that fetched the version, each once, and installs by
 * the reports of whichever kind its devices send.
 */
export async function tellReach(ctx: Context, event: Event): Promise<void> {
  const { changeId, versionId } = event.data as { changeId?: string; versionId?: string }
  if (changeId === undefined || versionId === undefined) return
  const { rows } = await ctx.transaction(ctx.zone).query<{ devices: string; installs: string }>({
    name: 'store phased reach',
    text: `SELECT
        (SELECT coalesce(sum(amount), 0) FROM store_counts WHERE version_id = $1 AND type = 'download') AS devices,
        greatest(
          (SELECT coalesce(sum(amount), 0) FROM store_counts WHERE version_id = $1 AND type = 'install_ok'),
          (SELECT coalesce(sum(amount), 0) FROM store_installs WHERE version_id = $1 AND outcome IN ('installed', 'updated'))
        ) AS installs`,
    values: [versionId],
  })
  const [reach] = rows
  if (reach) await recordReach(ctx, changeId, { devices: Number(reach.devices), installs: Number(reach.installs) })
}
