import type { Context } from '../../../../server/context.ts'
import type { Event } from '../../../../server/work.ts'
import { appsOf } from '../../apps/public.ts'
import { qualificationGaps } from '../../qualification/public.ts'
import { shelfVersionOf } from '../queries.ts'
import { forceOff } from '../shelf/shelf-off.ts'

export const lapsedReason = 'QUALIFICATION_ENDED'

/** The time of grace after an approval is over: what is on shelf without one where one is needed comes off. */
export async function takeOffLapsed(ctx: Context, event: Event): Promise<void> {
  const [app] = await appsOf(ctx, [String(event.data['appId'])])
  const version = app && (await shelfVersionOf(ctx, app.appId))
  if (!app || version?.state !== 'ON_SHELF') return
  const gaps = (await qualificationGaps(ctx, app, version.countries)).filter(gap => gap.state !== 'ENDING')
  if (gaps.length === 0) return
  const where = gaps.map(gap => `${gap.tagName.enUS}: ${gap.countries.join(', ')}`).join('; ')
  const notice = `A qualification that this app needs has ended (${where}). With a new one it can be submitted again.`
  await forceOff(ctx, { versionId: version.versionId, reasonCode: lapsedReason, notice })
}
