import { inArray, or } from 'drizzle-orm'
import { covers } from '../../../../kernel/permissions.ts'
import type { ZoneId } from '../../../../kernel/zones.ts'
import { type Context, systemContext } from '../../../../server/context.ts'
import { appsOf } from '../../apps/public.ts'
import { packageClaims } from '../tables.home.ts'

interface PlacedApp {
  appId: string
  zone: ZoneId
}

/** The condition that keeps claims within the caller's scope, by the app of the caller's side; undefined where that is all. */
export async function claimsInReach(ctx: Context) {
  if (ctx.memberScope === 'all') return undefined
  const { rows } = await ctx.transaction('home').query<PlacedApp>({
    text: `SELECT app_id::text AS "appId", zone FROM package_claims WHERE claimant_team_id = $1
      UNION SELECT holder_app_id::text, holder_zone FROM package_claims WHERE holder_team_id = $1 AND holder_app_id IS NOT NULL`,
    values: [ctx.teamId],
  })
  const reached = await reachedOf(ctx, rows)
  // Ids are unique over teams, so the other side's app is none of these.
  return or(inArray(packageClaims.appId, reached), inArray(packageClaims.holderAppId, reached))
}

/** Those of the apps that the caller's scope reaches, whichever zone they are in; one whose zone is served elsewhere by its own id only. */
export async function reachedOf(ctx: Context, apps: readonly PlacedApp[]): Promise<string[]> {
  if (ctx.memberScope === 'all') return apps.map(one => one.appId)
  const reached: string[] = []
  for (const zone of new Set(apps.map(one => one.zone))) {
    const appIds = apps.filter(one => one.zone === zone).map(one => one.appId)
    if (zone === ctx.zone) reached.push(...(await appsOf(ctx, appIds)).map(one => one.appId))
    else if (!ctx.server.config.zones.includes(zone))
      reached.push(...appIds.filter(appId => covers(ctx.memberScope, { appId })))
    else {
      const system = systemContext(ctx.server, zone, { name: 'claims', teamId: ctx.teamId })
      const found = await system.transact(inner => appsOf(inner, appIds))
      reached.push(...found.filter(one => covers(ctx.memberScope, one)).map(one => one.appId))
    }
  }
  return reached
}
